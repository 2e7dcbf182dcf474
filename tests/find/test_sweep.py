"""Several recordings, one ranked list, and the page of it."""

from __future__ import annotations

import base64
import io
import json
import re
from pathlib import Path

import pytest
import soundfile

from hotato.canonical import to_json
from hotato.find import Analysis, Named, analysis_json, pick, picked_of, sweep
from hotato.report import candidates_page, moment_views


@pytest.fixture
def folder(write_call, sound, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two calls with something to find, one without, one on a single channel, and a text."""
    monkeypatch.chdir(tmp_path)
    calls = {
        "a-slow.wav": ([(1.0, 2.0)], [(5.5, 8.0)]),
        "b-talked-over.wav": ([(3.0, 6.0)], [(0.5, 8.0)]),
        "c-fine.wav": ([(1.0, 2.0)], [(2.6, 5.0)]),
    }
    for name, (caller, agent) in calls.items():
        write_call(sound(caller, 10.0), sound(agent, 10.0, seed=2), name=name)
    write_call(sound([(1.0, 2.0)], 10.0), name="d-mono.wav")
    (tmp_path / "e-notes.wav").write_text("not a recording at all")
    return tmp_path


def analysed(folder: Path, **options) -> Analysis:
    paths = sorted(folder.glob("*.wav"))
    return sweep([Named(path.name, str(path)) for path in paths], ".", **options)


def test_the_worst_moment_of_all_recordings_comes_first(folder: Path):
    analysis = analysed(folder)
    assert [(one.rank, one.named.source) for one in analysis.found] == [
        (1, "b-talked-over.wav"),
        (2, "a-slow.wav"),
    ]
    assert analysis.found[0].ranked.incident.severity == "CRITICAL"


def test_a_recording_that_cannot_be_looked_into_is_a_row_with_its_reason(folder: Path):
    analysis = analysed(folder)
    assert [one.named.source for one in analysis.swept] == ["a-slow.wav", "b-talked-over.wav", "c-fine.wav"]
    assert [one.named.source for one in analysis.skipped] == ["d-mono.wav", "e-notes.wav"]
    assert all(one.reason for one in analysis.skipped)


def test_progress_counts_every_recording(folder: Path):
    seen: list[int] = []
    analysed(folder, progress=seen.append)
    assert seen == [1, 2, 3, 4, 5]


def test_the_json_has_the_documented_keys_and_leads_back(folder: Path):
    analysis = analysed(folder)
    record = analysis_json(analysis)
    assert list(record)[:13] == [
        "tool",
        "kind",
        "schema_version",
        "folder",
        "folder_path",
        "note",
        "config",
        "calls_scanned",
        "calls_skipped",
        "scanned",
        "skipped",
        "total_candidates",
        "candidates",
    ]
    assert list(record["candidates"][0])[:7] == [
        "source",
        "t_sec",
        "kind",
        "salience",
        "durations",
        "agent_reaction",
        "window",
    ]
    assert (record["calls_scanned"], record["calls_skipped"], record["shown"]) == (3, 2, 2)
    Path("s.json").write_text(to_json(record))
    for one in analysis.found:
        by_ref = pick(f"s.json#{one.rank}")
        direct = picked_of(analysis, one, "s.json")
        assert Path(by_ref.recording).name == Path(direct.recording).name
        assert (by_ref.t_sec, by_ref.kind, by_ref.sha256) == (direct.t_sec, direct.kind, direct.sha256)
        assert by_ref.candidate == json.loads(to_json(direct.candidate))
    assert pick("s.json#a-slow:1").rank == 2


def test_the_same_recordings_give_the_same_bytes(folder: Path):
    pages = set()
    for _ in range(2):
        analysis = analysed(folder)
        views = moment_views(analysis, top=0, audio_top=8, ref_file="s.json")
        pages.add(to_json(analysis_json(analysis)) + candidates_page(analysis, views))
    assert len(pages) == 1
    assert str(folder) not in pages.pop()


def test_the_page_carries_the_sound_of_its_first_moments_only(folder: Path):
    analysis = analysed(folder)
    page = candidates_page(analysis, moment_views(analysis, top=0, audio_top=1, ref_file="s.json"))
    (clip,) = re.findall(r'<audio [^>]*src="data:audio/flac;base64,([^"]+)"', page)
    samples, rate = soundfile.read(io.BytesIO(base64.b64decode(clip)))
    window = analysis.found[0].window
    assert len(samples) / rate == pytest.approx(window.end_sec - window.start_sec, abs=0.001)
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)
    assert "media-src data:" in page and "script-src &#39;sha256-" in page
    silent = candidates_page(analysis, moment_views(analysis, top=0, audio_top=0))
    assert "<audio" not in silent and "script-src" not in silent


def test_the_page_lists_what_was_skipped_and_escapes_every_name(folder: Path):
    (folder / "d-mono.wav").rename(folder / "<img src=x>.wav")
    analysis = analysed(folder)
    page = candidates_page(analysis, moment_views(analysis, top=1, audio_top=0))
    assert "&lt;img src=x&gt;.wav" in page and "<img" not in page
    assert "1 further moment" in page


def test_a_sweep_of_nothing_says_so():
    analysis = sweep([], ".")
    assert "No moment to label in 0 recordings." in candidates_page(analysis, ())
    assert analysis_json(analysis)["candidates"] == []
