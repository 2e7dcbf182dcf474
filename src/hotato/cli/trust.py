"""`hotato trust`: can this recording be scored, and what is wrong with it."""

from __future__ import annotations

from typing import Any

import click

from hotato.cli import options
from hotato.cli.later import later
from hotato.cli.listening import hear_call, require_call, take_call
from hotato.cli.terminal import emit, screen


@click.command()
@options.call_options
@later("diarize")
@options.format_option("text", "json")
def trust(**values: Any) -> int:
    """Say whether a recording can be scored, and why not.

    Exit 0 when it can, 2 when it cannot. No verdict about the agent: this is about the recording only.
    """
    call = take_call(values)
    require_call(call)

    from hotato import report
    from hotato import trust as room
    from hotato.canonical import to_json

    health = room.examine(hear_call(call))
    if values["style"] == "json":
        emit(to_json(room.trust_json(health)))
    else:
        emit(report.trust_text(health, **screen()))
    return health.exit_code
