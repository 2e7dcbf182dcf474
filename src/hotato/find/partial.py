"""What of a call was not heard: what is found in the rest stands, what is not found proves nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hotato.findings import Finding


@dataclass(frozen=True, slots=True)
class PartHeardParams:
    """What is too little to count.

    Attributes:
        least_sec: a shorter end that is missing holds no moment. Writers that count their own header among
            the samples are off by as little.
        hung_up_sec: a caller whose channel ends this long before the call or less has hung up, as calls end:
            the agent's goodbye goes on, and the caller says nothing in it.
    """

    least_sec: float = 0.1
    hung_up_sec: float = 5.0


_ALWAYS = frozenset(
    {
        "decode_stopped",
        "several_data_chunks",
        "chained_streams",
        "no_end_mark",
        "damaged_packets",
        "timestamp_gaps",
    }
)


def is_partial(finding: Finding, params: PartHeardParams | None = None) -> bool:
    """Whether a finding says that a part of the call was not heard.

    A length that the header does not state is none: such a file was read to its end.
    """
    params, missing = params or PartHeardParams(), finding.evidence.get("missing_sec")
    if finding.code == "truncated":
        return not isinstance(missing, int | float) or missing >= params.least_sec
    if finding.code == "channel_ends_early":
        hung_up = isinstance(missing, int | float) and missing <= params.hung_up_sec
        return finding.evidence.get("party") != "caller" or not hung_up
    return finding.code in _ALWAYS or (finding.code == "trailing_bytes" and "unread" in finding.evidence)


def partial(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Codes of the findings that say that a part of the call was not heard, each once."""
    return tuple(dict.fromkeys(finding.code for finding in findings if is_partial(finding)))
