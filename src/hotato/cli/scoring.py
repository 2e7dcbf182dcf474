"""What run, report, doctor and export share: the options of a scoring, as arguments of the score room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hotato.cli import options
from hotato.cli.listening import Call, call_of
from hotato.errors import UsageError

scoring_options = options.stacked(
    options.call_options,
    options.label_options,
    options.suite_options,
)
"""All options that say what is scored and against which label."""


BUNDLED_SUITE = "barge-in"
"""The suite that comes with hotato."""


@dataclass(frozen=True)
class Scoring:
    """One recording with its label, or a suite of them.

    Attributes:
        call: the recording; none for a suite.
        suite: name of a bundled suite, or None.
        scenarios: folder of labels, or None.
        audio: folder of recordings, or None.
        label: onset, expectation and bounds, as arguments of `score.run_single`.
    """

    call: Call
    suite: str | None
    scenarios: str | None
    audio: str | None
    label: dict[str, Any]

    @property
    def is_suite(self) -> bool:
        """Whether a suite is scored."""
        return not self.call.given

    def arguments(self, **more: Any) -> dict[str, Any]:
        """Keyword arguments for `score.run_single` or `score.run_suite`, whichever this is."""
        call = self.call
        shared = {
            "stack": call.stack,
            "caller_channel": call.caller_channel,
            "agent_channel": call.agent_channel,
            **more,
        }
        if self.is_suite:
            suite = {} if self.suite is None else {"suite": self.suite}
            return {**suite, "scenarios_dir": self.scenarios, "audio_dir": self.audio, **shared}
        return {
            "stereo": call.stereo,
            "caller": call.caller,
            "agent": call.agent,
            "caller_start_sec": call.caller_start_sec,
            "agent_start_sec": call.agent_start_sec,
            **self.label,
            **shared,
        }


def scoring_of(values: dict[str, Any], *, default_suite: str | None = None) -> Scoring:
    """Take the scoring options out of a command's parameters.

    Args:
        values: the parameters; those of `scoring_options` are removed from it.
        default_suite: what is scored when nothing is named; None refuses.

    Raises:
        UsageError: nothing named, or a recording and a suite, or labels of one recording with a suite.
    """

    def take(name: str) -> Any:
        return values.pop(name, None)

    call = call_of(
        take("recording"),
        take("stereo"),
        take("caller"),
        take("agent"),
        caller_start=take("caller_start") or 0.0,
        agent_start=take("agent_start") or 0.0,
        stack=take("stack"),
        caller_channel=take("caller_channel"),
        agent_channel=take("agent_channel"),
    )
    suite, scenarios, audio = take("suite"), take("scenarios"), take("audio")
    label = {
        "onset_sec": take("onset"),
        "expect": take("expect"),
        "max_talk_over_sec": take("max_talk_over"),
        "max_time_to_yield_sec": take("max_time_to_yield"),
    }
    named_suite = suite is not None or scenarios is not None or audio is not None
    if call.given and named_suite:
        raise UsageError("a recording and a suite were both named", "score one of them at a time")
    if (scenarios is None) != (audio is None) and suite is None:
        missing = "--audio" if audio is None else "--scenarios"
        raise UsageError(f"{missing} is missing", "pass --scenarios DIR and --audio DIR")
    if not call.given:
        _refuse_labels(label)
        if not named_suite:
            suite = default_suite
        if suite is None and not named_suite:
            raise UsageError("nothing to score was named", "pass FILE, or --suite barge-in")
    label["expect"] = label["expect"] or "yield"
    return Scoring(call, suite, scenarios, audio, label)


def score(scoring: Scoring, **more: Any) -> dict[str, Any]:
    """The envelope of a scoring."""
    from hotato import score as room

    if scoring.is_suite:
        return room.run_suite(**scoring.arguments(**more))
    return room.run_single(**scoring.arguments(**more))


def _refuse_labels(label: dict[str, Any]) -> None:
    given = [name for name, value in label.items() if value is not None]
    if given:
        flag = "--" + given[0].removesuffix("_sec").replace("_", "-")
        raise UsageError(f"{flag} labels one recording", "a suite brings its own labels")
