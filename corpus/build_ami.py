"""Cut six windows out of the AMI Meeting Corpus: real people who interrupt and acknowledge each other.

    python corpus/build_ami.py                    writes corpus/real/ami (about 2 MB; downloads about 400 MB)
    hotato run --scenarios corpus/real/ami/scenarios --audio corpus/real/ami/audio

The corpus (groups.inf.ed.ac.uk/ami/corpus) was created by the AMI Consortium and is licensed CC BY 4.0, so
the windows are made on your machine and are not part of this repository. The script needs a connection. What
it has downloaded it does not download again, and a transfer that broke off goes on where it stopped.

A window is found by its content. Each meeting has one headset recording per participant; for every channel
of a window a rolling hash and a digest of its samples are pinned below, so the script needs no table of times
and notices when a recording is not the one the labels were made for.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import early  # noqa: F401  an interrupt from here on is one line

# isort: split
import numpy as np
import numpy.typing as npt

from fetching import download
from hotato.acoustics import wav_bytes
from hotato.audio import open_recording
from hotato.canonical import NewFile, to_json, write_set
from hotato.errors import EXIT_PASS, Refusal
from running import Parser, named, path, run

MIRROR = "https://groups.inf.ed.ac.uk/ami/AMICorpusMirror/amicorpus"
OUTPUT = Path(__file__).resolve().parent / "real" / "ami"
ATTRIBUTION = """\
The recordings in this folder contain material from the AMI Meeting Corpus
(groups.inf.ed.ac.uk/ami/corpus), created by the AMI Consortium and licensed under
Creative Commons Attribution 4.0 International (CC BY 4.0).
Changes: cut to windows of 9 s; the headset microphones of two participants put side by side.
"""

Mono = npt.NDArray[np.int16]
_BASE = np.uint64(0x9E3779B97F4A7C15)
"""Base of the rolling hash: any odd number does; this one mixes well."""


@dataclass(frozen=True)
class Limits:
    """How far is looked.

    Attributes:
        headsets: headset recordings of a meeting are numbered from 0 to less than this.
        search_samples: so many positions are searched at once.
    """

    headsets: int = 6
    search_samples: int = 1 << 20


LIMITS = Limits()


@dataclass(frozen=True)
class Pin:
    """The identity of one channel of a window.

    Attributes:
        rolling: its rolling hash, see `rolling_hash`.
        sha256: of its samples, 16-bit little-endian.
    """

    rolling: int
    sha256: str


@dataclass(frozen=True)
class Window:
    """One window of a meeting.

    Attributes:
        id: of the scenario that is written.
        meeting: name of the meeting.
        category: `should_yield` where the caller takes the floor, `should_not_yield` where they acknowledge.
        caller: channel 0, the participant who comes in.
        agent: channel 1, the participant who has the floor.
        pcm_sha256: of both channels interleaved.
        onset_sec: when the caller comes in, from the word alignment of the corpus.
        duration_sec: length of the window.
        rate_hz: samples per second.
    """

    id: str
    meeting: str
    category: str
    caller: Pin
    agent: Pin
    pcm_sha256: str
    onset_sec: float = 3.0
    duration_sec: float = 9.0
    rate_hz: int = 16_000

    @property
    def samples(self) -> int:
        """Length in samples."""
        return round(self.duration_sec * self.rate_hz)


@dataclass(frozen=True)
class Found:
    """Where a channel of a window was found.

    Attributes:
        headset: number of the headset recording.
        start: first sample in it.
        samples: the samples.
    """

    headset: int
    start: int
    samples: Mono


WINDOWS = (
    Window(
        "ami-es2002a-take-0677",
        "ES2002a",
        "should_yield",
        Pin(0x9723DDB86CDD0B0B, "09dafe52051e38456f946272039c29b534877a7688989767006b35894e4f0b1e"),
        Pin(0x8CECB4C3C83E95AD, "28c0b7c841ceb27013e390e9341e07ec334b9f6f13a9ffc0098eeb64b1fd595c"),
        "57bb00af48b9b8c766814c62d20ae05b106caa2c5edc9c4d4fa15cd289e5f461",
    ),
    Window(
        "ami-en2002b-take-0149",
        "EN2002b",
        "should_yield",
        Pin(0xBC6950AB69E9AEA8, "93d1288c78510c011bf0f9cdd21d02fbfa120cf728647dd72764b79d4de39960"),
        Pin(0x51A0EB26556DC646, "9da15bb1dd878ba698d2b5ce2a4aa9d40d11c460d0b6976bda29d3491b90e3ab"),
        "9d6461b77c5e33a1871d9dbb1ac178a8a37192ac817d09f30a661cf71b195ec9",
    ),
    Window(
        "ami-en2002b-take-0913",
        "EN2002b",
        "should_yield",
        Pin(0x8E10EF334DD1279A, "239e0df16c2991fa63017ca7a89320d72623b0fb0195e743a3be12f9c6a01870"),
        Pin(0x3C7218341B643E1E, "2fc9fc292caa82b052c1ab989611a6bbf8dc8317e6081429c411f0ea62ed46c1"),
        "a4691188effc93442de9635976322ad37b4f44d9177531f420b91d5aef372080",
    ),
    Window(
        "ami-es2002a-bc-0526",
        "ES2002a",
        "should_not_yield",
        Pin(0xD5D247D8F69BE2B0, "4cc193391641d06fb114d625ca2990ebce5e28485929ee0ab9cd23c19c99908d"),
        Pin(0x6D55E831CFCB797B, "3bcb1d52ad31ce01dd0bef852257058bd264d70e16b64e0eb0706b4b7b488a10"),
        "38450619938bad3f02e8259eb024f0080e5de984f0dfb8a306efec0ae3d54322",
    ),
    Window(
        "ami-es2002a-bc-1049",
        "ES2002a",
        "should_not_yield",
        Pin(0xE5A22865CB2F0CAA, "ad1e0b4c9c90568238fde078eef80331dfcd2357fc7c192717998a04b11f3a30"),
        Pin(0xF25E8392A244DF57, "8bb6cadd661d464773e0f4e6ba0b8923707ca72680403289b5a8c182c9edc919"),
        "9eaa6ee4e607ebe98cc4f025c069bac35f3360b9383819437a516fc33a8609b7",
    ),
    Window(
        "ami-en2002b-bc-0859",
        "EN2002b",
        "should_not_yield",
        Pin(0x07076AAC5463D0BD, "ef8f892ca59c043fc157fc660c085a3613ef6e4d852d606d87227420e7d388cd"),
        Pin(0x103CCCB2ADFC359D, "8880e709c72b07c1f89a4f51e8117f9923120d733d120a3b2dc0bf203b82d5a5"),
        "f8ae8e07326ddfd7d42967172512c280a6f3444a37ebff0f4dff242871f5ca82",
    ),
)


def rolling_hash(samples: Mono) -> int:
    """The sum of samples[i] * base**i modulo 2**64, which running sums give for any part of a recording."""
    return int((_words(samples) * _powers(len(samples))).sum(dtype=np.uint64))


def pin(samples: Mono) -> Pin:
    """The pin of a channel, shape (samples,)."""
    return Pin(rolling_hash(samples), _sha256(samples))


def positions(signal: Mono, pins: Sequence[Pin], length: int) -> Iterator[tuple[Pin, int]]:
    """Every place where `length` samples of a recording have one of the pins.

    A part beginning at s has the hash (c[s + length] - c[s]) / base**s, with c the running sum of the whole.
    Instead of dividing, the pin is multiplied. What agrees is then compared by digest.
    """
    powers = _powers(LIMITS.search_samples + length)
    for first in range(0, max(0, len(signal) - length + 1), LIMITS.search_samples):
        block = _words(signal[first : first + LIMITS.search_samples + length - 1])
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(block * powers[: len(block)])])
        parts = sums[length:] - sums[: len(sums) - length]
        for wanted in pins:
            for place in np.flatnonzero(parts == powers[: len(parts)] * np.uint64(wanted.rolling)).tolist():
                start = first + place
                if _sha256(signal[start : start + length]) == wanted.sha256:
                    yield wanted, start


def _words(samples: Mono) -> npt.NDArray[np.uint64]:
    return samples.astype(np.int64).view(np.uint64)


def _powers(count: int) -> npt.NDArray[np.uint64]:
    powers = np.full(count, _BASE, np.uint64)
    powers[:1] = 1
    return np.cumprod(powers)


def _sha256(samples: npt.NDArray[np.int16]) -> str:
    return hashlib.sha256(np.ascontiguousarray(samples, dtype="<i2").tobytes()).hexdigest()


def read_mono(path: Path, rate_hz: int) -> Mono:
    """The samples of a headset recording, shape (samples,).

    Raises:
        Refusal: it is not 16-bit, one channel, at the rate.
    """
    with open_recording(path, digests="none") as reader:
        shape = (reader.container.channels, reader.container.sample_rate_hz, reader.full_scale)
        if shape != (1, rate_hz, 1 << 15):
            raise Refusal(
                "unexpected_format", f"'{path.name}' is not 16-bit mono at {rate_hz} Hz", "delete it"
            )
        return np.concatenate([block[:, 0] for block in reader.blocks(rate_hz * 60)])


class Builder:
    """Writes windows into a folder, fetching the meetings they are in.

    Attributes:
        folder: where `audio/`, `scenarios/` and `downloads/` are.
        mirror: address of the corpus, without a slash at its end.
    """

    def __init__(self, folder: Path, mirror: str = MIRROR):
        self.folder = folder
        self.mirror = mirror.rstrip("/")

    def build(self, windows: Sequence[Window], *, keep_downloads: bool = False) -> list[str]:
        """Write what is missing; returns a line about each window. A folder that stays empty is not left.

        Raises:
            Refusal: a download failed, a meeting does not hold a window, or a file differs from its pin.
        """
        downloads = self.folder / "downloads"
        new = [place for place in (downloads, *downloads.parents) if not place.exists()]
        try:
            return self._build(windows, keep_downloads)
        finally:
            for place in new:
                with contextlib.suppress(OSError):  # it is not empty, or was never made
                    place.rmdir()

    def _build(self, windows: Sequence[Window], keep_downloads: bool) -> list[str]:
        there = [window for window in windows if self._is_there(window)]
        told = [f"{window.id}: already there" for window in there]
        missing = [window for window in windows if window not in there]
        for meeting in dict.fromkeys(window.meeting for window in missing):
            wanted = [window for window in missing if window.meeting == meeting]
            found = self._search(meeting, wanted)
            told += [self._write(window, found) for window in wanted]
            if not keep_downloads:
                for headset in range(LIMITS.headsets):
                    self._recording(meeting, headset).unlink(missing_ok=True)
        return told

    def _is_there(self, window: Window) -> bool:
        """Whether the window has been written.

        Raises:
            Refusal: `digest_differs`: there is another recording under its name.
        """
        place = self._audio(window)
        if not place.exists():
            return False
        with open_recording(place) as reader:
            for _ in reader.blocks(window.rate_hz):
                pass
            if reader.recording().pcm_sha256 != window.pcm_sha256:
                raise Refusal("digest_differs", f"'{place.name}' is not the pinned window", "move it away")
        return True

    def _search(self, meeting: str, windows: Sequence[Window]) -> dict[Pin, Found]:
        """The channels of the windows, from as few headset recordings as hold them."""
        pins = [window_pin for window in windows for window_pin in (window.caller, window.agent)]
        found: dict[Pin, Found] = {}
        for headset in range(LIMITS.headsets):
            place = self._recording(meeting, headset)
            url = f"{self.mirror}/{meeting}/audio/{place.name}"
            if not place.exists() and not download(url, place):
                break
            signal = read_mono(place, windows[0].rate_hz)
            for known, start in positions(signal, pins, windows[0].samples):
                found[known] = Found(headset, start, signal[start : start + windows[0].samples].copy())
            if len(found) == len(pins):
                return found
        lost = next(w.id for w in windows if w.caller not in found or w.agent not in found)
        raise Refusal(
            "window_not_found",
            f"the headset recordings of {meeting} do not hold the window {lost}",
            "delete the downloads and run again, or name another mirror (--mirror URL)",
        )

    def _write(self, window: Window, found: dict[Pin, Found]) -> str:
        caller, agent = found[window.caller], found[window.agent]
        samples = np.stack([caller.samples, agent.samples], axis=1)
        if caller.start != agent.start or _sha256(samples) != window.pcm_sha256:
            raise Refusal(
                "digest_differs", f"the two channels of {window.id} are not of one moment", "report this"
            )
        label = self._label(window, caller, agent)
        write_set(
            [
                NewFile(self.folder / "ATTRIBUTION.txt", ATTRIBUTION),
                NewFile(self.folder / "scenarios" / f"{window.id}.json", to_json(label), replace=True),
                NewFile(self._audio(window), wav_bytes(samples, window.rate_hz)),
            ]
        )
        return f"{window.id}: {window.meeting} at {caller.start / window.rate_hz:.2f} s"

    def _label(self, window: Window, caller: Found, agent: Found) -> dict[str, Any]:
        return {
            "id": window.id,
            "title": f"{window.meeting}: headset {caller.headset} comes in on headset {agent.headset}",
            "category": window.category,
            "caller_onset_sec": window.onset_sec,
            "expected": {
                "yield": window.category == "should_yield",
                "max_time_to_yield_sec": None,
                "max_talk_over_sec": None,
            },
            "sample_rate": window.rate_hz,
            "duration_sec": window.duration_sec,
            "channels": {"caller_channel": 0, "agent_channel": 1},
            "audio": self._audio(window).name,
            "license": "CC-BY-4.0",
            "notes": "Both are people; onset from the word alignment of the corpus.",
            "source": {
                "corpus": "AMI Meeting Corpus",
                "meeting": window.meeting,
                "headsets": [caller.headset, agent.headset],
                "start_sec": caller.start / window.rate_hz,
            },
        }

    def _audio(self, window: Window) -> Path:
        return self.folder / "audio" / f"{window.id}.wav"

    def _recording(self, meeting: str, headset: int) -> Path:
        return self.folder / "downloads" / f"{meeting}.Headset-{headset}.wav"


def main(arguments: Sequence[str] | None = None, windows: Sequence[Window] = WINDOWS) -> int:
    """Build the windows; returns the exit code: 2 where anything is refused."""

    def work(words: Sequence[str] | None) -> int:
        parser = Parser("Cut the AMI windows (CC BY 4.0) on this machine.")
        parser.add_argument("--out", type=path, default=OUTPUT, metavar="DIR", help="folder for the windows")
        parser.add_argument(
            "--mirror", type=named, default=MIRROR, metavar="URL", help="address of the corpus"
        )
        parser.add_argument(
            "--keep-downloads", action="store_true", help="leave the headset recordings there"
        )
        given = parser.parse_args(words)
        lines = Builder(given.out, given.mirror).build(windows, keep_downloads=given.keep_downloads)
        print("\n".join(lines))
        return EXIT_PASS

    return run(work, arguments)


if __name__ == "__main__":
    sys.exit(main())
