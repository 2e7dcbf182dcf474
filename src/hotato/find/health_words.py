"""Doubts about a channel as findings: a sentence and a remedy for each reason code.

This is what autopsy shows on its own; the trust room looks deeper and names causes.
"""

from __future__ import annotations

from hotato.find.records import Candidate
from hotato.findings import Finding
from hotato.listen import Heard, Track
from hotato.timing import Reason

_BETTER_SOURCE = "record the channels before they are mixed or processed, then run hotato trust on the result"

_WORDS: dict[str, tuple[str, str]] = {
    "hum": (
        "Mains hum at {frequency_hz:.0f} Hz lies under the {who}, so what counts as sound is uncertain.",
        "remove the hum at its source, or filter below 100 Hz before the recording is made",
    ),
    "low_headroom": (
        "The {who} stands only {headroom_db:.0f} dB over the level that counts as sound.",
        "raise the recording level of this channel",
    ),
    "low_snr": ("The {who} stands only {snr_db:.0f} dB over its noise.", _BETTER_SOURCE),
    "low_separability": ("Sound and background of the {who} cannot be told apart by level.", _BETTER_SOURCE),
    "noise_step": (
        "The background of the {who} changes by {step_db:.0f} dB at {at_sec:.1f} s.",
        "judge the parts before and after it on their own",
    ),
    "echo_present": (
        "The {who} looks like a copy of the agent {lag_sec:.2f} s later (coherence {coherence:.2f}).",
        "export the caller's channel before the far end is mixed in, or check echo cancellation",
    ),
}


def health(heard: Heard) -> tuple[Finding, ...]:
    """Facts of the files, then what weakens the measurement, each once."""
    found = list(heard.findings)
    if heard.identical:
        found.append(
            Finding(
                code="channels_identical",
                sentence="Both channels carry exactly the same samples, so nobody can be told apart.",
                remedy="export the caller and the agent on separate channels",
            )
        )
    for track in (heard.caller, heard.agent):
        found += track_health(track)
    return tuple(found)


def track_health(track: Track) -> list[Finding]:
    """What weakens the measurement on one channel."""
    found = [_doubt(track, reason) for reason in track.activity.doubts]
    if track.dc_removed:
        found.append(
            Finding(
                code="dc_removed",
                sentence=f"A constant offset was removed from the {_who(track)} before it was measured.",
                evidence={"channel": track.channel, "offset": round(track.dc_removed, 4)},
            )
        )
    if not track.activity.raw.any():
        found.append(
            Finding(
                code=f"{track.role}_silent",
                sentence=f"The {_who(track)} carries no sound.",
                evidence={"channel": track.channel},
                remedy="check the channel numbers, or export the recording again",
            )
        )
    return found


def unjudged(heard: Heard, candidates: tuple[Candidate, ...]) -> str:
    """What could not be judged, as a sentence; empty when everything could."""
    if heard.identical:
        return "Both channels are the same, so who spoke when could not be judged."
    silent = [track.role for track in (heard.caller, heard.agent) if not track.activity.raw.any()]
    if silent:
        who = "Neither channel" if len(silent) == 2 else f"The {silent[0]} channel"
        carries = "carries a sound" if len(silent) == 2 else "carries no sound"
        return f"{who} {carries}, so turn-taking could not be judged."
    doubted = [track.role for track in (heard.caller, heard.agent) if track.activity.doubts]
    if doubted:
        codes = dict.fromkeys(
            reason.code for track in (heard.caller, heard.agent) for reason in track.activity.doubts
        )
        return f"The timing of the {' and the '.join(doubted)} is in doubt ({', '.join(codes)})."
    weak = len({c.evidence.get("caller_turn_start_sec") for c in candidates if _is_weak(c)})
    if not weak:
        return ""
    return f"{weak} weak {'sound was' if weak == 1 else 'sounds were'} not held against the agent."


def _is_weak(candidate: Candidate) -> bool:
    return any(reason.code == "weak_onset" for reason in candidate.doubts)


def _doubt(track: Track, reason: Reason) -> Finding:
    template, remedy = _WORDS.get(
        reason.code,
        ("The {who} cannot be fully trusted: " + reason.code.replace("_", " ") + ".", _BETTER_SOURCE),
    )
    return Finding(
        code=reason.code,
        sentence=template.format(who=_who(track), **reason.evidence),
        evidence={"channel": track.channel, **reason.evidence},
        remedy=remedy,
    )


def _who(track: Track) -> str:
    return "recording" if track.role == "mixed" else f"{track.role} channel"
