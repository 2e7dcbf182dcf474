"""Verify contracts: each is what it was sealed as, and its moment still measures as its label asks."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import Any

import msgspec

from hotato.checks import ERROR, Check, Checks
from hotato.contract.found import is_bundle, require_alone
from hotato.contract.keys import Key
from hotato.contract.layout import CONTRACT, SUFFIX
from hotato.contract.records import Verified
from hotato.contract.shares import Progress, in_shares
from hotato.contract.verify_one import REFUSED, SEALS, refused, verify_bundle
from hotato.contract.words import told_figures
from hotato.errors import EXIT_FAIL, EXIT_PASS, EXIT_REFUSE, Refusal
from hotato.plain import portable, stated_name
from hotato.score import builtins_of

CAVEAT = (
    "A recording that was kept has been measured again. That says nothing of the agent in service: only a "
    "new recording of the same moment does (hotato contract verify BUNDLE --against NEW.wav)."
)
"""Stands beside every result of a verification, wherever it is shown."""

GROUP = "contracts"


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification of one or many contracts found.

    Attributes:
        folder: the folder or bundle, as it is stated.
        results: one for each bundle, in the order of their names.
        given: words of the command line behind the folder that the results rest on.
    """

    folder: str
    results: tuple[Verified, ...]
    given: tuple[str, ...] = ()

    @property
    def passed(self) -> int:
        """How many passed."""
        return sum(result.passed for result in self.results)

    @property
    def tampered(self) -> int:
        """How many are not what they were sealed as."""
        return sum(result.integrity == "tampered" for result in self.results)

    @property
    def refused(self) -> int:
        """How many could not be read as a contract at all."""
        return sum(REFUSED in result.reason_codes for result in self.results)

    @property
    def exit_code(self) -> int:
        """0 where every contract passes, 2 where one cannot be read, else 1."""
        if self.refused:
            return EXIT_REFUSE
        return EXIT_PASS if self.passed == len(self.results) else EXIT_FAIL

    def checks(self) -> Checks:
        """The same for whatever shows it."""
        return Checks(
            name="contract verify",
            checks=tuple(_check(result) for result in self.results),
            exit_code=self.exit_code,
            notes=(CAVEAT,),
            reproduce=("hotato", "contract", "verify", self.folder, *self.given),
        )


def verify_contracts(
    folder: Path,
    *,
    jobs: int | None = None,
    transcript: object = None,
    trusted: Sequence[Key] = (),
    require_signed: bool = False,
    progress: Progress | None = None,
) -> Verification:
    """Verify every bundle of a folder, or one bundle.

    Args:
        folder: holds folders `*.hotato`, or is one.
        jobs: processes; None takes what the machine has, where it pays.
        transcript: refused; see Raises.
        trusted: keys whose signature counts.
        require_signed: whether a bundle that no trusted key signed fails.
        progress: called now and then with how many are done, and of how many.

    Raises:
        Refusal: `not_found`, `not_a_directory`, `no_contracts`; `not_in_this_version` for a transcript:
            say-do checks are not evaluated yet; `no_keys` where signatures are required and no key is there.
    """
    if transcript is not None:
        raise Refusal(
            "not_in_this_version",
            "a transcript was given, and checks of what was said are not in this version",
            "leave out the transcript",
        )
    if require_signed and not trusted:
        raise Refusal(
            "no_keys", "signatures are required and no key is trusted", "name one with --trusted-key FILE"
        )
    bundles = bundles_in(folder)
    work = partial(_verified, trusted=tuple(trusted), require_signed=require_signed)
    results = in_shares(work, bundles, jobs=jobs, progress=progress)
    return Verification(portable(folder), tuple(_one_of_each(results)))


def verification_json(verification: Verification) -> dict[str, Any]:
    """The JSON of a verification; it opens no connection, and states no clock."""
    return {
        "tool": "hotato",
        "kind": "contract-verify",
        "schema_version": "1",
        "offline": True,
        "dir": verification.folder,
        "count": len(verification.results),
        "results": [builtins_of(result) for result in verification.results],
        "summary": {
            "passed": verification.passed,
            "failed": len(verification.results) - verification.passed,
        },
        "tampered": verification.tampered,
        "refused": verification.refused,
        "assertions_failed": 0,
        "exit_code": verification.exit_code,
        "unsigned": sum(result.authenticity == "unsigned" for result in verification.results),
        "signed": sum(result.authenticated for result in verification.results),
        "untrusted_key": sum(result.authenticity == "untrusted-key" for result in verification.results),
        "notes": [CAVEAT],
        "given": list(verification.given),
    }


