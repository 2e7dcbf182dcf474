"""What a contract says of its own integrity: one digest over what was judged, by whom, and how."""

from __future__ import annotations

import msgspec

from hotato.canonical import digest
from hotato.contract.manifest import seal
from hotato.contract.records import Attestation, Contract

__all__ = ["DIGEST_FIELDS", "STATEMENT", "attested", "canonical_digest", "seal"]

DIGEST_FIELDS = ("schema", "label", "policy", "bundle_pcm_sha256", "event", "scorer")
"""What the digest covers, by name."""

STATEMENT = (
    "The digest covers the label, the policy, the decoded samples, where the moment lies in them, and what "
    "measured. Equal digests mean the same contract. Who made it is for a signature to say."
)


def canonical_digest(contract: Contract) -> str:
    """Sha256 (hex) over `DIGEST_FIELDS` of a contract, as `hotato.canonical.digest` computes it."""
    return digest(
        {
            "schema": contract.schema,
            "label": contract.label,
            "policy": contract.policy,
            "bundle_pcm_sha256": contract.source.bundle_pcm_sha256,
            "event": contract.event,
            "scorer": contract.scorer,
        }
    )


def attested(contract: Contract) -> Contract:
    """The same contract with its digest stated in it."""
    statement = Attestation(
        canonical_digest=canonical_digest(contract), digest_fields=DIGEST_FIELDS, statement=STATEMENT
    )
    return msgspec.structs.replace(contract, attestation=statement)
