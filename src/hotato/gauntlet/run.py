"""Render the scenarios of the gauntlet, hold the audio against its digests, score it, compare."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from hotato import acoustics
from hotato.canonical import listing_digest_of, read_small
from hotato.errors import Refusal
from hotato.gauntlet.records import FAIL, NOT_SCORABLE, PASS, GauntletResult, GauntletScenario, Outcome, Plan
from hotato.gauntlet.records import result_of as _result_of
from hotato.score import run_suite
from hotato.score.suite import bundled

SUFFIX = ".example.wav"
_MAX_FILE_BYTES = 1_000_000
_REINSTALL = "install hotato again; a build on which the renderer gives other samples proves nothing"


GAUNTLET_VERSION = "1"
GAUNTLET_CONTENT = "sha256:15f96d5a641a05d050e042136b4b3abf203298db2b0c1607d92f2101ee82e65d"
"""The bundled set: a manifest beside a set pins only that the two belong together."""


class _Pinned(msgspec.Struct, frozen=True):
    """What the manifest says about the set."""

    version: str
    scenarios: int
    content_hash: str
    audio_sha256: dict[str, str]


class _Sets(msgspec.Struct, frozen=True):
    gauntlet: _Pinned


class _Manifest(msgspec.Struct, frozen=True):
    sets: _Sets


class _Shipped(NamedTuple):
    """The set as it lies in the package: its pins, and its scenario files by id."""

    pinned: _Pinned
    texts: dict[str, bytes]


def plan_gauntlet(folder: Path | None = None) -> tuple[Plan, ...]:
    """The scenarios of the gauntlet by id, without running them.

    Args:
        folder: where `manifest.json` and `scenarios/` are; None for the bundled set, which has to be the one
            of this version.

    Raises:
        Refusal: `gauntlet_changed`: the set is not the one that its manifest pins.
    """
    return _plans(_shipped(folder))


def run_gauntlet(folder: Path | None = None) -> GauntletResult:
    """Render, check and score every scenario of the gauntlet.

    Args:
        folder: where `manifest.json` and `scenarios/` are; None for the bundled set, which has to be the one
            of this version.

    Returns:
        The result; its `exit_code` is 0 only when every scenario matched.

    Raises:
        Refusal: `gauntlet_changed`: a scenario or its rendered recording is not the one that was pinned, so
            that nothing could be proven.
    """
    shipped = _shipped(folder)
    plans = _plans(shipped)
    with tempfile.TemporaryDirectory(prefix="hotato-") as scratch:
        home = Path(scratch)
        digests = _render(shipped, home)
        envelope = run_suite(scenarios_dir=home / "scenarios", audio_dir=home / "audio", suffix=SUFFIX)
    events = {event["event_id"]: event for event in envelope["events"]}
    scenarios = tuple(_compared(plan, events[plan.id], digests[plan.id]) for plan in plans)
    return _result_of(shipped.pinned.version, shipped.pinned.content_hash, scenarios)


def _shipped(folder: Path | None) -> _Shipped:
    home = folder or bundled("gauntlet")
    try:
        manifest = msgspec.json.decode(_read(home / "manifest.json", "its manifest"), type=_Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _changed(f"its manifest cannot be read ({error})") from None
    texts = {
        path.stem: _read(path, f"scenario '{path.stem}'")
        for path in sorted((home / "scenarios").glob("*.json"))
    }
    pinned = manifest.sets.gauntlet
    wanted = {_id_of(name) for name in pinned.audio_sha256}
    if odd := sorted(wanted ^ set(texts)):
        raise _changed(f"scenario '{odd[0]}' is missing or not part of it")
    if not texts or len(texts) != pinned.scenarios:
        raise _changed("it does not hold as many scenarios as its manifest says")
    digests = {f"scenarios/{name}.json": hashlib.sha256(text).hexdigest() for name, text in texts.items()}
    content = f"sha256:{listing_digest_of(digests | pinned.audio_sha256)}"
    if content != pinned.content_hash:
        raise _changed("a scenario says something else than was pinned")
    if folder is None and (pinned.version, content) != (GAUNTLET_VERSION, GAUNTLET_CONTENT):
        raise _changed("it is not the set of this version")
    return _Shipped(pinned, texts)


def _read(path: Path, what: str) -> bytes:
    try:
        return read_small(path, what, _MAX_FILE_BYTES)
    except Refusal as refusal:
        raise _changed(f"{what} cannot be read ({refusal.code.replace('_', ' ')})") from refusal


def _plans(shipped: _Shipped) -> tuple[Plan, ...]:
    try:
        plans = [msgspec.json.decode(text, type=Plan) for text in shipped.texts.values()]
    except msgspec.DecodeError as error:
        raise _changed(f"a scenario cannot be read ({error})") from None
    return tuple(sorted(plans, key=lambda plan: plan.id))


def _render(shipped: _Shipped, home: Path) -> dict[str, str]:
    """Write scenarios and recordings below `home` and return the digests of the recordings by id."""
    for name in ("scenarios", "audio"):
        (home / name).mkdir()
    digests: dict[str, str] = {}
    for name, text in shipped.texts.items():
        sound = _rendered(name, text)
        digests[name] = hashlib.sha256(sound).hexdigest()
        if digests[name] != shipped.pinned.audio_sha256[f"audio/{name}{SUFFIX}"]:
            raise _changed(f"the recording of '{name}' renders to other samples than were pinned")
        (home / f"scenarios/{name}.json").write_bytes(text)
        (home / f"audio/{name}{SUFFIX}").write_bytes(sound)
    return digests


def _rendered(name: str, text: bytes) -> bytes:
    scenario = msgspec.json.decode(text)
    try:
        return acoustics.recording(scenario)
    except (KeyError, TypeError, ValueError) as error:
        raise _changed(f"scenario '{name}' describes no call ({type(error).__name__})") from None


def _compared(plan: Plan, event: Mapping[str, Any], sha256: str) -> GauntletScenario:
    verdict = _outcome(event)
    codes: Sequence[str] = event["verdict"]["reason_codes"] if verdict == FAIL else ()
    why = event["verdict"]["reasons"] if verdict != NOT_SCORABLE else [event["not_scorable_reason"]]
    matched = verdict == plan.expected and (plan.fails_on is None or plan.fails_on in codes)
    return GauntletScenario(
        id=plan.id,
        title=plan.title,
        family=plan.family,
        condition=plan.condition,
        expected=plan.expected,
        fails_on=plan.fails_on,
        verdict=verdict,
        reason_codes=tuple(codes),
        reasons=tuple(why),
        matched=matched,
        sha256=sha256,
    )


def _outcome(event: Mapping[str, Any]) -> Outcome:
    if event.get("scorable") is False:
        return NOT_SCORABLE
    return PASS if event["verdict"]["passed"] else FAIL


def _id_of(name: str) -> str:
    return name.removeprefix("audio/").removesuffix(SUFFIX)


def _changed(what: str) -> Refusal:
    return Refusal("gauntlet_changed", f"the gauntlet is not the one that was pinned: {what}", _REINSTALL)
