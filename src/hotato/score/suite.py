"""A suite: a folder of scenario files, each a label, and a folder of recordings named after them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hotato.bounds import BOUNDS
from hotato.canonical import decode_json, read_small
from hotato.errors import Refusal, UsageError
from hotato.score.keys import explained
from hotato.score.limits import SUITE_ID
from hotato.score.request import DOCUMENTED, Label, Request, Source

SUFFIXES = (".wav", ".stereo.wav", ".example.wav", ".flac")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_MAX_SCENARIO_BYTES = 1_000_000

Seconds = Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]
Channel = Annotated[int, Meta(ge=0)]
Profile = Literal["documented", "calibrated"]


class Expected(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a scenario expects; no further keys, so that a misspelled bound cannot vanish.

    Attributes:
        should_yield: the agent should give up the floor (`yield` in the file).
        answer: the agent should sound again within `max_response_gap_sec` after the sound at the onset has
            ended; such a scenario states `"yield": false` and no other bound.
        max_time_to_yield_sec: bound on the time to yield.
        max_talk_over_sec: bound on simultaneous speech.
        max_response_gap_sec: bound on the time from the end of the caller's turn to the agent's answer.
        profile: the measurement profile that the verdict shall rest on.
    """

    should_yield: bool = msgspec.field(name="yield")
    answer: bool = False
    max_time_to_yield_sec: Seconds | None = None
    max_talk_over_sec: Seconds | None = None
    max_response_gap_sec: Seconds | None = None
    profile: Profile | None = None


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a scenario is to be judged, whatever it expects.

    Attributes:
        profile: as in `Expected`, for files that keep their policy apart.
    """

    profile: Profile | None = None


class Channels(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which channel of the scenario's recording is which party.

    Attributes:
        caller_channel: the caller's.
        agent_channel: the agent's.
    """

    caller_channel: Channel = 0
    agent_channel: Channel = 1


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """One scenario file; further keys at its top level are for its author and are ignored.

    Attributes:
        id: letters, digits, dot, dash and underscore; the recording is named after it.
        expected: the label.
        title: what happens, in a few words.
        category: `should_yield`, `should_not_yield`, `should_answer` or a name of its own.
        caller_onset_sec: when the caller begins, or for an answer a time inside the sound whose end begins
            the silence; None to detect the caller's first sound.
        channels: which channel is which party; None to take the order of the stack.
        audio: file name of the recording, where it is not named after the id.
        policy: the measurement profile, where `expected` does not state it.
    """

    id: str
    expected: Expected
    title: str | None = None
    category: str | None = None
    caller_onset_sec: Seconds | None = None
    channels: Channels | None = None
    audio: str | None = None
    policy: Policy | None = None

    @property
    def profile(self) -> str | None:
        """The measurement profile that the file states, None for none."""
        return self.expected.profile or (self.policy.profile if self.policy else None)


_CLOSED = {"$.expected": Expected, "$.policy": Policy, "$.channels": Channels}
"""The blocks of a scenario that take no further keys."""


@dataclass(frozen=True, slots=True)
class Case:
    """A scenario with its label and the request that reads its recording.

    Attributes:
        scenario: the scenario file.
        label: what it expects.
        request: how to listen to its recording; None when there is no recording.
        map_source: `scenario` where the scenario states the channels, else None.
    """

    scenario: Scenario
    label: Label
    request: Request | None
    map_source: str | None


