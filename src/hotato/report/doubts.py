"""What a doubt means, in words, and how sure an incident is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hotato.find.partial import is_partial
from hotato.find.records import Incident
from hotato.findings import Finding
from hotato.report.timefmt import interval, length, seconds, shown

DOUBT_WORDS = {
    "hum": "mains hum lies under the recording, so the level that counts as sound is uncertain",
    "low_headroom": "the sound stands only just above the level that counts as sound",
    "low_snr": "the sound stands only just above the noise",
    "low_separability": "sound and background cannot be told apart by level on this channel",
    "music": "music plays here, and whoever sings in it, or the music itself, may pass for a party",
    "short_recording": "the recording is too short for the robust detector, which needs 4 s to hear "
    "a background, so the documented one was kept",
    "noise_step": "the background noise changes during the call",
    "reference_unreliable": "the documented detector and the robust one do not hear the same",
    "stationary_nonspeech": "steady sound that is no speech was taken out",
    "echo_present": "the caller channel may carry a delayed copy of the agent",
    "echo_explained": "a delayed copy of the agent explains this sound on the caller channel",
    "weak_onset": "the caller's first sound is only just above the level that counts as sound",
    "hangover_decides": "the limit lies between the documented value and the value at the raw energy edges",
    "click": "the sound taken for the caller's onset is a click, shorter than any word",
    "brief_silence": "the agent sounded again so soon after its yield that it may only have paused",
    "bridged_silence": "the hangover bridged a silence of the agent which counts without it, and that would "
    "decide otherwise",
    "near_silence": "a silence of the agent is so nearly long enough to count that the edges cannot tell, "
    "and counting it would decide otherwise",
    "onset_inside_sound": "the caller was sounding before the stated onset, perhaps that of another take",
    "no_caller_at_onset": "the caller neither sounds at the stated onset nor begins within 0.5 s of it",
    "uncertain_edge": "a sound or a pause that decides is so faint or so brief that noise may have made it",
    "late_stop": "the agent went quiet only when the caller's sound had been over for more than 0.3 s, so it "
    "may have finished its own sentence",
    "possible_swap": "the caller's channel is active far longer than the agent's, so the two may be swapped; "
    "say which is whom with --caller-channel N --agent-channel N",
    "crosstalk": "the caller's channel follows the agent's, so what sounds like the caller may be the agent",
    "leakage": "one party is heard faintly on the other's channel and can count as its activity",
    "both_parties_on_both_channels": "both parties are on both channels",
    "channel_offset": "the two channels do not share one clock, so times between them are off",
    "rate_mislabelled": "speech is so slow that the stated sample rate may be too low, and every "
    "duration too long",
    "drop_outs": "the channel falls to exact zeros here inside sound, so a silence or a stop may not be "
    "the party's",
    "repeated_blocks": "a block of samples was played twice by then, so times from there on are late",
    "channel_ends_early": "a party's recording has ended by then, so its silence is not its own",
    "channels_identical": "both channels carry the same sound",
    "boundary_sensitive": "the interval crosses the limit",
    "not_scorable": "the recording cannot carry a verdict",
}
"""What a doubt means, in words; a code that is not listed is shown as it is."""


def missing_part(findings: Iterable[Finding]) -> list[Finding]:
    """Those of the findings that say that a part of the call was not heard."""
    return [finding for finding in findings if is_partial(finding)]


def part_heard(missing: Sequence[Finding], duration_sec: float) -> str:
    """Which part of a call was heard and what is missing, as a sentence near the top; else empty.

    Args:
        missing: the findings that say so, as `missing_part` gives them.
        duration_sec: how much was heard.
    """
    if not missing:
        return ""
    cut = any(finding.code != "channel_ends_early" for finding in missing)
    first = f", the first {length(duration_sec)}" if cut else ""
    why = "; ".join(shown(finding.sentence, 300).rstrip(".") for finding in missing)
    return f"Only part of this call was heard{first}: {why}."


CLOSE = "too close to call"
_CLOSE_CODE = "boundary_sensitive"


def doubt_words(code: str) -> str:
    """A doubt in words."""
    return DOUBT_WORDS.get(code, code.replace("_", " "))


def close_call(incident: Incident) -> str:
    """For a number whose interval holds the limit: both in one clause; empty for any other incident."""
    headline, bound = incident.headline, incident.bound_sec
    if not incident.boundary_sensitive or headline is None or bound is None:
        return ""
    return f"{CLOSE}: {seconds(headline.sec)} ({interval(headline)}) against a limit of {seconds(bound)}"


def doubts_of(incident: Incident) -> tuple[str, ...]:
    """Every doubt of an incident in words, without the one that `close_call` says with numbers."""
    codes = (code for code in incident.doubts if code != _CLOSE_CODE or not close_call(incident))
    return tuple(doubt_words(code) for code in codes)


def facts_of(incident: Incident) -> tuple[tuple[str, str], ...]:
    """The facts that are shown beside the number: each thing once, the confidence last."""
    told = [
        (name, text) for name, text in incident.facts if not (close_call(incident) and text.startswith(CLOSE))
    ]
    if incident.confidence is not None and "confidence" not in dict(told):
        told.append(("confidence", f"{incident.confidence:.2f} of 1"))
    return tuple(told)
