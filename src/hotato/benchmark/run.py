"""Measure the sets and put every table into one result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import chain, product
from pathlib import Path
from typing import Any

import msgspec

from hotato.benchmark import aggregate
from hotato.benchmark.measuring import Place, measure
from hotato.benchmark.named import named
from hotato.benchmark.params import PARAMS
from hotato.benchmark.possible import require_length, require_possible
from hotato.benchmark.records import Rows, together
from hotato.benchmark.second import opinion
from hotato.benchmark.sets import CallSet, calls_of, default_sets
from hotato.benchmark.sweep import sweep
from hotato.errors import Refusal, UsageError
from hotato.find import GradeParams, ScanParams
from hotato.find.params import EchoMatchParams
from hotato.listen import Detector
from hotato.score.parameters import parameters
from hotato.score.records import Engine
from hotato.score.request import Source
from hotato.score.suite import read_scenarios
from hotato.timing import CALIBRATION, ScoreConfig

KIND = "measurement-error"
SCHEMA_VERSION = "1"
NO_AUDIO = "its recordings are not there"

Step = Callable[[str], None]


def run_benchmark(
    *,
    scenarios: Source | None = None,
    audio: Source | None = None,
    name: str | None = None,
    sets: Sequence[CallSet] | None = None,
    suffix: str | None = None,
    cfg: ScoreConfig | None = None,
    backend: str = "energy",
    second_opinion: bool = False,
    progress: Step | None = None,
) -> dict[str, Any]:
    """Measure how far the scorer's numbers lie from the truth.

    Args:
        scenarios: folder of labelled scenarios; None measures `sets`.
        audio: folder of their recordings.
        name: what the tables call that set.
        sets: sets to measure; None takes every one of the package and of the clone it runs from.
        suffix: ending of the recordings' names; None finds it.
        cfg: parameters of the measurement.
        backend: `energy` or `neural`.
        second_opinion: measure the same calls with the neural backend as well and compare.
        progress: called with the id of each call before it is measured.

    Returns:
        Every table and the rows behind them, see docs/BENCHMARK.md.

    Raises:
        Refusal: a folder without scenarios, a bad scenario, no recording at all, or a missing extra.
    """
    cfg = cfg or ScoreConfig()
    chosen = _chosen(scenarios, audio, name, sets)
    heard_sets = [one for one in chosen if one.has_audio]
    if not heard_sets:
        raise UsageError("no recording of any scenario was found", "name the folder of recordings (--audio)")
    measured = {
        one.name: rows_of(one, cfg, backend=backend, suffix=suffix, progress=progress) for one in heard_sets
    }
    if not any(parts for parts, _ in measured.values()):
        raise UsageError(
            "no scenario has a recording of its name",
            "name the folder of recordings (--audio), or the ending of their names (--suffix)",
        )
    rows = together(chain.from_iterable(parts for parts, _ in measured.values()))
    second = None
    if second_opinion:
        heard_again = (
            rows_of(one, cfg, backend="neural", suffix=suffix, progress=progress)[0] for one in heard_sets
        )
        second = opinion(rows, together(chain.from_iterable(heard_again)))
    result = {
        "tool": "hotato",
        "kind": KIND,
        "schema_version": SCHEMA_VERSION,
        "engine": Engine(),
        "backend": backend,
        "config": config_of(cfg),
        "sets": [
            {"name": key, "calls": len(parts), "not_measured": missing}
            for key, (parts, missing) in measured.items()
        ],
        "skipped": [{"name": one.name, "why": NO_AUDIO} for one in chosen if not one.has_audio],
        **tables(rows),
        "noise_cliff": _cliff(rows, cfg, may_sweep=scenarios is None and backend == "energy"),
        "second_opinion": second,
        "rows": {"calls": rows.calls, "errors": rows.errors, "verdicts": rows.verdicts},
    }
    built: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(result))
    return built


def _cliff(rows: Rows, cfg: ScoreConfig, *, may_sweep: bool) -> dict[str, Any]:
    """The noise cliff of the sets, or of the packaged battery where they hold no noise of a known level."""
    own = aggregate.cliff(rows)
    if own or not may_sweep:
        return {"source": "the sets", "points": own}
    detectors: tuple[Detector, ...] = ("auto", "reference")
    points = [aggregate.cliff(sweep(cfg, detector), detector) for detector in detectors]
    return {
        "source": "the packaged battery over rising white noise",
        "points": list(chain.from_iterable(points)),
    }


def rows_of(
    one: CallSet,
    cfg: ScoreConfig,
    *,
    backend: str = "energy",
    suffix: str | None = None,
    progress: Step | None = None,
) -> tuple[list[Rows], list[str]]:
    """Every call of a set measured, and the ids of scenarios without a recording."""
    measured, missing = [], []
    for call in calls_of(one.scenarios, one.audio, cfg, suffix):
        if call.request is None:
            missing.append(call.stated.id)
            continue
        if progress is not None:
            progress(call.stated.id)
        # A suite is always heard by the energy detector; these calls are heard by the one that was asked for.
        request = replace(call.request, suite=None, scenarios_dir=None, audio_dir=None, backend=backend)
        place = Place.of(one.name, call.stated)
        heard = request.listen()
        lasts_sec = max(part.duration_sec for part in heard.recordings)
        require_possible(call.stated, lasts_sec, call.stated.id)
        require_length(call.stated, lasts_sec, call.stated.id)
        measured.append(measure(heard, call.truth, call.label, place))
    return measured, missing


def config_of(cfg: ScoreConfig) -> dict[str, Any]:
    """Every threshold behind the numbers: what may be chosen, and under `parameters` every other record."""
    return {
        "score": asdict(cfg),
        "scan": asdict(ScanParams()),
        "grade": asdict(GradeParams()),
        "calibration": asdict(CALIBRATION),
        "match": asdict(PARAMS),
        "parameters": {**parameters(), "EchoMatchParams": asdict(EchoMatchParams())},
    }


def tables(rows: Rows) -> dict[str, Any]:
    """Every table of a result, by condition, by family and over all rows."""
    signals = {
        signal: {
            reading: aggregate.cut(
                [row for row in rows.errors if row.signal == signal],
                partial(aggregate.signal_stats, signal=signal, reading=reading),
            )
            for reading in aggregate.READINGS
        }
        for signal in aggregate.SIGNALS
    }
    intervals = {
        signal: aggregate.cut(
            [row for row in rows.errors if row.signal == signal],
            partial(aggregate.signal_coverage, signal=signal),
        )
        for signal in aggregate.SIGNALS
    }
    return {
        "signals": signals,
        "confusion": {
            "all": aggregate.confusion(rows.verdicts),
            "by_set": {
                name: aggregate.confusion(part)
                for name, part in aggregate.by(rows.verdicts, lambda row: row.set_name).items()
            },
        },
        "yield_verdicts": aggregate.cut(rows.verdicts, aggregate.yield_verdicts),
        "clips": list(named(rows.verdicts)),
        "intervals": intervals,
        **_spans_tables(rows),
    }


def _spans_tables(rows: Rows) -> dict[str, Any]:
    """The tables that need the true spans and the list of all events; empty where no call has them."""
    edges: dict[str, dict[str, Any]] = {}
    for side, reading in product(("onset", "offset"), aggregate.EDGE_READINGS):
        ours = [row for row in rows.edges if row.side == side and row.reading == reading]
        if ours:
            edges.setdefault(side, {})[reading] = {
                "error": aggregate.cut(ours, partial(aggregate.edge_stats, side=side)),
                "extra": aggregate.cut(ours, aggregate.extra_edges),
                "interval": aggregate.cut(ours, partial(aggregate.edge_coverage, side=side)),
            }
    return {
        "edges": edges,
        "detection": {
            "events": {
                kind: aggregate.cut(part, aggregate.recall)
                for kind, part in aggregate.by(rows.events, lambda row: row.kind).items()
            },
            "raised": {
                kind: aggregate.cut(part, aggregate.raised)
                for kind, part in aggregate.by(rows.events, lambda row: row.kind).items()
                if any(row.over_limit for row in part)
            },
            "incidents": dict(_incident_tables(rows)),
        },
    }


def _incident_tables(rows: Rows) -> Iterator[tuple[str, dict[str, Any]]]:
    """False incidents of each kind and of all kinds, over the time of the calls in question."""
    calls = [call for call in rows.calls if any(row.set_name == call.set_name for row in rows.events)]
    conditions = aggregate.by(calls, lambda call: call.condition)
    kinds = aggregate.by(rows.incidents, lambda row: row.kind_key)
    if rows.incidents:
        kinds = {"any": list(rows.incidents), **kinds}
    for kind, part in kinds.items():
        split = aggregate.by(part, lambda row: row.condition)
        yield (
            kind,
            {
                "all": aggregate.false_rate(part, calls),
                "by_condition": {
                    name: aggregate.false_rate(split.get(name, []), group)
                    for name, group in conditions.items()
                },
            },
        )


def _chosen(
    scenarios: Source | None, audio: Source | None, name: str | None, sets: Sequence[CallSet] | None
) -> Sequence[CallSet]:
    if scenarios is None:
        if audio is not None or name is not None:
            raise UsageError(
                "a folder of recordings or a name needs its scenarios", "name them (--scenarios)"
            )
        return default_sets() if sets is None else sets
    read_scenarios(scenarios)  # a folder that is not there, or a file that is none, is said first
    if audio is None:
        raise UsageError("the scenarios have no folder of recordings", "name it as well (--audio DIR)")
    if not Path(audio).is_dir():
        raise Refusal("not_found", f"there is no folder '{audio}' of recordings", "check the path (--audio)")
    folder = Path(scenarios)
    return [CallSet(name or folder.resolve().name, folder, Path(audio))]
