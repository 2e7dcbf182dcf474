"""Who listened to which channel, and why, for everything that is printed as JSON."""

from __future__ import annotations

from typing import Any

from hotato.listen.records import Heard
from hotato.timing.activity import REFERENCE


def detectors(heard: Heard) -> dict[str, Any]:
    """Under `detectors`, by party, the detector and its reasons; nothing where the reference heard both."""
    tracks = (heard.caller, heard.agent)
    if all(track.activity.detector == REFERENCE for track in tracks):
        return {}
    return {
        "detectors": {
            track.role: {
                "detector": track.activity.detector,
                "reasons": [
                    {"code": reason.code, "evidence": dict(reason.evidence)}
                    for reason in track.activity.reasons
                ],
            }
            for track in tracks
        }
    }
