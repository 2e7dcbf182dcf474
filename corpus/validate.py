"""Check a contributed recording and its label before it is submitted.

    python corpus/validate.py LABEL [AUDIO]

The recording lies beside the label under the name that its `audio` field gives, unless AUDIO names it. Prints
PASS and exits 0 when the pair conforms; prints one line for each problem and exits 1 when it does not; exits
2 when a file cannot be read or the command is wrong. Consent, personal data and whether the onset is right
are for a person to review: see docs/CORPUS.md.

Needs hotato itself, which reads the recording, and the package jsonschema.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import early  # noqa: F401  an interrupt from here on is one line

# isort: split
import msgspec

from hotato.canonical import decode_json, read_small
from hotato.errors import EXIT_FAIL, EXIT_PASS, Refusal
from hotato.listen import Hearing, attend, hear
from hotato.plain import shown
from hotato.score import run_single
from hotato.stacks import ChannelMap
from running import Parser, path, run

SCHEMA = Path(__file__).resolve().parent / "label.schema.json"

Label = dict[str, Any]

FAULTS = {
    "const": "{limit} was expected, not {given}",
    "minimum": "{given} is less than {limit}",
    "exclusiveMinimum": "{given} is not more than {limit}",
    "maximum": "{given} is more than {limit}",
    "minLength": "{given} is shorter than {limit} characters",
    "maxLength": "it is longer than {limit} characters",
    "minItems": "{given} has fewer than {limit} entries",
    "maxItems": "it has more than {limit} entries",
    "uniqueItems": "{given} holds an entry twice",
    "pattern": "{given} does not match the pattern {limit}",
}
"""What to say of a rule of the schema that is broken."""


@dataclass(frozen=True)
class Limits:
    """What a label and its recording may differ by, and how large a label may be.

    Attributes:
        duration_sec: the stated and the counted length may differ by this much.
        label_bytes: a larger label is not read.
        parties: fewest channels of a recording.
    """

    duration_sec: float = 0.05
    label_bytes: int = 1_000_000
    parties: int = 2


LIMITS = Limits()


def read_label(path: Path) -> Any:
    """The JSON of a label file.

    Raises:
        Refusal: it cannot be read, is not JSON, or states a key twice.
    """
    data = read_small(path, "label", LIMITS.label_bytes)
    try:
        return decode_json(data, f"'{path.name}'")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal("not_json", f"'{path.name}' is not JSON: {error}", "correct the file") from None


def schema_problems(label: Any) -> list[str]:
    """Where the label breaks the schema, one sentence each, by place.

    Raises:
        Refusal: jsonschema is not installed.
    """
    try:
        from jsonschema import Draft202012Validator
    except ModuleNotFoundError:
        raise Refusal(
            "missing_package", "the package jsonschema is needed", "pip install jsonschema"
        ) from None
    validator = Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    return sorted(
        {f"{_place(error.absolute_path)}: {_fault(error)}" for error in validator.iter_errors(label)}
    )


def _fault(error: Any) -> str:
    """What is wrong, in the words and values of the file: the validator's own are Python's."""
    rule, limit, given = error.validator, error.validator_value, error.instance
    if rule == "required":
        return f"missing: {', '.join(_json(key) for key in limit if key not in given)}"
    if rule == "additionalProperties":
        unknown = sorted(key for key in given if key not in error.schema.get("properties", {}))
        return f"unknown: {', '.join(_json(key) for key in unknown)}"
    if rule == "type":
        kinds = [limit] if isinstance(limit, str) else limit
        return f"{_json(given)} is not of the type {' or '.join(kinds)}"
    if rule == "enum":
        return f"{_json(given)} is none of {', '.join(_json(one) for one in limit)}"
    if rule in FAULTS:
        return FAULTS[rule].format(given=_json(given), limit=_json(limit))
    return str(error.message)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _place(path: Any) -> str:
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in path]
    return "".join(parts).lstrip(".") or "label"


def text_problems(label: Label) -> Iterator[str]:
    """Texts that a reader would see nothing of: what a pattern cannot say for every alphabet."""
    consent = label.get("consent", {})
    texts = {
        "title": label["title"],
        "attestation.contributor": label["attestation"]["contributor"],
        "consent.release_form_ref": consent.get("release_form_ref", "-"),
        **{f"consent.parties[{index}]": text for index, text in enumerate(consent.get("parties", []))},
    }
    for place, text in texts.items():
        if all(unicodedata.category(char)[0] in "CZ" for char in text):
            yield f"{place}: it is blank"


def timing_problems(label: Label) -> Iterator[str]:
    """What a schema cannot say about the times of a label that conforms to it."""
    end = label["duration_sec"]
    if label["caller_onset_sec"] >= end:
        yield f"caller_onset_sec: {label['caller_onset_sec']} lies at or behind the end ({end} s)"
    if label["channels"]["caller_channel"] == label["channels"]["agent_channel"]:
        yield "channels: the caller and the agent are on the same channel"
    for party in ("caller", "agent"):
        segments = label.get("reference_render", {}).get(f"{party}_segments_sec", [])
        before = 0.0
        for index, (start, stop) in enumerate(segments):
            place = f"reference_render.{party}_segments_sec[{index}]"
            if not start < stop:
                yield f"{place}: it ends ({stop} s) before it begins ({start} s)"
            elif stop > end:
                yield f"{place}: it ends at {stop} s, behind the end of the recording ({end} s)"
            elif start < before:
                yield f"{place}: it begins at {start} s, before the one in front of it has ended"
            before = stop


def audio_problems(label: Label, heard: Hearing) -> Iterator[str]:
    """Where the recording is not what the label says, or not what a recording has to be."""
    recording, channels = heard.recording, label["channels"]
    if recording.container.container not in ("wav", "rf64"):
        yield f"audio: it is a {recording.container.container} file, not a WAV file"
    if recording.channels < LIMITS.parties:
        yield f"audio: {recording.channels} channel; the caller and the agent need one each"
    for name in ("caller_channel", "agent_channel"):
        if channels[name] >= recording.channels:
            yield f"channels.{name}: there is no channel {channels[name]} in the recording"
    twins = tuple(sorted(channels.values()))
    if twins in heard.identical:
        yield "audio: both parties' channels carry the same samples"
    elif len(set(twins)) == LIMITS.parties and twins[-1] < recording.channels:
        call = attend(heard, ChannelMap(*twins, source="flags"), detector="reference")
        if call.identical:
            yield f"audio: both parties' channels carry {call.shared_sound}"
    rate, length = recording.sample_rate_hz, recording.duration_sec
    if rate != label["sample_rate"]:
        yield f"sample_rate: {label['sample_rate']} in the label, {rate} in the recording"
    if abs(length - label["duration_sec"]) > LIMITS.duration_sec:
        yield f"duration_sec: {label['duration_sec']} in the label, {length:.3f} in the recording"
    for finding in recording.findings:
        yield f"audio: {finding.sentence}"


def problems_of(label_path: Path, audio_path: Path | None = None) -> tuple[list[str], str | None]:
    """Every problem of a pair, and a remark for a pair without one.

    Args:
        label_path: the label.
        audio_path: the recording; None takes the one that the label names, beside it.

    Raises:
        Refusal: a file cannot be read.
    """
    label = read_label(label_path)
    problems = schema_problems(label)
    if problems:
        return problems, None
    problems = [*text_problems(label), *timing_problems(label)]
    place = audio_path or label_path.parent / label["audio"]
    problems += audio_problems(label, hear(place))
    return problems, None if problems else _remark(label, place)


def _remark(label: Label, place: Path) -> str | None:
    """Why the labelled moment cannot be judged, for a person to look at; None where it can."""
    event = run_single(
        stereo=place,
        expect="yield" if label["expected"]["yield"] else "hold",
        onset_sec=label["caller_onset_sec"],
        **label["channels"],
    )["events"][0]
    return event.get("not_scorable_reason")


def main(arguments: Sequence[str] | None = None) -> int:
    """Check one pair; returns the exit code."""
    return run(_work, arguments)


def _work(arguments: Sequence[str] | None) -> int:
    parser = Parser("Check a contributed recording and its label.")
    parser.add_argument("label", type=path, metavar="LABEL")
    parser.add_argument("audio", type=path, metavar="AUDIO", nargs="?")
    given = parser.parse_args(arguments)
    problems, remark = problems_of(given.label, given.audio)
    for problem in problems:
        print(f"problem: {shown(problem, 400)}")
    if problems:
        return EXIT_FAIL
    print(f"PASS {shown(given.label.name)}")
    if remark:
        print(f"note: hotato cannot judge this moment: {remark}")
    return EXIT_PASS


if __name__ == "__main__":
    sys.exit(main())
