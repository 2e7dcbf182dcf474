"""A fixture: the same moment as a scenario file and a clip, for `hotato run --scenarios DIR --audio DIR`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hotato._version import __version__
from hotato.canonical import NewFile, to_json, write_set
from hotato.contract.by_hand import fitting_remedies
from hotato.contract.moment import PinnedMoment, figures_of, pinned_moment
from hotato.contract.pin import Pin
from hotato.contract.statement import require_pin
from hotato.errors import UsageError

SCENARIOS, AUDIO, ENDING = "scenarios", "audio", ".example.wav"


@dataclass(frozen=True, eq=False, slots=True)
class Fixture:
    """A fixture that was written.

    Attributes:
        scenario: what the scenario file states.
        scenario_path: the file.
        audio_path: the clip.
        moment: the moment as it was scored.
    """

    scenario: dict[str, Any]
    scenario_path: Path
    audio_path: Path
    moment: PinnedMoment


def create_fixture(
    pin: Pin,
    folder: Path,
    *,
    title: str | None = None,
    tags: tuple[str, ...] = (),
    category: str | None = None,
    force: bool = False,
) -> Fixture:
    """Write a moment as a fixture: both files or none.

    A suite is judged by the documented detector, and so is the moment here.

    Args:
        pin: the moment, its label and its bounds.
        folder: gets the folders `scenarios` and `audio`.
        title: what happens, in a few words.
        tags: words to sort fixtures by.
        category: `should_yield`, `should_not_yield` or `should_answer`; that of the label if left out.
        force: replace files of the same names.

    Raises:
        UsageError: see `statement.require_pin`; a category that contradicts the label.
        Refusal: see `moment.pinned_moment` and `canonical.write_set`.
    """
    require_pin(pin)
    expected = {"yield": "should_yield", "hold": "should_not_yield", "answer": "should_answer"}[pin.expect]
    if category not in (None, expected):
        raise UsageError(
            f"the category {category} contradicts the label {pin.expect}", f"leave it out, or say {expected}"
        )
    with fitting_remedies(pin):
        moment = pinned_moment(replace(pin, detector="reference"))
    scenario = _scenario(moment, title, tags, expected)
    scenario_path = folder / SCENARIOS / f"{pin.id}.json"
    audio_path = folder / AUDIO / f"{pin.id}{ENDING}"
    # The clip first: a clip without a scenario is never scored, a scenario without a clip fails a suite.
    write_set(
        [
            NewFile(audio_path, moment.clip.wav(), force),
            NewFile(scenario_path, to_json(scenario), force),
        ]
    )
    return Fixture(scenario, scenario_path, audio_path, moment)


def _scenario(
    moment: PinnedMoment, title: str | None, tags: tuple[str, ...], category: str
) -> dict[str, Any]:
    pin, label = moment.pin, moment.label
    bounds = {
        "max_time_to_yield_sec": label.max_time_to_yield_sec if label.expected_yield else None,
        "max_talk_over_sec": label.max_talk_over_sec if label.expected_yield else None,
        "max_response_gap_sec": label.max_response_gap_sec,
    }
    return {
        "id": pin.id,
        "title": title or pin.id,
        "category": category,
        "tags": list(tags),
        "caller_onset_sec": moment.onset_sec,
        "expected": {
            "yield": label.expected_yield,
            **({"answer": True} if label.answer else {}),
            **{name: limit for name, limit in bounds.items() if limit is not None},
            **({"profile": label.profile} if label.profile != "documented" else {}),
        },
        "channels": {"caller_channel": 0, "agent_channel": 1},
        "audio": f"{pin.id}{ENDING}",
        "provenance": _provenance(moment),
    }


def _provenance(moment: PinnedMoment) -> dict[str, Any]:
    pin = moment.pin
    return {
        "tool": "hotato",
        "created_by": f"hotato {__version__}",
        "created_at": pin.created_at,
        "label_source": "human",
        "label_authority": "attested" if pin.attested else "asserted",
        "reviewer": pin.reviewer,
        "stack": moment.request.stack_name,
        "source_audio_sha256": moment.whole.file_sha256,
        "source_onset_sec": round(moment.source_onset_sec, 6),
        "clip_pcm_sha256": moment.heard.recordings[0].pcm_sha256,
        "pre_sec": moment.pre_sec,
        "post_sec": moment.post_sec,
        "clipped": moment.clipped,
        "candidate_kind": pin.candidate_kind,
        "measured": figures_of(moment.event),
    }
