"""A moment as `contract.json` states it."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime

from msgspec import UNSET

from hotato.contract import layout
from hotato.contract.attest import attested
from hotato.contract.moment import PinnedMoment, figures_of
from hotato.contract.names import wrong_name
from hotato.contract.pin import Pin
from hotato.contract.records import (
    Contract,
    Identity,
    Label,
    Measurement,
    Moment,
    PassConditions,
    Policy,
    Replay,
    Scorer,
    Source,
    Trust,
)
from hotato.contract.scorer import config_marker
from hotato.errors import UsageError
from hotato.plain import shown
from hotato.score import builtins_of

CI_COMMAND = "hotato contract verify contracts/ --junit contracts-junit.xml"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_LONGEST_TEXT = 2000


def require_pin(pin: Pin) -> None:
    """Refuse what cannot stand in a contract, before a recording is opened.

    Raises:
        UsageError: the id, the time, a text, or a bound that the label does not have.
    """
    if not _ID.fullmatch(pin.id):
        raise UsageError(
            f"'{shown(pin.id)}' cannot name a contract",
            "use letters, digits, dot, dash and underscore, 128 at most, a letter or digit first",
        )
    if pin.expect == "hold":
        _require_no_bounds(pin)
    if (why := wrong_name(pin.id)) is not None:
        raise UsageError(f"'{shown(pin.id)}' cannot name a contract: {why}", "choose another --id")
    if pin.created_at is not None:
        _require_time(pin.created_at)
    for name, text in (("rationale", pin.rationale), ("reviewer", pin.reviewer)):
        if text is not None and not 0 < len(text) <= _LONGEST_TEXT:
            raise UsageError(f"the {name} has {len(text)} letters", f"give 1 to {_LONGEST_TEXT}")
    if pin.attested and pin.reviewer is None:
        raise UsageError("a review is attested and nobody is named", "name the person with --reviewer")


def _require_no_bounds(pin: Pin) -> None:
    """A hold passes where the agent does not stop, whatever else is measured."""
    flags = {
        "--max-talk-over": pin.max_talk_over_sec,
        "--max-time-to-yield": pin.max_time_to_yield_sec,
        "--max-response-gap": pin.max_response_gap_sec,
    }
    given = [flag for flag, limit in flags.items() if limit is not None]
    if given:
        raise UsageError(
            f"{given[0]} bounds nothing of a hold, which asks that the agent talks on", "leave it out"
        )


def _require_time(text: str) -> None:
    try:
        known = datetime.fromisoformat(text)
    except ValueError:
        known = None
    if known is None or known.tzinfo is None or "T" not in text:
        raise UsageError(f"'{shown(text)}' is no time", "write it as 2026-01-31T12:00:00Z")


def contract_for(moment: PinnedMoment) -> Contract:
    """The contract of a moment, digest included."""
    pin, event = moment.pin, moment.event
    audio = layout.AUDIO_FLAC if moment.suffix == "flac" else layout.AUDIO_WAV
    return attested(
        Contract(
            id=pin.id,
            created_at=pin.created_at,
            label=Label(expected_behavior=pin.expect, rationale=pin.rationale),
            label_authority="attested" if pin.attested else "asserted",
            identity=Identity(reviewer=pin.reviewer, attested=pin.attested),
            source=_source(moment),
            event=Moment(
                onset_sec=moment.onset_sec,
                source_onset_sec=round(moment.source_onset_sec, 6),
                pre_sec=moment.pre_sec,
                post_sec=moment.post_sec,
                clipped=moment.clipped,
            ),
            measurement=_measurement(moment),
            trust=_trust(moment),
            policy=_policy(moment),
            fix=None if event.fix is None else builtins_of(event.fix),
            replay=Replay(command=f"hotato contract verify {pin.id}{layout.SUFFIX}", ci_command=CI_COMMAND),
            bundle={"paths": layout.paths(audio)},
            scorer=Scorer(config_marker=config_marker(moment.heard.cfg)),
        )
    )


def _source(moment: PinnedMoment) -> Source:
    pin, named = moment.pin, moment.pin.include_identifiers
    return Source(
        stack=moment.request.stack_name,
        recording_type="pair" if moment.pair else "stereo",
        source_audio_sha256=moment.whole.file_sha256,
        bundle_audio_sha256=hashlib.sha256(moment.audio).hexdigest(),
        bundle_pcm_sha256=moment.heard.recordings[0].pcm_sha256,
        candidate_ref=pin.candidate_ref if named else None,
        candidate_kind=pin.candidate_kind,
        name=moment.whole.name if named else None,
    )


def _measurement(moment: PinnedMoment) -> Measurement:
    event = moment.event
    edges = event.edges or {}
    return Measurement(
        **figures_of(event),  # type: ignore[arg-type]
        reasons=event.verdict.reasons,
        reason_codes=event.verdict.reason_codes,
        doubts=() if event.verdict.doubts is UNSET else event.verdict.doubts,
        edges={name: (edge.sec, edge.lo_sec, edge.hi_sec) for name, edge in edges.items()},
    )


def _trust(moment: PinnedMoment) -> Trust:
    """The clip's health; the channel map is confirmed or in doubt as it is in the whole recording."""
    report = moment.trust
    return Trust(
        status=report.input_health,
        scorable=report.scorable,
        warnings=tuple(finding.code for finding in report.findings if finding.remedy is not None),
        possible_swap=moment.health.channels.possible_swap,
        channel_mapping_confirmed=moment.health.channel_map_confirmed,
    )


def _policy(moment: PinnedMoment) -> Policy:
    label = moment.label
    return Policy(
        pass_conditions=PassConditions(
            should_yield=label.expected_yield,
            max_talk_over_sec=label.max_talk_over_sec if label.expected_yield else None,
            max_time_to_yield_sec=label.max_time_to_yield_sec if label.expected_yield else None,
            max_response_gap_sec=label.max_response_gap_sec,
        ),
        profile=label.profile,  # type: ignore[arg-type]
        detector=moment.pin.detector,
    )
