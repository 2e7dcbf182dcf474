"""From a moment that was found to its contract: the label is a person's, the rest was measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from hotato.contract.create import Pin
from hotato.contract.records import Expectation
from hotato.errors import UsageError
from hotato.find.labels import OVERLAPS, SILENCES, Start, fitting_labels, start_of
from hotato.find.records import recording_id
from hotato.find.refs import Picked
from hotato.plain import shown
from hotato.score.request import CALIBRATED

_PRE_SEC, _POST_SEC = 2.0, 6.0


@dataclass(frozen=True, slots=True)
class Chosen:
    """A found moment with its label, ready to be pinned.

    Attributes:
        pin: the moment.
        auto_id: the name was made here.
        start: what the moment itself stated: onset, observed magnitudes, bounds.
        auto_talk_over: the bound on talk-over was taken from there.
        auto_response_gap: the bound on the silence was.
    """

    pin: Pin
    auto_id: bool
    start: Start
    auto_talk_over: bool
    auto_response_gap: bool

    def bounds_json(self) -> dict[str, Any]:
        """The bounds that nobody stated, each beside what was observed; None for a bound that was not set."""
        start = self.start
        talk_over = {
            "max_talk_over_sec": start.max_talk_over_sec,
            "observed_overlap_sec": start.observed_overlap_sec,
        }
        gap = {
            "max_response_gap_sec": start.max_response_gap_sec,
            "observed_gap_sec": start.observed_gap_sec,
        }
        return {
            "auto_talk_over_bound": talk_over if self.auto_talk_over else None,
            "auto_response_gap_bound": gap if self.auto_response_gap else None,
        }


def choose(
    picked: Picked,
    expect: Expectation,
    *,
    id: str | None = None,
    pre_sec: float | None = None,
    post_sec: float | None = None,
    **stated: Any,
) -> Chosen:
    """A found moment with a person's label on it.

    Args:
        picked: the moment.
        expect: the label.
        id: name of the contract; made of the recording's content, the onset and the label when left out.
        pre_sec: seconds to keep before the onset; the usual when left out.
        post_sec: seconds to keep after it; long enough for the answer when left out. Where neither is stated,
            more is kept until the clip says what the whole recording does.
        **stated: fields of `Pin` that a person stated; channels and stack given here take the place of those
            of the reference.

    Raises:
        UsageError: a label that fits no such moment; an answer without a bound, where the moment was held
            against none either.
        Refusal: see `find.start_of`.
    """
    _require_fitting(picked, expect)
    start = start_of(picked.candidate, expect)
    unbounded = stated.get("max_talk_over_sec") is None and stated.get("max_time_to_yield_sec") is None
    talk_over = expect == "yield" and unbounded and start.max_talk_over_sec is not None
    gap = expect == "answer" and stated.get("max_response_gap_sec") is None
    if gap and start.max_response_gap_sec is None:
        raise UsageError(
            "nothing says how long the agent may take to answer", "state it with --max-response-gap SECONDS"
        )
    name = id or auto_id(picked, expect)
    # Found moments are graded at the raw energy edges, so that is where their contracts are judged.
    given = {"profile": CALIBRATED, **{key: value for key, value in stated.items() if value is not None}}
    pin = Pin(
        expect=expect,
        id=name,
        onset_sec=start.onset_sec,
        silence_from_sec=start.silence_from_sec,
        stereo=picked.recording,
        pre_sec=_PRE_SEC if pre_sec is None else pre_sec,
        post_sec=max(_POST_SEC, start.post_sec or 0.0) if post_sec is None else post_sec,
        widen=pre_sec is None and post_sec is None,
        candidate_ref=picked.ref,
        candidate_kind=picked.kind,
        **_channels(picked, stated),
        **{key: value for key, value in given.items() if key not in _MAP},
    )
    if talk_over:
        pin = replace(pin, max_talk_over_sec=start.max_talk_over_sec)
    if gap:
        pin = replace(pin, max_response_gap_sec=start.max_response_gap_sec)
    return Chosen(pin, id is None, start, talk_over, gap)


def _require_fitting(picked: Picked, expect: Expectation) -> None:
    """Refuse a label that says nothing of such a moment: in a silence nobody holds a floor to give up."""
    if picked.kind is None:
        return  # a person named it by its time alone
    fitting = fitting_labels(picked.kind)
    if expect in fitting:
        return
    what = "silence" if picked.kind in SILENCES else "overlap" if picked.kind in OVERLAPS else "caveat"
    raise UsageError(
        f"{shown(picked.ref or 'the moment')} is a {what} ({shown(picked.kind)}), which no {expect} fits",
        " or ".join(["choose another moment", *(f"expect {label}" for label in fitting)]),
    )


_MAP = ("caller_channel", "agent_channel", "stack")


def _channels(picked: Picked, stated: dict[str, Any]) -> dict[str, Any]:
    """Whose channel is which: as stated now, else as it was when the moment was found."""
    given = {key: stated[key] for key in _MAP if stated.get(key) is not None}
    if given:
        return given
    caller, agent = picked.channels or (None, None)
    return {"caller_channel": caller, "agent_channel": agent, "stack": picked.stack}


def auto_id(picked: Picked, expect: Expectation) -> str:
    """A name that says nothing of the recording's own name: `apx-0123456789ab-7.63s-yield`."""
    return f"{recording_id(picked.sha256)}-{picked.t_sec:.2f}s-{expect}"
