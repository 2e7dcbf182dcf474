"""When something was made, as whoever makes it states: hotato itself reads no clock."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime

from hotato.errors import UsageError
from hotato.plain import shown

EPOCH_VARIABLE = "SOURCE_DATE_EPOCH"
_EPOCH = re.compile(r"\d{1,12}")


def stated_time(value: str | None) -> str | None:
    """The time of a `--created-at`, else that of SOURCE_DATE_EPOCH, in UTC to the second; None for neither.

    Args:
        value: RFC 3339 with an offset, such as `2026-03-01T12:00:00Z`.

    Raises:
        UsageError: it is no such time.
    """
    if value is not None:
        try:
            return _utc(datetime.fromisoformat(value))
        except (ValueError, OverflowError):
            raise UsageError(
                f"'{shown(value)}' is no time with an offset", "write it like 2026-03-01T12:00:00Z"
            ) from None
    epoch = os.environ.get(EPOCH_VARIABLE, "")
    if not epoch:
        return None
    try:
        if not _EPOCH.fullmatch(epoch):
            raise ValueError
        return _utc(datetime.fromtimestamp(int(epoch), UTC))
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"{EPOCH_VARIABLE} is no number of seconds", "set it to seconds since 1970, or unset it"
        ) from None


def _utc(moment: datetime) -> str:
    if moment.tzinfo is None:
        raise ValueError
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
