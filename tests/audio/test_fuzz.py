"""Damaged files of every container: samples or a refusal, within bounds, and nothing else."""

from __future__ import annotations

import random
import tracemalloc

import pytest
import soundfile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hotato.audio import open_recording
from hotato.errors import Refusal

KINDS = [
    "wav",
    "extensible",
    "float",
    "rifx",
    "w64",
    "rf64",
    "ima",
    "flac",
    "vorbis",
    "opus",
    "mp3",
    "aiff",
    "au",
    "caf",
    "alac",
]
MEDIA = ["m4a", "webm", "adts"]
BLOCK = 4096
NUMBERS = [0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFDB, 2_000_000_000, 44, 65_536]


@pytest.fixture(scope="module")
def sound(tmp_path_factory, wav, w64, rf64, tone, encode_media) -> dict[str, bytes]:
    """A small valid file of each kind."""
    pcm = (tone[:2000] * 32767).astype("<i2")
    made = {
        "wav": wav(pcm.tobytes(), before=[(b"LIST", b"INFOabc")], after=[(b"id3 ", b"x")]).build(),
        "extensible": wav(pcm.tobytes(), extensible_mask=3).build(),
        "float": wav((pcm / 32768).astype("<f4").tobytes(), kind="float", bits=32).build(),
        "rifx": wav(pcm.astype(">i2").tobytes(), order=">").build(),
        "w64": w64(pcm.tobytes(), wav().fmt()),
        "rf64": rf64(pcm.tobytes(), wav().fmt()),
    }
    path = tmp_path_factory.mktemp("sound") / "x"
    for name, form, subtype in [
        ("ima", "WAV", "IMA_ADPCM"),
        ("flac", "FLAC", "PCM_16"),
        ("vorbis", "OGG", "VORBIS"),
        ("opus", "OGG", "OPUS"),
        ("mp3", "MP3", "MPEG_LAYER_III"),
        ("aiff", "AIFF", "PCM_16"),
        ("au", "AU", "PCM_16"),
        ("caf", "CAF", "PCM_16"),
        ("alac", "CAF", "ALAC_16"),
    ]:
        soundfile.write(path, pcm, 48_000, format=form, subtype=subtype)
        made[name] = path.read_bytes()
    for name, codec, container in [
        ("m4a", "aac", "ipod"),
        ("webm", "libopus", "webm"),
        ("adts", "aac", "adts"),
    ]:
        encode_media(path, codec, container, tone[:4000])
        made[name] = path.read_bytes()
    return made


def _read(path, content: bytes) -> None:
    """Samples or a refusal; bounded blocks and memory whatever the header says."""
    path.write_bytes(content)
    try:
        with open_recording(path) as reader:
            total = 0
            for block in reader.blocks(BLOCK):
                assert block.shape[1] == reader.container.channels
                assert len(block) <= BLOCK
                total += len(block)
                assert total <= 8_192 * len(content) + BLOCK
            recording = reader.recording()
            assert recording.frames == total > 0
            assert 4_000 <= recording.sample_rate_hz <= 384_000
    except Refusal as refusal:
        assert refusal.code.isidentifier()
        assert "\n" not in str(refusal)
        assert str(path.parent) not in str(refusal)


def _mutate(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5])):
        reach = rng.choice([64, 200, len(changed)]) if changed else 0
        at = rng.randrange(max(1, min(reach, len(changed))))
        way = rng.randrange(6)
        if way == 0:
            changed[at : at + 1] = bytes([rng.randrange(256)])
        elif way == 1:
            changed[at : at + 4] = rng.choice(NUMBERS).to_bytes(4, rng.choice(["little", "big"]))
        elif way == 2:
            del changed[at : at + rng.choice([1, 2, 8, 100])]
        elif way == 3:
            changed[at:at] = rng.randbytes(rng.choice([1, 2, 8, 100]))
        elif way == 4:
            del changed[at:]
        else:
            changed[at : at + 100] = rng.randbytes(100)
    return bytes(changed)


@pytest.mark.parametrize("kind", [*KINDS, *MEDIA])
def test_seeded_mutations_give_samples_or_a_refusal(sound, tmp_path, kind):
    rng = random.Random(f"hotato {kind}")
    tracemalloc.start()
    try:
        for _ in range(40):
            _read(tmp_path / "call", _mutate(sound[kind], rng))
        assert tracemalloc.get_traced_memory()[1] < 100 << 20
    finally:
        tracemalloc.stop()


@given(
    kind=st.sampled_from(KINDS),
    at=st.integers(0, 120),
    new=st.one_of(
        st.binary(min_size=1, max_size=8),
        st.sampled_from(NUMBERS).map(lambda n: n.to_bytes(4, "little")),
        st.sampled_from(NUMBERS).map(lambda n: n.to_bytes(4, "big")),
    ),
    keep=st.floats(0, 1),
)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_changed_headers_and_cut_bodies_give_samples_or_a_refusal(sound, tmp_path, kind, at, new, keep):
    content = sound[kind]
    content = content[:at] + new + content[at + len(new) :]
    _read(tmp_path / "call", content[: max(1, int(len(content) * keep))])


@given(
    content=st.binary(max_size=400),
    magic=st.sampled_from(
        [
            b"RIFF\x24\0\0\0WAVE",
            b"fLaC",
            b"OggS",
            b".snd",
            b"caff",
            b"FORM\0\0\0\0AIFF",
            b"ID3",
            b"\xff\xfb",
            b"\xff\xf1",
            b"\x1a\x45\xdf\xa3",
            b"\0\0\0\x20ftypM4A ",
        ]
    ),
)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_bytes_behind_a_true_magic_give_samples_or_a_refusal(tmp_path, content, magic):
    _read(tmp_path / "call", magic + content)


def test_a_tag_list_of_wrong_length_reserves_no_memory(wav, tmp_path):
    resource = pytest.importorskip("resource")
    content = bytearray(wav(b"\1\0" * 4000, before=[(b"LIST", b"INFOabc\0")]).build())
    content[16:20] = (0xCC000007).to_bytes(4, "little")
    at = content.index(b"fmt ") + 8
    content[at : at + 2] = (0x0002).to_bytes(2, "little")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _read(tmp_path / "call", bytes(content))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10
