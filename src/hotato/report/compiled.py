"""Compiled templates, kept where Python keeps compiled modules: in `__pycache__` beside their sources.

Compiling the templates takes longer than filling them in. What is kept belongs to one source text, one Python
and one Jinja (the library checks all three); where it cannot be kept, nothing is lost but the time.
"""

from __future__ import annotations

import contextlib
import pickle
import sys
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache

from hotato.canonical import write_atomic

_DAMAGED = (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, ValueError)
"""What the standard library names for a file that breaks off or is no such file."""


class CompiledTemplates(BytecodeCache):
    """Jinja's cache as one file for each template in `folder`."""

    def __init__(self, folder: Path):
        self._folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket where a file of this template can be read."""
        with contextlib.suppress(OSError, *_DAMAGED), self._file(bucket).open("rb") as kept:
            bucket.load_bytecode(kept)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the bucket, unless Python itself is told to keep no bytecode or the folder refuses."""
        if sys.dont_write_bytecode:
            return
        with contextlib.suppress(OSError, ValueError):
            self._folder.mkdir(exist_ok=True)
            write_atomic(self._file(bucket), bucket.bytecode_to_string(), force=True)

    def _file(self, bucket: Bucket) -> Path:
        return self._folder / f"{bucket.key}.{sys.implementation.cache_tag}.jinja"
