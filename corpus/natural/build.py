"""Write calls of natural speech as files: scenarios/*.json and audio/*.example.wav.

    python corpus/natural/build.py --split held --calls 4 --conditions clean,hum --out DIR

`--family` picks one family (default: mixed calls), `--seed` the first seed; `--list` prints what there is.
What a voice needs to be installed is in `voices.py`; voices that are not are named on stderr and left out,
which changes the calls.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import early  # noqa: F401  an interrupt from here on is one line

# isort: split
from hotato.acoustics import wav_bytes
from hotato.canonical import NewFile, write_set
from hotato.errors import EXIT_PASS, Refusal, UsageError
from natural.bank import digest
from natural.calls import FAMILIES, SPLITS, TruthCall, generate
from natural.conditions import CONDITIONS, apply
from natural.voices import VOICES, installed, missing
from running import Parser, path, run

MOST_CALLS = 100_000
MOST_SEED = 10**12


def write(call: TruthCall, out: Path) -> str:
    """One call as a scenario and its recording, both or none; returns its id."""
    name = str(call.scenario["id"])
    text = json.dumps(call.scenario, indent=2, ensure_ascii=False) + "\n"
    wav = wav_bytes(call.samples, call.sample_rate)
    write_set(
        [
            NewFile(out / "scenarios" / f"{name}.json", text, replace=True),
            NewFile(out / "audio" / f"{name}.example.wav", wav, replace=True),
        ]
    )
    return name


def _listing() -> str:
    lines = [f"{voice.name:12} {voice.split}  {voice.sex}  {voice.needs}" for voice in VOICES]
    return "\n".join([*lines, "", "families: " + " ".join(FAMILIES), "conditions: " + " ".join(CONDITIONS)])


def _calls(text: str) -> int:
    return _whole(text, 1, MOST_CALLS)


def _seed(text: str) -> int:
    return _whole(text, 0, MOST_SEED)


def _whole(text: str, low: int, high: int) -> int:
    number = int(text)
    if not low <= number <= high:
        raise ArgumentTypeError(f"{number} is not from {low} to {high}")
    return number


def _parser() -> Parser:
    parser = Parser("Write calls of natural speech with exact truth.")
    parser.add_argument("--split", choices=SPLITS, default="tune")
    parser.add_argument("--family", choices=FAMILIES, default="mixed")
    parser.add_argument("--calls", type=_calls, default=4)
    parser.add_argument("--seed", type=_seed, default=0, help="seed of the first call")
    parser.add_argument("--conditions", default="clean", help="names, separated by commas")
    parser.add_argument("--out", type=path)
    parser.add_argument("--list", action="store_true", help="print voices, families and conditions")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the calls that were asked for; returns the exit code."""
    return run(_work, arguments)


def _work(arguments: Sequence[str] | None) -> int:
    asked = _parser().parse_args(arguments)
    if asked.list:
        print(_listing())
        return EXIT_PASS
    names = _conditions(asked)
    for voice, needs in missing().items():
        print(f"build: the voice {voice} is left out, it needs {needs}", file=sys.stderr)
    voices = installed(asked.split)
    if len(voices) < 2:
        raise Refusal("missing_package", "a call needs two voices", "install what is named above")
    for seed in range(asked.seed, asked.seed + asked.calls):
        call = generate(asked.split, seed, asked.family)
        for name in names:
            print(write(apply(call, name), asked.out))
    speaking = tuple(voice.name for voice in VOICES if voice.present())  # babble is of the other half
    print(f"voices: {' '.join(voices)}\nbank: {digest(speaking)}", file=sys.stderr)
    return EXIT_PASS


def _conditions(asked: Namespace) -> list[str]:
    """The conditions that were asked for, once the command line is known to make sense."""
    names: list[str] = asked.conditions.split(",")
    unknown = sorted(set(names) - set(CONDITIONS))
    if unknown:
        raise UsageError(f"no such condition: {', '.join(unknown)}", "--list names them")
    if asked.out is None:
        raise UsageError("no folder was named", "say where to: --out DIR")
    if asked.out.exists() and not asked.out.is_dir():
        raise Refusal("not_a_directory", f"'{asked.out}' is not a folder", "name a folder with --out")
    return names


if __name__ == "__main__":
    sys.exit(main())
