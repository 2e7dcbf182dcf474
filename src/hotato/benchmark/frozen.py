"""hotato bench: a frozen battery scored under a fixed protocol, and verified by scoring it again.

A result names the exact files (one hash over all of them), the exact thresholds and the exact engine, and
holds three measurements side by side: pass counts, error distributions and the confusion cells. Nothing in it
is a time or a place, so two runs give the same bytes; its own hash makes an edited one visible, and running
again makes a rewritten one visible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from hotato.benchmark import aggregate
from hotato.benchmark.records import together
from hotato.benchmark.run import rows_of
from hotato.benchmark.sets import SUFFIX, CallSet
from hotato.canonical import digest, listing_digest, read_small
from hotato.errors import EXIT_FAIL, EXIT_PASS, Refusal, UsageError, reject_overall_score
from hotato.score import run_suite
from hotato.score.records import Engine
from hotato.score.request import Source
from hotato.score.suite import bundled, read_scenarios
from hotato.timing import ScoreConfig

BENCH_VERSION = "0.1"
KIND = "bench-result"
SCHEMA_VERSION = "1"
BUNDLED = "bundled"
TIERS = {
    BUNDLED: "package",
    "silver": "silver",
    "silver-defects": "silver",
    "gold": "gold",
    "gold-defects": "gold",
}
"""The frozen batteries, and the tier of each: a label for grouping, never a weight."""

SIGNALS = ("caller_onset", "time_to_yield", "response_gap")
BUILDER = "python corpus/suites/build_suites.py"
_SUITES = Path("corpus") / "suites"
_CLONE = Path(__file__).resolve().parents[3]
_MAX_RESULT_BYTES = 16_000_000
_MAX_FILE_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Verification:
    """What running a result's battery again says.

    Attributes:
        suite: the battery.
        claimed: content hash of the result.
        recomputed: content hash of the run that was just made.
        differing: top-level keys of the two that differ.
    """

    suite: str
    claimed: str
    recomputed: str
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
        if not recording.is_file():
            raise _no_audio(recording.name)
        files[f"audio/{recording.name}"] = read_small(recording, "recording", _MAX_FILE_BYTES)
    return f"sha256:{listing_digest(files)}"


def run_bench(suite: str = BUNDLED, suites_dir: Source | None = None) -> dict[str, Any]:
    """Score a frozen battery and return the result document.

    Args:
        suite: one of `TIERS`.
        suites_dir: the folder that holds the other batteries; None looks in the working folder, then in the
            clone that hotato runs from.

    Raises:
        UsageError: an unknown battery.
        Refusal: a battery, or its audio, that is not there.
    """
    battery = _battery(suite, suites_dir)
    cfg = ScoreConfig()
    content = suite_content_hash(battery.scenarios, battery.audio)
    envelope = run_suite(scenarios_dir=battery.scenarios, audio_dir=battery.audio, suffix=SUFFIX, cfg=cfg)
    rows = together(rows_of(battery, cfg, suffix=SUFFIX)[0])
    summary = envelope["summary"]
    body = {
        "tool": "hotato",
        "kind": KIND,
        "schema_version": SCHEMA_VERSION,
        "bench_version": BENCH_VERSION,
        "engine": Engine(),
        "config": asdict(cfg),
        "suite": suite,
        "tier": TIERS[suite],
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
        Refusal: no result, one with a blended figure, one that was edited, or one of another bench version.
    """
    remedy = "pass what 'hotato bench run --out FILE' wrote"
    try:
        result = msgspec.json.decode(read_small(path, "bench result", _MAX_RESULT_BYTES))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal("not_json", f"'{path}' is not a JSON file", remedy) from None
    if not isinstance(result, dict) or result.get("kind") != KIND:
        raise Refusal("not_a_bench_result", f"'{path}' is not a bench result", remedy)
    reject_overall_score(result, f"'{path}'")
    if result.get("content_hash") != content_hash(result):
        raise Refusal(
            "bench_edited",
            f"'{path}' does not match its own content hash: it was edited after it was made",
            "run the battery again",
        )
    if result.get("bench_version") != BENCH_VERSION or result.get("schema_version") != SCHEMA_VERSION:
        raise Refusal(
            "bench_version",
            f"'{path}' is of bench version {result.get('bench_version')}, and this is {BENCH_VERSION}",
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
        Refusal: see `load_bench`; `bench_battery` where the battery here is not the one that was scored, so
            that nothing can be compared.
    """
    result = load_bench(path)
    suite = result["suite"]
    battery = _battery(suite, suites_dir)
    here = suite_content_hash(battery.scenarios, battery.audio)
    if here != result.get("suite_content_hash"):
        raise Refusal(
            "bench_battery",
            f"the battery '{suite}' here is not the one that was scored, so the result is not judged",
            f"check out its release and run '{BUILDER}'"
            if suite != BUNDLED
            else "install its hotato release",
        )
    again = run_bench(suite, suites_dir)
    keys = sorted({*result, *again} - {"content_hash"})
    return Verification(
        suite=suite,
        claimed=result["content_hash"],
        recomputed=again["content_hash"],
        differing=tuple(key for key in keys if result.get(key) != again.get(key)),
    )


def _stats(stats: aggregate.ErrorStats) -> dict[str, Any]:
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
    if suite not in TIERS:
        raise UsageError(f"there is no battery '{suite}'", f"choose one of: {', '.join(TIERS)}")
    if suite == BUNDLED:
        return CallSet(suite, bundled("battery", "scenarios"), bundled("battery", "audio"))
    places = [Path(suites_dir)] if suites_dir is not None else [_SUITES, _CLONE / _SUITES]
    folder = next((place / suite for place in places if (place / suite / "scenarios").is_dir()), None)
    if folder is None:
        raise Refusal(
            "no_battery",
            f"the battery '{suite}' was not found",
            "name the folder that holds it (--suites-dir DIR); it comes with a clone of the repository",
        )
    battery = CallSet(suite, folder / "scenarios", folder / "audio")
    if not battery.has_audio:
        raise _no_audio(f"{suite}/audio")
    return battery


def _no_audio(name: str) -> Refusal:
    return Refusal("missing_audio", f"the recording '{name}' is not there", f"render it: {BUILDER}")
