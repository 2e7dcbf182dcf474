"""The card of any result of hotato: what the input is decides which one it is."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any

from hotato.errors import Refusal
from hotato.find.records import recording_id
from hotato.plain import shown
from hotato.report.card_contract import contract_record, recapture_record
from hotato.report.card_draw import card_svg
from hotato.report.card_funnel import funnel_card, plan_card
from hotato.report.card_moment import moment_card
from hotato.report.card_paired import paired_card
from hotato.report.card_records import Card
from hotato.report.card_saydo import saydo_card
from hotato.report.timefmt import plural

_CONTRACT, _RECAPTURE, _TEST_RUN = "voice-turn-taking-contract", "contract-recapture", "hotato.test-run"
_CODE = "not_a_card"
_REMEDY = (
    "pass a bundle or its contract.json, the JSON of contract verify --against, FILE#N of a scan, a sweep, "
    "an analysis or an autopsy, a run with a funnel, a fix plan, a rollup of verify, or a test run"
)


def result_card(
    result: Mapping[str, Any],
    number: int | None = None,
    *,
    call: str | None = None,
    include_identifiers: bool = False,
    sealed: bool = True,
) -> str:
    """The card of a result as SVG: a pure function of its arguments.

    Args:
        result: decoded JSON that hotato wrote.
        number: which of the moments that it lists, from 1; None for a result that is one thing.
        call: count the moments of this call alone: its id, or its name with or without folder and ending.
        include_identifiers: show base names of recordings, names of candidates and of fixtures.
        sealed: False for a contract of which nobody knows that it is what was sealed; the card says so.

    Raises:
        Refusal: `not_a_card`, `no_such_candidate`, and what the card of its kind refuses.
    """
    if "candidates" in result or "incidents" in result:
        return card_svg(_moment(result, number, call, include_identifiers))
    if number is not None:
        raise Refusal(_CODE, "this file lists no moments, and one of them was asked for", "leave out '#N'")
    return card_svg(_whole(result, include_identifiers, sealed))


def _whole(result: Mapping[str, Any], include_identifiers: bool, sealed: bool) -> Card:
    kind = result.get("kind")
    if kind == _CONTRACT:
        return contract_record(result, include_identifiers, sealed=sealed)
    if kind == _RECAPTURE:
        return recapture_record(result)
    if kind == "fix-plan":
        return plan_card(result)
    if kind == "verify":
        return paired_card(result, include_identifiers)
    if kind == _TEST_RUN:
        return saydo_card(result)
    if result.get("tool") == "hotato" and isinstance(result.get("events"), list):
        if result.get("funnel"):
            return funnel_card(result)
        raise Refusal(
            _CODE,
            "this run states no funnel: it holds no missed interruption beside a stop for a backchannel",
            "pin the moment that failed, and draw the card of its contract.json",
        )
    raise Refusal(_CODE, "no card is drawn of this file", _REMEDY)


def _moment(
    result: Mapping[str, Any], number: int | None, call: str | None, include_identifiers: bool
) -> Card:
    listed = result.get("candidates", result.get("incidents"))
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise Refusal(_CODE, "the moments of this file are damaged", "make it again")
    if call is not None:
        listed = [one for one in listed if call in _names(one, result)]
    if number is None:
        raise Refusal(
            _CODE, f"this file lists {plural(len(listed), 'moment')}", "say which one: FILE#1 is the first"
        )
    if not 1 <= number <= len(listed):
        whose = "" if call is None else f" of '{shown(call)}'"
        some = f"choose #1 to #{len(listed)}" if listed else "look into another file"
        raise Refusal(
            "no_such_candidate", f"this file lists {len(listed)} moments{whose}, so no #{number}", some
        )
    moment = listed[number - 1]
    source = moment.get("source") or result.get("source")
    named = posixpath.basename(str(source).replace("\\", "/")) if include_identifiers and source else None
    return moment_card(moment, source=named)


def _names(moment: Mapping[str, Any], result: Mapping[str, Any]) -> set[Any]:
    """Everything that names a moment's call."""
    source = str(moment.get("source") or result.get("source") or "")
    base = posixpath.basename(source)
    named = {moment.get("call_id"), source, base, posixpath.splitext(base)[0], _identity(source, result)}
    return named - {None, ""}


def _identity(source: str, result: Mapping[str, Any]) -> str | None:
    """The id of a recording, made of its bytes, where the file states their digest."""
    scanned = result.get("scanned")
    files = scanned if isinstance(scanned, list) else []
    digests = [
        file.get("sha256") for file in files if isinstance(file, dict) and file.get("source") == source
    ]
    digest = next(iter(digests), result.get("sha256"))
    if isinstance(digest, str):
        return recording_id(digest)
    return str(result.get("id") or "") or None
