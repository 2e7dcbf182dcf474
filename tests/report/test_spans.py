"""Exports read back by a strict reader of each format."""

from __future__ import annotations

import csv
import io
import re
from itertools import pairwise

import pytest

from hotato.errors import UsageError
from hotato.find.records import Autopsy, recording_id
from hotato.listen import Heard
from hotato.report import Moment, moments_of, spans_export
from hotato.timing import Span

HOP_SEC = 0.01
CALLER = [(5.0, 6.7), (13.3, 15.0), (19.4, 22.9), (35.0, 36.1)]
AGENT = [(0.4, 4.1), (7.2, 12.6), (16.0, 21.35), (29.9, 34.2), (37.0, 41.2)]


def read_textgrid(text: str) -> tuple[float, dict[str, list[tuple[float, float, str]]]]:
    """The long text format, as Praat writes it: every line is checked."""
    lines = [line.strip() for line in text.splitlines()]
    assert lines[0] == 'File type = "ooTextFile"'
    assert lines[1] == 'Object class = "TextGrid"'
    assert lines[2] == ""
    rest = iter(lines[3:])

    def number(name: str) -> float:
        match = re.fullmatch(rf"{re.escape(name)} = ([0-9.]+)", next(rest))
        assert match, name
        return float(match.group(1))

    def string(name: str) -> str:
        match = re.fullmatch(rf'{name} = "((?:[^"]|"")*)"', next(rest))
        assert match, name
        return match.group(1).replace('""', '"')

    assert number("xmin") == 0
    end = number("xmax")
    assert next(rest) == "tiers? <exists>"
    tiers = {}
    count = int(number("size"))
    assert next(rest) == "item []:"
    for item in range(1, count + 1):
        assert next(rest) == f"item [{item}]:"
        assert string("class") == "IntervalTier"
        name = string("name")
        assert (number("xmin"), number("xmax")) == (0, end)
        intervals = []
        for index in range(1, int(number("intervals: size")) + 1):
            assert next(rest) == f"intervals [{index}]:"
            intervals.append((number("xmin"), number("xmax"), string("text")))
        assert intervals[0][0] == 0 and intervals[-1][1] == end
        assert all(a[1] == b[0] for a, b in pairwise(intervals))
        assert all(a < b for a, b, _ in intervals)
        tiers[name] = intervals
    assert next(rest, None) is None
    return end, tiers


def close(found: list[tuple[float, float]], truth: list[tuple[float, float]]) -> bool:
    return len(found) == len(truth) and all(
        abs(a - c) <= 2 * HOP_SEC and abs(b - d) <= 2 * HOP_SEC
        for (a, b), (c, d) in zip(found, truth, strict=True)
    )


def test_praat_reads_the_activity_and_the_moments(heard: Heard, autopsy: Autopsy) -> None:
    end, tiers = read_textgrid(spans_export(heard, moments_of(autopsy.incidents), "textgrid"))
    assert end == 42.0
    assert close([(a, b) for a, b, text in tiers["caller"] if text], CALLER)
    assert close([(a, b) for a, b, text in tiers["agent"] if text], AGENT)
    assert [text for _, _, text in tiers["moments"] if text] == [
        "3 LATENCY SPIKE",
        "1 BARGE-IN",
        "2 DEAD AIR",
    ]


def test_overlapping_moments_go_to_tiers_of_their_own(heard: Heard) -> None:
    moments = (Moment("a", Span(1.0, 5.0)), Moment('b "x"', Span(2.0, 3.0)), Moment("c\nd", Span(5.0, 60.0)))
    _, tiers = read_textgrid(spans_export(heard, moments, "textgrid"))
    assert [i for i in tiers["moments"] if i[2]] == [(1.0, 5.0, "a"), (5.0, 42.0, "c d")]
    assert [i for i in tiers["moments 2"] if i[2]] == [(2.0, 3.0, 'b "x"')]


