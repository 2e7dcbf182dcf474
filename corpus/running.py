"""How every script of the corpus runs: an error is one line and exit 2, an interrupt one line and 130."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parent))

import early
from hotato.cli.failures import guarded
from hotato.errors import Refusal, UsageError

Action = Callable[[Sequence[str] | None], int]


class Parser(argparse.ArgumentParser):
    """A parser that takes no abbreviated flags and says in one line what it cannot take."""

    def __init__(self, description: str):
        super().__init__(description=description, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """Refuse the command line.

        Raises:
            UsageError: always.
        """
        raise UsageError(message, f"see {self.prog} --help")


def named(text: str) -> str:
    """A value of a flag that may not be empty."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty")
    return text


def path(text: str) -> Path:
    """A path; an empty one is refused."""
    return Path(named(text))


def run(action: Action, arguments: Sequence[str] | None = None) -> int:
    """Run a script's `action` on its arguments (those of the process by default); returns the exit code."""

    def work() -> int:
        early.over()
        try:
            code = action(arguments)
        except ModuleNotFoundError as error:
            raise Refusal(
                "missing_package", f"the package {error.name} is needed", f"pip install {error.name}"
            ) from error
        sys.stdout.flush()  # a reader that went away is noticed here
        return code

    return guarded(work, ())
