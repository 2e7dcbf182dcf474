"""Labelled moments in, verdicts out: the envelope, its export and the frame dump.

    from hotato.score import run_single
    envelope = run_single(stereo="call.wav", expect="yield")

Everything public takes keyword arguments and returns plain dictionaries; inside, the records of
`hotato.score.records` are frozen. `scored_events` and `envelope_of` give a report the events together with
the calls they were measured on, from one pass over the audio.
"""

from hotato.score.describe import describe
from hotato.score.event import score_event
from hotato.score.export import EVENT_COLUMNS, FRAME_COLUMNS, ExportNames, run_export
from hotato.score.frames import dump_frames_for_input, frame_dump, frames_jsonl
from hotato.score.gate import failures, run_checks
from hotato.score.limits import LIMITS, SUITE_ID
from hotato.score.records import Envelope, Event, builtins_of
from hotato.score.request import Gates, Keywords, Label, Request
from hotato.score.run import (
    ScoredEvent,
    envelope_of,
    process_exit_code,
    run_single,
    run_suite,
    scored_events,
)

__all__ = [
    "EVENT_COLUMNS",
    "FRAME_COLUMNS",
    "LIMITS",
    "SUITE_ID",
    "Envelope",
    "Event",
    "ExportNames",
    "Gates",
    "Keywords",
    "Label",
    "Request",
    "ScoredEvent",
    "builtins_of",
    "describe",
    "dump_frames_for_input",
    "envelope_of",
    "failures",
    "frame_dump",
    "frames_jsonl",
    "process_exit_code",
    "run_checks",
    "run_export",
    "run_single",
    "run_suite",
    "score_event",
    "scored_events",
]
