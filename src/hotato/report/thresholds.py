"""The thresholds a measurement used, as label and text pairs."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from hotato.listen import Call, Mixed, Track
from hotato.timing import ScoreConfig
from hotato.timing.activity import REFERENCE

_UNITS = {"sec": "s", "ms": "ms", "db": "dB", "dbfs": "dBFS", "hz": "Hz"}


def thresholds(call: Call, *, mixed: bool = False) -> list[tuple[str, str]]:
    """The parameters of the measurement and what each channel's threshold came to.

    Args:
        call: the call.
        mixed: both channels carry one sound and were opened as a single one.
    """
    if isinstance(call, Mixed):
        return track_lines(call.track)
    if mixed:
        return track_lines(dataclasses.replace(call.caller, role="mixed"))
    pairs = parameters(call.cfg)
    for track in (call.caller, call.agent):
        pairs.extend(track_lines(track))
    echo = call.echo
    pairs.append(("echo", f"coherence {echo.coherence:.3f} at a lag of {echo.lag_sec:.2f} s"))
    channels = f"caller {call.channels.caller}, agent {call.channels.agent} ({call.channels.source})"
    pairs.append(("channels", "a file for each party" if len(call.recordings) == 2 else channels))
    return pairs


def parameters(cfg: ScoreConfig) -> list[tuple[str, str]]:
    """Every parameter of `cfg` by name."""
    return list(_pairs(dataclasses.asdict(cfg), ""))


def listener(call: Call) -> str:
    """Which detector listened, in words, where any channel was not left to the reference; else empty."""
    tracks = (call.track,) if isinstance(call, Mixed) else (call.caller, call.agent)
    names = [track.activity.detector for track in tracks]
    if all(name == REFERENCE for name in names):
        return ""
    if len(set(names)) == 1:
        return f"{names[0]} detector"
    heard = (f"{name} detector for the {track.role}" for name, track in zip(names, tracks, strict=True))
    return ", ".join(heard)


def track_lines(track: Track) -> list[tuple[str, str]]:
    """Which detector listened to a channel and with which threshold."""
    activity = track.activity
    text = (
        f"{activity.detector} detector, active from {activity.threshold_db:.1f} dBFS, "
        f"noise floor {activity.noise_floor_db:.1f} dBFS"
    )
    codes = dict.fromkeys(reason.code for reason in activity.reasons)
    if codes:
        text += f", because of {', '.join(codes)}"
    if track.dc_removed:
        text += f", DC of {track.dc_removed:+.4f} removed"
    return [(f"{track.role} channel {track.channel}", text)]


def _pairs(values: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            pairs.extend(_pairs(value, f"{prefix}{name.replace('_', ' ')}: "))
            continue
        words, _, unit = name.rpartition("_")
        known = _UNITS.get(unit)
        label = f"{prefix}{(words if known else name).replace('_', ' ')}"
        pairs.append((label, f"{value:g} {known}" if known else f"{value}"))
    return pairs
