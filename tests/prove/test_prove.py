"""Lanes of evidence, and the fail-closed verdict that they add up to."""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.canonical import to_json
from hotato.compare import read_run
from hotato.contract import layout
from hotato.contract.attest import attested, seal
from hotato.contract.bundle import read_bundle
from hotato.contract.create import Pin, create_contract
from hotato.contract.keys import new_pair
from hotato.contract.signing import sign
from hotato.errors import Refusal, UsageError
from hotato.prove import (
    Candidate,
    Judged,
    Lane,
    before_after_lane,
    candidate_of,
    content_id_of,
    contracts_lane,
    gauntlet_lane,
    proof_checks,
    proof_markdown,
    proof_text,
    prove,
)

RATE = 16_000
HASH = "sha256:" + "0" * 64


def call(path: Path, stop: float) -> Path:
    """A call in which the caller begins at 2 s and the agent stops at `stop`."""
    samples = np.zeros((RATE * 9, 2))
    noise = 0.3 * np.random.default_rng(round(stop * 100)).choice([-1.0, 1.0], samples.shape)
    for channel, (begin, end) in enumerate(((2.0, 4.8), (0.2, stop))):
        part = slice(round(begin * RATE), round(end * RATE))
        samples[part, channel] = noise[part, channel]
    soundfile.write(path, samples, RATE, subtype="PCM_16")
    return path


@pytest.fixture
def pinned(tmp_path):
    """Pin a yield or hold contract: `pinned("a", stop=2.4)` passes, `pinned("b", stop=6.0)` fails."""

    def pin(name: str, *, stop: float = 2.4, expect: str = "yield", opposite: bool = False) -> Path:
        recording = call(tmp_path / f"{name}.wav", stop)
        made = create_contract(
            Pin(expect=expect, id=name, onset_sec=2.0, stereo=recording), tmp_path / "contracts"
        )
        if opposite:
            policy = msgspec.structs.replace(made.contract.policy, opposite_risk_required=True)
            changed = attested(msgspec.structs.replace(made.contract, policy=policy, attestation=None))
            rewrite(made.path, layout.CONTRACT, to_json(changed).encode())
        return made.path

    return pin


def rewrite(bundle: Path, member: str, data: bytes) -> None:
    """Replace a member of a bundle and seal the bundle again."""
    (bundle / member).write_bytes(data)
    files = [path for path in bundle.rglob("*") if path.is_file()]
    members = {path.relative_to(bundle).as_posix(): path.read_bytes() for path in files}
    (bundle / layout.MANIFEST).write_bytes(seal(members))


@pytest.fixture
def runs(saved, made):
    """The lane of two lists of events."""

    def lane(before, after, *, min_n=1, candidate=None):
        sides = read_run(saved("old.json", *before)), read_run(saved("new.json", *after))
        return before_after_lane(*sides, min_n=min_n, candidate=candidate)

    return lane


@pytest.fixture
def fixed(made):
    """A fixture that failed and passes, with a hold guard that holds, in new recordings."""
    before = [
        made.event("a", to_yield=None, talk_over=2.0, samples="a1"),
        made.event("h", expect="hold", to_yield=None, samples="h1"),
    ]
    after = [made.event("a", samples="a2"), made.event("h", expect="hold", to_yield=None, samples="h2")]
    return before, after


def test_contracts_that_measure_as_labelled_pass(pinned, tmp_path):
    pinned("a")
    pinned("h", stop=6.0, expect="hold")
    judged = contracts_lane(tmp_path / "contracts")
    assert judged.lane.verdict == "pass"
    assert judged.lane.counts["contracts"] == judged.lane.counts["passed"] == 2
    assert [(one.input, one.digest is not None) for one in judged.lane.evidence] == [("a", True), ("h", True)]
    proof = prove([judged])
    assert (proof.overall, proof.exit_code, proof.claim_scope) == ("pass", 0, "Captured Evidence")
    assert proof.evidence_authority == "measured"


def test_a_signature_counts_when_its_key_is_trusted(pinned, tmp_path):
    _, _, key = new_pair()
    sign(pinned("a"), key)
    pinned("b")
    folder = tmp_path / "contracts"
    assert contracts_lane(folder).lane.counts["signed"] == 0
    assert contracts_lane(folder, trusted=[key]).lane.counts["signed"] == 1


