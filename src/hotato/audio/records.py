"""What the audio room says about a recording."""

from __future__ import annotations

import msgspec

from hotato.findings import Finding


class Container(msgspec.Struct, frozen=True, kw_only=True):
    """What the probe read from a file's header, before any sample.

    Attributes:
        container: `wav`, `rifx`, `rf64`, `w64`, `flac`, `ogg`, `mp3`, `aiff`, `au`, `caf`, `nist`, `voc`,
            and with the `media` extra `mp4`, `matroska` (also WebM), `aac`, `asf`, `amr`, `flv`.
        encoding: `pcm_s16`, `pcm_u8`, `pcm_s24`, `pcm_s32`, `pcm_f32`, `pcm_f64`, `mulaw`, `alaw`, `flac`,
            `opus`, `vorbis`, `mp3`, ...
        sample_rate_hz: samples per second and channel, as declared.
        channels: how many channels.
        declared_frames: sample frames the header states, or None when it states none.
        findings: where the header and the file disagree.
    """

    container: str
    encoding: str
    sample_rate_hz: int
    channels: int
    declared_frames: int | None = None
    findings: tuple[Finding, ...] = ()


class Recording(msgspec.Struct, frozen=True, kw_only=True):
    """A recording that was decoded to its end: what it is and whose bytes it has.

    Attributes:
        name: base name of the file, or `stdin`. Never a path.
        container: header facts, see `Container`.
        frames: sample frames decoded (one frame = one sample per channel).
        full_scale: integer that stands for 1.0 in the decoded samples: 32768 for sources of at most 16 bits,
            8388608 for wider ones.
        file_bytes: size of the file.
        file_sha256: sha256 (hex) of the file's bytes.
        pcm_sha256: sha256 (hex) of the decoded integer samples, little-endian, channels interleaved
            (int16 at full scale 32768, else int32).
        findings: facts of header and body together.
    """

    name: str
    container: Container
    frames: int
    full_scale: int
    file_bytes: int
    file_sha256: str
    pcm_sha256: str
    findings: tuple[Finding, ...] = ()

    @property
    def sample_rate_hz(self) -> int:
        """Samples per second and channel."""
        return self.container.sample_rate_hz

    @property
    def channels(self) -> int:
        """How many channels the recording has."""
        return self.container.channels

    @property
    def duration_sec(self) -> float:
        """Length in seconds: decoded frames over the sample rate."""
        return self.frames / self.container.sample_rate_hz
