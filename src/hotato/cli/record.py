"""`hotato record`: failure records of a result, and whether a record still holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hotato.cli import options
from hotato.cli.outputs import (
    Artifact,
    path_under,
    read_result,
    write_artifacts,
    written_lines,
)
from hotato.cli.terminal import emit, screen
from hotato.errors import EXIT_PASS, Refusal

if TYPE_CHECKING:
    from hotato.failure import Checked, FailureRecord

NAME = "failure-record"


@click.group()
def record() -> None:
    """Write and check failure records.

    A failure record is one result that did not pass, as a document that can be attached to a pull request:
    numbers, codes and digests, and nothing of what was said.
    """


@record.command("render")
@click.argument("source", type=options.FILE)
@click.option("--out", required=True, type=options.TARGET, metavar="DIR", help="Folder for the four files.")
@click.option("--all", "every", is_flag=True, help="A record for each unit that did not pass.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most N records (with --all).")
@options.force_option
def render(source: str, out: str, every: bool, limit: int | None, force: bool) -> int:
    """Write the failure record of a result.

    SOURCE is a contract, or the JSON of a run, a contract verification, a baseline check, a proof, a
    comparison or a conversation test. Four files: failure-record.json, .md, .html and .svg.
    """
    from hotato import failure

    result = read_result(source)
    if not every:
        if limit is not None:
            raise Refusal("usage_error", "--limit counts the records of --all", "pass --all as well")
        artifacts = _files(failure.record_of(result), path_under(out, "."))
        write_artifacts(artifacts, force=force)
        emit(written_lines(artifacts))
        return EXIT_PASS
    records = failure.records_of(result)
    kept = records if limit is None else records[:limit]
    artifacts = [file for one in kept for file in _files(one, path_under(out, one.record_id))]
    write_artifacts(artifacts, force=force)
    left_out = f"  {len(records) - len(kept)} more not written\n" if len(kept) < len(records) else ""
    emit((written_lines(artifacts) or "  everything in this result passed\n") + left_out)
    return EXIT_PASS


def _files(one: FailureRecord, folder: Path) -> list[Artifact]:
    """The four forms of a record."""
    from hotato import report
    from hotato.canonical import to_json

    texts = {
        "json": to_json(one),
        "md": report.record_markdown(one),
        "html": report.record_page(one),
        "svg": report.record_svg(one),
    }
    return [
        Artifact(folder / f"{NAME}.{form}", text, report.RECORD_MARKS[form]) for form, text in texts.items()
    ]


@record.command("verify")
@click.argument("document", type=options.FILE, metavar="RECORD")
@click.option("--evidence-root", type=options.FILE, metavar="DIR", help="Folder of what it was made from.")
@options.format_option("text", "json")
def verify(document: str, evidence_root: str | None, style: str) -> int:
    """Check a failure record: its name, its digests, and the files behind it.

    Exits 1 when anything is not what the record says, 2 when it cannot be read.
    """
    from hotato import failure, report
    from hotato.canonical import to_json

    checked = failure.check_record(document, None if evidence_root is None else Path(evidence_root))
    checks = checked.checks
    emit(to_json(_json(checked)) if style == "json" else report.checks_text(checks, **screen()))
    return checks.exit_code


def _json(checked: Checked) -> dict[str, Any]:
    checks = checked.checks
    return {
        "tool": "hotato",
        "kind": "record-verify",
        "schema_version": "1",
        "record_id": checked.record_id,
        "verified": checks.exit_code == EXIT_PASS,
        "checks": checks.checks,
        "notes": checks.notes,
        "exit_code": checks.exit_code,
    }
