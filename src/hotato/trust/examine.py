"""Examine one recording: every check in its order, one report at the end."""

from __future__ import annotations

from dataclasses import dataclass, field

from hotato.errors import UsageError
from hotato.findings import Finding
from hotato.listen import Call, Heard, Mixed, Track
from hotato.stacks import ChannelMap
from hotato.trust import scorability
from hotato.trust.causes_continuity import FlowParams, flow_causes
from hotato.trust.causes_crosstalk import Pair, PairParams, compare_channels
from hotato.trust.causes_rate import RateParams, rate_cause
from hotato.trust.causes_signal import SignalParams, low_level, peak_dbfs, signal_causes
from hotato.trust.report import (
    ChannelHealth,
    ChannelsHealth,
    Clipping,
    CrosstalkRisk,
    RecordingHealth,
    TrustReport,
)

# A person who names the channels, or hands over a file for each party, has said which is whom.
_CONFIRMING = ("flags", "files")


@dataclass(frozen=True, slots=True)
class TrustParams:
    """Limits of the examination.

    Attributes:
        min_activity_sec: shortest activity (hangover included) of a party that can be measured: an onset of
            0.05 s and the detector's hangover of 0.15 s.
        signal: limits of level, offset and noise.
        flow: limits of continuity.
        pair: limits of the comparison of the channels.
        rate: limits of the sample rate's test.
    """

    min_activity_sec: float = 0.2
    signal: SignalParams = field(default_factory=SignalParams)
    flow: FlowParams = field(default_factory=FlowParams)
    pair: PairParams = field(default_factory=PairParams)
    rate: RateParams = field(default_factory=RateParams)


def examine(
    call: Call, *, confirmed: bool = False, mode: str = "scan", params: TrustParams | None = None
) -> TrustReport:
    """Whether a recording can be scored, and what is wrong with it.

    Args:
        call: what was heard. Channel numbers given by hand count as confirmed.
        confirmed: whether a person or the platform's metadata confirmed the map.
        mode: `scan` for moments to look at, `contract` for a moment to be pinned.
        params: limits of the checks.

    Raises:
        UsageError: unknown mode.
    """
    params = params or TrustParams()
    if isinstance(call, Mixed):
        return _report_mixed(call, params, _Verdict.of(ChannelMap(0, 0), confirmed, mode))
    return _report_parties(call, params, _Verdict.of(call.channels, confirmed, mode))


