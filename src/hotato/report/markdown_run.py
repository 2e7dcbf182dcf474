"""A scored run as Markdown tables: the same facts as the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hotato.editions import markdown_mark
from hotato.plain import escaped
from hotato.report.charts import charts
from hotato.report.deltas import deltas
from hotato.report.page_run import answer
from hotato.report.text_run import (
    documented_line,
    doubt_lines,
    fact_lines,
    label_word,
    measured_line,
    moment_line,
    other_moments,
    status,
    summary_line,
)
from hotato.report.timefmt import plural, seconds, shown
from hotato.stats import Distribution

TITLE = "hotato report"
MAKER = "report"


def run_markdown(
    envelope: Mapping[str, Any], *, base: Mapping[str, Any] | None = None, base_label: str | None = None
) -> str:
    """The run as Markdown.

    Args:
        envelope: the scored envelope.
        base: the envelope of an earlier run to compare with.
        base_label: what the text calls it.
    """
    blocks = [
        markdown_mark(TITLE, MAKER).rstrip(),
        f"**{''.join(answer(envelope))}**",
        escaped(summary_line(envelope)),
    ]
    if envelope.get("funnel"):
        blocks.append(escaped(envelope["funnel"]["reason"]))
    if base is not None:
        changes = deltas(base, envelope)
        blocks += [
            f"## Against {escaped(shown(base_label or 'the earlier run'))}",
            _table(
                ("event", "before", "now", "change", "time to yield", "talk-over"),
                ((d.name, d.before, d.now, d.change, d.to_yield, d.talk_over) for d in changes),
            ),
        ]
    blocks += _together(envelope)
    blocks += ["## Events", _events(envelope), *_reasons(envelope)]
    blocks += [
        "## How this was measured",
        escaped(f"{envelope['limits']['method']} {envelope['limits']['scope']}"),
    ]
    return "\n\n".join(blocks) + "\n"


def _events(envelope: Mapping[str, Any]) -> str:
    rows = (
        (
            shown(str(e["event_id"])),
            status(e),
            label_word(e),
            moment_line(e),
            measured_line(e),
        )
        for e in envelope["events"]
    )
    return _table(("event", "result", "expected", "moment", "measured"), rows)


def _reasons(envelope: Mapping[str, Any]) -> list[str]:
    blocks = []
    for event in envelope["events"]:
        lines = [f"### {escaped(shown(str(event['event_id'])))}"]
        lines += [f"- {escaped(shown(remark, 400))}" for remark in _remarks(event)]
        fix = event.get("fix")
        if fix:
            lines.append(f"- {escaped(fix['title'])}")
            lines += [f"- First: {escaped(words)}" for words in fix.get("settle_first") or ()]
        if fix and fix.get("knob"):
            lines.append(f"- {escaped(fix['knob']['parameter'])}: {escaped(fix['knob']['direction'])}")
        if len(lines) > 1:
            blocks.append("\n".join((lines[0], "", *lines[1:])))
    return blocks


def _remarks(event: Mapping[str, Any]) -> list[str]:
    """What the table has no room for: reasons and doubts, or the next step where nothing could be judged."""
    step, others = event.get("not_scorable_next_step"), other_moments(event)
    beside = documented_line(event)
    remarks = [f"next: {step}"] if step else [beside] if beside else []
    remarks += fact_lines(event)
    if status(event) == "FAIL":
        remarks += event["verdict"]["reasons"]
    if status(event) != "NOT SCORABLE":
        remarks += [f"doubt: {words}" for words in doubt_lines(event)]
    return [*remarks, others] if others else remarks


def _together(envelope: Mapping[str, Any]) -> list[str]:
    rollup = charts(envelope)
    if rollup is None:
        return []
    summaries = (("time to yield", rollup.yields), ("talk-over", rollup.talk_over))
    blocks = [
        "## All events together",
        _table(("", "n", "mean", "median", "p90"), (_summary(name, numbers) for name, numbers in summaries)),
        _table(("both talked for", "events"), ((bar.label, str(bar.count)) for bar in rollup.bars)),
    ]
    if rollup.clusters:
        rows = (
            (plural(len(c.events), "event"), c.fix_class, c.title, c.setting, ", ".join(c.events))
            for c in rollup.clusters
        )
        blocks.append(_table(("failures", "class", "what", "setting", "which"), rows))
    return blocks


def _summary(name: str, numbers: Distribution) -> tuple[str, ...]:
    values = (numbers["mean"], numbers["median"], numbers["p90"])
    return (name, str(numbers["n"]), *("none" if v is None else seconds(v) for v in values))


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(head)
    lines = [names, ["---"] * len(names), *([escaped(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