def load_suite(request: Request) -> list[Case]:
    """The cases of the suite that `request` asks for, in the order of their ids.

    Recordings of a folder of one's own for the bundled scenarios follow the stack's channel order; otherwise
    the channels that a scenario states come first. Explicit channel numbers override both. A bound of the
    request applies where the scenario states none.

    Raises:
        UsageError: unknown suite, scenarios without recordings, or a bound that no scenario takes.
        Refusal: a folder without scenarios, or a scenario file that is not one.
    """
    if request.suite not in (None, SUITE_ID):
        raise UsageError(f"unknown suite '{request.suite}'", f"the only suite is {SUITE_ID}")
    if request.stereo or request.caller or request.agent:
        raise UsageError("both a recording and a suite were given", "give one of the two")
    if request.scenarios_dir is not None and request.audio_dir is None:
        read_scenarios(request.scenarios_dir)  # a folder that is not there is the first thing to say
        raise UsageError("the scenarios have no folder of recordings", "name it as well (--audio DIR)")
    request.channels()
    scenarios = read_scenarios(request.scenarios_dir or bundled("battery", "scenarios"))
    _require_use(request, scenarios)
    audio = Path(request.audio_dir or bundled("battery", "audio"))
    if not audio.is_dir():
        raise Refusal("not_found", f"'{audio.name}' is not a folder of recordings", "name a folder")
    own_recordings = request.audio_dir is not None and request.scenarios_dir is None
    return [_case(request, scenario, audio, own_recordings) for scenario in scenarios]


def _require_use(request: Request, scenarios: list[Scenario]) -> None:
    """Refuse a bound of the request that no scenario takes: whoever gave it would think it was held."""
    expected = [scenario.expected for scenario in scenarios]
    for name in ("max_talk_over_sec", "max_time_to_yield_sec", "max_response_gap_sec"):
        bound = getattr(request, name)
        answers = name == "max_response_gap_sec"
        bounded = [one for one in expected if one.should_yield or (one.answer and answers)]
        if bound is None or any(getattr(one, name) is None for one in bounded):
            continue
        why = "every scenario states its own" if bounded else "no scenario has a label that it bounds"
        flag = f"--{name.removesuffix('_sec').replace('_', '-')}"
        raise UsageError(
            f"{flag} {bound:g} would bound nothing: {why}", "leave it out, or state it in the scenario files"
        )


def bundled(*parts: str) -> Path:
    """A folder that the package ships."""
    return Path(str(resources.files("hotato").joinpath("data", *parts)))


def read_scenarios(folder: Source) -> list[Scenario]:
    """Every scenario file of a folder, in the order of the ids.

    Raises:
        Refusal: no folder, no scenario in it, an unreadable or wrong file (naming the field), an id twice.
    """
    files = _scenario_files(folder)
    if not files:
        raise Refusal("no_scenarios", f"'{folder}' holds no scenario files", "name a folder of *.json files")
    found: dict[str, Scenario] = {}
    for file in files:
        scenario = _read(file)
        if scenario.id in found:
            raise _bad(file, f"the id '{scenario.id}' is used twice")
        found[scenario.id] = scenario
    return [found[key] for key in sorted(found)]


def _scenario_files(folder: Source) -> list[Path]:
    try:
        return sorted(place for place in Path(folder).iterdir() if place.name.endswith(".json"))
    except PermissionError:
        raise Refusal(
            "permission_denied", f"no permission to list the folder '{folder}'", "make it readable to you"
        ) from None
    except NotADirectoryError:
        raise Refusal(
            "not_a_directory", f"'{folder}' is not a folder", "name a folder of *.json files"
        ) from None
    except (OSError, ValueError):
        raise Refusal("not_found", f"there is no folder '{folder}'", "check the path") from None


def _read(file: Path) -> Scenario:
    data = read_small(file, "scenario file", _MAX_SCENARIO_BYTES)
    try:
        scenario: Scenario = decode_json(data, f"scenario file '{file.name}'", Scenario)
    except msgspec.DecodeError as error:
        raise _bad(file, explained(error, _CLOSED)) from error
    except UnicodeDecodeError as error:
        raise _bad(file, str(error)) from error
    except RecursionError:
        raise _bad(file, "its brackets are nested too deeply") from None
    if not _ID.fullmatch(scenario.id):
        raise _bad(file, f"id '{scenario.id[:80]}' - use letters, digits, dot, dash and underscore - `$.id`")
    _require_bounds(file, scenario.expected)
    if scenario.audio is not None and not _ID.fullmatch(scenario.audio):
        raise _bad(file, f"audio '{scenario.audio[:80]}' is not a plain file name - `$.audio`")
    stated = {scenario.expected.profile, scenario.policy.profile if scenario.policy else None} - {None}
    if len(stated) > 1:
        raise _bad(file, "expected and policy state different profiles - `$.policy.profile`")
    return scenario


