"""The tables of a measurement-error result: one list of cells for Markdown, terminal and page alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hotato.plain import markdown_text
from hotato.report.benchmark_cells import (
    DETECTOR_WORDS,
    ERROR_HEAD,
    READING_WORDS,
    SIGNAL_WORDS,
    Result,
    Row,
    Table,
    errors,
    groups,
    number,
    share,
)
from hotato.report.benchmark_moments import (
    clips_table,
    events_table,
    incidents_table,
    raised_table,
    second_tables,
)


def tables(result: Result) -> list[Table]:
    """Every table of a result that has something to show, in the order of the page."""
    found = [
        _signals(result),
        _parts(result, "by_condition", "condition"),
        _parts(result, "by_family", "family"),
        _confusion(result),
        _verdicts(result),
        clips_table(result),
        _edges(result),
        _intervals(result),
        events_table(result),
        raised_table(result),
        incidents_table(result),
        _cliff(result),
        *second_tables(result),
    ]
    return [table for table in found if table.rows]


def _signals(result: Result) -> Table:
    rows = [
        (SIGNAL_WORDS[signal], READING_WORDS[reading], *errors(cut["all"]))
        for signal, readings in result["signals"].items()
        for reading, cut in readings.items()
        if cut["all"]["n"] or cut["all"]["missing"]
    ]
    note = (
        "Milliseconds. Bias is the mean of measured minus true; the others are of the distance from the "
        "truth. The caller's onset is detected; the other signals are measured from the labelled onset. The "
        "documented value carries the hangover, the raw edges do not, and the calibrated profile removes "
        "their known bias as well."
    )
    return Table("Measurement error", note, 2, ("signal", "reading", *ERROR_HEAD), tuple(rows))


def _parts(result: Result, key: str, word: str) -> Table:
    """The error by condition or family; empty where there is only one."""
    groups = {
        name for readings in result["signals"].values() for cut in readings.values() for name in cut[key]
    }
    rows = [
        (name, SIGNAL_WORDS[signal], READING_WORDS[reading], *errors(stats))
        for signal, readings in result["signals"].items()
        for reading, cut in readings.items()
        for name, stats in cut[key].items()
        if len(groups) > 1 and (stats["n"] or stats["missing"])
    ]
    return Table(
        f"Measurement error by {word}",
        "Milliseconds, as above.",
        3,
        (word, "signal", "reading", *ERROR_HEAD),
        tuple(rows),
    )


def _confusion(result: Result) -> Table:
    cells = ("correct_yield", "missed_yield", "false_yield", "correct_hold", "off_diagonal", "not_scorable")
    groups = {"all sets": result["confusion"]["all"], **result["confusion"]["by_set"]}
    rows = [(name, *(number(group[cell]) for cell in cells)) for name, group in groups.items()]
    note = (
        "The label against what was measured, in cells that are never added up to one figure: a missed "
        "yield and a false yield are different failures with different fixes."
    )
    head = ("set", *(cell.replace("_", " ") for cell in cells))
    return Table("Yield or hold", note, 1, head, tuple(rows))


def _verdicts(result: Result) -> Table:
    rows = []
    for name, group in groups(result["yield_verdicts"]):
        n = group["n"]
        if n:
            rows.append(
                (
                    name,
                    number(n),
                    *(
                        cell
                        for reading in READING_WORDS
                        for cell in (
                            share(group[f"wrong_{reading}"], n),
                            share(group[f"doubted_{reading}"], group[f"wrong_{reading}"]),
                            share(group[f"coded_{reading}"], group[f"wrong_{reading}"]),
                        )
                    ),
                    number(group["not_found"]),
                    number(group["withheld"]),
                )
            )
    note = (
        "Did the agent yield within its limit? A verdict is wrong when the truth says otherwise, when it "
        "was withheld, or when nobody would have found the caller's onset; the columns beside it say how "
        "many of the wrong ones are in doubt, and how many carry any reason code: a doubt, or why the robust "
        "detector answered."
    )
    wrong = [
        cell for words in READING_WORDS.values() for cell in (f"wrong, {words}", "in doubt", "with any code")
    ]
    head = ("condition", "n", *wrong, "not found", "withheld")
    return Table("Yield verdicts against the truth", note, 1, head, tuple(rows))


def _edges(result: Result) -> Table:
    rows = [
        (name, side, READING_WORDS[reading], *errors(stats), number(extra))
        for side, readings in result["edges"].items()
        for reading, cut in readings.items()
        for (name, stats), (_, extra) in zip(groups(cut["error"]), groups(cut["extra"]), strict=True)
    ]
    note = (
        "Milliseconds, edges of both parties against the true spans. Missing: true edges that no "
        "measured one belongs to; extra: measured edges that belong to no true one."
    )
    return Table("Edges", note, 3, ("condition", "edge", "reading", *ERROR_HEAD, "extra"), tuple(rows))


def _intervals(result: Result) -> Table:
    rows = [
        ("all", SIGNAL_WORDS[signal], *_covered(cut["all"]))
        for signal, cut in result["intervals"].items()
        if cut["all"]["n"]
    ]
    rows += [
        (name, f"{side} edge", *_covered(stats))
        for side, readings in result["edges"].items()
        for name, stats in groups(readings["edges"]["interval"])
    ]
    note = (
        "How often the truth lies inside the printed interval. An interval around an edge that does not "
        "exist never holds it. Width in milliseconds."
    )
    head = (
        "condition",
        "interval of",
        "n",
        "holds the truth",
        "or is in doubt",
        "or has any code",
        "width, median",
        "width, mean",
    )
    return Table("Intervals", note, 2, head, tuple(rows))


def _covered(stats: Mapping[str, Any]) -> Row:
    n = stats["n"]
    return (
        number(n),
        share(stats["covered"], n),
        share(stats["covered"] + stats["doubted"], n),
        share(stats["covered"] + stats["coded"], n),
        number(stats["width_median_ms"]),
        number(stats["width_mean_ms"]),
    )


def _cliff(result: Result) -> Table:
    rows = [
        (
            point["noise"],
            DETECTOR_WORDS[point["detector"]],
            number(point["snr_db"]),
            number(point["verdicts"]),
            share(point["flipped"], point["verdicts"]),
            share(point["doubted"], point["flipped"]),
            share(point["coded"], point["flipped"]),
            share(point["flipped_edges"], point["verdicts"]),
            share(point["flipped_calibrated"], point["verdicts"]),
            share(point["warned"], point["calls"]),
            share(point["refused"], point["calls"]),
            share(point["robust"], point["calls"]),
        )
        for point in result["noise_cliff"]["points"]
    ]
    note = (
        "Yield verdicts that turn wrong as noise rises, the share of calls with a warning at that level, and "
        "of those on which the robust detector answered for a party. "
        f"Measured on {result['noise_cliff']['source']}."
    )
    wrong = ("wrong", "in doubt", "with any code", "wrong, raw edges", "wrong, calibrated")
    head = (
        "noise",
        "detector",
        "SNR dB",
        "n",
        *wrong,
        "calls warned",
        "calls refused",
        "heard by the robust detector",
    )
    return Table("The noise cliff", note, 2, head, tuple(rows))


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], words: int) -> str:
    """A table in Markdown, its columns of numbers to the right."""
    rule = ["---"] * words + ["---:"] * (len(head) - words)
    lines = (head, rule, *rows)
    return "\n".join("| " + " | ".join(markdown_text(cell) for cell in line) + " |" for line in lines)
