"""A battery before and after: axes, claim, evidence, and what is recomputed."""

from __future__ import annotations

import json

import numpy as np
import pytest
import soundfile

from hotato.compare import closed_words, events_of, read_run, verify_checks, verify_runs
from hotato.compare.recompute import verdict_agrees
from hotato.errors import Refusal
from hotato.score import run_suite
from hotato.stats import spread

CONTRADICTED = ("score_integrity", "contradicted", 4)
LOOSENED = ("policy_integrity", "bounds_differ", 3)


@pytest.fixture
def verified(saved):
    """Verify two lists of events."""

    def verify(before, after, **more):
        old, new = saved("old.json", *before), saved("new.json", *after)
        return verify_runs(read_run(old), read_run(new), **more)

    return verify


def battery(made, samples, *, failing=3, holds=2, talk_over=2.5):
    """`failing` yield fixtures that fail, and `holds` hold guards that pass, recorded as `samples`."""
    bad = [
        made.event(f"y{i}", to_yield=None, talk_over=talk_over, samples=f"{samples}y{i}")
        for i in range(failing)
    ]
    good = [made.event(f"h{i}", expect="hold", to_yield=None, samples=f"{samples}h{i}") for i in range(holds)]
    return [*bad, *good]


def repaired(made, samples, count, *, holds=2):
    """The same battery with `count` of three failures gone."""
    made_good = [made.event(f"y{i}", samples=f"{samples}y{i}") for i in range(count)]
    return [*made_good, *battery(made, samples, holds=holds)[count:]]


def test_both_axes_count_what_failed_and_what_held(made, verified):
    after = repaired(made, "n", 2)
    after[3] = made.event("h0", expect="hold", to_yield=0.3, samples="nh0")
    result = verified(battery(made, "o"), after)
    axis, holds = result.regression_axis, result.hold_axis
    assert (axis.used_to_fail, axis.now_pass, axis.still_fail) == (3, 2, 1)
    assert (holds.hold_guards, holds.still_pass, holds.regressed) == (2, 1, 1)
    assert result.regressions == ("h0",)
    assert result.results == {
        "fixed": 2,
        "regressed": 1,
        "improved": 0,
        "worse": 0,
        "unchanged": 1,
        "still_pass": 1,
        "not_scorable": 0,
    }


def test_a_claim_states_coincidence_and_needs_enough_fixtures(made, verified):
    before, after = battery(made, "o"), repaired(made, "n", 3)
    claim = verified(before, after).claim
    assert (claim.supported, claim.relationship) == (True, "coincidence")
    assert "3 of 3 fixtures that failed before pass after" in claim.statement
    withheld = verified(before, after, min_n=4).claim
    assert not withheld.supported and "fewer than 4" in withheld.statement
    assert not verified(before, battery(made, "n")).claim.supported
    nothing = verified([made.event("a", samples="o")], [made.event("a", samples="n")]).claim.statement
    assert nothing.startswith("no fixture failed before")


def test_the_distributions_are_those_of_the_pairs_that_both_could_judge(made, verified):
    before = [made.event("a", talk_over=0.5), made.event("b", talk_over=0.7), made.event("x", talk_over=9.0)]
    after = [made.event("a", talk_over=0.1), made.unjudged("b")]
    found = verified(before, after).distribution
    assert found["before"]["talk_over_sec"] == spread([0.5])
    assert found["after"]["talk_over_sec"] == spread([0.1])
    assert spread([]) == dict.fromkeys(("min", "mean", "median", "p90", "p95", "max")) | {"n": 0}


def test_nothing_paired_is_refused(made, verified):
    with pytest.raises(Refusal) as refused:
        verified([made.event("a")], [made.event("b")])
    assert refused.value.code == "nothing_paired"


