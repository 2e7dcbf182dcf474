"""Remedies for a moment that was found: they name no flag that only a moment which a person states has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from hotato.contract.pin import Pin
from hotato.errors import Refusal, UsageError

_FLAG = re.compile(r"--[a-z][a-z-]*|caller_onset_sec")
_FOUND_FLAGS = frozenset({"--id", "--force", "--profile", "--confirm-channels", "--max-response-gap"})
_LABEL_FLAGS = frozenset(
    {"--folder", "--pre", "--post", "--no-clip", "--stack", "--caller-channel", "--agent-channel"}
)
_BY_HAND = "choose another moment, or state it by hand: hotato contract create --stereo FILE --onset SECONDS"


@contextmanager
def fitting_remedies(pin: Pin) -> Iterator[None]:
    """Within it, a refusal of a found moment names a way that there is.

    Args:
        pin: the moment.

    Raises:
        Refusal: the same, with the way by hand where its own way needs a flag that the command does not have.
    """
    try:
        yield
    except UsageError:
        raise
    except Refusal as refusal:
        known = _FOUND_FLAGS if pin.recording_id is not None else _FOUND_FLAGS | _LABEL_FLAGS
        found = pin.recording_id is not None or pin.candidate_ref is not None
        if not found or known.issuperset(_FLAG.findall(refusal.remedy or "")):
            raise
        raise Refusal(refusal.code, refusal.message, _BY_HAND) from refusal
