"""One recording investigated: what is listed, in which order, and what is kept of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hotato.canonical import to_json
from hotato.errors import Refusal
from hotato.find import (
    Investigation,
    ScanParams,
    autopsy,
    investigate,
    investigation_json,
    keep,
    origin_of,
    pick,
    start_of,
)
from hotato.find.investigate import ranked_json
from hotato.find.records import recording_id
from hotato.find.state import KEPT_RUNS, require_usable
from hotato.listen import hear, tell_apart
from hotato.report import label_commands
from hotato.stacks import channel_map

Look = Callable[..., Investigation]
FRAME = 0.0101


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _look(path: Path | str, **options) -> Investigation:
    call = tell_apart(hear(path), channel_map(**options.pop("channels", {})))
    name = Path(path).name
    return investigate(call, path=name, origin=origin_of(name, call.file_sha256), **options)


@pytest.fixture
def look(write_call, sound) -> Look:
    """The investigation of a call rendered from the spans of caller and agent."""

    def investigated(caller, agent, seconds: float, **options) -> Investigation:
        return _look(write_call(sound(caller, seconds), sound(agent, seconds, seed=2)), **options)

    return investigated


TALKED_OVER = ([(3.0, 6.0)], [(0.5, 8.0)], 10.0)
SLOW = ([(1.0, 2.0)], [(5.5, 8.0)], 10.0)


def test_an_agent_that_talks_on_is_the_likeliest_failure_and_may_be_labelled_yield_or_hold(look: Look):
    found = look(*TALKED_OVER)
    first = found.ranked[0]
    assert first.likely and first.incident is not None and first.incident.kind == "BARGE-IN"
    assert first.labels == ("yield", "hold")
    assert first.candidate.t_sec == pytest.approx(3.0, abs=FRAME)


def test_a_late_answer_may_be_labelled_answer_only(look: Look):
    found = look(*SLOW)
    assert [one.labels for one in found.ranked] == [("answer",)]
    assert found.ranked[0].incident is not None and found.ranked[0].incident.kind == "LATENCY SPIKE"


def test_an_agent_that_stops_for_a_short_sound_is_first_offered_as_a_hold(look: Look):
    found = look([(3.0, 3.3)], [(0.5, 3.35), (6.0, 8.0)], 9.0)
    stop = next(one for one in found.ranked if one.candidate.kind == "overlap_while_agent_talking")
    assert stop.labels == ("hold", "yield")


def test_what_the_agent_did_right_is_left_out_unless_everything_is_asked_for(look: Look):
    yielded = ([(3.0, 6.0)], [(0.5, 3.4), (6.4, 8.0)], 9.0)
    found = look(*yielded)
    assert found.ranked == () and found.left_out > 0
    everything = look(*yielded, everything=True)
    assert len(everything.ranked) == found.left_out and everything.left_out == 0
    assert all(one.ordinary and not one.likely for one in everything.ranked)


def test_the_order_is_autopsys_and_the_ordinary_comes_last(write_call, sound):
    caller = [(3.0, 6.0), (14.0, 15.0), (24.0, 24.4)]
    agent = [(0.5, 8.0), (20.5, 27.0)]
    path = write_call(sound(caller, 30.0), sound(agent, 30.0, seed=2))
    incidents = autopsy(tell_apart(hear(path), channel_map())).incidents
    found = _look(path, everything=True)
    graded = [one.incident for one in found.ranked if one.incident is not None]
    assert [one.sentence for one in graded] == [one.sentence for one in incidents]
    assert len(graded) >= 2 and found.ranked[0].incident == graded[0]
    assert [one.ordinary for one in found.ranked] == sorted(one.ordinary for one in found.ranked)
    assert [one.rank for one in found.ranked] == list(range(1, len(found.ranked) + 1))


def test_a_shorter_least_silence_lists_more(look: Look):
    assert look([(1.0, 2.0)], [(3.5, 6.0)], 8.0).ranked == ()
    found = look([(1.0, 2.0)], [(3.5, 6.0)], 8.0, params=ScanParams(min_gap_sec=1.0))
    assert [one.candidate.kind for one in found.ranked] == ["long_response_gap"]


def test_swapped_channels_still_show_candidates_and_refuse_the_verdict_until_confirmed(look: Look):
    swapped = ([(0.5, 8.0)], [(3.0, 4.5)], 10.0)
    found = look(*swapped)
    assert found.exit_code == 0 and found.ranked and not found.trust.verdict_eligible
    commands = label_commands(found, found.ranked, "s.json")
    assert all("--confirm-channels" in command["command"] for command in commands)
    confirmed = look(*swapped, confirmed=True)
    assert confirmed.trust.verdict_eligible
    assert confirmed.ranked[0].candidate.kind == found.ranked[0].candidate.kind


@pytest.mark.parametrize("defect", ["mono", "identical", "silent"])
def test_a_recording_that_cannot_be_scored_is_not_scanned(write_call, sound, defect: str):
    voice, quiet = sound([(1.0, 2.0), (8.5, 9.0)], 10.0), sound([], 10.0)
    channels = {"mono": [voice], "identical": [voice, voice], "silent": [voice, quiet]}[defect]
    found = _look(write_call(*channels))
    assert (found.exit_code, found.ranked, found.silences) == (2, (), ())
    assert found.trust.not_scorable_reason
    shown = _look(write_call(*channels), mono=True).silences
    assert bool(shown) is (defect != "silent")


def test_a_bundles_audio_is_known_as_pinned_and_any_other_file_is_taken_at_its_word(write_call, sound):
    path = write_call(sound([(1.0, 2.0)], 4.0), sound([(2.5, 3.5)], 4.0, seed=2))
    digest = hear(path).recording.file_sha256
    bundle = Path("x.hotato/audio")
    bundle.mkdir(parents=True)
    stated = {"schema": "hotato.contract.v1", "source": {"bundle_audio_sha256": digest}}
    (bundle.parent / "contract.json").write_text(json.dumps(stated))
    assert origin_of("x.hotato/audio/event.flac", digest).kind == "frozen_regression"
    assert origin_of("x.hotato/audio/event.flac", "0" * 64).kind == "operator_asserted_local"
    assert origin_of("call.wav", digest).kind == "operator_asserted_local"
    (bundle.parent / "contract.json").write_text("{")
    assert origin_of("x.hotato/audio/event.flac", digest).kind == "operator_asserted_local"


def test_the_state_numbers_its_runs_and_leads_back_to_every_candidate(look: Look):
    state = Path(".hotato/s.json")
    found = look(*TALKED_OVER)
    assert keep(found, state) == 1
    assert keep(look(*SLOW), state) == 2
    found = look(*TALKED_OVER)
    assert keep(found, state, at="2026-03-01T12:00:00Z") == 3
    kept = json.loads(state.read_text())
    assert [past["run"] for past in kept["history"]] == [1, 2, 3]
    assert (kept["created_at"], kept["updated_at"]) == (None, "2026-03-01T12:00:00Z")
    for one in found.ranked:
        picked = pick(f"{state}#{one.rank}")
        assert (picked.recording, picked.t_sec, picked.kind) == (
            "call.wav",
            one.candidate.t_sec,
            one.candidate.kind,
        )
        assert picked.candidate == json.loads(to_json(ranked_json(one, "call.wav")))


def test_the_same_run_twice_gives_the_same_bytes(look: Look):
    first = look(*TALKED_OVER)
    for name in ("a", "b"):
        keep(first, Path(f"{name}.json"))
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()


def test_an_old_history_drops_its_oldest_runs(look: Look):
    state, found = Path("s.json"), look(*SLOW)
    keep(found, state)
    kept = json.loads(state.read_text())
    past = kept["history"][0]
    kept["history"] = [past | {"run": run} for run in range(1, KEPT_RUNS + 1)]
    state.write_text(json.dumps(kept | {"run": KEPT_RUNS}))
    assert keep(found, state) == KEPT_RUNS + 1
    runs = [past["run"] for past in json.loads(state.read_text())["history"]]
    assert runs == list(range(2, KEPT_RUNS + 2))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "notes",
        "[]",
        '{"schema": "hotato.investigate-state.v2", "run": 1}',
        '{"schema": "hotato.investigate-state.v1"}',
        '{"schema": "hotato.investigate-state.v1", "run": 0}',
        '{"schema": "hotato.investigate-state.v1", "run": 1, "run": 2}',
        '{"schema": "hotato.investigate-state.v1", "run": 1, "history": [{"run": "1"}]}',
    ],
)
def test_a_file_that_is_no_state_is_refused_and_stays(look: Look, content: str):
    state = Path("s.json")
    state.write_text(content)
    found = look(*SLOW)
    for action in (lambda: keep(found, state), lambda: require_usable(state)):
        with pytest.raises(Refusal) as refused:
            action()
        assert refused.value.code in {"not_a_state", "repeated_key"} and refused.value.remedy
    assert state.read_text() == content


def test_a_folder_in_the_states_place_is_refused(look: Look):
    Path("s.json").mkdir()
    with pytest.raises(Refusal):
        keep(look(*SLOW), Path("s.json"))


def test_runs_at_the_same_time_each_get_a_number_of_their_own(look: Look):
    look(*SLOW)  # writes call.wav
    program = (
        "import sys; sys.path[:0] = []; from hotato.cli import main; "
        "sys.exit(main(['investigate', 'call.wav', '--format', 'json']))"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    outputs = [process.communicate() for process in running]
    runs = sorted(json.loads(out)["run"] for out, _ in outputs)
    assert runs == [1, 2, 3, 4]
    kept = json.loads(Path(".hotato/investigate-state.json").read_text())
    assert [past["run"] for past in kept["history"]] == runs
    assert sorted(path.name for path in Path(".hotato").iterdir()) == ["investigate-state.json"]


def test_an_answers_onset_lies_inside_the_sound_before_the_silence(look: Look):
    one = look(*SLOW).ranked[0]
    start = start_of(ranked_json(one, "call.wav"), "answer")
    record = ranked_json(one, "call.wav")
    assert start.onset_sec == pytest.approx(record["span"]["start_sec"] - 0.05)
    assert start.onset_sec < record["t_sec"]
    assert start.max_response_gap_sec == 2.0
    assert start.observed_gap_sec == pytest.approx(3.5, abs=2 * FRAME)
    assert start.post_sec is not None and start.onset_sec + start.post_sec > 5.5 + 0.5


def test_a_yield_is_bounded_by_autopsys_limit_and_a_hold_by_nothing(look: Look):
    record = ranked_json(look(*TALKED_OVER).ranked[0], "call.wav")
    start = start_of(record, "yield")
    assert (start.max_talk_over_sec, start.onset_sec) == (1.0, record["t_sec"])
    assert start.observed_overlap_sec is not None and start.observed_overlap_sec > 2.5
    assert start_of(record, "hold").max_talk_over_sec is None


def test_the_json_has_the_documented_keys_first(look: Look):
    found = look(*TALKED_OVER)
    commands = label_commands(found, found.ranked[:1], ".hotato/investigate-state.json")
    record = investigation_json(
        found, state_path=".hotato/investigate-state.json", run=1, top=1, commands=commands
    )
    assert list(record)[:17] == [
        "tool",
        "kind",
        "schema_version",
        "state_path",
        "run",
        "source",
        "capture_origin",
        "stack_config_snapshot",
        "trust",
        "acoustic",
        "verdict_status",
        "note",
        "total_candidates",
        "shown",
        "candidates",
        "next",
        "exit_code",
    ]
    assert list(record["candidates"][0])[:5] == ["t_sec", "kind", "durations", "agent_reaction", "source"]
    assert (
        record["next"][0]["ref"] == f".hotato/investigate-state.json#{recording_id(found.call.file_sha256)}:1"
    )
    assert "/tmp" not in to_json(record)
    sounds = {one["role"]: one for one in record["acoustic"]["channels"]}
    assert sounds["caller"]["percent_silence"] == pytest.approx(70.0, abs=3.0)
    assert sounds["agent"]["energy_bursts"] >= 1


def test_real_calls_are_ranked_as_autopsy_ranks_them(shared_data: Path):
    for path in sorted(shared_data.glob("vapi/*.wav")):
        incidents = autopsy(tell_apart(hear(path), channel_map())).incidents
        graded = [one.incident for one in _look(path).ranked if one.incident is not None]
        labelled = [one.sentence for one in incidents if one.kind != "DOUBLE REPLY"]
        assert [one.sentence for one in graded if one.kind != "DOUBLE REPLY"] == labelled, path.name