def test_a_failed_and_a_tampered_contract_fail(pinned, tmp_path):
    pinned("a", stop=6.0)
    assert contracts_lane(tmp_path / "contracts").lane.reason_codes == ("contract_failed",)
    bundle = pinned("b")
    text = (bundle / layout.POLICY).read_text()
    (bundle / layout.POLICY).write_text(text + "# looser\n")
    lane = contracts_lane(tmp_path / "contracts").lane
    assert (lane.verdict, lane.counts["failed"], lane.counts["tampered"]) == ("fail", 1, 1)
    assert [one.digest is None for one in lane.evidence] == [False, True]


def test_a_contract_that_cannot_be_read_is_inconclusive(pinned, tmp_path):
    pinned("a")
    (pinned("b") / layout.CONTRACT).write_text("{}")
    lane = contracts_lane(tmp_path / "contracts").lane
    assert (lane.verdict, lane.counts["refused"]) in (("inconclusive", 1), ("fail", 0))
    assert prove([contracts_lane(tmp_path / "contracts")]).exit_code == 1


def test_an_opposite_risk_has_to_be_covered(pinned, tmp_path):
    assert read_bundle(pinned("a", opposite=True)).contract.policy.opposite_risk_required
    lane = contracts_lane(tmp_path / "contracts").lane
    assert (lane.verdict, lane.reason_codes) == ("inconclusive", ("no_opposite_risk",))
    pinned("h", stop=6.0, expect="hold")
    assert contracts_lane(tmp_path / "contracts").lane.verdict == "pass"


def test_an_opposite_risk_is_asked_for_whatever_the_folder_is_called(pinned, tmp_path):
    """A name that is no text is shown otherwise than it is, and what is shown opens nothing."""
    pinned("a", opposite=True)
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe"))
    (tmp_path / "contracts").rename(folder)
    lane = contracts_lane(folder).lane
    assert (lane.verdict, lane.reason_codes) == ("inconclusive", ("no_opposite_risk",))
    assert lane.evidence[0].digest is not None


def test_an_unsigned_contract_is_no_pass_where_a_signature_is_required(pinned, tmp_path):
    _, _, key = new_pair()
    sign(pinned("a"), key)
    pinned("b")
    lane = contracts_lane(tmp_path / "contracts", trusted=[key], require_signed=True).lane
    assert lane.verdict != "pass" and lane.counts["signed"] == 1


def test_an_empty_folder_of_contracts_is_refused(tmp_path):
    (tmp_path / "contracts").mkdir()
    with pytest.raises(Refusal) as refused:
        contracts_lane(tmp_path / "contracts")
    assert refused.value.exit_code == 2


def test_a_fix_that_broke_nothing_passes(runs, fixed):
    lane = runs(*fixed).lane
    assert (lane.verdict, lane.reasons) == ("pass", ())
    assert (lane.counts["now_pass"], lane.counts["hold_guards_still_pass"]) == (1, 1)
    assert (lane.scope, lane.authority) == ("Test Suite", "submitted")


@pytest.mark.parametrize(
    ("change", "verdict", "code"),
    [
        (
            lambda m, after: [after[0], m.event("h", expect="hold", to_yield=0.2, samples="h2")],
            "fail",
            "regressed",
        ),
        (lambda m, after: [m.event("a", samples="a1"), after[1]], "inconclusive", "no_fresh_capture"),
        (lambda m, after: [m.event("a", samples="h1"), after[1]], "inconclusive", "no_fresh_capture"),
        (lambda m, after: [m.event("a", samples="h2"), after[1]], "inconclusive", "repeated_recording"),
        (lambda m, after: [m.event("a"), after[1]], "inconclusive", "capture_unknown"),
        (lambda m, after: [after[0]], "inconclusive", "missing_after"),
        (
            lambda m, after: [after[0], m.unjudged("h", expect="hold", samples="h2")],
            "inconclusive",
            "not_scorable",
        ),
        (
            lambda m, after: [after[0] | {"expected": m.BOUNDS | {"max_talk_over_sec": 9.0}}, after[1]],
            "inconclusive",
            "bounds_differ",
        ),
        (
            lambda m, after: [
                after[0] | {"verdict": m.event("a", talk_over=5.0)["verdict"] | {"passed": True}},
                after[1],
            ],
            "fail",
            "contradicted",
        ),
        (
            lambda m, after: [m.event("a", to_yield=None, talk_over=2.0, samples="a2"), after[1]],
            "inconclusive",
            "no_claim",
        ),
    ],
)
def test_whatever_weakens_the_claim_keeps_it_from_passing(runs, fixed, made, change, verdict, code):
    before, after = fixed
    lane = runs(before, change(made, after)).lane
    assert lane.verdict == verdict and code in lane.reason_codes


