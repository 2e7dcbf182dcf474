"""`hotato contract verify`, `sign`, `keygen`, `pack` and `unpack` on the command line."""

from __future__ import annotations

import json
import stat
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hotato.acoustics import speech_like


@pytest.fixture
def contracts(hotato, barge_in) -> Path:
    """A folder with a contract that passes and one of the same call that does not."""
    for name, bounds in (("passes", ()), ("too-slow", ("--max-time-to-yield", "0.3"))):
        made = hotato(
            "contract", "create", "--stereo", barge_in, "--onset", "2.0", "--expect", "yield", "--id", name,
            "--out", "contracts", "--confirm-channels", *bounds,
        )  # fmt: skip
        assert made.code == 0, made.err
    return Path("contracts")


def test_the_exit_code_is_the_gate(hotato, contracts) -> None:
    assert hotato("contract", "verify", contracts / "passes.hotato").code == 0
    both = hotato("contract", "verify", contracts)
    assert both.code == 1
    assert "1 of 2 passed" in both.out
    assert "too-slow" in both.out
    assert "only a" in both.out
    (contracts / "too-slow.hotato" / "contract.json").write_text("{")
    assert hotato("contract", "verify", contracts).code == 2
    assert hotato("contract", "verify", "absent").code == 2


def test_the_json_is_the_same_whoever_makes_it(hotato, contracts) -> None:
    outcomes = [hotato("contract", "verify", contracts, "--format", "json", "--jobs", jobs) for jobs in "12"]
    assert outcomes[0].out == outcomes[1].out
    found = outcomes[0].json
    assert (found["kind"], found["count"], found["exit_code"]) == ("contract-verify", 2, 1)
    assert [result["id"] for result in found["results"]] == ["passes", "too-slow"]
    assert found["results"][0]["drift"] == []
    assert str(Path.cwd()) not in outcomes[0].out


def test_every_renderer_shows_the_same(hotato, contracts, monkeypatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(Path("summary.md").absolute()))
    Path("summary.md").touch()
    done = hotato(
        "contract", "verify", contracts, "--junit", "j.xml", "--sarif", "s.json", "--html", "v.html",
        "--pr-comment", "c.md", "--step-summary",
    )  # fmt: skip
    assert done.code == 1
    suite = ET.parse("j.xml").getroot()
    assert [case.get("name") for case in suite.iter("testcase")] == ["passes", "too-slow"]
    assert len(list(suite.iter("failure"))) == 1
    assert json.loads(Path("s.json").read_text())["version"] == "2.1.0"
    for name in ("v.html", "c.md", "summary.md"):
        text = Path(name).read_text()
        assert "too-slow" in text
        assert "says nothing of the agent in service" in text
    again = hotato("contract", "verify", contracts, "--junit", "j.xml", "--html", "v.html")
    assert again.code == 1


def test_what_this_version_does_not_do_is_refused(hotato, contracts) -> None:
    for flag, value in (("--transcript", "t.json"), ("--notify", "https://example.com")):
        done = hotato("contract", "verify", contracts, flag, value)
        assert done.code == 2
        assert "this version" in done.err
    assert hotato("contract", "verify", contracts, "--onset", "2").code == 2


def test_a_contract_is_signed_and_trusted(hotato, contracts, monkeypatch) -> None:
    one = contracts / "passes.hotato"
    assert hotato("contract", "verify", one, "--require-signed").code == 2
    assert hotato("contract", "keygen", "--out", "key.pem").code == 0
    assert stat.S_IMODE(Path("key.pem").stat().st_mode) == 0o600
    assert hotato("contract", "keygen", "--out", "key.pem").code == 2
    assert hotato("contract", "verify", one, "--trusted-key", "key.pem.pub", "--require-signed").code == 1
    signed = hotato("contract", "sign", one, "--key", "key.pem", "--format", "json").json
    assert signed["algorithm"] == "ed25519"
    assert signed["path"] == "contracts/passes.hotato/signature.dsse.json"
    for words, word in (((), "untrusted-key"), (("--trusted-key", "key.pem.pub"), "signed")):
        found = hotato("contract", "verify", one, "--format", "json", *words)
        assert found.json["results"][0]["authenticity"] == word
        assert found.code == 0
    assert hotato("contract", "verify", one, "--trusted-key", "key.pem.pub", "--require-signed").code == 0
    Path("keys").mkdir()
    Path("key.pem.pub").rename("keys/team.pub")
    monkeypatch.setenv("HOTATO_TRUSTED_KEYS", "keys")
    assert hotato("contract", "verify", one, "--require-signed").code == 0
    assert "authenticity: signed" in hotato("contract", "verify", one).out


def test_a_shared_secret_is_made_signs_and_is_trusted(hotato, contracts) -> None:
    one = contracts / "passes.hotato"
    assert "hmac-sha256 key" in hotato("contract", "keygen", "--hmac", "--out", "team.secret").out
    assert stat.S_IMODE(Path("team.secret").stat().st_mode) == 0o600 and not Path("team.secret.pub").exists()
    assert hotato("contract", "sign", one, "--key", "team.secret").code == 0
    assert hotato("contract", "verify", one, "--trusted-key", "team.secret", "--require-signed").code == 0


