"""Every command by name: where it lives, and which help lists it. Nothing is imported to read this table."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """One command.

    Attributes:
        target: `module:attribute` of the click command.
        summary: the line that help lists.
        public: listed by `hotato --help`; the others are listed by `hotato lab --help`.
    """

    target: str
    summary: str
    public: bool = False


COMMANDS = {
    "autopsy": Entry("hotato.cli.autopsy:autopsy", "Open one recording: what broke, and when.", True),
    "check": Entry("hotato.cli.autopsy:autopsy", "The same as autopsy.", True),
    "scan": Entry("hotato.cli.scan:scan", "List the turn-taking moments of a call, unjudged.", True),
    "investigate": Entry(
        "hotato.cli.investigate:investigate", "Look into one recording; label a moment of it."
    ),
    "start": Entry("hotato.cli.start:start", "Go once through the whole loop, guided.", True),
    "pin": Entry("hotato.cli.pin:pin", "Pin an incident that autopsy found as a contract.", True),
    "contract": Entry("hotato.cli.contract:contract", "Pin a labelled moment; verify, sign, pack.", True),
    "demo": Entry("hotato.cli.demo:demo", "Score two bundled calls that an agent fails.", True),
    "doctor": Entry("hotato.cli.doctor:doctor", "Score a recording and open its report.", True),
    "describe": Entry("hotato.cli.describe:describe", "Print what this tool can do, for programs.", True),
    "completion": Entry("hotato.cli.completion:completion", "Print shell completion code.", True),
    "prove": Entry("hotato.cli.prove:prove", "Compose every lane of evidence into one verdict.", True),
    "run": Entry("hotato.cli.run:run", "Score a labelled moment, or a suite of them."),
    "fixture": Entry("hotato.cli.fixture:fixture", "Write a labelled moment as a scenario and a clip."),
    "trust": Entry("hotato.cli.trust:trust", "Say whether a recording can be scored, and why not."),
    "report": Entry("hotato.cli.report:report", "Write the report page of a scored recording or suite."),
    "compare": Entry("hotato.cli.compare:compare", "Compare two takes of one moment."),
    "verify": Entry("hotato.cli.verify:verify", "Compare a battery before a change and after it."),
    "baseline": Entry("hotato.cli.baseline:baseline", "Hold a run against a saved baseline."),
    "gauntlet": Entry("hotato.cli.gauntlet:gauntlet", "Stress-test the scorer on bundled calls."),
    "synth": Entry("hotato.cli.synth:synth", "Write acoustic variants of a recording, each with its recipe."),
    "battery": Entry("hotato.cli.battery:battery", "Put one recording through a battery of conditions."),
    "bench": Entry("hotato.cli.bench:bench", "Score a frozen battery, or verify such a result."),
    "benchmark": Entry(
        "hotato.cli.benchmark:benchmark", "Score one battery on the captures of a platform; compare results."
    ),
    "card": Entry("hotato.cli.card:card", "Draw one measured moment as a picture for a pull request."),
    "record": Entry("hotato.cli.record:record", "Write a failure record of a result, or check one."),
    "init": Entry("hotato.cli.init:init", "Put hotato into a repository: pipeline, folders, notes."),
    "issue": Entry("hotato.cli.issue:issue", "File an issue about the moments of a sweep."),
    "pr": Entry("hotato.cli.pr:pr", "Open a pull request that adds contracts or fixtures."),
    "export": Entry("hotato.cli.export:export", "Write scored events and frames as CSV."),
}

FALLBACK = "autopsy"
"""What `hotato FILE` runs."""
