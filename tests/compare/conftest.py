"""Events written by hand, and files of them."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

MADE = Path(__file__).resolve().parents[1] / "made_events.py"


@pytest.fixture(scope="session")
def made() -> ModuleType:
    """The makers of tests/made_events.py."""
    spec = importlib.util.spec_from_file_location("made_events", MADE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def saved(tmp_path: Path, made: ModuleType) -> Callable[..., Path]:
    """Write the envelope of events and return its path."""

    def write(name: str, *events: dict[str, Any], **more: Any) -> Path:
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(made.envelope(*events, **more)))
        return target

    return write
