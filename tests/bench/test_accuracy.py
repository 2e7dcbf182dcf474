"""The accuracy bench: goals name conditions that exist, and a figure is made of their rows alone."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from hotato.benchmark.aggregate import edge_stats
from hotato.benchmark.records import CallRow, EventRow, IncidentRow, Rows, VerdictRow

ROOT = Path(__file__).resolve().parents[2]
KEYS = {"set_name": "natural", "scenario": "one", "family": "mixed"}


@pytest.fixture
def path() -> Iterator[None]:
    """The folders that the bench imports from."""
    before = list(sys.path)
    sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "corpus")]
    yield
    sys.path[:] = before


@pytest.fixture
def goals(path: None) -> ModuleType:
    return importlib.import_module("goals")


@pytest.fixture
def accuracy(path: None) -> ModuleType:
    return importlib.import_module("accuracy")


@pytest.fixture
def natural(path: None) -> ModuleType:
    """The generator of natural calls, where it is and has voices."""
    if not (ROOT / "corpus" / "natural").is_dir():
        pytest.skip("the generator of natural calls is not in this clone")
    return importlib.import_module("natural")


def events(condition: str, *found: bool) -> Rows:
    rows = [
        EventRow(**KEYS, condition=condition, kind=kind, at_sec=1.0, found=one)
        for one in found
        for kind in ("barge_in", "backchannel")
    ]
    return Rows(
        events=tuple(rows),
        calls=(CallRow(**KEYS, condition=condition, duration_sec=1800.0, warned=False, refused=False),),
    )


def test_recall_counts_barge_ins_only(goals: ModuleType) -> None:
    (goal,) = (one for one in goals.goals(()) if one.what == "barge-in recall, babble12")
    rows = events("babble12", True, True, True, False)
    assert goal.figure(rows) == ("0.750 of 4", False)
    assert goal.figure(events("babble12", True)) == ("1.000 of 1", True)


def test_critical_incidents_are_for_the_hours_of_the_condition(goals: ModuleType) -> None:
    (goal,) = (one for one in goals.goals(()) if one.what == "false criticals an hour, clean")
    incident = IncidentRow(
        **KEYS, condition="clean", kind_key="barge-in", severity="CRITICAL", t_sec=1.0, real=False, codes=()
    )
    calls = events("clean").calls
    assert goal.figure(Rows(calls=calls, incidents=(incident,))) == ("2.0", False)
    assert goal.figure(Rows(calls=calls)) == ("0.0", True)


def test_what_was_not_measured_meets_no_goal(goals: ModuleType) -> None:
    empty = Rows()
    for goal in goals.goals(("clean",)):
        assert goal.figure(empty) == ("-", None), goal.what


def test_a_part_holds_the_rows_of_its_conditions(accuracy: ModuleType) -> None:
    rows = accuracy.together([events("clean", True), events("hum", False)])
    assert {row.condition for row in accuracy._part(rows, ("hum",)).events} == {"hum"}


def test_every_condition_of_a_goal_exists(goals: ModuleType, natural: ModuleType) -> None:
    named = {name for goal in goals.goals(natural.NOTES_MIX) for name in goal.conditions}
    assert named <= set(natural.CONDITIONS)


def test_the_errors_of_robust_edges_are_measured_and_checked_on_other_calls_of_the_tune_half(
    path: None, natural: ModuleType
) -> None:
    quantiles = importlib.import_module("edge_quantiles")
    assert set(quantiles.CONDITIONS) <= set(natural.CONDITIONS)
    assert not set(quantiles.FIT) & set(quantiles.CHECK)


def test_a_clean_natural_call_is_measured_and_leaves_no_file(
    accuracy: ModuleType, natural: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if len(importlib.import_module("natural.voices").installed("tune")) < accuracy.LEAST_VOICES:
        pytest.skip("fewer than two voices of the half are installed")
    monkeypatch.setattr(accuracy.tempfile, "tempdir", str(tmp_path))
    rows = accuracy.measured(accuracy.Task("tune", 0, ("clean",), "auto"))
    assert list(tmp_path.iterdir()) == []
    assert {row.condition for row in rows.calls} == {"clean"}
    assert rows.verdicts
    onsets = edge_stats([row for row in rows.edges if row.reading == "edges"], "onset")
    assert onsets.n > onsets.missing
    assert onsets.median_ms is not None and onsets.median_ms < 20.0  # one window


def line_of(
    accuracy: ModuleType, goals: ModuleType, rows: Rows, conditions: tuple[str, ...], **how: bool
) -> tuple:
    wanted = [
        goal for goal in goals.goals(("clean", "hum", "dc")) if goal.what == "wrong yield verdicts, edges"
    ]
    (line,) = accuracy._lines(rows, wanted, conditions, **{"comparable": True, **how})
    return line


def verdict(condition: str, measured_sec: float, true_sec: float = 0.8) -> VerdictRow:
    return VerdictRow(
        **KEYS,
        condition=condition,
        at_sec=1.0,
        kind="barge_in",
        expect="yield",
        limit_sec=1.0,
        scorable=True,
        did_yield=True,
        documented_sec=measured_sec,
        edges_sec=measured_sec,
        calibrated_yield=True,
        calibrated_sec=measured_sec,
        true_yield=True,
        true_sec=true_sec,
        found=True,
        doubts=(),
        reasons=(),
    )


def test_a_goal_over_many_conditions_is_not_judged_over_a_few(
    accuracy: ModuleType, goals: ModuleType
) -> None:
    rows = Rows(verdicts=(verdict("clean", 1.2), verdict("hum", 0.8), verdict("dc", 0.8)))
    what, reference, trial, goal, ours, met = line_of(accuracy, goals, rows, ("clean", "hum"))
    assert what == "wrong yield verdicts, edges (2 of 3 conditions)"
    assert (reference, trial, goal, ours, met) == ("-", "-", "-", "50.0 % of 2", None)
    what, reference, trial, goal, ours, met = line_of(accuracy, goals, rows, ("clean", "hum", "dc"))
    assert (what, reference, trial, goal) == ("wrong yield verdicts, edges", "57 %", "11 %", "<= 8 %")
    assert (ours, met) == ("33.3 % of 3", False)


def test_figures_of_short_calls_do_not_stand_beside_long_ones(
    accuracy: ModuleType, goals: ModuleType
) -> None:
    rows = Rows(verdicts=(verdict("clean", 0.8),))
    line = line_of(accuracy, goals, rows, ("clean", "hum", "dc"), comparable=False)
    assert line[1:4] == ("-", "-", "<= 8 %") and line[-1] is True


def test_the_cliff_has_the_documented_detector_beside_ours(path: None) -> None:
    cliff = importlib.import_module("cliff")
    calls = tuple(
        CallRow(**KEYS, condition=name, duration_sec=60.0, warned=warned, refused=False, robust=warned)
        for name, warned in (("clean", False), ("hum20", False), ("hum12", True))
    )
    right = tuple(verdict(name, 0.8) for name in ("clean", "hum20", "hum12"))
    wrong = (right[0], right[1], verdict("hum12", 1.4))
    rows = cliff.cliff_of(Rows(calls=calls, verdicts=right), Rows(calls=calls, verdicts=wrong))
    assert [row.cells() for row in rows] == [
        ("clean", "-", "1", "0", "0", "0", "0", "0", "1"),
        ("hum", "20 dB", "1", "0", "0", "0", "0", "0", "1"),
        ("hum", "12 dB", "1", "1", "0", "0", "1", "1", "1"),
    ]
    assert cliff.cliff_of(Rows(calls=calls, verdicts=right))[2].cells()[3] == "-", "it was not asked"


@pytest.mark.parametrize(
    "words",
    [("--calls", "0"), ("--calls", "-3"), ("--calls", "x"), ("--seed", "-1"), ("--conditions", ""),
     ("--conditions", "clean,nonsense"), ("--family", "nonsense")],
)  # fmt: skip
def test_what_cannot_be_measured_is_refused_before_anything_is(
    accuracy: ModuleType, natural: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys, words
) -> None:
    monkeypatch.setattr(sys, "argv", ["accuracy.py", "--split", "tune", *words])
    monkeypatch.setattr(importlib.import_module("natural.voices"), "installed", lambda split: ("a", "b"))
    monkeypatch.setattr(accuracy, "_measured", lambda tasks: pytest.fail("it was measured"))
    try:
        code = accuracy.main()
    except SystemExit as end:
        code = end.code
    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "") and printed.err


def test_the_kind_of_run_decides_what_is_left_open(
    accuracy: ModuleType, natural: ModuleType, monkeypatch
) -> None:
    known = natural.CONDITIONS

    def asked(*words: str) -> tuple[tuple[str, ...], int]:
        monkeypatch.setattr(sys, "argv", ["accuracy.py", *words])
        given = accuracy._arguments()
        return accuracy._conditions(given, known), accuracy._count(given)

    assert asked() == (tuple(known), 24)
    assert asked("--quick") == (accuracy.QUICK, 2)
    assert asked("--family", "long") == (("clean", "white12", "street12", "echo-12"), 4)
    assert asked("--conditions", "hum,clean,hum", "--calls", "7") == (("hum", "clean"), 7)
    ladder, _ = asked("--cliff")
    assert ladder[0] == "clean" and len(ladder) == 1 + 4 * 6
    assert {accuracy.noise_of(name)[0] for name in ladder[1:]} == {"white", "babble", "street", "hum"}


def test_the_second_opinion_stands_beside_ours_by_condition(path: None) -> None:
    second = importlib.import_module("second_opinion")

    def rows(*verdicts: VerdictRow) -> Rows:
        return Rows(verdicts=tuple(msgspec.structs.replace(row, scenario=row.condition) for row in verdicts))

    ours = rows(verdict("clean", 0.8), verdict("dc", 0.8), verdict("hum", 1.4))
    held = msgspec.structs.replace(verdict("dc", 0.8), did_yield=False, edges_sec=None)
    deaf = msgspec.structs.replace(verdict("hum", 0.8), scorable=False, did_yield=None, edges_sec=None)
    assert list(second.opinion_rows(ours, rows(verdict("clean", 0.8), held, deaf))) == [
        ("clean", "1", "0", "0", "0", "1 of 1"),
        ("dc", "1", "0", "1", "0", "0 of 1"),
        ("hum", "1", "1", "1", "1", "0 of 0"),
        ("all", "3", "1", "2", "1", "1 of 2"),
    ]


def test_one_call_is_one(path: None) -> None:
    tables = importlib.import_module("tables")
    assert (tables.plural(1, "call"), tables.plural(2, "call")) == ("1 call", "2 calls")


@pytest.fixture
def provenance(path: None) -> ModuleType:
    return importlib.import_module("provenance")


def test_a_digest_of_sources_tells_two_states_apart(provenance: ModuleType, tmp_path: Path) -> None:
    def digest() -> str:
        return provenance.sources(tmp_path, ("room", "one.py"))

    (tmp_path / "room").mkdir()
    for name in ("room/a.py", "room/loop.c", "one.py", "room/ignored.so"):
        (tmp_path / name).write_bytes(b"x = 1\n")
    before = digest()
    (tmp_path / "room" / "ignored.so").write_bytes(b"other")
    (tmp_path / "one.py").write_bytes(b"x = 1\r\n")
    assert digest() == before, "neither a compiled file nor line ends matter"
    seen = {before}
    for name in ("room/a.py", "room/loop.c", "one.py"):
        (tmp_path / name).write_bytes(b"x = 2\n")
        assert digest() not in seen
        seen.add(digest())


def test_the_head_names_version_parameters_and_code(provenance: ModuleType) -> None:
    import hotato

    one = provenance.detector()
    assert one == provenance.detector()
    assert len({one.parameters, one.hearing, one.judging}) == 3
    assert one.line.startswith(f"hotato {hotato.__version__}, ")
    assert all(part[:12] in one.line for part in (one.parameters, one.hearing, one.judging))
    for room in (*provenance.HEARING, *provenance.JUDGING):
        assert any((provenance.PACKAGE / room).rglob("*.py")), room


def test_a_voice_that_is_not_installed_is_said_first(
    provenance: ModuleType, natural: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    voices = importlib.import_module("natural.voices")
    monkeypatch.setattr(importlib.import_module("natural.bank"), "digest", lambda names: "0" * 64)
    monkeypatch.setattr(voices, "missing", lambda: {"rms": "apt: flite", "slt": "apt: flite"})
    monkeypatch.setattr(voices, "installed", lambda split: ("june", "carlo"))
    provenance.print_head("held")
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith("NOT THE PUBLISHED CALLS: 2 of 12 voices are not installed here (rms, slt)")
    assert first.endswith("They need: apt: flite")
    assert rest[-1].startswith("voices of 'held': june, carlo; bank 000000000000, generator ")
    monkeypatch.setattr(voices, "missing", dict)
    provenance.print_head("held")
    assert capsys.readouterr().out.startswith("hotato ")


@pytest.mark.parametrize(
    ("before", "ours", "is_worse"),
    [
        ((0.02, True), (0.02, True), False),
        ((0.02, True), (-0.03, True), False),  # a frame further is not worse
        ((0.02, True), (-0.13, True), True),
        ((0.02, True), (None, True), True),
        ((None, True), (None, True), False),
        ((None, None), (0.4, False), False),
        ((0.02, True), (0.0, False), True),
        ((0.02, True), (0.0, None), True),
        ((0.02, False), (0.0, False), False),
    ],
)
def test_ours_is_worse_where_it_loses_an_onset_or_a_met_label(path: None, before, ours, is_worse) -> None:
    clips = importlib.import_module("clips")
    one, other = (clips.Reading(late, None, passed, (), False) for late, passed in (before, ours))
    assert clips.worse(one, other) is is_worse


def test_real_clips_stand_beside_the_documented_detector(
    path: None, shared_data: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    import json

    expected = [one["id"] for labels in sorted(shared_data.glob("*/labels.json"))
                for one in json.loads(labels.read_text())]  # fmt: skip
    monkeypatch.setattr(sys, "argv", ["clips.py", str(shared_data)])
    assert importlib.import_module("clips").main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[3:-2]] == expected
    assert lines[-1] == f"{len(expected)} clips, ours is worse on 0"


def test_without_clips_the_reason_is_said(path: None, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["clips.py", str(tmp_path)])
    assert importlib.import_module("clips").main() == 0
    assert capsys.readouterr().out.startswith("clips: not measured, there are no labelled recordings in ")
