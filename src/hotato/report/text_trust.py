"""The health of one recording, for a terminal."""

from __future__ import annotations

from hotato.report.terminal import Terminal
from hotato.report.timefmt import clock, plural, rate, seconds, shown
from hotato.trust import TrustReport

_LABEL = 14


def trust_text(report: TrustReport, *, colour: bool = False, width: int = 80, unicode: bool = True) -> str:
    """Can this recording be scored, and what is wrong with it: the answer first, then the figures.

    Args:
        report: what the trust room found.
        colour: whether escape sequences may be used.
        width: columns of the terminal.
        unicode: whether characters outside ASCII can be shown.
    """
    terminal = Terminal(colour, width, unicode)
    recording = report.recording
    head = (
        f"  {shown(report.source, 60)}  {clock(recording.duration_sec)}  "
        f"{plural(recording.channels, 'channel')}, {rate(recording.sample_rate)}"
    )
    role = "pass" if report.input_health == "clean" else "bold" if report.scorable else "fail"
    lines = [terminal.paint("bold", "hotato trust") + terminal.plain(head), ""]
    lines += [terminal.paint(role, line) for line in terminal.wrap(report.recommendation)]
    if report.next_step:
        lines += terminal.wrap(f"Next step: {report.next_step}")
    if report.scorable and not report.verdict_eligible and report.verdict_ineligible_reason:
        lines += terminal.wrap(f"No verdict yet: {report.verdict_ineligible_reason}")
    lines += ["", *_figures(report, terminal)]
    for finding in report.findings:
        lines += ["", *terminal.wrap(shown(finding.sentence, 600), "  ")]
        if finding.remedy:
            remedy = terminal.wrap(shown(finding.remedy, 400), "    ")
            lines += [terminal.paint("soft", line) for line in remedy]
    return terminal.finish(lines)


def _figures(report: TrustReport, terminal: Terminal) -> list[str]:
    lines = []
    files = _files(report)
    if len(files) == 2:
        for role, name in zip(("caller", "agent"), files, strict=True):
            lines += _line(f"{role}'s file", shown(name, 60), terminal)
    for role, clipping in report.recording.clipping.items():
        channel = {"caller": report.channels.caller, "agent": report.channels.agent}.get(role)
        parts = [f"peak {clipping.peak_dbfs:.1f} dBFS"]
        if clipping.clipped:
            parts.append(f"{clipping.clipped_fraction * 100:.2f} % of the samples clipped")
        label = role
        if channel is not None:
            label = role if files else f"{role} (ch {channel.channel})"
            first = (
                "" if channel.first_speech_sec is None else f", first at {clock(channel.first_speech_sec, 2)}"
            )
            parts.insert(0, f"{seconds(channel.active_sec)} of sound{first}")
        lines += _line(label, ", ".join(parts), terminal)
    if report.recording.leading_silence_sec is not None:
        lines += _line("first sound", f"after {seconds(report.recording.leading_silence_sec)}", terminal)
    risk = report.crosstalk_risk
    if risk.coherence is not None and risk.lag_sec is not None:
        level = "high" if risk.suspected else "low"
        level += ", but its level moves by itself: no copy" if risk.refuted else ""
        alike = (
            f"{risk.coherence:.2f} of 1 alike ({level}), the caller's channel {seconds(risk.lag_sec)} later"
        )
        lines += _line("echo", alike, terminal)
    if risk.leakage_db is not None:
        flagged = "high" if risk.leakage_flagged else "low"
        source, _, target = (risk.leakage_direction or "").partition("->")
        copy = f"the {source} is heard on the {target}'s channel, {risk.leakage_db:.1f} dB ({flagged})"
        lines += _line("leakage", copy, terminal)
    needs = report.scorability
    wanted = [("two separate tracks", needs.separated_tracks)]
    if report.channels.caller is not None and report.channels.agent is not None:
        wanted.append(("enough sound from the caller", needs.enough_caller_activity))
        wanted.append(("enough sound from the agent", needs.enough_agent_activity))
    for label, answer in (("has", True), ("lacks", False)):
        text = ", ".join(name for name, given in wanted if given is answer)
        lines += _line(label, text, terminal) if text else []
    return lines


def _files(report: TrustReport) -> tuple[str, ...]:
    """The two file names of a pair; one empty name where they cannot be told apart; nothing for one file.

    Two files are both read from their first channel, which no two parties of one file are.
    """
    caller, agent = report.channels.caller, report.channels.agent
    if caller is None or agent is None or caller.channel != agent.channel:
        return ()
    names = tuple(report.source.split("+"))
    return names if len(names) == 2 else (report.source,)


def _line(label: str, text: str, terminal: Terminal) -> list[str]:
    return terminal.entry(label, text, _LABEL)