def _require_bounds(file: Path, expected: Expected) -> None:
    """Refuse bounds that the label does not know: they would never be checked."""
    if not expected.answer:
        if expected.max_response_gap_sec is not None and not expected.should_yield:
            raise _bad(file, "a hold label has no answer to bound - `$.expected.max_response_gap_sec`")
        return
    if expected.should_yield:
        raise _bad(file, "it expects both a yield and an answer - `$.expected.answer`")
    for name in ("max_time_to_yield_sec", "max_talk_over_sec"):
        if getattr(expected, name) is not None:
            raise _bad(file, f"an answer label bounds the silence only - `$.expected.{name}`")


def _bad(file: Path, what: str) -> Refusal:
    return Refusal("bad_scenario", f"scenario file '{file.name}': {what}", "correct the file and run again")


def _case(request: Request, scenario: Scenario, audio: Path, own_recordings: bool) -> Case:
    expected = scenario.expected
    gap = expected.max_response_gap_sec
    if gap is None and (expected.should_yield or expected.answer):
        gap = request.max_response_gap_sec
    if expected.answer and gap is None:
        raise Refusal(
            "bad_scenario",
            f"scenario '{scenario.id}' expects an answer and does not say how soon",
            "state expected.max_response_gap_sec, or pass --max-response-gap",
        )
    floor = not expected.answer
    label = Label(
        expected_yield=expected.should_yield,
        answer=expected.answer,
        onset_sec=scenario.caller_onset_sec,
        max_time_to_yield_sec=_first(expected.max_time_to_yield_sec, request.max_time_to_yield_sec)
        if floor
        else None,
        max_talk_over_sec=_first(expected.max_talk_over_sec, request.max_talk_over_sec) if floor else None,
        max_response_gap_sec=gap,
        profile=request.profile or scenario.profile or DOCUMENTED,
    )
    recording = _recording(scenario, audio, request.suffix)
    if recording is None:
        return Case(scenario, label, None, None)
    explicit = request.caller_channel is not None or request.agent_channel is not None
    stated = None if explicit or own_recordings else scenario.channels
    single = replace(
        request,
        stereo=recording,
        suite=SUITE_ID,
        caller_channel=stated.caller_channel if stated else request.caller_channel,
        agent_channel=stated.agent_channel if stated else request.agent_channel,
    )
    return Case(scenario, label, single, "scenario" if stated else None)


def _first(stated: float | None, fallback: float | None) -> float | None:
    return fallback if stated is None else stated


def _recording(scenario: Scenario, audio: Path, suffix: str | None) -> Path | None:
    names = [scenario.id + ending for ending in ((suffix,) if suffix is not None else SUFFIXES)]
    if scenario.audio is not None and suffix is None:
        names.insert(0, scenario.audio)
    try:
        found = next((audio / name for name in names if (audio / name).exists()), None)
    except PermissionError:
        raise Refusal(
            "permission_denied", f"no permission to look into the folder '{audio}'", "make it readable to you"
        ) from None
    if found is not None:
        _require_recording(found)
    return found


def _require_recording(found: Path) -> None:
    """Refuse what bears the name of a recording and is none: it would pass for one that was not captured."""
    if found.is_dir():
        raise Refusal("is_a_directory", f"'{found.name}' is a folder, not a recording", "put the file there")
    if not found.is_file():
        raise Refusal(
            "not_a_file",
            f"'{found.name}' is a pipe, a socket or a device, not a recording",
            "save it to a file",
        )
