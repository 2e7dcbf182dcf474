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
_HARMLESS = re.compile(r"[A-Za-z0-9][A-Za-z0-9@:/._+=#~<>!,\[\]%& -]*|\.{1,2}/[A-Za-z0-9@:/._+=~-]*")
_INDEX_NAME = re.compile(r"hotato\s*(\[[^\]]*\])?\s*([=<>!~].*)?", re.I)


def require_requirement(text: str) -> str:
    """A pip requirement that can stand in every configuration as it is.

    Quotes, dollar signs, backslashes and line breaks mean something to a shell, to YAML or to a pipeline, and
    a word that begins with a hyphen is a flag to pip.

    Raises:
        UsageError: it holds such a letter, or is too long.
        Refusal: `other_program`: it names hotato on the package index, where that is another program.
    """
    wanted = text.strip()
    if not _HARMLESS.fullmatch(wanted) or len(wanted) > _LONGEST:
        raise UsageError(
            f"'{shown(text)}' is no requirement that a pipeline can install safely",
            "name a URL (hotato @ git+https://HOST/PATH.git@REVISION), or a wheel in the repository (./PATH)",
        )
    if _INDEX_NAME.fullmatch(wanted):
        raise Refusal(
            "other_program",
            f"'{wanted}' asks the package index, where another program has this name",
            f"name where yours comes from: {DEFAULT_INSTALL}",
        )
    return wanted
