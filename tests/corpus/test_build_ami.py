"""The AMI windows are cut from whatever a mirror serves, found by content, and refused when they differ."""

from __future__ import annotations

import hashlib
import json
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.acoustics import wav_bytes
from hotato.errors import Refusal
from hotato.score import run_suite

RATE = 16_000


@pytest.fixture(scope="module")
def ami(script):
    return script("build_ami.py")


class Mirror:
    """A web server on this machine with the files of a corpus.

    Attributes:
        files: content by path.
        asked: (path, Range header) of every request.
        breaks_after: the next answer stops after this many bytes; None for whole answers.
        redirect: where every request is sent on to; None to answer.
        ranges: whether a request for a part is answered with that part.
    """

    def __init__(self, secure: tuple[Path, Path] | None = None):
        self.files: dict[str, bytes] = {}
        self.asked: list[tuple[str, str | None]] = []
        self.breaks_after: int | None = None
        self.redirect: str | None = None
        self.ranges = True
        self.server = _Server(("127.0.0.1", 0), partial(_Handler, self))
        if secure is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*secure)
            self.server.socket = context.wrap_socket(
                self.server.socket, server_side=True, do_handshake_on_connect=False
            )
        scheme = "http" if secure is None else "https"
        self.url = f"{scheme}://127.0.0.1:{self.server.server_address[1]}/corpus"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Mirror:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def put(self, meeting: str, headset: int, samples: np.ndarray) -> str:
        path = f"/corpus/{meeting}/audio/{meeting}.Headset-{headset}.wav"
        self.files[path] = wav_bytes(samples, RATE)
        return path


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that hangs up is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, mirror: Mirror, *rest: object):
        self.mirror = mirror
        super().__init__(*rest)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        mirror = self.mirror
        mirror.asked.append((self.path, self.headers.get("Range")))
        if mirror.redirect is not None:
            self.send_response(302)
            self.send_header("Location", mirror.redirect)
            self.end_headers()
            return
        data = mirror.files.get(self.path)
        if data is None:
            self.send_error(404)
            return
        start = 0
        if mirror.ranges and self.headers.get("Range"):
            start = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
            if start >= len(data):
                self.send_error(416)
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        stop = len(data) if mirror.breaks_after is None else start + mirror.breaks_after
        mirror.breaks_after = None
        self.wfile.write(data[start:stop])

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def mirror(monkeypatch) -> Iterator[Mirror]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Mirror() as running:
        yield running


