"""Calls of natural speech: the truth is what was placed, and a condition leaves it as it was."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
if str(CORPUS) not in sys.path:
    sys.path.insert(0, str(CORPUS))

import spans  # noqa: E402
from natural import CONDITIONS, FAMILIES, NOTES_MIX, apply, bank, generate, truth, voices  # noqa: E402
from natural.stage import Piece, broken_off, compact  # noqa: E402

pytestmark = pytest.mark.skipif(
    shutil.which("flite") is None, reason="flite, the voice here, is not installed"
)

FLITE = {"tune": ("slt", "kal16"), "held": ("rms", "awb")}
CODECS = {"opus", "mp3"}
SHORT = [family for family in FAMILIES if family != "long"]


def call_of(split="tune", seed=0, family=None):
    return generate(split, seed, family, FLITE[split])


@pytest.fixture(scope="module")
def call():
    return call_of()


def sounding(call, channel):
    """Per 10 ms: whether the channel stands 6 dB above the loudest line noise that a clean call can have."""
    hop = call.sample_rate // 100
    frames = call.samples[: len(call.samples) // hop * hop, channel].astype(np.float64).reshape(-1, hop)
    level = 20 * np.log10(np.sqrt(np.mean(frames**2, axis=1)) / 32768 + 1e-9)
    return level > -59.0


def test_no_voice_is_in_both_halves():
    assert {v.split for v in voices.VOICES} == {"tune", "held"}
    assert len({v.name for v in voices.VOICES}) == len(voices.VOICES)
    for split in ("tune", "held"):
        assert {v.sex for v in voices.voices_of(split)} == {"f", "m"}
        assert set(voices.installed(split)) <= {v.name for v in voices.voices_of(split)}


@pytest.mark.parametrize("voice", ["slt", "kal16", "rms", "awb"])
def test_an_utterance_is_exact_silence_outside_its_spans(voice):
    for said in bank.utterances(voice):
        assert said.spans[0][0] == 0
        assert said.spans[-1][1] == len(said.samples)
        for (_, stop), (start, _) in pairwise(said.spans):
            assert start - stop >= 0.15 * bank.RATE
            assert not said.samples[stop:start].any()


@pytest.mark.parametrize("voice", ["slt", "kal16", "rms", "awb"])
def test_an_utterance_is_heard_within_a_few_milliseconds_of_its_edges(voice):
    for said in bank.utterances(voice):
        samples = said.samples.astype(np.float64)
        loud = np.percentile(np.abs(samples), 95) * 10 ** (-36 / 20)
        beyond = np.flatnonzero(np.abs(samples) > loud)
        assert beyond[0] <= 0.012 * bank.RATE
        assert len(samples) - beyond[-1] <= 0.012 * bank.RATE


def test_an_utterance_has_the_stated_speech_level():
    said = bank.utterances("slt")[30]
    speech = np.concatenate([said.samples[a:b] for a, b in said.spans]).astype(np.float64)
    assert 20 * np.log10(np.sqrt(np.mean(speech**2)) / 32768) == pytest.approx(-23.0, abs=0.1)


def test_the_edge_rule_finds_a_burst_to_a_millisecond():
    rate = bank.RATE
    wave = np.zeros(2 * rate)
    noise = np.random.default_rng(1).standard_normal(2 * rate)
    for start, stop in ((3200, 8000), (11200, 12800)):
        wave[start:stop] = noise[start:stop] * 0.1
    wave += noise * 1e-5
    assert bank.spans_of(wave, 36.0) == [(3200, 8000), (11200, 12800)]
    wave[20000:20300] = 0.1  # a click of 19 ms is no speech
    assert bank.spans_of(wave, 36.0) == [(3200, 8000), (11200, 12800)]


@pytest.mark.parametrize("split", ["tune", "held"])
def test_the_same_seed_gives_the_same_call(split):
    one, two = call_of(split, 3), call_of(split, 3)
    assert one.scenario == two.scenario
    assert np.array_equal(one.samples, two.samples)
    assert not np.array_equal(one.samples[:1000], call_of(split, 4).samples[:1000])


def test_nobody_sounds_outside_the_true_spans(call):
    for channel, role in enumerate(("caller", "agent")):
        inside = np.zeros(len(call.samples), bool)
        for start, stop in call.spans(role):
            inside[start:stop] = True
        outside = call.samples[~inside, channel].astype(np.float64)
        level = 20 * np.log10(np.sqrt(np.mean(outside**2)) / 32768)
        assert -76.0 < level < -64.0
        assert np.abs(outside).max() < 40


def test_every_true_span_is_heard(call):
    for channel, role in enumerate(("caller", "agent")):
        heard = sounding(call, channel)
        for start, stop in call.spans(role):
            frames = heard[start // 160 : -(-stop // 160)]
            assert frames.mean() > 0.5
            assert frames[:3].any()
            assert frames[-3:].any()


@pytest.mark.parametrize("family", SHORT)
def test_each_family_stages_what_it_is_named_after(family):
    events = [e for seed in range(2) for e in call_of("tune", seed, family).scenario["truth"]["events"]]
    kinds = {e["kind"] for e in events}
    expected = {
        "yield-fast": "barge_in", "yield-slow": "barge_in", "yield-never": "barge_in",
        "backchannel-held": "backchannel", "backchannel-false-stop": "backchannel", "latency": "latency",
        "dead-air": "dead_air", "agent-over-caller": "agent_over_caller", "dual-start": "dual_start",
        "self-stop": "self_stop", "resume": "resume", "restart": "restart",
    }.get(family, "latency")  # fmt: skip
    assert expected in kinds
    yields = [e["yield_sec"] for e in events if e["kind"] in ("barge_in", "backchannel")]
    if family == "yield-fast":
        assert all(y is not None and y < 1.0 for y in yields)
    if family in ("yield-never", "backchannel-held"):
        assert yields.count(None) > len(yields) / 2
    if family == "backchannel-false-stop":
        assert all(y is not None for y in yields)
    for event in events:
        if event["kind"] in ("agent_over_caller", "dual_start"):
            assert event["talk_over_sec"] > 0.2
        if event["kind"] in ("latency", "dead_air", "self_stop", "resume", "restart"):
            assert event["gap_sec"] >= 0.19


@pytest.mark.parametrize("seed", range(6))
def test_no_overlap_begins_that_is_not_an_event(seed):
    facts = call_of("held", seed).scenario["truth"]
    caller, agent = facts["caller_spans_sec"], facts["agent_spans_sec"]
    at = {kind: [e["at_sec"] for e in facts["events"] if e["kind"] == kind] for kind in truth.KINDS}
    into_agent = [a for a, _ in caller if any(start <= a < stop for start, stop in agent)]
    into_caller = [a for a, _ in agent if any(start <= a < stop for start, stop in caller)]
    for begins in into_agent:
        near_dual = any(0 <= begins - start <= 0.16 for start in at["dual_start"])
        assert near_dual or any(abs(begins - x) < 1e-3 for x in at["barge_in"] + at["backchannel"])
    for begins in into_caller:
        near_dual = any(0 <= begins - start <= 0.16 for start in at["dual_start"])
        natural = any(
            x < begins for x in at["barge_in"]
        )  # an agent that goes on after a pause inside its line
        assert (
            near_dual
            or natural
            or any(abs(begins - x) < 1e-3 for x in at["agent_over_caller"] + at["resume"])
        )


def test_a_yield_is_the_first_quiet_of_a_fifth_of_a_second_near_the_caller():
    rate = 1000
    caller = [(2000, 4000)]
    agent = [(0, 2300), (2450, 3100), (6000, 7000)]
    assert truth.yield_at(caller, agent, 2000, end=8000, rate=rate) == 3100
    assert truth.yield_at([(2000, 2100)], agent, 2000, end=8000, rate=rate) is None  # the caller is not near
    assert truth.yield_at(caller, [(0, 5100)], 2000, end=8000, rate=rate) is None  # not within three seconds
    assert truth.yield_at(caller, [(0, 1990)], 2000, end=8000, rate=rate) == 2000  # quiet already
    assert (
        truth.yield_at(caller, [(0, 3000)], 2000, end=3100, rate=rate) is None
    )  # the recording ends too soon


def test_short_pauses_are_bridged_and_long_ones_split():
    assert spans.bridged([(0, 100), (249, 300), (450, 500)], 1000) == [(0, 300), (450, 500)]


def test_a_broken_off_piece_ends_where_it_was_cut_and_leaves_no_scrap():
    piece = Piece(np.full(16000, 1000.0), ((0, 6000), (9000, 16000)))
    assert broken_off(piece, 12000).spans == ((0, 6000), (9000, 12000))
    assert broken_off(piece, 9100).spans == ((0, 6000),)
    assert len(broken_off(piece, 9100)) == 6000


def test_speech_that_holds_the_floor_has_no_pause_for_a_yield():
    piece = Piece(np.full(16000, 1000.0), ((0, 6000), (12000, 16000)))
    held = compact(piece).spans
    assert spans.bridged(held, bank.RATE) == [(0, held[-1][1])]


@pytest.mark.parametrize("name", [name for name in CONDITIONS if name not in CODECS])
def test_a_condition_is_reproducible_and_keeps_the_truth(name, call):
    one, two = apply(call, name, 1), apply(call, name, 1)
    assert np.array_equal(one.samples, two.samples)
    assert one.scenario == two.scenario
    assert one.scenario["condition"] == name
    assert len(one.samples) / one.sample_rate == pytest.approx(one.scenario["duration_sec"], abs=1e-4)
    assert abs(one.scenario["duration_sec"] - call.scenario["duration_sec"]) < 2e-4
    if name.endswith("-alone"):
        assert one.scenario["truth"]["caller_spans_sec"] == []
        assert {e["kind"] for e in one.scenario["truth"]["events"]} <= {"dead_air"}
    else:
        assert one.scenario["truth"] == call.scenario["truth"]
    json.dumps(one.scenario)


@pytest.mark.parametrize("codec", sorted(CODECS))
def test_a_codec_keeps_every_moment_to_a_sample(codec, call):
    pytest.importorskip("av")
    pytest.importorskip("soxr")
    from natural import codecs

    assert abs(codecs.residual_samples(codec)) < 1.0
    through = apply(call, codec)
    assert through.samples.shape == call.samples.shape
    heard = sounding(through, 1)
    for start, _ in call.spans("agent"):
        assert heard[start // 160 : start // 160 + 4].any()


@pytest.mark.parametrize(("name", "correlation"), [("white12", 0.01), ("hum12", 1.0)])
def test_noise_stands_at_its_snr_on_both_channels(call, name, correlation):
    noisy = apply(call, name)
    for channel, role in enumerate(("caller", "agent")):
        bed = (noisy.samples[:, channel].astype(np.float64)) - call.samples[:, channel]
        speech = np.concatenate([call.samples[a:b, channel] for a, b in call.spans(role)]).astype(np.float64)
        assert 10 * np.log10(np.mean(speech**2) / np.mean(bed**2)) == pytest.approx(12.0, abs=0.1)
    both = noisy.samples.astype(np.float64) - call.samples
    assert abs(np.corrcoef(both.T)[0, 1]) <= correlation


def test_every_noise_of_the_ladder_has_every_rung_and_its_level_in_its_name():
    from hotato.benchmark.conditions import noise_of

    for noise in ("white", "babble", "street", "hum"):
        rungs = [noise_of(name) for name in CONDITIONS if name.startswith(noise) and name != noise]
        assert rungs == [(noise, snr_db) for snr_db in (30, 20, 15, 12, 8, 5)]


def test_hum_is_one_frequency_of_the_mains_and_its_harmonics(call):
    noisy = apply(call, "hum5")
    mains_hz = noisy.scenario["condition_detail"]["mains_hz"]
    bed = (noisy.samples[:, 0].astype(np.float64) - call.samples[:, 0])[: 16000 * 10]
    power = np.abs(np.fft.rfft(bed)) ** 2
    on_harmonics = power[:: mains_hz * 10].sum()  # a bin is 0.1 Hz wide
    assert on_harmonics > 0.999 * power.sum()


def test_an_echo_lies_where_the_scenario_says(call):
    echo = apply(call, "echo-12-alone", 5)
    late = round(echo.scenario["condition_detail"]["echo_lag_sec"] * echo.sample_rate)
    start = call.spans("agent")[0][0]
    before = echo.samples[: start + late, 0].astype(np.float64)
    after = echo.samples[start + late + 480 : start + late + 8000, 0].astype(np.float64)
    assert np.mean(after**2) > 100 * np.mean(before**2)


def read_back(calls, folder):
    """The scenario files of calls, as the readers of suites take them."""
    from hotato.score.suite import read_scenarios

    for one in calls:
        (folder / f"{one.scenario['id']}.json").write_text(json.dumps(one.scenario))
    return {scenario.id: scenario for scenario in read_scenarios(folder)}


def test_where_the_caller_is_taken_away_the_agent_has_nobody_to_stop_for(call, tmp_path):
    names = [name for name in CONDITIONS if name.endswith("-alone")]
    read = read_back([apply(call, name) for name in names], tmp_path)
    assert len(read) == len(names) > 0
    for scenario in read.values():
        assert scenario.category == "should_not_yield"
        assert not scenario.expected.should_yield and not scenario.expected.answer
        assert scenario.caller_onset_sec is None


def test_every_call_has_a_label_that_its_truth_fulfils(tmp_path):
    calls = [call_of(family=family) for family in SHORT]
    read = read_back(calls, tmp_path)
    kinds = set()
    for one in calls:
        scenario, rate = read[one.scenario["id"]], one.sample_rate
        events = [e for e in one.scenario["truth"]["events"] if e["expect"]]
        kinds.add(scenario.category)
        if events:
            assert scenario.expected.should_yield is (events[0]["expect"] == "yield")
            assert scenario.caller_onset_sec == events[0]["at_sec"]
            continue
        assert scenario.category == "should_answer" and scenario.expected.answer
        turn = next(b for a, b in one.spans("caller") if a == round(scenario.caller_onset_sec * rate))
        parties = {
            role: min([a for a, _ in one.spans(role) if a >= turn], default=len(one.samples))
            for role in ("caller", "agent")
        }
        assert parties["agent"] == min(parties.values()), "the agent is the next to sound"
        assert not any(a < turn < b for a, b in one.spans("agent"))
    assert kinds == {"should_yield", "should_not_yield", "should_answer"}


def test_a_condition_is_not_put_on_top_of_another(call):
    with pytest.raises(ValueError, match="already under the condition dc"):
        apply(apply(call, "dc"), "hum")
    with pytest.raises(KeyError):
        apply(call, "no-such-condition")


def test_the_mix_of_the_stated_share_is_twenty_five_conditions():
    assert len(set(NOTES_MIX)) == 25
    assert set(NOTES_MIX) <= set(CONDITIONS)


def test_one_voice_is_too_few_for_a_call():
    with pytest.raises(ValueError, match="needs two voices"):
        generate("tune", 0, voices=("slt",))
    with pytest.raises(ValueError, match="no such split"):
        generate("other", 0, voices=("slt", "kal16"))


def test_the_script_writes_a_scenario_beside_its_recording(tmp_path):
    script = CORPUS / "natural" / "build.py"
    words = [
        sys.executable,
        script,
        "--split",
        "tune",
        "--calls",
        "1",
        "--family",
        "digits",
        "--out",
        tmp_path,
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    scenario = json.loads((tmp_path / "scenarios" / "digits-tune-0000.json").read_text())
    assert scenario["split"] == "tune"
    assert (tmp_path / "audio" / "digits-tune-0000.example.wav").stat().st_size > 100_000
    wrong = subprocess.run([*words, "--conditions", "nonsense"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "no such condition: nonsense" in wrong.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--calls", "0"),
        ("--calls", "-1"),
        ("--calls", "x"),
        ("--calls", "10000000"),
        ("--out", "file"),
        ("--out", ""),
        ("--conditions", ""),
        ("--call", "1"),
        ("--seed", "-1"),
    ],
)
def test_the_script_refuses_in_one_line_and_writes_nothing(tmp_path, words):
    (tmp_path / "file").write_text("kept")
    command = [sys.executable, CORPUS / "natural" / "build.py", "--out", "calls", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("hotato: ")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
