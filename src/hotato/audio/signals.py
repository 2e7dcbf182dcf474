"""Interrupts at a safe moment.

A Ctrl-C that arrives while a C library calls back into Python to read is thrown away there, and the library
takes it for the end of the file; one that arrives inside a queue can lose a wake-up. So signals are held back
for the short time that such code runs, and take effect right after.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_HELD = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def signals_held() -> Iterator[None]:
    """Run the body without interruption; what arrived meanwhile is handled at its end.

    Only the main thread of a program handles signals, so elsewhere there is nothing to do.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived: list[int] = []
    before = {number: signal.getsignal(number) for number in _HELD}
    ours = [number for number in _HELD if before[number] is not None]  # None: set by a host program in C
    for number in ours:
        signal.signal(number, lambda received, frame: arrived.append(received))
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, before[number])
        if arrived:
            os.kill(os.getpid(), arrived[0])
