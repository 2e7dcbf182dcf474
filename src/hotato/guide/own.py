"""The first run on one's own recording: its moments as a list and a page, and with a label a contract."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from hotato.contract.picked import choose
from hotato.contract.records import Expectation
from hotato.errors import Refusal, UsageError
from hotato.find import Analysis, Named, Picked, picked_at, picked_of, sweep
from hotato.find.labels import WHEN
from hotato.find.wording import clock
from hotato.guide.records import FirstRun, Pinned
from hotato.guide.steps import CONTRACTS, SWEEP, finish, listing_files, require_folder, words
from hotato.stacks import channel_map


def first_run_on_own(
    recording: str,
    folder: Path,
    *,
    label: Expectation | None = None,
    onset_sec: float | None = None,
    confirmed: bool = False,
    caller_channel: int | None = None,
    agent_channel: int | None = None,
) -> FirstRun:
    """Sweep one recording, and where a label is given pin the moment that it is for.

    Args:
        recording: a two-channel recording.
        folder: where everything goes.
        label: a person's judgment of the moment, or None to stop before it.
        onset_sec: when the moment is; the first one that the label fits when left out.
        confirmed: a person vouches for which channel is whom.
        caller_channel: the caller's channel, or None.
        agent_channel: the agent's channel, or None.

    Raises:
        Refusal: `not_scorable` and whatever the recording is refused for; `no_such_moment`; and see
            `contract.create`.
    """
    require_folder(folder)
    if onset_sec is not None and label is None:
        raise UsageError("an onset was given without a label", "add --label yield, hold or answer")
    channels = channel_map(caller=caller_channel, agent=agent_channel)
    place = PurePosixPath(Path(os.path.relpath(recording, folder)).as_posix())
    analysis = sweep([Named(place.name, recording)], place.parent.as_posix(), channels=channels)
    if analysis.skipped:
        raise Refusal("not_scorable", analysis.skipped[0].reason, "name another recording")
    pin = None
    if label is not None:
        picked = _picked(analysis, label, onset_sec)
        pin = choose(picked, label, confirm_channels=confirmed).pin
    written, made, recorded = finish(listing_files(analysis, folder), pin, folder)
    first = analysis.found[0].ranked.incident if analysis.found else None
    return FirstRun(
        mode="--stereo",
        written=written,
        total=len(analysis.found),
        headline="No incident stands out in this recording." if first is None else first.sentence,
        commands=_commands(recording, folder, analysis, made),
        pinned=made,
        recorded=recorded,
    )


def _picked(analysis: Analysis, label: Expectation, onset_sec: float | None) -> Picked:
    """The moment that the label is for: the first that it fits, or the one that a person named.

    The caller may begin anywhere, but a silence has to have been found: what it is held against is its own
    limit. A named silence is the one that the time lies in, or in which it ends the sound before it.
    """
    if onset_sec is not None and label != "answer":
        return picked_at(analysis, onset_sec)
    fitting = [one for one in analysis.found if label in one.ranked.labels]
    if onset_sec is not None:
        spans = ((one, one.ranked.candidate.span) for one in fitting)
        fitting = [one for one, span in spans if span.start_sec - NEAR_SEC <= onset_sec <= span.end_sec]
    if not fitting:
        where = "" if onset_sec is None else f" at {clock(onset_sec, 2)}"
        raise Refusal(
            "no_such_moment",
            f"no moment of this recording{where} is one for '{label}'",
            "leave --label out to see every moment that was found"
            if label == "answer"
            else "say when the moment is with --onset SECONDS",
        )
    return picked_of(analysis, fitting[0], SWEEP)


NEAR_SEC = 1.0
"""A silence may begin this long after the time that a person named for it."""


def _commands(
    recording: str, folder: Path, analysis: Analysis, made: Pinned | None
) -> tuple[tuple[str, str], ...]:
    """What to do next, in order; each works from the working folder."""
    if made is not None:
        title = f"Add hotato contract {made.contract.id}"
        proposed = ("--fixtures", made.directory, "--repo", "OWNER/REPO", "--title", title)
        return (
            ("verify it, as CI does", words("contract", "verify", (folder / CONTRACTS).as_posix())),
            ("propose it to a repository", words("pr", "create", *proposed)),
        )
    ref, out = (folder / SWEEP).as_posix(), (folder / CONTRACTS).as_posix()
    labelled = [one for one in analysis.found if one.ranked.labels][:1]
    choices = tuple(
        (
            f"moment {one.rank}, {WHEN[label]}",
            words("investigate", "label", analysis.ref(one, ref), "--expect", label, "--out", out),
        )
        for one in labelled
        for label in one.ranked.labels
    )
    return (
        *choices,
        (
            "open the whole call",
            words("autopsy", f"./{recording}" if recording.startswith("-") else recording),
        ),
    )
