"""Sets of rendered calls: the scenario records, what is true of them, and how a set is built and checked.

A set is a folder with `scenarios/ID.json` (in the repository) and `audio/ID.example.wav`, the call, and
`audio/ID.caller.wav`, the caller alone (rendered, not in the repository). The digests of both stand in a
manifest, so that a fresh render can be compared with nothing but the repository at hand.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import spans
from hotato import acoustics
from hotato.canonical import NewFile, listing_digest, write_set
from hotato.errors import EXIT_FAIL, EXIT_PASS
from hotato.plain import shown
from running import Parser, run

CALL, CALLER = ".example.wav", ".caller.wav"

TICKS_HZ = 1_000_000
"""A plan is written in seconds and counted in microseconds."""

_BEYOND = 10**15
"""The end of a plan's call, for the silence behind its last sound: that one is always long enough."""

TAIL_SEC = 0.6
"""What a call goes on for after its last sound, unless it says otherwise."""

Span = tuple[float, float]
Scenario = dict[str, Any]
Render = Callable[[Mapping[str, Any]], bytes]


@dataclass(frozen=True)
class Conditions:
    """What stands between the parties and the recording.

    Attributes:
        name: as scenarios and manifest state it.
        sample_rate: in hertz.
        noise_floor_dbfs: RMS of the noise on both channels; None for the renderer's own.
        gain_db: level of each party, by role.
        echo: delay in seconds and gain in dB of the agent's sound on the caller channel.
        continuous: no gaps between the syllables of either party.
        line: what happens to the finished call, for a set that renders with it.
    """

    name: str = "clean"
    sample_rate: int = 16000
    noise_floor_dbfs: float | None = None
    gain_db: Mapping[str, float] = field(default_factory=dict)
    echo: tuple[float, float] | None = None
    continuous: bool = False
    line: Mapping[str, Any] | None = None


CLEAN = Conditions()


@dataclass(frozen=True)
class Bounds:
    """The bounds of a yield label in seconds; None is no bound."""

    time_to_yield: float | None = 1.0
    talk_over: float | None = 1.0
    response_gap: float | None = None


@dataclass(frozen=True)
class Plan:
    """One call: who sounds when, the labelled moment, and what a good agent does there.

    Attributes:
        family: what happens.
        caller: half-open spans in seconds.
        agent: the same of the agent.
        onset_sec: the labelled onset of the caller.
        hold: the agent should talk on (else give up the floor).
        bounds: of a yield label.
        duration_sec: length of the call; None ends it `TAIL_SEC` after the last sound.
        thinking_sec: a shorter silence of the caller does not end the turn.
        agent_published: what the truth of a frozen set states of the agent, where its segments say
            something else.
    """

    family: str
    caller: Sequence[Span]
    agent: Sequence[Span]
    onset_sec: float
    hold: bool = False
    bounds: Bounds = Bounds()
    duration_sec: float | None = None
    thinking_sec: float = spans.WINDOWS.quiet_sec
    agent_published: Sequence[Span] | None = None


@dataclass(frozen=True)
class Case:
    """A plan under conditions, with its place in a set.

    Attributes:
        slug: the id without the set's prefix and number.
        title: what happens, in a few words.
        plan: the call.
        conditions: of the recording.
        fails_on: the code of the failure that the call was made to show; None where it must pass.
        capture_defect: what is wrong with the recording rather than with the agent.
        notes: for a reader.
    """

    slug: str
    title: str
    plan: Plan
    conditions: Conditions = CLEAN
    fails_on: str | None = None
    capture_defect: str | None = None
    notes: str | None = None


def numbered(prefix: str, cases: Sequence[Case]) -> list[Scenario]:
    """The scenarios of a set in the order of its table, numbered from 1."""
    return [scenario_of(f"{prefix}-{number:02d}-{case.slug}", case) for number, case in enumerate(cases, 1)]


def scenario_of(name: str, case: Case) -> Scenario:
    """A case as a scenario record under the id `name`."""
    plan, conditions, bounds = case.plan, case.conditions, case.plan.bounds
    expected: dict[str, Any] = {"yield": not plan.hold}
    if plan.hold:
        expected |= {"max_time_to_yield_sec": None, "max_talk_over_sec": None}
    else:
        expected |= {
            "max_time_to_yield_sec": bounds.time_to_yield,
            "max_talk_over_sec": bounds.talk_over,
        }
        if bounds.response_gap is not None:
            expected["max_response_gap_sec"] = bounds.response_gap
    last = max(end for _, end in (*plan.caller, *plan.agent))
    block: dict[str, Any] = {
        "caller_segments_sec": [list(span) for span in plan.caller],
        "agent_segments_sec": [list(span) for span in plan.agent],
    }
    if conditions.gain_db:
        block["gain_db"] = dict(conditions.gain_db)
    if conditions.noise_floor_dbfs is not None:
        block["noise_floor_dbfs"] = conditions.noise_floor_dbfs
    if conditions.echo is not None:
        block["echo"] = {"delay_sec": conditions.echo[0], "gain_db": conditions.echo[1]}
    if conditions.continuous:
        block["continuous"] = True
    record = {
        "id": name,
        "title": case.title,
        "category": "should_not_yield" if plan.hold else "should_yield",
        "family": plan.family,
        "condition": conditions.name,
        "fails_on": case.fails_on,
        "capture_defect": case.capture_defect,
        "caller_onset_sec": plan.onset_sec,
        "expected": expected,
        "sample_rate": conditions.sample_rate,
        "duration_sec": plan.duration_sec or round(last + TAIL_SEC, 3),
        "channels": {"caller_channel": 0, "agent_channel": 1},
        "notes": case.notes,
        "reference_render": block,
        "line": conditions.line,
        "truth": truth_of(plan),
    }
    return {key: value for key, value in record.items() if value is not None}


