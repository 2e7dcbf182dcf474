"""Small bundles made here, from rendered speech whose edges are known, for whatever reads or seals them."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import soundfile

from hotato.acoustics import render
from hotato.canonical import to_json
from hotato.contract import layout
from hotato.contract.attest import attested, seal
from hotato.contract.records import (
    Contract,
    Label,
    Measurement,
    Moment,
    PassConditions,
    Policy,
    Replay,
    Scorer,
    Source,
    Trust,
)
from hotato.contract.rescore import heard_in, listen_to, score_again

Build = Callable[..., Path]
GOOD = {"caller": [[2.0, 3.2]], "agent": [[0.3, 2.4], [4.2, 6.0]]}
"""The agent stops 0.4 s after the caller began."""
BAD = {"caller": [[2.0, 3.2]], "agent": [[0.3, 6.0]]}
"""The agent talks on."""


def rendered(name: str, spans: dict[str, Any], *, seconds: float = 8.0, rate: int = 16_000) -> bytes:
    """A two-channel FLAC of a call."""
    samples = render(
        {
            "id": name,
            "duration_sec": seconds,
            "sample_rate": rate,
            "reference_render": {
                "caller_segments_sec": spans["caller"],
                "agent_segments_sec": spans["agent"],
                "noise_floor_dbfs": -62.0,
            },
        }
    )
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format="FLAC", subtype="PCM_16")
    return buffer.getvalue()


def bundle(
    folder: Path,
    name: str,
    spans: dict[str, Any],
    *,
    expect: str = "yield",
    change: Callable[[Contract], Contract] = lambda contract: contract,
    **bounds: float,
) -> Path:
    """Write `folder/name.hotato` around a rendered call, with an onset at 2 s."""
    target = folder / f"{name}.hotato"
    audio = rendered(name, spans)
    (target / "audio").mkdir(parents=True)
    (target / layout.AUDIO_FLAC).write_bytes(audio)
    listened = listen_to(target / layout.AUDIO_FLAC)
    sha = hashlib.sha256(audio).hexdigest()
    contract = Contract(
        id=name,
        label=Label(expected_behavior=expect),  # type: ignore[arg-type]
        source=Source(
            recording_type="stereo",
            source_audio_sha256=sha,
            bundle_audio_sha256=sha,
            bundle_pcm_sha256=listened.pcm_sha256,
        ),
        event=Moment(onset_sec=2.0, source_onset_sec=2.0, pre_sec=2.0, post_sec=6.0, clipped=False),
        measurement=Measurement(did_yield=False, talk_over_sec=0.0, passed=False),
        trust=Trust(status="clean", scorable=True),
        policy=Policy(pass_conditions=PassConditions(should_yield=expect == "yield", **bounds)),
        replay=Replay(command=f"hotato contract verify {name}.hotato", ci_command="hotato contract verify ."),
        bundle={"paths": layout.paths(layout.AUDIO_FLAC)},
        scorer=Scorer(config_marker="0" * 64),
    )
    event = score_again(heard_in(listened.hearing, contract), contract)
    measurement = Measurement(
        did_yield=event.verdict.did_yield,
        seconds_to_yield=event.verdict.seconds_to_yield,
        talk_over_sec=event.verdict.talk_over_sec,
        response_gap_sec=event.signals.latency.response_gap_sec,
        passed=event.verdict.passed,
        reasons=event.verdict.reasons,
        reason_codes=event.verdict.reason_codes,
    )
    contract = attested(change(msgspec.structs.replace(contract, measurement=measurement)))
    members: dict[str, bytes] = {
        layout.CONTRACT: to_json(contract).encode(),
        layout.AUDIO_FLAC: audio,
        layout.FRAMES: b'{"_meta": {}}\n' * 800,
        layout.TIMELINE: b"<!doctype html>\n" * 500,
        layout.TRUST: b"{}\n",
        layout.CARD: b"<svg xmlns='http://www.w3.org/2000/svg'/>\n",
        layout.CALL_METADATA: b"{}\n",
        layout.STACK_CONFIG: b"{}\n",
        layout.POLICY: b"max_talk_over_sec: null\n",
        layout.INITIAL_REPORT: b"<!doctype html>\n" * 2_000,
        layout.AFTER_REPORT: b"<!doctype html>\n",
        layout.PROVENANCE: b"{}\n",
        layout.GITHUB_ACTION: b"on: push\n",
        layout.JUNIT: b"<testsuites/>\n",
    }
    members[layout.MANIFEST] = seal(members)
    for member, data in members.items():
        (target / member).parent.mkdir(parents=True, exist_ok=True)
        (target / member).write_bytes(data)
    return target


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Write a bundle under the test's folder: `build("a", GOOD)`, `build("b", BAD, expect="hold")`."""

    def write(name: str, spans: dict[str, Any] | None = None, **options: Any) -> Path:
        return bundle(tmp_path / "contracts", name, spans or GOOD, **options)

    return write
