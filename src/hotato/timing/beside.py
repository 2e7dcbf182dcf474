"""What lies beside an edge: the quiet frames before a sound or behind it, and slices in either direction."""

from __future__ import annotations

from hotato.timing.activity import Activity


def quiet_beside(activity: Activity, frame: int, step: int, limit: int) -> list[float]:
    """Levels of the inactive frames next to `frame` in the direction of `step`, nearest first."""
    beside = slice_from(frame + step, step, limit)
    raw, levels = activity.raw[beside], activity.dbfs[beside]
    quiet: list[float] = levels[: int(raw.argmax()) if raw.any() else len(raw)].tolist()
    return quiet


def slice_from(frame: int, step: int, count: int) -> slice:
    """The slice of `count` frames from `frame` in the direction of `step`, cut at the recording's ends."""
    if step > 0:
        return slice(frame, frame + count)
    stop = frame - count
    return slice(frame, stop if stop >= 0 else None, -1) if frame >= 0 else slice(0, 0)
