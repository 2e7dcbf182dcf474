"""An investigation for a terminal, and the commands that turn its candidates into contracts."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from hotato.find.investigate import Investigation, Ranked
from hotato.find.labels import WHEN
from hotato.find.refs import call_ref
from hotato.listen import Mixed
from hotato.report.doubts import doubt_words
from hotato.report.terminal import Terminal
from hotato.report.text_scan import joined_words, magnitudes
from hotato.report.timefmt import clock, plural, shown
from hotato.report.words import plain_words
from hotato.trust import ChannelSound

LIKELIEST = "most likely failure"
CONFIRM = "--confirm-channels"

_LABEL = 10
_PATH_CHARS = 200


def label_commands(found: Investigation, ranked: Sequence[Ranked], state_path: str) -> list[dict[str, Any]]:
    """What to do next about each candidate, as JSON lists it under `next`.

    Args:
        found: the investigation.
        ranked: the candidates that are shown.
        state_path: where the state is kept.
    """
    if not found.trust.verdict_eligible and found.trust.channel_mapping_caveat is None:
        return []  # no confirmation makes a verdict of such a recording
    listed = []
    for one in ranked:
        ref = call_ref(state_path, found.call.file_sha256, one.rank)
        choices = [
            {"expect": label, "when": WHEN[label], "command": _label(found, ref, label)}
            for label in one.labels
        ]
        if choices:
            listed.append(
                {"rank": one.rank, "ref": ref, "command": choices[0]["command"], "choices": choices}
            )
    return listed


def _label(found: Investigation, ref: str, label: str) -> str:
    vouched = found.confirmed or not found.trust.verdict_eligible
    words = ["hotato", "investigate", "label", ref, "--expect", label, *([CONFIRM] if vouched else [])]
    return shlex.join(words)


def investigation_text(
    found: Investigation,
    *,
    state_path: str,
    run: int | None,
    top: int = 0,
    commands: Sequence[dict[str, Any]] = (),
    mono: bool = False,
    left: str | None = None,
    colour: bool = False,
    width: int = 80,
    unicode: bool = True,
) -> str:
    """Where the recording came from, whether a verdict may rest on it, and its candidates.

    Args:
        found: the investigation.
        state_path: where its state is kept.
        run: the run's number there; None where nothing was kept.
        top: how many candidates to list; 0 for all.
        commands: see `label_commands`.
        mono: the silences of a mix were asked for.
        left: the file that a bundled recording was left in, or None.
        colour: whether escape sequences may be used.
        width: columns of the terminal.
        unicode: whether characters outside ASCII can be shown.
    """
    terminal = Terminal(colour, width, unicode)
    numbered = "" if run is None else f"  run {run}"
    head = f"  {shown(found.source, 60)}  {clock(found.call.duration_sec)}{numbered}"
    lines = [terminal.paint("bold", "hotato investigate") + terminal.plain(head), *_facts(found, terminal)]
    if not found.trust.candidate_eligible:
        return terminal.finish([*lines, *_silences(found, terminal, asked=mono)])
    listed = found.ranked[:top] if top > 0 else found.ranked
    lines += ["", *terminal.wrap(_count(found, len(listed)))]
    by_rank = {command["rank"]: command for command in commands}
    for one in listed:
        lines += ["", *_candidate(one, by_rank.get(one.rank), terminal)]
    if run is not None:
        lines += ["", *_line("state", shown(state_path, _PATH_CHARS), terminal)]
        if left is not None:
            lines += _line("recording", shown(left, _PATH_CHARS), terminal)
    return terminal.finish(lines)


def _facts(found: Investigation, terminal: Terminal) -> list[str]:
    trust = found.trust
    lines = _line("origin", found.origin.note, terminal)
    lines += _line("input", plain_words(shown(trust.recommendation, 600)), terminal)
    if trust.next_step:
        lines += _line("next step", trust.next_step, terminal)
    lines += _line("verdict", _verdict(found), terminal)
    for sound in found.sound.channels:
        lines += _line(sound.role, _sound(sound), terminal)
    return lines


def _verdict(found: Investigation) -> str:
    trust = found.trust
    if trust.verdict_eligible:
        return "eligible: a labelled moment of this recording can carry one"
    reason = shown(trust.verdict_ineligible_reason or "", 600)
    if not trust.candidate_eligible:
        return "refused"
    if trust.channel_mapping_caveat is None:
        return f"refused: {reason}"
    return f"refused: {reason}; when you know which channel is whom, add {CONFIRM}"


def _sound(sound: ChannelSound) -> str:
    level = sound.snr_null_reason or f"{sound.snr_db:.1f} dB over its noise"
    parts = [f"channel {sound.channel}", level, f"{sound.percent_silence:.1f} % silence"]
    parts.append(f"{plural(sound.energy_bursts, 'burst')} ({sound.energy_burst_rate_per_min:.1f}/min)")
    if sound.clipping_fraction > 0:
        parts.append(f"{sound.clipping_fraction * 100:.2f} % clipped")
    return ", ".join(parts)


def _silences(found: Investigation, terminal: Terminal, *, asked: bool) -> list[str]:
    """What a recording without two parties can show, where it was asked for."""
    lines = []
    for one in found.silences:
        sure = "" if one.confidence is None else f"  confidence {one.confidence:.2f}"
        lines += ["", terminal.plain(f"     {clock(one.span.start_sec, 2):>9}  {one.kind}{sure}")]
        lines += terminal.wrap(plain_words(one.sentence), "     ")
    if lines:
        told = "Silences of the mix: nobody knows whose they are, so no label can be held against them."
        return ["", *terminal.wrap(told), *lines]
    if asked and (isinstance(found.call, Mixed) or found.call.identical):
        least = f"{found.min_gap_sec:g} s"
        return ["", *terminal.wrap(f"No silence of {least} or more was found between two sounds of the mix.")]
    return []


def _count(found: Investigation, listed: int) -> str:
    if not found.ranked:
        told = "No moment to label was found."
    else:
        showing = "" if listed == len(found.ranked) else f", the first {listed} shown (--top 0 for all)"
        told = f"{plural(len(found.ranked), 'candidate moment')}{showing}. The label is yours."
    if found.left_out:
        told += f" {plural(found.left_out, 'ordinary moment')} left out (--all lists them)."
    return told


def _candidate(one: Ranked, command: dict[str, Any] | None, terminal: Terminal) -> list[str]:
    candidate, incident = one.candidate, one.incident
    name = candidate.kind if incident is None else f"{incident.kind}  {incident.severity.lower()}"
    aside = f"  {LIKELIEST}" if one.likely else "  ordinary" if one.ordinary else ""
    head = f"{one.rank:>3}  {clock(candidate.span.start_sec, 2):>9}  "
    lines = [terminal.paint("bold", head) + terminal.plain(name) + terminal.paint("bold", aside)]
    told = magnitudes(candidate) if incident is None else plain_words(incident.sentence)
    for clause in (told, joined_words(candidate)):
        lines += terminal.wrap(clause, "     ") if clause else []
    doubts = "; ".join(dict.fromkeys(doubt_words(reason.code) for reason in candidate.doubts))
    if doubts:
        lines += [terminal.paint("soft", line) for line in terminal.wrap(f"doubt: {doubts}", "     ")]
    if not one.labels:
        lines += terminal.wrap("no label fits it, so no contract can hold it", "     ")
    for choice in () if command is None else command["choices"]:
        lines += [
            f"     {terminal.paint('soft', choice['when'])}",
            f"       {terminal.plain(choice['command'])}",
        ]
    return lines


def _line(label: str, text: str, terminal: Terminal) -> list[str]:
    return terminal.entry(label, text, _LABEL)
