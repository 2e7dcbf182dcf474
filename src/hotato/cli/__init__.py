"""The command line: parse, call one function of a room below, print, exit.

Nothing is decided here. `app` finds commands without importing them, `failures` is the only place that turns
an exception into a line and an exit code, `terminal` knows what the output can show.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
from collections.abc import Sequence
from importlib import import_module

_INTERRUPTED = (b"hotato: interrupted\n", 130)
"""What is said, and the exit code, when an interrupt comes where no other line of ours runs."""


_COLLECT_AFTER = 100_000
"""New objects between two searches for unreachable cycles: a command makes many records and few cycles."""


def main(args: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Args:
        args: the arguments after the program's name; those of the process by default.
    """
    return _started("hotato.cli.app", args)


def measure(args: Sequence[str] | None = None) -> int:
    """The same for `python -m hotato.benchmark`."""
    return _started("hotato.cli.measurement", args)


def _started(program: str, args: Sequence[str] | None) -> int:
    """Run the program that a module holds; it is imported here, so that an interrupt finds somebody home."""
    try:
        if args is None:
            _open_standard_streams()
            gc.set_threshold(_COLLECT_AFTER)
        code: int = import_module(program).run(args)
        return code
    except KeyboardInterrupt:  # while the program loads, or while it says its last words
        line, code = _INTERRUPTED
        with contextlib.suppress(OSError):
            os.write(2, line)
        return code
    finally:
        if args is None:
            _done()


def _done() -> None:
    """Nothing is left to interrupt: while the interpreter takes itself down, which can last a second, an
    interrupt would end it as if the work had not been done."""
    with contextlib.suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _open_standard_streams() -> None:
    """Open what is closed of the descriptors 0 to 2 on nothing: a file opened later must not become one."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
