"""Which sets of labelled calls are measured, and how one is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from hotato.benchmark.stated import Stated, bad_scenario
from hotato.benchmark.truth import Truth, stated_in, truth_of
from hotato.canonical import decode_json, read_small
from hotato.score import Label, Request
from hotato.score.request import Source
from hotato.score.suite import Case, bundled, load_suite
from hotato.timing import ScoreConfig

SUFFIX = ".example.wav"
_MAX_SCENARIO_BYTES = 1_000_000
_PACKAGED = ("battery", "funnel-demo")
_REPOSITORY = Path(__file__).resolve().parents[3]
_BESIDE = ("examples/autopsy", "examples/full-duplex", "corpus/suites", "corpus/classes")
"""Where a clone keeps further sets: a set itself, or a folder of sets."""


@dataclass(frozen=True, slots=True)
class CallSet:
    """A named folder of scenarios with the folder of their recordings.

    Attributes:
        name: what the tables call it.
        scenarios: folder of scenario files.
        audio: folder of recordings.
    """

    name: str
    scenarios: Path
    audio: Path

    @property
    def has_audio(self) -> bool:
        """Whether any recording is there."""
        return self.audio.is_dir() and any(self.audio.iterdir())


@dataclass(frozen=True, slots=True)
class LabelledCall:
    """A scenario of a set with its truth, its label, and the request that reads its recording.

    Attributes:
        stated: what the file states.
        truth: what follows from it.
        label: what it expects.
        request: how to listen; None where there is no recording.
    """

    stated: Stated
    truth: Truth
    label: Label
    request: Request | None


def packaged_sets() -> list[CallSet]:
    """The sets that every installation has."""
    return [CallSet(name, bundled(name, "scenarios"), bundled(name, "audio")) for name in _PACKAGED]


def default_sets() -> list[CallSet]:
    """The sets of the package, then those of the clone it runs from; with or without audio."""
    found = packaged_sets()
    if (_REPOSITORY / "pyproject.toml").is_file():
        for place in _BESIDE:
            found += _sets_in(_REPOSITORY / place)
    return found


def _sets_in(folder: Path) -> list[CallSet]:
    if (folder / "scenarios").is_dir():
        return [CallSet(folder.name, folder / "scenarios", folder / "audio")]
    if not folder.is_dir():
        return []
    return [one for place in sorted(folder.iterdir()) if place.is_dir() for one in _sets_in(place)]


def calls_of(
    scenarios: Source, audio: Source, cfg: ScoreConfig, suffix: str | None = None
) -> Iterator[LabelledCall]:
    """The calls of a set, in the order of their ids.

    Args:
        scenarios: folder of scenario files.
        audio: folder of recordings.
        cfg: parameters of the measurement and of the definitions.
        suffix: ending of the recordings' names; None finds it.

    Raises:
        Refusal: no such folder, or a scenario file that is not one.
    """
    request = Request(scenarios_dir=scenarios, audio_dir=audio, suffix=suffix, cfg=cfg)
    cases = load_suite(request)
    stated = _stated(Path(scenarios))
    for case in cases:
        yield _call(case, stated[case.scenario.id], cfg)


def _call(case: Case, stated: Stated, cfg: ScoreConfig) -> LabelledCall:
    truth = truth_of(stated, case.label.expected_yield, cfg)
    return LabelledCall(stated, truth, case.label, case.request)


def _stated(folder: Path) -> dict[str, Stated]:
    """What every scenario file of a folder states, by id."""
    found = {}
    for file in sorted(folder.iterdir()):
        if file.name.endswith(".json"):
            stated = stated_in(_decoded(file), file.name)
            found[stated.id] = stated
    return found


def _decoded(file: Path) -> dict[str, Any]:
    data = read_small(file, "scenario file", _MAX_SCENARIO_BYTES)
    try:
        decoded: dict[str, Any] = decode_json(data, f"scenario file '{file.name}'", dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise bad_scenario(file.name, "it is no JSON object") from error
    return decoded
