"""Documented import paths and where they live: `hotato.core.run_single` is `hotato.score.run_single`.

`install` adds a finder that answers for the paths of the table and for nothing else. A home is imported only
when one of its names is asked for, so `import hotato` stays light.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from importlib.abc import Loader

TOP_LEVEL = {
    "run_single": "hotato.score",
    "run_suite": "hotato.score",
    "failures": "hotato.score",
    "process_exit_code": "hotato.score",
    "LIMITS": "hotato.score",
    "SUITE_ID": "hotato.score",
}
"""Names of `hotato` itself, and the module that holds each."""

MODULES: dict[str, dict[str, str]] = {
    "hotato.core": {
        "run_single": "hotato.score",
        "run_suite": "hotato.score",
        "dump_frames_for_input": "hotato.score",
        "process_exit_code": "hotato.score",
        "LIMITS": "hotato.score",
        "SUITE_ID": "hotato.score",
        "ScoreConfig": "hotato.timing",
    },
    "hotato.export": {
        "run_export": "hotato.score",
        "EVENT_COLUMNS": "hotato.score",
        "FRAME_COLUMNS": "hotato.score",
    },
    "hotato.bench": {
        "run_bench": "hotato.benchmark",
        "verify_bench": "hotato.benchmark",
        "suite_content_hash": "hotato.benchmark",
        "BENCH_VERSION": "hotato.benchmark",
    },
    "hotato.stackbench": {
        "run_stackbench": "hotato.benchmark",
        "load_result": "hotato.benchmark",
        "compare_results": "hotato.benchmark",
        "render_comparison_md": "hotato.benchmark",
        "BENCH_STACKS": "hotato.benchmark",
    },
    "hotato._engine": {},
    "hotato._engine.score": {"ScoreConfig": "hotato.timing"},
    "hotato._engine.vad": {"VADParams": "hotato.timing", "BackendUnavailable": "hotato.errors"},
}
"""Documented modules that are not files here, and for each of their names the module that holds it."""


class _DocumentedPaths:
    """Finder and loader by protocol; the abstract bases would cost 20 ms of every start."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in MODULES:
            return None
        package = any(other.startswith(fullname + ".") for other in MODULES)
        return ModuleSpec(fullname, cast("Loader", self), is_package=package)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        table = MODULES[module.__name__]
        module.__doc__ = "Documented names; see hotato._names."
        module.__dict__["__all__"] = list(table)
        module.__dict__["__getattr__"] = lambda name: resolve(module.__name__, table, name)


def resolve(module: str, table: dict[str, str], name: str) -> Any:
    """The object that `name` of `module` stands for.

    Raises:
        AttributeError: the table has no such name.
    """
    if name not in table:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return getattr(importlib.import_module(table[name]), name)


def on_demand(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """A package's `__getattr__` that imports a module when one of its public names is asked for.

    Args:
        package: the package's name.
        homes: for each of its modules the public names that live there, separated by blanks.
    """
    table = {name: f"{package}.{home}" for home, names in homes.items() for name in names.split()}
    return lambda name: resolve(package, table, name)


def install() -> None:
    """Make the documented paths importable; calling it again changes nothing."""
    if not any(isinstance(finder, _DocumentedPaths) for finder in sys.meta_path):
        sys.meta_path.append(_DocumentedPaths())
