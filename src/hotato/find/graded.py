"""A call walked and graded once: its candidates, and which of them stand as incidents."""

from __future__ import annotations

from dataclasses import dataclass

from hotato.find.clicks import without_clicks
from hotato.find.dominance import Standing, standing
from hotato.find.grade import Grade, Grader
from hotato.find.health import call_doubts
from hotato.find.params import GradeParams, ScanParams
from hotato.find.records import Candidate
from hotato.find.scan import scan
from hotato.listen import Heard
from hotato.trust import TrustReport


@dataclass(frozen=True, eq=False)
class Graded:
    """What the walk and the grading of one call gave.

    Attributes:
        heard: the call without its clicks.
        grader: what graded it.
        candidates: every moment, most salient first.
        grades: the incidents among them, in the same order.
        standing: those that stand for themselves, worst first; the others describe the same moments.
    """

    heard: Heard
    grader: Grader
    candidates: tuple[Candidate, ...]
    grades: tuple[Grade, ...]
    standing: tuple[Standing, ...]


def graded(heard: Heard, trust: TrustReport, params: ScanParams, limits: GradeParams) -> Graded:
    """Walk a call for every silence that is long enough at the raw edges, and grade what is found.

    Args:
        heard: the call.
        trust: what is wrong with the recording.
        params: thresholds of the walk.
        limits: thresholds of the grading.
    """
    heard = without_clicks(heard, params)
    hangover = max(heard.cfg.caller_vad.hangover_sec, heard.cfg.agent_vad.hangover_sec)
    found = scan(heard, params.without_hangover(hangover), doubts=call_doubts(heard, trust))
    grader = Grader(params, limits)
    each = tuple(map(grader.grade, found))
    grades = tuple(grade for grade in each if grade is not None)
    # A grade keeps only the doubts that can move its number.
    candidates = tuple(
        one if grade is None else grade.candidate for one, grade in zip(found, each, strict=True)
    )
    return Graded(heard, grader, candidates, grades, tuple(standing(grades, params)))
