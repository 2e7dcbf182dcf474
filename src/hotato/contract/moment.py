"""The moment: cut out of its recording, encoded, and scored from what was cut out.

What counts is what a verification will hear, so the verdict is that of the clip. Less of a call may have
another noise floor and hence other edges: where the whole recording says something else than the clip,
nothing is pinned and both are stated.
"""

from __future__ import annotations

import dataclasses
import math
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hotato.contract.onset import onset_of, require_caller
from hotato.contract.pin import Pin
from hotato.errors import Refusal
from hotato.find.records import recording_id
from hotato.listen import Clip, Detector, Heard, attend, cut, hear
from hotato.score import Event, Label, Request
from hotato.score.event import Identity, category_of, score_event
from hotato.score.request import Gates
from hotato.stacks import ChannelMap
from hotato.trust import TrustReport, examine

CAPTURED = ChannelMap(0, 1, source="files")
"""A clip holds the caller first, and nobody has to confirm that."""

_STEM = "event"


@dataclass(frozen=True, slots=True)
class MomentParams:
    """Limits of a moment.

    Attributes:
        agree_sec: the clip's numbers may differ from the whole recording's by this much, five frames.
        most_bytes: decoded samples that a bundle may carry: half an hour of two channels at 16 kHz, 16 bit.
        wider: by how much the seconds kept are multiplied, one try after the other, where a pin may widen.
    """

    agree_sec: float = 0.05
    most_bytes: int = 128 << 20
    wider: tuple[float, ...] = (1.0, 2.0, 4.0, 8.0)


PARAMS = MomentParams()


@dataclass(frozen=True, eq=False, slots=True)
class PinnedMoment:
    """A moment that can be judged, with the clip that carries it.

    Attributes:
        pin: what was asked for.
        request: the same for the score room.
        label: the label, with the onset in the clip.
        event: the moment as scored from the clip.
        heard: what was heard of the clip.
        whole: what was heard of the recording.
        trust: the input health of the clip.
        health: that of the recording.
        clip: the samples.
        audio: the same encoded.
        suffix: `flac` or `wav`.
        onset_sec: the onset in the clip.
        source_onset_sec: the onset in the recording.
        pre_sec: seconds of the clip before the onset.
        post_sec: seconds after it.
        clipped: whether it is a part of the recording.
    """

    pin: Pin
    request: Request
    label: Label
    event: Event
    heard: Heard
    whole: Heard
    trust: TrustReport
    health: TrustReport
    clip: Clip
    audio: bytes
    suffix: str
    onset_sec: float
    source_onset_sec: float
    pre_sec: float
    post_sec: float
    clipped: bool

    @property
    def pair(self) -> bool:
        """Whether the recording is a file for each party."""
        return len(self.whole.recordings) == 2


def request_of(pin: Pin) -> Request:
    """The request that scores the recording of a pin."""
    return Request(
        stereo=pin.stereo,
        caller=pin.caller,
        agent=pin.agent,
        caller_channel=pin.caller_channel,
        agent_channel=pin.agent_channel,
        caller_start_sec=pin.caller_start_sec,
        agent_start_sec=pin.agent_start_sec,
        onset_sec=pin.onset_sec,
        expect=pin.expect,
        stack=pin.stack,
        max_talk_over_sec=pin.max_talk_over_sec,
        max_time_to_yield_sec=pin.max_time_to_yield_sec,
        max_response_gap_sec=pin.max_response_gap_sec,
        confirm_channels=pin.confirm_channels,
        profile=pin.profile,
        detector=pin.detector,
    )


