"""The facts the room states about a file: one function for each code, so that each has one wording."""

from __future__ import annotations

from hotato.findings import Finding

_UNREAD = {
    "recording": "split the file at that byte, or export the call as one recording",
    "sound": "export the call again, with a header that states its whole length",
}
_RECORD_AGAIN = "use the original file if there is one; otherwise nothing, the samples were counted"


def header_size_unknown(where: str, declared: int, found: int) -> Finding:
    """The header's length is a placeholder; the file was read to its end."""
    return Finding(
        code="header_size_unknown",
        sentence=f"the {where} states no usable length ({declared}), as streaming writers do; "
        f"all {found} bytes to the end of the file were read",
        evidence={"declared_bytes": declared, "found_bytes": found},
    )


def truncated(declared: int, found: int, unit: str, missing_sec: float) -> Finding:
    """The file holds less than its header states. `unit` is `bytes` or `frames`."""
    return Finding(
        code="truncated",
        sentence=f"the header states {declared} {unit} of samples and the file holds {found}: "
        f"the last {missing_sec:.3f} s are missing",
        evidence={
            f"declared_{unit}": declared,
            f"found_{unit}": found,
            "missing_sec": round(missing_sec, 6),
        },
        remedy="fetch the recording again; what is there was read",
    )


def header_size_wrong(where: str, declared: int, found: int) -> Finding:
    """A length in the header is wrong and no known placeholder."""
    return Finding(
        code="header_size_wrong",
        sentence=f"the {where} states {declared} bytes where the file shows {found}",
        evidence={"declared_bytes": declared, "found_bytes": found},
        remedy=_RECORD_AGAIN,
    )


def trailing_bytes(count: int, offset: int, what: str, unread: str | None = None) -> Finding:
    """Bytes behind the samples that were not read.

    `unread` says what of the call they hold, `recording` or `sound`; None where they are no part of it.
    """
    return Finding(
        code="trailing_bytes",
        sentence=f"{count} bytes behind the samples ({what}) were not read as sound",
        evidence={"trailing_bytes": count, "offset_bytes": offset}
        | ({} if unread is None else {"unread": unread}),
        remedy=None if unread is None else _UNREAD[unread],
    )


def several_data_chunks(count: int, ignored: int) -> Finding:
    """More than one chunk of samples; the first that holds any was read."""
    return Finding(
        code="several_data_chunks",
        sentence=f"{count} further data chunk{'' if count == 1 else 's'} of {ignored} bytes "
        f"follow{'s' if count == 1 else ''} the first; only the first was read",
        evidence={"chunks": count, "ignored_bytes": ignored},
        remedy="export the recording again as one piece",
    )


def partial_frame(left: int, frame_bytes: int) -> Finding:
    """The samples end in the middle of a frame."""
    return Finding(
        code="partial_frame",
        sentence=f"the last {left} bytes do not fill a frame of {frame_bytes} bytes and were dropped",
        evidence={"left_bytes": left, "frame_bytes": frame_bytes},
    )


def missing_pad(chunk: str) -> Finding:
    """An odd chunk without its pad byte."""
    return Finding(
        code="missing_pad_byte",
        sentence=f"the chunk '{chunk}' has an odd length and no pad byte behind it",
        evidence={"chunk": chunk},
    )


def channel_mask_damaged(mask: int, channels: int) -> Finding:
    """The speaker mask of WAVE_FORMAT_EXTENSIBLE does not fit the channel count."""
    return Finding(
        code="channel_mask_damaged",
        sentence=f"the speaker mask {mask:#010x} does not describe {channels} channels; it was ignored",
        evidence={"channel_mask": mask, "channels": channels},
    )


def format_damaged(what: str, stated: int, used: int) -> Finding:
    """A field of the format chunk contradicts the others; the sentence says which and what was used."""
    return Finding(
        code="format_damaged",
        sentence=f"the format chunk's {what} is {stated}; {used} was used, which the other fields give",
        evidence={"stated": stated, "used": used},
    )


def over_full_scale(count: int, largest: float, clip: float) -> Finding:
    """Float samples beyond 1.0."""
    return Finding(
        code="over_full_scale",
        sentence=f"{count} samples exceed full scale, the largest {largest:.4g} times; "
        f"beyond {clip:g} times they were clipped",
        evidence={"samples": count, "largest_full_scale": round(largest, 6), "clip_full_scale": clip},
        remedy="lower the gain where the recording is written",
    )


def declared_frames_wrong(declared: int, found: int) -> Finding:
    """The header states fewer frames than there are."""
    return Finding(
        code="declared_frames_wrong",
        sentence=f"the header states {declared} frames and {found} were decoded; the decoded ones count",
        evidence={"declared_frames": declared, "found_frames": found},
    )


def no_end_mark() -> Finding:
    """The last page of an Ogg stream does not say that it is the last."""
    return Finding(
        code="no_end_mark",
        sentence="the stream has no end mark: it was cut, or the writer stopped without closing it",
        remedy="fetch the recording again if more of it is expected",
    )


def chained_streams(offset: int) -> Finding:
    """Another stream follows in the same Ogg file."""
    return Finding(
        code="chained_streams",
        sentence=f"another stream begins at byte {offset}; only the first was read",
        evidence={"offset_bytes": offset},
        remedy="split the file at that byte, or export the call as one stream",
    )


def decode_stopped(frames: int, at_sec: float) -> Finding:
    """The decoder gave up inside the body."""
    return Finding(
        code="decode_stopped",
        sentence=f"decoding stopped at {at_sec:.3f} s because the bytes there are damaged",
        evidence={"found_frames": frames, "at_sec": round(at_sec, 6)},
        remedy="fetch the recording again; what is before that point was read",
    )


def damaged_packets(count: int) -> Finding:
    """Packets of a media file that could not be decoded and are missing from the samples."""
    return Finding(
        code="damaged_packets",
        sentence=f"{count} packets could not be decoded and are missing from the samples",
        evidence={"packets": count},
        remedy="fetch the recording again; times after a missing packet are early",
    )


def timestamp_gaps(count: int, total_sec: float) -> Finding:
    """Holes in the packet times of a media file, which the samples do not show."""
    return Finding(
        code="timestamp_gaps",
        sentence=f"the file's own time stamps leave {count} holes of {total_sec:.3f} s in all, "
        "which hold no samples; times after a hole are early by its length",
        evidence={"gaps": count, "gap_sec": round(total_sec, 6)},
        remedy="export the call as WAV from where it was recorded",
    )