def truth_of(plan: Plan) -> dict[str, Any]:
    """Where each party truly sounds and what truly happens at the labelled onset, in seconds."""
    caller, agent = (spans.bridged(_ticks(party), TICKS_HZ) for party in (plan.caller, plan.agent))
    start = _tick(plan.onset_sec)
    stop = spans.yield_at(caller, agent, start, end=_BEYOND, rate=TICKS_HZ)
    event: dict[str, Any] = {
        "kind": "backchannel" if plan.hold else "barge_in",
        "at_sec": plan.onset_sec,
        "expect": "hold" if plan.hold else "yield",
        "yield_sec": None if stop is None else _sec(stop - start),
        "talk_over_sec": _sec(spans.talk_over(caller, agent, start, stop, rate=TICKS_HZ)),
    }
    events = [event]
    turn_end = spans.turn_end(caller, start, _tick(plan.thinking_sec), _BEYOND)
    if plan.bounds.response_gap is not None and turn_end is not None:
        answer = next((begin for begin, _ in agent if begin > start), None)
        if answer is None or answer >= turn_end:
            gap = None if answer is None else _sec(answer - turn_end)
            events.append({"kind": "latency", "at_sec": _sec(turn_end), "expect": None, "gap_sec": gap})
    if plan.agent_published is not None:
        agent = _ticks(plan.agent_published)
    sounding = {"caller_spans_sec": caller, "agent_spans_sec": agent}
    return {
        **{key: [[_sec(a), _sec(b)] for a, b in party] for key, party in sounding.items()},
        "events": events,
    }


def _ticks(party: Sequence[Span]) -> list[spans.Span]:
    return [(_tick(begin), _tick(end)) for begin, end in party]


def _tick(sec: float) -> int:
    return round(sec * TICKS_HZ)


def _sec(ticks: int) -> float:
    return round(ticks / TICKS_HZ, 3)


def scenario_text(scenario: Mapping[str, Any]) -> str:
    """A scenario as the repository keeps it: a key on each line."""
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in scenario.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


@dataclass(frozen=True)
class CallSet:
    """A set of calls and the folder it lives in.

    Attributes:
        folder: holds `scenarios/` and `audio/`.
        scenarios: every scenario.
        facts: what the manifest says about the set beside its counts and digests.
        render: a scenario as the WAV file of its call.
        stimulus: a scenario as the WAV file of its caller alone; None for a set without.
        keeps_audio: the audio is written into the folder.
    """

    folder: Path
    scenarios: Sequence[Scenario]
    facts: Mapping[str, Any]
    render: Render = acoustics.recording
    stimulus: Render | None = acoustics.stimulus
    keeps_audio: bool = True

    def texts(self) -> dict[str, bytes]:
        """The scenario files by name."""
        return {f"scenarios/{s['id']}.json": scenario_text(s).encode() for s in self.scenarios}

    def recordings(self) -> dict[str, bytes]:
        """The audio files by name, rendered afresh."""
        files = {}
        for scenario in self.scenarios:
            files[f"audio/{scenario['id']}{CALL}"] = self.render(scenario)
            if self.stimulus is not None:
                files[f"audio/{scenario['id']}{CALLER}"] = self.stimulus(scenario)
        return files

    def entry(self, audio: Mapping[str, bytes]) -> dict[str, Any]:
        """What the manifest says about the set."""
        texts = self.texts()
        pinned = texts | {name: data for name, data in audio.items() if name.endswith(CALL)}

        def counts(key: str) -> dict[str, int]:
            return dict(sorted(Counter(str(s[key]) for s in self.scenarios if key in s).items()))

        return {
            **self.facts,
            "scenarios": len(self.scenarios),
            "families": counts("family"),
            "categories": counts("category"),
            "conditions": counts("condition"),
            "fails_on": counts("fails_on"),
            "sample_rates_hz": sorted({s["sample_rate"] for s in self.scenarios}),
            "content_hash": f"sha256:{listing_digest(pinned)}",
            "audio_sha256": {name: hashlib.sha256(audio[name]).hexdigest() for name in sorted(audio)},
        }


def manifest_text(kind: str, entries: Mapping[str, Any]) -> str:
    """The manifest of several sets."""
    return json.dumps({"schema_version": "1", "kind": kind, "sets": dict(entries)}, indent=1) + "\n"


def holds(place: Path, content: bytes) -> bool:
    """Whether a file has this content; a link or a pipe is none, and is not opened."""
    if place.is_symlink() or not place.is_file() or place.stat().st_size != len(content):
        return False
    return place.read_bytes() == content


