"""`hotato report`, `doctor` and `demo`: pages of scored runs."""

from __future__ import annotations

import csv
import json
import re
import shutil
import webbrowser
from importlib import resources
from pathlib import Path

import pytest

DATA = Path(str(resources.files("hotato"))) / "data"


@pytest.fixture(autouse=True)
def opened(monkeypatch) -> list[str]:
    """Pages that would have been opened."""
    pages: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda page: pages.append(page) or True)
    return pages


def test_the_demo_fails_both_calls_and_still_exits_0(hotato):
    outcome = hotato("demo", "--no-open")
    assert outcome.code == 0
    assert outcome.out.count("FAIL") >= 2
    assert "fd-01-missed-interruption" in outcome.out
    assert "fd-02-backchannel-yielded" in outcome.out
    assert "hotato-output/demo.html" in outcome.out
    assert Path("hotato-output/demo.html").read_text().startswith("<!doctype html>")
    assert hotato("demo", "--no-open", "--fail").code == 1


def test_the_demo_measures_what_is_documented(hotato):
    first, second = hotato("demo", "--no-open", "--format", "json").json["events"]
    assert (first["verdict"]["did_yield"], first["verdict"]["talk_over_sec"]) == (False, 2.65)
    assert (second["verdict"]["seconds_to_yield"], second["verdict"]["talk_over_sec"]) == (0.34, 0.32)


def test_the_demo_says_that_no_threshold_satisfies_both(hotato):
    assert "no single" in hotato("demo", "--no-open").out


def test_doctor_scores_a_recording_and_embeds_it(hotato, barge_in):
    outcome = hotato("doctor", "--stereo", barge_in, "--no-open", "--out", "page.html")
    assert outcome.code == 0
    assert "page.html" in outcome.out
    assert "<audio" in Path("page.html").read_text()


def test_doctor_reads_standard_input_once_for_score_and_sound(process, barge_in):
    with barge_in.open("rb") as stream:
        child = process("doctor", "-", "--out", "page.html", stdin=stream)
        _, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (0, b"")
    assert "<audio" in Path("page.html").read_text()


def test_doctor_without_a_recording_checks_hotato_itself(hotato):
    outcome = hotato("doctor", "--no-open", "--format", "json")
    assert outcome.code == 0
    assert outcome.json["summary"]["passed"] == 8
    assert outcome.json["written"] == ["hotato-output/doctor-barge-in.html"]
    assert "<audio" not in Path("hotato-output/doctor-barge-in.html").read_text()
    assert hotato("doctor", "--demo", "--no-open").code == 0


def test_doctor_exits_as_run_does(hotato, barge_in):
    assert hotato("doctor", barge_in, "--expect", "hold").code == 1
    assert hotato("doctor", barge_in, "--expect", "hold", "--no-fail").code == 0
    assert hotato("doctor", "gone.wav").code == 2


def test_a_browser_opens_only_when_asked_or_at_a_desk(hotato, barge_in, opened):
    hotato("doctor", barge_in)
    hotato("demo")
    hotato("autopsy", barge_in)
    assert opened == []
    hotato("demo", "--open")
    hotato("autopsy", barge_in, "--open")
    assert [Path(page).suffix for page in opened] == [".html", ".html"]


@pytest.mark.parametrize(("style", "start"), [("html", "<!doctype html>"), ("md", "#")])
def test_report_writes_a_page(hotato, barge_in, style, start):
    outcome = hotato("report", barge_in, "--format", style, "--out", f"page.{style}")
    assert outcome.code == 0
    assert Path(f"page.{style}").read_text().startswith(start)
    assert f"page.{style}" in outcome.out


def test_report_has_a_name_of_its_own(hotato):
    assert hotato("report", "--suite", "barge-in").code == 0
    assert Path("hotato-output/report-barge-in.html").exists()


@pytest.mark.parametrize("command", ["report", "doctor"])
def test_a_second_page_does_not_replace_the_first(hotato, barge_in, call, command):
    runs = [
        (barge_in,),
        (call,),
        (call, "--onset", "22.2"),
        (call, "--stack", "livekit"),
        *([("--suite", "barge-in")] if command == "report" else [()]),
    ]
    for count, words in enumerate(runs, 1):
        for _ in range(2):
            hotato(command, *words)
            assert len(list(Path("hotato-output").iterdir())) == count, words


