"""The only place that turns an exception into output: one line for people, one JSON object for programs."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

import click

from hotato.cli.terminal import StreamClosed, emit, emit_error, settle_output
from hotato.errors import EXIT_INTERRUPTED, Refusal, UsageError
from hotato.plain import shown

if TYPE_CHECKING:
    from signal import _HANDLER

EXIT_BROKEN_PIPE = 141
"""What a shell reports for a process that SIGPIPE ended: the reader went away, nothing failed."""

DEBUG_VARIABLE = "HOTATO_DEBUG"

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""What ends a process from outside; Windows has no SIGHUP."""

_OS_REFUSALS = {
    errno.ENOSPC: ("disk_full", "no space is left on the device", "free some space and run again"),
    errno.EDQUOT: ("disk_full", "the disk quota is used up", "free some space and run again"),
    errno.EACCES: ("permission_denied", "permission was denied", "check who may read or write there"),
    errno.EPERM: ("permission_denied", "permission was denied", "check who may read or write there"),
    errno.ENOENT: ("not_found", "a file or folder is missing", "check the path"),
    errno.ESTALE: ("unreadable", "the file went away while it was read", "check the network folder"),
    errno.EMFILE: ("too_many_files", "too many files are open", "raise the limit (ulimit -n)"),
    errno.EROFS: ("unwritable", "the file system is read-only", "name a folder you may write to"),
}


def guarded(action: Callable[[], int], words: Sequence[str]) -> int:
    """Run `action` and return its exit code, or say in one line why it could not end well.

    Args:
        action: the work.
        words: the command line, to know whether a program is reading (`--format json`).
    """
    try:
        with _ended_like_interrupt():
            return action()
    except click.exceptions.Exit as done:
        return done.exit_code
    except BrokenPipeError:
        return EXIT_BROKEN_PIPE
    except (KeyboardInterrupt, click.Abort):
        emit_error("interrupted")
        return EXIT_INTERRUPTED
    except Exception as error:  # the last line before a traceback would reach a user
        if _began_as_interrupt(error):
            emit_error("interrupted")
            return EXIT_INTERRUPTED
        if os.environ.get(DEBUG_VARIABLE):
            raise
        return _tell(as_refusal(error), words)
    finally:
        settle_output()


def as_refusal(error: Exception) -> Refusal:
    """The refusal that stands for any exception."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, click.UsageError):
        return _usage(error)
    if isinstance(error, click.ClickException):
        return UsageError(error.format_message())
    if isinstance(error, MemoryError):
        return Refusal(
            "out_of_memory", "there is not enough memory for this", "free some memory, or cut the recording"
        )
    if isinstance(error, OSError):
        return _from_os(error)
    return Refusal(
        "internal_error",
        f"something in hotato itself went wrong ({type(error).__name__})",
        f"run again with {DEBUG_VARIABLE}=1 to see where, and report it",
    )


def wants_json(words: Sequence[str]) -> bool:
    """Whether the command line asks for JSON, judged without parsing it (it may not parse)."""
    return "--format=json" in words or ("--format", "json") in pairwise(words)


def _began_as_interrupt(error: BaseException) -> bool:
    """Whether an interrupt was turned into another exception, as libraries do that are just being loaded."""
    seen: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in seen:
        if isinstance(cause, KeyboardInterrupt):
            return True
        seen.append(cause)
        cause = cause.__cause__ or cause.__context__
    return False


def _tell(refusal: Refusal, words: Sequence[str]) -> int:
    if wants_json(words) and not isinstance(refusal.__cause__, StreamClosed):
        from hotato.report import refusal_json

        try:
            emit(refusal_json(refusal))
        except BrokenPipeError:
            return EXIT_BROKEN_PIPE
        except Refusal as unwritten:
            emit_error(str(unwritten))
    else:
        emit_error(str(refusal))
    return refusal.exit_code


def _usage(error: click.UsageError) -> UsageError:
    where = error.ctx.command_path if error.ctx else "hotato"
    if isinstance(error, click.exceptions.NoArgsIsHelpError) and isinstance(error.ctx.command, click.Group):
        names = ", ".join(error.ctx.command.list_commands(error.ctx))
        return UsageError(f"{where} is missing one of its commands: {names}", f"see {where} --help")
    message = error.format_message().strip()
    sentence = message[:1].lower() + message[1:].rstrip(".") if message else "the command line is incomplete"
    return UsageError(sentence, f"see {where} --help")


def _from_os(error: OSError) -> Refusal:
    code, sentence, remedy = _OS_REFUSALS.get(
        error.errno or 0, ("unreadable", (error.strerror or type(error).__name__).lower(), "check the file")
    )
    name = f" ('{shown(os.fsdecode(error.filename))}')" if isinstance(error.filename, str | bytes) else ""
    return Refusal(code, f"{sentence}{name}", remedy)


@contextlib.contextmanager
def _ended_like_interrupt() -> Iterator[None]:
    """Let SIGTERM and SIGHUP unwind the stack as Ctrl-C does, so that temporary files are removed.

    A signal that the parent ignores (nohup) stays ignored.
    """
    previous: dict[int, _HANDLER] = {}
    try:
        for number in _ENDING:
            handler = signal.getsignal(number)
            if handler not in (signal.SIG_IGN, None):  # None: somebody set it outside Python
                previous[number] = handler
                signal.signal(number, _interrupt)
    except ValueError:  # not the main thread: signals are the host program's business
        yield
        return
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
