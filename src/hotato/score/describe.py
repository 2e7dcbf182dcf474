"""The tool, described for a program: what it measures, expects, answers and refuses."""

from __future__ import annotations

from importlib import resources
from typing import Any

from hotato import errors
from hotato._version import __version__
from hotato.score.frames import config_block
from hotato.score.limits import LIMITS, SUITE_ID
from hotato.score.profiles import CALIBRATION_USED
from hotato.score.records import builtins_of
from hotato.score.request import BACKENDS, EXPECTATIONS, PROFILES
from hotato.stacks import STACK_NAMES
from hotato.timing import ScoreConfig

_EXIT_CODES = {
    errors.EXIT_PASS: "every event that could be judged passed",
    errors.EXIT_FAIL: "an event failed",
    errors.EXIT_REFUSE: "bad usage, or nothing that could be judged",
    errors.EXIT_INTERRUPTED: "interrupted",
}
_KINDS = ("run-envelope", "frame-dump", "export")
_FIX_CLASSES = ("config", "engagement-control")


def describe() -> dict[str, Any]:
    """What the scorer is and does, the same bytes every time; the list of commands is the CLI's to add."""
    return {
        "tool": "hotato",
        "version": __version__,
        "schema_version": "1",
        "offline": True,
        "limits": LIMITS,
        "expectations": list(EXPECTATIONS),
        "stacks": list(STACK_NAMES),
        "backends": list(BACKENDS),
        "suites": [SUITE_ID],
        "kinds": list(_KINDS),
        "fix_classes": list(_FIX_CLASSES),
        "exit_codes": {str(code): meaning for code, meaning in _EXIT_CODES.items()},
        "schemas": _schemas(),
        "config": config_block(ScoreConfig()),
        "profiles": list(PROFILES),
        "calibration": builtins_of(CALIBRATION_USED),
    }


def _schemas() -> list[str]:
    """Names of the JSON Schemas that the package ships."""
    folder = resources.files("hotato").joinpath("schema")
    return sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".json"))