def test_a_key_that_nobody_was_told_of_is_not_left(hotato, monkeypatch, tmp_path) -> None:
    def closed(_: str) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("hotato.cli.contract_seal.emit", closed)
    for words in ((), ("--hmac",)):
        assert hotato("contract", "keygen", "--out", "key.pem", *words).code != 0
        assert list(Path().glob("key.pem*")) == []


def test_there_and_back(hotato, contracts, monkeypatch) -> None:
    one = contracts / "passes.hotato"
    packed = hotato("contract", "pack", one, "--format", "json").json
    assert packed["path"] == "contracts/passes.hotato.pack"
    assert hotato("contract", "pack", one).code == 0  # the same bytes are left alone
    done = hotato("contract", "unpack", packed["path"], "--out", "elsewhere/passes.hotato/")
    assert done.code == 0
    assert "wrote   elsewhere/passes.hotato" in done.out
    assert hotato("contract", "verify", "elsewhere").code == 0
    again = hotato("contract", "unpack", packed["path"], "--out", "elsewhere/passes.hotato")
    assert (again.code, "--force" in again.err) == (2, True)
    small = hotato("contract", "unpack", packed["path"], "--out", "x", "--max-bytes", "1000")
    assert (small.code, Path("x").exists()) == (2, False)
    monkeypatch.setenv("HOTATO_CONTRACT_MAX_UNPACK_BYTES", "1000")
    assert hotato("contract", "unpack", packed["path"], "--out", "x").code == 2
    monkeypatch.setenv("HOTATO_CONTRACT_MAX_UNPACK_BYTES", "many")
    assert (
        "HOTATO_CONTRACT_MAX_UNPACK_BYTES" in hotato("contract", "unpack", packed["path"], "--out", "x").err
    )


def test_a_damaged_archive_leaves_nothing(hotato, contracts) -> None:
    hotato("contract", "pack", contracts / "passes.hotato", "--out", "p.pack")
    data = bytearray(Path("p.pack").read_bytes())
    data[len(data) // 2] ^= 1
    Path("p.pack").write_bytes(data)
    done = hotato("contract", "unpack", "p.pack", "--out", "place/x.hotato", "--format", "json")
    assert done.code == 2
    assert done.json["error_code"] in ("bad_member", "bad_archive")
    assert not Path("place").exists()


def test_a_new_recording_turns_a_red_contract_green(hotato, contracts, barge_in) -> None:
    slow = contracts / "too-slow.hotato"
    assert hotato("contract", "verify", slow).code == 1
    same = hotato("contract", "verify", slow, "--against", barge_in)
    assert same.code == 2
    assert "not a new one" in same.err
    samples, rate = soundfile.read(barge_in)
    agent = speech_like("a faster agent", [[0.2, 2.05], [3.8, 5.2]], len(samples), rate) / 32_768 * 0.5
    floor = np.random.default_rng(1).normal(0, 1e-3, len(samples))
    soundfile.write("new.wav", np.stack([samples[:, 0], agent + floor], axis=1), rate, subtype="PCM_16")
    done = hotato("contract", "verify", slow, "--against", "new.wav", "--out", "recapture.json")
    assert done.code == 0, done.out + done.err
    assert "another take" in done.out
    written = json.loads(Path("recapture.json").read_text())
    assert (written["kind"], written["passed"], written["onset"]["source"]) == (
        "contract-recapture",
        True,
        "found",
    )
    stated = hotato("contract", "verify", slow, "--against", "new.wav", "--onset", "2.0", "--format", "json")
    assert (stated.code, stated.json["onset"]["source"]) == (0, "stated")


def test_interrupted_it_says_so_and_nothing_is_left_running(hotato, contracts, process) -> None:
    import shutil
    import signal
    import time

    for number in range(60):
        name = f"c{number:02}"
        copy = contracts / f"{name}.hotato"
        shutil.copytree(contracts / "passes.hotato", copy)
    child = process("contract", "verify", contracts, "--jobs", "2")
    time.sleep(0.6)
    child.send_signal(signal.SIGTERM)
    _, err = child.communicate(timeout=20)
    # Python itself ends by SIGINT where the interrupt met code that an import was just executing.
    interrupted = [(code, b"hotato: interrupted\n") for code in (130, -signal.SIGINT)]
    assert (child.returncode, err) in [
        *interrupted,
        (1, b""),
        (-signal.SIGTERM, b""),
    ]  # the last: before hotato was running


def test_again_keeps_what_was_given(hotato, contracts) -> None:
    assert hotato("contract", "keygen", "--out", "k").code == 0
    told = hotato("contract", "verify", contracts, "--trusted-key", "k.pub", "--require-signed")
    again = " ".join(told.out.split("again: ")[1].split("exit code")[0].split())
    assert again == "hotato contract verify contracts --trusted-key k.pub --require-signed"
    assert "2 failed, 0 not judged" in told.out
    assert hotato(*again.split()[1:]).out == told.out


def test_the_command_of_inspect_works_from_here(hotato, contracts) -> None:
    told = hotato("contract", "inspect", contracts / "passes.hotato")
    line = next(line for line in told.out.splitlines() if line.strip().startswith("verify"))
    assert hotato(*line.split("hotato ", 1)[1].split()).code == 0
    assert "any stop within 3.00 s of the onset passes" in " ".join(told.out.split())
    assert "it guards against a regression" in " ".join(told.out.split())