def test_suites_of_ones_own_have_a_page_each(hotato):
    for name in ("monday", "tuesday"):
        for part in ("scenarios", "audio"):
            shutil.copytree(DATA / "funnel-demo" / part, Path(name) / part)
        hotato("report", "--scenarios", f"{name}/scenarios", "--audio", f"{name}/audio")
    pages = sorted(path.name for path in Path("hotato-output").iterdir())
    assert len(pages) == 2
    assert all(re.fullmatch(r"report-scenarios-[0-9a-f]{6}\.html", page) for page in pages)


def test_a_page_that_holds_the_recording_says_so(hotato, barge_in):
    for words in [("report", barge_in), ("autopsy", barge_in)]:
        assert "holds the recording" not in hotato(*words).out
        assert "holds the recording" in hotato(*words, "--embed-audio").out


@pytest.mark.parametrize("style", ["text", "json"])
def test_doctor_leaves_out_sound_that_is_too_long(hotato, barge_in, monkeypatch, style):
    monkeypatch.setattr("hotato.report.embed.MAX_EMBEDDED_BYTES", 1000)
    outcome = hotato("doctor", barge_in, "--format", style, "--out", "page.html")
    assert (outcome.code, outcome.err) == (0, "")
    assert "<audio" not in Path("page.html").read_text()
    if style == "json":
        assert outcome.json["audio_embedded"] is False
    else:
        assert "too long to be put into the page" in outcome.out
        assert "holds the recording" not in outcome.out


def test_doctor_names_the_code_that_no_fail_exits_with(hotato, barge_in):
    outcome = hotato("doctor", barge_in, "--expect", "hold", "--no-fail")
    assert outcome.code == 0
    assert "exit code 0 (--no-fail" in outcome.out


def test_report_exits_as_run_does(hotato, barge_in):
    assert hotato("report", barge_in, "--expect", "hold").code == 1
    assert hotato("report", barge_in, "--expect", "hold", "--no-fail").code == 0


def test_report_replaces_its_own_page_and_no_other(hotato, barge_in):
    assert hotato("report", barge_in, "--out", "page.html").code == 0
    assert hotato("report", barge_in, "--out", "page.html", "--expect", "hold").code == 1
    Path("page.html").write_text("mine")
    assert hotato("report", barge_in, "--out", "page.html").code == 2
    assert Path("page.html").read_text() == "mine"
    assert hotato("report", barge_in, "--out", "page.html", "--force").code == 0


def test_report_compares_with_an_earlier_run(hotato, barge_in):
    Path("base.json").write_text(hotato("run", barge_in, "--format", "json").out)
    plain = hotato("report", barge_in, "--out", "plain.html")
    compared = hotato("report", barge_in, "--out", "compared.html", "--base", "base.json")
    assert plain.code == compared.code == 0
    assert "base.json" in Path("compared.html").read_text()


@pytest.mark.parametrize("content", [None, "", "[1]", "{}", "\x00"])
def test_a_base_that_is_no_envelope_is_refused(hotato, barge_in, content):
    if content is not None:
        Path("base.json").write_text(content)
    outcome = hotato("report", barge_in, "--base", "base.json")
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1


def test_audio_does_not_fit_into_markdown(hotato, barge_in):
    assert hotato("report", barge_in, "--format", "md", "--embed-audio").code == 2


def test_pages_make_no_request(hotato, barge_in):
    hotato("report", barge_in, "--out", "page.html", "--embed-audio")
    page = Path("page.html").read_text()
    assert "http://" not in page.replace("http://www.w3.org/", "")
    assert "https://" not in page


def test_json_of_doctor_is_the_envelope_of_run(hotato, barge_in):
    scored = hotato("run", barge_in, "--format", "json").json
    told = hotato("doctor", barge_in, "--format", "json", "--out", "page.html").json
    assert (told.pop("written"), told.pop("audio_embedded")) == (["page.html"], True)
    assert json.dumps(told) == json.dumps(scored)


@pytest.mark.parametrize("command", ["report", "doctor", "export"])
def test_what_cannot_be_judged_is_no_refusal_and_its_files_say_so(hotato, command, barge_in):
    target = "made" if command == "export" else "made.html"
    extra = ["--no-open"] if command == "doctor" else []
    outcome = hotato(command, "--stereo", barge_in, "--onset", "4.0", "--out", target, *extra)
    assert outcome.code == 2 and "refused" not in outcome.out + outcome.err
    if command == "export":
        rows = [line for line in Path("made/events.csv").read_text().splitlines() if not line.startswith("#")]
        (row,) = csv.DictReader(rows)
        assert (row["scorable"], row["passed"]) == ("false", "false") and row["not_scorable_reason"]
    else:
        page = Path("made.html").read_text()
        assert ">NOT SCORABLE</b>" in page and ">PASS</b>" not in page
