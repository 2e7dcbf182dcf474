"""The noise cliff on natural speech: wrong yield verdicts as the noise rises, by two detectors."""

from __future__ import annotations

from dataclasses import dataclass

from hotato.benchmark import Rows
from hotato.benchmark.aggregate import CliffPoint, cliff

HEAD = ("noise", "SNR", "verdicts", "documented only", "ours", "ours calibrated", "warned", "robust", "calls")


@dataclass(frozen=True)
class CliffRow:
    """One level of one noise.

    Attributes:
        noise: its name, `clean` for none.
        snr_db: the level; None for none.
        verdicts: yield verdicts whose truth is known.
        wrong_documented_only: wrong ones by the documented detector alone; None where it was not asked.
        wrong: wrong ones by ours, documented profile.
        wrong_calibrated: wrong ones by ours, calibrated profile.
        warned: calls with a doubt.
        robust: calls on which the robust detector answered for a party.
        calls: all calls.
    """

    noise: str
    snr_db: int | None
    verdicts: int
    wrong_documented_only: int | None
    wrong: int
    wrong_calibrated: int
    warned: int
    robust: int
    calls: int

    def cells(self) -> tuple[str, ...]:
        """The row for a table."""
        level = "-" if self.snr_db is None else f"{self.snr_db} dB"
        before = "-" if self.wrong_documented_only is None else str(self.wrong_documented_only)
        counts = (self.wrong, self.wrong_calibrated, self.warned, self.robust, self.calls)
        return self.noise, level, str(self.verdicts), before, *map(str, counts)


def cliff_of(ours: Rows, documented: Rows | None = None) -> list[CliffRow]:
    """A row for each level of each noise, clean calls first; none where no noise of a known level is.

    Args:
        ours: rows of the detector that was asked for.
        documented: rows of the documented detector alone on the same calls.
    """
    before = {} if documented is None else {_key(point): point for point in cliff(documented, "reference")}
    return [
        CliffRow(
            point.noise,
            point.snr_db,
            point.verdicts,
            before[_key(point)].flipped if before else None,
            point.flipped,
            point.flipped_calibrated,
            point.warned,
            point.robust,
            point.calls,
        )
        for point in cliff(ours)
    ]


def _key(point: CliffPoint) -> tuple[str, int | None]:
    return point.noise, point.snr_db
