"""Two takes of a moment, and a battery before and after a change, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hotato.compare import move_words
from hotato.report.doubts import doubt_words
from hotato.report.terminal import Terminal
from hotato.report.timefmt import plural, seconds, shown

if TYPE_CHECKING:
    from hotato.compare import Move, PolicyResult, TakesCompared, Verification
    from hotato.stats import Spread

ROLES = {"fixed": "pass", "improved": "pass", "still_pass": "pass", "regressed": "fail", "worse": "fail"}
"""The colour of each result; the others are neither good nor bad."""

_NAME_CHARS = 44
_WORDS = {True: "yes", False: "no"}


def result_words(result: str) -> str:
    """A result of the taxonomy for a person: `still pass`, `NOT SCORABLE`."""
    return "NOT SCORABLE" if result == "not_scorable" else result.replace("_", " ")


def verdict_words(event: Mapping[str, object]) -> str:
    """`PASS`, `FAIL` or `NOT SCORABLE`, of an event of an envelope."""
    from hotato.report.text_run import status

    return status(event)


def _doubts(event: Mapping[str, object]) -> tuple[str, ...]:
    """The codes of what weakens the verdict of an event."""
    verdict = event.get("verdict")
    found = verdict.get("doubts") if isinstance(verdict, Mapping) else None
    return tuple(found or ())


def edges_words(move: Move) -> str | None:
    """A measurement at the raw energy edges, and whether its intervals overlap; None without both."""
    old, new = move.before_edges, move.after_edges
    if old is None or new is None:
        return None
    said = "the intervals overlap" if move.intervals_overlap else "the intervals do not overlap"
    return (
        f"{seconds(old.sec)} ({old.lo_sec:.2f} to {old.hi_sec:.2f} s) to "
        f"{seconds(new.sec)} ({new.lo_sec:.2f} to {new.hi_sec:.2f} s) at the energy edges; {said}"
    )


def compare_text(
    compared: TakesCompared,
    *,
    names: tuple[str, str],
    exit_code: int,
    colour: bool = False,
    width: int = 80,
    unicode: bool = True,
) -> str:
    """Two takes of one moment: the verdicts, what moved and by how much, and what that says.

    Args:
        compared: what `compare.compare_takes` returned.
        names: what to call the earlier and the later take.
        exit_code: what the command exits with.
        colour, width, unicode: see `terminal.Terminal`.
    """
    terminal = Terminal(colour, width, unicode)
    before, after = compared.before.event, compared.after.event
    arrow = "\u2192" if unicode else "->"
    title = f"  {shown(names[0], 60)} {arrow} {shown(names[1], 60)}, expect {compared.expect}"
    lines = [terminal.paint("bold", "hotato compare") + terminal.plain(title), ""]
    lines.append(f"  verdict  {verdict_words(before)} {arrow} {verdict_words(after)}")
    if compared.expect != "answer":
        yields = [_WORDS[value] for value in compared.delta.did_yield]
        lines.append(f"  yielded  {yields[0]} {arrow} {yields[1]}")
    for move in compared.movement.moves:
        lines += terminal.wrap(move_words(move), "  ", "    ")
        edges = edges_words(move)
        lines += terminal.wrap(edges, "    ", "      ") if edges else []
    for side, event in (("before", before), ("after", after)):
        if event.get("scorable") is False:
            why = f"{event.get('not_scorable_reason')}; {event.get('not_scorable_next_step')}"
            lines += terminal.wrap(f"{side}: {shown(why, 400)}", "  ", "    ")
        for code in _doubts(event):
            lines += terminal.wrap(f"{side}, doubt: {shown(doubt_words(code), 400)}", "  ", "    ")
    if before.get("expected_yield_explicit") is False:
        lines.append(f"  no label was given: {compared.expect} is assumed")
    role = ROLES.get(compared.result, "bold")
    lines += ["", "  result   " + terminal.paint(role, result_words(compared.result)), ""]
    for note in compared.notes:
        lines += terminal.wrap(f"note: {note}")
    lines += ["", terminal.paint("soft", f"exit code {exit_code}")]
    return terminal.finish(lines)


def verify_text(
    result: Verification,
    *,
    policy: PolicyResult | None = None,
    gated: bool = False,
    exit_code: int = 0,
    closed: Sequence[str] = (),
    colour: bool = False,
    width: int = 80,
    unicode: bool = True,
) -> str:
    """A battery before and after a change: the claim, both axes, the durations, every fixture.

    Args:
        result: what `compare.verify_runs` returned.
        policy: a policy that was held against it, or None.
        gated: whether a gate was asked for.
        exit_code: what the command exits with.
        closed: why a gate that was asked for is closed; empty where none is.
        colour, width, unicode: see `terminal.Terminal`.
    """
    terminal = Terminal(colour, width, unicode)
    axis, holds = result.regression_axis, result.hold_axis
    head = f"  {plural(result.paired, 'fixture')} in both runs"
    lines = [terminal.paint("bold", "hotato verify") + head, ""]
    if closed:
        lines.append(terminal.paint("fail", "gate closed:"))
        for reason in closed:
            lines += terminal.wrap(shown(reason, 400), "  ", "    ")
        lines.append("")
    claim = "claim" if result.claim.supported else "no claim"
    lines += [terminal.paint("bold", f"{claim}:"), *terminal.wrap(result.claim.statement, "  ")]
    fate = (axis.used_to_fail, axis.now_pass, axis.still_fail, axis.not_scorable)
    guards = (holds.hold_guards, holds.still_pass, holds.regressed, holds.not_scorable)
    lines += ["", f"  used to fail  {_axis(*fate)}", f"  hold guards   {_axis(*guards)}"]
    counted = ", ".join(f"{count} {result_words(name)}" for name, count in result.results.items() if count)
    lines += terminal.wrap(f"results       {counted}", "  ", " " * 16)
    lines += ["", *_distribution(result, terminal)]
    lines += ["", *_fixtures(result, terminal), *_alone(result, terminal)]
    lines += ["", *_evidence(result, terminal)]
    if policy is not None:
        lines += ["", *_policy(policy, terminal)]
    bad = regressions_words(result)
    if bad and not gated:
        lines += ["", *terminal.wrap(f"no gate was asked for: {bad}; --fail-on-regression exits 1 for that")]
    lines += ["", terminal.paint("soft", f"exit code {exit_code}")]
    return terminal.finish(lines)


def regressions_words(result: Verification) -> str:
    """What `--fail-on-regression` closes for, in words; empty where it stays open."""
    counts = (
        (len(result.regressions), "regressed or got worse"),
        (result.results["not_scorable"], "could not be judged"),
        (len(result.unpaired.only_before_required), "missing after"),
    )
    return ", ".join(f"{count} {words}" for count, words in counts if count)


def _axis(total: int, good: int, bad: int, unjudged: int) -> str:
    if not total:
        return "none"
    rest = f", {unjudged} can no longer be judged" if unjudged else ""
    return f"{total}: {good} pass after, {bad} fail{rest}"


def _distribution(result: Verification, terminal: Terminal) -> list[str]:
    lines = []
    for key, name in (("talk_over_sec", "talk-over"), ("seconds_to_yield", "time to yield")):
        for side in ("before", "after"):
            said = spread_words(result.distribution[side][key])
            lines += terminal.wrap(f"{name if side == 'before' else '':<14}{side:<7} {said}", "  ", " " * 24)
    return lines


def spread_words(spread: Spread) -> str:
    """A distribution in a line: `n 8, median 0.50 s, p95 2.65 s, 0.10 to 2.70 s`."""
    if not spread["n"]:
        return "not measured"
    low, high = spread["min"], spread["max"]
    return (
        f"n {spread['n']}, mean {spread['mean']:.2f} s, median {spread['median']:.2f} s, "
        f"p95 {spread['p95']:.2f} s, from {low:.2f} to {high:.2f} s"
    )


def _fixtures(result: Verification, terminal: Terminal) -> list[str]:
    lines = []
    for one in result.per_fixture:
        role = ROLES.get(one.result, "bold")
        first = f"{result_words(one.result):<13}"
        lines.append(
            "  "
            + terminal.paint(role, first)
            + terminal.plain(f"{shown(one.fixture, _NAME_CHARS)} ({one.expect})")
        )
        for move in one.movement.moves:
            lines += terminal.wrap(move_words(move), " " * 15, " " * 17)
        if one.movement.same_samples:
            lines += terminal.wrap("the same samples of the agent before and after: no new take", " " * 15)
    return lines


def _alone(result: Verification, terminal: Terminal) -> list[str]:
    alone = result.unpaired
    lines = []
    for words, names in (("only before", alone.only_before), ("only after", alone.only_after)):
        if names:
            said = ", ".join(shown(name, _NAME_CHARS) for name in names)
            lines += terminal.wrap(f"{words}, in none of the counts: {said}", "  ", "    ")
    return lines


def _evidence(result: Verification, terminal: Terminal) -> list[str]:
    found = result.evidence
    lines = terminal.wrap(f"evidence: tier {found.tier} ({found.tier_name}), {found.headline}")
    for limit in found.limited_by:
        lines.append(f"  {limit.dimension} is {limit.state}: tier {limit.cap} at best")
    if found.reused:
        names = ", ".join(shown(name, _NAME_CHARS) for name in found.reused)
        lines += terminal.wrap(f"no recording of their own after: {names}", "  ", "    ")
    return lines


def _policy(policy: PolicyResult, terminal: Terminal) -> list[str]:
    word = "PASSED" if policy.passed else "FAILED"
    lines = [terminal.paint("pass" if policy.passed else "fail", f"Policy check: {word}")]
    for rail in policy.guardrails:
        said = "ok" if rail.ok else "violated"
        lines += terminal.wrap(
            f"{said:<9}{rail.name}: {_plain(rail.actual)} (limit {_plain(rail.limit)})", "  "
        )
    for target in policy.targets:
        said = "met" if target.met else "unmet"
        moved = "not measured on both sides" if target.delta is None else f"{target.delta:+g}"
        lines += terminal.wrap(f"{said:<9}{target.metric}: {moved} (required {target.required})", "  ")
    return lines


def _plain(value: float | bool) -> str:
    return _WORDS[value] if isinstance(value, bool) else f"{value:g}"
