"""Where the bytes come from: one open descriptor, read at offsets, checked for change at the end."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

from hotato.audio.limits import LIMITS
from hotato.errors import Refusal

_COPY_BYTES = 1 << 20
_REPLACEMENT = "\ufffd"


class Source:
    """A regular file, open for reading.

    Attributes:
        name: base name for messages and records, control characters replaced; `stdin` for standard input.
        size: bytes of the file when it was opened.
    """

    def __init__(self, file: BinaryIO, name: str, path: str | None):
        self._file = file
        self._path = path
        self.name = name
        self._status = os.fstat(file.fileno())
        self.size = self._status.st_size

    @property
    def descriptor(self) -> int:
        """The open file descriptor, for a library that reads by itself."""
        return self._file.fileno()

    def read_at(self, offset: int, count: int) -> bytes:
        """Up to `count` bytes from `offset`; fewer only where the file ends. Safe from any thread.

        Raises:
            Refusal: `changed_while_read` when the file is shorter than it was, `unreadable` when it fails.
        """
        wanted = max(0, min(count, self.size - offset))
        try:
            data = os.pread(self.descriptor, wanted, offset)
            while len(data) < wanted:
                more = os.pread(self.descriptor, wanted - len(data), offset + len(data))
                if not more:
                    raise self.changed()
                data += more
        except OSError as error:
            raise refusal_for(error, self.name) from error
        return data

    def check_unchanged(self) -> None:
        """Refuse when size, modification time or identity differ from what they were at opening."""
        now = os.fstat(self.descriptor)
        if (now.st_size, now.st_mtime_ns) != (self._status.st_size, self._status.st_mtime_ns):
            raise self.changed()
        if self._path is not None:
            try:
                named = Path(self._path).stat()
            except OSError as error:
                raise self.changed() from error
            if (named.st_dev, named.st_ino) != (self._status.st_dev, self._status.st_ino):
                raise self.changed()

    def changed(self) -> Refusal:
        """The refusal for a file that was written to while it was read."""
        return Refusal(
            "changed_while_read",
            f"'{self.name}' changed while it was being read",
            "wait until it is written completely, or copy it, and run again",
        )

    def close(self) -> None:
        """Close the descriptor."""
        self._file.close()


class SourceFile(io.RawIOBase):
    """A seekable file object over a `Source`, for libraries that want one; it has a position of its own.

    Args:
        source: what to read.
        patch: an offset and the bytes to show there instead of the file's own.

    Attributes:
        failure: what reading raised. A library's callback cannot pass an exception on; it gets the end of the
            file, and whoever called the library looks here.
    """

    def __init__(self, source: Source, patch: tuple[int, bytes] | None = None):
        super().__init__()
        self._source = source
        self._patch = patch
        self._position = 0
        self.failure: Refusal | None = None

    def readable(self) -> bool:
        """Always true."""
        return True

    def seekable(self) -> bool:
        """Always true."""
        return True

    def read(self, count: int = -1) -> bytes:
        """Up to `count` bytes from the position on; all that is left when negative."""
        try:
            data = self._source.read_at(self._position, self._source.size if count < 0 else count)
        except Refusal as refusal:
            self.failure = refusal
            return b""
        if self._patch is not None:
            data = _patched(data, self._position, *self._patch)
        self._position += len(data)
        return data

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer from the position on; the number of bytes."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move the position, never before the start."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._source.size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def tell(self) -> int:
        """The position."""
        return self._position


def _patched(data: bytes, start: int, offset: int, patch: bytes) -> bytes:
    begin, end = max(offset, start), min(offset + len(patch), start + len(data))
    if begin >= end:
        return data
    return data[: begin - start] + patch[begin - offset : end - offset] + data[end - start :]


def open_source(source: str | os.PathLike[str]) -> Source:
    """Open a file by path, or standard input for `-`.

    Raises:
        Refusal: `not_found`, `is_a_directory`, `not_a_file`, `permission_denied`, `unreadable`, and for
            standard input `too_large` and `disk_full`.
    """
    path = os.fspath(source)
    return _open_stdin() if path == "-" else _open_path(path)


def refusal_for(error: OSError, name: str) -> Refusal:
    """What an operating system error means for the person who named the file.

    Args:
        error: what the system said.
        name: the file in words: its path as typed where opening failed, else its base name.
    """
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return Refusal("not_found", f"there is no file '{name}'", "check the path")
    if isinstance(error, IsADirectoryError):
        return Refusal("is_a_directory", f"'{name}' is a directory", "name one recording inside it")
    if isinstance(error, PermissionError):
        return Refusal("permission_denied", f"no permission to read '{name}'", "make it readable to you")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Refusal("disk_full", f"no space left to hold '{name}' while it is read", "free some space")
    reason = (error.strerror or "input error").lower()
    return Refusal("unreadable", f"cannot read '{name}': {reason}", "check the file and the disk it is on")


def _shown_name(path: str) -> str:
    name = os.path.basename(path.rstrip("/")) or path  # noqa: PTH119 (Path("x/..") keeps "..", this does too)
    return "".join(c if c.isprintable() else _REPLACEMENT for c in name)


def _open_path(path: str) -> Source:
    name = _shown_name(path)
    if not path or "\0" in path:
        raise refusal_for(FileNotFoundError(), path)
    try:
        # Asked before opening: opening a pipe or a device can block or have effects.
        _require_regular(Path(path).stat(), path)
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
        file = os.fdopen(descriptor, "rb", buffering=0)
    except OSError as error:
        raise refusal_for(error, path) from error
    try:
        _require_regular(os.fstat(descriptor), path)
        return Source(file, name, path)
    except BaseException:
        file.close()
        raise


def _require_regular(status: os.stat_result, typed: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "is a directory")
    if not stat.S_ISREG(status.st_mode):
        raise Refusal(
            "not_a_file",
            f"'{typed}' is a pipe, a socket or a device, not a file",
            "save the recording to a file, or pipe it in and name '-'",
        )


def _open_stdin() -> Source:
    if sys.stdin is None or sys.stdin.closed:
        raise Refusal("unreadable", "standard input is closed", "pipe a recording into it or name a file")
    if sys.stdin.isatty():
        raise Refusal("unreadable", "standard input is a terminal", "pipe a recording into it or name a file")
    try:
        spool = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (the Source owns it)
        try:
            _copy_bounded(sys.stdin.buffer, spool)
            return Source(spool, "stdin", None)
        except BaseException:
            spool.close()
            raise
    except OSError as error:
        raise refusal_for(error, "stdin") from error


def _copy_bounded(incoming: BinaryIO, spool: BinaryIO) -> None:
    total = 0
    while piece := incoming.read(_COPY_BYTES):
        total += len(piece)
        if total > LIMITS.stdin_max_bytes:
            raise Refusal(
                "too_large",
                f"standard input holds more than {LIMITS.stdin_max_bytes >> 30} GiB",
                "save the recording to a file and name it",
            )
        view = memoryview(piece)
        while view:
            view = view[spool.write(view) :]
