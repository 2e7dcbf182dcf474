"""The report of a run: page, Markdown and the documented Python functions."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hotato.errors import Refusal, UsageError
from hotato.listen import Heard, attend, hear
from hotato.report import (
    build_report_html,
    build_report_md,
    embeddable,
    event_view,
    flac_bytes,
    run_markdown,
    run_page,
    run_text,
    wav_bytes,
    write_report,
)
from hotato.report.charts import BUCKETS_SEC, charts
from hotato.report.deltas import deltas
from hotato.report.events import INSPECTED_FRAMES
from hotato.score import run_single
from hotato.stacks import ChannelMap

STOPS = {"a": 2.4, "b": 2.7, "c": 4.4, "d": 3.1}
ONSET_SEC = 2.0


@pytest.fixture(scope="module")
def suite(call_writer: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Four scenarios with their recordings: the caller begins at 2 s, the agent stops at a known time."""
    folder = tmp_path_factory.mktemp("suite")
    for kind in ("scenarios", "audio"):
        (folder / kind).mkdir()
    for name, stop in STOPS.items():
        call_writer(folder / "audio" / f"{name}.wav", [(ONSET_SEC, 4.8)], [(0.2, stop)], 7.0)
        scenario = {
            "id": name,
            "title": f"stops at {stop}",
            "category": "should_yield",
            "caller_onset_sec": ONSET_SEC,
            "expected": {"yield": True, "max_time_to_yield_sec": 1.5, "max_talk_over_sec": 1.5},
        }
        (folder / "scenarios" / f"{name}.json").write_text(json.dumps(scenario))
    return {"scenarios_dir": folder / "scenarios", "audio_dir": folder / "audio"}


def with_events(*events: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"events": list(events), "fix_map": [], **more}


def event(name: str, to_yield: float | None, talk_over: float, *, passed: bool = True) -> dict[str, Any]:
    verdict = {"passed": passed, "did_yield": to_yield is not None, "seconds_to_yield": to_yield}
    return {"event_id": name, "verdict": verdict | {"talk_over_sec": talk_over}}


def test_a_suite_becomes_a_page_with_a_chip_and_a_timeline_for_each_event(suite: dict[str, Path]) -> None:
    page, envelope = build_report_html(**suite)
    assert envelope["summary"]["events"] == 4
    assert page.count(">PASS</b>") == 3 and page.count(">FAIL</b>") == 1
    assert "<em>1 of 4 events</em> did not behave as labelled." in page
    for name, stop in STOPS.items():
        assert f"Timeline of {name}" in page
        to_yield = next(e for e in envelope["events"] if e["event_id"] == name)["verdict"]["seconds_to_yield"]
        assert to_yield == pytest.approx(stop - ONSET_SEC + 0.15, abs=0.03)
        assert f"yielded after {to_yield:.2f} s" in page
    assert "<script" not in page
    assert page == build_report_html(**suite)[0]


def test_the_frames_behind_a_number_are_on_the_page(suite: dict[str, Path]) -> None:
    page, _ = build_report_html(stereo=suite["audio_dir"] / "a.wav", onset_sec=ONSET_SEC)
    rows = re.findall(r"<tr><td class=\"n\">([^<]+)</td><td class=\"n\">([^<]+)</td>", page)
    assert len(rows) == 700
    heard = attend(hear(suite["audio_dir"] / "a.wav"), ChannelMap(0, 1))
    shown = np.array([[float(t), float(level)] for t, level in rows])
    assert np.allclose(shown[:, 0], np.arange(700) * 0.01)
    assert np.allclose(shown[:, 1], heard.caller.activity.dbfs, atol=0.051)
    assert f"caller active from {heard.caller.activity.threshold_db:.1f} dBFS" in page