def bundles_in(folder: Path) -> list[tuple[Path, str]]:
    """The bundles of a folder, or the one that it is, in the order of their names; each with what to call it.

    A link or a file of a bundle's name is listed too: it is refused when it is verified, never left out.

    Raises:
        Refusal: `not_found`, `not_a_directory`, `no_contracts`; `nested_bundle` where it is one and holds
            another one, which would be passed over.
    """
    named = folder.parent if folder.name == CONTRACT else folder
    if not named.exists():
        raise Refusal("not_found", f"there is no folder '{folder}'", "check the path")
    if not named.is_dir():
        raise Refusal("not_a_directory", f"'{folder}' is no folder", "name the folder of the contracts")
    if is_bundle(named.resolve()) or os.path.lexists(named / CONTRACT):
        require_alone(named.resolve())
        return [(named.resolve(), stated_name(named))]  # whoever names a link means what it leads to
    names = sorted(entry.name for entry in named.iterdir() if is_bundle(entry))
    if not names:
        raise Refusal(
            "no_contracts",
            f"'{folder}' holds no contract, so that nothing was verified",
            f"name a folder with bundles ID{SUFFIX} in it",
        )
    return [(named / name, stated_name(named / name)) for name in names]


def _verified(bundle: tuple[Path, str], *, trusted: tuple[Key, ...], require_signed: bool) -> Verified:
    folder, where = bundle
    try:
        if not stat.S_ISDIR(folder.stat(follow_symlinks=False).st_mode):
            raise Refusal("not_a_bundle", f"'{where}' is a link or a file", "put the bundle's folder there")
        return verify_bundle(folder, where, trusted=trusted, require_signed=require_signed)
    except Refusal as refusal:
        return refused(PurePath(where).name, where, refusal)
    except Exception as error:  # noqa: BLE001 - one bundle, however odd, hides no other
        why = getattr(error, "strerror", None) or type(error).__name__
        return refused(
            PurePath(where).name,
            where,
            Refusal("unreadable", f"'{where}' cannot be read: {why}", "look at it"),
        )


def _one_of_each(results: list[Verified]) -> list[Verified]:
    """The results; where two bundles state one id, neither passes: one of them is not the contract it was."""
    counts = Counter(result.id for result in results)
    return [result if counts[result.id] == 1 else _not_alone(result) for result in results]


def _not_alone(result: Verified) -> Verified:
    return msgspec.structs.replace(
        result,
        status=ERROR,
        passed=False,
        reasons=(*result.reasons, f"another bundle states the id {result.id} as well"),
        reason_codes=(*result.reason_codes, "id_repeated"),
        next_step=result.next_step or "keep one of the bundles, or make the other one under its own id",
    )


def _whose(result: Verified) -> str:
    """Whose word the bundle is; a signature that holds over a manifest whose members differ says both."""
    if result.authenticity == "signed" and not result.authenticated:
        return "signed: the manifest; members differ"
    return result.authenticity


def _check(result: Verified) -> Check:
    return Check(
        id=result.id if "id_repeated" not in result.reason_codes else f"{result.id} ({result.dir})",
        group=GROUP,
        status=result.status,
        title="a contract" if result.expect is None else f"the agent should {result.expect}",
        reason="; ".join(result.reasons) or None,
        codes=result.reason_codes,
        measured={
            **told_figures(result.measurement or {}, result.expect),
            **({"profile": result.profile} if result.measurement and result.profile else {}),
            **({"too close to call": "; ".join(result.too_close)} if result.too_close else {}),
            SEALS: result.integrity,
            "authenticity": _whose(result),
            **({"drift": "; ".join(result.drift)} if result.drift else {}),
        },
        file=result.dir,
        next_step=result.next_step,
    )
