"""Digests beside the decoding: sha256 in a thread of its own, which the hash releases the interpreter for."""

from __future__ import annotations

import hashlib
import queue
import threading

from hotato.audio.limits import LIMITS
from hotato.audio.signals import signals_held
from hotato.audio.source import Source

Part = bytes | memoryview | range


class BackgroundHash:
    """A sha256 that is fed buffers or byte ranges of a file, in order, and runs in the background.

    At most `AudioLimits.queued_buffers` buffers wait at a time; feeding blocks meanwhile. A buffer must not
    change after it was fed.
    """

    def __init__(self, source: Source):
        self._source = source
        self._hash = hashlib.sha256()
        self._parts: queue.Queue[Part | None] = queue.Queue(LIMITS.queued_buffers)
        self._cancelled = False
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        with signals_held():
            self._thread.start()

    def feed(self, part: Part) -> None:
        """Take the next bytes: a buffer, or a range of offsets to read from the source."""
        with signals_held():
            self._parts.put(part)

    def hexdigest(self) -> str:
        """Wait for everything fed and return the digest.

        Raises:
            Refusal: what reading a range raised.
        """
        self._stop()
        if self._error is not None:
            raise self._error
        return self._hash.hexdigest()

    def cancel(self) -> None:
        """Stop soon and forget the rest; harmless after `hexdigest`."""
        self._cancelled = True
        self._stop()

    def _stop(self) -> None:
        with signals_held():
            if self._thread.is_alive():
                self._parts.put(None)
                self._thread.join()

    def _run(self) -> None:
        while (part := self._parts.get()) is not None:
            if self._cancelled or self._error is not None:
                continue
            try:
                self._take(part)
            except BaseException as error:  # noqa: BLE001 (raised again by hexdigest, in the caller's thread)
                self._error = error

    def _take(self, part: Part) -> None:
        if not isinstance(part, range):
            self._hash.update(part)
            return
        for offset in range(part.start, part.stop, LIMITS.read_bytes):
            if self._cancelled:
                return
            self._hash.update(self._source.read_at(offset, min(LIMITS.read_bytes, part.stop - offset)))