@pytest.mark.parametrize(
    ("change", "dimension", "state", "tier"),
    [
        (
            lambda made: {"verdict": made.event("y0")["verdict"] | {"passed": False}},
            "score_integrity",
            "contradicted",
            4,
        ),
        (lambda made: {"expected": None}, "score_integrity", "unknown", 3),
        (lambda made: {"audio_provenance": None}, "audio_identity", "missing", 3),
        (lambda made: {"audio_provenance": made.provenance("oy0")}, "audio_identity", "same_samples", 4),
        (lambda made: {"expected_yield_explicit": False}, "label_authority", "assumed", 3),
        (
            lambda made: {"expected": made.BOUNDS | {"max_talk_over_sec": 5.0}},
            "policy_integrity",
            "bounds_differ",
            3,
        ),
        (lambda made: {"event_id": "other"}, "pairing_integrity", "scenario_id", 2),
    ],
)
def test_each_weakness_is_named_and_caps_the_tier(made, verified, change, dimension, state, tier):
    after = repaired(made, "n", 3)
    after[0] = after[0] | change(made)
    evidence = verified(battery(made, "o"), after).evidence
    assert getattr(evidence.vector, dimension) == state
    limit = next(limit for limit in evidence.limited_by if limit.dimension == dimension)
    assert (limit.state, limit.cap) == (state, tier)
    assert evidence.tier == max(2, tier)
    assert evidence.allows_positive_paired is (evidence.tier <= 2)


@pytest.mark.parametrize(
    ("gap", "codes", "passed", "expected"),
    [
        (1.0, [], True, "agrees"),
        (3.0, ["late_answer"], False, "agrees"),
        (3.0, [], True, "contradicts"),
        (None, ["late_answer"], False, "agrees"),
        (None, [], True, "unknown"),
        (2.0001, ["late_answer"], False, "unknown"),
    ],
)
def test_a_bounded_answer_is_judged_again(made, gap, codes, passed, expected):
    bounded = made.event("a", signals={"latency": {"response_gap_sec": gap}})
    bounded["expected"] = made.BOUNDS | {"max_response_gap_sec": 2.0}
    bounded["verdict"] |= {"passed": passed, "reason_codes": codes}
    (event,) = events_of(made.envelope(bounded))
    assert verdict_agrees(event) == expected


def test_weak_evidence_carries_no_claim(made, verified):
    after = repaired(made, "o", 3)
    result = verified(battery(made, "o"), after)
    assert not result.claim.supported
    assert "audio_identity same_samples" in result.claim.statement


def test_one_later_recording_cannot_stand_for_the_battery(made, verified):
    one = [made.event(f"y{i}", samples="take") for i in range(3)]
    result = verified(battery(made, "o"), [*one, *battery(made, "n")[3:]])
    assert result.evidence.vector.audio_identity == "repeated_samples"
    assert (result.evidence.tier_name, result.evidence.reused) == ("contradicted", ("y0", "y1", "y2"))
    assert not result.claim.supported
    checks = verify_checks(result, fail_on_regression=True)
    assert checks.exit_code == 1
    assert [one.id for one in checks.checks if one.status != "pass"] == ["evidence audio_identity"]


def test_the_earlier_recording_of_another_event_is_no_new_take(made, verified):
    after = repaired(made, "n", 3)
    after[0] = made.event("y0", samples="oh0")
    evidence = verified(battery(made, "o"), after).evidence
    assert (evidence.vector.audio_identity, evidence.reused) == ("same_samples", ("y0",))


@pytest.mark.parametrize(
    ("old", "new", "identity"),
    [
        ((2.0, 9.0), (2.5, 9.5), "stated"),
        ((2.0, 9.0), (2.5, 2.9), "repeated_samples"),
        ((2.0, 2.1), (2.5, 9.5), "repeated_samples"),
        ((2.0, 9.0), (None, None), "repeated_samples"),
    ],
)
def test_moments_of_one_call_may_share_its_new_take(made, verified, old, new, identity):
    def side(samples, onsets, **more):
        return [
            made.event(
                f"y{i}",
                samples=samples,
                **({} if sec is None else {"measurements": {"hop_sec": 0.01, "caller_onset_sec": sec}}),
                **more,
            )
            for i, sec in enumerate(onsets)
        ]

    result = verified(side("call", old, to_yield=None, talk_over=2.0), side("again", new))
    assert result.evidence.vector.audio_identity == identity


