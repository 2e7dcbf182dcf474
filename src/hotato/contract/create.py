"""One labelled moment, pinned: a bundle that re-measures it for ever."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from hotato.contract import layout
from hotato.contract.assemble import members_of
from hotato.contract.bundle import contract_of
from hotato.contract.by_hand import fitting_remedies
from hotato.contract.moment import PinnedMoment, pinned_moment
from hotato.contract.own import bundle_of
from hotato.contract.pin import Pin
from hotato.contract.records import Contract
from hotato.contract.statement import contract_for, require_pin
from hotato.errors import Refusal
from hotato.trees import staged_tree

__all__ = ["Created", "Pin", "create_contract"]


@dataclass(frozen=True, slots=True)
class Created:
    """A bundle that was written.

    Attributes:
        contract: what its `contract.json` states.
        path: the bundle's folder.
    """

    contract: Contract
    path: Path


def create_contract(pin: Pin, folder: Path, *, force: bool = False) -> Created:
    """Pin a moment: the whole bundle `folder/<id>.hotato`, or nothing.

    Args:
        pin: the moment, its label and its bounds.
        folder: where bundles lie.
        force: replace a bundle of the same contract; anything else of that name stays.

    Raises:
        UsageError: see `statement.require_pin` and `score.request.Label`.
        Refusal: see `moment.pinned_moment` and `hotato.trees.staged_tree`; `is_an_input`.
    """
    require_pin(pin)
    target = folder / f"{pin.id}{layout.SUFFIX}"
    _require_place(target, pin, force=force)
    with fitting_remedies(pin):
        moment = pinned_moment(pin)
    return _written(moment, target, force=force)


def _require_place(target: Path, pin: Pin, *, force: bool) -> None:
    """Refuse early what could not be written, and to replace what is no bundle or holds the recording."""
    names = [entry.name for entry in target.parent.iterdir()] if target.parent.is_dir() else []
    for name in sorted(names):
        if name != target.name and name.casefold() == target.name.casefold():
            raise Refusal(
                "exists",
                f"'{target.parent / name}' exists, and some systems take its name for '{target.name}'",
                "choose another --id",
            )
    if not os.path.lexists(target):
        return
    if not force:
        raise Refusal("exists", f"'{target}' exists already", "choose another --id, or pass --force")
    bundle_of(pin.id)(target)
    inside = target.resolve()
    for source in (pin.stereo, pin.caller, pin.agent):
        if source is not None and os.fspath(source) != "-" and inside in Path(source).resolve().parents:
            raise Refusal(
                "is_an_input",
                f"'{target}' holds the recording that is to be pinned and would be replaced",
                "choose another --id",
            )


def _written(moment: PinnedMoment, target: Path, *, force: bool) -> Created:
    contract = contract_for(moment)
    members = members_of(moment, contract)
    contract = contract_of(members[layout.CONTRACT], target.name)  # what a reader will make of it
    with staged_tree(target, ours=bundle_of(contract.id) if force else None) as tree:
        (tree / layout.TRACES).mkdir()
        for path, content in members.items():
            place = tree / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
    return Created(contract, target)
