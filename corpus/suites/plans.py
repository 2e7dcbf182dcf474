"""The families of the suites: recipes that turn a few times into who sounds when.

All times are seconds. A recipe states what a reader wants to vary; everything else has one value here.
"""

from __future__ import annotations

from collections.abc import Sequence

from callsets import Bounds, Plan, Span

AGENT_FROM = 0.2
"""The agent opens every call."""

BOUNDED = Bounds(time_to_yield=1.0, talk_over=1.0)


def interruption(
    onset: float,
    stop: float,
    caller: float = 1.8,
    *,
    resume: float | None = None,
    bounds: Bounds = BOUNDED,
    family: str = "hard-interruption",
) -> Plan:
    """The caller takes the floor at `onset` for `caller`; the agent talks on for `stop`.

    Args:
        onset: when the caller begins.
        stop: how long the agent talks on.
        caller: length of the caller's turn.
        resume: pause between the caller's turn and the agent's next; None for no next turn.
        bounds: of the label.
        family: name of the family.
    """
    agent: list[Span] = [(AGENT_FROM, _at(onset + stop))]
    if resume is not None:
        agent.append((_at(onset + caller + resume), _at(onset + caller + resume + 1.6)))
    return Plan(family, [(onset, _at(onset + caller))], agent, onset, bounds=bounds)


def backchannel(
    onsets: Sequence[float],
    length: float = 0.25,
    *,
    until: float = 6.0,
    stop: float | None = None,
    breath: Span | None = None,
) -> Plan:
    """Short caller sounds under the agent's turn; the label is on the first.

    Args:
        onsets: when each begins.
        length: of each.
        until: end of the agent's turn.
        stop: the agent stops this long after the first onset and goes on 1.4 s later; None: it talks on.
        breath: when the agent pauses, and for how long; None: it does not.
    """
    caller = [(onset, _at(onset + length)) for onset in onsets]
    agent = [(AGENT_FROM, until)]
    pause = breath if stop is None else (_at(onsets[0] + stop), 1.4)
    if pause is not None:
        agent = [(AGENT_FROM, pause[0]), (_at(sum(pause)), until)]
    return Plan("backchannel", caller, agent, onsets[0], hold=True)


def double_talk(onset: float, stop: float, caller: float = 2.4, bounds: Bounds = BOUNDED) -> Plan:
    """Both talk at once until the agent gives way."""
    return interruption(onset, stop, caller, bounds=bounds, family="double-talk")


def one_word(onset: float, stop: float, length: float = 0.4) -> Plan:
    """A single word of the caller that asks for the floor."""
    return interruption(onset, stop, length, resume=0.9, family="one-word")


def stutter(onset: float, fragments: Sequence[tuple[float, float]], stop: float, rest: float = 1.6) -> Plan:
    """The caller begins in fragments.

    Args:
        onset: when the first fragment begins.
        fragments: (length, pause after it) of each.
        stop: how long the agent talks on after the onset.
        rest: length of the fluent speech after the fragments.
    """
    caller, at = [], onset
    for length, pause in fragments:
        caller.append((_at(at), _at(at + length)))
        at += length + pause
    caller.append((_at(at), _at(at + rest)))
    return Plan("stutter-onset", caller, [(AGENT_FROM, _at(onset + stop))], onset, bounds=BOUNDED)


def multi_turn(turns: int, stop: float, *, turn: float = 1.5, gap: float = 0.5) -> Plan:
    """A quiet exchange of `turns` turns, agent first; then the caller interrupts the agent's next turn.

    Args:
        turns: how many turns precede the interrupted one (even: the interrupted one is the agent's).
        stop: how long the agent talks on.
        turn: length of each turn.
        gap: pause between turns.
    """
    parties: tuple[list[Span], list[Span]] = ([], [])
    at = AGENT_FROM
    for number in range(turns):
        parties[0 if number % 2 else 1].append((_at(at), _at(at + turn)))
        at += turn + gap
    onset = _at(at + 1.4)
    caller, agent = parties
    agent.append((_at(at), _at(onset + stop)))
    caller.append((onset, _at(onset + 1.8)))
    return Plan("multi-turn", caller, agent, onset, bounds=BOUNDED)


def reinterrupted(first: float, stop: float, again: float, *, pause: float = 0.6) -> Plan:
    """The agent yields, resumes, and is interrupted again; the label is on the second interruption.

    Args:
        first: onset of the first interruption.
        stop: how long the agent talks on after the second.
        again: how long it has talked when the second begins.
        pause: between the caller's first turn and the agent's resuming.
    """
    resumed = _at(first + 1.2 + pause)
    onset = _at(resumed + again)
    caller = [(first, _at(first + 1.2)), (onset, _at(onset + 1.5))]
    agent = [(AGENT_FROM, _at(first + 0.3)), (resumed, _at(onset + stop))]
    return Plan("resume-reinterrupt", caller, agent, onset, bounds=BOUNDED)


def latency(
    gap: float | None, limit: float = 1.5, *, onset: float = 2.2, caller: float = 1.6, silence: float = 4.0
) -> Plan:
    """The caller cuts a prompt short with a question and waits for the answer.

    Args:
        gap: pause before the answer; None: there is none.
        limit: bound on the response gap.
        onset: when the caller begins.
        caller: length of the question.
        silence: how long the recording goes on where there is no answer.
    """
    end = _at(onset + caller)
    agent = [(AGENT_FROM, _at(onset + 0.3))]
    if gap is not None:
        agent.append((_at(end + gap), _at(end + gap + 1.5)))
    bounds = Bounds(1.0, 1.0, limit)
    duration = None if gap is not None else _at(end + silence)
    return Plan("latency-prompt", [(onset, end)], agent, onset, bounds=bounds, duration_sec=duration)


def after_exchange(plan: Plan, length: float, *, turn: float = 2.6, gap: float = 0.5) -> Plan:
    """`plan` at the end of a long, quiet exchange that fills `length` seconds before it."""
    parties: tuple[list[Span], list[Span]] = ([], [])
    at, number = AGENT_FROM, 0
    while at + turn + gap <= length:
        parties[number % 2].append((_at(at), _at(at + turn)))
        at += turn + gap
        number += 1

    def later(spans: Sequence[Span]) -> list[Span]:
        return [(_at(begin + length), _at(end + length)) for begin, end in spans]

    return Plan(
        plan.family,
        [*parties[1], *later(plan.caller)],
        [*parties[0], *later(plan.agent)],
        _at(plan.onset_sec + length),
        plan.hold,
        plan.bounds,
        None if plan.duration_sec is None else _at(plan.duration_sec + length),
    )


def _at(seconds: float) -> float:
    return round(seconds, 3)
