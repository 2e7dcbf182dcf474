"""`hotato compare`: two takes of one moment under one label."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile

RATE = 16_000


@pytest.fixture
def take(tmp_path):
    """Write a call: the caller begins at 2 s, the agent stops when asked."""

    def write(name, stop, *, seed=1, split=False):
        samples = np.zeros((RATE * 6, 2))
        noise = 0.3 * np.random.default_rng(seed).choice([-1.0, 1.0], samples.shape)
        for channel, (begin, end) in enumerate(((2.0, 4.8), (0.2, stop))):
            part = slice(round(begin * RATE), round(end * RATE))
            samples[part, channel] = noise[part, channel]
        if split:
            for channel, party in enumerate(("caller", "agent")):
                soundfile.write(tmp_path / f"{party}-{name}", samples[:, channel], RATE, subtype="PCM_16")
        soundfile.write(tmp_path / name, samples, RATE, subtype="PCM_16")
        return tmp_path / name

    return write


LABEL = ("--onset", "2", "--expect", "yield", "--max-talk-over", "1")


def test_a_fixed_moment_says_by_how_much(hotato, take):
    old, new = take("old.wav", 5.5), take("new.wav", 2.4, seed=2)
    done = hotato("compare", "--before", old, "--after", new, *LABEL, "--format", "json")
    assert done.code == 0
    found = done.json
    assert list(found)[:9] == [
        "tool",
        "kind",
        "schema_version",
        "stack",
        "expect",
        "result",
        "before",
        "after",
        "delta",
    ]
    assert (found["result"], found["same_samples"]) == ("fixed", False)
    assert found["delta"]["did_yield"] == [False, True]
    old_over, new_over = found["delta"]["talk_over_sec"]
    assert new_over == pytest.approx(0.4 + 0.15, abs=0.03)
    assert found["delta"]["talk_over_delta_sec"] == pytest.approx(new_over - old_over)
    assert found["before"]["event"] == found["before"]["envelope"]["events"][0]
    assert found["movement"]["moves"][0]["intervals_overlap"] is False
    text = hotato("compare", "--before", old, "--after", new, *LABEL)
    assert "FAIL \u2192 PASS" in text.out and "result   fixed" in text.out
    assert "does not show what" in " ".join(text.out.split())


def test_one_recording_twice_is_a_re_score(hotato, take, tmp_path):
    call = take("a.wav", 5.5)
    samples, rate = soundfile.read(call, dtype="int16")
    again = tmp_path / "again.flac"
    soundfile.write(again, samples, rate)
    done = hotato("compare", "--before", call, "--after", again, *LABEL)
    assert done.code == 0 and "not a new take" in " ".join(done.out.split())
    assert hotato("compare", "--before", call, "--after", again, *LABEL, "--format", "json").json[
        "same_samples"
    ]


def test_the_gate_closes_on_a_worse_take(hotato, take, tmp_path):
    good, bad = take("good.wav", 2.4), take("bad.wav", 5.5, seed=2)
    words = ("compare", "--before", good, "--after", bad, *LABEL)
    assert hotato(*words).code == 0
    assert hotato(*words, "--junit", "gate.xml").code == 2
    done = hotato(*words, "--fail-on-worse", "--junit", "gate.xml")
    assert "<failure" in (tmp_path / "gate.xml").read_text()
    assert done.code == 1 and "gate closed: the later take regressed (--fail-on-worse)" in done.err
    assert hotato("compare", "--before", bad, "--after", good, *LABEL, "--fail-on-worse").code == 0


def test_a_side_that_cannot_be_judged_is_not_scorable(hotato, take):
    good, other = take("good.wav", 2.4), take("other.wav", 2.4, seed=2)
    words = ("compare", "--before", good, "--after", other, *LABEL, "--after-onset", "5.95")
    done = hotato(*words)
    assert done.code == 2 and "result   NOT SCORABLE" in done.out
    found = hotato(*words, "--format", "json")
    reason = found.json["after"]["event"]["not_scorable_reason"]
    told = " ".join((done.out + done.err).split())
    assert told.count(reason) == 1 and reason in found.err
    assert hotato(*words, "--fail-on-worse", "--format", "json").json["result"] == "not_scorable"


def test_each_take_may_have_its_own_onset_and_files(hotato, take, tmp_path):
    take("old.wav", 5.5, split=True)
    new = take("new.wav", 2.4, seed=2)
    done = hotato(
        "compare",
        *("--before-caller", tmp_path / "caller-old.wav", "--before-agent", tmp_path / "agent-old.wav"),
        *("--after", new, "--before-onset", "2.1", "--onset", "2", "--expect", "yield", "--format", "json"),
    )
    assert done.code == 0
    onsets = [done.json[side]["event"]["measurements"]["onset_requested_sec"] for side in ("before", "after")]
    assert onsets == [2.1, 2.0]


def test_the_page_holds_both_takes_and_is_replaced_by_its_next_edition(hotato, take, tmp_path):
    old, new = take("old.wav", 5.5), take("<b>new.wav", 2.4, seed=2)
    words = ("compare", "--before", old, "--after", new, *LABEL, "--out", "page.html")
    assert hotato(*words).code == 0
    page = (tmp_path / "page.html").read_text()
    assert page.startswith("<!doctype html>\n<!-- written by hotato compare -->")
    assert "&lt;b&gt;new.wav" in page and "<b>new.wav" not in page and "<script" not in page
    assert hotato(*words, "--profile", "calibrated").code == 0
    assert (tmp_path / "page.html").read_text() != page


def test_an_answer_is_compared_by_its_silence(hotato, take):
    long, short = take("long.wav", 0.4), take("short.wav", 0.9, seed=2)
    words = ("--onset", "0.3", "--expect", "answer", "--max-response-gap", "0.5", "--format", "json")
    done = hotato("compare", "--before", long, "--after", short, *words)
    assert (done.code, done.json["expect"]) == (0, "answer")
    (move,) = done.json["movement"]["moves"]
    assert move["name"] == "silence" and move["delta_sec"] == pytest.approx(-0.5, abs=0.03)
    text = hotato("compare", "--before", long, "--after", short, *words[:-2])
    assert "yielded" not in text.out and "silence 1." in text.out


def test_half_a_comparison_is_refused(hotato, take):
    call = take("a.wav", 2.4)
    for words in (("--before", call), ("--before", call, "--after-caller", call), ()):
        assert hotato("compare", *words).code == 2


def test_two_recordings_without_flags_are_before_and_after(hotato, take):
    old, new = take("old.wav", 5.5), take("new.wav", 2.4, seed=2)
    named = hotato("compare", "--before", old, "--after", new, *LABEL, "--format", "json")
    assert hotato("compare", old, new, *LABEL, "--format", "json") == named


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("old.wav",), "1 recording was named"),
        (("old.wav", "new.wav", "old.wav"), "3 recordings were named"),
        (("old.wav", "new.wav", "--before", "old.wav"), "named twice"),
    ],
)
def test_other_than_two_are_told_what_is_missing(hotato, take, words, told):
    take("old.wav", 5.5), take("new.wav", 2.4, seed=2)
    done = hotato("compare", *words, *LABEL)
    assert done.code == 2 and told in done.err
    assert "twice" in told or ("--before FILE" in done.err and "--after FILE" in done.err)
