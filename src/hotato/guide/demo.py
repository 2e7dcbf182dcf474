"""The first run on the bundled calls: one misses an interruption, one stops for an acknowledgement."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from hotato.contract.layout import SUFFIX
from hotato.contract.picked import choose
from hotato.editions import made_by
from hotato.find import Analysis, Found, Named, picked_of, sweep
from hotato.guide.records import FirstRun
from hotato.guide.steps import (
    CONTRACTS,
    SWEEP,
    finish,
    listing_files,
    new_file,
    require_folder,
    require_own_bundle,
    words,
)
from hotato.score import run_suite

DEMO_ID = "demo-missed-interruption"
CALLS = "hotato-demo"
"""Where the bundled calls are left, so that references lead to them."""

CARD = "hotato-no-single-threshold.svg"
_MISSED = "fd-01-missed-interruption.example.wav"
_RATIONALE = "the caller spoke at length and the agent never stopped (a bundled call)"


def first_run_on_demo(folder: Path) -> FirstRun:
    """Sweep the bundled calls, show why no single threshold fixes both, pin the worst moment and verify it.

    Args:
        folder: where everything goes.

    Raises:
        Refusal: `not_a_directory`, `exists`, and whatever writing is refused for.
    """
    require_folder(folder)
    bundle = folder / CONTRACTS / f"{DEMO_ID}{SUFFIX}"
    replace = require_own_bundle(bundle, DEMO_ID)
    analysis, recordings = _swept(folder)
    files = [new_file(folder / CALLS / name, data) for name, data in recordings.items()]
    files += [*listing_files(analysis, folder), new_file(folder / CARD, _card(), made_by("card"))]
    missed = next(one for one in analysis.found if one.named.source == _MISSED)
    picked = picked_of(analysis, missed, SWEEP)
    chosen = choose(picked, "yield", id=DEMO_ID, rationale=_RATIONALE, include_identifiers=True)
    written, made, recorded = finish(files, chosen.pin, folder, force=replace)
    return FirstRun(
        mode="--demo",
        written=written,
        total=len(analysis.found),
        headline=missed.ranked.incident.sentence if missed.ranked.incident else "",
        commands=_commands(folder, analysis, missed),
        pinned=made,
        recorded=recorded,
    )


def _swept(folder: Path) -> tuple[Analysis, dict[str, bytes]]:
    """The moments of the bundled calls, and the calls themselves by name."""
    bundled = resources.files("hotato").joinpath("data", "funnel-demo", "audio")
    with resources.as_file(bundled) as place:
        paths = sorted(place.glob("*.wav"))
        analysis = sweep([Named(path.name, str(path)) for path in paths], CALLS)
        return analysis, {path.name: path.read_bytes() for path in paths}


def _card() -> str:
    """Why no single threshold passes both calls."""
    from hotato.report import result_card

    data = resources.files("hotato").joinpath("data", "funnel-demo")
    with resources.as_file(data) as place:
        run = run_suite(scenarios_dir=str(place / "scenarios"), audio_dir=str(place / "audio"))
    return result_card(run)


def _commands(folder: Path, analysis: Analysis, missed: Found) -> tuple[tuple[str, str], ...]:
    """What to do next, in order; each works from the working folder."""
    ref = (folder / SWEEP).as_posix()
    other = next((one for one in analysis.found if one.rank != missed.rank), missed)
    label = other.ranked.labels[0]
    contracts = (folder / CONTRACTS).as_posix()
    tests = (folder / "tests" / "hotato").as_posix()
    return (
        (
            "see the contract fail, as its CI would",
            words("contract", "verify", contracts),
        ),
        (
            "keep the other moment as a test; the label is yours",
            words(
                "fixture",
                "promote",
                analysis.ref(other, ref),
                "--expect",
                label,
                "--id",
                "my-first-fixture",
                "--out",
                tests,
            ),
        ),
        ("run your tests", words("run", "--scenarios", f"{tests}/scenarios", "--audio", f"{tests}/audio")),
        (
            "draw a moment for a pull request",
            words("card", analysis.ref(missed, ref), "--out", (folder / "candidate.svg").as_posix()),
        ),
        ("look into one recording; name yours in place of --demo", words("investigate", "--demo")),
    )
