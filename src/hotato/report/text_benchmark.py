"""A measurement-error result on one screen of a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hotato.report.benchmark import sets_line
from hotato.report.benchmark_cells import DETECTOR_WORDS, READING_WORDS, SIGNAL_WORDS, share
from hotato.report.benchmark_moments import why_silent
from hotato.report.terminal import Terminal
from hotato.report.timefmt import plural

_MOST_SET_LINES = 2
_MOST_LEVELS = 4
_WHOLE_FROM_MS = 100.0
_FIGURES = {"bias_ms": "bias", "median_ms": "median", "p90_ms": "p90", "worst_ms": "worst"}
_INDENT = "  "


def benchmark_text(
    result: Mapping[str, Any], *, colour: bool = False, width: int = 80, unicode: bool = True
) -> str:
    """Every table of the result in a line or a few, the worst part of each first, in at most a screen.

    Args:
        result: what `run_benchmark` gave.
        colour, width, unicode: see `terminal.Terminal`.
    """
    terminal = Terminal(colour, width, unicode)
    lines = [terminal.paint("bold", "hotato measurement error"), *_sets(result, terminal)]
    lines += _errors(result, terminal)
    told = (
        _verdicts(result),
        _cells(result),
        _intervals(result),
        _edges(result),
        _found(result),
        _raised(result),
        _false(result),
        *_cliffs(result),
        _opinion(result),
    )
    for words in told:
        lines += terminal.wrap(words, "", _INDENT) if words else []
    return terminal.finish(lines)


def _sets(result: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """Which sets were measured; only their number where the names would fill the screen."""
    lines = terminal.wrap(sets_line(result))
    if len(lines) <= _MOST_SET_LINES:
        return lines
    calls = sum(one["calls"] for one in result["sets"])
    return terminal.wrap(f"{calls} calls of {len(result['sets'])} sets; the files name them.")


def _errors(result: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """A line for each signal, the readings beside each other; without the worst where that does not fit."""
    keys = list(_FIGURES)
    if _widest(_error_rows(result, keys)) > terminal.columns:
        keys = keys[:-1]
    rows = _error_rows(result, keys)
    if not rows:
        return []
    head = f"error, ms: {' / '.join(_FIGURES[key] for key in keys)} (bias is measured minus true)"
    return [terminal.paint("soft", head), *_columns(rows, 1, terminal)]


def _error_rows(result: Mapping[str, Any], keys: Sequence[str]) -> list[tuple[str, ...]]:
    """Signal, count and readings under a head; `n` says where some were not measured."""
    rows = []
    for signal, readings in result["signals"].items():
        parts = [readings[reading]["all"] for reading in READING_WORDS]
        counts = {(part["n"], part["missing"]) for part in parts}
        n, missing = min(counts)
        if max(part["n"] + part["missing"] for part in parts):
            count = f"{n} of {n + missing}" if missing else str(n)
            told = (" / ".join(_ms(part[key]) for key in keys) if part["n"] else "-" for part in parts)
            rows.append((SIGNAL_WORDS[signal], count, *told))
    return [("", "n", *READING_WORDS.values()), *rows] if rows else []


def _ms(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= _WHOLE_FROM_MS else f"{value:.1f}"


def _verdicts(result: Mapping[str, Any]) -> str:
    """How many yield verdicts are wrong by each reading, and how many of those were in doubt."""
    group = result["yield_verdicts"]["all"]
    if not group["n"]:
        return ""
    parts = [f"{words} {_wrong(group, reading)}" for reading, words in READING_WORDS.items()]
    missing = [f"{group[key]} {words}" for key, words in _NOT_JUDGED.items() if group[key]]
    told = f"; among them {' and '.join(missing)}" if missing else ""
    return f"Yielded within its limit? Wrong of {plural(group['n'], 'verdict')}: {', '.join(parts)}{told}."


_NOT_JUDGED = {"not_found": "never found without the label", "withheld": "withheld"}


def _wrong(group: Mapping[str, Any], reading: str) -> str:
    wrong, doubted = group[f"wrong_{reading}"], group[f"doubted_{reading}"]
    told = [f"{100.0 * wrong / group['n']:.1f} %"] if wrong else []
    told += [f"{doubted} of them in doubt"] if doubted else []
    return f"{wrong} ({', '.join(told)})" if told else str(wrong)


def _cells(result: Mapping[str, Any]) -> str:
    cells = result["confusion"]["all"]
    names = ("missed_yield", "false_yield", "not_scorable", "correct_yield", "correct_hold")
    told = ", ".join(f"{cells[name]} {name.replace('_', ' ')}" for name in names)
    return f"Label and measurement: {told}."


def _intervals(result: Mapping[str, Any]) -> str:
    """How often the printed interval holds the truth, and how wide it is: the worst signal first."""
    parts = [
        (one["share"], f"{SIGNAL_WORDS[signal]} {_percent(one)}, {_ms(one['width_median_ms'])} ms wide")
        for signal, cut in result["intervals"].items()
        if (one := cut["all"])["n"]
    ]
    parts += [
        (one["share"], f"{side} edge {_percent(one)}, {_ms(one['width_median_ms'])} ms")
        for side, readings in result["edges"].items()
        if (one := readings["edges"]["interval"]["all"])["n"]
    ]
    return _worst_first("Intervals that hold the truth: ", parts, "; ")


def _percent(one: Mapping[str, Any]) -> str:
    return f"{100.0 * one['share']:.1f} % of {one['n']}"


def _edges(result: Mapping[str, Any]) -> str:
    """The edges of both parties, calibrated: the side with the larger error first."""
    parts = []
    for side, readings in result["edges"].items():
        error, extra = readings["calibrated"]["error"]["all"], readings["calibrated"]["extra"]["all"]
        if error["n"]:
            told = f"{side} {_ms(error['median_ms'])} / {_ms(error['p90_ms'])}"
            parts.append((-error["p90_ms"], f"{told}, {error['missing']} missing, {extra} extra"))
    return _worst_first("Calibrated edges, ms, median / p90: ", parts, "; ")


def _found(result: Mapping[str, Any]) -> str:
    parts = [
        (one["recall"], f"{_event(kind)} {one['found']} of {one['n']}")
        for kind, cut in result["detection"]["events"].items()
        if (one := cut["all"])["n"]
    ]
    return _worst_first("Events found: ", parts)


def _raised(result: Mapping[str, Any]) -> str:
    parts = [
        (
            one["critical_share"],
            f"{_event(kind)} {one['raised']} of {one['n']}, {one['critical']} critical",
        )
        for kind, cut in result["detection"]["raised"].items()
        if (one := cut["all"])["n"]
    ]
    return _worst_first("Beyond the limit and raised: ", parts, "; ")


def _event(kind: str) -> str:
    return kind.replace("_", " ")


def _false(result: Mapping[str, Any]) -> str:
    """The false incidents of all kinds, then the kinds that have any, the most first."""
    found = dict(result["detection"]["incidents"])
    if not found:
        return ""
    every = found.pop("any")["all"]
    judged = every["n"] - every["unknown"]
    told = f"False incidents: {every['false']} of {judged}, {every['false_critical']} critical"
    if every["unknown"]:
        told += f" ({every['unknown']} more of which the truth says nothing)"
    parts = [
        (-cut["all"]["false"], f"{kind} {cut['all']['false']}")
        for kind, cut in found.items()
        if cut["all"]["false"]
    ]
    return _worst_first(f"{told}: ", parts) if parts else f"{told}."


def _worst_first(words: str, parts: Iterable[tuple[float, str]], between: str = ", ") -> str:
    """The parts in the order of their figure, the smallest first; nothing where there are none."""
    told = between.join(text for _, text in sorted(parts, key=lambda part: part[0]))
    return f"{words}{told}." if told else ""


def _cliffs(result: Mapping[str, Any]) -> Iterator[str]:
    """For each noise: at which levels verdicts turn wrong, and who was warned by then."""
    cliff = result["noise_cliff"]
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for point in cliff["points"]:
        if point["snr_db"] is not None:
            groups.setdefault((point["noise"], DETECTOR_WORDS[point["detector"]]), []).append(point)
    for (noise, detector), points in groups.items():
        told = _flips(sorted(points, key=lambda point: -point["snr_db"]))
        yield f"Noise {noise}, {detector}: {told}."
    if groups:
        yield f"Noise measured on {cliff['source']}."


def _flips(falling: Sequence[Mapping[str, Any]]) -> str:
    """Where verdicts turn wrong, on the levels of one noise from the faintest noise on."""
    judged = [point for point in falling if point["verdicts"]]
    flipped = [point for point in judged if point["flipped"]]
    if not flipped:
        last = falling[-1]
        return (
            f"no verdict flips down to {last['snr_db']} dB, where the robust detector heard "
            f"{last['robust']} of {last['calls']} calls"
        )
    first = flipped[0]
    warned = f"{first['warned']} of {first['calls']} calls warned at {first['snr_db']} dB"
    if flipped == judged[judged.index(first) :]:
        told = f"verdicts flip from {first['snr_db']} dB down ({first['flipped']} of {first['verdicts']})"
        return f"{told}; {warned}"
    levels = [f"{p['snr_db']} dB ({p['flipped']} of {p['verdicts']})" for p in flipped[:_MOST_LEVELS]]
    more = f" and {len(flipped) - _MOST_LEVELS} more levels" if len(flipped) > _MOST_LEVELS else ""
    return f"verdicts flip at {', '.join(levels)}{more}, and not at every level below; {warned}"


def _opinion(result: Mapping[str, Any]) -> str:
    second = result["second_opinion"]
    if second is None:
        return why_silent(result)
    agreed = second["agreement"]
    if not agreed["judged_by_both"]:
        return why_silent(result) or "The neural backend judged none of the moments that the other judged."
    told = share(agreed["did_yield_agreed"], agreed["judged_by_both"])
    words = f"The neural backend agrees on yield or not in {told} of the verdicts of both."
    return f"{words} {why_silent(result)}".rstrip()


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]


def _widest(rows: Sequence[Sequence[str]]) -> int:
    """Columns of the terminal that aligned rows take."""
    return sum(width + len(_INDENT) for width in _widths(rows))


def _columns(rows: Sequence[Sequence[str]], words: int, terminal: Terminal) -> list[str]:
    """Aligned columns: `words` of them to the left, numbers to the right, the head softly painted."""
    widths, lines = _widths(rows), []
    for place, row in enumerate(rows):
        cells = [
            cell.ljust(width) if column < words else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        text = terminal.plain(_INDENT + _INDENT.join(cells).rstrip())
        lines.append(terminal.paint("soft", text) if place == 0 else text)
    return lines
