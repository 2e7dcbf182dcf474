"""Files that put hotato into somebody's repository: a starter, pipelines, notes for coding agents.

Everything is text from templates and a record of what was written and what was kept. Nothing that a person
already has is changed unless they say so, and of a set of files either all are written or none.
"""

from hotato.scaffold.detect import Detection, Sighting, detect_stack
from hotato.scaffold.install import DEFAULT_INSTALL, PLACEHOLDER, require_requirement
from hotato.scaffold.kept import INSTALL, STACK, OtherValue, ignores, missing_ignores, other_values
from hotato.scaffold.kits import SYSTEMS, pipeline, starter
from hotato.scaffold.notes import agent_notes
from hotato.scaffold.place import Placed, ScaffoldFile, place

__all__ = [
    "DEFAULT_INSTALL",
    "INSTALL",
    "PLACEHOLDER",
    "STACK",
    "SYSTEMS",
    "Detection",
    "OtherValue",
    "Placed",
    "ScaffoldFile",
    "Sighting",
    "agent_notes",
    "detect_stack",
    "ignores",
    "missing_ignores",
    "other_values",
    "pipeline",
    "place",
    "require_requirement",
    "starter",
]
