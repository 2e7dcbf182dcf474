"""Where a pipeline gets hotato from: one pip requirement, written into its configuration."""

from __future__ import annotations

import re

from hotato._version import __version__
from hotato.errors import Refusal, UsageError
from hotato.plain import shown

PLACEHOLDER = "REPLACE-ME"
"""What a person has to replace before a generated pipeline installs anything."""

DEFAULT_INSTALL = f"hotato @ git+https://{PLACEHOLDER}/hotato.git@v{__version__}"
"""The package index has another program of this name and hotato cannot know where your copy lives, so the
default asks: a pipeline with it stops at its first step and says what to set."""

_LONGEST = 300
_HARMLESS = re.compile(
    r"(?:[A-Za-z0-9][\w.-]*\[[\w.,-]+\])?"  # extras: brackets stand nowhere else
    r"[A-Za-z0-9 .][A-Za-z0-9@:/._+= -]*"
    r"(?:(?<! )#[A-Za-z0-9][A-Za-z0-9._+=/-]*)?",  # a fragment, such as a digest of the file
    re.ASCII,
)
_INDEX_NAME = re.compile(r"hotato\s*(\[[^\]]*\])?\s*([=<>!~].*)?", re.I)


def require_requirement(text: str) -> str:
    """A pip requirement that can stand in every configuration as it is.

    Quotes, dollar signs, backslashes, line breaks and `& < > ; | ~ ! * % { }` mean something to a shell, to
    YAML or to a pipeline. Brackets are taken around extras only and `#` once, before a fragment. A word that
    begins with a hyphen is a flag to pip.

    Raises:
        UsageError: it holds such a letter, or is too long.
        Refusal: `other_program`: it names hotato on the package index, where that is another program.
    """
    wanted = text.strip()
    if _INDEX_NAME.fullmatch(wanted) and len(wanted) <= _LONGEST:
        raise Refusal(
            "other_program",
            f"'{shown(wanted)}' asks the package index, where another program has this name",
            f"name where yours comes from: {DEFAULT_INSTALL}",
        )
    if not _HARMLESS.fullmatch(wanted) or " -" in wanted or len(wanted) > _LONGEST:
        raise UsageError(
            f"'{shown(text)}' is no requirement that a pipeline can install safely",
            "name a URL (hotato @ git+https://HOST/PATH.git@REVISION), or a wheel in the repository (./PATH)",
        )
    return wanted
