"""Variants of a recording, and the robustness of its verdict, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hotato.report.terminal import Terminal
from hotato.report.timefmt import plural, rate, shown
from hotato.score.request import DOCUMENTED
from hotato.timing.activity import REFERENCE

_ROLES = {"same": "pass", "flipped": "fail", "unscorable": "bold"}
_CONDITION, _STATUS, _VERDICT, _YIELD, _OVERLAP, _TRUST = 20, 12, 8, 9, 9, 10
_BOUNDS = {"max_time_to_yield_sec": "time to yield", "max_talk_over_sec": "talk-over"}
_FAMILIES = {
    "white": "white noise",
    "street": "street noise",
    "loss": "packet loss",
    "loss-concealed": "concealed loss",
}


def variants_text(
    sheets: Sequence[Mapping[str, Any]],
    left_out: Sequence[Mapping[str, str]] = (),
    *,
    colour: bool = False,
    width: int = 80,
    unicode: bool = True,
) -> str:
    """What was rendered of which recording, a line per variant, and what was not.

    Args:
        sheets: the JSON beside each WAV; at least one.
        left_out: each `variant` that could not be made, and `why`.
        colour, width, unicode: see `terminal.Terminal`.
    """
    terminal = Terminal(colour, width, unicode)
    parent = sheets[0]["parent"]["name"]
    head = f"  {plural(len(sheets), 'variant')} of {shown(parent, 60)}, seed {sheets[0]['seed']}"
    lines = [terminal.paint("bold", "hotato synth") + terminal.plain(head), ""]
    lines += _of_the_file(sheets[0]["parent"], terminal)
    for sheet in sheets:
        said = ", ".join(f"{k} {_value(v)}" for k, v in sheet["recipe"].items() if k != "step")
        shift = sheet["time_shift_sec"]
        parts = [said, rate(sheet["sample_rate_hz"]), f"labels move by {shift:g} s" if shift else ""]
        text = "; ".join(part for part in parts if part)
        lines += terminal.wrap(text, f"  {sheet['variant']:<13}", " " * 15)
    for one in left_out:
        lines += terminal.wrap(f"left out: {one['why']}", f"  {one['variant']:<13}", " " * 15)
    return terminal.finish(lines)


def robustness_text(
    result: Mapping[str, Any], *, colour: bool = False, width: int = 80, unicode: bool = True
) -> str:
    """The verdict under every condition as a table, and where it flips first.

    Args:
        result: what `synth.robustness` gave.
        colour, width, unicode: see `terminal.Terminal`.
    """
    terminal = Terminal(colour, width, unicode)
    summary = result["summary"]
    head = f"  {shown(result['recording']['name'], 60)}"
    title = terminal.paint("bold", "hotato battery robustness")
    role = "fail" if summary["flipped"] else "pass" if summary["same"] and summary["clean_passed"] else "bold"
    lines = [title + terminal.plain(head), *terminal.wrap(_label(result["label"]), "  ", "  "), ""]
    lines += _of_the_file(result["recording"], terminal)
    if not summary["clean_passed"]:
        said = f"The recording as it is fails: {'; '.join(result['clean']['reasons'])}."
        lines += [terminal.paint("fail", line) for line in terminal.wrap(shown(said, 400))]
    lines += [terminal.paint(role, line) for line in terminal.wrap(_answer(summary))]
    if summary["flipped"]:
        lines += terminal.wrap(_warned(summary))
    lines += terminal.wrap(_moved(result)) if summary["furthest_yield"] else []
    columns = ("condition", "", "verdict", "yield", "overlap", "trust", "robust for")
    lines += ["", terminal.paint("soft", _row(*columns))]
    lines += [_cell(cell, terminal) for cell in (result["clean"], *result["cells"])]
    lines.append("")
    for why, conditions in _unscorable(result["cells"]).items():
        lines += terminal.wrap(f"{', '.join(conditions)}: no verdict, {shown(why, 400)}", "  ", "    ")
    for family, first in summary["first_flip"].items():
        text = "holds on every rung that could be scored" if first is None else f"flips first at {first}"
        lines += terminal.wrap(text, f"  {_FAMILIES[family]:<16}", " " * 18)
    return terminal.finish(lines)


def _label(label: Mapping[str, Any]) -> str:
    """Which label is judged at which onset and by which bounds, and who stated them, as `run` says it."""
    parts = [f"expected {label['expect']}" if label["expect_stated"] else "no label given: yield assumed"]
    bounds = [
        f"{words} at most {label[key]:.2f} s" for key, words in _BOUNDS.items() if label[key] is not None
    ]
    parts += bounds or (["no bounds stated"] if label["expect"] == "yield" else [])
    if label["profile"] != DOCUMENTED:
        parts.append(f"profile {label['profile']}")
    if label["onset_sec"] is not None:
        origin = "as stated" if label["onset_stated"] else "detected"
        parts.append(f"onset {label['onset_sec']:.2f} s, {origin}")
    return "; ".join(parts)


def _moved(result: Mapping[str, Any]) -> str:
    """How far the time to yield moves, and whether anything decides on it."""
    furthest, clean = result["summary"]["furthest_yield"], result["clean"]["seconds_to_yield"]
    moved = f"{furthest['seconds_to_yield']:.2f} s under {furthest['condition']}, {clean:.2f} s clean"
    said = f"The time to yield moves furthest to {moved}"
    if result["label"]["expect"] == "yield" and result["label"]["max_time_to_yield_sec"] is None:
        return f"{said}; no verdict depends on it without a bound (--max-time-to-yield)."
    return f"{said}."


def _unscorable(cells: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The conditions without a verdict, by why there is none."""
    found: dict[str, list[str]] = {}
    for cell in cells:
        if cell["status"] == "unscorable":
            found.setdefault("; ".join(cell["reasons"]), []).append(cell["condition"])
    return found


