"""`python -m hotato.benchmark`: measure the error of the scorer and write the report.

Without flags every set of the package, and of the clone it runs from, is measured; with `--scenarios` only
that one. Three files are written, JSON with every row, Markdown and a page, and the Markdown is printed. An
earlier report in the same folder is replaced.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from hotato.canonical import NewFile, to_json, write_set
from hotato.editions import Mark, is_older_edition
from hotato.errors import EXIT_PASS, Refusal

FOLDER = "benchmark-report"
STEM = "measurement-error"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    given = _parser().parse_args(arguments)
    try:
        return _report(given)
    except Refusal as refusal:
        print(f"hotato: {refusal}", file=sys.stderr)
        return refusal.exit_code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m hotato.benchmark",
        description="Measure how far the scorer's numbers lie from the truth of labelled calls.",
    )
    parser.add_argument("--scenarios", metavar="DIR", help="scenario labels (every known set if left out)")
    parser.add_argument("--audio", metavar="DIR", help="their two-channel recordings")
    parser.add_argument("--name", help="what the tables call that set (its folder's name if left out)")
    parser.add_argument("--suffix", help="ending of the recordings' names (found if left out)")
    parser.add_argument("--out", metavar="DIR", default=FOLDER, help="folder of the report (%(default)s)")
    parser.add_argument("--backend", choices=("energy", "neural"), default="energy", help="which detector")
    parser.add_argument(
        "--second-opinion", action="store_true", help="also measure with the neural backend, and compare"
    )
    parser.add_argument("--force", action="store_true", help="replace files that are in the way")
    return parser


def _report(given: argparse.Namespace) -> int:
    from hotato import report
    from hotato.benchmark.run import run_benchmark

    result = run_benchmark(
        scenarios=given.scenarios,
        audio=given.audio,
        name=given.name,
        suffix=given.suffix,
        backend=given.backend,
        second_opinion=given.second_opinion,
        progress=_progress(),
    )
    markdown = report.benchmark_markdown(result)
    folder = Path(given.out)
    contents = {"json": to_json(result), "md": markdown, "html": report.benchmark_page(result)}
    files = [
        _file(folder / f"{STEM}.{ending}", content, report.ERROR_MARKS[ending], given.force)
        for ending, content in contents.items()
    ]
    write_set(files)
    print(markdown)
    print("\n".join(f"wrote {file.path}" for file in files))
    return EXIT_PASS


def _file(path: Path, content: str, mark: Mark, force: bool) -> NewFile:
    """A file of the report; an older edition of it is replaced, and other people's files only when forced."""
    return NewFile(path, content, replace=force or is_older_edition(path, mark))


def _progress() -> Callable[[str], None] | None:
    """Shows the call being measured, where somebody looks."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return None

    def show(name: str) -> None:
        print(f"\r\x1b[K{name[:60]}", end="", file=sys.stderr, flush=True)

    return show


if __name__ == "__main__":
    sys.exit(main())
