"""What measured: every parameter of the measurement under one digest."""

from __future__ import annotations

from hotato.canonical import digest
from hotato.score.frames import config_block
from hotato.score.parameters import parameters
from hotato.timing import ScoreConfig


def config_marker(cfg: ScoreConfig | None = None) -> str:
    """Sha256 (hex) over the parameters that a verdict depends on, of every detector and both profiles."""
    return digest({"config": config_block(cfg or ScoreConfig()), **parameters()})
