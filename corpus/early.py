"""Ctrl-C while a script still loads its libraries: one line, as later, instead of a traceback.

A script imports this module before anything large; `running.run` takes over from here. Where something else
than a script of the repository imports it, the handler stays that one's.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import NoReturn

_REPOSITORY = Path(__file__).resolve().parents[1]
_FOLDERS = (_REPOSITORY / "corpus", _REPOSITORY / "examples")
_EXIT_INTERRUPTED = 130


def over() -> None:
    """Let an interrupt unwind the stack again."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    os.write(2, b"hotato: interrupted\n")  # nothing is open yet that would have to be closed
    os._exit(_EXIT_INTERRUPTED)


def _is_script() -> bool:
    script = getattr(sys.modules["__main__"], "__file__", None)
    return script is not None and any(folder in Path(script).resolve().parents for folder in _FOLDERS)


if _is_script() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _end)
