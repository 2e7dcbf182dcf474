"""Samples to numbers: pure functions from one frozen record to the next, on numpy alone.

The way of the data: `EnergyMeter` -> `Levels` -> `energy_vad` -> `Activity` -> runs -> `measure_event`,
`measure_floor`, `envelope_echo`, `measure_resume`. Beside each documented value, `edges` gives the value at
the raw energy edges and its interval, and `measure_calibrated` measures an event at those edges with their
known bias removed. No file is opened here.
"""

from hotato.timing.activity import Activity, Reason, energy_vad
from hotato.timing.answer import AnswerTiming, measure_answer, measure_answer_calibrated
from hotato.timing.calibrated import CalibratedTiming, Timing, measure_calibrated
from hotato.timing.calibration import CALIBRATION, Calibration
from hotato.timing.config import ScoreConfig, VADParams
from hotato.timing.echo import Echo, EchoParams, envelope_echo
from hotato.timing.edge_errors import UNCERTAIN_EDGE, uncertain_offset, uncertain_onset
from hotato.timing.edges import Measured, duration, offset_edge, onset_edge
from hotato.timing.energy import EnergyMeter, Levels, to_dbfs
from hotato.timing.event import EventTiming, detect_onset, measure_event
from hotato.timing.floor import Floor, FloorTransfer, PartyShare, Turn, measure_floor
from hotato.timing.grid import FrameGrid
from hotato.timing.music import MUSIC, music_between
from hotato.timing.resume import Resume, ResumeParams, measure_resume
from hotato.timing.spans import Edge, Run, Span, runs

__all__ = [
    "CALIBRATION",
    "MUSIC",
    "UNCERTAIN_EDGE",
    "Activity",
    "AnswerTiming",
    "CalibratedTiming",
    "Calibration",
    "Echo",
    "EchoParams",
    "Edge",
    "EnergyMeter",
    "EventTiming",
    "Floor",
    "FloorTransfer",
    "FrameGrid",
    "Levels",
    "Measured",
    "PartyShare",
    "Reason",
    "Resume",
    "ResumeParams",
    "Run",
    "ScoreConfig",
    "Span",
    "Timing",
    "Turn",
    "VADParams",
    "detect_onset",
    "duration",
    "energy_vad",
    "envelope_echo",
    "measure_answer",
    "measure_answer_calibrated",
    "measure_calibrated",
    "measure_event",
    "measure_floor",
    "measure_resume",
    "music_between",
    "offset_edge",
    "onset_edge",
    "runs",
    "to_dbfs",
    "uncertain_offset",
    "uncertain_onset",
]