def _of_the_file(recording: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """What is wrong with the file itself, for every line that follows."""
    said = [finding["sentence"] for finding in recording["findings"]]
    lines = [line for sentence in said for line in terminal.wrap(shown(sentence, 600), "  ", "  ")]
    return [*lines, ""] if lines else []


def _value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _answer(summary: Mapping[str, Any]) -> str:
    verdict = "verdict" if summary["clean_passed"] else "failure"
    parts = [f"The {verdict} flips under {summary['flipped']} of {plural(summary['cells'], 'condition')}"]
    if not summary["flipped"]:
        parts = [f"The {verdict} holds under {summary['same']} of {plural(summary['cells'], 'condition')}"]
    if summary["unscorable"]:
        parts.append(f"{summary['unscorable']} could not be scored and count as neither")
    return "; ".join(parts) + "."


def _warned(summary: Mapping[str, Any]) -> str:
    return f"Trust warned of {summary['flipped_with_warning']} of the {summary['flipped']} flipped."


def _cell(cell: Mapping[str, Any], terminal: Terminal) -> str:
    verdict = "-" if cell["passed"] is None else "pass" if cell["passed"] else "fail"
    waited = "-" if cell["seconds_to_yield"] is None else f"{cell['seconds_to_yield']:.2f} s"
    overlap = "-" if cell["talk_over_sec"] is None else f"{cell['talk_over_sec']:.2f} s"
    status = "" if cell["condition"] == "clean" else cell["status"]
    row = _row(cell["condition"], status, verdict, waited, overlap, _trust(cell), _robust(cell))
    return terminal.paint(_ROLES[cell["status"]] if cell["status"] != "same" else "soft", row)


def _trust(cell: Mapping[str, Any]) -> str:
    """What trust says, in one word; "no score" beside a verdict that is withheld."""
    return "no score" if cell["trust"] == "not_scorable" else str(cell["trust"])


def _robust(cell: Mapping[str, Any]) -> str:
    """The parties that the robust detector heard, `-` where the documented one heard both."""
    roles = [role for role, detector in cell["detectors"].items() if detector != REFERENCE]
    return "both" if len(roles) == 2 else "".join(roles) or "-"


def _row(*cells: str) -> str:
    widths = (_CONDITION, _STATUS, _VERDICT, _YIELD, _OVERLAP, _TRUST, 0)
    return "  " + "".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()
