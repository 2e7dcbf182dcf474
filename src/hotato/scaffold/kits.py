"""The sets of files: a starter for a repository, and the pipeline of each CI system."""

from __future__ import annotations

import shlex
from functools import cache
from typing import TYPE_CHECKING, Any

from hotato._version import __version__
from hotato.errors import UsageError
from hotato.scaffold.install import PLACEHOLDER
from hotato.scaffold.place import ScaffoldFile
from hotato.stacks import PROJECTS, STACK_NAMES, channel_map

if TYPE_CHECKING:
    from jinja2 import Environment

SYSTEMS = {
    "gitlab": ".gitlab-ci.yml",
    "jenkins": "Jenkinsfile",
    "azure": "azure-pipelines.yml",
    "circleci": ".circleci/config.yml",
    "pre-commit": ".pre-commit-config.yaml",
}
"""The CI systems, each with the file that it reads."""

CONTRACT_FOLDERS = {"contracts": "contracts", "tests/hotato/contracts": "tests-contracts"}
"""Where contracts lie (by hand, and where `hotato pr create` puts them), each with the name of its gate."""

INCIDENT_FOLDERS = {folder: f"{folder.removesuffix('contracts')}incidents" for folder in CONTRACT_FOLDERS}
"""Beside each folder of contracts the one that no gate reads: what fails and waits, and what was replaced."""

FIXTURE_FOLDERS = {"fixtures": "fixtures", "tests/hotato": "tests-fixtures"}
"""Where fixtures lie, each with `scenarios` and `audio` in it, and the name of its gate."""

REPORTS = "reports/hotato"
"""Where a pipeline leaves its JSON and JUnit."""

_STARTER = (
    ("HOTATO.md", "HOTATO.md.j2"),
    ("hotato.yaml", "hotato.yaml.j2"),
    (".gitignore", "gitignore.j2"),
    (".github/workflows/hotato-contracts.yml", "github.yml.j2"),
    ("fixtures/README.md", "fixtures-README.md.j2"),
    ("fixtures/.gitignore", "keep-audio.j2"),
    ("fixtures/.gitattributes", "same-bytes.j2"),
    ("fixtures/scenarios/.gitkeep", None),
    ("fixtures/audio/.gitkeep", None),
    ("contracts/README.md", "contracts-README.md.j2"),
    ("contracts/.gitignore", "keep-audio.j2"),
    ("contracts/.gitattributes", "same-bytes.j2"),
    ("contracts/.gitkeep", None),
    ("incidents/README.md", "incidents-README.md.j2"),
    ("incidents/.gitignore", "keep-audio.j2"),
    ("incidents/.gitattributes", "same-bytes.j2"),
    ("reports/README.md", "reports-README.md.j2"),
    ("reports/.gitkeep", None),
)


def starter(stack: str, install: str) -> tuple[ScaffoldFile, ...]:
    """The files that put hotato into a repository.

    Args:
        stack: the platform, one of `STACK_NAMES`.
        install: where the pipeline gets hotato from; see `require_requirement`.

    Raises:
        UsageError: unknown stack.
    """
    if stack not in STACK_NAMES:
        raise UsageError(f"unknown stack '{stack}'", f"choose one of: {', '.join(STACK_NAMES)}")
    facts = {"stack": stack, "project": PROJECTS[stack], "channels": channel_map(stack), "install": install}
    words = ["hotato", "init", "starter", "--stack", stack]
    facts["command"] = shlex.join(words if PLACEHOLDER in install else [*words, "--install", install])
    return tuple(
        ScaffoldFile(path, "" if template is None else filled(template, **facts))
        for path, template in _STARTER
    )


def pipeline(system: str, install: str) -> ScaffoldFile:
    """The configuration of a CI system.

    Args:
        system: a key of `SYSTEMS`.
        install: where it gets hotato from; see `require_requirement`.

    Raises:
        UsageError: unknown system.
    """
    if system not in SYSTEMS:
        raise UsageError(f"unknown system '{system}'", f"choose one of: {', '.join(SYSTEMS)}")
    return ScaffoldFile(SYSTEMS[system], filled(f"{system}.j2", install=install))


def filled(template: str, **facts: Any) -> str:
    """A template of this room, filled in with facts and with what every template knows."""
    return _environment().get_template(template).render(**facts)


@cache
def _environment() -> Environment:
    """Jinja with marks that no YAML, shell or pipeline language uses."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(  # configurations are no markup: `require_requirement` guards what enters them
        loader=PackageLoader("hotato.scaffold", "templates"),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        variable_start_string="[=",
        variable_end_string="=]",
        block_start_string="[%",
        block_end_string="%]",
        comment_start_string="[#",
        comment_end_string="#]",
    )
    environment.globals.update(
        version=__version__,
        placeholder=PLACEHOLDER,
        contract_folders=CONTRACT_FOLDERS,
        incidents=INCIDENT_FOLDERS,
        fixture_folders=FIXTURE_FOLDERS,
        reports=REPORTS,
    )
    for step in ("install_step", "gates_step"):
        environment.globals[step] = environment.get_template(f"{step}.sh.j2").render().rstrip("\n")
    return environment
