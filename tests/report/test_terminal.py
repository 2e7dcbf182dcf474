"""What the terminal says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hotato.errors import Refusal
from hotato.find import scan
from hotato.find.records import Autopsy, Incident
from hotato.listen import Heard, attend, hear, tell_apart
from hotato.report import (
    autopsy_text,
    doctor_text,
    refusal_json,
    refusal_text,
    run_text,
    scan_text,
    trust_text,
)
from hotato.score import run_single
from hotato.score.suite import bundled
from hotato.stacks import ChannelMap
from hotato.trust import examine

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def test_a_call_with_few_incidents_fits_on_a_screen(autopsy: Autopsy, heard: Heard) -> None:
    text = autopsy_text(autopsy, heard, width=100, report_path="out/a.html", envelope_path="out/a.json")
    assert len(text.splitlines()) <= 32
    assert max(len(line) for line in text.splitlines()) <= 100


def test_the_facts_come_in_the_order_of_the_page(autopsy: Autopsy, heard: Heard) -> None:
    text = autopsy_text(autopsy, heard, report_path="out/a.html")
    marks = [
        "support-call.wav",
        "At 0:19.4",
        "2 critical",
        "  agent  ",
        "1  CRITICAL",
        "took the floor",
        "recording:",
    ]
    places = [text.index(mark) for mark in [*marks, "out/a.html", "--fail-on critical"]]
    assert places == sorted(places)


def test_a_number_stands_with_its_interval_and_limit(autopsy: Autopsy, heard: Heard) -> None:
    text = autopsy_text(autopsy, heard)
    assert "1.95 s  (1.92 to 1.99 s)  limit 1.00 s" in text
    assert "doubt: the caller's first sound" in text


def test_many_incidents_are_counted_instead_of_listed(
    make_autopsy: Callable[..., Autopsy], make_incident: Callable[..., Incident], heard: Heard
) -> None:
    incidents = tuple(make_incident(rank, rank, rank + 0.5) for rank in range(1, 31))
    text = autopsy_text(make_autopsy(incidents=incidents), heard)
    assert "and 22 more, in the report" in text
    assert len(text.splitlines()) <= 32


def test_there_is_no_escape_sequence_without_colour_and_the_same_words_with_it(
    autopsy: Autopsy, heard: Heard
) -> None:
    plain = autopsy_text(autopsy, heard)
    coloured = autopsy_text(autopsy, heard, colour=True)
    assert "\x1b" not in plain and "\x1b[1;31m" in coloured
    assert ESCAPE.sub("", coloured).split() == plain.split()


def test_ascii_is_enough(
    make_autopsy: Callable[..., Autopsy], heard: Heard, call_writer: Callable[..., Path], tmp_path: Path
) -> None:
    autopsy = make_autopsy(source="Gespräch\u202e \U0001f954.wav")
    assert autopsy_text(autopsy, heard, unicode=False).isascii()
    assert not autopsy_text(autopsy, heard).isascii()
    assert scan_text(heard, scan(heard), unicode=False).isascii()


def test_the_strip_shows_each_party_where_it_spoke(autopsy: Autopsy, heard: Heard) -> None:
    lines = autopsy_text(autopsy, heard, width=100, unicode=False).splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("  caller "))
    marks, caller, agent = lines[at - 1 : at + 2]
    assert agent.startswith("  agent  ")
    width = 100 - 9 - 2
    for line, spans in (
        (caller, [(5.0, 6.7), (13.3, 15.0), (19.4, 22.9), (35.0, 36.1)]),
        (agent, [(0.4, 4.1), (7.2, 12.6), (16.0, 21.35), (29.9, 34.2), (37.0, 41.2)]),
    ):
        drawn = line[9:].ljust(width)
        for column in range(width):
            middle = (column + 0.5) * 42.0 / width
            distance = min(abs(middle - edge) for span in spans for edge in span)
            if distance > 1.0:
                assert (drawn[column] != " ") == any(a <= middle < b for a, b in spans)
    assert marks.index("1") - 9 == pytest.approx(caller.index(caller.split()[3]) - 9, abs=1)


@pytest.mark.parametrize("width", [-5, 0, 10, 40, 300])
def test_an_odd_width_is_no_error(autopsy: Autopsy, heard: Heard, width: int) -> None:
    assert autopsy_text(autopsy, heard, width=width, colour=True)


def test_hostile_text_reaches_the_terminal_as_visible_text(
    make_autopsy: Callable[..., Autopsy], heard: Heard
) -> None:
    text = autopsy_text(make_autopsy(source="a\x1b]0;owned\x07\r\nb\u202e.wav"), heard)
    assert not {"\x1b", "\x07", "\r", "\u202e"} & set(text)
    assert "\\x1b" in text


def test_a_scan_lists_every_moment_with_its_reaction(heard: Heard) -> None:
    candidates = scan(heard)
    text = scan_text(heard, candidates, width=120)
    assert f"{len(candidates)} candidate moments" in text
    for candidate in candidates:
        assert candidate.kind in text
    assert "the agent went quiet after" in text
    assert "and 1 more" in scan_text(heard, candidates, top=len(candidates) - 1)
    assert "No timing moment stands out" in scan_text(heard, ())


def test_trust_says_the_answer_first_and_the_next_step(
    call_writer: Callable[..., Path], tmp_path: Path
) -> None:
    good = bundled("battery", "audio") / "01-hard-interruption.example.wav"
    text = trust_text(examine(tell_apart(hear(good), ChannelMap(0, 1))))
    assert text.splitlines()[2].startswith("eligible for scan")
    assert "caller (ch 0)" in text and "of sound, first at 0:0" in text
    silent = call_writer(tmp_path / "silent.wav", [], [(0.5, 8.0)], 9.0)
    text = trust_text(examine(tell_apart(hear(silent), ChannelMap(0, 1))))
    assert text.splitlines()[2].startswith("NOT SCORABLE")
    assert "Next step:" in text
    assert re.search(r"lacks +enough sound from the caller", text)


def test_a_run_says_pass_or_fail_with_reasons_and_the_setting(
    call_writer: Callable[..., Path], tmp_path: Path
) -> None:
    call = call_writer(tmp_path / "late.wav", [(2.0, 5.0)], [(0.2, 4.2)], 8.0)
    envelope = run_single(
        stereo=call, onset_sec=2.0, max_time_to_yield_sec=1.0, stack="livekit", caller_channel=0
    )
    text = run_text(envelope, width=120)
    assert "FAIL late.wav" in text
    assert "0 of 1 passed, 1 failed" in text
    assert "slower than the 1.00s bound" in text
    assert "fix (config):" in text and "setting:" in text
    assert "exit code 1" in text
    # The true stop lies 2.2 s after the onset; the interval at the edges holds it.
    lo, hi = re.search(r"energy edges \(([0-9.]+) to ([0-9.]+) s\)", text).groups()  # type: ignore[union-attr]
    assert float(lo) <= 2.2 <= float(hi)


def test_an_unscorable_run_gives_its_reason_instead_of_a_verdict(
    call_writer: Callable[..., Path], tmp_path: Path
) -> None:
    call = call_writer(tmp_path / "quiet.wav", [], [(0.2, 4.2)], 8.0)
    text = run_text(run_single(stereo=call))
    assert "SKIP quiet.wav" in text and "not scorable:" in text and "FAIL" not in text


def test_the_doctor_warns_when_the_page_holds_the_recording(
    call_writer: Callable[..., Path], tmp_path: Path
) -> None:
    call = call_writer(tmp_path / "c.wav", [(2.0, 3.0)], [(0.2, 2.4)], 8.0)
    envelope = run_single(stereo=call, onset_sec=2.0)
    text = doctor_text(envelope, report_path="report.html", opened=False, embedded=True)
    assert "report  report.html\n" in text and "holds the recording itself" in text
    assert "holds" not in doctor_text(envelope, report_path="r.html", opened=True, embedded=False)


def test_a_refusal_is_one_line_or_one_object() -> None:
    refusal = Refusal("mono", "'a\nb\x1b.wav' has a single channel", "export two channels")
    line = refusal_text(refusal)
    assert line.count("\n") == 1 and line.startswith("hotato: 'a b\\x1b.wav'")
    told = json.loads(refusal_json(refusal))
    assert list(told)[:6] == ["tool", "schema_version", "ok", "error_code", "message", "exit_code"]
    assert (told["ok"], told["error_code"], told["exit_code"]) == (False, "mono", 2)


def test_the_real_calls_are_told_in_a_screen_each(shared_data: Path) -> None:
    from hotato.find import autopsy as open_call

    for path in sorted(shared_data.glob("vapi/*.wav")):
        call = tell_apart(hear(path), ChannelMap(0, 1))
        opened = open_call(call)
        text = autopsy_text(opened, call, width=100)
        assert len(text.splitlines()) <= 34
        for incident in opened.incidents:
            assert incident.kind in text


def test_the_terminal_says_all_that_the_page_says_about_certainty(
    make_autopsy: Callable[..., Autopsy], make_incident: Callable[..., Incident], heard: Heard
) -> None:
    def close(rank: int) -> Incident:
        doubts = ("hum", "weak_onset", "noise_step", "boundary_sensitive")
        return make_incident(rank, rank, rank + 0.98, boundary_sensitive=True, doubts=doubts)

    said = [
        "too close to call: 0.98 s (0.95 to 1.02 s) against a limit of 1.00 s",
        "mains hum lies under",
        "first sound is only just above",
        "background noise changes",
    ]
    for count in (1, 8):
        incidents = tuple(close(rank) for rank in range(1, count + 1))
        text = " ".join(autopsy_text(make_autopsy(incidents=incidents), heard).split())
        assert [text.count(words) for words in said] == [count] * 4


def test_the_gate_closes_at_the_severity_that_was_found_or_asked_for(
    make_autopsy: Callable[..., Autopsy], make_incident: Callable[..., Incident], heard: Heard
) -> None:
    mild = make_autopsy(incidents=(make_incident(1, 4.0, 5.5, severity="WARNING"),))
    assert "autopsy support-call.wav --fail-on warning\n" in autopsy_text(mild, heard)
    assert "autopsy x.wav --fail-on critical\n" in autopsy_text(
        mild, heard, recording="x.wav", fail_on="critical"
    )
    assert "autopsy - --fail-on warning < RECORDING\n" in autopsy_text(mild, heard, recording="-")


def test_the_terminal_says_in_words_that_a_party_came_early(autopsy: Autopsy, heard: Heard) -> None:
    text = autopsy_text(autopsy, heard)
    assert re.search(r"took the floor .* \d\.\d\d s before", text) and "\u2212" not in text
    assert "no echo (0.12 of 1)" in " ".join(text.split())


def test_trust_names_the_two_files_of_a_pair_and_no_channel(
    call_writer: Callable[..., Path], tmp_path: Path
) -> None:
    import soundfile

    both, rate = soundfile.read(call_writer(tmp_path / "c.wav", [(5.0, 8.0)], [(0.5, 4.0)], 9.0))
    for column, name in enumerate(("in.wav", "out.wav")):
        soundfile.write(tmp_path / name, both[:, column], rate)
    pair = (hear(tmp_path / "in.wav"), hear(tmp_path / "out.wav"))
    text = trust_text(examine(tell_apart(pair, ChannelMap(0, 1))))
    assert re.search(r"caller's file +in.wav", text) and re.search(r"agent's file +out.wav", text)
    assert "(ch " not in text
    assert re.search(r"has +two separate tracks, enough sound from the caller, enough sound", text)
    assert "coherence" not in text and "lacks" not in text


def test_a_second_detector_is_named_wherever_its_numbers_are_shown(
    call_writer: Callable[..., Path], tmp_path: Path
) -> None:
    call = call_writer(tmp_path / "c.wav", [(2.0, 3.0)], [(0.2, 2.4)], 8.0)
    envelope, heard = run_single(stereo=call, onset_sec=2.0), attend(hear(call), ChannelMap(0, 1))
    assert "detector" not in run_text(envelope) + scan_text(heard, ())
    envelope["events"][0]["activity"]["caller"]["detector"] = "neural"
    learned = replace(heard.caller, activity=replace(heard.caller.activity, detector="neural"))
    assert "heard by the neural detector" in run_text(envelope, width=120)
    assert "neural detector" in scan_text(replace(heard, caller=learned), ())
