"""The neural backend beside ours, by condition: wrong yield verdicts of either, and how often they agree."""

from __future__ import annotations

from collections.abc import Iterator

from hotato.benchmark import Rows
from hotato.benchmark.aggregate import by, yield_verdicts

HEAD = ("second opinion", "verdicts", "ours wrong", "neural wrong", "of those withheld", "same answer")
ALL = "all"


def opinion_rows(ours: Rows, neural: Rows) -> Iterator[tuple[str, ...]]:
    """A row for each condition and one for all of them.

    Wrong is by the raw edges of either, which no hangover moves. The same answer is that of "did the agent
    yield?", of the events that both judged.

    Args:
        ours: rows of the energy backend.
        neural: rows of the neural backend on the same calls.
    """
    theirs = {(row.scenario, row.at_sec): row for row in neural.verdicts}
    groups = by(ours.verdicts, lambda row: row.condition)
    for condition, rows in (*groups.items(), (ALL, list(ours.verdicts))):
        others = [theirs[row.scenario, row.at_sec] for row in rows if (row.scenario, row.at_sec) in theirs]
        pairs = [(row, theirs.get((row.scenario, row.at_sec))) for row in rows]
        judged = [(mine, other) for mine, other in pairs if other and mine.scorable and other.scorable]
        same = sum(mine.did_yield is other.did_yield for mine, other in judged)
        mine, other = yield_verdicts(rows), yield_verdicts(others)
        counts = (mine.n, mine.wrong_edges, other.wrong_edges, other.withheld)
        yield condition, *map(str, counts), f"{same} of {len(judged)}"
