"""What stands behind the place where a header says that the samples end.

A writer that crashed, or wrote its header first, states too little: what follows is the rest of the call. A
phone system that joins files byte by byte leaves a second recording there, and some writers leave padding.
"""

from __future__ import annotations

from hotato.audio.limits import LIMITS
from hotato.audio.source import Source

ANOTHER = "another recording, as when recordings are joined byte by byte"
RIFF = "another RIFF header, as when recordings are joined byte by byte"
TAG = "a tag"
ZEROS = "zeros only"
SHORT = "too short for sound"
SOUND = "sound"

_RIFF_MAGICS = (b"RIFF", b"RIFX", b"RF64", b"BW64")
_MAGICS = (
    bytes.fromhex("726966662e91cf11"),  # Sony W64
    b"fLaC",
    b"OggS\0",
    b"caff\0",
    b".snd\0",
    b"dns.",
    b"#!AMR",
    bytes.fromhex("1a45dfa3"),  # Matroska
    bytes.fromhex("3026b2758e66cf11"),  # ASF
)
_TAGS = (b"TAG", b"ID3", b"APETAGEX")
_HEAD_BYTES = 16


def starts_recording(head: bytes) -> bool:
    """Whether these bytes begin a file of its own: a container that this room knows."""
    form = head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC")
    return head.startswith(_RIFF_MAGICS) or head.startswith(_MAGICS) or form or head[4:8] == b"ftyp"


def what_follows(source: Source, offset: int, per_sec: float) -> str:
    """What the bytes from `offset` to the end of the file are, as one of the words of this module.

    Whoever calls has found no chunk there. Digital silence is sound as well: zeros alone are padding only
    where nothing else comes after them, so they are searched through, up to a limit.

    Args:
        source: the file.
        offset: where the stated samples end.
        per_sec: bytes for each second of sound.
    """
    head = source.read_at(offset, _HEAD_BYTES)
    if head.startswith(_RIFF_MAGICS):
        return RIFF
    if starts_recording(head):
        return ANOTHER
    if head.startswith(_TAGS):
        return TAG
    if not 0 < LIMITS.continued_min_sec * per_sec <= source.size - offset:
        return SHORT
    return ZEROS if _only_zeros(source, offset) else SOUND


def _only_zeros(source: Source, offset: int) -> bool:
    """Whether nothing but zeros follows; a file that holds more of them than the limit counts as sound."""
    stop = min(source.size, offset + LIMITS.zeros_searched_bytes)
    for at in range(offset, stop, LIMITS.read_bytes):
        piece = source.read_at(at, min(LIMITS.read_bytes, stop - at))
        if piece.count(0) != len(piece):
            return False
    return stop == source.size
