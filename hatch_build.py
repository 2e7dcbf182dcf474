"""Compiles `kernel.c` into the package where a C compiler is at hand; without one numpy sums, slower.

The compiler is `$CC`, or `cc`. What it makes needs no Python headers and serves every version of Python, so
that a wheel is bound to a platform only.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = "src/hotato/timing/kernel.c"
LIBRARY = "src/hotato/timing/_kernel.so"
FLAGS = ("-O3", "-fPIC", "-shared")


class KernelBuild(BuildHookInterface[Any]):
    """Part of every build of a wheel, editable ones included."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say what the wheel holds."""
        root = Path(self.root)
        library = root / LIBRARY
        library.unlink(missing_ok=True)  # never one of an earlier version
        if not self._compiles(root / SOURCE, library):
            return
        build_data["artifacts"].append(LIBRARY)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_platform()}"

    def _compiles(self, source: Path, library: Path) -> bool:
        compiler = shlex.split(os.environ.get("CC") or "cc")
        made = library.with_suffix(".tmp")
        try:
            subprocess.run([*compiler, *FLAGS, "-o", str(made), str(source)], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            self.app.display_warning(f"kernel.c was not compiled, numpy sums instead: {error}")
            made.unlink(missing_ok=True)
            return False
        made.replace(library)
        return True


def _platform() -> str:
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