def test_a_long_call_shows_the_surroundings_of_the_event_and_how_to_get_the_rest(
    call_writer: Callable[..., Path], tmp_path: Path
) -> None:
    call = call_writer(tmp_path / "long.wav", [(60.0, 63.0)], [(1.0, 20.0), (50.0, 60.6)], 120.0, 8000)
    heard = attend(hear(call), ChannelMap(0, 1))
    view = event_view(run_single(stereo=call, onset_sec=60.0)["events"][0], heard)
    assert view.picture is not None and view.frames is not None
    assert view.picture.scale.lo == pytest.approx(56.0, abs=0.02)
    assert len(view.frames.rows) <= INSPECTED_FRAMES
    times = [float(row[0]) for row in view.frames.rows]
    assert times[0] <= 59.1 and times[-1] >= 60.7
    page, _ = build_report_html(stereo=call, onset_sec=60.0)
    assert "--dump-frames" in page


def test_three_events_are_summed_up_and_two_are_not() -> None:
    three = with_events(event("a", 0.4, 0.1), event("b", 0.8, 0.6), event("c", None, 4.0, passed=False))
    rollup = charts(three)
    assert rollup is not None
    assert (rollup.yields["n"], rollup.yields["mean"], rollup.yields["median"]) == (2, 0.6, 0.6)
    assert rollup.yields["p90"] == pytest.approx(0.76)
    counts = dict(zip(BUCKETS_SEC, (bar.count for bar in rollup.bars), strict=True))
    assert {lo: n for lo, n in counts.items() if n} == {0.0: 1, 0.5: 1, 3.0: 1}
    assert [reading.x for reading in rollup.readings] == [40.0, 80.0]
    assert charts(with_events(*three["events"][:2])) is None


def test_failures_that_point_at_one_setting_are_one_cluster(suite: dict[str, Path]) -> None:
    _, envelope = build_report_html(**suite)
    knob = {"parameter": "p", "direction": "lower"}
    entry = {"fix_class": "config", "title": "Slow yield", "knob": knob, "pointer": None}
    doubled = envelope | {"fix_map": [entry | {"event_id": name} for name in "ab"]}
    rollup = charts(doubled)
    assert rollup is not None
    (cluster,) = rollup.clusters
    assert (cluster.events, cluster.setting) == (("a", "b"), "p: lower")


def test_a_base_shows_what_changed(suite: dict[str, Path]) -> None:
    before = with_events(event("a", 0.5, 0.5), event("b", 2.0, 2.0, passed=False), event("x", 0.1, 0.1))
    now = with_events(event("a", None, 3.0, passed=False), event("b", 1.0, 0.5), event("y", 0.1, 0.1))
    found = {delta.name: delta for delta in deltas(before, now)}
    assert {name: delta.change for name, delta in found.items()} == {
        "a": "regressed",
        "b": "fixed",
        "y": "new",
        "x": "gone",
    }
    assert found["b"].to_yield == "2.00 s → 1.00 s (-1.00 s)"
    _, envelope = build_report_html(**suite)
    page, _ = build_report_html(**suite, base=envelope, base_label="<last week>")
    assert "Against &lt;last week&gt;" in page


def test_a_difference_within_the_error_is_said_to_be_one() -> None:
    def sides(sec: float) -> dict[str, Any]:
        edges = {"talk_over": {"sec": sec, "lo_sec": sec - 0.1, "hi_sec": sec + 0.1}}
        return with_events(event("a", None, sec, passed=False) | {"edges": edges})

    (near,), (far,) = deltas(sides(1.0), sides(1.15)), deltas(sides(1.0), sides(1.25))
    assert (near.change, near.talk_over) == ("unchanged", "1.00 s → 1.15 s (+0.15 s, within the error)")
    assert (far.change, far.tone, far.talk_over) == ("worse", "fail", "1.00 s → 1.25 s (+0.25 s)")


def test_a_base_of_another_profile_is_no_base() -> None:
    run = with_events(event("a", 0.5, 0.5))
    assert deltas({**run, "profile": "documented"}, run)[0].change == "still pass"
    with pytest.raises(Refusal, match="measured by the documented profile") as refused:
        deltas(run, {**run, "profile": "calibrated"})
    assert refused.value.code == "profiles_differ"


