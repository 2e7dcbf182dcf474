"""The same small work on many things, by several processes, with results in the order of the things.

Decoding and measuring a moment is Python and NumPy on small arrays, which threads of one interpreter do not
do side by side. Each process takes every n-th thing and hands its results over in one piece, so that nothing
waits on a queue, and a process whose parent is gone ends by itself.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TypeVar

from hotato.errors import Refusal

Thing = TypeVar("Thing")
Result = TypeVar("Result")
Progress = Callable[[int, int], None]
"""Called with how many are done, and how many there are."""

LEAST_SHARE = 8
"""Things for which a further process is worth its start."""


def usable_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_shares(
    work: Callable[[Thing], Result],
    things: Sequence[Thing],
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> list[Result]:
    """`work` on every thing; the results in the order of the things, whoever made them.

    Args:
        work: what to do; it must not raise but for an interrupt or for a fault of its own.
        things: on what.
        jobs: processes, this one included; None takes the usable cores where there is enough to do. Where
            none can be forked safely (another thread runs, another system than Linux), this one does all.
        progress: called now and then.

    Raises:
        Refusal: `worker_lost`: a process ended without its results.
    """
    wanted = min(usable_cores(), len(things) // LEAST_SHARE) if jobs is None else min(jobs, len(things))
    if wanted <= 1 or not _may_fork():
        return [_told(work(thing), done, len(things), progress) for done, thing in enumerate(things, 1)]
    results: list[Result | None] = [None] * len(things)
    workers = [_started(work, things[share::wanted]) for share in range(1, wanted)]
    try:
        for position in range(0, len(things), wanted):
            results[position] = work(things[position])
            if progress is not None:
                progress(min(position + wanted, len(things)), len(things))
        for share, (_, receiver) in enumerate(workers, 1):
            results[share::wanted] = _received(receiver)
    finally:
        for process, receiver in workers:
            receiver.close()
            process.terminate()
            process.join()
    return results  # type: ignore[return-value]


def _told(result: Result, done: int, count: int, progress: Progress | None) -> Result:
    if progress is not None:
        progress(done, count)
    return result


def _may_fork() -> bool:
    """Whether a copy of this process is safe: a thread may hold a lock that no thread of the copy frees."""
    return sys.platform == "linux" and threading.active_count() == 1


def _started(work: Callable[[Thing], Result], things: Sequence[Thing]) -> tuple[BaseProcess, Connection]:
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_share, args=(work, things, receiver, sender), daemon=True)
    with warnings.catch_warnings():
        # Later versions of Python warn of the idle threads of the linear algebra library, which are not used.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    sender.close()
    return process, receiver


def _share(
    work: Callable[[Thing], Result], things: Sequence[Thing], receiver: Connection, sender: Connection
) -> None:
    """What a worker does; an interrupt is its parent's business, which ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    receiver.close()
    sender.send([work(thing) for thing in things])


def _received(receiver: Connection) -> list[Result]:
    try:
        return receiver.recv()  # type: ignore[no-any-return]
    except (EOFError, OSError) as error:
        raise Refusal(
            "worker_lost",
            "a process that verified a part of the contracts ended without a result",
            "run again with --jobs 1; memory may have been short",
        ) from error
