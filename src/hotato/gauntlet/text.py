"""A gauntlet for a terminal: what it holds, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from hotato.gauntlet.records import GauntletResult, GauntletScenario, Plan
from hotato.report.terminal import Terminal
from hotato.report.timefmt import plural

_WORDS = {"pass": "pass", "fail": "fail", "not_scorable": "not scorable"}


def plan_text(plans: Sequence[Plan], *, colour: bool = False, width: int = 80, unicode: bool = True) -> str:
    """The scenarios of the gauntlet, a line for each with what has to come out.

    Args:
        plans: what `plan_gauntlet` returned.
        colour: whether escape sequences may be used.
        width: columns of the terminal.
        unicode: whether characters outside ASCII can be shown.
    """
    terminal = Terminal(colour, width, unicode)
    head = f"{plural(len(plans), 'scenario')}, not run"
    lines = [terminal.paint("bold", "hotato gauntlet") + f"  {head}", ""]
    for plan in plans:
        wanted = "must pass" if plan.fails_on is None else f"must fail: {plan.fails_on}"
        lines += terminal.wrap(f"{plan.id}  {wanted}", rest="     ")
        lines += terminal.wrap(f"{plan.title} ({plan.family}, {plan.condition})", "     ", "       ")
    return terminal.finish(lines)


def result_text(
    result: GauntletResult, *, colour: bool = False, width: int = 80, unicode: bool = True
) -> str:
    """What came of the gauntlet: counts, the families, and every scenario that did not match.

    Args:
        result: what `run_gauntlet` returned.
        colour: whether escape sequences may be used.
        width: columns of the terminal.
        unicode: whether characters outside ASCII can be shown.
    """
    terminal = Terminal(colour, width, unicode)
    lines = [
        terminal.paint("bold", "hotato gauntlet") + f"  {result.matched} of {result.total} scenarios matched",
        "",
        f"  hard calls that must pass   {result.passed} of {result.must_pass}",
        f"  defects that must be caught {result.caught} of {result.must_fail}",
        "",
    ]
    lines += [f"  {item.family:<20} {item.matched} of {item.scenarios}" for item in result.families]
    missed = [item for item in result.scenarios if not item.matched]
    for item in missed:
        lines += ["", *_missed(item, terminal)]
    lines += ["", terminal.paint("soft", f"exit code {result.exit_code}")]
    return terminal.finish(lines)


def _missed(item: GauntletScenario, terminal: Terminal) -> list[str]:
    wanted = item.expected if item.fails_on is None else f"fail on {item.fails_on}"
    head = f"{item.id}: expected {wanted}, got {_WORDS[item.verdict]}"
    lines = [terminal.paint("fail", line) for line in terminal.wrap(head)]
    for reason in item.reasons:
        lines += terminal.wrap(reason, "     ", "       ")
    return lines
