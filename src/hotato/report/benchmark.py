"""A measurement-error result as Markdown and as one self-contained page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hotato._version import __version__
from hotato.editions import Mark, json_mark, markdown_mark, page_mark
from hotato.plain import escaped
from hotato.report.benchmark_cells import SIGNAL_WORDS
from hotato.report.benchmark_pictures import TOP_PX, cliff_pictures, error_pictures
from hotato.report.benchmark_tables import markdown_table, tables
from hotato.report.render import render
from hotato.report.timefmt import plural, shown

_NAME_CHARS = 120
_START = markdown_mark("hotato measurement error", "measurement error")
ERROR_MARKS: dict[str, Mark] = {
    "json": json_mark("measurement-error"),
    "md": _START,
    "html": page_mark("measurement error"),
}
"""How the three files of a report begin, or which fields they hold: an older report is replaced."""


def benchmark_markdown(result: Mapping[str, Any]) -> str:
    """Every table of the result as Markdown."""
    lines = [_START, escaped(sets_line(result)), "", answer(result), ""]
    for table in tables(result):
        lines += [
            f"## {table.title}",
            "",
            table.note,
            "",
            markdown_table(table.head, table.rows, table.words),
            "",
        ]
    lines += [f"hotato {__version__}; every threshold behind these numbers is in the JSON beside this file."]
    return "\n".join(lines) + "\n"


def benchmark_page(result: Mapping[str, Any]) -> str:
    """The result as a page: pictures first, every table after them."""
    return render(
        "benchmark.html.j2",
        sets=sets_line(result),
        answer=answer(result),
        errors=error_pictures(result),
        cliffs=cliff_pictures(result),
        tables=tables(result),
        backend=result["backend"],
        top=TOP_PX,
        player=False,
        audio=None,
        version=__version__,
    )


def answer(result: Mapping[str, Any]) -> str:
    """The median error of each signal in one sentence."""
    parts = []
    for signal, words in SIGNAL_WORDS.items():
        medians = [
            result["signals"][signal][reading]["all"]["median_ms"] for reading in ("documented", "edges")
        ]
        if None not in medians:
            parts.append(f"{words} {medians[0]:.0f} ms ({medians[1]:.0f} at the raw edges)")
    if not parts:
        return "No signal has both a truth and a measurement."
    return f"Median error: {', '.join(parts)}."


def sets_line(result: Mapping[str, Any]) -> str:
    """Which sets were measured, and which were not."""
    measured = [
        f"{shown(one['name'], _NAME_CHARS)} ({plural(one['calls'], 'call')})" for one in result["sets"]
    ]
    text = f"Sets: {', '.join(measured)}."
    skipped = [shown(one["name"], _NAME_CHARS) for one in result["skipped"]]
    return text + (f" Without recordings: {', '.join(skipped)}." if skipped else "")
