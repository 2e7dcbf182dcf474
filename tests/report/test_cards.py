"""Cards: the right one for each input, nothing cut on any of them, and no name that was not asked for."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.errors import Refusal
from hotato.report import contract_card, result_card
from hotato.report.svg_fit import fitted, lines, width

ROOT = Path(__file__).resolve().parents[2]
MARGIN_PX, RIGHT_PX, HEIGHT_PX = 64, 1136, 630

LONG = "W" * 5000
HOSTILE = [
    "<script>x</script>",
    "&amp;",
    "]]>",
    "\x00\x1b[31m",
    "\u202edesrever",
    "\ud800",
    "a\nb",
    '"',
    "{{ 7 * 7 }}",
    LONG,
]


def contract(label: str = "yield", **measured: Any) -> dict[str, Any]:
    """A contract.json, as far as its card reads it."""
    values = {
        "passed": False,
        "did_yield": False,
        "seconds_to_yield": None,
        "talk_over_sec": 2.65,
        "edges": {"talk_over": [2.5, 2.49, 2.51]},
    }
    return {
        "kind": "voice-turn-taking-contract",
        "id": "cancel-002",
        "label": {"expected_behavior": label},
        "policy": {"pass_conditions": {"yield": label == "yield", "max_talk_over_sec": 1.0}},
        "event": {"source_onset_sec": 22.22},
        "source": {"stack": "vapi", "name": "VAPI__secret-call.wav", "candidate_ref": "secret.json#2"},
        "measurement": values | measured,
    }


def candidate(kind: str, **changes: Any) -> dict[str, Any]:
    """A scan with one candidate."""
    moment = {
        "t_sec": 12.5,
        "kind": kind,
        "durations": {"overlap_sec": 1.4} if "overlap" in kind else {"gap_sec": 3.2},
        "source": "calls/VAPI__secret-call.wav",
    }
    return {"tool": "hotato", "kind": "analyze", "candidates": [moment | changes]}


def incident(severity: str = "CRITICAL") -> dict[str, Any]:
    return {
        "tool": "hotato",
        "kind": "autopsy",
        "source": "VAPI__secret-call.wav",
        "incidents": [
            {
                "t_sec": 25.63,
                "kind": "DEAD AIR",
                "kind_key": "dead-air",
                "severity": severity,
                "scan_kind": "long_response_gap",
                "plain_english": "Nobody spoke for 5.79 s before the agent answered.",
                "span": {"start_sec": 25.48, "end_sec": 31.27},
                "headline": {"documented_sec": 5.64, "sec": 5.79, "lo_sec": 5.775, "hi_sec": 5.82},
                "bound_sec": 5.0,
                "measurements": {"gap_sec": 5.64},
                "facts": [["ended by", "the agent at 0:31.27"], ["began after", "the caller's last sound"]],
            }
        ],
    }


def plan(decision: str = "do_not_tune_single_threshold") -> dict[str, Any]:
    return {
        "kind": "fix-plan",
        "decision": decision,
        "recommended_fix": {"class": "engagement-control"},
        "evidence": [
            {"finding": "missed_real_interruption", "measured": {"did_yield": False, "talk_over_sec": 2.65}},
            {
                "finding": "false_stop_on_backchannel",
                "measured": {"did_yield": True, "seconds_to_yield": 0.34},
            },
        ],
    }


def run(funnel: bool = True) -> dict[str, Any]:
    def event(expected: bool, yielded: bool, **more: Any) -> dict[str, Any]:
        figures = {"did_yield": yielded, "seconds_to_yield": 0.34 if yielded else None, "talk_over_sec": 2.65}
        return {"expected_yield": expected, "verdict": figures, **more}

    stated = {"reason": "r", "pointer": {"layer": "engagement control"}} if funnel else None
    answer = event(False, True, expectation="answer")
    return {"tool": "hotato", "funnel": stated, "events": [event(True, False), event(False, True), answer]}


def rollup(**changes: Any) -> dict[str, Any]:
    def moment(number: int) -> dict[str, Any]:
        return {
            "fixture": f"secret-{number}",
            "before": {"passed": False, "talk_over_sec": 2.7 - 0.3 * number},
            "after": {"passed": number != 3, "talk_over_sec": 0.3},
        }

    value = {
        "tool": "hotato",
        "kind": "verify",
        "claim": {"supported": True},
        "regression_axis": {"used_to_fail": 5, "now_pass": 4},
        "hold_axis": {"hold_guards": 2, "still_pass": 2, "regressed": 0},
        "regressions": [],
        "evidence": {"vector": {"capture_origin": "operator_asserted"}},
        "per_fixture": [moment(number) for number in range(7)],
    }
    return value | changes


SAY_DO = json.loads((ROOT / "examples/cards/say-do.json").read_text(encoding="utf-8"))

INPUTS: dict[str, tuple[dict[str, Any], int | None]] = {
    "yield failed": (contract(), None),
    "yield passed": (contract(passed=True, did_yield=True, seconds_to_yield=0.42), None),
    "hold failed": (contract("hold", did_yield=True, seconds_to_yield=0.31, talk_over_sec=0.31), None),
    "hold passed": (contract("hold", passed=True, talk_over_sec=0.45), None),
    "answer failed": (contract("answer", response_gap_sec=5.79), None),
    "no answer": (contract("answer", response_gap_sec=None), None),
    "not scorable": (contract(scorable=False, not_scorable_reason="the caller's channel is silent"), None),
    "not eligible": (
        contract(verdict_eligible=False, verdict_ineligible_reason="channels may be swapped"),
        None,
    ),
    "talk-over": (candidate("overlap_while_agent_talking"), 1),
    "start": (candidate("agent_start_during_caller", durations={"overlap_sec": 0.8}), 1),
    "false stop": (candidate("agent_stop_no_caller", durations={"trailing_silence_sec": 4.1}), 1),
    "latency": (candidate("long_response_gap"), 1),
    "unknown": (candidate("something_new", durations={"gap_sec": 1.0}), 1),
    "incident": (incident(), 1),
    "warning": (incident("WARNING"), 1),
    "plan": (plan(), None),
    "funnel": (run(), None),
    "paired": (rollup(), None),
    "say-do": (SAY_DO, None),
}


def texts(picture: str) -> str:
    return " | ".join(element.text or "" for element in ElementTree.fromstring(picture.encode()).iter())


def draw(name: str, **options: Any) -> str:
    value, number = INPUTS[name]
    return result_card(value, number, **options)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("yield failed", ["FAILED", "did not give way", "2.65", "limit 1.00 s", "(2.49 to 2.51 s)"]),
        ("yield passed", ["PASSED", "gave way to the caller after 0.42 s"]),
        ("hold failed", ["FAILED", "stopped after 0.31 s"]),
        ("hold passed", ["PASSED", "kept talking"]),
        ("answer failed", ["FAILED", "answered after 5.79 s", "5.79 s with nobody speaking"]),
        ("no answer", ["FAILED", "did not answer"]),
        ("not scorable", ["NOT SCORABLE", "the caller's channel is silent"]),
        ("not eligible", ["NO VERDICT", "channels may be swapped"]),
        ("talk-over", ["talk-over candidate", "NOT LABELLED", "1.40"]),
        ("false stop", ["false-stop candidate", "4.10"]),
        ("latency", ["latency candidate", "3.20"]),
        ("incident", ["autopsy incident, dead air", "CRITICAL", "Nobody spoke for 5.79 s", "5.78 to 5.82 s"]),
        ("plan", ["threshold funnel", "2.65 s", "0.34 s", "engagement control"]),
        ("funnel", ["threshold funnel", "2.65 s", "0.34 s", "engagement control"]),
        ("paired", ["PAIRED (OPERATOR-ASSERTED)", "4 of 5", "coincides"]),
        ("say-do", ["say-do failure", "refund-issued", "no call of the tool issue_refund"]),
    ],
)
def test_the_input_decides_the_card(name: str, said: list[str]) -> None:
    found = texts(draw(name))
    for words in said:
        assert words in found


@pytest.mark.parametrize("name", INPUTS)
def test_a_card_is_a_pure_function_and_complete_in_itself(name: str) -> None:
    picture = draw(name)
    assert picture == draw(name)
    root = ElementTree.fromstring(picture.encode())
    assert (root.get("width"), root.get("height")) == ("1200", "630")
    assert (
        root.get("role") == "img" and root.find("{*}title") is not None and root.find("{*}desc") is not None
    )
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not tags & {"script", "style", "image", "use", "a", "foreignObject"}
    for element in root.iter():
        assert not any("href" in key or key.startswith("on") for key in element.attrib)
        assert not any("url(" in value and "url(#" not in value for value in element.attrib.values())


@pytest.mark.parametrize("name", INPUTS)
def test_no_name_is_on_a_card_unless_it_was_asked_for(name: str) -> None:
    assert "secret" not in draw(name)
    if name in ("yield failed", "talk-over", "incident", "paired"):
        named = draw(name, include_identifiers=True)
        assert "secret" in named and "calls/" not in named


def test_an_answer_is_not_counted_as_a_stop_for_an_acknowledgement() -> None:
    assert "moments)" not in draw("funnel")


@pytest.mark.parametrize(
    ("value", "number", "code"),
    [
        (plan("propose_step"), None, "not_a_card"),
        (run(funnel=False), None, "not_a_card"),
        (rollup(claim={"supported": False}), None, "claim_not_supported"),
        (rollup(regression_axis={"used_to_fail": 5, "now_pass": 0}), None, "claim_not_supported"),
        (rollup(hold_axis={"hold_guards": 2, "still_pass": 1, "regressed": 1}), None, "claim_not_supported"),
        (
            {"kind": "hotato.test-run", "test_id": "t", "assertions": {"results": []}},
            None,
            "no_say_do_failure",
        ),
        ({"kind": "trust"}, None, "not_a_card"),
        (contract(), 1, "not_a_card"),
        (incident(), None, "not_a_card"),
        (incident(), 2, "no_such_candidate"),
        ({"kind": "voice-turn-taking-contract"}, None, "not_a_contract"),
        (contract(talk_over_sec=-1), None, "not_a_contract"),
        ({"candidates": [7]}, 1, "not_a_card"),
    ],
)
def test_what_no_card_can_be_drawn_of_is_refused(
    value: dict[str, Any], number: int | None, code: str
) -> None:
    with pytest.raises(Refusal) as caught:
        result_card(value, number)
    assert caught.value.code == code


def test_a_moment_of_one_call_is_counted_in_that_call() -> None:
    value = candidate("overlap_while_agent_talking")
    other = copy.deepcopy(value["candidates"][0]) | {
        "source": "calls/other.wav",
        "durations": {"overlap_sec": 0.9},
    }
    value["candidates"].insert(0, other)
    for call in ("VAPI__secret-call", "VAPI__secret-call.wav", "calls/VAPI__secret-call.wav"):
        assert "1.40" in result_card(value, 1, call=call)
    with pytest.raises(Refusal, match="no #2"):
        result_card(value, 2, call="other")


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_no_text_of_the_input_becomes_markup(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(HOSTILE))
    label = data.draw(st.sampled_from(["yield", "hold", "answer"]))
    value = contract(label, not_scorable_reason=text, scorable=data.draw(st.booleans()))
    value["id"] = text
    value["source"] = {"stack": text, "name": text}
    picture = contract_card(value, include_identifiers=True)
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(picture.encode()).iter()}
    assert tags <= {"svg", "title", "desc", "rect", "text", "defs", "linearGradient", "stop", "line", "path"}
    assert not set(picture) & {"\x00", "\x1b", "\u202e"}
    assert LONG not in picture


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=200), size=st.floats(10, 60), room=st.floats(120, 1200))
def test_a_fitted_text_is_never_wider_than_its_room(text: str, size: float, room: float) -> None:
    assert width(fitted(text, size, room), size) <= room
    assert all(width(line, size, bold=True) <= room for line in lines(text, size, room, 3, bold=True))


def test_short_words_are_kept_whole_and_long_ones_broken() -> None:
    assert lines("one two three", 20, 90, 3) == ["one two", "three"]
    assert "".join(lines("W" * 12, 20, 120, 5)) == "W" * 12


OUTSIDE = f"""() => [...document.querySelectorAll("text")].filter(e => {{
  const box = e.getBBox();
  return box.x < {MARGIN_PX - 1} || box.x + box.width > {RIGHT_PX + 1}
    || box.y < 0 || box.y + box.height > {HEIGHT_PX};
}}).map(e => e.textContent)"""

OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll("text")].map(e => [e.textContent, e.getBBox()]);
  const found = [];
  for (let i = 0; i < boxes.length; i++) for (let j = 0; j < i; j++) {
    const [a, b] = [boxes[i][1], boxes[j][1]];
    const apart = (p, q) => p.x + p.width - 1 < q.x || p.y + p.height - 4 < q.y;
    if (!apart(a, b) && !apart(b, a))
      found.push([boxes[i][0], boxes[j][0]]);
  }
  return found;
}"""


