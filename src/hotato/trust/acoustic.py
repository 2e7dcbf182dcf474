"""What the channels of a recording sound like: level over noise, silence, bursts. Facts, no judgment."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from hotato.listen import Call, Mixed, Track
from hotato.timing.snr import estimate_snr_db

NOTE = "Facts of the sound on each channel, measured from frame energies. They judge neither party."
_NO_SOUND = "the channel holds no sound"
_MINUTE_SEC = 60.0


class ChannelSound(Struct, frozen=True, kw_only=True):
    """One channel.

    Attributes:
        channel: its number in the file.
        role: `caller`, `agent`, or `mixed` where a single channel holds both.
        duration_sec: its length.
        snr_db: power of the loud frames over that of the quietest; None for a channel without sound.
        snr_null_reason: why there is none, or None.
        percent_silence: share of the frames without sound, 0 to 100.
        energy_bursts: stretches of sound, hangover excluded.
        energy_burst_rate_per_min: the same for each minute.
        clipping_fraction: share of the samples that stand at full scale.
    """

    channel: int
    role: str
    duration_sec: float
    snr_db: float | None
    snr_null_reason: str | None
    percent_silence: float
    energy_bursts: int
    energy_burst_rate_per_min: float
    clipping_fraction: float


class Acoustic(Struct, frozen=True, kw_only=True):
    """All channels of a recording.

    Attributes:
        source: base name of the recording.
        sample_rate: in hertz.
        channels: the caller's first.
    """

    tool: str = "hotato"
    kind: str = "acoustic"
    schema_version: str = "1"
    source: str
    sample_rate: int
    note: str = NOTE
    channels: tuple[ChannelSound, ...]


def acoustic(call: Call) -> Acoustic:
    """What the channels of a call sound like."""
    tracks = (call.track,) if isinstance(call, Mixed) else (call.caller, call.agent)
    return Acoustic(
        source=call.name,
        sample_rate=call.grid.sample_rate_hz,
        channels=tuple(_sound(track) for track in tracks),
    )


def _sound(track: Track) -> ChannelSound:
    heard, levels = track.reference, track.levels
    duration_sec = levels.samples / levels.grid.sample_rate_hz
    snr_db, bursts = estimate_snr_db(heard), len(heard.trimmed_runs)
    silent = 1.0 - float(np.count_nonzero(heard.trimmed)) / heard.frames if heard.frames else 1.0
    return ChannelSound(
        channel=track.channel,
        role=track.role,
        duration_sec=round(duration_sec, 3),
        snr_db=snr_db,
        snr_null_reason=_NO_SOUND if snr_db is None else None,
        percent_silence=round(100.0 * silent, 1),
        energy_bursts=bursts,
        energy_burst_rate_per_min=round(bursts * _MINUTE_SEC / duration_sec, 1) if duration_sec else 0.0,
        clipping_fraction=round(levels.clipped_fraction, 6),
    )
