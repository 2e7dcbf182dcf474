"""How far the numbers lie from the truth: errors, confusion, detection, coverage, the noise cliff.

`measure` compares one heard call with its truth and returns frozen rows; `aggregate` turns rows into tables;
`run_benchmark` does both for whole sets. `python -m hotato.benchmark` writes the report. `run_bench` and
`verify_bench` score a frozen battery reproducibly; `run_stackbench` and `compare_results` put one battery
through several platforms. There is no overall score, here or anywhere.

The names are loaded on demand, so that `python -m hotato.benchmark` can be interrupted while it loads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotato._names import on_demand

if TYPE_CHECKING:
    from hotato.benchmark.compare import (
        COMPARISON,
        COMPARISON_MARK,
        STACK_BENCHMARK,
        compare_results,
        load_result,
        render_comparison_md,
    )
    from hotato.benchmark.frozen import (
        BENCH_RESULT,
        Verification,
        load_bench,
        run_bench,
        suite_content_hash,
        verify_bench,
    )
    from hotato.benchmark.measuring import Place, measure
    from hotato.benchmark.params import PARAMS, MatchParams
    from hotato.benchmark.pinned import BENCH_VERSION, FROZEN, TIERS, Battery
    from hotato.benchmark.records import Rows, together
    from hotato.benchmark.run import run_benchmark
    from hotato.benchmark.stacks import BENCH_STACKS, Stimulus, run_stackbench, stimuli
    from hotato.benchmark.stated import Stated
    from hotato.benchmark.truth import Moment, Truth, stated_in, truth_of

__all__ = [
    "BENCH_RESULT",
    "BENCH_STACKS",
    "BENCH_VERSION",
    "COMPARISON",
    "COMPARISON_MARK",
    "FROZEN",
    "PARAMS",
    "STACK_BENCHMARK",
    "TIERS",
    "Battery",
    "MatchParams",
    "Moment",
    "Place",
    "Rows",
    "Stated",
    "Stimulus",
    "Truth",
    "Verification",
    "compare_results",
    "load_bench",
    "load_result",
    "measure",
    "render_comparison_md",
    "run_bench",
    "run_benchmark",
    "run_stackbench",
    "stated_in",
    "stimuli",
    "suite_content_hash",
    "together",
    "truth_of",
    "verify_bench",
]

__getattr__ = on_demand(
    __name__,
    {
        "compare": "COMPARISON COMPARISON_MARK STACK_BENCHMARK compare_results load_result"
        " render_comparison_md",
        "frozen": "BENCH_RESULT Verification load_bench run_bench suite_content_hash verify_bench",
        "measuring": "Place measure",
        "params": "PARAMS MatchParams",
        "pinned": "BENCH_VERSION FROZEN TIERS Battery",
        "records": "Rows together",
        "run": "run_benchmark",
        "stacks": "BENCH_STACKS Stimulus run_stackbench stimuli",
        "stated": "Stated",
        "truth": "Moment Truth stated_in truth_of",
    },
)
