"""Speed and memory of hotato, each figure beside a goal and a floor: python bench/run.py [--quick]

The floor is the time to decode the same 60-minute call and do nothing with it, measured in the same run.
Commands run as fresh processes. A command that fails is a row that says so, and the exit code is 1 then or
when a goal is missed. Set HOTATO_PEER to the executable of another hotato to have its autopsy beside ours.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import soundfile

from calls import BARGE_IN_SEC, RATE_HZ, write_bursts, write_call, write_sick_call
from child import Ran, run
from hotato.audio import Digests, open_recording
from hotato.listen import attend, hear
from hotato.stacks import ChannelMap
from hotato.timing import EnergyMeter, FrameGrid, energy_vad, envelope_echo, measure_floor
from hotato.timing.activity import ROBUST
from hotato.timing.kernel import compiled
from provenance import detector

HOTATO = (sys.executable, "-m", "hotato")
BLOCK = 4 * RATE_HZ
LONG_MINUTES = 60
GROWTH_MINUTES = (5, 15, 30, 60)
TIMING_GOAL = 3.0
AUTOPSY_GOAL_SEC, AUTOPSY_GOAL_MB = 1.0, 150.0
PARTIES = 2
SICK_GOAL_SEC, SICK_GOAL_MB = 25.0, 150.0
BURSTS = {
    "alternating every 0.2 s": ((0.4, 0.0, 0.2), (0.4, 0.2, 0.2)),
    "overlapping 0.4 and 0.6 s": ((0.8, 0.0, 0.4), (0.8, 0.2, 0.6)),
    "one turn, 0.5 s of the agent in it": ((1.0, 0.0, 1.0), (1.6, 0.0, 0.5)),
}
BURSTS_GOAL_SEC = 10.0
SHORT_GOAL_SEC = 0.4
VERSION_GOAL_SEC = 0.1
PEER_GOAL = 30.0
SLOPE_GOAL = 1.25  # seconds a minute in the second half of the growth over the first
FRAME_GOAL_BYTES = 320.0  # memory that grows by a frame; its samples alone would take 640


@dataclass(frozen=True)
class Row:
    """One line of the table; a figure that has no meaning for the job is None."""

    job: str
    seconds: float | None = None
    audio_sec: float | None = None
    peak_mb: float | None = None
    goal: str = ""
    met: bool | None = None
    note: str = ""


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the speed and memory of hotato.")
    parser.add_argument("--quick", action="store_true", help="one repetition, for a first look")
    repeat = 1 if parser.parse_args().quick else 5
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="hotato-bench-") as folder:
        call = write_call(Path(folder) / "call-60min.wav", LONG_MINUTES * 60)
        floor = _best(lambda: _decode(call), repeat)
        rows.append(Row("decode only (soundfile, int16 blocks)", floor, LONG_MINUTES * 60, note="the floor"))
        rows += _in_process(call, floor, repeat)
        rows += _commands(call, repeat)
        rows += _growth(Path(folder), min(repeat, 3))
        rows += _sick(Path(folder), floor, repeat)
        rows += _bursts(Path(folder))
        rows += _short(Path(folder), repeat)
        rows += _peer(call, rows)
    _print(rows, floor)
    return 1 if any(row.met is False for row in rows) else 0


def _best(job: Callable[[], object], repeat: int) -> float:
    """Shortest of `repeat` wall times."""
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        job()
        times.append(time.perf_counter() - began)
    return min(times)


def _decode(call: Path) -> None:
    with soundfile.SoundFile(call) as file:
        for _ in file.blocks(BLOCK, dtype="int16", always_2d=True):
            pass


def _read(call: Path, *, digests: Digests) -> None:
    with open_recording(call, digests=digests) as reader:
        for _ in reader.blocks(BLOCK):
            pass


def _timing_only(call: Path) -> float:
    """Seconds spent on timing while a call is decoded: energies, activity, echo, turns."""
    grid = FrameGrid.from_ms(RATE_HZ)
    meter, spent = EnergyMeter(grid, 2, 32768), 0.0
    with soundfile.SoundFile(call) as file:
        for block in file.blocks(BLOCK, dtype="int16", always_2d=True):
            began = time.perf_counter()
            meter.feed(block)
            spent += time.perf_counter() - began
    began = time.perf_counter()
    caller, agent = meter.finish()
    heard = [energy_vad(levels.dbfs, grid) for levels in (caller, agent)]
    envelope_echo(caller.rms, agent.rms, grid)
    measure_floor(*heard)
    return spent + time.perf_counter() - began


def _in_process(call: Path, floor: float, repeat: int) -> Iterator[Row]:
    audio = LONG_MINUTES * 60
    for words, digests in (("no digests", "none"), ("file digest", "file"), ("both digests", "all")):
        seconds = _best(lambda digests=digests: _read(call, digests=digests), repeat)
        yield Row(f"decode only (own reader, {words})", seconds, audio)
    timing = min(_timing_only(call) for _ in range(repeat))
    yield Row(
        "timing only, in process",
        timing,
        audio,
        goal=f"<= {TIMING_GOAL:g} x floor",
        met=timing <= TIMING_GOAL * floor,
    )
    listen = _best(lambda: attend(hear(call), ChannelMap(0, 1)), repeat)
    yield Row("one listening pass (decode, digests, timing)", listen, audio)
    try:
        yield _neural(call)
    except ValueError as refusal:
        yield Row("neural, 60 s of the call", note=f"not measured: {refusal}")


def _neural(call: Path) -> Row:
    from hotato.speech import SpeechMeter

    samples = soundfile.read(call, frames=60 * RATE_HZ, dtype="int16", always_2d=True)[0]
    meter = SpeechMeter(RATE_HZ, 2, 32768)
    began = time.perf_counter()
    for part in np.array_split(samples, 15):
        meter.feed(part)
    meter.finish()
    return Row("neural, 60 s of the call", time.perf_counter() - began, 60.0)


def _commands(call: Path, repeat: int) -> Iterator[Row]:
    audio, ran = LONG_MINUTES * 60, _autopsy(call, repeat)
    yield _row("hotato autopsy, 60 min, HTML included", ran, audio, AUTOPSY_GOAL_SEC, AUTOPSY_GOAL_MB)
    for command in ("scan", "trust", "run"):
        onset = ["--onset", str(BARGE_IN_SEC)] if command == "run" else []
        ran = run([*HOTATO, command, "--stereo", str(call), *onset], min(repeat, 3))
        yield _row(f"hotato {command}, 60 min", ran, audio)


def _row(
    job: str, ran: Ran, audio_sec: float | None, goal_sec: float | None = None, goal_mb: float | None = None
) -> Row:
    """A row of a command; one that failed has missed whatever it was to reach."""
    goals = [] if goal_sec is None else [f"<= {goal_sec:g} s"]
    goals += [] if goal_mb is None else [f"<= {goal_mb:g} MB"]
    if ran.failure:
        return Row(job, goal=", ".join(goals), met=False, note=f"FAILED, {ran.failure}")
    met = (goal_sec is None or ran.seconds <= goal_sec) and (goal_mb is None or ran.peak_mb <= goal_mb)
    return Row(job, ran.seconds, audio_sec, ran.peak_mb, ", ".join(goals), met if goals else None)


def _autopsy(call: Path, repeat: int) -> Ran:
    return run([*HOTATO, "autopsy", str(call)], repeat, leaves="*.html")


def _growth(folder: Path, repeat: int) -> Iterator[Row]:
    """Autopsies of growing calls: seconds grow in a line, memory with the frames only."""
    runs: list[Ran] = []
    for minutes in GROWTH_MINUTES:
        call = write_call(folder / "growing.wav", minutes * 60)
        runs.append(_autopsy(call, repeat))
        yield _row(f"hotato autopsy, {minutes} min", runs[-1], minutes * 60)
    if any(ran.failure for ran in runs):
        yield Row("growth", goal="linear", met=False, note="FAILED, see above")
        return
    low, middle, high = runs[0], runs[-2], runs[-1]
    first = (middle.seconds - low.seconds) / (GROWTH_MINUTES[-2] - GROWTH_MINUTES[0])
    second = (high.seconds - middle.seconds) / (GROWTH_MINUTES[-1] - GROWTH_MINUTES[-2])
    yield Row(
        f"growth in time, {GROWTH_MINUTES[0]} to {GROWTH_MINUTES[-1]} min",
        goal=f"last half <= {SLOPE_GOAL:g} x first",
        met=second <= SLOPE_GOAL * first,
        note=f"{first * 1000:.1f}, then {second * 1000:.1f} ms a minute",
    )
    frames = (GROWTH_MINUTES[-1] - GROWTH_MINUTES[0]) * 60 * 100
    grown = (high.peak_mb - low.peak_mb) * 1e6 / frames
    yield Row(
        "growth in memory",
        goal=f"<= {FRAME_GOAL_BYTES:.0f} B a frame",
        met=grown <= FRAME_GOAL_BYTES,
        note=f"{grown:.0f} B a frame of 10 ms; its samples alone take 640",
    )


def _sick(folder: Path, floor: float, repeat: int) -> Iterator[Row]:
    """The call again over a line with noise and echo on both channels, which are heard a second time."""
    audio = LONG_MINUTES * 60
    call = write_sick_call(folder / "sick.wav", audio)
    heard = attend(hear(call, digests="none"), ChannelMap(0, 1))
    robust = sum(track.activity.detector == ROBUST for track in (heard.caller, heard.agent))
    goals = f"<= {SICK_GOAL_SEC:g} s of one core over the floor, <= {SICK_GOAL_MB:g} MB"
    job = f"hotato autopsy, {LONG_MINUTES} min, noise and echo on both channels"
    ran = _autopsy(call, min(repeat, 2))
    row, over = _row(job, ran, audio), ran.cpu_seconds - floor
    if ran.failure:
        yield replace(row, goal=goals)
        return
    met = robust == PARTIES and over <= SICK_GOAL_SEC and ran.peak_mb <= SICK_GOAL_MB
    note = f"{over:.1f} s of one core over the floor; {robust} of {PARTIES} channels by the robust detector"
    yield replace(row, goal=goals, met=met, note=note)


def _bursts(folder: Path) -> Iterator[Row]:
    """Autopsies of calls with as many events as fit into them."""
    for what, (caller, agent) in BURSTS.items():
        call = write_bursts(folder / "bursts.wav", LONG_MINUTES * 60, caller, agent)
        job = f"hotato autopsy, {LONG_MINUTES} min, {what}"
        yield _row(job, _autopsy(call, 1), LONG_MINUTES * 60, BURSTS_GOAL_SEC)


def _short(folder: Path, repeat: int) -> Iterator[Row]:
    call = write_call(folder / "short.wav", 12)
    yield _row("hotato autopsy, 12 s", _autopsy(call, repeat), 12, SHORT_GOAL_SEC)
    bare = run([sys.executable, "-c", "pass"], repeat * 2)
    version = run([*HOTATO, "--version"], repeat * 2)
    row = _row("hotato --version", version, None)
    if row.seconds is not None:
        over = row.seconds - bare.seconds
        note = f"{over * 1000:.0f} ms over bare Python ({bare.seconds * 1000:.0f} ms)"
        row = Row(
            row.job, row.seconds, None, row.peak_mb, "<= 0.1 s over Python", over <= VERSION_GOAL_SEC, note
        )
    yield row


def _peer(call: Path, rows: list[Row]) -> Iterator[Row]:
    peer = os.environ.get("HOTATO_PEER")
    if not peer:
        return
    ran = run([peer, "autopsy", str(call)], 1)
    row = _row("peer's autopsy, 60 min", ran, LONG_MINUTES * 60)
    ours = next(other.seconds for other in rows if other.job.startswith("hotato autopsy, 60 min"))
    if row.seconds is not None and ours is not None:
        ratio = row.seconds / ours
        goal = f">= {PEER_GOAL:.0f} x ours"
        row = Row(
            row.job, row.seconds, row.audio_sec, row.peak_mb, goal, ratio >= PEER_GOAL, f"{ratio:.0f} x ours"
        )
    yield row


def _print(rows: list[Row], floor: float) -> None:
    head = ("job", "seconds", "x floor", "x real time", "peak MB", "goal", "met", "")
    cells = [head, *(_cells(row, floor) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(head))]
    loop = "numpy sums" if compiled() is None else "compiled sums"
    versions = f"Python {platform.python_version()}, numpy {np.__version__}, {loop}"
    print(f"{detector().line}\n{versions}, {os.cpu_count()} cores, {_processor()}\n")
    for line in cells:
        texts = (
            cell.ljust(width) if column in (0, 5, 6, 7) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        print("  ".join(texts).rstrip())


def _cells(row: Row, floor: float) -> tuple[str, ...]:
    def text(value: float | None, digits: int) -> str:
        return "" if value is None else f"{value:.{digits}f}"

    long = row.audio_sec == LONG_MINUTES * 60
    return (
        row.job,
        text(row.seconds, 3),
        text(row.seconds / floor, 1) if row.seconds is not None and long else "",
        text(row.audio_sec / row.seconds, 0) if row.seconds and row.audio_sec else "",
        text(row.peak_mb, 0),
        row.goal,
        {True: "yes", False: "NO", None: ""}[row.met],
        row.note,
    )


def _processor() -> str:
    """Model name of the processor where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine()
    )


if __name__ == "__main__":
    sys.exit(main())
