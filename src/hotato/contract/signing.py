"""Whose word a bundle is: a signature over its contract and its manifest.

Anybody can compute the digest in `contract.json` and the manifest again: they show a change and not who made
it. A signature over the two, as a DSSE envelope around an in-toto statement, says who stands behind them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from hotato.canonical import write_atomic
from hotato.contract.attest import DIGEST_FIELDS, canonical_digest
from hotato.contract.bundle import read_member
from hotato.contract.contents import require_plain
from hotato.contract.dsse import encoded, from_base64, read_envelope, signed_envelope
from hotato.contract.integrity import intact_contract, json_of
from hotato.contract.keys import Key
from hotato.contract.layout import LISTING, MANIFEST, SIGNATURE
from hotato.contract.members import Survey, survey
from hotato.contract.records import Authenticity, Contract
from hotato.errors import Refusal
from hotato.plain import shown

PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:hotato:contract-seal:v1"
_KEY_CHARS = 16


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """A thing that a statement is about.

    Attributes:
        name: what it is called.
        digest: its digest by algorithm.
    """

    name: str
    digest: dict[str, str]


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """An in-toto statement, version 1.

    Attributes:
        type_: version of this shape (`_type` in the file).
        subject: the contract by its digest, and the manifest.
        predicate_type: what the predicate is.
        predicate: what is stated of them.
    """

    type_: str = msgspec.field(default=STATEMENT_TYPE, name="_type")
    subject: tuple[Subject, ...]
    predicate_type: str = msgspec.field(default=PREDICATE_TYPE, name="predicateType")
    predicate: dict[str, Any] = {}


def statement_of(contract: Contract, manifest: bytes) -> Statement:
    """What a signature states: this contract, with these members.

    Args:
        contract: the contract.
        manifest: the bytes of its manifest.
    """
    return Statement(
        subject=(
            Subject(name=contract.id, digest={"sha256": canonical_digest(contract)}),
            Subject(name=MANIFEST, digest={"sha256": hashlib.sha256(manifest).hexdigest()}),
        ),
        predicate={
            "contract": contract.id,
            "schema": contract.schema,
            "digest_fields": list(DIGEST_FIELDS),
            "expected_behavior": contract.label.expected_behavior,
        },
    )


@dataclass(frozen=True, slots=True)
class Authentic:
    """Whose word a bundle is.

    Attributes:
        word: `unsigned`, `signed` by a trusted key, or signed by an `untrusted-key`.
        reason: why it is that, in one clause.
        wrong: what is wrong with the signature; such a bundle was tampered with.
    """

    word: Authenticity
    reason: str
    wrong: tuple[str, ...] = ()


def authenticate(folder: Path, found: Survey, contract: Contract, trusted: Sequence[Key]) -> Authentic:
    """Check the signature of a bundle whose members and digest were found to be intact, or not.

    A signature over other content, or one that does not verify under the trusted key that it names, is
    wrong. One of a key that nobody trusts can only be held against the content.
    """
    if SIGNATURE not in found.sizes:
        return Authentic("unsigned", "nobody signed it")
    try:
        envelope = read_envelope(read_member(folder, SIGNATURE), SIGNATURE)
        payload = from_base64(envelope.payload, "its payload")
        signatures = [(each.keyid, from_base64(each.sig, "a signature")) for each in envelope.signatures]
        if envelope.payload_type != PAYLOAD_TYPE:
            raise Refusal("corrupt", f"its payload is not of the type {PAYLOAD_TYPE}")
        stated: Statement = json_of(payload, "its statement", Statement)
        manifest = read_member(folder, MANIFEST) if MANIFEST in found.sizes else b""
    except Refusal as refusal:
        return _wrong(f"cannot be read ({refusal.message})")
    if stated != statement_of(contract, manifest):
        return _wrong("was made over another contract or other members")
    message = encoded(PAYLOAD_TYPE, payload)
    by_id = {key.id: key for key in trusted}
    for key_id, signature in signatures:
        if key_id in by_id and not by_id[key_id].verifies(message, signature):
            return _wrong(f"does not verify under the key {key_id[:_KEY_CHARS]} that it names")
    for key in trusted:
        if any(key.verifies(message, signature) for _, signature in signatures):
            return Authentic("signed", f"signed by the trusted key {key.id[:_KEY_CHARS]} ({key.kind})")
    named = shown(signatures[0][0], _KEY_CHARS + 1)[:_KEY_CHARS] or "without an id"
    why = "which is none of the trusted keys" if trusted else "and no trusted key was given to check it"
    return Authentic("untrusted-key", f"signed by a key {named}, {why}")


def _wrong(why: str) -> Authentic:
    return Authentic("untrusted-key", f"the signature {why}", (f"{SIGNATURE}: the signature {why}",))


@dataclass(frozen=True, slots=True)
class Signed:
    """A signature that was written.

    Attributes:
        path: the file.
        contract_id: whose.
        key_id: id of the key.
        kind: its kind.
    """

    path: Path
    contract_id: str
    key_id: str
    kind: str


def sign(folder: Path, key: Key, *, force: bool = False) -> Signed:
    """Sign a bundle that is what it was sealed as.

    Args:
        folder: the bundle.
        key: a private key, or a shared secret.
        force: whether another signature is replaced.

    Raises:
        Refusal: `tampered`: the bundle is not intact, and a signature would vouch for the change; `exists`;
            and whatever reading the bundle is refused for.
    """
    found = survey(folder)
    contract = intact_contract(folder, found)
    require_plain(folder, found, LISTING)
    statement = msgspec.json.encode(statement_of(contract, read_member(folder, MANIFEST)))
    envelope = signed_envelope(PAYLOAD_TYPE, statement, key)
    path = write_atomic(folder / SIGNATURE, envelope, force=force)
    return Signed(path, contract.id, key.id, key.kind)