def noise(samples: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(-8000, 8000, samples).astype(np.int16)


def window_of(ami, name: str, samples: np.ndarray, meeting: str = "XX1000a", category="should_yield"):
    """A window with the pins of its samples, shape (samples, 2)."""
    return ami.Window(
        name,
        meeting,
        category,
        ami.pin(samples[:, 0]),
        ami.pin(samples[:, 1]),
        hashlib.sha256(samples.astype("<i2").tobytes()).hexdigest(),
        onset_sec=0.5,
        duration_sec=len(samples) / RATE,
    )


@pytest.fixture
def meeting(ami, mirror):
    """A meeting with four headsets and two windows in it."""
    tracks = [noise(9 * RATE, seed) for seed in range(4)]
    for headset, track in enumerate(tracks):
        mirror.put("XX1000a", headset, track)
    cuts = [np.stack([tracks[a][s : s + RATE], tracks[b][s : s + RATE]], axis=1) for a, b, s in CUTS]
    return [window_of(ami, f"window-{number}", cut) for number, cut in enumerate(cuts)]


CUTS = ((2, 0, 12_345), (1, 2, 100_000))
"""(caller's headset, agent's headset, first sample) of each window."""


def test_windows_are_found_by_their_content_and_written_with_labels(ami, mirror, meeting, tmp_path) -> None:
    told = ami.Builder(tmp_path, mirror.url).build(meeting)
    assert told == ["window-0: XX1000a at 0.77 s", "window-1: XX1000a at 6.25 s"]
    for window, (caller, agent, start) in zip(meeting, CUTS, strict=True):
        samples, rate = soundfile.read(tmp_path / "audio" / f"{window.id}.wav", dtype="int16")
        assert rate == RATE
        assert hashlib.sha256(samples.tobytes()).hexdigest() == window.pcm_sha256
        label = json.loads((tmp_path / "scenarios" / f"{window.id}.json").read_text())
        assert label["source"] == {
            "corpus": "AMI Meeting Corpus",
            "meeting": "XX1000a",
            "headsets": [caller, agent],
            "start_sec": start / RATE,
        }
        assert (label["caller_onset_sec"], label["expected"]["yield"]) == (0.5, True)
    assert "CC BY 4.0" in (tmp_path / "ATTRIBUTION.txt").read_text()
    # The last headset was not needed, and what was needed is not kept.
    assert [path[-5] for path, _ in mirror.asked] == ["0", "1", "2"]
    assert not (tmp_path / "downloads").exists()
    envelope = run_suite(scenarios_dir=tmp_path / "scenarios", audio_dir=tmp_path / "audio")
    assert envelope["summary"]["events"] == 2


def test_a_second_run_downloads_nothing_and_changes_nothing(ami, mirror, meeting, tmp_path) -> None:
    ami.Builder(tmp_path, mirror.url).build(meeting)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    mirror.asked.clear()
    assert ami.Builder(tmp_path, mirror.url).build(meeting) == [
        "window-0: already there",
        "window-1: already there",
    ]
    assert mirror.asked == []
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


@pytest.mark.parametrize("ranges", [True, False])
def test_a_transfer_that_broke_off_goes_on_where_it_stopped(ami, mirror, meeting, tmp_path, ranges) -> None:
    mirror.ranges = ranges
    mirror.breaks_after = 50_000
    with pytest.raises(Refusal, match=r"XX1000a\.Headset-0\.wav could not be downloaded") as caught:
        ami.Builder(tmp_path, mirror.url).build(meeting)
    assert caught.value.code == "download_failed"
    assert not (tmp_path / "audio").exists()
    (part,) = (tmp_path / "downloads").iterdir()
    assert part.stat().st_size == 50_000
    assert len(ami.Builder(tmp_path, mirror.url).build(meeting)) == 2
    assert mirror.asked[1][1] == "bytes=50000-"


def test_a_part_that_is_no_beginning_of_the_file_is_fetched_anew(ami, mirror, meeting, tmp_path) -> None:
    part = tmp_path / "downloads" / "XX1000a.Headset-0.wav.part"
    part.parent.mkdir()
    part.write_bytes(b"x" * 1_000_000)
    assert len(ami.Builder(tmp_path, mirror.url).build(meeting)) == 2


def test_another_edition_of_a_meeting_is_refused_and_nothing_is_written(
    ami, mirror, meeting, tmp_path, capsys
) -> None:
    track = noise(9 * RATE, 2)
    track[12_345 + 7] ^= 1
    mirror.put("XX1000a", 2, track)
    arguments = ["--out", str(tmp_path), "--mirror", mirror.url]
    assert ami.main(arguments, meeting) == 2
    said = capsys.readouterr().err
    assert "do not hold the window window-0" in said and said.count("\n") == 1
    assert not (tmp_path / "audio").exists()


def test_channels_of_two_moments_are_no_window(ami, mirror, meeting, tmp_path) -> None:
    apart = np.stack([noise(9 * RATE, 1)[:RATE], noise(9 * RATE, 0)[5 : RATE + 5]], axis=1)
    other = window_of(ami, "elsewhere", apart)
    with pytest.raises(Refusal, match="not of one moment") as caught:
        ami.Builder(tmp_path, mirror.url).build([other])
    assert caught.value.code == "digest_differs"


def test_another_recording_under_the_name_of_a_window_is_not_replaced(ami, mirror, meeting, tmp_path) -> None:
    place = tmp_path / "audio" / "window-0.wav"
    place.parent.mkdir()
    place.write_bytes(wav_bytes(np.stack([noise(RATE, 8)] * 2, 1), RATE))
    before = place.read_bytes()
    with pytest.raises(Refusal, match="is not the pinned window"):
        ami.Builder(tmp_path, mirror.url).build(meeting)
    assert place.read_bytes() == before and mirror.asked == []


def test_a_meeting_that_the_mirror_does_not_have_is_refused(ami, mirror, meeting, tmp_path) -> None:
    with pytest.raises(Refusal, match="do not hold the window"):
        ami.Builder(tmp_path, mirror.url).build([replace(meeting[0], meeting="XX9999z")])


def test_a_recording_in_another_format_is_refused(ami, mirror, meeting, tmp_path) -> None:
    mirror.put("XX1000a", 0, np.stack([noise(RATE, 0)] * 2, axis=1))
    with pytest.raises(Refusal, match="not 16-bit mono") as caught:
        ami.Builder(tmp_path, mirror.url).build(meeting)
    assert caught.value.code == "unexpected_format"


def test_without_a_connection_nothing_is_left(ami, meeting, tmp_path, capsys) -> None:
    out = tmp_path / "real" / "ami"
    nobody = ["--out", str(out), "--mirror", "http://127.0.0.1:9/corpus"]
    assert ami.main(nobody, meeting) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["http://example.com/x", "ftp://example.com/x", "file:///etc/hostname", "x"])
