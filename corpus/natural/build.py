"""Write calls of natural speech as files: scenarios/*.json and audio/*.example.wav.

    python corpus/natural/build.py --split held --calls 4 --conditions clean,hum --out DIR

`--family` picks one family (default: mixed calls), `--seed` the first seed; `--list` prints what there is.
What a voice needs to be installed is in `voices.py`; voices that are not are named on stderr and left out,
which changes the calls.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hotato.acoustics import wav_bytes
from natural.bank import digest
from natural.calls import FAMILIES, SPLITS, TruthCall, generate
from natural.conditions import CONDITIONS, apply
from natural.voices import VOICES, installed, missing


def write(call: TruthCall, out: Path) -> str:
    """One call as a scenario and its recording; returns its id."""
    name = str(call.scenario["id"])
    for folder in ("scenarios", "audio"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    text = json.dumps(call.scenario, indent=2, ensure_ascii=False) + "\n"
    (out / "scenarios" / f"{name}.json").write_text(text, "utf-8")
    (out / "audio" / f"{name}.example.wav").write_bytes(wav_bytes(call.samples, call.sample_rate))
    return name


def _listing() -> str:
    lines = [f"{voice.name:12} {voice.split}  {voice.sex}  {voice.needs}" for voice in VOICES]
    return "\n".join([*lines, "", "families: " + " ".join(FAMILIES), "conditions: " + " ".join(CONDITIONS)])


def main() -> int:
    """Write the calls that were asked for; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write calls of natural speech with exact truth.")
    parser.add_argument("--split", choices=SPLITS, default="tune")
    parser.add_argument("--family", choices=FAMILIES, default="mixed")
    parser.add_argument("--calls", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first call")
    parser.add_argument("--conditions", default="clean", help="names, separated by commas")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--list", action="store_true", help="print voices, families and conditions")
    asked = parser.parse_args()
    if asked.list:
        print(_listing())
        return 0
    names = asked.conditions.split(",")
    unknown = sorted(set(names) - set(CONDITIONS))
    if unknown or asked.out is None:
        parser.error(f"no such condition: {', '.join(unknown)}" if unknown else "say where to: --out DIR")
    for voice, needs in missing().items():
        print(f"build: the voice {voice} is left out, it needs {needs}", file=sys.stderr)
    voices = installed(asked.split)
    if len(voices) < 2:
        parser.error("a call needs two voices; install what is named above")
    for seed in range(asked.seed, asked.seed + asked.calls):
        call = generate(asked.split, seed, asked.family)
        for name in names:
            print(write(apply(call, name), asked.out))
    print(f"voices: {' '.join(voices)}\nbank: {digest(voices)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
