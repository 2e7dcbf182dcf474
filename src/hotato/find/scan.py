"""The whole-call walk: every timing moment of a recording nobody has labelled, most salient first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import msgspec

from hotato.find.doubts import channel_reasons, edge_reasons, missing_reasons_of, music_reasons
from hotato.find.listing import channel_config
from hotato.find.measures import to_hundredths
from hotato.find.overlaps import dual_starts, first_turn_overlaps, interruptions, resumes_into_caller
from hotato.find.params import ScanParams
from hotato.find.partial import partial
from hotato.find.records import Candidate
from hotato.find.silences import double_replies, silent_moments
from hotato.find.starts import agent_starts, premature_starts
from hotato.find.walk import Walk
from hotato.findings import Finding
from hotato.listen import Heard, detectors
from hotato.timing import Reason, Span

NOTE = (
    "Each candidate is a moment in time with measured magnitudes, not a verdict: energy cannot tell "
    "'mhm' from 'stop'. Label the moments that matter."
)


def scan(
    heard: Heard, params: ScanParams | None = None, *, doubts: tuple[Reason, ...] = ()
) -> tuple[Candidate, ...]:
    """Every candidate of a call, by salience (largest first), then time.

    Args:
        heard: the call.
        params: thresholds of the walk.
        doubts: further reasons to doubt every moment of the call.
    """
    call = Walk(heard, params or ScanParams())
    reasons = (*channel_reasons(call), *doubts)
    found = chain(
        interruptions(call),
        agent_starts(call),
        premature_starts(call),
        silent_moments(call),
        _echo(call),
        dual_starts(call),
        first_turn_overlaps(call),
        resumes_into_caller(call),
        double_replies(call),
    )
    weighed = (
        msgspec.structs.replace(_shown(c), doubts=(*reasons, *c.doubts, *_of_the_moment(call, c)))
        for c in found
    )
    return tuple(sorted(weighed, key=lambda c: (-c.salience, c.t_sec, c.kind)))


def _of_the_moment(call: Walk, candidate: Candidate) -> tuple[Reason, ...]:
    """What weakens a moment where it lies: its edges, lost samples, and music from its time to its end."""
    span = candidate.span
    whole = Span(min(candidate.t_sec, span.start_sec), max(candidate.t_sec, span.end_sec))
    return (*edge_reasons(call, span), *music_reasons(call, whole), *missing_reasons_of(call, candidate))


def _shown(candidate: Candidate) -> Candidate:
    """The candidate with its span and its magnitudes to the hundredth of a second."""
    span, measured = candidate.span, {}
    for name, number in candidate.measured.items():
        span, measured[name] = to_hundredths(candidate.span, number)
    return msgspec.structs.replace(candidate, span=span, measured=measured)


def _echo(call: Walk) -> tuple[Candidate, ...]:
    """`echo_correlated_activity`: the caller channel follows the agent, from its first activity on."""
    echo = call.heard.echo
    heard = call.heard.caller.reference  # a detector that hears past the echo has none of it
    if not call.heard.echo_suspected or not heard.runs:
        return ()
    first, last = heard.runs[0].first, heard.trimmed_runs[-1].stop
    return (
        Candidate(
            kind="echo_correlated_activity",
            t_sec=call.sec(first),
            span=call.span(first, last),
            durations={"coherence": echo.coherence, "lag_sec": echo.lag_sec},
            salience=echo.coherence,
            evidence={"coherence": echo.coherence, "lag_sec": echo.lag_sec},
        ),
    )


def scan_json(
    heard: Heard,
    candidates: Sequence[Candidate],
    params: ScanParams | None = None,
    top: int = 0,
    *,
    source_path: str | None = None,
    stack: str | None = None,
    findings: Sequence[Finding] = (),
) -> dict[str, Any]:
    """The documented JSON of a scan; keys that the documented edition lacks come last.

    Args:
        heard: the call.
        candidates: what `scan` found.
        params: the thresholds it used.
        top: how many candidates to show, 0 for all.
        source_path: the recording's path from the working folder, where it lies inside; None leaves it out.
        stack: the platform that was named, or None.
        findings: what the trust room found about the recording.
    """
    params = params or ScanParams()
    shown = list(candidates[:top] if top > 0 else candidates)
    return {
        "tool": "hotato",
        "kind": "scan",
        "schema_version": "1",
        "source": heard.name,
        "sample_rate": heard.grid.sample_rate_hz,
        "duration_sec": round(heard.duration_sec, 3),
        "hop_sec": heard.grid.hop_sec,
        "note": NOTE,
        "config": {
            "min_gap_sec": params.min_gap_sec,
            "search_window_sec": heard.cfg.max_search_sec,
            **channel_config(heard.channels, stack),
        },
        "total_candidates": len(candidates),
        "candidates": [candidate_json(candidate) for candidate in shown],
        "shown": len(shown),
        **detectors(heard),
        "source_path": source_path or heard.name,
        "sha256": heard.file_sha256,
        "recordings": [{"source": one.name, "sha256": one.file_sha256} for one in heard.recordings],
        "partial": list(partial(findings)),
        "findings": msgspec.to_builtins(heard.findings),
    }


def candidate_json(candidate: Candidate) -> dict[str, Any]:
    """One candidate: the documented keys, then ours."""
    return {
        "t_sec": candidate.t_sec,
        "kind": candidate.kind,
        "durations": dict(candidate.durations),
        "agent_reaction": candidate.agent_reaction,
        "salience": candidate.salience,
        "span": msgspec.to_builtins(candidate.span),
        "measured": msgspec.to_builtins(candidate.measured),
        "doubts": msgspec.to_builtins(candidate.doubts),
        "evidence": dict(candidate.evidence),
    }
