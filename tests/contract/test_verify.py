"""Verifying contracts: what was sealed, measured again, in the order of the names."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from hotato.canonical import to_json
from hotato.contract import layout, verify_one
from hotato.contract.archive import pack
from hotato.contract.attest import attested, seal
from hotato.contract.bundle import contract_of
from hotato.contract.integrity import in_bundle
from hotato.contract.keys import new_secret
from hotato.contract.records import Contract
from hotato.contract.signing import sign
from hotato.contract.verify import CAVEAT, bundles_in, verification_json, verify_contracts
from hotato.errors import Refusal
from hotato.report import result_card

SPANS = {
    "good": {"caller": [[2.0, 3.2]], "agent": [[0.3, 2.4], [4.2, 6.0]]},
    "bad": {"caller": [[2.0, 3.2]], "agent": [[0.3, 6.0]]},
}


def one(folder: Path, **options):
    """The one result of a bundle."""
    return verify_contracts(folder, **options).results[0]


def reseal(folder: Path, change=lambda contract: contract) -> None:
    """What a forger does who knows the format: change the contract, and compute digest and manifest anew."""
    path = folder / layout.CONTRACT
    path.write_text(to_json(attested(change(contract_of(path.read_bytes(), "x")))))
    files = (file for file in folder.rglob("*") if file.is_file())
    members = {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}
    (folder / layout.MANIFEST).write_bytes(seal(members))


def loosened(contract: Contract) -> Contract:
    """The contract with its bound on talking over the caller taken away."""
    conditions = msgspec.structs.replace(contract.policy.pass_conditions, max_talk_over_sec=None)
    policy = msgspec.structs.replace(contract.policy, pass_conditions=conditions)
    return msgspec.structs.replace(contract, policy=policy)


def test_a_kept_moment_passes_or_fails_as_it_was_measured(build) -> None:
    build("b-bad", SPANS["bad"])
    folder = build("a-good", SPANS["good"]).parent
    found = verify_contracts(folder)
    assert [(result.id, result.status) for result in found.results] == [("a-good", "pass"), ("b-bad", "fail")]
    assert found.results[0].measurement["seconds_to_yield"] == pytest.approx(0.4, abs=0.2)
    assert found.results[1].reason_codes == ("no_yield",)
    assert not any(result.drift for result in found.results)
    assert found.exit_code == 1
    assert verify_contracts(folder / "a-good.hotato").exit_code == 0
    assert verify_contracts(folder / "a-good.hotato" / "contract.json").exit_code == 0


def test_a_bound_decides_the_same_recording(build) -> None:
    assert one(build("a", SPANS["good"], max_talk_over_sec=0.05)).reason_codes == ("talk_over",)
    assert one(build("b", SPANS["good"], max_talk_over_sec=1.0)).passed
    assert one(build("c", SPANS["good"], expect="hold")).reason_codes == ("false_stop",)


SEALED = [layout.AUDIO_FLAC, layout.FRAMES, layout.POLICY, layout.JUNIT, layout.CARD]


@pytest.mark.parametrize("member", [*SEALED, layout.CONTRACT, layout.MANIFEST])
def test_a_changed_member_is_named(build, member) -> None:
    folder = build("a")
    data = bytearray((folder / member).read_bytes())
    data[-2:-2] = b"  " if member.endswith(".json") else b"x"
    (folder / member).write_bytes(data)
    result = one(folder)
    if member == layout.MANIFEST:  # the same words with other blanks: it still says the same
        assert result.passed
        (folder / member).write_bytes(b"{}")
        result = one(folder)
    assert (result.status, result.integrity, result.passed) == ("error", "tampered", False)
    assert [told.split(":")[0] for told in result.tampered] == [member]
    assert result.measurement is None
    assert verify_contracts(folder).exit_code == 1


@pytest.mark.parametrize("member", [*SEALED, layout.MANIFEST])
def test_a_missing_member_is_named(build, member) -> None:
    folder = build("a")
    (folder / member).unlink()
    result = one(folder)
    assert result.integrity == "tampered"
    assert result.tampered == (f"{member}: missing",)


def test_a_further_member_is_named(build) -> None:
    folder = build("a")
    (folder / "evidence" / "more.txt").write_text("more")
    assert one(folder).tampered == ("evidence/more.txt: not in the manifest",)


def test_what_people_fill_in_later_is_outside_the_seal(build) -> None:
    folder = build("a")
    (folder / layout.STACK_CONFIG).write_text('{"endpointing_ms": 300}')
    (folder / layout.AFTER_REPORT).write_text("<p>fixed</p>")
    (folder / layout.TRACES).mkdir()
    (folder / layout.TRACES / "call.jsonl").write_text("{}\n")
    assert one(folder).passed


def test_a_link_is_no_member(build, tmp_path) -> None:
    folder = build("a")
    (tmp_path / "elsewhere").write_bytes((folder / layout.FRAMES).read_bytes())
    (folder / layout.FRAMES).unlink()
    (folder / layout.FRAMES).symlink_to(tmp_path / "elsewhere")
    assert one(folder).tampered == (f"{layout.FRAMES}: a link",)


def test_a_loosened_policy_is_tampering_however_far_the_forger_goes(build) -> None:
    folder = build("a", SPANS["good"], max_talk_over_sec=0.05)
    _, key = new_secret()
    sign(folder, key)
    whole = (folder / layout.CONTRACT).read_bytes()
    contract = contract_of(whole, "a")
    (folder / layout.CONTRACT).write_text(to_json(loosened(contract)))
    result = one(folder, trusted=[key])
    assert {told.split(":")[0] for told in result.tampered} == {layout.CONTRACT, layout.SIGNATURE}
    # The manifest computed anew: the digest still tells.
    (folder / layout.SIGNATURE).unlink()
    files = (file for file in folder.rglob("*") if file.is_file())
    members = {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}
    (folder / layout.MANIFEST).write_bytes(seal(members))
    result = one(folder)
    assert result.tampered[0].startswith(f"{layout.CONTRACT}: its label, policy")
    # Digest and manifest anew: consistent, and nobody's word. Only a required signature tells.
    reseal(folder)
    assert (one(folder).passed, one(folder).authenticity) == (True, "unsigned")
    result = one(folder, trusted=[key], require_signed=True)
    assert (result.status, result.reason_codes) == ("fail", ("unsigned",))
    assert verify_contracts(folder, trusted=[key], require_signed=True).exit_code == 1


def test_signatures_are_required_only_of_keys_that_are_named(build) -> None:
    folder = build("a")
    keys = [new_secret()[1] for _ in range(2)]
    sign(folder, keys[0])
    assert one(folder, trusted=[keys[0]], require_signed=True).authenticated
    assert one(folder, trusted=[keys[1]], require_signed=True).reason_codes == ("untrusted_key",)
    assert one(folder, trusted=[keys[1]]).passed
    with pytest.raises(Refusal, match="no key is trusted"):
        verify_contracts(folder, require_signed=True)


def test_no_signature_counts_for_a_changed_bundle(build) -> None:
    folder = build("a")
    _, key = new_secret()
    sign(folder, key)
    (folder / layout.FRAMES).write_text("{}")
    result = one(folder, trusted=[key])
    assert (result.authenticity, result.authenticated, result.integrity) == ("signed", False, "tampered")


def test_other_audio_under_a_new_seal_is_found_by_its_samples(build) -> None:
    folder, other = build("a", SPANS["bad"]), build("b", SPANS["good"])
    shutil.copy(other / layout.AUDIO_FLAC, folder / layout.AUDIO_FLAC)
    reseal(folder)
    assert one(folder).tampered == (f"{layout.AUDIO_FLAC}: its samples are not those of the contract",)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace('"max_talk_over_sec"', '"max_talk_over_secs"'),
        lambda text: text.replace('"id": "a"', '"id": "a", "id": "b"'),
        lambda text: text.replace('"human"', '"machine"'),
        lambda text: "[" * 100_000,
    ],
    ids=["empty", "half", "misspelled", "twice", "not human", "deep"],
)
def test_a_corrupt_contract_exits_2_and_hides_no_other(build, spoil) -> None:
    build("b", SPANS["bad"])
    path = build("a") / layout.CONTRACT
    path.write_text(spoil(path.read_text()))
    found = verify_contracts(path.parent.parent)
    assert found.exit_code == 2
    assert (found.refused, found.tampered) == (1, 0)
    assert [result.status for result in found.results] == ["error", "fail"]
    assert found.results[0].reason_codes[0] == "refused"


def test_a_link_in_the_place_of_a_bundle_is_refused(build, tmp_path) -> None:
    folder = build("a").parent
    (tmp_path / "real").mkdir()
    shutil.move(folder / "a.hotato", tmp_path / "real" / "a.hotato")
    (folder / "a.hotato").symlink_to(tmp_path / "real" / "a.hotato")
    assert verify_contracts(folder).exit_code == 2
    (folder / "a.hotato").unlink()
    (folder / "a.hotato").write_text("a file")
    assert verify_contracts(folder).exit_code == 2


def test_nothing_to_verify_is_refused(tmp_path) -> None:
    with pytest.raises(Refusal) as caught:
        verify_contracts(tmp_path)
    assert (caught.value.code, caught.value.exit_code) == ("no_contracts", 2)
    with pytest.raises(Refusal, match="there is no folder"):
        verify_contracts(tmp_path / "absent")


def test_embedded_checks_are_never_passed_over(build) -> None:
    def with_checks(contract: Contract) -> Contract:
        return msgspec.structs.replace(contract, assertions={"version": 1, "assertions": []})

    result = one(build("a", SPANS["good"], change=with_checks))
    assert (result.status, result.reason_codes) == ("error", ("assertions_not_evaluated",))


def test_a_moment_that_no_verdict_may_rest_on_is_no_pass(build) -> None:
    def doubtful(contract: Contract) -> Contract:
        trust = msgspec.structs.replace(
            contract.trust, verdict_eligible=False, verdict_ineligible_reason="crosstalk"
        )
        return msgspec.structs.replace(contract, trust=trust)

    result = one(build("a", SPANS["good"], change=doubtful))
    assert (result.status, result.reason_codes) == ("error", ("verdict_ineligible",))


def test_what_is_measured_otherwise_now_is_told_and_judged_by_today(build) -> None:
    def recorded(contract: Contract) -> Contract:
        measurement = msgspec.structs.replace(contract.measurement, talk_over_sec=0.123)
        return msgspec.structs.replace(contract, measurement=measurement)

    result = one(build("a", SPANS["good"], change=recorded))
    assert result.passed
    assert len(result.drift) == 1
    assert result.drift[0].startswith("talk_over_sec was 0.123 and is 0.")


def test_a_moment_in_which_the_agent_is_silent_is_an_error(build) -> None:
    result = one(build("a", {"caller": [[2.0, 3.0]], "agent": [[3.5, 5.0]]}))
    assert (result.status, result.scorable) == ("error", False)
    assert result.reason_codes == ("agent_silent_at_onset",)


def test_two_bundles_of_one_id_pass_neither(build) -> None:
    folder = build("a").parent
    shutil.copytree(folder / "a.hotato", folder / "copy.hotato")
    found = verify_contracts(folder)
    assert [result.reason_codes for result in found.results] == [("id_repeated",)] * 2
    assert len({check.id for check in found.checks().checks}) == 2


def test_results_come_in_the_order_of_the_names_whoever_made_them(build) -> None:
    for number in range(11):
        build(f"c{number:02}", SPANS["good" if number % 3 else "bad"])
    folder = build("a").parent
    alone = verification_json(verify_contracts(folder, jobs=1))
    together = verification_json(verify_contracts(folder, jobs=3))
    assert to_json(alone) == to_json(together)
    assert [Path(result["dir"]).name for result in alone["results"]] == sorted(
        path.name for path in folder.iterdir()
    )


def test_progress_counts_to_the_end(build) -> None:
    folder = build("a").parent
    build("b")
    seen: list[tuple[int, int]] = []
    verify_contracts(folder, jobs=2, progress=lambda done, count: seen.append((done, count)))
    assert seen[-1] == (2, 2)


def test_the_json_has_the_documented_keys(build) -> None:
    found = verification_json(verify_contracts(build("a", SPANS["bad"])))
    assert list(found)[:12] == [
        "tool", "kind", "schema_version", "offline", "dir", "count", "results", "summary", "tampered",
        "refused", "assertions_failed", "exit_code",
    ]  # fmt: skip
    documented = {
        "id", "dir", "expect", "passed", "scorable", "verdict_eligible", "verdict_ineligible_reason",
        "not_scorable_reason", "measurement", "authenticity", "authenticated", "authenticity_reason",
        "assertions",
    }  # fmt: skip
    assert documented <= set(found["results"][0])
    assert found["summary"] == {"passed": 0, "failed": 1}
    assert str(Path.cwd()) not in json.dumps(found)


def test_every_check_stands_beside_what_it_does_not_prove(build) -> None:
    checks = verify_contracts(build("a", SPANS["bad"])).checks()
    assert (checks.exit_code, checks.notes) == (1, (CAVEAT,))
    assert (checks.checks[0].status, checks.checks[0].codes) == ("fail", ("no_yield",))
    assert "current agent" not in CAVEAT


def test_a_transcript_is_not_taken_for_granted(build) -> None:
    with pytest.raises(Refusal, match="not in this version"):
        verify_contracts(build("a"), transcript=[])


def test_bundles_are_found_by_their_name(build, tmp_path) -> None:
    folder = build("a").parent
    (folder / "notes.txt").write_text("")
    (folder / "b.hotato.pack").write_text("")
    assert [path.name for path, _ in bundles_in(folder)] == ["a.hotato"]
    (tmp_path / "renamed").mkdir()
    shutil.copytree(folder / "a.hotato", tmp_path / "renamed", dirs_exist_ok=True)
    assert verify_contracts(tmp_path / "renamed").exit_code == 0


def test_what_desktops_leave_behind_is_no_member(build, tmp_path) -> None:
    from hotato.contract.archive import pack

    folder = build("a", SPANS["good"])
    clean = pack(folder, tmp_path / "clean.pack").sha256
    for name in (".DS_Store", "audio/Thumbs.db", "desktop.ini"):
        (folder / name).write_bytes(b"litter")
    assert one(folder).integrity == "intact"
    secret = new_secret()[1]
    assert pack(folder, tmp_path / "again.pack").sha256 == clean
    sign(folder, secret)
    assert one(folder, trusted=[secret], require_signed=True).passed
    (folder / "evil.txt").write_text("x")
    assert one(folder).tampered == ("evil.txt: not in the manifest",)


def test_an_empty_bundle_is_not_called_intact(tmp_path) -> None:
    (tmp_path / "x.hotato").mkdir()
    found = verify_contracts(tmp_path)
    assert (found.exit_code, found.results[0].integrity) == (2, "unread")


def test_a_missing_signature_is_a_failure_beside_what_was_measured(build, tmp_path) -> None:
    secret = new_secret()[1]
    build("a", SPANS["good"])
    found = verify_contracts(build("b", SPANS["bad"]).parent, trusted=[secret], require_signed=True)
    assert [(each.status, each.measurement["did_yield"]) for each in found.results] == [
        ("fail", True),
        ("fail", False),
    ]
    assert found.results[1].reason_codes == ("no_yield", "unsigned")
    assert found.checks().count("error") == 0


def test_a_signature_over_a_manifest_whose_members_differ_says_both(build, tmp_path) -> None:
    folder = build("a", SPANS["good"])
    secret = new_secret()[1]
    sign(folder, secret)
    (folder / "extra.txt").write_text("x")
    found = verify_contracts(folder, trusted=[secret])
    assert (found.results[0].integrity, found.results[0].authenticated) == ("tampered", False)
    assert found.checks().checks[0].measured["authenticity"] == "signed: the manifest; members differ"


def test_an_answer_shows_its_silence_and_a_close_limit_says_so(build) -> None:
    folder = build("a", SPANS["bad"] | {"agent": [[0.3, 2.4]]}, expect="answer", max_response_gap_sec=2.0)
    check = verify_contracts(folder).checks().checks[0]
    assert check.measured["silence_sec"] == pytest.approx(4.8, abs=0.2)
    assert check.measured["answered"] is False
    assert not {"did_yield", "talk_over_sec", "seconds_to_yield"} & set(check.measured)
    edge = one(build("b", SPANS["good"])).measurement["talk_over_sec"]
    close = build("c", SPANS["good"], max_talk_over_sec=round(edge - 0.15, 2))
    assert any(told.startswith("talk-over") for told in one(close).too_close)


def test_a_bundle_without_its_recording_hides_no_other(build) -> None:
    """The manifest made again over what is left: the recording is missing all the same."""
    folder = build("a")
    build("b")
    (folder / layout.AUDIO_FLAC).unlink()
    reseal(folder)
    found = verify_contracts(folder.parent)
    assert [result.status for result in found.results] == ["error", "pass"]
    assert found.results[0].tampered == (f"{layout.AUDIO_FLAC}: missing",)
    for use in (lambda: sign(folder, new_secret()[1]), lambda: pack(folder)):
        with pytest.raises(Refusal, match=r"event\.flac: missing"):
            use()


def test_whatever_happens_in_one_bundle_is_its_own_error(build, monkeypatch) -> None:
    first = build("a")
    build("b")

    def broken(folder: Path, *rest, **options):
        if folder == first:
            raise StopIteration
        return verify_one.verify_bundle(folder, *rest, **options)

    monkeypatch.setattr("hotato.contract.verify.verify_bundle", broken)
    assert [result.status for result in verify_contracts(first.parent).results] == ["error", "pass"]


@pytest.mark.parametrize("place", ["b.hotato", "traces/b.hotato", "traces/x/y"])
def test_a_bundle_in_a_bundle_is_never_passed_over(build, place) -> None:
    outer, inner = build("a"), build("b", SPANS["bad"], max_talk_over_sec=0.1)
    (outer / place).parent.mkdir(parents=True, exist_ok=True)
    inner.rename(outer / place)
    with pytest.raises(Refusal, match="holds another one"):
        verify_contracts(outer)
    assert verify_contracts(outer.parent).exit_code == 2
    for use in (lambda: sign(outer, new_secret()[1]), lambda: pack(outer)):
        with pytest.raises(Refusal, match="holds another one"):
            use()


def test_a_contract_added_to_the_folder_of_the_contracts_hides_none(build) -> None:
    folder = build("a")
    (folder.parent / layout.CONTRACT).write_bytes((folder / layout.CONTRACT).read_bytes())
    with pytest.raises(Refusal, match="holds another one"):
        verify_contracts(folder.parent)


@pytest.mark.parametrize("name", ["A.HOTATO", ".a.hotato", ".hotato"])
def test_no_spelling_of_the_name_hides_a_bundle(build, name) -> None:
    folder = build("a", SPANS["bad"], max_talk_over_sec=0.1)
    build("b")
    folder.rename(folder.with_name(name))
    assert [result.id for result in verify_contracts(folder.parent).results if not result.passed] == ["a"]


def test_the_folder_of_the_state_is_no_bundle(build) -> None:
    folder = build("a")
    (folder.parent / ".hotato" / "results").mkdir(parents=True)
    assert len(verify_contracts(folder.parent).results) == 1
    with pytest.raises(Refusal, match="holds no contract"):
        verify_contracts(folder.parent / ".hotato")


def test_a_result_does_not_state_the_way_to_another_folder(build, tmp_path, monkeypatch) -> None:
    folder = build("a")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    for named in (folder, folder.parent, Path("../contracts")):
        assert [result.dir for result in verify_contracts(named).results] == ["a.hotato"]
    monkeypatch.chdir(tmp_path)
    assert [result.dir for result in verify_contracts(folder).results] == ["contracts/a.hotato"]


def test_a_card_is_drawn_of_a_sealed_contract_or_says_so(build, tmp_path) -> None:
    folder = build("a")
    assert in_bundle(folder / layout.CONTRACT)
    alone = tmp_path / layout.CONTRACT
    alone.write_bytes((folder / layout.CONTRACT).read_bytes())
    assert not in_bundle(alone)
    found = json.loads(alone.read_bytes())
    assert "Not verified" in result_card(found, sealed=False)
    assert "Not verified" not in result_card(found)
    found["measurement"]["passed"] = not found["measurement"]["passed"]
    (folder / layout.CONTRACT).write_text(json.dumps(found))
    with pytest.raises(Refusal, match="not what it was sealed as"):
        in_bundle(folder / layout.CONTRACT)
