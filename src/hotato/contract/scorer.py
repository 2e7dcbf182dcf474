"""What measured: every parameter of the measurement under one digest."""

from __future__ import annotations

import dataclasses

from hotato.canonical import digest
from hotato.score.doubts import DoubtParams
from hotato.score.frames import config_block
from hotato.timing import CALIBRATION, EchoParams, ResumeParams, ScoreConfig
from hotato.timing.edge_errors import EDGE_ERRORS
from hotato.timing.edges import EdgeParams
from hotato.timing.robust import RobustParams


def config_marker(cfg: ScoreConfig | None = None) -> str:
    """Sha256 (hex) over the parameters that a verdict depends on, of every detector and both profiles."""
    records = (
        CALIBRATION,
        EchoParams(),
        ResumeParams(),
        EdgeParams(),
        EDGE_ERRORS,
        RobustParams(),
        DoubtParams(),
    )
    parameters = {type(record).__name__: dataclasses.asdict(record) for record in records}
    return digest({"config": config_block(cfg or ScoreConfig()), **parameters})