def _report_parties(heard: Heard, params: TrustParams, verdict: _Verdict) -> TrustReport:
    tracks = (heard.caller, heard.agent)
    caller, agent = (_channel_health(track, params) for track in tracks)
    if heard.identical:
        pair = Pair(None, None, ())
        defect: scorability.Defect | None = scorability.one_sound(heard)
    else:
        pair = compare_channels(heard, params.pair)
        defect = scorability.silent_defect(heard, caller, agent)
    return _report(
        name=heard.name,
        recording=_recording_health(tracks, sum(file.channels for file in heard.recordings), params),
        facts=heard.findings,
        causes=(*pair.findings, *_single_causes(tracks, params)),
        defect=defect,
        parties=ChannelsHealth(
            caller=caller,
            agent=agent,
            possible_swap=pair.swap_reason is not None,
            swap_reason=pair.swap_reason,
        ),
        crosstalk=_crosstalk_risk(heard, pair),
        verdict=verdict,
    )


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What a verdict is wanted for, and whether the channel map was confirmed."""

    confirmed: bool
    mode: str

    @classmethod
    def of(cls, channels: ChannelMap, confirmed: bool, mode: str) -> _Verdict:
        if mode not in scorability.MODES:
            raise UsageError(f"unknown mode '{mode}'", f"choose one of: {', '.join(scorability.MODES)}")
        return cls(confirmed or channels.source in _CONFIRMING, mode)


def _report_mixed(call: Mixed, params: TrustParams, verdict: _Verdict) -> TrustReport:
    return _report(
        name=call.name,
        recording=_recording_health((call.track,), 1, params),
        facts=call.findings,
        causes=_single_causes((call.track,), params),
        defect=scorability.MONO,
        parties=ChannelsHealth(caller=None, agent=None, possible_swap=False, swap_reason=None),
        crosstalk=CrosstalkRisk(
            coherence=None, lag_sec=None, suspected=False, leakage_db=None, leakage_direction=None
        ),
        verdict=verdict,
    )


def _report(
    *,
    name: str,
    recording: RecordingHealth,
    facts: tuple[Finding, ...],
    causes: tuple[Finding, ...],
    defect: scorability.Defect | None,
    parties: ChannelsHealth,
    crosstalk: CrosstalkRisk,
    verdict: _Verdict,
) -> TrustReport:
    outcome = scorability.outcome_of(defect, (*facts, *causes), confirmed=verdict.confirmed)
    return TrustReport(
        source=name,
        recording=recording,
        channels=parties,
        crosstalk_risk=crosstalk,
        scorability=scorability.scorability_of(defect, parties.caller, parties.agent),
        warnings=tuple(finding.sentence for finding in (*facts, *causes) if finding.remedy is not None),
        scorable=outcome.scorable,
        candidate_eligible=outcome.candidate_eligible,
        verdict_eligible=outcome.verdict_eligible,
        verdict_ineligible_reason=outcome.verdict_ineligible_reason,
        crosstalk_verdict_refused=outcome.crosstalk_verdict_refused,
        channel_mapping_caveat=outcome.channel_mapping_caveat,
        verdict_mode=verdict.mode,
        channel_map_confirmed=verdict.confirmed,
        recommendation=outcome.recommendation,
        input_health=outcome.input_health,
        not_scorable_reason=outcome.not_scorable_reason,
        next_step=outcome.next_step,
        exit_code=outcome.exit_code,
        findings=(*facts, *causes),
    )


def _single_causes(tracks: tuple[Track, ...], params: TrustParams) -> tuple[Finding, ...]:
    """Causes that need no comparison of the parties, the whole recording first, then channel by channel."""
    found: list[Finding | None] = [low_level(tracks, params.signal), rate_cause(tracks, params.rate)]
    for position, track in enumerate(tracks):
        other = tracks[1 - position] if len(tracks) == 2 else None
        found += [*signal_causes(track, params.signal), *flow_causes(track, other, params.flow)]
    return tuple(finding for finding in found if finding is not None)


def _channel_health(track: Track, params: TrustParams) -> ChannelHealth:
    active_sec = round(track.activity.active_sec, 2)
    return ChannelHealth(
        channel=track.channel,
        active_sec=active_sec,
        first_speech_sec=_first_sec(track),
        has_speech=active_sec > 0.0,
        enough_activity=active_sec >= params.min_activity_sec,
    )


def _first_sec(track: Track) -> float | None:
    pieces = track.activity.runs
    return pieces[0].span(track.activity.hop_sec).start_sec if pieces else None


def _recording_health(tracks: tuple[Track, ...], channels: int, params: TrustParams) -> RecordingHealth:
    starts = [first for first in map(_first_sec, tracks) if first is not None]
    rate = tracks[0].levels.grid.sample_rate_hz
    return RecordingHealth(
        sample_rate=rate,
        duration_sec=round(max(track.levels.samples for track in tracks) / rate, 3),
        channels=channels,
        clipping={track.role: _clipping(track, params.signal) for track in tracks},
        leading_silence_sec=min(starts, default=None),
    )


def _clipping(track: Track, params: SignalParams) -> Clipping:
    fraction = track.levels.clipped_fraction
    return Clipping(
        peak=round(track.levels.peak, 4),
        peak_dbfs=round(peak_dbfs(track), 1),
        clipped_fraction=round(fraction, 6),
        clipped=fraction >= params.clipped_fraction,
    )


def _crosstalk_risk(heard: Heard, pair: Pair) -> CrosstalkRisk:
    leakage = pair.leakage
    return CrosstalkRisk(
        coherence=heard.echo.coherence,
        lag_sec=heard.echo.lag_sec,
        suspected=heard.echo.suspected,
        refuted=heard.echo_refuted,
        leakage_db=None if leakage is None else leakage.copy.level_db,
        leakage_direction=None if leakage is None else leakage.direction,
        leakage_lag_sec=None if leakage is None else leakage.copy.lag_sec,
        leakage_flagged=leakage is not None and leakage.flagged,
    )
