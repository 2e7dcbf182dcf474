"""Unlabelled audio: the moments of a call worth a look, and the incidents among them."""

from hotato.find.autopsy import autopsy, autopsy_json, opening, stored_envelope
from hotato.find.costs import CostConfig, cost_config
from hotato.find.health import call_doubts
from hotato.find.investigate import Investigation, Ranked, investigate, investigation_json
from hotato.find.labels import fitting_labels, start_of
from hotato.find.origin import Origin, origin_of
from hotato.find.params import GradeParams, ScanParams
from hotato.find.records import CRITICAL, WARNING, Autopsy, Candidate, Incident, recording_id
from hotato.find.refs import Picked, begins_sec, call_ref, pick
from hotato.find.scan import candidate_json, scan, scan_json
from hotato.find.state import keep, require_usable
from hotato.find.sweep import Analysis, Found, Named, SweepParams, analysis_json, picked_at, picked_of, sweep

__all__ = [
    "CRITICAL",
    "WARNING",
    "Analysis",
    "Autopsy",
    "Candidate",
    "CostConfig",
    "Found",
    "GradeParams",
    "Incident",
    "Investigation",
    "Named",
    "Origin",
    "Picked",
    "Ranked",
    "ScanParams",
    "SweepParams",
    "analysis_json",
    "autopsy",
    "autopsy_json",
    "begins_sec",
    "call_doubts",
    "call_ref",
    "candidate_json",
    "cost_config",
    "fitting_labels",
    "investigate",
    "investigation_json",
    "keep",
    "opening",
    "origin_of",
    "pick",
    "picked_at",
    "picked_of",
    "recording_id",
    "require_usable",
    "scan",
    "scan_json",
    "start_of",
    "stored_envelope",
    "sweep",
]