def hostile_inputs() -> dict[str, tuple[dict[str, Any], int | None]]:
    """The inputs with every text in them made long."""

    def grown(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: grown(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [grown(item) for item in value]
        keep = (
            "kind",
            "tool",
            "decision",
            "finding",
            "scan_kind",
            "status",
            "dimension",
            "expected_behavior",
        )
        return value + " " + LONG if isinstance(value, str) and key not in keep else value

    return {name: (grown(value), number) for name, (value, number) in INPUTS.items()}


def test_nothing_is_cut_and_nothing_overlaps_in_a_browser(browser: Any) -> None:
    page = browser.new_page(viewport={"width": 1200, "height": HEIGHT_PX})
    trouble = []
    for kind, inputs in (("plain", INPUTS), ("long", hostile_inputs())):
        for name, (value, number) in inputs.items():
            page.set_content(result_card(value, number, include_identifiers=True))
            for what, script in (("outside", OUTSIDE), ("overlap", OVERLAPS)):
                found = page.evaluate(script)
                trouble += [(kind, name, what, found)] if found else []
    page.close()
    assert trouble == []


def test_the_committed_cards_are_those_of_the_script() -> None:
    import importlib.util

    spec = importlib.util.spec_from_file_location("render_cards", ROOT / "examples/render_cards.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.main(["--check"]) == 0