def test_profiles_are_compared_event_by_event() -> None:
    def mixed(first: str, second: str) -> dict[str, Any]:
        one, two = event("a", 0.5, 0.5), event("b", 0.5, 0.5)
        run = with_events(one | {"profile": first}, two | {"profile": second})
        return run | {"profile": "mixed"}

    base = mixed("documented", "calibrated")
    assert {delta.change for delta in deltas(base, mixed("documented", "calibrated"))} == {"still pass"}
    with pytest.raises(Refusal, match="event 'a' of the base was measured by the documented") as refused:
        deltas(base, mixed("calibrated", "documented"))
    assert refused.value.code == "profiles_differ"
    now = with_events(event("b", 0.5, 0.5)) | {"profile": "calibrated"}
    assert {delta.name: delta.change for delta in deltas(base, now)} == {"b": "still pass", "a": "gone"}


@pytest.mark.parametrize("base", [{}, {"events": 3}, {"events": [{}]}, {"events": [{"event_id": "a"}]}])
def test_a_base_that_is_no_run_is_refused(base: dict[str, Any]) -> None:
    with pytest.raises(Refusal, match="not the JSON of a run") as refused:
        deltas(base, with_events(event("a", 0.1, 0.1)))
    assert refused.value.code == "not_an_envelope"


def test_markdown_says_the_same_and_cannot_be_broken_out_of(suite: dict[str, Path]) -> None:
    text, envelope = build_report_md(**suite)
    assert "**1 of 4 events did not behave as labelled.**" in text
    for one in envelope["events"]:
        assert re.search(rf"^\| {one['event_id']} \| (PASS|FAIL) \| yield \|", text, flags=re.M)
    assert "slower than the 1.50s bound" in text
    evil = json.loads(json.dumps(envelope))
    evil["events"][0]["event_id"] = "a|b<script>\n# head`"
    assert "a\\|b\\<script\\>\\\\x0a\\# head\\`" in run_markdown(evil)


def test_hostile_titles_stay_text(suite: dict[str, Path]) -> None:
    _, envelope = build_report_html(**suite)
    evil = json.loads(json.dumps(envelope))
    evil["events"][0] |= {"title": "<script>x</script>\u202e", "category": "<b>", "event_id": '"><img src=x>'}
    page = run_page(evil, [event_view(one, None) for one in evil["events"]])
    assert "<script" not in page and "<img" not in page and "\u202e" not in page


def test_the_report_is_written_once_and_replaced_only_when_told(
    suite: dict[str, Path], tmp_path: Path
) -> None:
    call = suite["audio_dir"] / "a.wav"
    envelope = write_report(tmp_path / "r.html", stereo=call, onset_sec=ONSET_SEC)
    assert envelope["mode"] == "single"
    write_report(tmp_path / "r.html", stereo=call, onset_sec=ONSET_SEC)  # the same bytes: nothing to replace
    with pytest.raises(Refusal, match="exists"):
        write_report(tmp_path / "r.html", "md", stereo=call)
    write_report(tmp_path / "r.html", "md", stereo=call, force=True)
    assert (tmp_path / "r.html").read_text().startswith("# hotato report")
    for wrong in ({"fmt": "pdf"}, {"fmt": "md", "embed_audio": True}):
        with pytest.raises(UsageError):
            write_report(tmp_path / "x", stereo=call, **wrong)
    with pytest.raises(UsageError, match="only one recording"):
        build_report_html(**suite, embed_audio=True)
    assert not (tmp_path / "x").exists()


def test_a_page_moved_with_its_recording_is_the_same_page(suite: dict[str, Path], tmp_path: Path) -> None:
    call = suite["audio_dir"] / "a.wav"
    (tmp_path / "other").mkdir()
    moved = tmp_path / "other" / "a.wav"
    moved.write_bytes(call.read_bytes())
    assert build_report_html(stereo=call)[0] == build_report_html(stereo=moved)[0]
    assert str(tmp_path) not in build_report_html(stereo=moved)[0]


def test_embedded_sound_is_the_recording(heard: Heard, suite: dict[str, Path]) -> None:
    import soundfile

    assert heard.samples is not None
    for encoded in (wav_bytes(heard.samples, 16000), flac_bytes(heard.samples, 16000)):
        samples, rate = soundfile.read(io.BytesIO(encoded), dtype="int16")
        assert rate == 16000
        assert np.array_equal(samples, heard.samples)
    wide = heard.samples.astype(np.int32) * 256
    samples, _ = soundfile.read(io.BytesIO(flac_bytes(wide, 16000, 8388608)), dtype="int16")
    assert np.array_equal(samples, heard.samples)
    page, _ = build_report_html(stereo=suite["audio_dir"] / "a.wav", embed_audio=True)
    assert 'src="data:audio/flac;base64,' in page and page.count("<script>") == 1


