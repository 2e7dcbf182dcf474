"""A run within the tolerances of a saved one, or not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.compare import Run, Tolerances, baseline_checks, check_baseline, events_of, read_tolerances
from hotato.errors import Refusal


@pytest.fixture(scope="session")
def run(made, tmp_path_factory):
    """A run of events with these talk-overs."""

    def of(*talk_overs, **more):
        events = [made.event(f"e{i}", talk_over=sec, **more) for i, sec in enumerate(talk_overs)]
        return Run("run", events_of(made.envelope(*events)), "0" * 64, tmp_path_factory.getbasetemp())

    return of


@pytest.mark.parametrize(
    ("tolerance", "before", "after", "within", "allowed"),
    [
        ("+10%", [1.0, 2.0], [1.1, 2.2], True, 0.15),
        ("+10%", [1.0, 2.0], [1.1, 2.21], False, 0.15),
        ("+0.05", [1.0], [1.05], True, 0.05),
        ("+0.05", [1.0], [1.051], False, 0.05),
        ("+0%", [1.0], [1.0], True, 0.0),
        ("+0", [1.0], [0.2], True, 0.0),
    ],
)
def test_only_a_rise_beyond_the_tolerance_is_drift(run, tolerance, before, after, within, allowed):
    result = check_baseline(Tolerances(talk_over_sec=tolerance), run(*before), run(*after))
    drift = result.dimensions["talk_over_sec"]
    assert (drift.within, drift.allowed_increase_sec) == (within, pytest.approx(allowed))
    assert drift.tolerance_kind == ("percent" if "%" in tolerance else "absolute")
    assert (result.exit_code, result.drifted) == ((0, ()) if within else (1, ("talk_over_sec",)))
    assert baseline_checks(result).exit_code == result.exit_code


def test_a_dimension_without_measurements_is_refused(run):
    never = run(1.0, to_yield=None)
    for sides in ((run(1.0), never), (never, run(1.0))):
        with pytest.raises(Refusal) as refused:
            check_baseline(Tolerances(seconds_to_yield="+10%"), *sides)
        assert refused.value.code == "no_measurements"


def test_two_profiles_are_refused(run):
    with pytest.raises(Refusal) as refused:
        check_baseline(Tolerances(talk_over_sec="+10%"), run(1.0), run(1.0, profile="calibrated"))
    assert refused.value.code == "profiles_differ"


def test_another_set_of_events_is_refused_and_what_differs_is_named(run, made, tmp_path):
    lost = Run("run", events_of(made.envelope(made.event("e0"), made.unjudged("e1"))), "0" * 64, tmp_path)
    whole, half = run(0.5, 0.5), run(0.5)
    for sides, said in (
        ((whole, half), "e1 missing from the candidate"),
        ((half, whole), "e1 not in the baseline"),
        ((whole, lost), "e1 judged in the baseline only"),
        ((lost, whole), "e1 judged in the candidate only"),
    ):
        with pytest.raises(Refusal) as refused:
            check_baseline(Tolerances(talk_over_sec="+10%"), *sides)
        assert (refused.value.code, refused.value.exit_code) == ("different_sets", 2)
        assert said in refused.value.message


def test_a_mean_over_fewer_measurements_says_so(run, made, tmp_path):
    stopped = [made.event("e0"), made.event("e1", to_yield=None)]
    fewer = Run("run", events_of(made.envelope(*stopped)), "0" * 64, tmp_path)
    note = check_baseline(Tolerances(seconds_to_yield="+10%"), run(0.5, 0.5), fewer).note
    assert "fewer events with seconds_to_yield" in note


@pytest.mark.parametrize(
    ("stated", "said"),
    [("+10", 'did you mean "+10%"'), ("+2.5", 'did you mean "+2.5%"'), ("+1001%", "no agent exceeds")],
)
def test_a_tolerance_that_nothing_exceeds_is_refused(tmp_path, stated, said):
    path = tmp_path / "tolerances.yaml"
    path.write_text(f'talk_over_sec: "{stated}"\n')
    with pytest.raises(Refusal) as refused:
        read_tolerances(path)
    assert refused.value.code == "not_tolerances"
    assert said in f"{refused.value.message} {refused.value.remedy}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('talk_over_sec: "10%"\n', 1),
        ('talk_over_sec: "-10%"\n', 1),
        ('talk_over_sec: "+ 10%"\n', 1),
        ('talk_over_sec: "+10 %"\n', 1),
        ('talk_over_sec: "+1e3"\n', 1),
        ("talk_over_sec: +0.05\n", 1),
        ('talk_over_sec: "+1%"\nlatency_sec: "+1%"\n', 2),
        ('talk_over_sec: "+1%"\ntalk_over_sec: "+99%"\n', 2),
        ("{}\n", 1),
        ("- talk_over_sec\n", 1),
    ],
)
def test_other_forms_of_a_tolerance_are_refused_with_their_line(tmp_path, text, line):
    path = tmp_path / "tolerances.yaml"
    path.write_text(text)
    with pytest.raises(Refusal, match=f"line {line}:") as refused:
        read_tolerances(path)
    assert refused.value.code == "not_tolerances" and "regex" not in refused.value.message
    assert '"+10%"' in refused.value.remedy


def test_a_percentage_is_read_without_quotes_as_well(tmp_path):
    path = tmp_path / "tolerances.yaml"
    path.write_text("talk_over_sec: +10%\n")
    assert read_tolerances(path).talk_over_sec == "+10%"


@settings(max_examples=40, deadline=None)
@given(pairs=st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), min_size=1, max_size=6))
def test_a_run_that_is_no_slower_on_average_always_passes(run, pairs):
    old, new = ([hops / 100 for hops in side] for side in zip(*pairs, strict=True))
    result = check_baseline(Tolerances(talk_over_sec="+0%"), run(*old), run(*new))
    mean = sum(new) / len(new) - sum(old) / len(old)
    assert result.within_tolerance is (mean <= 1e-6) or abs(mean) < 2e-6
