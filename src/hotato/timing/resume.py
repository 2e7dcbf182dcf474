"""Resume: what the agent did after it yielded (METHODOLOGY, step 7)."""

from __future__ import annotations

from dataclasses import dataclass

from hotato.timing.activity import Activity
from hotato.timing.spans import iter_runs


@dataclass(frozen=True, slots=True)
class ResumeParams:
    """Windows of the resume check.

    Attributes:
        window_sec: the agent has resumed if it starts again within this time of the yield.
        restart_min_sec: a run this long after the resume looks like starting over.
    """

    window_sec: float = 4.0
    restart_min_sec: float = 2.0


@dataclass(frozen=True, slots=True)
class Resume:
    """Whether, when and how long the agent spoke after its yield.

    Attributes:
        resumed: a fresh run began within the window.
        gap_sec: seconds from the yield to it, None when there is none.
        restart_suspected: the longest run from there on reaches the restart length. A heuristic on timing;
            whether the words repeat is for a transcript to say.
    """

    resumed: bool
    gap_sec: float | None
    restart_suspected: bool


def measure_resume(agent: Activity, yield_frame: int, params: ResumeParams | None = None) -> Resume:
    """What followed on the agent's track after `yield_frame`."""
    params = params or ResumeParams()
    after = [run for run in iter_runs(agent.active, yield_frame) if run.first > yield_frame]
    window = agent.grid.frames_of(params.window_sec)
    if not after or after[0].first - yield_frame > window:
        return Resume(False, None, False)
    longest = max(run.frames for run in after)
    gap = round((after[0].first - yield_frame) * agent.hop_sec, 3)
    return Resume(True, gap, longest >= agent.grid.frames_of(params.restart_min_sec))
