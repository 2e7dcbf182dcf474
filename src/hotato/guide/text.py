"""A guided first run for a terminal: what was found, what was written, what is next."""

from __future__ import annotations

from hotato.guide.records import NOT_IN_THIS_VERSION, FirstRun, Pinned
from hotato.report.terminal import Terminal
from hotato.report.timefmt import plural, shown

_LABEL = 10
_PATH_CHARS = 200
BY_DESIGN = "fails, by design: it pins a failure, and stays red until a fixed agent is recorded anew"


def first_run_text(run: FirstRun, *, colour: bool = False, width: int = 80, unicode: bool = True) -> str:
    """What a first run did, and the commands to go on with.

    Args:
        run: the run.
        colour: whether escape sequences may be used.
        width: columns of the terminal.
        unicode: whether characters outside ASCII can be shown.
    """
    terminal = Terminal(colour, width, unicode)
    title = f"  {plural(run.total, 'moment')} found"
    lines = [terminal.paint("bold", f"hotato start {run.mode}") + title]
    lines += terminal.wrap(run.headline, "  ")
    if run.pinned is not None:
        lines += terminal.entry("contract", f"{run.pinned.contract.id}: {_verdict(run.pinned)}", _LABEL)
    if run.recorded is not None:
        lines += terminal.entry("record", f"{run.recorded.record_id}: {run.recorded.headline}", _LABEL)
    if run.mode == "--demo":
        for name, reason in NOT_IN_THIS_VERSION.items():
            lines += terminal.entry(name, reason, _LABEL)
    paths = (terminal.plain(shown(path, _PATH_CHARS)) for path in run.written)
    lines += ["", *(f"  {'wrote':<{_LABEL}}{path}" for path in paths)]
    for purpose, command in run.commands:
        lines += ["", *terminal.wrap(purpose, "  "), f"    {terminal.plain(command)}"]
    return terminal.finish(lines)


def _verdict(pinned: Pinned) -> str:
    if not pinned.intact:
        return "could not be verified"
    if pinned.passed:
        return "verified, passes"
    return f"verified, {BY_DESIGN}"
