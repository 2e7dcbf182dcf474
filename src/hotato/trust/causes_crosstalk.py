"""Causes that show between the two channels: a swap, crosstalk, a mix on both, an offset."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np

from hotato.findings import Finding
from hotato.listen import Heard
from hotato.timing import Activity, envelope_echo
from hotato.trust.crosstalk import (
    Copy,
    CopyParams,
    Floats,
    Leakage,
    copies_between,
    describe_leakage,
    lag_track,
    leakages_of,
    mixed_both_ways,
)


@dataclass(frozen=True, slots=True)
class PairParams:
    """Limits of the comparison of the two channels.

    Attributes:
        copy: limits of the search for copies.
        swap_ratio: a swap is suspected when the caller is active this many times as long as the agent.
        swap_min_sec: and at least this long.
        offset_min_windows: windows that must show a copy before an offset is named.
        jump_share: one change of delay of this share of the whole range is a step, not a drift.
        drift_jitter_sec: a change against the drift of at most this much is the grid's.
        drift_backward: share of the changes that may be larger than that and go against the drift.
    """

    copy: CopyParams = field(default_factory=CopyParams)
    swap_ratio: float = 1.6
    swap_min_sec: float = 1.0
    offset_min_windows: int = 2
    jump_share: float = 0.6
    drift_jitter_sec: float = 0.015
    drift_backward: float = 0.1


@dataclass(frozen=True, slots=True)
class Pair:
    """What the comparison of the two channels gave."""

    swap_reason: str | None
    leakage: Leakage | None
    findings: tuple[Finding, ...]


_COMPARED: WeakKeyDictionary[Heard, tuple[PairParams, Pair]] = WeakKeyDictionary()


def compare_channels(heard: Heard, params: PairParams) -> Pair:
    """Compare caller and agent; the findings come in a fixed order.

    The last comparison of a call is kept as long as the call is: verdict, doubts and report each ask for it.
    """
    known = _COMPARED.get(heard)
    if known is None or known[0] != params:
        known = _COMPARED[heard] = (params, _compared(heard, params))
    return known[1]


def _compared(heard: Heard, params: PairParams) -> Pair:
    swap = suspected_swap(heard, params)
    copies = copies_between(heard.caller, heard.agent, params.copy)
    leakages = leakages_of(heard.caller, heard.agent, copies, params.copy)
    found = [
        swap,
        _mixed(heard, copies, params),
        _crosstalk(heard),
        *(_leakage(heard, leakage) for leakage in leakages),
        _offset(heard, params),
    ]
    return Pair(
        swap_reason=None if swap is None else swap.sentence,
        leakage=leakages[0] if leakages else None,
        findings=tuple(finding for finding in found if finding is not None),
    )


def answered(finding: Finding, heard: Heard) -> bool:
    """Whether the agent's voice on the caller's channel, which a finding names, weakens nothing any more.

    The voice is there and stays a fact of the recording; but the caller was heard above it.
    """
    if not heard.above_echo:
        return False
    onto_caller = finding.code == "leakage" and finding.evidence.get("direction") == "agent->caller"
    return finding.code == "crosstalk" or onto_caller


def suspected_swap(heard: Heard, params: PairParams | None = None) -> Finding | None:
    """`possible_swap` where the channel taken for the caller is active far longer than the other, or None.

    It only reads how long each party was active, so it costs nothing beside what was heard.
    """
    params = params or PairParams()
    caller, agent = heard.caller.activity.active_sec, heard.agent.activity.active_sec
    if caller < params.swap_min_sec or caller < params.swap_ratio * agent:
        return None
    channels = heard.channels
    return Finding(
        code="possible_swap",
        sentence=(
            f"channel {channels.caller}, taken for the caller, is active for {caller:.2f} s and channel "
            f"{channels.agent}, taken for the agent, for {agent:.2f} s; agents usually talk longer, so "
            "the two may be swapped"
        ),
        evidence={"caller_active_sec": round(caller, 2), "agent_active_sec": round(agent, 2)},
        remedy="listen to one turn, then name the channels with --caller-channel N --agent-channel N",
    )


def _mixed(heard: Heard, copies: tuple[Copy | None, Copy | None], params: PairParams) -> Finding | None:
    to_caller, to_agent = copies
    if to_caller is None or to_agent is None or not mixed_both_ways(copies, params.copy):
        return None
    return Finding(
        code="both_parties_on_both_channels",
        sentence=(
            f"both parties are on both channels: the agent stands at {to_caller.level_db:.1f} dB on the "
            f"caller's channel and the caller at {to_agent.level_db:.1f} dB on the agent's, without delay"
        ),
        evidence={"agent_on_caller_db": to_caller.level_db, "caller_on_agent_db": to_agent.level_db},
        remedy="export the parties before they are mixed, one on each channel",
    )


def _crosstalk(heard: Heard) -> Finding | None:
    """The suspicion of the documented coherence, if it survives without the channels' own backgrounds.

    Two constant backgrounds look alike at every delay; what stands above them does not.
    """
    if not heard.echo_suspected:
        return None
    above = [_above_floor(track.reference) for track in (heard.caller, heard.agent)]
    if not envelope_echo(above[0], above[1], heard.grid).suspected:
        return None
    return Finding(
        code="crosstalk",
        sentence=(
            f"the caller's channel follows the agent's, {heard.echo.lag_sec:.2f} s later, with a coherence "
            f"of {heard.echo.coherence:.2f}: much of what sounds like the caller may be the agent"
        ),
        evidence={"coherence": heard.echo.coherence, "lag_sec": heard.echo.lag_sec},
        remedy="record the caller with echo cancellation, or before the parties are joined",
    )


def _above_floor(activity: Activity) -> Floats:
    """Linear level of each frame above the noise floor."""
    return np.asarray(
        np.maximum(10.0 ** (activity.dbfs / 20.0) - 10.0 ** (activity.noise_floor_db / 20.0), 0.0)
    )


def _leakage(heard: Heard, leakage: Leakage) -> Finding | None:
    if not leakage.flagged:
        return None
    return Finding(
        code="leakage",
        sentence=describe_leakage(leakage, heard.caller, heard.agent)
        + f"; it can count as activity of the {leakage.receiver}",
        evidence={
            "leakage_db": leakage.copy.level_db,
            "lag_sec": leakage.copy.lag_sec,
            "direction": leakage.direction,
            "share": leakage.copy.share,
        },
        remedy="record with echo cancellation or separated tracks; do not act on a barge-in that lies inside "
        f"the {leakage.source}'s speech",
    )


def _offset(heard: Heard, params: PairParams) -> Finding | None:
    """The first direction whose copy comes too early, or at a delay that changes."""
    for source, receiver in ((heard.agent, heard.caller), (heard.caller, heard.agent)):
        track = lag_track(source, receiver, params.copy)
        if len(track) < params.offset_min_windows:
            continue
        lags = np.array([copy.lag_sec for _, copy in track])
        kind = _kind_of_offset(lags, params)
        if kind is not None:
            return _offset_finding(kind, source.role, receiver.role, track)
    return None


def _kind_of_offset(lags: Floats, params: PairParams) -> str | None:
    """`step`, `drift` or `constant`; None for a steady delay of a copy that follows its source."""
    least = params.copy.offset_min_sec
    spread = float(lags.max() - lags.min())
    if spread >= least:
        changes = np.abs(np.diff(lags))
        jumps = int(np.count_nonzero(changes >= least))
        if float(changes.max()) >= params.jump_share * spread and jumps == 1:
            return "step"
        ahead = np.diff(lags) * np.sign(lags[-1] - lags[0])
        backward = float(np.mean(ahead < -params.drift_jitter_sec))
        return "drift" if lags[-1] != lags[0] and backward <= params.drift_backward else None
    return "constant" if float(np.median(lags)) <= -least else None


def _offset_finding(kind: str, source: str, receiver: str, track: list[tuple[float, Copy]]) -> Finding:
    first, last = track[0], track[-1]
    if kind == "constant":
        what = f"comes {-first[1].lag_sec:.2f} s before it: the channels do not start together"
    else:
        verb = "jumps" if kind == "step" else "drifts"
        what = (
            f"{verb} from {first[1].lag_sec:+.2f} s at {first[0]:.0f} s to {last[1].lag_sec:+.2f} s at "
            f"{last[0]:.0f} s: the channels do not keep one clock"
        )
    return Finding(
        code="channel_offset",
        sentence=f"the copy of the {source} on the {receiver}'s channel {what}",
        evidence={
            "kind": kind,
            "direction": f"{source}->{receiver}",
            "lags": [[at_sec, copy.lag_sec] for at_sec, copy in track],
        },
        remedy="export both parties on one clock; times between the two channels are off by this much",
    )
