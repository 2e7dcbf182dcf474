"""Opening a recording and reading it to its end."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import TracebackType
from typing import Literal, Protocol, Self

from hotato.audio import facts
from hotato.audio.au import read_au
from hotato.audio.hashing import BackgroundHash
from hotato.audio.limits import LIMITS
from hotato.audio.media import MediaDecoder
from hotato.audio.pcm import FloatScaler, Samples
from hotato.audio.probe import Probe, probe
from hotato.audio.records import Container, Recording
from hotato.audio.riff import no_samples, read_layout
from hotato.audio.sndfile import CannotDecode, SndfileDecoder
from hotato.audio.source import Source, open_source, refusal_for
from hotato.audio.wave import WaveDecoder
from hotato.audio.wave_format import RAW_TAGS, RawLayout
from hotato.errors import ExtraMissing, Refusal, extra_remedy
from hotato.findings import Finding

Digests = Literal["all", "file", "none"]


class Decoder(Protocol):
    """What every way of decoding offers.

    Attributes:
        container: header facts.
        full_scale: integer that stands for 1.0.
        scaler: counts what the samples hold beyond full scale or besides numbers.
        tapped: offsets of the file whose bytes pass through the tap, or None when a library reads by itself.
    """

    container: Container
    full_scale: int
    scaler: FloatScaler
    tapped: range | None

    @property
    def stopped_early(self) -> bool:
        """Whether decoding broke off inside the body."""

    def chunks(self, frames: int, tap: Callable[[bytes], None] | None) -> Iterator[Samples]:
        """Samples of shape (n, channels), every array `frames` long except the last."""

    def frames_per_read(self) -> int:
        """How many frames make a read of the usual size."""

    def findings(self) -> list[Finding]:
        """What the samples showed, after the last chunk."""

    def close(self) -> None:
        """Release what it holds."""


def open_recording(source: str | os.PathLike[str], *, digests: Digests = "all") -> Reader:
    """Open a recording by path, or standard input for `-`. The content decides the format, not the name.

    Args:
        source: path, or `-`.
        digests: which sha256 to compute while reading: `all`, that of the `file` alone, or `none`. One that
            is not computed is "".

    Raises:
        Refusal: `not_found`, `is_a_directory`, `not_a_file`, `permission_denied`, `unreadable`, `too_large`,
            `disk_full`, `not_audio`, `no_samples`, `sample_rate_too_low`, `sample_rate_too_high`,
            `too_many_channels`, `unsupported_encoding`, `extra_missing`.
    """
    opened = open_source(source)
    try:
        decoder, found = _open_decoder(opened)
        try:
            _check(decoder.container, opened.name)
        except BaseException:
            decoder.close()
            raise
    except OSError as error:
        opened.close()
        raise refusal_for(error, opened.name) from error
    except BaseException:
        opened.close()
        raise
    return Reader(opened, decoder, found, digests=digests)


class Reader:
    """An open recording. Use it as a context manager, iterate `blocks` to the end, then ask for `recording`.

    Attributes:
        container: header facts.
        full_scale: integer that stands for 1.0 in the samples.
    """

    def __init__(
        self, source: Source, decoder: Decoder, found: Probe, *, digests: Digests, kept: bool = False
    ):
        self._source = source
        self._probe = found
        self._hashes: list[BackgroundHash] = []
        self._decoder = decoder
        self._digests = digests
        self._started = False
        self._recording: Recording | None = None
        self._kept = kept
        self.container = decoder.container
        self.full_scale = decoder.full_scale

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, unless it is kept. Harmless when closed."""
        self._cancel_hashes()
        self._decoder.close()
        if not self._kept:
            self._source.close()

    def keep(self) -> Replay:
        """Leave the file open when this reader closes, so that it can be read again."""
        self._kept = True
        return Replay(self._source)

    def _cancel_hashes(self) -> None:
        for running in self._hashes:
            running.cancel()
        self._hashes.clear()

    def blocks(self, frames: int) -> Iterator[Samples]:
        """All samples in order, once.

        Args:
            frames: length of every block except the last, which is shorter but never empty.

        Yields:
            Read-only arrays of shape (n, channels), C-contiguous, int16 at full scale 32768, else int32.

        Raises:
            RuntimeError: on a second call.
            Refusal: `no_samples`, `non_finite_samples` (counted over the whole file; no block follows the
                first such sample), `changed_while_read`, `unreadable`, `format_changes`, `too_long`.
        """
        if frames < 1:
            raise ValueError(f"frames must be at least 1, not {frames}")
        if self._started:
            raise RuntimeError("the samples of a recording can be read once; open it again")
        self._started = True
        return self._run(frames)

    def recording(self) -> Recording:
        """What was read: digests, counted frames, all findings.

        Raises:
            RuntimeError: while `blocks` has not been read to its end.
        """
        if self._recording is None:
            raise RuntimeError("read all blocks of the recording first")
        return self._recording

    def _run(self, frames: int) -> Iterator[Samples]:
        file_hash = BackgroundHash(self._source) if self._digests != "none" else None
        pcm_hash = BackgroundHash(self._source) if self._digests == "all" else None
        self._hashes = [running for running in (file_hash, pcm_hash) if running is not None]
        longest = _longest_frames(self.container.sample_rate_hz, self._source.size)
        try:
            counted = 0
            for chunk in self._chunks(frames, file_hash):
                if pcm_hash is not None:
                    # No copy on a little-endian machine.
                    pcm_hash.feed(chunk.astype(chunk.dtype.newbyteorder("<"), copy=False).reshape(-1).data)
                counted += len(chunk)
                if counted > longest:
                    raise _too_long(self._source.name, self.container.sample_rate_hz, longest)
                if self._decoder.scaler.non_finite:
                    continue
                for start in range(0, len(chunk), frames):
                    yield chunk[start : start + frames]
            self._finish(
                counted,
                file_hash.hexdigest() if file_hash is not None else "",
                pcm_hash.hexdigest() if pcm_hash is not None else "",
            )
        except OSError as error:
            raise refusal_for(error, self._source.name) from error
        finally:
            self._cancel_hashes()

    def _chunks(self, frames: int, file_hash: BackgroundHash | None) -> Iterator[Samples]:
        """Chunks of whole blocks. The file's hash gets its bytes from here where we read them anyway."""
        size = self._source.size
        tapped, tap = self._decoder.tapped, None
        if file_hash is not None and tapped is None:
            file_hash.feed(range(size))
        elif file_hash is not None and tapped is not None:
            file_hash.feed(range(tapped.start))
            tap = file_hash.feed
        batch = max(1, self._decoder.frames_per_read() // frames) * frames
        for chunk in self._decoder.chunks(batch, tap):
            chunk.flags.writeable = False
            yield chunk
        if file_hash is not None and tapped is not None:
            file_hash.feed(range(tapped.stop, size))

    def _finish(self, counted: int, file_sha256: str, pcm_sha256: str) -> None:
        source, decoder = self._source, self._decoder
        source.check_unchanged()
        decoder.scaler.refuse_non_finite(source.name)
        if counted == 0:
            raise no_samples(source.name)
        findings = [
            *decoder.container.findings,
            *_length_findings(decoder, self._probe, counted),
            *decoder.findings(),
        ]
        self._recording = Recording(
            name=source.name,
            container=decoder.container,
            frames=counted,
            full_scale=decoder.full_scale,
            file_bytes=source.size,
            file_sha256=file_sha256,
            pcm_sha256=pcm_sha256,
            findings=tuple(findings),
        )


class Replay:
    """A recording that stays open after its first reading, standard input too; closed when nobody holds it.

    Args:
        source: the open file.
    """

    def __init__(self, source: Source):
        self._source = source
        self._finalizer = weakref.finalize(self, source.close)

    def open(self) -> Reader:
        """A new reader of the same bytes, which computes no digests.

        Raises:
            Refusal: `changed_while_read` when the file was written to in the meantime.
        """
        self._source.check_unchanged()
        decoder, found = _open_decoder(self._source)
        return Reader(self._source, decoder, found, digests="none", kept=True)


def _open_decoder(source: Source) -> tuple[Decoder, Probe]:
    """Our own decoding where the samples are raw, else a library's."""
    found = probe(source)
    layout = None
    if found.decoder == "raw":
        layout = read_au(source) if found.container == "au" else read_layout(source)
    if layout is None:
        return _library_decoder(source, found, found.container), found
    form = layout.format
    what = f"{layout.container} with {form.name} samples (format tag {form.tag:#06x})"
    if form.encoding is None and form.tag in RAW_TAGS:
        # A width that no writer uses. A library would believe it and reserve memory for it.
        raise _unsupported(source, what, "", "fetch the recording again")
    if form.encoding is None:
        # PyAV believes the lengths inside a chunk whose own length is wrong, and reserves memory for them.
        whole = all(finding.code != "header_size_wrong" for finding in layout.findings)
        media_format = found.media_format if whole else None
        found = replace(
            found,
            container=layout.container,
            findings=layout.findings,
            media_format=media_format,
            patch=_true_size(layout),
        )
        return _library_decoder(source, found, what), found
    if not layout.data_bytes:
        raise no_samples(source.name)
    return WaveDecoder(source, layout), found


def _true_size(layout: RawLayout) -> tuple[int, bytes] | None:
    """The size of the samples where the header states another one, which a library would believe."""
    if layout.container not in ("wav", "rifx") or layout.declared_bytes == layout.data_bytes:
        return None
    size = min(layout.data_bytes, 0xFFFF_FFFE)
    return layout.data_start - 4, size.to_bytes(4, "big" if layout.big_endian else "little")


def _library_decoder(source: Source, found: Probe, what: str) -> Decoder:
    """The first library that can read the file: libsndfile, then the optional one."""
    reason, remedy = "", "if other programs play it, convert it to 16-bit PCM WAV; otherwise fetch it again"
    if found.decoder != "media":
        try:
            return SndfileDecoder(source, found)
        except CannotDecode as error:
            reason = f" ({error})"
    try:
        if found.media_format is not None:
            return MediaDecoder(source, found)
    except CannotDecode as error:
        reason = reason or f" ({error})"
    except ExtraMissing:
        if found.decoder == "media":
            raise
        remedy = f"convert it to 16-bit PCM WAV; for more decoders {extra_remedy('media')}"
    raise _unsupported(source, what, reason, remedy)


def _unsupported(source: Source, what: str, reason: str, remedy: str) -> Refusal:
    return Refusal(
        "unsupported_encoding", f"'{source.name}' is {what}, and no decoder here can read it{reason}", remedy
    )


def _check(container: Container, name: str) -> None:
    rate, channels = container.sample_rate_hz, container.channels
    if rate < LIMITS.sample_rate_min_hz:
        raise Refusal(
            "sample_rate_too_low",
            f"'{name}' has {rate} samples a second; speech needs at least {LIMITS.sample_rate_min_hz}",
            "use the recording as the phone system made it (8000 Hz or more)",
        )
    if rate > LIMITS.sample_rate_max_hz:
        raise Refusal(
            "sample_rate_too_high",
            f"'{name}' states {rate} samples a second; at most {LIMITS.sample_rate_max_hz} are read",
            "check the header, or resample to 48000 Hz or less",
        )
    if channels > LIMITS.channels_max:
        raise Refusal(
            "too_many_channels",
            f"'{name}' has {channels} channels; at most {LIMITS.channels_max} are read",
            "export the caller and the agent alone",
        )


def _longest_frames(rate_hz: int, size: int) -> int:
    """How many frames are read of a file of `size` bytes."""
    dense = max(LIMITS.dense_free_sec * rate_hz, LIMITS.dense_frames_per_byte * size)
    return int(min(LIMITS.longest_sec * rate_hz, dense))


def _too_long(name: str, rate_hz: int, longest: int) -> Refusal:
    return Refusal(
        "too_long",
        f"'{name}' goes on for over {longest / rate_hz / 3600:.1f} hours, too long for its size",
        "cut it into calls",
    )


def _length_findings(decoder: Decoder, found: Probe, counted: int) -> list[Finding]:
    """Declared against decoded, for what a library decoded; our own walk has compared bytes already."""
    rate_hz, declared = decoder.container.sample_rate_hz, decoder.container.declared_frames
    findings = [facts.decode_stopped(counted, counted / rate_hz)] if decoder.stopped_early else []
    if decoder.tapped is not None or declared is None:
        return findings
    if counted < declared - found.tolerance_frames:
        findings.append(facts.truncated(declared, counted, "frames", (declared - counted) / rate_hz))
    elif counted > declared + found.tolerance_frames:
        findings.append(facts.declared_frames_wrong(declared, counted))
    return findings
