"""Measure a moment under the label and the policy of its contract."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hotato.contract.moment import CAPTURED, figures_of
from hotato.contract.records import Contract, Measurement
from hotato.errors import Refusal
from hotato.listen import Heard, Hearing, attend, hear
from hotato.score import Event, Label
from hotato.score.event import Identity, category_of, score_event
from hotato.score.request import ANSWER, YIELD, Gates
from hotato.stacks import ChannelMap

KEPT_BYTES = 32 << 20
"""Samples of a bundle up to here are hashed in one piece, which spares a thread for each recording."""


@dataclass(frozen=True, eq=False, slots=True)
class Listened:
    """A bundle's audio, decoded once.

    Attributes:
        hearing: what was heard of it.
        pcm_sha256: sha256 (hex) of its decoded samples, as `audio.Recording` defines it.
    """

    hearing: Hearing
    pcm_sha256: str


def listen_to(audio: Path) -> Listened:
    """Decode a recording and digest its samples.

    Raises:
        Refusal: whatever the recording is refused for.
    """
    hearing = hear(audio, digests="none", keep_samples_bytes=KEPT_BYTES)
    if hearing.samples is None:
        hearing = hear(audio)
        return Listened(hearing, hearing.recording.pcm_sha256)
    samples = np.ascontiguousarray(hearing.samples, hearing.samples.dtype.newbyteorder("<"))
    return Listened(hearing, hashlib.sha256(samples.data).hexdigest())


def heard_in(hearing: Hearing, contract: Contract, channels: ChannelMap = CAPTURED) -> Heard:
    """The two parties, by the detector that the policy names.

    Raises:
        Refusal: see `listen.attend`.
    """
    if channels is CAPTURED and len(hearing.levels) != contract.source.channels:
        raise Refusal(
            "not_two_channels",
            f"the audio has {len(hearing.levels)} channels, and a contract's has {contract.source.channels}",
            "make the contract again",
        )
    return attend(hearing, channels, detector=contract.policy.detector)


def label_of(contract: Contract, onset_sec: float | None = None) -> Label:
    """The label with the bounds of the policy.

    Args:
        contract: the contract.
        onset_sec: where the moment lies in other audio than the bundle's.
    """
    conditions = contract.policy.pass_conditions
    expected = contract.label.expected_behavior
    return Label(
        expected_yield=expected == YIELD,
        answer=expected == ANSWER,
        onset_sec=contract.event.onset_sec if onset_sec is None else onset_sec,
        max_time_to_yield_sec=conditions.max_time_to_yield_sec,
        max_talk_over_sec=conditions.max_talk_over_sec,
        max_response_gap_sec=conditions.max_response_gap_sec,
        profile=contract.policy.profile,
    )


def score_again(heard: Heard, contract: Contract, onset_sec: float | None = None) -> Event:
    """The moment, measured and judged as the contract says."""
    label = label_of(contract, onset_sec)
    identity = Identity(
        event_id=contract.id,
        scenario_id=None,
        title=contract.id,
        category=category_of(label.expected_yield, answer=label.answer),
        stack=contract.source.stack,
        confirmed=contract.trust.channel_mapping_confirmed,
    )
    return score_event(heard, label, Gates(), identity)


def measured(event: Event) -> dict[str, float | bool | None]:
    """The figures that a result shows; the verdict stands beside them."""
    return {name: value for name, value in figures_of(event).items() if name != "passed"}


def edges_of(event: Event) -> dict[str, tuple[float, float, float]]:
    """The numbers at the raw energy edges, as a contract records them: name to (seconds, lowest, highest)."""
    return {name: (edge.sec, edge.lo_sec, edge.hi_sec) for name, edge in (event.edges or {}).items()}


def drift_of(event: Event, recorded: Measurement) -> tuple[str, ...]:
    """What differs from what was measured when the contract was made, a clause each.

    Figures are rounded to the millisecond where they are stated, so that equal measurements are equal here.
    """
    pairs = [(name, getattr(recorded, name), now) for name, now in figures_of(event).items()]
    if recorded.silence_sec is None:  # contracts of older versions do not state it
        pairs = [pair for pair in pairs if pair[0] != "silence_sec"]
    return tuple(f"{name} was {_said(old)} and is {_said(new)}" for name, old, new in pairs if old != new)


def _said(value: float | bool | None) -> str:
    if value is None:
        return "none"
    return f"{value:.3f}" if isinstance(value, float) else str(value).lower()
