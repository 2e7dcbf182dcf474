"""The frozen batteries of bench 0.1, byte for byte; docs/BENCH-SPEC.md shows the same table.

The hashes stand in the code, so that a folder of a battery's name is not yet that battery. A change here is a
new bench version.
"""

from __future__ import annotations

from dataclasses import dataclass

BENCH_VERSION = "0.1"
BUNDLED = "bundled"
OWN_TIER = "own"
"""The tier of a set that is none of the frozen batteries."""


@dataclass(frozen=True, slots=True)
class Battery:
    """One frozen battery.

    Attributes:
        tier: a label for grouping, never a weight.
        content_hash: its address, see `suite_content_hash`.
    """

    tier: str
    content_hash: str


FROZEN = {
    BUNDLED: Battery("package", "sha256:69ba4457ef638cf80f1b4611eb120d65ae04bbb5bde81c982e056dd5c6c94c2c"),
    "silver": Battery("silver", "sha256:bbf910d7cce58d7018be489514e1771b1c9a1c2464b307fa4d5af91392732ce5"),
    "silver-defects": Battery(
        "silver", "sha256:0de6eb44e26153fc7b3daeec9145f9cb4900d5cace17d5984827dfde4a374448"
    ),
    "gold": Battery("gold", "sha256:ba75c4e6c7a9a6ab137b96aa96ab119f46cdbe66684d27ceab59ac15bb71faff"),
    "gold-defects": Battery(
        "gold", "sha256:d41c6a1ec7f859a82385c1014d57a1e7256bce07cd0ae85b271de3b4c9f28393"
    ),
}
"""The batteries by name."""

TIERS = {name: battery.tier for name, battery in FROZEN.items()}
"""The tier of each frozen battery."""
