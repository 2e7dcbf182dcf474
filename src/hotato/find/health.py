"""What weakens a call, as the trust room found it, and what could not be judged because of it."""

from __future__ import annotations

from collections.abc import Iterable

from hotato.find.grade import Grade, Grader
from hotato.find.records import Candidate
from hotato.find.wording import clock, sentence
from hotato.findings import Finding
from hotato.listen import Heard
from hotato.timing import MUSIC, Reason
from hotato.trust import TrustReport
from hotato.trust.causes_crosstalk import answered
from hotato.trust.missing import DROP_OUTS, REPEATED

_MOST_TIMES = 5
_NO_COMMON_CLOCK = ("both_parties_on_both_channels", "channel_offset")
"""Findings after which times between the two parties cannot be read."""
_OTHER_VOICE = ("crosstalk", "leakage")
"""Findings after which sound on one channel may be the other party's."""
_EVERY_DURATION = ("rate_mislabelled",)
"""Findings after which every duration may be off by a factor."""
_UNCONFIRMED = ("possible_swap",)
"""Findings that a confirmed channel map answers."""


def health(report: TrustReport) -> tuple[Finding, ...]:
    """Facts of the file and causes for doubt; first why a two-party call cannot be scored, if it cannot."""
    if report.not_scorable_reason is None or report.channels.caller is None:
        return report.findings
    defect = Finding(code="not_scorable", sentence=report.not_scorable_reason, remedy=report.next_step)
    return (defect, *report.findings)


def every_duration(report: TrustReport) -> tuple[Reason, ...]:
    """Reasons not to rest a confident verdict on any duration, whoever it is of."""
    codes = (finding.code for finding in report.findings)
    return tuple(Reason(code) for code in codes if code in _EVERY_DURATION)


def call_doubts(heard: Heard, report: TrustReport) -> tuple[Reason, ...]:
    """Reasons not to rest a confident verdict on any time of the call."""
    if report.not_scorable_reason is not None:
        return (Reason("not_scorable"),)
    codes: tuple[str, ...] = _EVERY_DURATION + _NO_COMMON_CLOCK + _OTHER_VOICE
    codes += () if report.channel_map_confirmed else _UNCONFIRMED
    found = (finding for finding in report.findings if finding.code in codes)
    return tuple(Reason(finding.code) for finding in found if not answered(finding, heard))


def all_doubts(heard: Heard, report: TrustReport) -> tuple[str, ...]:
    """Codes of everything that keeps a call from a confident verdict, each once."""
    doubts = (*heard.caller.activity.doubts, *heard.agent.activity.doubts, *call_doubts(heard, report))
    return tuple(dict.fromkeys(reason.code for reason in doubts))


def part_doubts(heard: Heard) -> tuple[str, ...]:
    """Codes of what keeps a stretch of a call from a confident verdict."""
    return (MUSIC,) if heard.caller.activity.music or heard.agent.activity.music else ()


def local_doubts(candidates: Iterable[Candidate], grades: Iterable[Grade]) -> tuple[str, ...]:
    """Codes of what keeps only some moments from a confident verdict: those near lost or repeated samples.

    A drop-out may have made any moment ordinary; repeated samples only weaken what is an incident.
    """
    near = {reason.code for candidate in candidates for reason in candidate.doubts} & {DROP_OUTS}
    found = near | {reason.code for grade in grades for reason in grade.candidate.doubts} & {REPEATED}
    return tuple(sorted(found))


def unjudged(report: TrustReport) -> str | None:
    """Why the recording cannot carry a verdict, with the next step; None when it can."""
    reason, step = report.not_scorable_reason, report.next_step
    if reason is None:
        finding = next((f for f in report.findings if f.code in _NO_COMMON_CLOCK), None)
        reason, step = (None, None) if finding is None else (finding.sentence, finding.remedy)
    return None if reason is None else "; ".join(part for part in (reason, step) if part)


def leading(report: TrustReport) -> str:
    """The sentence that stands before anything else about a recording that cannot carry a verdict."""
    reason = report.not_scorable_reason
    return "" if reason is None else not_judged(reason)


def not_judged(why: str | None) -> str:
    """A reason, without its next step, and what it means; empty for none."""
    reason = (why or "").partition("; ")[0]
    if not reason:
        return ""
    consequence = "" if ", so " in reason else ", so turn-taking could not be judged"
    return sentence(reason + consequence)


def reservations(
    heard: Heard, candidates: tuple[Candidate, ...], report: TrustReport, touched: tuple[str, ...]
) -> str:
    """What was not held against the agent, as a clause; empty when nothing was.

    `touched` has the doubts of single moments.
    """
    codes = all_doubts(heard, report) if report.not_scorable_reason is None else ()
    if codes:
        doubted = [track.role for track in (heard.caller, heard.agent) if track.activity.doubts]
        whose = f" of the {' and the '.join(doubted)}" if doubted and not call_doubts(heard, report) else ""
        return f"the timing{whose} is in doubt ({', '.join(codes)}), so nothing here is called critical"
    music = [track.role for track in (heard.caller, heard.agent) if track.activity.music]
    if music:
        whose = " and the ".join(music)
        return f"music plays on the channel of the {whose}, and nothing there is called critical"
    if touched and report.not_scorable_reason is None:
        return f"some moments are in doubt ({', '.join(touched)}), and none of those is called critical"
    weak = sorted({_turn_start(c) for c in candidates if _is_weak(c)})
    if not weak:
        return ""
    shown = ", ".join(clock(start, 2) for start in weak[:_MOST_TIMES])
    more = f" and {len(weak) - _MOST_TIMES} more" if len(weak) > _MOST_TIMES else ""
    what = "1 weak sound was" if len(weak) == 1 else f"{len(weak)} weak sounds were"
    return f"{what} not held against the agent (at {shown}{more})"


def ordinary(grader: Grader, candidates: tuple[Candidate, ...]) -> str:
    """How often the agent did what it should when the caller spoke over it, as a clause; empty for never.

    A caller turn counts once, and not at all where any of its overlaps is an incident.
    """
    overlaps = [c for c in candidates if "caller_turn_start_sec" in c.evidence]
    wrong = {_turn_start(c) for c in overlaps if grader.grade(c) is not None}
    kinds: dict[float, str] = {}
    for candidate in overlaps:
        kind = grader.ordinary(candidate)
        if kind is not None and _turn_start(candidate) not in wrong:
            kinds.setdefault(_turn_start(candidate), kind)
    yields = sum(kind == "yield" for kind in kinds.values())
    through = len(kinds) - yields
    told = []
    if yields:
        told.append(f"gave way promptly {'once' if yields == 1 else f'{yields} times'}")
    if through:
        told.append(f"talked through {through} short sound{'' if through == 1 else 's'}")
    return f"the agent {' and '.join(told)}" if told else ""


def _turn_start(candidate: Candidate) -> float:
    start = candidate.evidence.get("caller_turn_start_sec", candidate.t_sec)
    return start if isinstance(start, float) else candidate.t_sec


def _is_weak(candidate: Candidate) -> bool:
    return any(reason.code == "weak_onset" for reason in candidate.doubts)