def pinned_moment(pin: Pin, params: MomentParams = PARAMS) -> PinnedMoment:
    """Cut the moment out of its recording and score it from there.

    Args:
        pin: the moment, its label and its bounds.
        params: limits.

    Raises:
        Refusal: whatever the recording is refused for, a single channel among it; `no_caller_at_onset`;
            `not_verdict_eligible`; the code of a moment that cannot be judged; `clip_disagrees`, with both
            numbers; `too_long_to_pin`.
    """
    request = request_of(pin)
    label = request.label()
    hearings = request.hear()
    whole = request.told_apart(hearings)
    _require_same(whole, pin)
    health = examine(whole, confirmed=pin.confirm_channels, mode="contract")
    onset_sec = onset_of(whole, label, pin)
    if not label.answer:
        require_caller(whole, onset_sec)
    label = dataclasses.replace(label, onset_sec=onset_sec)
    expected = _scored(whole, label, pin, confirmed=health.channel_map_confirmed)
    _require_judged(expected)
    _require_eligible(health)
    tries = list(_windows(whole, pin, onset_sec, params))
    for number, (first, stop) in enumerate(tries, 1):
        clip = cut(hearings, whole.channels, first, stop)
        moment = _from_clip(pin, label, (whole, health), clip, first)
        differs = _difference(expected, moment, health)
        if differs is None:
            return moment
        if number == len(tries):
            raise differs
    raise AssertionError("a moment has at least one window")


def _require_same(whole: Heard, pin: Pin) -> None:
    """Refuse another recording than the one that the moment was found in."""
    known = recording_id(whole.file_sha256)
    if pin.recording_id in (None, known):
        return
    raise Refusal(
        "recording_changed",
        f"'{whole.name}' is {known}, and the moment was found in {pin.recording_id}",
        "put the recording back as it was, or open this one with hotato autopsy",
    )


def _windows(whole: Heard, pin: Pin, onset_sec: float, params: MomentParams) -> Iterator[tuple[int, int]]:
    """The samples to be kept, first and one past the last, one try after the other.

    A clip begins where a frame of the recording does, so that both have the same frames.
    """
    rate, hop = whole.grid.sample_rate_hz, whole.grid.hop_samples
    total = max(track.levels.samples for track in (whole.caller, whole.agent))
    seen = set()
    for factor in params.wider if pin.widen else (1.0,):
        first, stop = 0, total
        if pin.clip:
            first = max(0, math.floor(round((onset_sec - pin.pre_sec * factor) * rate) / hop)) * hop
            stop = min(total, round((onset_sec + pin.post_sec * factor) * rate))
        width = 2 if all(one.full_scale == 1 << 15 for one in whole.recordings) else 4
        size = (stop - first) * 2 * width
        if size > params.most_bytes:
            raise Refusal(
                "too_long_to_pin",
                f"{(stop - first) / rate:.0f}s of '{whole.name}' are {size >> 20} MiB of samples, and a "
                f"bundle carries at most {params.most_bytes >> 20} MiB",
                "keep less of it: leave --no-clip out, or lower --pre and --post",
            )
        if stop > first and (first, stop) not in seen:
            seen.add((first, stop))
            yield first, stop


def _from_clip(
    pin: Pin, label: Label, known: tuple[Heard, TrustReport], clip: Clip, first: int
) -> PinnedMoment:
    """The moment as it is heard in the clip, decoded from the bytes that the bundle will hold."""
    whole, health = known
    audio, suffix = clip.encoded()
    shift_sec = first / clip.rate_hz
    heard = _heard_back(audio, suffix, pin.detector)
    source_onset = label.onset_sec or 0.0
    onset_sec = round(max(0.0, source_onset - shift_sec), 6)
    label = dataclasses.replace(label, onset_sec=onset_sec)
    total = max(track.levels.samples for track in (whole.caller, whole.agent))
    # The clip's own figures speak of the parties; which channel they were on is the recording's to know.
    mapped = dataclasses.replace(heard, channels=ChannelMap(0, 1, source=whole.channels.source))
    return PinnedMoment(
        pin=pin,
        request=request_of(pin),
        label=label,
        event=_scored(heard, label, pin, confirmed=pin.confirm_channels),
        heard=heard,
        whole=whole,
        trust=examine(mapped, confirmed=pin.confirm_channels, mode="contract"),
        health=health,
        clip=clip,
        audio=audio,
        suffix=suffix,
        onset_sec=onset_sec,
        source_onset_sec=source_onset,
        pre_sec=onset_sec,
        post_sec=round(max(0.0, heard.duration_sec - onset_sec), 6),
        clipped=len(clip.samples) < total,
    )


