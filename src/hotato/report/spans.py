"""Activity and moments for other people's tools: Praat, speech toolkits, Audacity, tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hotato.errors import UsageError
from hotato.find.records import Candidate, Incident, recording_id
from hotato.listen import Heard
from hotato.plain import table_cell
from hotato.timing import Span

_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Moment:
    """A stretch of the call with a name."""

    label: str
    span: Span


def moments_of(found: Iterable[Candidate | Incident]) -> tuple[Moment, ...]:
    """The moments of candidates (by kind) or incidents (by rank and kind), in order of time."""
    moments = (
        Moment(f"{item.rank} {item.kind}" if isinstance(item, Incident) else item.kind, item.span)
        for item in found
    )
    return tuple(sorted(moments, key=lambda moment: (moment.span, moment.label)))


def spans_export(heard: Heard, moments: Sequence[Moment], fmt: str) -> str:
    """Activity spans of both parties (hangover excluded) and the moments, as text in one of four formats.

    Args:
        heard: the call.
        moments: what else to mark.
        fmt: `textgrid` (Praat, long text format), `rttm` (NIST; the file is the recording's id, the parties
            are anonymous speakers, and moments have no place in it), `audacity` (label track) or `csv`.

    Raises:
        UsageError: unknown format.
    """
    writer = _WRITERS.get(fmt)
    if writer is None:
        raise UsageError(f"unknown export format '{fmt}'", f"choose one of: {', '.join(_WRITERS)}")
    return writer(heard, moments)


def activity_spans(heard: Heard, role: str) -> tuple[Span, ...]:
    """When one party was active, hangover excluded, cut at the end of the call."""
    activity = {"caller": heard.caller, "agent": heard.agent}[role].activity
    end = heard.duration_sec
    spans = (run.span(activity.hop_sec) for run in activity.trimmed_runs)
    return tuple(Span(span.start_sec, min(span.end_sec, end)) for span in spans if span.start_sec < end)


def _textgrid(heard: Heard, moments: Sequence[Moment]) -> str:
    end = heard.duration_sec
    tiers: list[tuple[str, list[tuple[Span, str]]]] = [
        (role, [(span, role) for span in activity_spans(heard, role)]) for role in ("caller", "agent")
    ]
    for number, lane in enumerate(_lanes(moments)):
        name = "moments" if not number else f"moments {number + 1}"
        tiers.append((name, [(moment.span, moment.label) for moment in lane]))
    lines = [
        'File type = "ooTextFile"',
        'Object class = "TextGrid"',
        "",
        "xmin = 0 ",
        f"xmax = {_sec(end)} ",
        "tiers? <exists> ",
        f"size = {len(tiers)} ",
        "item []: ",
    ]
    for number, (name, marked) in enumerate(tiers, 1):
        filled = _filled(marked, end)
        lines += [
            f"    item [{number}]:",
            '        class = "IntervalTier" ',
            f"        name = {_quoted(name)} ",
            "        xmin = 0 ",
            f"        xmax = {_sec(end)} ",
            f"        intervals: size = {len(filled)} ",
        ]
        for index, (span, text) in enumerate(filled, 1):
            lines += [
                f"        intervals [{index}]:",
                f"            xmin = {_sec(span.start_sec)} ",
                f"            xmax = {_sec(span.end_sec)} ",
                f"            text = {_quoted(text)} ",
            ]
    return "\n".join(lines) + "\n"


def _lanes(moments: Sequence[Moment]) -> list[list[Moment]]:
    """Moments that overlap go to different tiers, because intervals of one tier may not."""
    lanes: list[list[Moment]] = []
    for moment in sorted(moments, key=lambda m: (m.span, m.label)):
        lane = next((lane for lane in lanes if lane[-1].span.end_sec <= moment.span.start_sec), None)
        if lane is None:
            lane = []
            lanes.append(lane)
        lane.append(moment)
    return lanes


def _filled(marked: Sequence[tuple[Span, str]], end: float) -> list[tuple[Span, str]]:
    """The marked spans with empty ones between them, so that the tier covers the whole call."""
    filled: list[tuple[Span, str]] = []
    at = 0.0
    for span, text in marked:
        start, stop = max(at, span.start_sec), min(span.end_sec, end)
        if _sec(stop) == _sec(start) or stop < start:
            continue
        if _sec(start) != _sec(at):
            filled.append((Span(at, start), ""))
        filled.append((Span(start, stop), text))
        at = stop
    if _sec(at) != _sec(end):
        filled.append((Span(at, end), ""))
    return filled


def _rttm(heard: Heard, moments: Sequence[Moment]) -> str:
    file_id = recording_id(heard.file_sha256)  # the same bytes are the same call, whatever their name
    rows = [(span, role) for role in ("caller", "agent") for span in activity_spans(heard, role)]
    lines = [
        f"SPEAKER {file_id} 1 {_sec(span.start_sec)} {_sec(span.duration_sec)} <NA> <NA> {role} <NA> <NA>"
        for span, role in sorted(rows)
    ]
    return "".join(f"{line}\n" for line in lines)


def _audacity(heard: Heard, moments: Sequence[Moment]) -> str:
    return "".join(
        f"{span.start_sec:.6f}\t{span.end_sec:.6f}\t{_one_line(label)}\n"
        for span, _, label in _rows(heard, moments)
    )


def _csv(heard: Heard, moments: Sequence[Moment]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("start_sec", "end_sec", "kind", "label"))
    for span, kind, label in _rows(heard, moments):
        writer.writerow((_sec(span.start_sec), _sec(span.end_sec), kind, table_cell(_one_line(label))))
    return buffer.getvalue()


def _rows(heard: Heard, moments: Sequence[Moment]) -> list[tuple[Span, str, str]]:
    spans = [(span, "activity", role) for role in ("caller", "agent") for span in activity_spans(heard, role)]
    return sorted([*spans, *((moment.span, "moment", moment.label) for moment in moments)])


def _sec(value: float) -> str:
    return f"{value:.{_DECIMALS}f}"


def _quoted(text: str) -> str:
    doubled = _one_line(text).replace('"', '""')
    return f'"{doubled}"'


def _one_line(text: str) -> str:
    return " ".join(text.split())


_WRITERS: dict[str, Callable[[Heard, Sequence[Moment]], str]] = {
    "textgrid": _textgrid,
    "rttm": _rttm,
    "audacity": _audacity,
    "csv": _csv,
}
