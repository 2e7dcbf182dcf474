"""What was found about a recording: a code, a sentence, the evidence and a remedy.

The audio room states facts of a file this way ("header_size_unknown"), the trust room causes for doubt
("drop_outs"). A finding never decides anything by itself.
"""

from __future__ import annotations

from typing import Any

import msgspec

Evidence = dict[str, int | float | str | bool | list[Any] | None]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One fact or cause, stated so that a person can act on it.

    Attributes:
        code: stable snake_case identifier.
        sentence: one plain sentence with the numbers in it.
        evidence: the numbers behind the sentence; keys carry units.
        remedy: the next step, or None where the fact needs none.
    """

    code: str
    sentence: str
    evidence: Evidence = {}
    remedy: str | None = None