def folder_differences(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Names in a folder that are missing, hold other bytes, or do not belong there.

    Args:
        folder: where to look; not there is the same as empty.
        files: what belongs there, by file name.
    """
    there = {place.name for place in folder.iterdir()} if folder.is_dir() else set()
    if not folder.is_dir() and (folder.exists() or folder.is_symlink()):
        there = {folder.name}
    wrong = {name for name, content in files.items() if not holds(folder / name, content)}
    return sorted(wrong | (there - files.keys()))


def build(sets: Mapping[str, CallSet], manifest: Path, kind: str) -> dict[str, dict[str, bytes]]:
    """Write scenarios, audio and the manifest; returns the audio by set and name.

    Everything is written before the first file is removed that an earlier build wrote and no table has any
    more. A file that no build wrote is left alone; `foreign` names it.
    """
    earlier = _built_before(sets, manifest)
    rendered = {name: item.recordings() for name, item in sets.items()}
    kept = {
        item.folder / file: data
        for name, item in sets.items()
        for file, data in (item.texts() | (rendered[name] if item.keeps_audio else {})).items()
    }
    entries = {name: item.entry(rendered[name]) for name, item in sets.items()}
    kept[manifest] = manifest_text(kind, entries).encode()
    write_set([NewFile(path, data, replace=True) for path, data in kept.items()])
    for path in earlier - kept.keys():
        path.unlink(missing_ok=True)
    return rendered


def _built_before(sets: Mapping[str, CallSet], manifest: Path) -> set[Path]:
    """The files of these sets that the build behind the manifest on disk wrote; none without a manifest."""
    if manifest.is_symlink() or not manifest.is_file():
        return set()
    try:
        entries = json.loads(manifest.read_text("utf-8"))["sets"]
        listed = {name: list(entries[name]["audio_sha256"]) for name in sets.keys() & entries.keys()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return set()
    found = set()
    for name, files in listed.items():
        for file in map(Path, files):
            plain = file.parts == ("audio", file.name) and file.name.endswith((CALL, CALLER))
            if plain and file.name.endswith(CALL):
                found.add(sets[name].folder / "scenarios" / f"{file.name.removesuffix(CALL)}.json")
            if plain and sets[name].keeps_audio:
                found.add(sets[name].folder / file)
    return found


def foreign(item: CallSet) -> list[str]:
    """Names of scenario files in a set's folder that no table has; a run of the folder would take them in."""
    own = item.texts()
    there = (item.folder / "scenarios").glob("*.json")
    return sorted(path.name for path in there if f"scenarios/{path.name}" not in own)


def differences(sets: Mapping[str, CallSet], manifest: Path, kind: str) -> list[str]:
    """Names of files that are missing, foreign or not what the tables render to.

    The audio may be absent altogether; where there is any, all of it has to be there and right.
    """
    wrong, entries = [], {}
    for name, item in sets.items():
        texts, audio = item.texts(), item.recordings()
        entries[name] = item.entry(audio)
        here = item.folder
        wrong += folder_differences(here / "scenarios", _below("scenarios", texts))
        wrong += audio_differences(here / "audio", _below("audio", audio) if item.keeps_audio else {})
        known = {"scenarios", "audio", *([manifest.name] if manifest.parent == here else [])}
        wrong += [place.name for place in here.iterdir() if place.name not in known] if here.is_dir() else []
    if not holds(manifest, manifest_text(kind, entries).encode()):
        wrong.append(manifest.name)
    return sorted(wrong)


def audio_differences(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """As `folder_differences`, of audio that is not in the repository: none at all differs from nothing."""
    absent = not folder.is_symlink() and not folder.exists()
    if absent or (folder.is_dir() and not any(folder.iterdir())):
        return []
    return folder_differences(folder, files)


def _below(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name.removeprefix(f"{folder}/"): data for name, data in files.items()}


def run_builder(
    sets: Mapping[str, CallSet], manifest: Path, kind: str, arguments: Sequence[str] | None = None
) -> int:
    """The command line of a builder: build, or `--check`; returns the exit code."""

    def work(words: Sequence[str] | None) -> int:
        parser = Parser(f"Render the {kind}.")
        parser.add_argument("--check", action="store_true", help="compare with what is there, write nothing")
        if not parser.parse_args(words).check:
            for name, files in build(sets, manifest, kind).items():
                print(f"{name}: {len(sets[name].scenarios)} scenarios, {len(files)} audio files")
                left = ", ".join(shown(other) for other in foreign(sets[name]))
                if left:
                    print(f"{name}: left alone, not of this set: {left}", file=sys.stderr)
            return EXIT_PASS
        return checked(kind, differences(sets, manifest, kind), "as the tables say")

    return run(work, arguments)


def checked(what: str, wrong: Sequence[str], fine: str) -> int:
    """Say what a check found; returns its exit code."""
    print(f"{what}: " + (f"differs: {', '.join(shown(name) for name in wrong)}" if wrong else fine))
    return EXIT_FAIL if wrong else EXIT_PASS
