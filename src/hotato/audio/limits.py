"""Every bound of the audio room, in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AudioLimits:
    """What a recording may be, and how much the room holds or looks at.

    Attributes:
        sample_rate_min_hz: below this speech energy cannot be judged; refused.
        sample_rate_max_hz: above this no phone or studio system writes; refused.
        channels_max: most channels accepted.
        stdin_max_bytes: most bytes taken from standard input.
        float_clip_full_scale: float samples are clipped at this multiple of full scale, so that any sum of
            squares stays exact.
        read_bytes: how much is read from the file at a time.
        batch_frames: how many frames a library decoder is asked for at a time.
        packets_at_once: how many packets of a media file are decoded at a time.
        queued_buffers: how many buffers may wait for a digest.
        riff_chunks_max: how many chunks of a RIFF file are walked.
        riff_rescue_bytes: how far a lost chunk is searched for.
        riff_rescues_max: how often.
        riff_format_bytes_max: how much of a format chunk is looked at.
        continued_min_sec: bytes behind the declared end that are no chunk count as samples from this
            length on.
        zeros_searched_bytes: how far zeros behind the declared end are followed in search of sound.
        longest_sec: no recording longer than this is read.
        dense_free_sec: up to this length a file may be as dense as it likes (silence packs well).
        dense_frames_per_byte: beyond that, more frames for each byte of the file than this are refused: a few
            megabytes of packed silence would cost gigabytes. A call of nine tenths silence has about 10.
        timestamp_gap_min_ms: a hole in the packet times of a media file from this length on is reported.
        ogg_tail_bytes: how much of the end of an Ogg file is searched for its last page.
        id3_tags_max: how many ID3 tags in a row are skipped.
        mp3_resync_bytes: how far after an ID3 tag the first MP3 frame is searched for.
    """

    sample_rate_min_hz: int = 4_000
    sample_rate_max_hz: int = 384_000
    channels_max: int = 64
    stdin_max_bytes: int = 8 << 30
    float_clip_full_scale: float = 4.0
    read_bytes: int = 1 << 20
    batch_frames: int = 65_536
    packets_at_once: int = 16
    queued_buffers: int = 4
    riff_chunks_max: int = 4_096
    riff_rescue_bytes: int = 65_536
    riff_rescues_max: int = 4
    riff_format_bytes_max: int = 1_024
    continued_min_sec: float = 1.0
    zeros_searched_bytes: int = 256 << 20
    longest_sec: float = 12 * 3_600.0
    dense_free_sec: float = 2 * 3_600.0
    dense_frames_per_byte: int = 64
    timestamp_gap_min_ms: float = 50.0
    ogg_tail_bytes: int = 131_072
    id3_tags_max: int = 16
    mp3_resync_bytes: int = 4_096


LIMITS = AudioLimits()
