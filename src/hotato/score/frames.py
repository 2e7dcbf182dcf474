"""The frame dump: the level and activity of every frame, from which every number can be derived by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from hotato.listen import Detector, Heard, detectors
from hotato.score.profiles import calibration_used
from hotato.score.records import builtins_of
from hotato.score.request import DOCUMENTED, Request, Source, require_seconds
from hotato.timing import ScoreConfig, VADParams

_DECIMALS = 3
_ENVELOPE_ONLY = frozenset({"tool", "kind", "schema_version", "frames"})
"""Keys of a dump that its JSON lines leave out."""


def dump_frames_for_input(
    *,
    stereo: Source | None = None,
    caller: Source | None = None,
    agent: Source | None = None,
    caller_channel: int | None = None,
    agent_channel: int | None = None,
    onset_sec: float | None = None,
    stack: str | None = None,
    caller_start_sec: float = 0.0,
    agent_start_sec: float = 0.0,
    cfg: ScoreConfig | None = None,
    backend: str | None = None,
    profile: str | None = None,
    detector: Detector = "auto",
) -> dict[str, Any]:
    """The frames behind the numbers of `run_single`; arguments as there.

    Raises:
        Refusal: (a `ValueError`) bad arguments, or a recording that cannot be read in full.
    """
    require_seconds("onset_sec", onset_sec)
    request = Request(
        stereo=stereo,
        caller=caller,
        agent=agent,
        caller_channel=caller_channel,
        agent_channel=agent_channel,
        stack=stack,
        caller_start_sec=caller_start_sec,
        agent_start_sec=agent_start_sec,
        cfg=cfg,
        backend=backend,
        profile=profile,
        detector=detector,
    )
    return frame_dump(request.listen(), onset_sec, request.label().profile)


def frame_dump(heard: Heard, onset_sec: float | None = None, profile: str = DOCUMENTED) -> dict[str, Any]:
    """The documented dump of a heard call.

    Args:
        heard: the call.
        onset_sec: the stated onset, echoed.
        profile: the measurement profile, echoed with its constants; the frames are the same under either.
    """
    calibration = calibration_used(profile)
    return {
        "tool": "hotato",
        "kind": "frame-dump",
        "schema_version": "1",
        "source": heard.name,
        "sample_rate": heard.grid.sample_rate_hz,
        "hop_sec": heard.grid.hop_sec,
        "caller_onset_sec": onset_sec,
        "config": config_block(heard.cfg),
        "profile": profile,
        **({} if calibration is UNSET else {"calibration": builtins_of(calibration)}),
        **detectors(heard),
        "frames": list(frame_rows(heard)),
    }


def frames_jsonl(dump: dict[str, Any]) -> str:
    """A dump as JSON lines: one line about the recording (`_meta`), then one for each frame."""
    about = {key: value for key, value in dump.items() if key not in _ENVELOPE_ONLY}
    lines = [{"_meta": True, **about}, *dump["frames"]]
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


def compact_jsonl(heard: Heard, onset_sec: float | None, profile: str) -> str:
    """The dump as JSON lines in half the bytes: what is the same in every frame stands in the `_meta` line.

    Args:
        heard: the call.
        onset_sec: the stated onset, echoed.
        profile: the measurement profile, echoed with its constants.
    """
    constants = _constants(heard)
    dump = frame_dump(heard, onset_sec, profile) | {"per_frame": constants}
    dump["frames"] = [
        {name: value for name, value in row.items() if name not in constants} for row in dump["frames"]
    ]
    return frames_jsonl(dump)


def _constants(heard: Heard) -> dict[str, float]:
    caller, agent = heard.caller.activity, heard.agent.activity
    return {
        "caller_threshold_db": round(caller.threshold_db, _DECIMALS),
        "caller_noise_floor_db": round(caller.noise_floor_db, _DECIMALS),
        "agent_threshold_db": round(agent.threshold_db, _DECIMALS),
        "agent_noise_floor_db": round(agent.noise_floor_db, _DECIMALS),
    }


def frame_rows(heard: Heard) -> Iterator[dict[str, float | bool]]:
    """One row for each frame: its time, and level, activity, threshold and noise floor of both channels."""
    caller, agent = heard.caller.activity, heard.agent.activity
    constants = _constants(heard)
    columns = (caller.dbfs.tolist(), agent.dbfs.tolist(), caller.active.tolist(), agent.active.tolist())
    for index, (caller_db, agent_db, caller_on, agent_on) in enumerate(zip(*columns, strict=True)):
        yield {
            "t_sec": round(index * heard.grid.hop_sec, _DECIMALS),
            "caller_dbfs": round(caller_db, _DECIMALS),
            "agent_dbfs": round(agent_db, _DECIMALS),
            "caller_active": caller_on,
            "agent_active": agent_on,
            **constants,
        }


def config_block(cfg: ScoreConfig) -> dict[str, Any]:
    """Every parameter of the measurement, by name."""
    return {
        "frame_ms": cfg.frame_ms,
        "hop_ms": cfg.hop_ms,
        "yield_hangover_sec": cfg.yield_hangover_sec,
        "max_search_sec": cfg.max_search_sec,
        "caller_proximity_sec": cfg.caller_proximity_sec,
        "turn_end_silence_sec": cfg.turn_end_silence_sec,
        "premature_tolerance_sec": cfg.premature_tolerance_sec,
        "caller_vad": _vad_block(cfg.caller_vad),
        "agent_vad": _vad_block(cfg.agent_vad),
        "onset_min_run_sec": cfg.onset_min_run_sec,
        "agent_onset_lookback_sec": cfg.agent_onset_lookback_sec,
    }


def _vad_block(vad: VADParams) -> dict[str, float]:
    return {
        "rel_db": vad.rel_db,
        "abs_gate_db": vad.abs_gate_db,
        "hangover_sec": vad.hangover_sec,
        "noise_percentile": vad.noise_percentile,
        "dyn_margin_db": vad.dyn_margin_db,
    }
