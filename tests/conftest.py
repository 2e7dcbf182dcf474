"""Fixtures that every room's tests share."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real recordings, which is not part of the repository."""
    folder = Path(os.environ.get("HOTATO_SHARED_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the folder of real recordings is absent ({folder.name})")
    return folder


MADE = ROOT / "tests" / "made_events.py"


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
