"""The last gate: every lane of evidence composed into one fail-closed verdict on a release.

    from pathlib import Path
    from hotato.prove import contracts_lane, gauntlet_lane, prove
    proof = prove([contracts_lane(Path("contracts")), gauntlet_lane()])
    assert proof.exit_code == 0

A lane passes, fails, is inconclusive or was refused. Only when every lane passes does the proof.
"""

from hotato.prove.compose import DEFAULT_NAME, candidate_of, proof_checks, prove
from hotato.prove.lanes import Judged, before_after_lane, contracts_lane, gauntlet_lane
from hotato.prove.records import Candidate, Evidence, Lane, Proof, content_id_of
from hotato.prove.text import PROOF_MARK, PROOF_MD_MARK, proof_markdown, proof_text

__all__ = [
    "DEFAULT_NAME",
    "PROOF_MARK",
    "PROOF_MD_MARK",
    "Candidate",
    "Evidence",
    "Judged",
    "Lane",
    "Proof",
    "before_after_lane",
    "candidate_of",
    "content_id_of",
    "contracts_lane",
    "gauntlet_lane",
    "proof_checks",
    "proof_markdown",
    "proof_text",
    "prove",
]
