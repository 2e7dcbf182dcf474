"""Unlabelled audio: the moments of a call worth a look, and the incidents among them."""

from hotato.find.params import GradeParams, ScanParams
from hotato.find.records import CRITICAL, WARNING, Autopsy, Candidate, Incident
from hotato.find.scan import candidate_json, scan, scan_json

__all__ = [
    "CRITICAL",
    "WARNING",
    "Autopsy",
    "Candidate",
    "GradeParams",
    "Incident",
    "ScanParams",
    "candidate_json",
    "scan",
    "scan_json",
]
