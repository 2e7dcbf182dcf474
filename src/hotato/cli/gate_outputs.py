"""The files that a gate leaves for whoever shows it: the same options on every command that gates."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hotato.cli import options
from hotato.cli.outputs import Artifact, require_file_name
from hotato.errors import Refusal, UsageError

if TYPE_CHECKING:
    from hotato.checks import Checks

SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"
"""Where GitHub Actions says which file collects the summary of a step."""

_FORMS = ("junit", "sarif", "pr_comment", "html")


def _file_option(flag: str, what: str) -> options.Decorator:
    return click.option(flag, type=options.TARGET, metavar="FILE", help=f"Also write {what}.")


gate_options = options.stacked(
    _file_option("--junit", "JUnit XML, for the test view of a CI system"),
    _file_option("--sarif", "SARIF 2.1.0, for a code scanning view"),
    _file_option("--pr-comment", "the Markdown of a pull request comment"),
    click.option(
        "--step-summary",
        is_flag=True,
        help=f"Append the result to the step's summary (the file that {SUMMARY_VARIABLE} names).",
    ),
)
"""What every gate can write beside its text or JSON."""

page_option = _file_option("--html", "the result as a page")


def gate_files(checks: Checks, values: Mapping[str, Any]) -> list[Artifact]:
    """The files that a command line asks for, made of one record.

    Args:
        checks: what the gate checked.
        values: the values of `gate_options`, and of `page_option` where the command has it.
    """
    from hotato import report

    render = {
        "junit": (report.junit_xml, report.JUNIT_MARK),
        "sarif": (report.sarif_json, report.SARIF_MARK),
        "pr_comment": (report.pr_comment, report.COMMENT_MARK),
        "html": (report.checks_page, report.CHECKS_MARK),
    }
    wanted = {form: values[form] for form in _FORMS if values.get(form) is not None}
    return [
        Artifact(require_file_name(path), render[form][0](checks), render[form][1])
        for form, path in wanted.items()
    ]


def require_gate(values: Mapping[str, Any], gated: bool, flags: str) -> None:
    """Refuse the outputs of a gate from a command that gates only when it is asked to, and was not.

    Args:
        values: the values of `gate_options`.
        gated: whether a gate was asked for.
        flags: what asks for one.

    Raises:
        UsageError: they would show a pass or a failure that the exit code does not.
    """
    if not gated and any(values.get(name) for name in (*_FORMS[:3], "step_summary")):
        raise UsageError("the outputs of a gate were asked for, and no gate", f"add {flags}")


def require_step_summary(values: Mapping[str, Any]) -> None:
    """Refuse `--step-summary` where there is no step to summarise, before anything is scored.

    Raises:
        Refusal: `no_step_summary`.
    """
    if values.get("step_summary") and not os.environ.get(SUMMARY_VARIABLE):
        raise Refusal(
            "no_step_summary",
            f"--step-summary needs the environment variable {SUMMARY_VARIABLE}, which is not set",
            "leave it out where no GitHub Actions step runs",
        )


def append_step_summary(checks: Checks, values: Mapping[str, Any]) -> None:
    """Append the Markdown of the result to the step's summary, where that was asked for."""
    if not values.get("step_summary"):
        return
    from hotato import report

    with Path(os.environ[SUMMARY_VARIABLE]).open("a", encoding="utf-8") as file:
        file.write(report.step_summary(checks))
