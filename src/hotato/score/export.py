"""Flat files for a notebook: one row per event, one row per frame, and the envelope."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from hotato.canonical import NewFile, to_json, write_set
from hotato.errors import EXIT_FAIL
from hotato.plain import table_cell
from hotato.score.frames import frame_rows
from hotato.score.records import Event, builtins_of
from hotato.score.request import ANSWER, ExportKeywords, Request, Source, require_seconds
from hotato.score.run import ScoredEvent, envelope_of, scored_events
from hotato.stats import distribution

EVENT_MEANINGS = {
    "event_id": "base name of the recording, or the scenario's id",
    "scenario_id": "the scenario's id",
    "title": "what happens, in a few words",
    "category": "should_yield, should_not_yield or the scenario's own",
    "expected_yield": "the label",
    "scorable": "false where the event could not be judged",
    "not_scorable_reason": "why not",
    "passed": "whether the behaviour matched the label and every bound",
    "did_yield": "whether the agent went quiet for the caller",
    "seconds_to_yield": "seconds from the onset to the yield",
    "talk_over_sec": "seconds in which both were active",
    "response_gap_sec": "seconds from the caller's turn end to the agent's answer",
    "premature_start_sec": "lead of the answer over the turn end in seconds, 0 within tolerance",
    "caller_onset_sec": "time of the onset used",
    "agent_talking_at_onset": "whether the agent was active in the lookback up to the onset",
    "onset_frame_index": "frame of the onset",
    "yield_frame_index": "first frame of the counted silence",
    "decision_margin_sec": "slack to the tightest bound, negative when it was exceeded",
    "boundary_sensitive": "within one hop of the other verdict",
    "echo_coherence": "best cosine similarity of the caller envelope with a delayed agent envelope",
    "echo_lag_sec": "the delay at which it was found",
    "echo_suspected": "whether the coherence reached its threshold",
    "resumed": "whether the agent spoke again after its yield",
    "resume_gap_sec": "seconds from the yield to that",
    "restart_suspected": "whether it then spoke so long that it may have begun again",
    "fix_class": "config or engagement-control on a failed event",
    "hop_sec": "seconds from one frame to the next",
    "onset_lo_sec": "earliest onset consistent with the frames",
    "onset_hi_sec": "latest onset consistent with the frames",
    "time_to_yield_edge_sec": "seconds to the yield at the raw energy edges, without the hangover",
    "time_to_yield_lo_sec": "smallest value consistent with the edges",
    "time_to_yield_hi_sec": "largest value consistent with the edges",
    "talk_over_edge_sec": "simultaneous speech at the raw energy edges, without the hangover",
    "talk_over_lo_sec": "smallest value consistent with the edges",
    "talk_over_hi_sec": "largest value consistent with the edges",
    "doubts": "codes of reasons to doubt the measurement, separated by spaces",
    "sha256": "digest of the audio that was scored",
    "profile": "measurement profile that the verdict rests on: documented or calibrated",
    "documented_passed": "whether the event passed under the documented profile",
    "documented_seconds_to_yield": "seconds to the yield under the documented profile, hangover included",
    "documented_talk_over_sec": "simultaneous speech under the documented profile, hangover included",
    "documented_response_gap_sec": "seconds to the agent's answer under the documented profile",
    "findings": "codes of facts about the files, such as a missing end, separated by spaces",
}
FRAME_MEANINGS = {
    "event_id": "the event the frame belongs to",
    "frame": "index of the frame",
    "t_sec": "time at which the frame begins",
    "caller_dbfs": "level of the caller channel in dBFS",
    "agent_dbfs": "level of the agent channel in dBFS",
    "caller_active": "whether the caller channel is active, hangover included",
    "agent_active": "whether the agent channel is active, hangover included",
    "caller_threshold_db": "dBFS from which a caller frame is active",
    "caller_noise_floor_db": "dBFS of the caller channel's quietest frames",
    "agent_threshold_db": "dBFS from which an agent frame is active",
    "agent_noise_floor_db": "dBFS of the agent channel's quietest frames",
}
EVENT_COLUMNS = tuple(EVENT_MEANINGS)
FRAME_COLUMNS = tuple(FRAME_MEANINGS)

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ExportNames:
    """Names of the files of an export."""

    events: str = "events.csv"
    frames: str = "frames.csv"
    envelope: str = "envelope.json"


def run_export(
    *,
    out_dir: Source,
    max_response_gap_sec: float | None = None,
    force: bool = False,
    **keywords: Unpack[ExportKeywords],
) -> dict[str, Any]:
    """Score a recording, a pair or a suite once and write events.csv, frames.csv and envelope.json.

    Args:
        out_dir: folder for the three files, made when it is not there.
        max_response_gap_sec: bound on the pooled 95th percentile of the response gap; it changes the exit
            code of the manifest and nothing in the files. With an answer label it is the label's bound.
        force: replace files that hold something else.
        **keywords: as `run_single` and `run_suite` take them.

    Returns:
        The manifest: `env`, `events_rows` and `frames_rows` (counts), `paths` by file, `response_gap` (its
        distribution over the scored events), `response_gap_exceeded`, `exit_code`.

    Raises:
        Refusal: (a `ValueError`) nothing can be scored, or a file cannot be written.
    """
    require_seconds("max_response_gap_sec", max_response_gap_sec)
    labelled = keywords.get("expect") == ANSWER
    request = Request(**keywords, max_response_gap_sec=max_response_gap_sec if labelled else None)
    events: list[Event] = []
    frames: list[dict[str, object]] = []
    for scored in scored_events(request):
        events.append(scored.event)
        frames.extend(_frame_rows(scored))
    env = builtins_of(envelope_of(request, events))
    rows = [event_row(event) for event in events]
    names, folder = ExportNames(), Path(out_dir)
    texts = {
        "events": (names.events, csv_text(EVENT_MEANINGS, rows)),
        "frames": (names.frames, csv_text(FRAME_MEANINGS, frames)),
        "envelope": (names.envelope, to_json(env)),
    }
    write_set([NewFile(folder / name, text, force) for name, text in texts.values()])
    scored_gaps = [row["response_gap_sec"] for row in rows if row["scorable"]]
    gaps = distribution([gap for gap in scored_gaps if gap is not None])
    p95 = gaps["p95"]
    pooled = None if labelled else max_response_gap_sec
    exceeded = pooled is not None and p95 is not None and p95 > pooled
    return {
        "env": env,
        "events_rows": len(rows),
        "frames_rows": len(frames),
        "paths": {key: str(folder / name) for key, (name, _) in texts.items()},
        "response_gap": gaps,
        "response_gap_exceeded": exceeded,
        "exit_code": EXIT_FAIL if exceeded else env["exit_code"],
    }


def event_row(event: Event) -> dict[str, Any]:
    """One event as a row of events.csv; None where there is no value."""
    built = builtins_of(event)
    verdict, measured, signals = built["verdict"], built["measurements"], built["signals"]
    echo, latency = signals.get("echo", {}), signals.get("latency", {})
    edges = built.get("edges", {})
    row: dict[str, Any] = {
        "scorable": built.get("scorable", True),
        "echo_coherence": echo.get("coherence"),
        "echo_lag_sec": echo.get("lag_sec"),
        "fix_class": (built["fix"] or {}).get("fix_class"),
        "doubts": " ".join(verdict.get("doubts", ())) or None,
        "findings": " ".join(fact["code"] for fact in built.get("findings", ())) or None,
        "sha256": built.get("audio_provenance", {}).get("sha256"),
    }
    for name in ("onset", "time_to_yield", "talk_over"):
        interval = edges.get(name, {})
        row[f"{name}_edge_sec"] = interval.get("sec")
        row[f"{name}_lo_sec"], row[f"{name}_hi_sec"] = interval.get("lo_sec"), interval.get("hi_sec")
    row |= _documented(built)
    known = {**signals.get("resume", {}), **echo, **latency, **measured, **verdict, **built, **row}
    return {column: known.get(column) for column in EVENT_COLUMNS}


def _documented(built: Mapping[str, Any]) -> dict[str, Any]:
    """The documented values of an event: those beside a calibrated verdict, else the verdict's own."""
    values = built.get("documented")
    if values is None:
        gap = built["signals"].get("latency", {}).get("response_gap_sec")
        values = {**built["verdict"], "response_gap_sec": gap}
    names = ("passed", "seconds_to_yield", "talk_over_sec", "response_gap_sec")
    return {f"documented_{name}": values[name] for name in names}


def csv_text(meanings: Mapping[str, str], rows: Iterable[Row]) -> str:
    """CSV with the meaning of every column in comment lines on top; an empty cell has no value."""
    text = io.StringIO()
    text.write("# an empty cell means that the value could not be derived; it is not zero\n")
    for column, meaning in meanings.items():
        text.write(f"# {column}: {meaning}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(meanings)
    writer.writerows([_cell(row[column]) for column in meanings] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, str):
        return table_cell(value)
    return str(value).lower() if isinstance(value, bool) else value


def _frame_rows(scored: ScoredEvent) -> Iterable[dict[str, object]]:
    if scored.heard is None:
        return
    for index, row in enumerate(frame_rows(scored.heard)):
        yield {"event_id": scored.event.event_id, "frame": index, **row}
