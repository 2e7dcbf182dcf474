"""Whether a failure record is what it was: its name, its digests, and the files that it was made from."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from hotato import canonical
from hotato.checks import ERROR, FAIL, PASS, Check, Checks, Status, gate_exit_code
from hotato.errors import EXIT_FAIL, Refusal
from hotato.failure.project import record_id
from hotato.failure.records import KIND, LANES, VERSION, Artifact, Dimension, FailureRecord, Reliability
from hotato.plain import shown

LARGEST_BYTES = 1 << 24
"""No record is larger."""

MOST_FILES = 20_000
"""Files of an evidence folder that are looked at."""

_LARGEST_RESULT_BYTES = 1 << 26
_RESULT = "source_result"
_NAME, _CONTENT = "record verify", "content"


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of checking a file.

    Attributes:
        record_id: what the record calls itself; None where its shape is broken.
        checks: what was checked.
    """

    record_id: str | None
    checks: Checks


@dataclass(frozen=True, slots=True)
class Found:
    """Whether a file that a record names is in the evidence folder.

    Attributes:
        state: `same`, `changed` (a file of that name holds other bytes) or `missing`.
        place: where it was found, relative to the folder.
    """

    state: Literal["same", "changed", "missing"]
    place: str | None = None


def read_record(path: str) -> FailureRecord:
    """The record in a file, strictly: every key is known and there once.

    Raises:
        Refusal: `not_found` and the like, `not_json`, `repeated_key`, `not_a_record`.
    """
    return _record(_document(path), path)


def check_record(path: str, evidence: Path | None = None) -> Checked:
    """What holds of the record in a file; see `verify_record`.

    A file that says it is a record of this version and has another shape was changed, which is a failure and
    not a refusal.

    Raises:
        Refusal: it cannot be read, or is no record; see `read_record` and `verify_record`.
    """
    value = _document(path)
    try:
        record = _record(value, path)
    except Refusal as refusal:
        if value.get("kind") != KIND or value.get("version") != VERSION:
            raise
        check = _check("shape", "is a failure record", False, refusal.message, "not_a_record")
        return Checked(None, Checks(name=_NAME, checks=(check,), exit_code=EXIT_FAIL))
    return Checked(record.record_id, verify_record(record, evidence))


def _document(path: str) -> dict[str, Any]:
    data = canonical.read_small(path, "failure record", LARGEST_BYTES)
    try:
        value = canonical.decode_json(data, f"'{path}'")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal("not_json", f"'{path}' is not a JSON file", "pass a failure-record.json") from None
    if not isinstance(value, dict):
        raise Refusal("not_json", f"'{path}' does not hold a JSON object", "pass a failure-record.json")
    return value


def _record(value: Mapping[str, Any], path: str) -> FailureRecord:
    try:
        return msgspec.convert(value, FailureRecord)
    except msgspec.ValidationError as error:
        raise Refusal(
            "not_a_record",
            f"'{path}' is no failure record: {shown(str(error))}",
            "pass the failure-record.json that 'hotato record render' wrote",
        ) from None


def verify_record(record: FailureRecord, evidence: Path | None = None) -> Checks:
    """What holds of a record: its name, its evidence, its counts and, where a folder is given, its files.

    Without a signature this shows that the record was not changed by accident or in part. Whoever changes all
    of it can give it a new name; only the files behind it, or a place that keeps the name, tell that.

    Args:
        record: what `read_record` returned.
        evidence: a folder that holds the result and the recordings, or None to look at the record alone.

    Raises:
        Refusal: `not_a_directory`, `too_many_files`.
    """
    checks = [_id(record), *_evidence(record), *_lanes(record), _references(record)]
    if evidence is not None:
        if not evidence.is_dir():
            raise Refusal(
                "not_a_directory", f"'{evidence}' is no folder", "name a folder with --evidence-root"
            )
        checks += _files(record, evidence)
    settled = tuple(checks)
    notes = ["The record is unsigned: its name covers its content, and says nothing of who made it."]
    if evidence is None:
        notes.append("The files behind it were not looked at; --evidence-root DIR does that.")
    return Checks(name=_NAME, checks=settled, exit_code=gate_exit_code(settled), notes=tuple(notes))


def _id(record: FailureRecord) -> Check:
    expected = record_id(record)
    return _check(
        "record id",
        "names what the record holds",
        record.record_id == expected,
        f"the content makes it {expected}, and it calls itself {record.record_id or 'nothing'}",
        "record_id_mismatch",
    )


def _evidence(record: FailureRecord) -> list[Check]:
    return [
        _check(
            f"evidence {one.evidence_id}",
            "the digest covers the numbers",
            canonical.digest(one.measured) == one.digest,
            "its numbers are not those of its digest",
            "evidence_digest_mismatch",
        )
        for one in record.evidence
    ]


