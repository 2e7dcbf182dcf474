"""Whether a bundle is what it was sealed as: every member, and the digest that its contract states."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from hotato.canonical import decode_json
from hotato.contract.attest import DIGEST_FIELDS, canonical_digest
from hotato.contract.bundle import contract_of, read_member
from hotato.contract.found import require_alone
from hotato.contract.layout import CONTRACT, MANIFEST, is_sealed
from hotato.contract.members import Survey, digest_of, survey
from hotato.contract.records import Contract, Sha256
from hotato.errors import Refusal
from hotato.plain import shown

_TOLD = 3
"""Faults of a bundle that a refusal names."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One sealed member.

    Attributes:
        sha256: of its bytes, hex.
        bytes: how many they are.
    """

    sha256: Sha256
    bytes: Annotated[int, Meta(ge=0)]


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`MANIFEST.sha256.json`.

    Attributes:
        schema: version of this shape.
        members: every sealed member by its path, in their order.
    """

    schema: Literal["hotato.manifest.v1"]
    members: dict[str, Entry]


def read_manifest(data: bytes) -> Manifest:
    """A manifest from its bytes.

    Raises:
        Refusal: `corrupt`, `repeated_key`.
    """
    manifest: Manifest = json_of(data, MANIFEST, Manifest)
    return manifest


def broken_seals(
    folder: Path, found: Survey, known: Mapping[str, tuple[str, int]] | None = None
) -> list[str]:
    """Every sealed member that is not what the manifest says, each with what is wrong, in their order.

    Args:
        folder: the bundle.
        found: what lies in it.
        known: sha256 and size of members that were read already.
    """
    links = [f"{shown(member)}: {what}" for member, what in sorted(found.odd.items())]
    if MANIFEST not in found.sizes:
        return [*links, f"{MANIFEST}: missing"]
    try:
        manifest = read_manifest(read_member(folder, MANIFEST))
    except Refusal as refusal:
        return [*links, f"{MANIFEST}: {refusal.message}"]
    present = {member for member in found.sizes if is_sealed(member)}
    wrong = []
    for member in sorted({*present, *manifest.members}):
        why = _wrong(folder, member, manifest, found, known or {})
        if why is not None:
            wrong.append(f"{shown(member)}: {why}")
    return [*links, *wrong]


def _wrong(
    folder: Path, member: str, manifest: Manifest, found: Survey, known: Mapping[str, tuple[str, int]]
) -> str | None:
    entry = manifest.members.get(member)
    if entry is None:
        return "not in the manifest"
    if not is_sealed(member):
        return "listed in the manifest, which cannot cover it"
    if member not in found.sizes:
        return None if member in found.odd else "missing"
    if found.sizes[member] != entry.bytes or (known.get(member) or digest_of(folder, member)) != (
        entry.sha256,
        entry.bytes,
    ):
        return "changed"
    return None


def intact_contract(folder: Path, found: Survey) -> Contract:
    """The contract of a bundle that is what it was sealed as.

    Args:
        folder: the bundle.
        found: its members.

    Raises:
        Refusal: `tampered`, naming what is wrong; and whatever reading the bundle is refused for.
    """
    require_alone(folder)
    contract = contract_of(read_member(folder, CONTRACT), folder.name)
    wrong = what_is_wrong(folder, found, contract)
    if wrong:
        raise Refusal(
            "tampered",
            f"'{folder}' is not what it was sealed as ({'; '.join(wrong[:_TOLD])})",
            "restore it, or make the contract again",
        )
    return contract


def in_bundle(path: Path) -> bool:
    """Whether a path is a bundle that is what it was sealed as, or the `contract.json` of one.

    Args:
        path: the folder, or the file; one with no manifest beside it, or of another name, is in none.

    Raises:
        Refusal: see `intact_contract`.
    """
    folder = path if path.is_dir() else path.parent
    if (folder != path and path.name != CONTRACT) or not (folder / MANIFEST).exists():
        return False
    intact_contract(folder, survey(folder))
    return True


def what_is_wrong(folder: Path, found: Survey, contract: Contract) -> list[str]:
    """Everything in which a bundle is not what it was sealed as, a clause each.

    A manifest can be made again over whatever is left; the recording has to be there all the same.
    """
    audio = str(contract.bundle["paths"]["audio"])
    seals = broken_seals(folder, found)
    absent = [] if audio in found.sizes or any(one.startswith(audio) for one in seals) else [audio]
    return [*seals, *(f"{member}: missing" for member in absent), *broken_digest(contract)]


def broken_digest(contract: Contract) -> list[str]:
    """What is wrong with the digest that a contract states: nothing, or one clause."""
    stated = contract.attestation
    if stated is None:
        return [f"{CONTRACT}: states no digest"]
    if stated.digest_fields != DIGEST_FIELDS:
        return [f"{CONTRACT}: its digest covers other fields than it has to"]
    if stated.canonical_digest != canonical_digest(contract):
        return [f"{CONTRACT}: its label, policy, moment, audio or scorer is not what its digest was made of"]
    return []


def json_of(data: bytes, what: str, type: Any) -> Any:
    """A record from the JSON of a member, strictly.

    Raises:
        Refusal: `corrupt`, or `repeated_key`.
    """
    try:
        return decode_json(data, what, type)
    except msgspec.DecodeError as error:
        raise Refusal("corrupt", f"{what} cannot be read: {error}", "fetch the bundle again") from error
    except (UnicodeDecodeError, RecursionError):
        raise Refusal("corrupt", f"{what} is no JSON", "fetch the bundle again") from None
