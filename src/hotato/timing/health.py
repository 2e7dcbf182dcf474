"""Can the documented detector be trusted on this channel? Cheap, declared tests on the frame levels.

A doubt is a reason code with its numbers. A channel with a doubt is still measured, and no confident
CRITICAL rests on it. DC is not a doubt: it is removed, and the removal is stated.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotato.timing.activity import Activity, Reason
from hotato.timing.energy import Levels


@dataclass(frozen=True, slots=True)
class HealthParams:
    """Limits of the tests.

    Attributes:
        dc_limit: mean sample (1.0 = full scale) from which DC is removed before the detector runs.
    """

    dc_limit: float = 0.003


def conditioned(levels: Levels, params: HealthParams | None = None) -> tuple[Levels, float]:
    """The levels the detector shall work on, and the DC that was removed (0.0 for none)."""
    params = params or HealthParams()
    mean = levels.mean
    return (levels.without_dc(), mean) if abs(mean) >= params.dc_limit else (levels, 0.0)


def channel_doubts(
    levels: Levels, activity: Activity, params: HealthParams | None = None
) -> tuple[Reason, ...]:
    """Reasons to doubt `activity`, in a fixed order; empty on a healthy channel."""
    return ()
