"""How far the numbers lie from the truth: errors, confusion, detection, coverage, the noise cliff.

`measure` compares one heard call with its truth and returns frozen rows; `aggregate` turns rows into tables;
`run_benchmark` does both for whole sets. `python -m hotato.benchmark` writes the report. There is no overall
score, here or anywhere.
"""

from hotato.benchmark.measure import Place, measure
from hotato.benchmark.params import PARAMS, MatchParams
from hotato.benchmark.records import Rows, together
from hotato.benchmark.run import run_benchmark
from hotato.benchmark.truth import Moment, Stated, Truth, stated_in, truth_of

__all__ = [
    "PARAMS",
    "MatchParams",
    "Moment",
    "Place",
    "Rows",
    "Stated",
    "Truth",
    "measure",
    "run_benchmark",
    "stated_in",
    "together",
    "truth_of",
]
