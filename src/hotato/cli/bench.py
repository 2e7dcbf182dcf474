"""`hotato bench`: score a frozen battery, and verify a result by scoring it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hotato.cli import options
from hotato.cli.outputs import Artifact, require_file_name, write_artifacts, written_lines
from hotato.cli.terminal import emit
from hotato.editions import json_mark
from hotato.plain import shown

if TYPE_CHECKING:
    from hotato.benchmark import Verification

NOT_FROZEN = "This set is none of the frozen batteries: compare its result with nobody else's."

suites_option = click.option(
    "--suites-dir",
    type=options.FILE,
    metavar="DIR",
    help="Folder of the batteries (corpus/suites if left out).",
)


@click.group()
def bench() -> None:
    """Score a frozen battery, or verify such a result.

    A result names the exact files, thresholds and engine behind its numbers, so that anyone can make it
    again.
    """


@bench.command("run")
@click.option(
    "--suite",
    default="bundled",
    show_default=True,
    metavar="NAME",
    help="Which battery: bundled, silver, silver-defects, gold, gold-defects, or a set of your own.",
)
@suites_option
@click.option(
    "--out", type=options.TARGET, metavar="FILE", help="Write the result there (printed if left out)."
)
@options.force_option
def bench_run(**values: Any) -> int:
    """Score a frozen battery.

    Exit 0 when the battery was scored, whatever its verdicts: the defect batteries fail by design.
    """
    target = None if values["out"] is None else require_file_name(values["out"])

    from hotato import benchmark
    from hotato.canonical import to_json
    from hotato.errors import EXIT_PASS

    result = benchmark.run_bench(values["suite"], values["suites_dir"])
    if target is None:
        emit(to_json(result))
        return EXIT_PASS
    files = [Artifact(target, to_json(result), json_mark(benchmark.BENCH_RESULT))]
    write_artifacts(files, force=values["force"])
    emit(_summary(result) + written_lines(files))
    return EXIT_PASS


@bench.command("verify")
@click.argument("result", type=options.FILE)
@suites_option
@options.format_option("text", "json")
def bench_verify(**values: Any) -> int:
    """Run the battery of RESULT again and compare.

    Exit 0 when both executions gave the same result, 1 when they differ, 2 when the result was edited or the
    battery here is another one.
    """
    from hotato import benchmark
    from hotato.canonical import to_json

    verified = benchmark.verify_bench(values["result"], values["suites_dir"])
    if values["style"] == "json":
        emit(
            to_json(
                {
                    "tool": "hotato",
                    "kind": "bench-verification",
                    "schema_version": "1",
                    "suite": verified.suite,
                    "frozen": verified.frozen,
                    "matches": verified.matches,
                    "claimed": verified.claimed,
                    "recomputed": verified.recomputed,
                    "differing": verified.differing,
                    "exit_code": verified.exit_code,
                }
            )
        )
    else:
        emit(_verdict(verified))
    return verified.exit_code


def _summary(result: dict[str, Any]) -> str:
    counts = result["pass_counts"]
    return _own_set(result["frozen"]) + (
        f"battery {result['suite']} (bench {result['bench_version']}): {counts['scenarios']} scenarios, "
        f"{counts['passed']} passed, {counts['failed']} failed, {counts['not_scorable']} not scorable\n"
        f"  battery {result['suite_content_hash']}\n"
        f"  result  {result['content_hash']}\n"
    )


def _own_set(frozen: bool) -> str:
    """What stands above a result of a set that is none of the frozen batteries; else nothing."""
    return "" if frozen else f"{NOT_FROZEN}\n"


def _verdict(verified: Verification) -> str:
    above = _own_set(verified.frozen)
    if verified.matches:
        return f"{above}the same result: battery {verified.suite}, {verified.claimed}"
    return (
        f"{above}NOT the same result: battery {verified.suite}, "
        f"differing in {shown(', '.join(verified.differing))}\n"
        f"  claimed    {verified.claimed}\n  recomputed {verified.recomputed}"
    )
