"""Variants of a recording, and the robustness of its verdict, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hotato.report.terminal import Terminal
from hotato.report.timefmt import plural, rate, shown
from hotato.timing.activity import REFERENCE

_ROLES = {"same": "pass", "flipped": "fail", "unscorable": "bold"}
_CONDITION, _STATUS, _VERDICT, _YIELD, _OVERLAP, _TRUST = 20, 12, 8, 9, 9, 10
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
    summary, label = result["summary"], result["label"]
    onset = "none" if label["onset_sec"] is None else f"{label['onset_sec']:.2f} s"
    head = f"  {shown(result['recording']['name'], 60)}  expect {label['expect']}, onset {onset}"
    title = terminal.paint("bold", "hotato battery robustness")
    role = "fail" if summary["flipped"] else "pass" if summary["same"] else "bold"
    lines = [title + terminal.plain(head), "", *_of_the_file(result["recording"], terminal)]
    lines += [terminal.paint(role, line) for line in terminal.wrap(_answer(summary))]
    if summary["flipped"]:
        lines += terminal.wrap(_warned(summary))
    columns = ("condition", "", "verdict", "yield", "overlap", "trust", "robust for")
    lines += ["", terminal.paint("soft", _row(*columns))]
    lines += [_cell(cell, terminal) for cell in (result["clean"], *result["cells"])]
    lines.append("")
    for family, first in summary["first_flip"].items():
        text = "holds on every rung that could be scored" if first is None else f"flips first at {first}"
        lines += terminal.wrap(text, f"  {_FAMILIES[family]:<16}", " " * 18)
    return terminal.finish(lines)


def _of_the_file(recording: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """What is wrong with the file itself, for every line that follows."""
    said = [finding["sentence"] for finding in recording["findings"]]
    lines = [line for sentence in said for line in terminal.wrap(shown(sentence, 600), "  ", "  ")]
    return [*lines, ""] if lines else []


def _value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _answer(summary: Mapping[str, Any]) -> str:
    parts = [f"The verdict flips under {summary['flipped']} of {plural(summary['cells'], 'condition')}"]
    if not summary["flipped"]:
        parts = [f"The verdict holds under {summary['same']} of {plural(summary['cells'], 'condition')}"]
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
