"""Gates that a command line sets: open, closed, or not to be decided; the last two say why in one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hotato.cli.terminal import emit_error
from hotato.errors import EXIT_FAIL, EXIT_PASS, EXIT_REFUSE
from hotato.plain import shown

if TYPE_CHECKING:
    from hotato.find import Autopsy


def incident_gate(opened: Autopsy, fail_on: str) -> int:
    """What `--fail-on` makes of an autopsy; what is not judged, in doubt or not all heard passes no gate.

    Args:
        opened: the incidents, and whether the recording can be judged at all.
        fail_on: `never`, `critical` or `warning`.
    """
    if fail_on == "never":
        return EXIT_PASS
    flag = f"--fail-on {fail_on}"
    if opened.unjudged is not None:
        return undecided(opened.unjudged, flag)
    counted = [(opened.critical, "critical incident")]
    if fail_on == "warning":
        counted.append((opened.warning, "warning"))
    found = [f"{count} {word}" if count == 1 else f"{count} {word}s" for count, word in counted if count]
    if found:
        return closed(" and ".join(found), flag)
    why = []
    if opened.partial:
        why.append(f"only part of this call was heard ({', '.join(opened.partial)})")
    if opened.doubts:
        why.append(f"the timing of this recording is in doubt ({', '.join(opened.doubts)})")
    return undecided(f"{' and '.join(why)}; see hotato trust", flag) if why else EXIT_PASS


def tell_unjudged(envelope: Mapping[str, Any]) -> None:
    """Where no event at all could be judged, say why and what to do about it, a line for each."""
    events = envelope["events"]
    if any(event.get("scorable") is not False for event in events):
        return
    for event in events:
        facts = (event.get("not_scorable_reason"), event.get("not_scorable_next_step"))
        why = "; ".join(fact for fact in facts if fact)
        emit_error(f"'{shown(str(event['event_id']))}' could not be scored: {why}")


def closed(why: str, flag: str) -> int:
    """Say on standard error that the gate of `flag` closed and why; the exit code."""
    emit_error(f"gate closed: {why} ({flag})")
    return EXIT_FAIL


def undecided(why: str, flag: str) -> int:
    """Say on standard error that nothing can be held against the gate of `flag`; the exit code."""
    emit_error(f"gate not decided: {why.strip().rstrip('.')} ({flag})")
    return EXIT_REFUSE
