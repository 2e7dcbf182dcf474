"""Stand-in until the audio room lands: soundfile only."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotato.audio.records import Container, Recording


class Reader:
    """One open recording."""

    def __init__(self, source: str | os.PathLike[str]):
        import soundfile

        self._path = Path(source)
        self._file = soundfile.SoundFile(str(source))
        self.container = Container(
            container="wav",
            encoding="pcm_s16",
            sample_rate_hz=self._file.samplerate,
            channels=self._file.channels,
            declared_frames=self._file.frames,
        )
        self.full_scale = 32768
        self._hash = hashlib.sha256()
        self._frames = 0

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def blocks(self, frames: int) -> Iterator[NDArray[np.integer[Any]]]:
        """Blocks of samples."""
        for block in self._file.blocks(frames, dtype="int16", always_2d=True):
            self._hash.update(block.tobytes())
            self._frames += len(block)
            yield block

    def recording(self) -> Recording:
        """What was decoded."""
        data = self._path.read_bytes()
        return Recording(
            name=self._path.name,
            container=self.container,
            frames=self._frames,
            full_scale=self.full_scale,
            file_bytes=len(data),
            file_sha256=hashlib.sha256(data).hexdigest(),
            pcm_sha256=self._hash.hexdigest(),
        )


def open_recording(source: str | os.PathLike[str], *, digests: bool = True) -> Reader:
    """Open a recording."""
    return Reader(source)
