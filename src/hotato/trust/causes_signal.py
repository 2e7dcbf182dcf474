"""Causes in the signal of one channel: its level, its offset, its noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hotato.findings import Finding
from hotato.listen import Track
from hotato.timing import MUSIC, Reason
from hotato.timing.activity import REFERENCE
from hotato.timing.robust import SHORT_RECORDING
from hotato.trust.wording import channel_of

Evidence = dict[str, float]
Words = Callable[[str, Evidence], tuple[str, str]]

SILENT_DBFS = -120.0


@dataclass(frozen=True, slots=True)
class SignalParams:
    """Limits of the levels.

    Attributes:
        clipped_fraction: share of samples at full scale from which a channel is clipped.
        low_level_dbfs: a recording whose loudest channel peaks below this is quiet.
    """

    clipped_fraction: float = 1e-4
    low_level_dbfs: float = -30.0


def peak_dbfs(track: Track) -> float:
    """Level of the largest sample, at least -120 dBFS."""
    return max(SILENT_DBFS, 20.0 * float(np.log10(max(track.levels.peak, 1e-6))))


def signal_causes(track: Track, params: SignalParams) -> list[Finding]:
    """Clipping, DC and the detector's doubts about one channel."""
    found = [_clipping(track, params), _dc(track)]
    found += [_doubt(track, reason) for reason in track.reference.doubts]
    found += [_doubt(track, reason) for reason in track.activity.doubts if reason.code == SHORT_RECORDING]
    found += [_music(track), _second_answer(track)]
    return [finding for finding in found if finding is not None]


def low_level(tracks: tuple[Track, ...], params: SignalParams) -> Finding | None:
    """the loudest channel is quiet; digital silence on all of them is another matter."""
    loudest = max(peak_dbfs(track) for track in tracks)
    if not SILENT_DBFS < loudest < params.low_level_dbfs:
        return None
    return Finding(
        code="low_level",
        sentence=f"the loudest channel peaks at {loudest:.1f} dBFS; quiet parts may count as silence",
        evidence={"peak_dbfs": round(loudest, 1), "limit_dbfs": params.low_level_dbfs},
        remedy="raise the recording level at the source; amplifying the file brings the noise up as well",
    )


def _clipping(track: Track, params: SignalParams) -> Finding | None:
    fraction = track.levels.clipped_fraction
    if fraction < params.clipped_fraction:
        return None
    return Finding(
        code="clipping",
        sentence=f"{channel_of(track)} is clipped: {fraction:.2%} of its samples are at full scale",
        evidence={"channel": track.channel, "clipped_fraction": round(fraction, 6)},
        remedy="lower the capture gain; timing holds, levels do not",
    )


def _dc(track: Track) -> Finding | None:
    if not track.dc_removed:
        return None
    return Finding(
        code="dc_offset",
        sentence=f"{channel_of(track)} has a mean of {track.dc_removed:+.4f} of full scale, which "
        "was removed before anything was measured",
        evidence={"channel": track.channel, "mean": round(track.dc_removed, 6)},
        remedy="check the capture device; nothing else needs doing",
    )


def _music(track: Track) -> Finding | None:
    """Music that may pass for the party."""
    played = [run.span(track.activity.hop_sec) for run in track.activity.music]
    if not played:
        return None
    total_sec = round(sum(span.duration_sec for span in played), 1)
    first = played[0]
    more = f" and {len(played) - 1} more" if len(played) > 1 else ""
    where = f"from {first.start_sec:.1f} to {first.end_sec:.1f} s{more}"
    return Finding(
        code=MUSIC,
        sentence=f"{channel_of(track)} carries {total_sec:.1f} s of music ({where}); sound there may be the "
        "music or its singer and not the party",
        evidence={
            "channel": track.channel,
            "music_sec": total_sec,
            "from_sec": first.start_sec,
            "until_sec": played[-1].end_sec,
        },
        remedy="leave that stretch out; nothing in it is called critical",
    )


