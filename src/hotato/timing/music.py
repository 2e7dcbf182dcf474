"""Moments that lie in music: what sounds there may be the music, or who sings in it, and no party."""

from __future__ import annotations

from hotato.timing.activity import Activity, Reason

MUSIC = "music"
"""The code of the doubt."""

NEAR_SEC = 0.5
"""A moment this close to music is in doubt too: its first notes may be too short to count."""


def music_between(activity: Activity, first: int, stop: int) -> Reason | None:
    """Why a moment that takes frames [first, stop] may rest on music; None where nothing says so."""
    near = activity.grid.frames_of(NEAR_SEC)
    for run in activity.music:
        if run.first <= stop + near and run.stop >= first - near:
            hop_sec = activity.hop_sec
            return Reason(
                MUSIC, {"from_sec": round(run.first * hop_sec, 2), "until_sec": round(run.stop * hop_sec, 2)}
            )
    return None
