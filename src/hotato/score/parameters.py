"""Every parameter that a verdict depends on, by the record that holds it: one list for all files."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from hotato.score.doubts import DoubtParams
from hotato.timing import CALIBRATION, EchoParams, ResumeParams
from hotato.timing.edge_errors import EDGE_ERRORS, UncertainParams
from hotato.timing.edges import EdgeParams
from hotato.timing.floor import FloorParams
from hotato.timing.health import HealthParams
from hotato.timing.hum import HumParams
from hotato.timing.robust import RobustParams
from hotato.timing.sameness import SamenessParams
from hotato.timing.snr import SnrParams
from hotato.timing.speech import SpeechParams
from hotato.trust.examine import TrustParams


def parameters() -> dict[str, dict[str, Any]]:
    """The constants of every detector, both profiles and every doubt, by the name of their record.

    What a caller may choose (`ScoreConfig`) is not among them.
    """
    records = (
        CALIBRATION,
        EchoParams(),
        ResumeParams(),
        EdgeParams(),
        EDGE_ERRORS,
        UncertainParams(),
        FloorParams(),
        HealthParams(),
        HumParams(),
        SamenessParams(),
        SnrParams(),
        RobustParams(),
        SpeechParams(),
        TrustParams(),
        DoubtParams(),
    )
    return {type(record).__name__: asdict(record) for record in records}
