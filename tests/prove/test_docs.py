"""The example of docs/PROVE.md runs, and the page names what there is."""

from __future__ import annotations

import re
from pathlib import Path

from hotato.prove.records import AUTHORITIES, SCOPES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "PROVE.md").read_text()


def test_the_python_example_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(compile(example, "PROVE.md", "exec"), {})
    assert capsys.readouterr().out == "pass Test Suite\n"


def test_every_scope_and_authority_is_explained():
    assert all(f"| {scope} |" in PAGE for scope in SCOPES[1:])
    assert all(f"`{authority}`" in PAGE for authority in AUTHORITIES)
