"""What is to be pinned: one moment of one call, its label and its bounds."""

from __future__ import annotations

from dataclasses import dataclass

from hotato.contract.records import Expectation
from hotato.listen import Detector
from hotato.score.request import Source


@dataclass(frozen=True, slots=True)
class Pin:
    """One labelled moment to be pinned.

    Attributes:
        expect: what a good agent does there: `yield`, `hold` or `answer`.
        id: name of the contract; the bundle's folder is `<id>.hotato`.
        onset_sec: when the caller began, in the recording; for an answer a time inside the sound whose end
            begins the silence. None to detect it.
        stereo: a recording with both parties, or None.
        caller: the caller's own recording (with `agent`), or None.
        agent: the agent's own recording, or None.
        caller_channel: the caller's channel; None takes the order of the stack.
        agent_channel: the agent's channel; None takes the order of the stack.
        caller_start_sec: when the caller's own recording begins on the call's clock.
        agent_start_sec: when the agent's own recording begins on the call's clock.
        stack: the platform; None for `generic`.
        max_talk_over_sec: bound on simultaneous speech (yield), None for none.
        max_time_to_yield_sec: bound on the time to yield (yield), None for none.
        max_response_gap_sec: bound on the silence until the agent answers; an answer label needs it.
        rationale: why, in the person's words, or None.
        reviewer: who labelled it, or None.
        attested: the reviewer states that a person has listened.
        pre_sec: seconds kept before the onset.
        post_sec: seconds kept after it.
        clip: whether the moment is cut out; False keeps the whole recording.
        confirm_channels: a person vouches for which channel is whom.
        include_identifiers: whether names of files and candidates are written into the bundle.
        candidate_ref: the candidate it was made from, `FILE#N`, or None.
        candidate_kind: that candidate's kind, or None.
        created_at: when it was made, RFC 3339, as whoever makes it states; None states none.
        profile: measurement profile of the verdict; None for `documented`.
        detector: `auto`, or `reference` for the documented detector whatever the recording.
        recording_id: the id that the recording must have (`apx-...`), or None.
        silence_from_sec: when the silence that was found begins at the raw energy edges (answer), or None.
            The onset is then moved into the sound before it, and no other.
        widen: whether more of the call is kept, step by step, until the clip says the same as the whole.
    """

    expect: Expectation
    id: str
    onset_sec: float | None = None
    stereo: Source | None = None
    caller: Source | None = None
    agent: Source | None = None
    caller_channel: int | None = None
    agent_channel: int | None = None
    caller_start_sec: float = 0.0
    agent_start_sec: float = 0.0
    stack: str | None = None
    max_talk_over_sec: float | None = None
    max_time_to_yield_sec: float | None = None
    max_response_gap_sec: float | None = None
    rationale: str | None = None
    reviewer: str | None = None
    attested: bool = False
    pre_sec: float = 2.0
    post_sec: float = 6.0
    clip: bool = True
    confirm_channels: bool = False
    include_identifiers: bool = False
    candidate_ref: str | None = None
    candidate_kind: str | None = None
    created_at: str | None = None
    profile: str | None = None
    detector: Detector = "auto"
    recording_id: str | None = None
    silence_from_sec: float | None = None
    widen: bool = False