def _lanes(record: FailureRecord) -> list[Check]:
    return [
        _check(
            f"lane {lane}",
            "counts and status are those of its assertions",
            _consistent(getattr(record.dimensions, lane), lane),
            "its counts or its status are not those of its assertions",
            "lane_mismatch",
        )
        for lane in LANES
    ]


def _consistent(dimension: Dimension | Reliability, lane: str) -> bool:
    statuses = [one.status for one in dimension.assertions]
    worst = next((s for s in ("ERROR", "FAIL", "INCONCLUSIVE", "PASS") if s in statuses), "NOT_RUN")
    if dimension.status != worst or any(one.dimension != lane for one in dimension.assertions):
        return False
    if isinstance(dimension, Reliability):
        return dimension.passes <= dimension.trials
    counted = (
        len(statuses),
        statuses.count("FAIL") + statuses.count("ERROR"),
        statuses.count("INCONCLUSIVE"),
        statuses.count("PASS"),
    )
    return counted == (dimension.evaluated, dimension.failed, dimension.inconclusive, dimension.passed)


def _references(record: FailureRecord) -> Check:
    """Every assertion rests on evidence that is here, and on the one result that the record names."""
    known = {one.evidence_id for one in record.evidence}
    source = record.provenance.source_result_digest
    assertions = [one for lane in LANES for one in getattr(record.dimensions, lane).assertions]
    holds = all(set(one.evidence_refs) <= known for one in assertions) and all(
        one.source_result_digest == source for one in assertions
    )
    return _check(
        "references",
        "assertions rest on evidence that is here",
        holds,
        "an assertion names evidence or a result that the record does not hold",
        "dangling_reference",
    )


def _files(record: FailureRecord, folder: Path) -> list[Check]:
    wanted = record.reproduction.required_artifacts
    found = _look(folder, wanted)
    words = {
        "changed": "the file of that name holds other bytes",
        "missing": "no file in the folder has its digest",
    }
    return [
        Check(
            id=f"{one.role} {one.relative_path}",
            group="files",
            status=_STATUS[found[one].state],
            title="is in the evidence folder, unchanged",
            reason=words.get(found[one].state),
            codes=() if found[one].state == "same" else (f"artifact_{found[one].state}",),
            file=found[one].place,
        )
        for one in wanted
    ]


_STATUS: dict[str, Status] = {"same": PASS, "changed": FAIL, "missing": ERROR}


def _look(folder: Path, wanted: tuple[Artifact, ...]) -> dict[Artifact, Found]:
    """Each wanted file by its digest, whatever it is called; by its name where no digest fits."""
    found: dict[Artifact, Found] = {}
    by_bytes = {one.digest: one for one in wanted if one.role != _RESULT}
    results = {one.digest: one for one in wanted if one.role == _RESULT}
    for path in _regular_files(folder):
        place = path.relative_to(folder).as_posix()
        artifact = by_bytes.get(_sha256(path)) or results.get(_result_digest(path) if results else "")
        if artifact is not None:
            found[artifact] = Found("same", place)
    for one in wanted:
        if one not in found:
            there = (folder / one.relative_path).is_file() and ".." not in Path(one.relative_path).parts
            found[one] = Found("changed" if there else "missing", one.relative_path if there else None)
    return found


def _regular_files(folder: Path) -> Iterator[Path]:
    """Every regular file below a folder, in order of its path; links are not followed."""
    paths = []
    for place, _, names in os.walk(folder):
        paths += [Path(place, name) for name in names]
        if len(paths) > MOST_FILES:
            raise Refusal(
                "too_many_files",
                f"'{folder}' holds more than {MOST_FILES} files",
                "name the folder of the evidence alone",
            )
    for path in sorted(paths):
        try:
            if stat.S_ISREG(path.lstat().st_mode):
                yield path
        except OSError:
            continue


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _result_digest(path: Path) -> str:
    """Digest of the JSON object in a file, or nothing where there is none."""
    if path.suffix.lower() != ".json":
        return ""
    try:
        value = canonical.decode_json(canonical.read_small(path, "result", _LARGEST_RESULT_BYTES), "it")
    except (ValueError, RecursionError, msgspec.DecodeError):
        return ""
    return canonical.digest(value) if isinstance(value, Mapping) else ""


def _check(id: str, title: str, holds: bool, reason: str, code: str) -> Check:
    return Check(
        id=id,
        group=_CONTENT,
        status=PASS if holds else FAIL,
        title=title,
        reason=None if holds else reason,
        codes=() if holds else (code,),
    )
