"""`hotato fixture`: a labelled moment as a scenario file and a clip, for a suite of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hotato.cli import options, pinning
from hotato.cli.outputs import SHOWN_PATH_CHARS
from hotato.cli.terminal import emit
from hotato.errors import EXIT_PASS
from hotato.plain import portable, shown

CATEGORIES = ("should_yield", "should_not_yield", "should_answer")

_label_options = options.stacked(
    click.option(
        "--expect", type=pinning.EXPECTATION, required=True, help="What a good agent does at that moment."
    ),
    click.option(
        "--id", "name", type=options.TEXT, required=True, metavar="NAME", help="Name of the fixture."
    ),
    click.option(
        "--out",
        type=options.TARGET,
        required=True,
        metavar="DIR",
        help="Folder that gets scenarios/NAME.json and audio/NAME.example.wav.",
    ),
    click.option("--title", type=options.TEXT, metavar="TEXT", help="What happens, in a few words."),
    click.option("--tags", type=options.TEXT, metavar="A,B", help="Words to sort fixtures by."),
    pinning.bound_options,
    pinning.profile_option,
    pinning.clip_options,
    pinning.confirm_option,
)
_end_options = options.stacked(
    pinning.created_option, options.force_option, options.format_option("text", "json")
)


@click.group()
def fixture() -> None:
    """Write a labelled moment as a scenario and a clip, for 'hotato run --scenarios DIR --audio DIR'."""


@fixture.command("create")
@options.recording_argument
@options.stereo_option
@options.pair_options
@options.channel_options
@click.option("--onset", type=options.seconds, required=True, help="When the caller begins to speak.")
@_label_options
@click.option("--category", type=click.Choice(CATEGORIES), help="That of the label if left out.")
@pinning.review_options
@_end_options
def create(**values: Any) -> int:
    """Write a moment of a recording as a fixture.

    The moment is scored from its clip, and refused where it cannot be judged. Exit 0 when both files were
    written, whether or not the moment passes.
    """
    return _write(values)


@fixture.command("promote")
@click.argument("from_candidate", metavar="REF")
@pinning.folder_option
@options.channel_options
@_label_options
@_end_options
def promote(**values: Any) -> int:
    """Write a candidate that was found earlier as a fixture.

    REF is FILE#N, or FILE#CALL:N for the Nth moment of one call. Exit 0 when both files were written.
    """
    return _write(values)


def _write(values: dict[str, Any]) -> int:
    style, force, folder = values.pop("style"), values.pop("force"), values.pop("out")
    title, tags, category = (values.pop(name, None) for name in ("title", "tags", "category"))
    pin, picked = pinning.take_pin(values)

    from hotato.canonical import to_json
    from hotato.contract.fixture import create_fixture
    from hotato.contract.labelled import taken_json, taken_words
    from hotato.score import builtins_of

    words = tuple(word.strip() for word in (tags or "").split(",") if word.strip())
    made = create_fixture(pin, Path(folder), title=title, tags=words, category=category, force=force)
    paths = [portable(made.scenario_path), portable(made.audio_path)]
    if style == "json":
        emit(
            to_json(
                {
                    "tool": "hotato",
                    "kind": "fixture",
                    "schema_version": "1",
                    "id": pin.id,
                    "scenario": made.scenario,
                    "event": builtins_of(made.moment.event),
                    "written": paths,
                    **({} if picked is None else {"taken_from": taken_json(picked)}),
                }
            )
        )
    else:
        taken = "" if picked is None else taken_words(picked)
        emit(_text(made.moment.event.verdict, pin.id, paths, folder, taken))
    return EXIT_PASS


def _text(verdict: Any, name: str, paths: list[str], folder: str, taken: str) -> str:
    import shlex

    lines = [f"hotato fixture  {name}  {'passes' if verdict.passed else 'fails'}"]
    lines += [f"  of       {taken}"] if taken else []
    lines += [f"  {reason}" for reason in verdict.reasons]
    lines += [f"  wrote    {shown(path, SHOWN_PATH_CHARS)}" for path in paths]
    where = [shlex.quote(portable(Path(folder, part))) for part in ("scenarios", "audio")]
    lines.append(f"  next     hotato run --scenarios {where[0]} --audio {where[1]}")
    return "\n".join(lines) + "\n"
