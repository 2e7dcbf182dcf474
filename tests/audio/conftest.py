"""Builders of sound files, byte by byte, so that every header field can lie."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from hotato.audio import Recording, open_recording

SUBTYPE_TAIL = bytes.fromhex("00001000800000aa00389b71")
W64_FORM = bytes.fromhex("2e91cf11a5d628db04c10000")
W64_TAIL = bytes.fromhex("f3acd3118cd100c04f8edb8a")
TAGS = {"pcm": 1, "float": 3, "alaw": 6, "mulaw": 7}


@dataclass
class Builder:
    """A RIFF file whose every number can be set. `None` means: the true value."""

    data: bytes = b""
    kind: str = "pcm"
    bits: int = 16
    channels: int = 2
    rate: int = 16_000
    order: str = "<"
    magic: bytes | None = None
    riff_size: int | None = None
    data_size: int | None = None
    fmt_size: int | None = None
    extensible_mask: int | None = None
    before: list[tuple[bytes, bytes]] = field(default_factory=list)
    after: list[tuple[bytes, bytes]] = field(default_factory=list)
    tail: bytes = b""
    data_first: bool = False
    pad: bool = True

    def chunk(self, name: bytes, body: bytes, size: int | None = None) -> bytes:
        stated = len(body) if size is None else size
        padding = b"\0" if len(body) % 2 and self.pad else b""
        return name + struct.pack(self.order + "I", stated & 0xFFFFFFFF) + body + padding

    def fmt(self) -> bytes:
        block = self.channels * self.bits // 8
        tag = TAGS[self.kind]
        outer = tag if self.extensible_mask is None else 0xFFFE
        body = struct.pack(
            self.order + "HHIIHH", outer, self.channels, self.rate, self.rate * block, block, self.bits
        )
        if self.extensible_mask is not None:
            body += struct.pack(self.order + "HHII", 22, self.bits, self.extensible_mask, tag)
            body += SUBTYPE_TAIL if self.order == "<" else bytes.fromhex("00000010800000aa00389b71")
        return body

    def build(self) -> bytes:
        fmt = self.chunk(b"fmt ", self.fmt(), self.fmt_size)
        data = self.chunk(b"data", self.data, self.data_size)
        chunks = b"".join(self.chunk(*c) for c in self.before)
        chunks += data + fmt if self.data_first else fmt + data
        chunks += b"".join(self.chunk(*c) for c in self.after)
        size = 4 + len(chunks) if self.riff_size is None else self.riff_size
        magic = self.magic or (b"RIFF" if self.order == "<" else b"RIFX")
        return magic + struct.pack(self.order + "I", size & 0xFFFFFFFF) + b"WAVE" + chunks + self.tail


def build_w64(data: bytes, fmt: bytes, data_size: int | None = None) -> bytes:
    def chunk(name: bytes, body: bytes, size: int | None = None) -> bytes:
        stated = 24 + len(body) if size is None else size
        return name + W64_TAIL + struct.pack("<Q", stated) + body + b"\0" * (-len(body) % 8)

    chunks = chunk(b"fmt ", fmt) + chunk(b"data", data, data_size)
    return b"riff" + W64_FORM + struct.pack("<Q", 40 + len(chunks)) + b"wave" + W64_TAIL + chunks


def build_rf64(data: bytes, fmt: bytes, data_size: int | None = None) -> bytes:
    stated = len(data) if data_size is None else data_size
    ds64 = struct.pack("<QQQI", 72 + len(data), stated, len(data) // 4, 0)
    body = b"WAVEds64" + struct.pack("<I", len(ds64)) + ds64
    body += b"fmt " + struct.pack("<I", len(fmt)) + fmt
    return b"RF64\xff\xff\xff\xff" + body + b"data\xff\xff\xff\xff" + data


@dataclass
class Decoded:
    samples: np.ndarray
    recording: Recording
    full_scale: int

    @property
    def ratio(self) -> np.ndarray:
        return self.samples / self.full_scale

    @property
    def codes(self) -> set[str]:
        return {finding.code for finding in self.recording.findings}


def decode_file(path: Path | str, frames: int = 4096) -> Decoded:
    with open_recording(path) as reader:
        blocks = [block.copy() for block in reader.blocks(frames)]
        recording = reader.recording()
    return Decoded(np.concatenate(blocks), recording, recording.full_scale)


@pytest.fixture(scope="session")
def wav() -> type[Builder]:
    return Builder


@pytest.fixture(scope="session")
def w64() -> Callable[..., bytes]:
    return build_w64


@pytest.fixture(scope="session")
def rf64() -> Callable[..., bytes]:
    return build_rf64


@pytest.fixture(scope="session")
def decode() -> Callable[..., Decoded]:
    return decode_file


@pytest.fixture
def decode_bytes(tmp_path: Path) -> Callable[..., Decoded]:
    def run(content: bytes, name: str = "call.wav", frames: int = 4096) -> Decoded:
        path = tmp_path / name
        path.write_bytes(content)
        return decode_file(path, frames)

    return run


@pytest.fixture(scope="session")
def pcm16() -> np.ndarray:
    """Two channels of reproducible noise with both extremes in it, 3001 frames."""
    samples = np.random.default_rng(7).integers(-32768, 32768, (3001, 2), dtype=np.int16)
    samples[0], samples[1] = (-32768, 32767), (32767, -32768)
    return samples


@pytest.fixture(scope="session")
def tone() -> np.ndarray:
    """Two seconds of two different tones at 48 kHz, level -6 dBFS (peak 0.5), float."""
    time = np.arange(96_000) / 48_000
    return 0.5 * np.stack([np.sin(2 * np.pi * 440 * time), np.sin(2 * np.pi * 660 * time)], axis=1)


@pytest.fixture(scope="session")
def encode_media() -> Callable[[Path, str, str, np.ndarray], None]:
    """Writes a tone, shape (frames, 2) at 48 kHz, with a codec of the optional decoder into a container."""
    av = pytest.importorskip("av")

    def encode(path: Path, codec: str, container: str, tone: np.ndarray) -> None:
        with av.open(str(path), "w", format=container) as out:
            stream = out.add_stream(codec, rate=48_000)
            stream.layout = "stereo"
            resampler = av.AudioResampler(format=stream.codec_context.format, layout="stereo", rate=48_000)
            frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(tone.T, "f4"), "fltp", "stereo")
            frame.sample_rate, frame.pts = 48_000, 0
            for ready in [*resampler.resample(frame), *resampler.resample(None)]:
                out.mux(stream.encode(ready))
            out.mux(stream.encode(None))

    return encode
