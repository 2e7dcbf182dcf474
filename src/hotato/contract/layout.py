"""Where the members of a bundle lie. One table: whoever writes, reads, packs or seals a bundle asks here."""

from __future__ import annotations

from typing import Any

SUFFIX = ".hotato"
"""A bundle is a folder `<id>.hotato`."""

CONTRACT = "contract.json"
AUDIO_FLAC = "audio/event.flac"
AUDIO_WAV = "audio/event.wav"
"""Where the samples do not fit FLAC (more than 24 bits, a rate it does not know)."""

FRAMES = "evidence/frames.jsonl"
TIMELINE = "evidence/timeline.html"
TRUST = "evidence/trust.json"
CARD = "evidence/card.svg"
TRACES = "traces"
CALL_METADATA = "source/call_metadata.json"
STACK_CONFIG = "source/stack_config_snapshot.json"
POLICY = "policy/verify.yaml"
INITIAL_REPORT = "reports/initial.html"
AFTER_REPORT = "reports/after.html"
PROVENANCE = "provenance.json"
GITHUB_ACTION = "ci/github-action.yml"
JUNIT = "ci/junit.xml"
MANIFEST = "MANIFEST.sha256.json"
"""The sha256 of every sealed member."""

SIGNATURE = "signature.dsse.json"
"""A DSSE envelope over an in-toto statement; absent in an unsigned bundle."""

LISTING = "PACK.sha256.json"
"""First member of an archive: what all the others are. It is not part of the bundle."""

OPEN_MEMBERS = frozenset({STACK_CONFIG, AFTER_REPORT})
"""Placeholders that people fill in later: outside the seal."""

OPEN_FOLDERS = (TRACES + "/",)
"""What lies here is added later: outside the seal."""

LITTER = frozenset({".ds_store", "thumbs.db", "desktop.ini"})
"""Files that desktops leave in a folder that was looked into, in lower case: never read, and no members."""

AUDIO = (AUDIO_FLAC, AUDIO_WAV)


def is_litter(name: str) -> bool:
    """Whether a file's base name is one that a desktop leaves behind."""
    return name.lower() in LITTER


def is_sealed(member: str) -> bool:
    """Whether the manifest covers a member; itself and the signature over it cannot be."""
    return (
        member not in OPEN_MEMBERS
        and not member.startswith(OPEN_FOLDERS)
        and member not in (MANIFEST, SIGNATURE)
    )


def paths(audio: str) -> dict[str, Any]:
    """Every path, as `contract.json` states them under `bundle.paths`.

    Args:
        audio: the member that holds the recording: `AUDIO_FLAC` or `AUDIO_WAV`.
    """
    return {
        "contract": CONTRACT,
        "audio": audio,
        "evidence": {"frames": FRAMES, "timeline": TIMELINE, "trust": TRUST, "card": CARD},
        "traces_dir": TRACES,
        "source": {"call_metadata": CALL_METADATA, "stack_config_snapshot": STACK_CONFIG},
        "policy": POLICY,
        "reports": {"initial": INITIAL_REPORT, "after": AFTER_REPORT},
        "provenance": PROVENANCE,
        "ci": {"github_action": GITHUB_ACTION, "junit": JUNIT},
        "manifest": MANIFEST,
        "signature": SIGNATURE,
    }