def _heard_back(audio: bytes, suffix: str, detector: Detector) -> Heard:
    """What is heard of encoded audio, as from the file in the bundle."""
    with tempfile.TemporaryDirectory(prefix="hotato-") as folder:
        path = Path(folder, f"{_STEM}.{suffix}")
        path.write_bytes(audio)
        return attend(hear(path), CAPTURED, detector=detector)


def _scored(heard: Heard, label: Label, pin: Pin, *, confirmed: bool) -> Event:
    identity = Identity(
        event_id=pin.id,
        scenario_id=None,
        title=pin.id,
        category=category_of(label.expected_yield, answer=label.answer),
        stack=(pin.stack or "generic").strip().lower() or "generic",
        confirmed=confirmed,
    )
    return score_event(heard, label, Gates(), identity)


def _require_judged(event: Event) -> None:
    if event.scorable is False:
        raise Refusal(
            str(event.not_scorable_code),
            f"the moment cannot be judged: {event.not_scorable_reason}",
            str(event.not_scorable_next_step),
        )


def _require_eligible(health: TrustReport) -> None:
    """Refuse a recording that no verdict may rest on."""
    if health.verdict_eligible:
        return
    remedy = health.next_step or "export the parties before they are mixed, one on each channel"
    if health.channel_mapping_caveat is not None and health.scorable:
        remedy = "listen to it and pass --confirm-channels, or state --caller-channel N --agent-channel N"
    raise Refusal(
        "not_verdict_eligible",
        f"no verdict may rest on '{health.source}': {health.verdict_ineligible_reason}",
        remedy,
    )


def _difference(expected: Event, moment: PinnedMoment, health: TrustReport) -> Refusal | None:
    """The refusal of a clip that does not say what the whole recording says; None where it does."""
    event, trust = moment.event, moment.trust
    if event.scorable is False:
        return _disagrees(f"the clip cannot be judged: {event.not_scorable_reason}")
    swap_only = trust.scorable and trust.channels.possible_swap and not health.channels.possible_swap
    if not trust.verdict_eligible and not swap_only:
        return _disagrees(f"no verdict may rest on the clip: {trust.verdict_ineligible_reason}")
    before, now = figures_of(expected), figures_of(event)
    now.pop("silence_sec", None)  # one that only the end of the clip ends is longer in the recording
    if moment.label.max_response_gap_sec is None:  # an answer behind the clip changes no verdict
        del now["response_gap_sec"]
    told = [
        f"{name} is {_said(before[name])} in the recording and {_said(value)} in the clip"
        for name, value in now.items()
        if _apart(before[name], value)
    ]
    return _disagrees("; ".join(told)) if told else None


def _disagrees(why: str) -> Refusal:
    return Refusal(
        "clip_disagrees",
        f"the moment alone says something else than the whole recording: {why}",
        "keep more of the call (--pre SECONDS --post SECONDS), or all of it (--no-clip)",
    )


def figures_of(event: Event) -> dict[str, float | bool | None]:
    """The verdict and the numbers of an event, as a contract records them."""
    latency, answer = event.signals.latency, event.signals.answer
    return {
        "passed": event.verdict.passed,
        "did_yield": event.verdict.did_yield,
        "seconds_to_yield": event.verdict.seconds_to_yield,
        "talk_over_sec": event.verdict.talk_over_sec,
        "response_gap_sec": latency.response_gap_sec if latency else None,
        **({"silence_sec": answer.silence_sec} if answer else {}),
    }


def _apart(then: float | bool | None, now: float | bool | None) -> bool:
    if isinstance(then, float) and isinstance(now, float):
        return round(abs(then - now), 6) > PARAMS.agree_sec
    return then is not now if isinstance(then, bool) else then != now


def _said(value: float | bool | None) -> str:
    if value is None:
        return "none"
    return f"{value:.2f}s" if isinstance(value, float) else str(value).lower()
