"""When something was made, as whoever makes it states: no command reads a clock."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import click

from hotato.errors import UsageError
from hotato.plain import shown

EPOCH_VARIABLE = "SOURCE_DATE_EPOCH"
"""Seconds since 1970 that reproducible builds state their time with."""

_LONGEST_DIGITS = 11

created_at_option = click.option(
    "--created-at",
    metavar="TIME",
    help=f"When it was made, as 2026-01-31T12:00:00Z ({EPOCH_VARIABLE} if left out, else no time).",
)


def stated_time(created_at: str | None) -> str | None:
    """The time of the flag, else of `SOURCE_DATE_EPOCH`, else None.

    Args:
        created_at: the value of `--created-at`.

    Raises:
        UsageError: it is no time with a zone, or the variable is no number of seconds.
    """
    if created_at is not None:
        try:
            known = datetime.fromisoformat(created_at)
        except ValueError:
            known = None
        if known is None or known.tzinfo is None or "T" not in created_at:
            raise UsageError(f"'{shown(created_at)}' is no time", "write it as 2026-01-31T12:00:00Z")
        return created_at
    epoch = os.environ.get(EPOCH_VARIABLE)
    if not epoch:
        return None
    if not (epoch.isascii() and epoch.isdigit() and len(epoch) <= _LONGEST_DIGITS):
        raise UsageError(f"{EPOCH_VARIABLE} is '{shown(epoch)}'", "set it to whole seconds since 1970")
    return datetime.fromtimestamp(int(epoch), tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
