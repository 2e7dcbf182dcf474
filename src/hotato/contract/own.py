"""Which folders are ours to replace: a bundle of the same contract, with nothing in it but its members."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from hotato.contract.bundle import contract_of, read_member
from hotato.contract.integrity import read_manifest
from hotato.contract.layout import CONTRACT, MANIFEST, SIGNATURE, is_sealed, paths
from hotato.contract.members import survey
from hotato.contract.names import wrong_name
from hotato.errors import Refusal
from hotato.plain import shown
from hotato.trees import Ours

_REMEDY = "name another place, or move it away yourself"


def bundle_of(contract_id: str) -> Ours:
    """The question to ask of a folder that a bundle would replace.

    It is answered with a refusal, `not_ours`, unless the folder states the same id in its `contract.json` and
    holds nothing that could not be a member of it.

    Args:
        contract_id: id of the contract that takes the place.
    """

    def ours(folder: Path) -> None:
        found = survey(folder)
        if CONTRACT not in found.sizes:
            _refuse(folder, f"it holds no {CONTRACT}")
        try:
            stated = contract_of(read_member(folder, CONTRACT), folder.name)
            listed = read_manifest(read_member(folder, MANIFEST)).members if MANIFEST in found.sizes else {}
        except Refusal as refusal:
            _refuse(folder, refusal.message)
        if stated.id != contract_id:
            _refuse(folder, f"it is the contract {shown(stated.id)}, not {shown(contract_id)}")
        known = {*_paths(paths(str(stated.bundle["paths"]["audio"]))), MANIFEST, SIGNATURE, *listed}
        for member in (*found.odd, *found.sizes):
            if member in found.odd or wrong_name(member) or (is_sealed(member) and member not in known):
                _refuse(folder, f"'{shown(member)}' is no member of a bundle")

    return ours


def _paths(table: object) -> list[str]:
    """Every path of the table of members, which is nested."""
    if isinstance(table, dict):
        return [path for value in table.values() for path in _paths(value)]
    return [str(table)]


def _refuse(folder: Path, why: str) -> NoReturn:
    raise Refusal(
        "not_ours", f"'{folder}' is not replaced, because it is not the same bundle: {why}", _REMEDY
    )
