"""The page that explains the numbers names every parameter with the default that the code uses."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

from hotato.timing import Calibration, EchoParams, ResumeParams, ScoreConfig, VADParams
from hotato.timing.edge_errors import EDGE_ERRORS
from hotato.timing.edges import EdgeParams
from hotato.timing.floor import FloorParams
from hotato.timing.speech import SpeechParams

PAGE = Path(__file__).resolve().parents[2] / "docs" / "METHODOLOGY.md"
SECTIONS: list[tuple[str, tuple[type[Any], ...], set[str]]] = [
    ("(`ScoreConfig`)", (ScoreConfig,), {"caller_vad", "agent_vad"}),
    ("(`VADParams`)", (VADParams,), {"backend"}),
    ("`EdgeParams`)", (EchoParams, ResumeParams, FloorParams, EdgeParams), set()),
    ("(`Calibration`)", (Calibration,), set()),
    ("(`SpeechParams`)", (SpeechParams,), set()),
]


def defaults_on_the_page(heading: str) -> dict[str, float]:
    lines = iter(PAGE.read_text(encoding="utf-8").splitlines())
    next(line for line in lines if line.endswith(f"{heading}:"))
    next(line for line in lines if line.startswith("|---"))
    rows = {}
    for line in lines:
        found = re.match(r"\| `(\w+)` \| (-?[\d.]+) \| .+ \|$", line)
        if found is None:
            break
        rows[found[1]] = float(found[2])
    return rows


def test_every_parameter_stands_on_the_page_with_its_default() -> None:
    for heading, records, internal in SECTIONS:
        expected = {
            field.name: float(getattr(record(), field.name))
            for record in records
            for field in fields(record)
            if field.name not in internal
        }
        assert defaults_on_the_page(heading) == expected, heading


def test_the_measured_errors_of_robust_edges_stand_on_the_page() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    first = lines.index("| contrast, dB | beginning, ms | end, ms |") + 2
    classes = len(EDGE_ERRORS.onset_ms)
    rows = [[float(n) for n in re.findall(r"[+-]\d+", line)] for line in lines[first : first + classes]]
    pairs = zip(EDGE_ERRORS.onset_ms, EDGE_ERRORS.offset_ms, strict=True)
    assert rows == [[*onset, *offset] for onset, offset in pairs]
    limits = [re.findall(r"\b\d+\b", line.split("|")[1])[0] for line in lines[first + 1 : first + classes]]
    assert [float(limit) for limit in limits] == list(EDGE_ERRORS.limits_db)


def test_every_link_inside_the_page_leads_to_a_heading() -> None:
    text = PAGE.read_text(encoding="utf-8")
    anchors = {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([\w-]+)\)", text)) <= anchors


def test_the_error_figures_are_what_the_named_command_measures() -> None:
    from hotato.benchmark import run_benchmark
    from hotato.benchmark.sets import packaged_sets

    result = run_benchmark(sets=packaged_sets())
    pair = r"([+-]?\d+), (\d+)"
    rows = re.findall(
        rf"^\| ([a-z -]+) \| (\d+) \| {pair} \| {pair} \| {pair} \| (\d+) of (\d+) \|$",
        PAGE.read_text(encoding="utf-8"),
        re.M,
    )
    assert {row[0].replace(" ", "_").replace("-", "_") for row in rows} == result["signals"].keys()
    for words, n, *cells, held, intervals in rows:
        signal = words.replace(" ", "_").replace("-", "_")
        for number, reading in enumerate(("documented", "edges", "calibrated")):
            measured = result["signals"][signal][reading]["all"]
            assert measured["n"] == int(n) and measured["missing"] == 0
            stated = [float(cell) for cell in cells[2 * number : 2 * number + 2]]
            assert stated == [round(measured["bias_ms"]), round(measured["worst_ms"])], (words, reading)
        interval = result["intervals"][signal]["all"]
        assert (interval["covered"], interval["n"]) == (int(held), int(intervals))