def test_a_recording_that_was_too_long_to_keep_is_not_embedded(suite: dict[str, Path]) -> None:
    heard = attend(hear(suite["audio_dir"] / "a.wav", keep_samples_bytes=1000), ChannelMap(0, 1))
    with pytest.raises(Refusal, match="too long"):
        embeddable(heard)
    hearing = hear(suite["audio_dir"] / "a.wav", keep_samples_bytes=10_000_000)
    assert embeddable(hearing)[1] == "audio/flac"


INTERVAL = re.compile(r"([0-9.]+) s(?: at the energy edges)? \(([0-9.]+) to ([0-9.]+) s\)")


@pytest.fixture(scope="module")
def by_hangover(call_writer: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The agent stops 0.4 s after the caller began: within 0.5 s, but not with the hangover on top."""
    folder = tmp_path_factory.mktemp("hangover")
    return call_writer(folder / "call.wav", [(ONSET_SEC, 4.8)], [(0.2, 2.4), (5.5, 6.5)], 7.0)


def told(envelope: dict[str, Any], page: str) -> dict[str, str]:
    """The run in all three forms, each on one line."""
    forms = {
        "text": run_text(envelope),
        "page": re.sub(r"<[^>]+>", " ", page),
        "markdown": run_markdown(envelope).replace("\\", ""),
    }
    return {name: " ".join(form.split()) for name, form in forms.items()}


def test_no_value_stands_beside_an_interval_that_does_not_hold_it(by_hangover: Path) -> None:
    page, envelope = build_report_html(stereo=by_hangover, onset_sec=ONSET_SEC)
    edges = envelope["events"][0]["edges"]["time_to_yield"]
    for name, form in told(envelope, page).items():
        found = [tuple(map(float, match)) for match in INTERVAL.findall(form)]
        assert len(found) >= 2, name
        assert all(lo <= value <= hi for value, lo, hi in found), name
        assert f"0.55 s (with hangover), {edges['sec']:.2f} s at the energy edges (" in form, name


def test_a_limit_between_the_two_values_is_said_to_be_decided_by_the_hangover(by_hangover: Path) -> None:
    page, envelope = build_report_html(stereo=by_hangover, onset_sec=ONSET_SEC, max_time_to_yield_sec=0.5)
    said = "the hangover decides: with it the time to yield is 0.55 s, over the limit of 0.50 s"
    for name, form in told(envelope, page).items():
        assert said in form and "within the limit of 0.50 s" in form, name
    page, envelope = build_report_html(stereo=by_hangover, onset_sec=ONSET_SEC, max_time_to_yield_sec=0.2)
    assert not any("the hangover decides" in form for form in told(envelope, page).values())


def test_the_label_and_the_onset_are_said_with_who_stated_them(by_hangover: Path) -> None:
    page, envelope = build_report_html(stereo=by_hangover)
    for form in told(envelope, page).values():
        assert re.search(
            r"[Nn]o label given: yield assumed, no bounds stated; onset 1\.9\d s, detected", form
        )
        assert "hotato scan" not in form
    page, envelope = build_report_html(stereo=by_hangover, onset_sec=ONSET_SEC, expect="hold")
    for form in told(envelope, page).values():
        assert re.search(r"[Ee]xpected hold; onset 2\.00 s, as stated", form)


def test_a_detected_onset_of_a_longer_call_points_at_the_other_moments(
    call_writer: Callable[..., Path], tmp_path: Path
) -> None:
    call = call_writer(
        tmp_path / "long.wav", [(2.0, 4.0), (20.0, 21.0)], [(0.2, 2.4), (22.0, 34.0)], 36.0, 8000
    )
    page, envelope = build_report_html(stereo=call)
    for form in told(envelope, page).values():
        assert "lists the other moments of this call" in form
    page, envelope = build_report_html(stereo=call, onset_sec=2.0)
    assert not any("other moments" in form for form in told(envelope, page).values())


def test_an_event_that_cannot_be_judged_says_what_to_do(by_hangover: Path) -> None:
    page, envelope = build_report_html(stereo=by_hangover, onset_sec=3.5)
    for form in told(envelope, page).values():
        assert "tate a moment in which the agent talks (--onset SECONDS" in form


def test_a_doubt_is_told_in_every_form(call_writer: Callable[..., Path], tmp_path: Path) -> None:
    call = call_writer(tmp_path / "call.wav", [(0.3, 6.5)], [(1.0, 2.4)], 7.0)
    page, envelope = build_report_html(stereo=call, onset_sec=ONSET_SEC)
    assert "possible_swap" in envelope["events"][0]["verdict"].get("doubts", [])
    for form in told(envelope, page).values():
        assert "so the two may be swapped" in form


def test_the_limit_of_the_yield_is_drawn(by_hangover: Path) -> None:
    heard = attend(hear(by_hangover), ChannelMap(0, 1))
    envelope = run_single(stereo=by_hangover, onset_sec=ONSET_SEC, max_time_to_yield_sec=1.5)
    view = event_view(envelope["events"][0], heard)
    assert view.picture is not None and view.bracket is not None and view.bracket.limit is not None
    assert view.bracket.limit == pytest.approx(view.picture.scale.percent(3.5))
    page, _ = build_report_html(stereo=by_hangover, onset_sec=ONSET_SEC, max_time_to_yield_sec=1.5)
    assert "limit 1.50 s" in page
    assert 'class="limit-text"' not in build_report_html(stereo=by_hangover, onset_sec=ONSET_SEC)[0]


def test_the_exit_code_that_is_printed_is_the_one_of_the_process(by_hangover: Path) -> None:
    failed = run_single(stereo=by_hangover, onset_sec=ONSET_SEC, max_time_to_yield_sec=0.1)
    assert "exit code 0 (--no-fail; the verdict alone would be 1)" in run_text(failed, no_fail=True)
    assert run_text(failed).endswith("exit code 1\n")
    passed = run_single(stereo=by_hangover, onset_sec=ONSET_SEC)
    assert run_text(passed, no_fail=True).endswith("exit code 0\n")


@pytest.mark.parametrize("section", ["trace", "assertions", "reliability"])
def test_a_section_of_a_later_edition_is_refused_for_what_it_is(tmp_path, section) -> None:
    for build in (build_report_html, build_report_md):
        with pytest.raises(UsageError, match=f"{section}= is not in this version"):
            build(stereo=tmp_path / "none.wav", **{section: {}})
    with pytest.raises(UsageError, match=f"{section}= is not in this version"):
        write_report(tmp_path / "page.html", stereo=tmp_path / "none.wav", **{section: {}})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {},
            "The agent went quiet {} after the caller began. Nobody labelled the moment: a yield was assumed",
        ),
        ({"max_time_to_yield_sec": 3.0}, "The agent went quiet {} after the caller began, within the bounds"),
        (
            {"max_time_to_yield_sec": 1.0},
            "The agent yielded in {}, slower than the 1.00s bound. Nobody labelled",
        ),
        ({"expect": "yield"}, "The event behaved as labelled."),
        ({"expect": "hold"}, "The event did not behave as labelled."),
    ],
)
def test_the_headline_speaks_of_a_label_only_where_one_was_given(
    call_writer: Callable[..., Path], tmp_path: Path, given: dict[str, Any], said: str
) -> None:
    call = call_writer(tmp_path / "call.wav", [(ONSET_SEC, 4.8)], [(0.2, 4.4)], 7.0)
    page, envelope = build_report_html(stereo=call, onset_sec=ONSET_SEC, **given)
    took = envelope["events"][0]["verdict"]["seconds_to_yield"]
    said = said.format(f"{took:.2f}s" if "slower" in said else f"{took:.2f} s")
    (headline,) = re.findall(r"<h1[^>]*>(.*?)</h1>", page, flags=re.DOTALL)
    plain = re.sub(r"<[^>]+>", "", headline)
    markdown, _ = build_report_md(stereo=call, onset_sec=ONSET_SEC, **given)
    assert said in " ".join(plain.split()) and f"**{said}" in markdown
