"""Two sets of scored events side by side: one taxonomy of what moved, for every command that compares.

    from hotato.compare import read_run, verify_runs
    result = verify_runs(read_run("before.json"), read_run("after.json"))

`moved` says what became of one event, `pair_runs` which event is which; `compare`, `verify`,
`baseline check`, `prove` and the page of a run all rest on these two. Nothing here says why something moved.
"""

from hotato.compare.baseline import BaselineCheck, Tolerances, check_baseline, read_tolerances
from hotato.compare.evidence import Evidence, evidence_of
from hotato.compare.gates import (
    baseline_checks,
    closed_words,
    move_words,
    moves_words,
    takes_checks,
    verify_checks,
)
from hotato.compare.pairing import pair_runs
from hotato.compare.policy import Policy, PolicyResult, hold_against, read_policy
from hotato.compare.records import MIRRORED, RESULTS, Move, Movement, Pair, Pairs, Result, Scored
from hotato.compare.runs import Run, events_of, read_run
from hotato.compare.takes import TakesCompared, compare_takes, takes_exit_code
from hotato.compare.taxonomy import moved, same_samples, value_of
from hotato.compare.verification import DEFAULT_MIN_N, Verification, verification_of, verify_runs

__all__ = [
    "DEFAULT_MIN_N",
    "MIRRORED",
    "RESULTS",
    "BaselineCheck",
    "Evidence",
    "Move",
    "Movement",
    "Pair",
    "Pairs",
    "Policy",
    "PolicyResult",
    "Result",
    "Run",
    "Scored",
    "TakesCompared",
    "Tolerances",
    "Verification",
    "baseline_checks",
    "check_baseline",
    "closed_words",
    "compare_takes",
    "events_of",
    "evidence_of",
    "hold_against",
    "move_words",
    "moved",
    "moves_words",
    "pair_runs",
    "read_policy",
    "read_run",
    "read_tolerances",
    "same_samples",
    "takes_checks",
    "takes_exit_code",
    "value_of",
    "verification_of",
    "verify_checks",
    "verify_runs",
]
