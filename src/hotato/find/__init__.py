"""Unlabelled audio: the moments of a call worth a look, and the incidents among them."""

from hotato.find.autopsy import autopsy, autopsy_json, stored_envelope
from hotato.find.costs import CostConfig, cost_config
from hotato.find.params import GradeParams, ScanParams
from hotato.find.records import CRITICAL, WARNING, Autopsy, Candidate, Incident, recording_id
from hotato.find.refs import Picked, pick
from hotato.find.scan import candidate_json, scan, scan_json

__all__ = [
    "CRITICAL",
    "WARNING",
    "Autopsy",
    "Candidate",
    "CostConfig",
    "GradeParams",
    "Incident",
    "Picked",
    "ScanParams",
    "autopsy",
    "autopsy_json",
    "candidate_json",
    "cost_config",
    "pick",
    "recording_id",
    "scan",
    "scan_json",
    "stored_envelope",
]