def test_too_few_fixtures_carry_no_claim(runs, fixed):
    assert runs(*fixed, min_n=2).lane.reason_codes == ("no_claim",)


def test_runs_that_do_not_compare_are_a_refused_lane(runs, made):
    judged = runs([made.event("a")], [made.event("b")])
    assert (judged.lane.verdict, judged.lane.reason_codes) == ("refused", ("nothing_paired",))
    with pytest.raises(Refusal) as refused:
        prove([judged])
    assert refused.value.code == "nothing_paired"
    proof = prove([judged, gauntlet_lane()])
    assert (proof.overall, proof.exit_code) == ("inconclusive", 1)
    assert any(check.status == "error" for check in proof_checks(proof, [judged]).checks)


def test_only_a_named_candidate_reaches_a_revision(runs, fixed):
    candidate = candidate_of(HASH, "vapi", "prod-1")
    proof = prove([runs(*fixed, candidate=candidate)], candidate=candidate)
    assert proof.claim_scope == "Candidate Revision"
    assert prove([runs(*fixed)]).claim_scope == "Test Suite"
    assert candidate_of(None, None) is None
    for half in ((HASH, None), (None, "vapi"), ("0" * 64, "vapi"), ("sha256:0", "vapi")):
        with pytest.raises(UsageError):
            candidate_of(*half)


def test_nothing_proves_nothing():
    with pytest.raises(Refusal) as refused:
        prove([])
    assert (refused.value.code, refused.value.exit_code) == ("nothing_to_prove", 2)


def test_the_gauntlet_is_a_lane():
    judged = gauntlet_lane()
    assert judged.lane.verdict == "pass" and judged.lane.counts["matched"] == judged.lane.counts["scenarios"]
    assert len(judged.checks) == judged.lane.counts["scenarios"]


def test_the_content_id_is_over_everything_else(runs, fixed):
    proof = prove([runs(*fixed)], created_at="2026-01-31T12:00:00Z")
    assert (
        proof.content_id
        == content_id_of(proof)
        == content_id_of(msgspec.structs.replace(proof, content_id="x"))
    )
    assert content_id_of(msgspec.structs.replace(proof, created_at=None)) != proof.content_id
    again = prove([runs(*fixed)], created_at="2026-01-31T12:00:00Z")
    assert to_json(again) == to_json(proof) and proof_markdown(again) == proof_markdown(proof)


def test_a_hostile_name_stays_on_its_line(runs, fixed):
    proof = prove([runs(*fixed)], name="x\x1b[31m\n# Heading <b>")
    assert "\x1b" not in proof_text(proof) + proof_markdown(proof)
    assert "\n# Heading" not in proof_markdown(proof)


def lane_of(verdict: str, number: int) -> Judged:
    """A lane with this verdict."""
    lane = Lane(
        lane="gauntlet",
        verdict=verdict,
        counts={"number": number},
        evidence=(),
        scope="Test Suite",
        authority="measured",
    )
    refusal = Refusal("x", "it was refused") if verdict == "refused" else None
    return Judged(lane, (), refusal)


VERDICTS = st.sampled_from(["pass", "fail", "inconclusive", "refused"])


@settings(max_examples=60, deadline=None)
@given(verdicts=st.lists(VERDICTS, min_size=1, max_size=5), candidate=st.booleans())
def test_a_proof_is_monotone(verdicts, candidate):
    lanes = [lane_of(verdict, number) for number, verdict in enumerate(verdicts)]
    bound = Candidate(config_hash=HASH, provider="vapi") if candidate else None
    if set(verdicts) == {"refused"}:
        with pytest.raises(Refusal):
            prove(lanes, candidate=bound)
        return
    proof = prove(lanes, candidate=bound)
    assert (proof.overall == "pass") is (set(verdicts) == {"pass"}) is (proof.exit_code == 0)
    assert prove([*lanes, lane_of("fail", 9)]).overall == "fail"
    for at, verdict in enumerate(verdicts):
        rest = [*lanes[:at], *lanes[at + 1 :]]
        if verdict == "pass" and any(one.lane.verdict != "refused" for one in rest):
            assert (prove(rest).overall == "pass") is (proof.overall == "pass")


def test_the_record_has_the_documented_keys_first(runs, fixed):
    keys = json.loads(to_json(prove([runs(*fixed)])))
    assert list(keys)[:11] == [
        *("tool", "schema_version", "name", "hotato_version", "created_at", "lanes", "claim_scope"),
        *("evidence_authority", "overall", "exit_code", "content_id"),
    ]
    assert list(keys["lanes"][0])[:4] == ["lane", "verdict", "counts", "evidence"]
