"""What `contract verify` costs: against the bare decoding of the audio, and in one process against two.

    python bench/contracts.py [COUNT]

Bundles are made of rendered calls of 9 s, 16 kHz, two channels. Every figure is the best of several cold
processes; memory is the largest resident size of the process and of its children.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import soundfile

from hotato.acoustics import render
from hotato.contract.create import Pin, create_contract

COUNT, ROUNDS = 200, 5
CHILD = """
import json, os, resource, sys, time
begun = time.perf_counter()
import gc
gc.set_threshold(100_000)  # as the command does
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
from pathlib import Path
folder, what = Path(sys.argv[1]), sys.argv[2]
if what == "decode":
    import soundfile
    for path in sorted(folder.glob("*/audio/*")):
        soundfile.read(path, dtype="int16")
else:
    from hotato.contract.verify import verify_contracts
    found = verify_contracts(folder, jobs=int(what))
    assert found.passed == len(found.results), [one for one in found.results if not one.passed][:1]
spent = time.perf_counter() - begun
usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
cpu = sum(one.ru_utime + one.ru_stime for one in usage)
print(json.dumps([spent, cpu, max(one.ru_maxrss for one in usage) / 1024]))
"""


def make(folder: Path, count: int) -> None:
    """Write `count` contracts, each of a call of its own."""
    for number in range(count):
        talk = 2.3 + 0.05 * (number % 9)
        block = {
            "caller_segments_sec": [[2.0, talk + 0.6]],
            "agent_segments_sec": [[0.3, talk], [talk + 1.5, 8.2]],
            "noise_floor_dbfs": -62.0,
        }
        scenario = {
            "id": f"bench-{number}",
            "duration_sec": 9.0,
            "sample_rate": 16_000,
            "reference_render": block,
        }
        call = folder / "call.wav"
        soundfile.write(call, render(scenario), 16_000, subtype="PCM_16")
        pin = Pin(
            stereo=call,
            onset_sec=2.0,
            expect="yield",
            id=f"bench-{number:04}",
            post_sec=7.0,
            confirm_channels=True,
        )
        create_contract(pin, folder / "contracts")


def measured(folder: Path, what: str) -> tuple[float, float, float]:
    """Best wall seconds, best processor seconds and largest memory in MB of cold processes."""
    rows = []
    for _ in range(ROUNDS):
        done = subprocess.run(
            [sys.executable, "-c", CHILD, folder, what], check=True, capture_output=True, text=True
        )
        rows.append(json.loads(done.stdout))
    return min(row[0] for row in rows), min(row[1] for row in rows), max(row[2] for row in rows)


def main(count: int) -> int:
    with tempfile.TemporaryDirectory() as name:
        few, many = Path(name) / "few", Path(name) / "many"
        for folder, number in ((few, max(1, count // 10)), (many, count)):
            folder.mkdir()
            make(folder, number)
        size = sum(
            file.stat().st_size for file in many.rglob("*") if file.is_file() and file.suffix != ".wav"
        )
        rows = {
            "bare decode": measured(many / "contracts", "decode"),
            "one process": measured(many / "contracts", "1"),
            "two processes": measured(many / "contracts", "2"),
            f"{max(1, count // 10)} of them": measured(few / "contracts", "1"),
        }
    print(f"{count} contracts of 9 s, {size / count / 1000:.0f} kB each; cold process, best of {ROUNDS}")
    print(f"  {'':16} {'wall s':>8} {'cpu s':>8} {'MB':>6}")
    for what, (wall, cpu, memory) in rows.items():
        print(f"  {what:16} {wall:8.2f} {cpu:8.2f} {memory:6.0f}")
    bare, one, two = rows["bare decode"], rows["one process"], rows["two processes"]
    print(f"  verify / bare decode, cpu   {one[1] / bare[1]:6.1f} x")
    print(f"  one process / two, wall     {one[0] / two[0]:6.2f} x")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT))