@pytest.mark.parametrize(
    ("change", "dimension"),
    [
        (lambda made: {"verdict": made.event("y0", talk_over=5.0)["verdict"] | {"passed": True}}, "score"),
        (lambda made: {"audio_provenance": made.provenance("oy0")}, "audio"),
        (lambda made: {"expected": made.BOUNDS | {"max_talk_over_sec": 5.0}}, "policy"),
    ],
)
def test_an_asked_for_gate_closes_on_evidence_that_contradicts_itself(made, verified, change, dimension):
    after = repaired(made, "n", 3)
    after[0] = after[0] | change(made)
    result = verified(battery(made, "o"), after)
    checks = verify_checks(result, fail_on_regression=True)
    bad = [one for one in checks.checks if one.status != "pass"]
    assert checks.exit_code == 1 and [one.id.split("_")[0] for one in bad] == [f"evidence {dimension}"]
    assert closed_words(checks) == (f"{bad[0].id}: {bad[0].reason}",)
    assert verify_checks(result).exit_code == 0


def test_a_lesser_weakness_closes_no_gate(made, verified):
    after = [one | {"audio_provenance": None} for one in repaired(made, "n", 3)]
    result = verified(battery(made, "o"), after)
    assert result.evidence.tier_name == "asserted"
    assert verify_checks(result, fail_on_regression=True).exit_code == 0


def test_a_missing_fixture_makes_the_later_run_a_selection(made, verified):
    before, after = battery(made, "o"), repaired(made, "n", 3)[:-1]
    result = verified(before, after)
    assert result.unpaired.only_before_required == ("h1",)
    assert result.evidence.vector.fixture_set_integrity == "incomplete"
    assert not result.claim.supported
    checks = verify_checks(result, fail_on_regression=True)
    assert checks.exit_code == 1 and [one.id for one in checks.checks if one.status == "error"] == ["h1"]


def test_a_gate_closes_on_what_got_worse_or_can_no_longer_be_judged(made, verified):
    good = [made.event("a"), made.event("b")]
    bad, lost = [made.event("a", to_yield=None), made.event("b")], [made.unjudged("a"), made.event("b")]
    for after, status in ((bad, "fail"), (lost, "error")):
        checks = verify_checks(verified(good, after), fail_on_regression=True)
        assert (checks.exit_code, checks.checks[0].status) == (1, status)
        assert verify_checks(verified(good, after)).exit_code == 0
    assert verify_checks(verified(good, good), fail_on_regression=True).exit_code == 0


def test_recordings_beside_the_runs_are_decoded_again(tmp_path):
    def take(folder, seed, stop):
        samples = np.zeros((16000 * 5, 2))
        noise = 0.3 * np.random.default_rng(seed).choice([-1.0, 1.0], samples.shape)
        for channel, (begin, end) in enumerate(((2.0, 4.0), (0.2, stop))):
            part = slice(round(begin * 16000), round(end * 16000))
            samples[part, channel] = noise[part, channel]
        (tmp_path / folder).mkdir()
        soundfile.write(tmp_path / folder / "s.wav", samples, 16000, subtype="PCM_16")
        result = run_suite(scenarios_dir=tmp_path / "labels", audio_dir=tmp_path / folder)
        (tmp_path / folder / "run.json").write_text(json.dumps(result))

    (tmp_path / "labels").mkdir()
    label = {"id": "s", "caller_onset_sec": 2.0, "expected": {"yield": True, "max_time_to_yield_sec": 1.0}}
    (tmp_path / "labels" / "s.json").write_text(json.dumps(label))
    take("old", 1, 4.5)
    take("new", 2, 2.3)

    def identity():
        result = verify_runs(read_run(tmp_path / "old"), read_run(tmp_path / "new"), min_n=1)
        return result.evidence.vector.audio_identity, result.claim.supported

    assert identity() == ("recomputed", True)
    (tmp_path / "new" / "s.wav").unlink()
    assert identity() == ("stated", True)
    samples, rate = soundfile.read(tmp_path / "old" / "s.wav", dtype="int16")
    soundfile.write(tmp_path / "new" / "s.wav", samples, rate, subtype="PCM_16")
    assert identity() == ("mismatch", False)
