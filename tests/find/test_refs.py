"""References to a moment: the right one, of the right recording, and nothing else."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.canonical import to_json
from hotato.errors import Refusal
from hotato.find import scan, scan_json, stored_envelope
from hotato.find.refs import call_ref, pick
from hotato.listen import attend, hear
from hotato.stacks import channel_map

Write = Callable[..., Path]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def moment(t_sec: float = 1.0, **more: Any) -> dict[str, Any]:
    return {"t_sec": t_sec, "kind": "long_response_gap", "durations": {"gap_sec": 2.5}, **more}


def analysis(*candidates: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "tool": "hotato",
        "kind": "analyze",
        "folder_path": "calls",
        "total_candidates": len(candidates),
        "candidates": list(candidates),
        **more,
    }


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    folder = tmp_path / "calls"
    (folder / "late").mkdir(parents=True)
    for name in ("a.wav", "b.wav", "late/a.wav"):
        (folder / name).write_bytes(name.encode())
    return folder


def write(path: str, value: Any) -> str:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def code(ref: str, **options: Any) -> str:
    with pytest.raises(Refusal) as refused:
        pick(ref, **options)
    assert refused.value.remedy, refused.value.message
    return refused.value.code


def sha(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_nth_moment_is_the_nth_of_the_file(calls: Path):
    write("sweep.json", analysis(moment(3.0, source="a.wav"), moment(1.5, source="b.wav")))
    picked = pick("sweep.json#2")
    assert (picked.recording, picked.t_sec, picked.kind, picked.rank) == (
        "calls/b.wav",
        1.5,
        "long_response_gap",
        2,
    )
    assert picked.candidate["durations"] == {"gap_sec": 2.5}
    assert (picked.call, picked.channels, picked.stack) == (None, None, None)


@pytest.mark.parametrize("call", ["b.wav", "b", "call_7"])
def test_the_nth_moment_of_a_call_is_counted_within_that_call(calls: Path, call: str):
    found = [
        moment(1.0, source="a.wav"),
        moment(2.0, source="b.wav", call_id="call_7"),
        moment(3.0, source="b.wav", call_id="call_7"),
    ]
    write("sweep.json", analysis(*found))
    picked = pick(f"sweep.json#{call}:2")
    assert (picked.t_sec, picked.rank, picked.call) == (3.0, 3, call)


def test_a_name_that_fits_two_calls_is_refused_and_a_path_tells_them_apart(calls: Path):
    write("s.json", analysis(moment(1.0, source="x/a.wav"), moment(2.0, source="late/a.wav")))
    assert code("s.json#a.wav:1") == "ambiguous_call"
    assert pick("s.json#late/a.wav:1").t_sec == 2.0


def test_a_hash_in_a_name_is_no_reference_sign(calls: Path):
    (calls / "take #2.wav").write_bytes(b"x")
    write("week #1.json", analysis(moment(source="take #2.wav")))
    assert pick("week #1.json#1").recording == "calls/take #2.wav"
    assert pick("week #1.json#take #2.wav:1").rank == 1


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("s.json", "usage_error"),
        ("#1", "usage_error"),
        ("", "usage_error"),
        ("s.json#", "usage_error"),
        ("s.json#0", "usage_error"),
        ("s.json#-1", "usage_error"),
        ("s.json#1.0", "usage_error"),
        ("s.json#\u0661", "usage_error"),
        ("s.json#:1", "usage_error"),
        ("s.json#a.wav:", "usage_error"),
        ("apx-0123456789ab#1", "usage_error"),
        ("s.json#3", "no_such_candidate"),
        ("s.json#999999999", "no_such_candidate"),
        ("s.json#a.wav:2", "no_such_candidate"),
        ("s.json#nobody:1", "no_such_call"),
        ("none.json#1", "not_found"),
        (".#1", "is_a_directory"),
    ],
)
def test_a_wrong_reference_is_refused_with_what_would_be_right(calls: Path, ref: str, expected: str):
    write("s.json", analysis(moment(source="a.wav"), moment(source="b.wav")))
    assert code(ref) == expected


def test_a_moment_that_was_found_but_not_kept_is_said_to_be_so(calls: Path):
    write("s.json", analysis(moment(source="a.wav"), total_candidates=9))
    with pytest.raises(Refusal, match="9 were found and 1 kept"):
        pick("s.json#2")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "no json",
        '{"tool": "hotato", "kind": "scan", "kind": "scan"}',
        '{"tool": "other", "kind": "scan", "source": "a.wav", "candidates": []}',
        '{"tool": "hotato", "kind": "run"}',
        '{"tool": "hotato", "kind": ["scan"]}',
        '{"tool": "hotato", "kind": "scan", "candidates": [{"t_sec": 1.0}]}',
        '{"tool": "hotato", "kind": "analyze", "candidates": [{"t_sec": 1.0}]}',
        '{"tool": "hotato", "kind": "analyze", "candidates": [{"t_sec": "1.0", "source": "a.wav"}]}',
        '{"tool": "hotato", "kind": "analyze", "candidates": [{"t_sec": -1.0, "source": "a.wav"}]}',
        '{"tool": "hotato", "kind": "analyze", "candidates": [{"t_sec": 1e99, "source": "a.wav"}]}',
        '{"tool": "hotato", "kind": "analyze", "candidates": {"t_sec": 1.0}}',
        '{"tool": "hotato", "kind": "analyze", "candidates": [7]}',
        '{"tool": "hotato", "kind": "analyze", "sha256": "beef", "candidates": []}',
        '{"tool": "hotato", "kind": "analyze", "config": {"caller_channel": -1}, "candidates": []}',
        "[" * 100_000,
        "\ud800".encode("utf-16", "surrogatepass").decode("latin-1"),
    ],
)
def test_a_file_that_lists_no_moments_of_ours_is_refused(calls: Path, content: str):
    write("x.json", content)
    assert code("x.json#1") in {"not_json", "not_a_candidate_file", "repeated_key"}


@pytest.mark.parametrize("source", ["../secret.wav", "/etc/hostname", "a/../../secret.wav", "a\0.wav"])
def test_a_recording_outside_the_folder_is_never_opened(calls: Path, tmp_path: Path, source: str):
    write("s.json", analysis(moment(source=source)))
    assert code("s.json#1") == "unsafe_path"


@pytest.mark.parametrize("outside", ["..", "/", "x/../.."])
def test_a_folder_outside_is_entered_only_for_a_recording_known_by_its_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outside: str
):
    (tmp_path / "work").mkdir()
    (tmp_path / "secret.wav").write_bytes(b"secret")
    monkeypatch.chdir(tmp_path / "work")
    folder = str(tmp_path) if outside == "/" else outside
    listed = analysis(moment(source="secret.wav"), folder_path=folder)
    write("s.json", listed)
    assert code("s.json#1") == "recording_missing"
    known = {"source": "secret.wav", "sha256": sha(tmp_path / "secret.wav")}
    if outside != "x/../..":
        write("s.json", listed | {"scanned": [known]})
        assert Path(pick("s.json#1").recording).read_bytes() == b"secret"


def test_a_recording_that_moved_is_found_in_the_folder_that_is_named(calls: Path, tmp_path: Path):
    write("s.json", analysis(moment(source="late/a.wav")))
    moved = tmp_path / "elsewhere"
    calls.rename(moved)
    assert code("s.json#1") == "recording_missing"
    assert pick("s.json#1", folder="elsewhere").recording == "elsewhere/late/a.wav"
    assert pick("s.json#1", folder="elsewhere/late").recording == "elsewhere/late/a.wav"
    assert code("s.json#1", folder="nowhere") == "recording_missing"


def test_another_recording_of_the_same_name_is_not_taken(calls: Path):
    known = {"source": "a.wav", "sha256": sha(calls / "a.wav")}
    write("s.json", analysis(moment(source="a.wav"), scanned=[known]))
    assert pick("s.json#1").recording == "calls/a.wav"
    (calls / "a.wav").write_bytes(b"another take")
    assert code("s.json#1") == "recording_changed"
    assert code("s.json#1", folder="calls") == "recording_changed"


def test_a_pipe_or_a_folder_is_no_recording(calls: Path):
    (calls / "a.wav").unlink()
    os.mkfifo(calls / "a.wav")
    write("s.json", analysis(moment(source="a.wav"), moment(source="late")))
    assert code("s.json#1") == code("s.json#2") == "recording_missing"


def test_a_recording_beside_the_file_is_found_from_anywhere(
    calls: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    write("s.json", analysis(moment(source="a.wav")))
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    assert Path(pick("../s.json#1").recording).read_bytes() == b"a.wav"


@pytest.mark.parametrize(
    ("config", "channels", "stack"),
    [
        ({}, None, None),
        ({"caller_channel": 0, "agent_channel": 1}, None, None),
        ({"caller_channel": 1, "agent_channel": 0}, (1, 0), None),
        ({"caller_channel": 0, "agent_channel": 1, "channels_from": "flags"}, (0, 1), None),
        (
            {"caller_channel": 1, "agent_channel": 0, "channels_from": "stack", "stack": "livekit"},
            None,
            "livekit",
        ),
        ({"caller_channel": 1, "agent_channel": 0, "stack": "a later one"}, (1, 0), None),
    ],
)
def test_channels_count_as_named_only_where_a_person_named_them(
    calls: Path, config: dict[str, Any], channels: tuple[int, int] | None, stack: str | None
):
    write("s.json", analysis(moment(source="a.wav"), config=config))
    picked = pick("s.json#1")
    assert (picked.channels, picked.stack) == (channels, stack)


def test_a_scan_leads_back_to_its_recording_and_its_channels(render, tmp_path: Path):
    heard = render([(2.0, 4.5)], [(0.5, 3.2)], 6.0, channels=channel_map(caller=1, agent=0))
    write("scan.json", to_json(scan_json(heard, scan(heard))))
    picked = pick("scan.json#1")
    assert (picked.recording, picked.channels) == ("call.wav", (1, 0))
    assert picked.t_sec == scan(heard)[0].t_sec
    (tmp_path / "call.wav").write_bytes(b"another")
    assert code("scan.json#1") == "recording_changed"


def test_an_autopsy_leads_back_to_its_recording(open_call, tmp_path: Path):
    opened = open_call([(2.0, 6.0)], [(0.5, 5.5)], 8.0)
    write("out/a.json", to_json(stored_envelope(opened, source_path="call.wav")))
    picked = pick("out/a.json#1")
    assert (picked.recording, picked.kind) == ("call.wav", "overlap_while_agent_talking")
    shutil.copy(tmp_path / "call.wav", tmp_path / "kept.wav")
    (tmp_path / "call.wav").write_bytes(b"another")
    assert code("out/a.json#1") == "recording_changed"


def test_moments_of_two_files_or_of_standard_input_lead_to_no_recording(sound, write_call: Write):
    one, other = (write_call(sound([(1.0, 2.0)], 4.0), name=f"{role}.wav") for role in ("caller", "agent"))
    from hotato.listen import attend_pair

    heard = attend_pair(hear(one), hear(other))
    write("pair.json", to_json(scan_json(heard, scan(heard))))
    assert code("pair.json#1") == "paired"
    stereo = attend(hear(write_call(sound([(1.0, 2.0)], 4.0), sound([(0.2, 3.0)], 4.0))), channel_map())
    write("piped.json", to_json(scan_json(stereo, scan(stereo)) | {"source_path": "stdin"}))
    assert code("piped.json#1") == "from_standard_input"


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["candidates", "source", "t_sec", "config", "scanned", "folder_path", "sha256"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=8,
    )
)
def test_no_content_of_a_file_does_more_than_be_refused(tmp_path_factory, value):
    folder = tmp_path_factory.mktemp("hostile")
    listed = {"tool": "hotato", "kind": "analyze", **(value if isinstance(value, dict) else {})}
    (folder / "x.json").write_text(json.dumps(listed))
    with pytest.raises(Refusal):
        pick(f"{folder}/x.json#1")


def test_a_call_is_named_by_what_its_recording_holds_too(calls: Path):
    scanned = [{"source": name, "sha256": sha(calls / name)} for name in ("a.wav", "b.wav")]
    listed = analysis(moment(3.0, source="a.wav"), moment(1.5, source="b.wav"), scanned=scanned)
    write("sweep.json", listed)
    ref = call_ref("sweep.json", sha(calls / "b.wav"), 1)
    assert (pick(ref).source, pick(ref).t_sec, pick(ref).call) == ("b.wav", 1.5, ref[11:-2])
    write("sweep.json", analysis(moment(3.0, source="a.wav"), scanned=scanned[:1]))
    assert code(ref) == "no_such_call"
    assert pick("sweep.json#1").source == "a.wav"


def test_two_copies_of_a_recording_are_one_call_by_what_they_hold(calls: Path):
    (calls / "b.wav").write_bytes((calls / "a.wav").read_bytes())
    scanned = [{"source": name, "sha256": sha(calls / name)} for name in ("a.wav", "b.wav")]
    write("sweep.json", analysis(moment(3.0, source="a.wav"), moment(1.5, source="b.wav"), scanned=scanned))
    assert pick(call_ref("sweep.json", sha(calls / "a.wav"), 2)).source == "b.wav"


def test_a_state_leads_to_its_recording_from_another_working_folder(calls: Path, tmp_path, monkeypatch):
    listed = {**analysis(moment(source="a.wav")), "sha256": sha(calls / "a.wav")}
    write(".hotato/state.json", listed)
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert Path(pick("../.hotato/state.json#1").recording).samefile(calls / "a.wav")
    monkeypatch.chdir(tmp_path / ".hotato")
    assert Path(pick("state.json#1").recording).samefile(calls / "a.wav")


def test_a_recording_that_is_nowhere_is_refused_with_the_places(calls: Path):
    write(".hotato/state.json", {**analysis(moment(source="gone.wav")), "sha256": sha(calls / "a.wav")})
    with pytest.raises(Refusal) as refused:
        pick(".hotato/state.json#1")
    for place in ("'calls/gone.wav'", "'.hotato/gone.wav'", "'gone.wav'"):
        assert place in refused.value.message


def test_without_a_digest_nothing_above_the_file_is_opened(calls: Path):
    write("calls/late/list.json", analysis(moment(source="b.wav"), folder_path="."))
    assert code("calls/late/list.json#1") == "recording_missing"
