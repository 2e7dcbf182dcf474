"""Forensics and regression guards for voice agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hotato import _names
from hotato._version import __version__

if TYPE_CHECKING:
    from hotato.score import LIMITS, SUITE_ID, failures, process_exit_code, run_single, run_suite

__all__ = [
    "LIMITS",
    "SUITE_ID",
    "__version__",
    "failures",
    "process_exit_code",
    "run_single",
    "run_suite",
]

_names.install()


def __getattr__(name: str) -> Any:
    return _names.resolve(__name__, _names.TOP_LEVEL, name)
