"""hotato bench: a frozen battery scored under a fixed protocol, and verified by scoring it again.

A result names the exact files (one hash over all of them), the exact thresholds and the exact engine, and
holds three measurements side by side: pass counts, error distributions and the confusion cells. Nothing in it
is a time or a place, so two runs give the same bytes; its own hash makes an edited one visible, and running
again makes a rewritten one visible.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from hotato.benchmark import aggregate
from hotato.benchmark.figures import ErrorStats
from hotato.benchmark.params import PARAMS
from hotato.benchmark.pinned import BENCH_VERSION, BUNDLED, FROZEN, OWN_TIER, TIERS
from hotato.benchmark.records import together
from hotato.benchmark.run import rows_of
from hotato.benchmark.sets import SUFFIX, CallSet
from hotato.canonical import decode_json, digest, listing_digest, read_small
from hotato.errors import EXIT_FAIL, EXIT_PASS, Refusal, UsageError, reject_overall_score
from hotato.score import run_suite
from hotato.score.parameters import parameters
from hotato.score.records import Engine
from hotato.score.request import Source
from hotato.score.suite import bundled, read_scenarios
from hotato.timing import ScoreConfig

BENCH_RESULT = "bench-result"
SCHEMA_VERSION = "1"
SIGNALS = ("caller_onset", "time_to_yield", "response_gap")
BUILDER = "python corpus/suites/build_suites.py"
_SUITES = Path("corpus") / "suites"
_CLONE = Path(__file__).resolve().parents[3]
_OWN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_MAX_RESULT_BYTES = 16_000_000
_MAX_FILE_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Verification:
    """What running a result's battery again says.

    Attributes:
        suite: the battery.
        claimed: content hash of the result.
        recomputed: content hash of the run that was just made.
        frozen: whether it is one of the frozen batteries, byte for byte.
        differing: top-level keys of the two that differ.
    """

    suite: str
    claimed: str
    recomputed: str
    frozen: bool
    differing: tuple[str, ...]

    @property
    def matches(self) -> bool:
        """Whether both executions gave the same result."""
        return self.claimed == self.recomputed

    @property
    def exit_code(self) -> Literal[0, 1]:
        """0 where they match, else 1."""
        return EXIT_PASS if self.matches else EXIT_FAIL  # type: ignore[return-value]


def suite_content_hash(scenarios_dir: Source, audio_dir: Source) -> str:
    """The address of a battery: `sha256:` over its scenario files and the recordings named after them.

    One line for each file, sorted: `scenarios/NAME` or `audio/NAME`, a NUL, the sha256 of its bytes, a
    newline.

    Raises:
        Refusal: a folder or a recording that is not there.
    """
    audio = Path(audio_dir)
    files = {}
    for path in sorted(Path(scenarios_dir).iterdir()):
        if path.name.endswith(".json"):
            files[f"scenarios/{path.name}"] = read_small(path, "scenario file", _MAX_FILE_BYTES)
    for scenario in read_scenarios(scenarios_dir):
        recording = audio / (scenario.id + SUFFIX)
        if not recording.exists():
            raise _no_audio(recording.name)
        files[f"audio/{recording.name}"] = read_small(recording, "recording", _MAX_FILE_BYTES)
    return f"sha256:{listing_digest(files)}"


def run_bench(suite: str = BUNDLED, suites_dir: Source | None = None) -> dict[str, Any]:
    """Score a frozen battery and return the result document.

    Args:
        suite: one of `TIERS`, or the name of a set of one's own in `suites_dir`; such a set is scored alike,
            and its result says that it is none of the frozen ones (`frozen` false, `tier` `own`).
        suites_dir: the folder that holds the other batteries; None looks in the working folder, then in the
            clone that hotato runs from.

    Raises:
        UsageError: an unknown battery.
        Refusal: a battery, or its audio, that is not there; `battery_changed` where it is not the frozen one.
    """
    battery = _battery(suite, suites_dir)
    cfg = ScoreConfig()
    content = _address(battery)
    envelope = run_suite(scenarios_dir=battery.scenarios, audio_dir=battery.audio, suffix=SUFFIX, cfg=cfg)
    rows = together(rows_of(battery, cfg, suffix=SUFFIX)[0])
    summary = envelope["summary"]
    body = {
        "tool": "hotato",
        "kind": BENCH_RESULT,
        "schema_version": SCHEMA_VERSION,
        "bench_version": BENCH_VERSION,
        "engine": Engine(),
        "config": asdict(cfg),
        "parameters": {**parameters(), "MatchParams": asdict(PARAMS)},
        "suite": suite,
        "tier": TIERS.get(suite, OWN_TIER),
        "frozen": suite in FROZEN,
        "suite_content_hash": content,
        "pass_counts": {
            "scenarios": summary["events"],
            "passed": summary["passed"],
            "failed": summary["failed"],
            "not_scorable": summary.get("not_scorable", 0),
        },
        "error_stats_ms": {
            signal: _stats(aggregate.signal_stats(rows.errors, signal, "documented")) for signal in SIGNALS
        },
        "error_stats_raw_edges_ms": {
            signal: _stats(aggregate.signal_stats(rows.errors, signal, "edges")) for signal in SIGNALS
        },
        "confusion": aggregate.confusion(rows.verdicts),
        "outcomes": [
            {
                "scenario_id": event["scenario_id"],
                "passed": event["verdict"]["passed"],
                "scorable": event.get("scorable", True),
            }
            for event in envelope["events"]
        ],
    }
    built: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(body))
    reject_overall_score(built, "the result")
    return {**built, "content_hash": content_hash(built)}


def content_hash(result: Mapping[str, Any]) -> str:
    """The address of a result: `sha256:` over the canonical JSON of everything but `content_hash` itself."""
    return f"sha256:{digest({key: value for key, value in result.items() if key != 'content_hash'})}"


def load_bench(path: Source) -> dict[str, Any]:
    """A result from its file, intact.

    Raises:
        Refusal: no result, one with a key that is stated twice or with a blended figure, one that was edited,
            or one of another bench version.
    """
    remedy = "pass what 'hotato bench run --out FILE' wrote"
    try:
        result = decode_json(read_small(path, "bench result", _MAX_RESULT_BYTES), f"'{path}'")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal("not_json", f"'{path}' is not a JSON file", remedy) from None
    if not isinstance(result, dict) or result.get("kind") != BENCH_RESULT:
        raise Refusal("not_a_bench_result", f"'{path}' is not a bench result", remedy)
    reject_overall_score(result, f"'{path}'")
    if result.get("content_hash") != content_hash(result):
        raise Refusal(
            "bench_edited",
            f"'{path}' does not match its own content hash: it was edited after it was made",
            "run the battery again",
        )
    for key, wanted in (("bench_version", BENCH_VERSION), ("schema_version", SCHEMA_VERSION)):
        if result.get(key) != wanted:
            stated = msgspec.json.encode(result.get(key)).decode()
            raise Refusal(
                "bench_version",
                f"'{path}' states the {key} {stated}, and this hotato reads \"{wanted}\"",
                "verify it with the hotato that made it",
            )
    if not isinstance(result.get("suite"), str):
        raise Refusal("not_a_bench_result", f"'{path}' names no battery", remedy)
    return result


def verify_bench(path: Source, suites_dir: Source | None = None) -> Verification:
    """Run the battery of a result again and compare.

    Args:
        path: the result file.
        suites_dir: see `run_bench`.

    Raises:
        Refusal: see `load_bench` and `run_bench`; `bench_battery` where the battery here is not the one that
            was scored, so that nothing can be compared.
    """
    result = load_bench(path)
    suite = result["suite"]
    battery = _battery(suite, suites_dir)
    here = _address(battery)
    if here != result.get("suite_content_hash"):
        raise Refusal(
            "bench_battery",
            f"the battery '{suite}' here is not the one that was scored, so the result is not judged",
            "verify it with the hotato, or the set, that it was made with",
        )
    again = run_bench(suite, suites_dir)
    keys = sorted({*result, *again} - {"content_hash"})
    return Verification(
        suite=suite,
        claimed=result["content_hash"],
        recomputed=again["content_hash"],
        frozen=again["frozen"],
        differing=tuple(key for key in keys if result.get(key) != again.get(key)),
    )


def _stats(stats: ErrorStats) -> dict[str, Any]:
    """The error of one signal under the protocol's own names."""
    return {
        "n": stats.n,
        "median": stats.median_ms,
        "mean": stats.mean_ms,
        "max": stats.worst_ms,
        "min": stats.best_ms,
        "bias": stats.bias_ms,
        "p90": stats.p90_ms,
    }


