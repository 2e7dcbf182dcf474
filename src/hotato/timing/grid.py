"""The frame grid: which samples a frame covers, and what time a frame stands for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FrameGrid:
    """Analysis windows of `window_samples`, one every `hop_samples`.

    Frame k covers samples [k * hop, k * hop + window), cut at the end of the recording, and stands for the
    time k * hop_sec. There is a frame for every hop that begins inside the recording.
    """

    sample_rate_hz: int
    window_samples: int
    hop_samples: int

    @classmethod
    def from_ms(cls, sample_rate_hz: int, *, frame_ms: float = 20.0, hop_ms: float = 10.0) -> FrameGrid:
        """The grid of whole samples nearest to the wanted window and hop.

        Raises:
            ValueError: the hop is under one sample, or the window is shorter than the hop.
        """
        window = round(sample_rate_hz * frame_ms / 1000.0)
        hop = round(sample_rate_hz * hop_ms / 1000.0)
        if hop < 1 or window < hop:
            raise ValueError("a frame must be at least one hop long and a hop at least one sample")
        return cls(sample_rate_hz, window, hop)

    @property
    def hop_sec(self) -> float:
        """Seconds from one frame to the next: the integer hop over the sample rate."""
        return self.hop_samples / self.sample_rate_hz

    @property
    def window_sec(self) -> float:
        """Seconds that one frame covers."""
        return self.window_samples / self.sample_rate_hz

    @property
    def subblocks_per_hop(self) -> int:
        """Into how many equal parts a hop is cut for the low-frequency track.

        The smallest divisor of the hop that is at least 4 (a track of at least 400 Hz at a 10 ms hop, enough
        to see mains hum and its harmonics); the hop itself where it is prime.
        """
        divisors = (d for d in range(4, self.hop_samples + 1) if self.hop_samples % d == 0)
        return next(divisors, 1)

    def frames_of(self, seconds: float) -> int:
        """The number of hops nearest to `seconds` (ties to even, as the documented measurement rounds)."""
        return round(seconds / self.hop_sec)
