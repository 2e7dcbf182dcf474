"""A measurement-error result on one screen of a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hotato.report.benchmark import sets_line
from hotato.report.benchmark_tables import DETECTOR_WORDS, READING_WORDS, SIGNAL_WORDS, number, share
from hotato.report.terminal import Terminal

_MOST_SET_LINES = 4
_INDENT = "  "


def benchmark_text(
    result: Mapping[str, Any], *, colour: bool = False, width: int = 80, unicode: bool = True
) -> str:
    """The errors of all calls together, the verdicts, and where noise turns them, in at most a screen.

    Args:
        result: what `run_benchmark` gave.
        colour, width, unicode: see `terminal.Terminal`.
    """
    terminal = Terminal(colour, width, unicode)
    lines = [terminal.paint("bold", "hotato measurement error"), *_sets(result, terminal), ""]
    lines += [terminal.paint("soft", "error, ms (bias: measured minus true; the others: distance)")]
    lines += _columns(_errors(result), 2, terminal)
    verdicts = _columns(_verdicts(result), 1, terminal)
    if verdicts:
        lines += ["", terminal.paint("soft", "yielded within its limit?"), *verdicts]
    lines += ["", *terminal.wrap(_cells(result)), *_cliffs(result, terminal), *_opinion(result, terminal)]
    return terminal.finish(lines)


def _sets(result: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """Which sets were measured; only their number where the names would fill the screen."""
    lines = terminal.wrap(sets_line(result))
    if len(lines) <= _MOST_SET_LINES:
        return lines
    calls = sum(one["calls"] for one in result["sets"])
    return terminal.wrap(f"{calls} calls of {len(result['sets'])} sets; the files name them.")


def _errors(result: Mapping[str, Any]) -> list[tuple[str, ...]]:
    rows = [
        (
            SIGNAL_WORDS[signal],
            READING_WORDS[reading],
            number(cut["all"]["n"]),
            number(cut["all"]["missing"]),
            *(number(cut["all"][key]) for key in ("bias_ms", "median_ms", "p90_ms", "worst_ms")),
        )
        for signal, readings in result["signals"].items()
        for reading, cut in readings.items()
        if cut["all"]["n"] or cut["all"]["missing"]
    ]
    return [("signal", "reading", "n", "missing", "bias", "median", "p90", "worst"), *rows] if rows else []


def _verdicts(result: Mapping[str, Any]) -> list[tuple[str, ...]]:
    group = result["yield_verdicts"]["all"]
    if not group["n"]:
        return []
    rows = [
        (
            words,
            number(group["n"]),
            share(group[f"wrong_{reading}"], group["n"]),
            share(group[f"doubted_{reading}"], group[f"wrong_{reading}"]),
        )
        for reading, words in READING_WORDS.items()
    ]
    return [("reading", "n", "wrong", "of those in doubt"), *rows]


def _cells(result: Mapping[str, Any]) -> str:
    cells = result["confusion"]["all"]
    names = ("correct_yield", "missed_yield", "false_yield", "correct_hold", "not_scorable")
    told = ", ".join(f"{number(cells[name])} {name.replace('_', ' ')}" for name in names)
    return f"Yield or hold, by label: {told}."


def _cliffs(result: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """For each noise: from which level on verdicts turn wrong, and who was warned by then."""
    cliff = result["noise_cliff"]
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for point in cliff["points"]:
        if point["snr_db"] is not None:
            groups.setdefault((point["noise"], DETECTOR_WORDS[point["detector"]]), []).append(point)
    lines = []
    for (noise, detector), points in groups.items():
        falling = sorted(points, key=lambda point: -point["snr_db"])
        flipped = next((p for p in falling if p["flipped"]), None)
        if flipped is None:
            last = falling[-1]
            text = (
                f"no verdict flips down to {last['snr_db']} dB, where the robust detector heard "
                f"{last['robust']} of {last['calls']} calls"
            )
        else:
            text = (
                f"verdicts flip from {flipped['snr_db']} dB down "
                f"({flipped['flipped']} of {flipped['verdicts']}); "
                f"{flipped['warned']} of {flipped['calls']} calls warned there"
            )
        lines += terminal.wrap(f"Noise {noise}, {detector}: {text}.", "", _INDENT)
    return [*lines, *terminal.wrap(f"Noise measured on {cliff['source']}.")] if lines else []


def _opinion(result: Mapping[str, Any], terminal: Terminal) -> list[str]:
    second = result["second_opinion"]
    if second is None:
        return []
    agreed = second["agreement"]
    told = share(agreed["did_yield_agreed"], agreed["judged_by_both"])
    return terminal.wrap(f"The neural backend agrees on yield or not in {told} of the verdicts of both.")


def _columns(rows: Sequence[Sequence[str]], words: int, terminal: Terminal) -> list[str]:
    """Aligned columns: `words` of them to the left, numbers to the right, the head softly painted."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = []
    for place, row in enumerate(rows):
        cells = [
            cell.ljust(width) if column < words else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        text = terminal.plain(_INDENT + _INDENT.join(cells).rstrip())
        lines.append(terminal.paint("soft", text) if place == 0 else text)
    return lines