def _battery(suite: str, suites_dir: Source | None) -> CallSet:
    if suites_dir is not None:
        _require_folder(suites_dir)
    if suite not in FROZEN and (suites_dir is None or not _OWN_NAME.fullmatch(suite)):
        raise UsageError(
            f"there is no battery '{suite}'",
            f"choose one of: {', '.join(FROZEN)}; a set of your own also needs --suites-dir",
        )
    if suite == BUNDLED:
        return CallSet(suite, bundled("battery", "scenarios"), bundled("battery", "audio"))
    places = [Path(suites_dir)] if suites_dir is not None else [_SUITES, _CLONE / _SUITES]
    folder = next((place / suite for place in places if (place / suite / "scenarios").is_dir()), None)
    if folder is None:
        raise Refusal(
            "no_battery",
            f"there is no '{suite}/scenarios' in "
            + (f"'{suites_dir}'" if suites_dir is not None else f"'{_SUITES.as_posix()}'"),
            "name the folder that holds the battery (--suites-dir DIR), as a clone of the repository does in "
            f"{_SUITES.as_posix()}; its audio is rendered there with '{BUILDER}'. 'bundled' needs no clone"
            if suite in FROZEN
            else f"put it there as {suite}/scenarios and {suite}/audio",
        )
    battery = CallSet(suite, folder / "scenarios", folder / "audio")
    if not battery.has_audio:
        raise _no_audio(f"{suite}/audio/*{SUFFIX}")
    return battery


def _require_folder(suites_dir: Source) -> None:
    folder = Path(suites_dir)
    if not folder.exists():
        raise Refusal("not_found", f"there is no folder '{suites_dir}'", "check the path of --suites-dir")
    if not folder.is_dir():
        raise Refusal("not_a_directory", f"'{suites_dir}' is not a folder", "name a folder with --suites-dir")


def _address(battery: CallSet) -> str:
    """The content hash of a battery; one that has the name of a frozen one has to be that one."""
    here = suite_content_hash(battery.scenarios, battery.audio)
    pinned = FROZEN.get(battery.name)
    if pinned is not None and here != pinned.content_hash:
        raise Refusal(
            "battery_changed",
            f"the battery '{battery.name}' here is not the frozen one of bench {BENCH_VERSION}",
            "install hotato again"
            if battery.name == BUNDLED
            else f"check out the repository again and run '{BUILDER}', or rename a set of your own",
        )
    return here


def _no_audio(name: str) -> Refusal:
    return Refusal(
        "missing_audio",
        f"the recording '{name}' is not there",
        f"a frozen battery is rendered in a clone of the repository with '{BUILDER}'; a set of your own "
        f"needs an audio/ID{SUFFIX} for each scenario",
    )
