"""Every threshold of the documented measurement, by name (METHODOLOGY, "Default parameters")."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class VADParams:
    """Parameters of the energy detector on one channel.

    Attributes:
        rel_db: a frame is active this many dB above the noise floor.
        abs_gate_db: dBFS below which nothing is ever active.
        hangover_sec: how long a channel stays active after its energy fell.
        noise_percentile: share of the quietest frames that marks the noise floor (0.10 = 10th percentile).
        dyn_margin_db: on a rarely silent channel the threshold stays this far below the loudest frame.
        backend: `energy` (the documented detector) or `neural` (a learned second opinion).
    """

    rel_db: float = 15.0
    abs_gate_db: float = -60.0
    hangover_sec: float = 0.15
    noise_percentile: float = 0.10
    dyn_margin_db: float = 22.0
    backend: str = "energy"


@dataclass(frozen=True, slots=True)
class ScoreConfig:
    """Parameters of the timing measurement: framing, windows, and a detector for each channel.

    Attributes:
        frame_ms: length of one analysis window.
        hop_ms: step between windows, the time resolution.
        yield_hangover_sec: the agent has yielded once it stays quiet this long.
        max_search_sec: how long after the onset a yield is looked for.
        caller_proximity_sec: a yield counts only if the caller was active within this distance of it.
        turn_end_silence_sec: the caller's turn has ended once they stay quiet this long.
        premature_tolerance_sec: the agent may start this long before the turn end without being premature.
        onset_min_run_sec: shortest run of active frames that counts as an onset.
        agent_onset_lookback_sec: window before the onset in which the agent counts as talking at it.
        caller_vad: detector parameters of the caller channel.
        agent_vad: detector parameters of the agent channel.
    """

    frame_ms: float = 20.0
    hop_ms: float = 10.0
    yield_hangover_sec: float = 0.20
    max_search_sec: float = 3.0
    caller_proximity_sec: float = 0.5
    turn_end_silence_sec: float = 0.20
    premature_tolerance_sec: float = 0.05
    onset_min_run_sec: float = 0.05
    agent_onset_lookback_sec: float = 0.10
    caller_vad: VADParams = field(default_factory=VADParams)
    agent_vad: VADParams = field(default_factory=VADParams)