def _doubt(track: Track, reason: Reason) -> Finding | None:
    words = _WORDS.get(reason.code)
    if words is None:
        return None
    rest, remedy = words(channel_of(track), reason.evidence)
    if reason.code != SHORT_RECORDING and _agreed(track):
        rest += "; the robust detector agrees with it here all the same"
    evidence = {"channel": track.channel, **reason.evidence}
    return Finding(code=reason.code, sentence=rest, evidence=dict(evidence), remedy=remedy)


def _agreed(track: Track) -> bool:
    """The robust detector listened, and the documented answer was kept without a doubt."""
    kept = track.replaced is not None and track.activity.detector == REFERENCE
    return kept and not track.activity.doubts


def _second_answer(track: Track) -> Finding | None:
    """The robust detector listened: why, and whether its answer holds."""
    activity = track.activity
    if track.replaced is None or activity.detector == REFERENCE:
        return None
    evidence: dict[str, Any] = {"channel": track.channel}
    for reason in activity.reasons:
        evidence[reason.code] = dict(reason.evidence)
    left = ", ".join(reason.code for reason in activity.doubts)
    holds = f"that answer is in doubt as well ({left})" if left else "that answer holds"
    return Finding(
        code="robust_detector",
        sentence=f"{channel_of(track)} {_why(track)} heard by the robust detector instead; {holds}",
        evidence=evidence,
        remedy="record this party without the disturbance; times on this channel are uncertain"
        if left
        else None,
    )


def _why(track: Track) -> str:
    """How the second answer follows from the findings before it: none of them says that there is an echo."""
    if track.activity.music or any(reason.code in _WORDS for reason in track.reference.doubts):
        return "was therefore"
    copied = any(reason.code == "echo_present" for reason in track.activity.reasons)
    return "carries a copy of the agent and was" if copied else "was"


def _hum(channel: str, evidence: Evidence) -> tuple[str, str]:
    return (
        f"{channel} hums at {evidence['frequency_hz']:.0f} Hz ({evidence['level_dbfs']:.1f} dBFS), which "
        "lifts the threshold of the documented detector",
        "find the ground loop or filter below 200 Hz at the source",
    )


def _low_snr(channel: str, evidence: Evidence) -> tuple[str, str]:
    return (
        f"{channel} has steady noise at {evidence['noise_floor_dbfs']:.1f} dBFS, only "
        f"{evidence['snr_db']:.1f} dB below its loud sound: too close for the documented detector",
        "record closer to the source or without the noise",
    )


def _low_headroom(channel: str, evidence: Evidence) -> tuple[str, str]:
    return (
        f"{channel} has loud sound only {evidence['headroom_db']:.1f} dB above the threshold of the "
        "documented detector; soft speech falls below it",
        "raise the recording level of this party",
    )


def _low_separability(channel: str, evidence: Evidence) -> tuple[str, str]:
    if "steady_sec" in evidence:
        rest = (
            f"{channel} carries {evidence['steady_sec']:.1f} s of steady sound that the documented detector "
            "counts as activity"
        )
        return rest, "if that is hold music or a tone, leave that stretch out"
    rest = (
        f"{channel} has sound on both sides of the documented detector's threshold "
        f"({evidence['threshold_dbfs']:.1f} dBFS)"
    )
    return rest, "remove other voices or noise at the source"


def _noise_step(channel: str, evidence: Evidence) -> tuple[str, str]:
    return (
        f"{channel} has a background that moves by {evidence['step_db']:+.1f} dB at {evidence['at_sec']:.1f} "
        "s; the documented detector has one threshold for both parts",
        f"cut the recording at {evidence['at_sec']:.1f} s and look at each part alone",
    )


def _short_recording(channel: str, evidence: Evidence) -> tuple[str, str]:
    return (
        f"{channel} lasts {evidence['duration_sec']:.1f} s, and the robust detector needs "
        f"{evidence['least_sec']:.0f} s to hear a background, so the documented detector was kept",
        "cut a longer piece out of the call, with what comes before the moment",
    )


_WORDS: dict[str, Words] = {
    "hum": _hum,
    "low_snr": _low_snr,
    "low_headroom": _low_headroom,
    "low_separability": _low_separability,
    "noise_step": _noise_step,
    SHORT_RECORDING: _short_recording,
}