def test_praat_itself_agrees(heard: Heard, autopsy: Autopsy, tmp_path) -> None:
    parselmouth = pytest.importorskip("parselmouth")
    path = tmp_path / "call.TextGrid"
    path.write_text(spans_export(heard, moments_of(autopsy.incidents), "textgrid"), encoding="utf-8")
    grid = parselmouth.read(str(path))
    assert parselmouth.praat.call(grid, "Get number of tiers") == 3


def test_rttm_has_ten_fields_and_anonymous_speakers(heard: Heard, autopsy: Autopsy) -> None:
    lines = spans_export(heard, moments_of(autopsy.incidents), "rttm").splitlines()
    spans: dict[str, list[tuple[float, float]]] = {"caller": [], "agent": []}
    for line in lines:
        fields = line.split(" ")
        assert len(fields) == 10
        assert fields[:3] == ["SPEAKER", recording_id(heard.file_sha256), "1"]
        start, lasting = float(fields[3]), float(fields[4])
        spans[fields[7]].append((start, start + lasting))
    assert close(spans["caller"], CALLER) and close(spans["agent"], AGENT)
    assert [float(line.split()[3]) for line in lines] == sorted(float(line.split()[3]) for line in lines)


def test_audacity_labels_have_two_times_and_a_name(heard: Heard, autopsy: Autopsy) -> None:
    rows = [
        line.split("\t")
        for line in spans_export(heard, moments_of(autopsy.incidents), "audacity").splitlines()
    ]
    assert all(len(row) == 3 and float(row[0]) <= float(row[1]) for row in rows)
    assert close([(float(a), float(b)) for a, b, name in rows if name == "caller"], CALLER)
    assert {"1 BARGE-IN", "2 DEAD AIR", "3 LATENCY SPIKE"} <= {row[2] for row in rows}


def test_csv_reads_back(heard: Heard) -> None:
    text = spans_export(heard, (Moment('a, "b"\nc', Span(1.0, 2.0)),), "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["kind"] for row in rows} == {"activity", "moment"}
    assert close([(float(r["start_sec"]), float(r["end_sec"])) for r in rows if r["label"] == "agent"], AGENT)
    assert [row["label"] for row in rows if row["kind"] == "moment"] == ['a, "b" c']


def test_an_unknown_format_is_refused_with_the_known_ones(heard: Heard) -> None:
    with pytest.raises(UsageError, match="textgrid, rttm, audacity, csv"):
        spans_export(heard, (), "xlsx")


def test_a_moment_lies_where_its_incident_does_and_is_named_by_its_kind(
    heard: Heard, autopsy: Autopsy
) -> None:
    moments = {moment.label: moment.span for moment in moments_of(autopsy.incidents)}
    assert moments["2 DEAD AIR"] == autopsy.incidents[1].span
    gap = moments_of(autopsy.incidents[1:2])
    rows = list(csv.DictReader(io.StringIO(spans_export(heard, gap, "csv"))))
    (row,) = (row for row in rows if row["kind"] == "moment")
    edges = {r["end_sec"] for r in rows if r["label"] == "caller"} | {
        r["start_sec"] for r in rows if r["label"] == "agent"
    }
    assert min(abs(float(row["start_sec"]) - float(edge)) for edge in edges) <= HOP_SEC
    assert min(abs(float(row["end_sec"]) - float(edge)) for edge in edges) <= HOP_SEC


def test_a_label_is_never_a_formula_in_a_table(heard: Heard) -> None:
    labels = ("=1+1", "@cmd", "-1", "a\u202eb")
    moments = [Moment(label, Span(1.0, 2.0)) for label in labels]
    rows = csv.DictReader(io.StringIO(spans_export(heard, moments, "csv")))
    cells = {row["label"] for row in rows if row["kind"] == "moment"}
    assert cells == {"'=1+1", "'@cmd", "'-1", "a\\u202eb"}
