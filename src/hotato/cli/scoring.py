"""What run, report, doctor and export share: the options of a scoring, as a request of the score room."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hotato.cli import options
from hotato.cli.listening import CallFiles, take_call
from hotato.cli.naming import stem
from hotato.cli.progress import progress_of
from hotato.errors import Refusal, UsageError

if TYPE_CHECKING:
    from hotato.score import Request

scoring_options = options.stacked(
    options.call_options,
    options.suite_label_options,
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
        label: onset, expectation, bounds and measurement profile, as arguments of `score.run_single`.
    """

    call: CallFiles
    suite: str | None
    scenarios: str | None
    audio: str | None
    label: dict[str, Any]

    @property
    def is_suite(self) -> bool:
        """Whether a suite is scored."""
        return not self.call.given

    @property
    def onset_sec(self) -> float | None:
        """The stated onset."""
        onset: float | None = self.label["onset_sec"]
        return onset

    def arguments(self, **more: Any) -> dict[str, Any]:
        """Keyword arguments of the score room's functions, the given ones only."""
        call = self.call
        given = {
            "stereo": call.stereo,
            "caller": call.caller,
            "agent": call.agent,
            "caller_start_sec": call.caller_start_sec or None,
            "agent_start_sec": call.agent_start_sec or None,
            "stack": call.stack,
            "caller_channel": call.caller_channel,
            "agent_channel": call.agent_channel,
            "suite": self.suite,
            "scenarios_dir": self.scenarios,
            "audio_dir": self.audio,
            **self.label,
            **more,
        }
        return {name: value for name, value in given.items() if value is not None}

    def stem(self, command: str, envelope: Mapping[str, Any]) -> str:
        """The name of a command's files without their ending: of the recording's id, or of the suite.

        A label is one of the conditions under which a recording is scored, see `naming.stem`.
        """
        from hotato.find import recording_id

        if self.is_suite:
            folder = self.scenarios or self.audio
            name = self.suite or Path(folder or BUNDLED_SUITE).name
            return stem(command, name, self.call, scenarios=self.scenarios, audio=self.audio, **self.label)
        identity = recording_id(envelope["events"][0]["audio_provenance"]["sha256"])
        return stem(command, identity, self.call, **self.label)

    def progress(self) -> AbstractContextManager[Callable[[float], None] | None]:
        """A callback that shows how far one recording has been read, or None where nobody looks."""
        source = self.call.stereo or self.call.caller
        return nullcontext() if source is None else progress_of(source)

    def request(self, **more: Any) -> Request:
        """The same as one request."""
        from hotato.score import Request

        return Request(**self.arguments(**more))


def take_scoring(values: dict[str, Any], *, default_suite: str | None = None) -> Scoring:
    """The scoring that a command's parameters name.

    Args:
        values: the parameters; those of `scoring_options` are removed from it.
        default_suite: what is scored when nothing is named; None refuses.

    Raises:
        UsageError: nothing named, or a recording and a suite, or labels of one recording with a suite.
        Refusal: `not_found` or `not_a_directory`: a folder of the suite.
    """

    def take(name: str) -> Any:
        return values.pop(name, None)

    call = take_call(values)
    for name, what in (("scenarios", "scenarios"), ("audio", "recordings")):
        _require_folder(values.get(name), what)
    scoring = Scoring(
        call,
        suite=take("suite"),
        scenarios=take("scenarios"),
        audio=take("audio"),
        label={
            "onset_sec": take("onset"),
            "expect": take("expect"),
            "max_talk_over_sec": take("max_talk_over"),
            "max_time_to_yield_sec": take("max_time_to_yield"),
            "max_response_gap_sec": take("response_gap"),
            "profile": take("profile"),
        },
    )
    return _checked(scoring, default_suite)


def _require_folder(path: str | None, what: str) -> None:
    if path is None or Path(path).is_dir():
        return
    if Path(path).exists():
        raise Refusal("not_a_directory", f"'{path}' is not a folder", f"name the folder of {what}")
    raise Refusal("not_found", f"there is no folder '{path}'", "check the path")


def _checked(scoring: Scoring, default_suite: str | None) -> Scoring:
    named_suite = any(part is not None for part in (scoring.suite, scoring.scenarios, scoring.audio))
    if scoring.call.given:
        if named_suite:
            raise UsageError("a recording and a suite were both named", "score one of them at a time")
        return scoring
    for name, flag in (("onset_sec", "--onset"), ("expect", "--expect")):
        if scoring.label[name] is not None:
            raise UsageError(f"{flag} labels one recording", "name it as FILE; a suite brings its own labels")
    if named_suite:
        return scoring
    if default_suite is None:
        raise UsageError("nothing to score was named", f"pass FILE, or --suite {BUNDLED_SUITE}")
    return Scoring(scoring.call, default_suite, None, None, scoring.label)
