"""The documented import paths."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import hotato
from hotato import _names, score, timing


@pytest.mark.parametrize("module", sorted(_names.MODULES))
def test_a_documented_module_has_its_documented_names(module):
    home = importlib.import_module(module)
    for name in _names.MODULES[module]:
        assert callable(getattr(home, name)) or getattr(home, name)
    with pytest.raises(AttributeError):
        _ = home.nothing_like_it


def test_the_names_are_the_things_themselves():
    from hotato._engine.score import ScoreConfig
    from hotato._engine.vad import VADParams
    from hotato.core import run_single
    from hotato.export import run_export

    assert run_single is score.run_single is hotato.run_single
    assert run_export is score.run_export and hotato.LIMITS is score.LIMITS
    assert ScoreConfig is timing.ScoreConfig and VADParams is timing.VADParams
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("hotato.nothing_like_it")


def test_importing_hotato_loads_no_arrays():
    heavy = "{'numpy', 'msgspec', 'importlib.abc', 'tempfile'}"
    code = f"import sys, hotato, hotato.core; sys.exit(len({heavy} & set(sys.modules)))"
    env = {**os.environ, "PYTHONPATH": str(Path(hotato.__file__).parents[1])}  # -S skips installed paths
    assert subprocess.run([sys.executable, "-S", "-c", code], env=env, check=False).returncode == 0
