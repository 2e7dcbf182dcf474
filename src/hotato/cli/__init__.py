"""The command line: parse, call one function of a room below, print, exit.

Nothing is decided here. `app` finds commands without importing them, `failures` is the only place that turns
an exception into a line and an exit code, `terminal` knows what the output can show.
"""

from __future__ import annotations

from collections.abc import Sequence


def main(args: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Args:
        args: the arguments after the program's name; those of the process by default.
    """
    from hotato.cli.app import run

    return run(args)
