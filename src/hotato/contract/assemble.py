"""Every member of a bundle, made from one moment: the same moment gives the same bytes."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec

from hotato import report
from hotato.canonical import to_json
from hotato.checks import FAIL, PASS, Check, Checks
from hotato.contract import layout
from hotato.contract.manifest import seal
from hotato.contract.moment import PinnedMoment, figures_of
from hotato.contract.records import Contract
from hotato.contract.words import told_figures
from hotato.errors import EXIT_FAIL, EXIT_PASS
from hotato.score import builtins_of, envelope_of
from hotato.score.frames import compact_jsonl
from hotato.trust import trust_json

_POLICY = """\
# For: hotato verify --before BEFORE.json --after AFTER.json --policy policy/verify.yaml
# The limits of this contract itself stand in contract.json.
target:
  improve:
    failed_count: no_worse
guardrails:
  max_new_false_yields: 0
  max_not_scorable: 0
"""

_WORKFLOW = """\
# Copy this file to .github/workflows/ and say where hotato comes from, in the repository variable
# HOTATO_INSTALL: a path, an archive or a git address that pip takes.
name: contracts
on:
  push:
  pull_request:
  schedule:
    - cron: "17 5 * * 1"
permissions:
  contents: read
jobs:
  verify:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: python -m pip install "$HOTATO_INSTALL"
        env:
          HOTATO_INSTALL: ${{ vars.HOTATO_INSTALL }}
      - run: hotato contract verify contracts/ --junit contracts-junit.xml
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: contracts-junit
          path: contracts-junit.xml
"""

_AFTER = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Not measured yet</title></head>
<body><p>Nothing here yet. When the agent was changed, record the same moment again and put the report of that
recording in this place.</p></body></html>
"""


def members_of(moment: PinnedMoment, contract: Contract) -> dict[str, bytes]:
    """The content of every member by its path in the bundle, the manifest among them.

    Args:
        moment: the moment.
        contract: what `contract_for` made of it.
    """
    view = report.event_view(builtins_of(moment.event), moment.heard)
    texts = {
        layout.CONTRACT: to_json(contract),
        layout.FRAMES: compact_jsonl(moment.heard, moment.onset_sec, moment.label.profile),
        layout.TIMELINE: report.timeline_page(view, label=moment.pin.expect),
        layout.TRUST: to_json(trust_json(moment.trust)),
        layout.CARD: report.contract_card(
            msgspec.to_builtins(contract), include_identifiers=moment.pin.include_identifiers
        ),
        layout.CALL_METADATA: to_json(_metadata(contract, moment.event.category)),
        layout.STACK_CONFIG: to_json(_stack_config(contract)),
        layout.POLICY: _POLICY,
        # The frames are a member of their own.
        layout.INITIAL_REPORT: report.run_page(
            builtins_of(envelope_of(moment.request, [moment.event])), [dataclasses.replace(view, frames=None)]
        ),
        layout.AFTER_REPORT: _AFTER,
        layout.PROVENANCE: to_json(_provenance(contract)),
        layout.GITHUB_ACTION: _WORKFLOW,
        layout.JUNIT: report.junit_xml(_checks(moment, contract)),
    }
    members = {path: text.encode() for path, text in texts.items()}
    members[str(contract.bundle["paths"]["audio"])] = moment.audio
    members[layout.MANIFEST] = seal(members)
    return members


def _metadata(contract: Contract, category: str | None) -> dict[str, Any]:
    source = contract.source
    return {
        "schema": "hotato.call-metadata.v1",
        "stack": source.stack,
        "category": category,
        "expect": contract.label.expected_behavior,
        "recording": source.name,
        "candidate_ref": source.candidate_ref,
        "candidate_kind": source.candidate_kind,
    }


def _stack_config(contract: Contract) -> dict[str, Any]:
    return {
        "schema": "hotato.stack-config.v1",
        "stack": contract.source.stack,
        "config": None,
        "note": "to be filled in by hand: the settings of the agent when this call was made",
    }


def _provenance(contract: Contract) -> dict[str, Any]:
    return {
        "schema": "hotato.contract-provenance.v1",
        "tool": "hotato",
        "id": contract.id,
        "created_at": contract.created_at,
        "created_by": contract.created_by,
        "source_audio_sha256": contract.source.source_audio_sha256,
        "candidate_ref": contract.source.candidate_ref,
        "rationale": contract.label.rationale,
        "reviewer": contract.identity.reviewer,
        "label_authority": contract.label_authority,
    }


def _checks(moment: PinnedMoment, contract: Contract) -> Checks:
    """The contract's own result, as its JUnit file states it."""
    verdict = moment.event.verdict
    check = Check(
        id=contract.id,
        group="contracts",
        status=PASS if verdict.passed else FAIL,
        title=f"expected {contract.label.expected_behavior}",
        reason=None if verdict.passed else "; ".join(verdict.reasons),
        codes=verdict.reason_codes,
        measured={
            **told_figures(figures_of(moment.event), moment.pin.expect),
            "profile": moment.label.profile,
        },
        file=f"{contract.id}{layout.SUFFIX}/{layout.CONTRACT}",
    )
    return Checks(
        name="contract create", checks=(check,), exit_code=EXIT_PASS if verdict.passed else EXIT_FAIL
    )