def test_nothing_is_fetched_from_an_address_that_is_not_https(ami, meeting, tmp_path, url) -> None:
    with pytest.raises(Refusal) as caught:
        ami.Builder(tmp_path, url).build(meeting)
    assert caught.value.code == "insecure_address"


def test_a_redirect_to_an_unsafe_address_is_not_followed(ami, mirror, meeting, tmp_path) -> None:
    mirror.redirect = "http://example.com/elsewhere.wav"
    with pytest.raises(Refusal) as caught:
        ami.Builder(tmp_path, mirror.url).build(meeting)
    assert caught.value.code == "insecure_address"


def test_a_file_beyond_the_limit_is_not_taken(ami, mirror, meeting, tmp_path, monkeypatch) -> None:
    fetching = __import__("fetching")
    monkeypatch.setattr(fetching, "LIMITS", replace(fetching.LIMITS, file_bytes=1000))
    with pytest.raises(Refusal) as caught:
        ami.Builder(tmp_path, mirror.url).build(meeting)
    assert caught.value.code == "unexpected_size"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl")
def test_a_certificate_that_nobody_vouches_for_is_not_accepted(ami, meeting, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=127.0.0.1",
    ]
    make += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(make, check=True, capture_output=True)
    with Mirror((certificate, key)) as mirror, pytest.raises(Refusal, match="CERTIFICATE_VERIFY_FAILED"):
        ami.Builder(tmp_path / "out", mirror.url).build(meeting)


@settings(max_examples=25, deadline=None)
@given(
    start=st.integers(0, 9_000),
    length=st.integers(1, 1_000),
    seed=st.integers(0, 5),
    level=st.sampled_from([1, 3, 32767]),
)
def test_a_part_of_a_recording_is_found_where_it_is(ami, start, length, seed, level) -> None:
    signal = np.random.default_rng(seed).integers(-level, level + 1, 10_000).astype(np.int16)
    wanted = ami.pin(signal[start : start + length])
    truth = [
        place
        for place in range(len(signal) - length + 1)
        if np.array_equal(signal[place : place + length], signal[start : start + length])
    ]
    assert [place for _, place in ami.positions(signal, [wanted], length)] == truth


def test_the_search_does_not_depend_on_how_the_recording_is_cut(ami, monkeypatch) -> None:
    signal = noise(5_000, 1)
    pins = [ami.pin(signal[start : start + 300]) for start in (0, 1_000, 2_047, 4_700)]
    whole = sorted(place for _, place in ami.positions(signal, pins, 300))
    monkeypatch.setattr(ami, "LIMITS", replace(ami.LIMITS, search_samples=1_024))
    assert sorted(place for _, place in ami.positions(signal, pins, 300)) == whole == [0, 1_000, 2_047, 4_700]


def test_a_recording_shorter_than_a_window_holds_none(ami) -> None:
    assert list(ami.positions(noise(10, 1), [ami.pin(noise(20, 1))], 20)) == []


def test_the_pins_are_those_of_the_real_windows(ami, mirror, shared_data, tmp_path) -> None:
    """The real windows, hidden in longer recordings of a mirror, come out as they are."""
    headsets: dict[str, list[np.ndarray]] = {}
    for window in ami.WINDOWS:
        samples, _ = soundfile.read(shared_data / "ami" / f"{window.id}.wav", dtype="int16")
        apart = noise(3_333, len(headsets))
        for channel in (0, 1):
            headsets.setdefault(f"{window.meeting}/{channel}", []).extend([apart, samples[:, channel]])
    for name, pieces in headsets.items():
        place, headset = name.split("/")
        mirror.put(place, int(headset), np.concatenate(pieces))
    told = ami.Builder(tmp_path, mirror.url).build(ami.WINDOWS)
    assert len(told) == len(ami.WINDOWS) == 6
    for window in ami.WINDOWS:
        ours = (tmp_path / "audio" / f"{window.id}.wav").read_bytes()
        assert ours == (shared_data / "ami" / f"{window.id}.wav").read_bytes()
