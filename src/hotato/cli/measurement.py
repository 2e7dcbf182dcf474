"""`python -m hotato.benchmark`: measure the error of the scorer and write the report.

Without flags every set of the package, and of the clone it runs from, is measured; with `--scenarios` only
that one. Three files are written, JSON with every row, Markdown and a page, and a summary of one screen is
printed. An earlier report in the same folder is replaced.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from hotato.cli import options
from hotato.cli.failures import guarded
from hotato.cli.outputs import Artifact, path_under, write_artifacts, written_lines
from hotato.cli.terminal import emit, is_terminal, screen
from hotato.errors import EXIT_PASS
from hotato.plain import shown

PROGRAM = "python -m hotato.benchmark"
FOLDER = "benchmark-report"
STEM = "measurement-error"
ENDINGS = ("json", "md", "html")

_MORE = "\nEvery table by condition and family is in the files; --full prints them.\n"

SHOWN_ID = 60
"""Letters of a call's id on the line of progress."""


@click.command(PROGRAM, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--scenarios", type=options.FILE, metavar="DIR", help="Scenario labels (every known set if left out)."
)
@click.option("--audio", type=options.FILE, metavar="DIR", help="Their two-channel recordings.")
@click.option(
    "--name", type=options.TEXT, help="What the tables call that set (its folder's name if left out)."
)
@click.option("--suffix", type=options.TEXT, help="Ending of the recordings' names (found if left out).")
@click.option(
    "--out",
    type=options.TARGET,
    metavar="DIR",
    default=FOLDER,
    show_default=True,
    help="Folder of the report.",
)
@click.option(
    "--backend",
    type=click.Choice(["energy", "neural"]),
    default="energy",
    show_default=True,
    help="Which detector.",
)
@click.option("--second-opinion", is_flag=True, help="Also measure with the neural backend, and compare.")
@click.option("--full", is_flag=True, help="Print every table, not the summary.")
@options.force_option
def measurement(**values: Any) -> int:
    """Measure how far the scorer's numbers lie from the truth of labelled calls."""
    targets = {ending: path_under(values["out"], f"{STEM}.{ending}") for ending in ENDINGS}

    from hotato import report
    from hotato.benchmark import run_benchmark
    from hotato.canonical import to_json

    names = ("scenarios", "audio", "name", "suffix", "backend", "second_opinion")
    with _progress() as progress:
        result = run_benchmark(**{name: values[name] for name in names}, progress=progress)
    markdown = report.benchmark_markdown(result)
    contents = {"json": to_json(result), "md": markdown, "html": report.benchmark_page(result)}
    files = [Artifact(targets[ending], text, report.ERROR_MARKS[ending]) for ending, text in contents.items()]
    write_artifacts(files, force=values["force"])
    summary = markdown if values["full"] else report.benchmark_text(result, **screen()) + _MORE
    emit(summary + "\n" + written_lines(files))
    return EXIT_PASS


def run(args: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; every failure is one line."""
    words = list(sys.argv[1:] if args is None else args)
    return guarded(lambda: _invoke(words), words)


def _invoke(words: list[str]) -> int:
    with measurement.make_context(PROGRAM, words) as ctx:
        code: int = measurement.invoke(ctx)
    return code


@contextmanager
def _progress() -> Iterator[Callable[[str], None] | None]:
    """Shows the call being measured, where somebody looks, and takes it away in the end."""
    if not is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        yield None
        return

    def show(text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()

    try:
        yield lambda name: show(shown(name, SHOWN_ID))
    finally:
        show("")
