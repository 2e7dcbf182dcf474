"""What can be asked of the scorer: one record for one recording, a pair of recordings, or a suite."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TypedDict

from hotato.bounds import BOUNDS, within
from hotato.errors import UsageError
from hotato.listen import Detector, Heard, Hearing, Progress, attend, attend_pair, hear
from hotato.stacks import ChannelMap, channel_map
from hotato.timing import ScoreConfig

Source = str | os.PathLike[str]
BACKENDS = ("energy", "neural")
YIELD, HOLD, ANSWER = "yield", "hold", "answer"
EXPECTATIONS = (YIELD, HOLD, ANSWER)
DOCUMENTED, CALIBRATED = "documented", "calibrated"
PROFILES = (DOCUMENTED, CALIBRATED)


@dataclass(frozen=True, slots=True)
class Label:
    """What a person stated about the moment.

    Attributes:
        expected_yield: the agent should give up the floor (else it should hold it, or answer).
        explicit: the expectation was stated rather than assumed.
        onset_sec: when the caller began; for an answer a time inside the sound whose end begins the silence.
            None to detect it.
        max_time_to_yield_sec: bound on the time to yield, None for none.
        max_talk_over_sec: bound on simultaneous speech, None for none.
        max_response_gap_sec: bound on the time from the caller's turn end to the answer, None for none; of an
            answer label, which needs it, on the joint silence.
        profile: the measurement profile that the verdict rests on: `documented` (hangover-smoothed frames) or
            `calibrated` (raw energy edges without their bias).
        answer: the agent should sound again within the bound after the sound at the onset has ended.
    """

    expected_yield: bool = True
    explicit: bool = True
    onset_sec: float | None = None
    max_time_to_yield_sec: float | None = None
    max_talk_over_sec: float | None = None
    max_response_gap_sec: float | None = None
    profile: str = DOCUMENTED
    answer: bool = False

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            raise UsageError(
                f"unknown measurement profile '{self.profile}'", f"choose one of: {', '.join(PROFILES)}"
            )
        for name in ("onset_sec", "max_time_to_yield_sec", "max_talk_over_sec", "max_response_gap_sec"):
            require_seconds(name, getattr(self, name))
        if self.answer:
            self._require_answer_bounds()
        elif self.max_response_gap_sec is not None and not self.expected_yield:
            raise UsageError(
                "a hold label cannot bound an answer", "bound the answer of a yield or an answer label"
            )

    def _require_answer_bounds(self) -> None:
        if self.expected_yield:
            raise UsageError("a label expects both a yield and an answer", "expect one of the two")
        if self.max_response_gap_sec is None:
            raise UsageError("an answer label has no bound", "say how long is too long: --max-response-gap S")
        if (self.max_talk_over_sec, self.max_time_to_yield_sec) != (None, None):
            raise UsageError(
                "an answer label cannot bound talk-over or a time to yield",
                "give it --max-response-gap alone",
            )

    @property
    def expect(self) -> str:
        """The label in a word: `yield`, `hold` or `answer`."""
        return ANSWER if self.answer else YIELD if self.expected_yield else HOLD


@dataclass(frozen=True, slots=True)
class Gates:
    """What keeps an event out of the verdict.

    Attributes:
        echo: hold back a yield where the caller channel looks like a copy of the agent.
        snr_db: hold back an event where a channel's estimated SNR is below this; None for no gate.
    """

    echo: bool = False
    snr_db: float | None = None

    def __post_init__(self) -> None:
        limit = BOUNDS.gate_db
        if self.snr_db is not None and not within(self.snr_db, -limit, limit):
            raise UsageError(
                f"the SNR gate is {self.snr_db} dB", f"give a number of dB from -{limit:.0f} to {limit:.0f}"
            )


class ExportKeywords(TypedDict, total=False):
    """The keyword arguments of an export: those of `Keywords` but its own bound."""

    stereo: Source | None
    caller: Source | None
    agent: Source | None
    caller_channel: int | None
    agent_channel: int | None
    caller_start_sec: float
    agent_start_sec: float
    onset_sec: float | None
    expect: str | None
    stack: str | None
    suite: str | None
    scenarios_dir: Source | None
    audio_dir: Source | None
    suffix: str | None
    max_talk_over_sec: float | None
    max_time_to_yield_sec: float | None
    echo_gate: bool
    snr_gate_db: float | None
    confirm_channels: bool
    cfg: ScoreConfig | None
    backend: str | None
    profile: str | None
    detector: Detector
    progress: Progress | None


class Keywords(ExportKeywords, total=False):
    """The keyword arguments of a scoring function that takes a recording, a pair or a suite.

    See `run_single` and `run_suite` for what each means.
    """

    max_response_gap_sec: float | None


@dataclass(frozen=True, slots=True)
class Request:
    """One call of the scorer, with every default in its place; fields as in `run_single` and `run_suite`.

    Two more are about one recording or pair: `progress` is called with the seconds decoded so far, and the
    decoded samples are kept with the call when they take at most `keep_samples_bytes`.
    """

    stereo: Source | None = None
    caller: Source | None = None
    agent: Source | None = None
    caller_channel: int | None = None
    agent_channel: int | None = None
    caller_start_sec: float = 0.0
    agent_start_sec: float = 0.0
    onset_sec: float | None = None
    expect: str | None = None
    stack: str | None = None
    suite: str | None = None
    scenarios_dir: Source | None = None
    audio_dir: Source | None = None
    suffix: str | None = None
    max_talk_over_sec: float | None = None
    max_time_to_yield_sec: float | None = None
    max_response_gap_sec: float | None = None
    echo_gate: bool = False
    snr_gate_db: float | None = None
    confirm_channels: bool = False
    cfg: ScoreConfig | None = None
    backend: str | None = None
    profile: str | None = None
    detector: Detector = "auto"
    progress: Progress | None = None
    keep_samples_bytes: int = 0

    @property
    def is_suite(self) -> bool:
        """Whether a suite was asked for rather than a recording."""
        return any(given is not None for given in (self.suite, self.scenarios_dir, self.audio_dir))

    @property
    def stack_name(self) -> str:
        """The platform's name, normalised; `generic` when none was given."""
        return (self.stack or "generic").strip().lower() or "generic"

    @property
    def config(self) -> ScoreConfig:
        """The parameters: those given, or the documented ones."""
        return self.cfg or ScoreConfig()

    @property
    def gates(self) -> Gates:
        """What keeps an event out of the verdict."""
        return Gates(self.echo_gate, self.snr_gate_db)

    @property
    def listening_backend(self) -> str:
        """The backend asked for; a suite is always judged by energy."""
        if self.is_suite:
            return "energy"
        vads = (self.config.caller_vad, self.config.agent_vad)
        backend = self.backend or next((v.backend for v in vads if v.backend != "energy"), "energy")
        if backend not in BACKENDS:
            raise UsageError(f"unknown backend '{backend}'", f"choose one of: {', '.join(BACKENDS)}")
        return backend

    def label(self) -> Label:
        """The label of a single recording."""
        if self.expect not in (None, *EXPECTATIONS):
            raise UsageError(f"unknown expectation '{self.expect}'", "expect yield, hold or answer")
        return Label(
            expected_yield=self.expect in (None, YIELD),
            answer=self.expect == ANSWER,
            explicit=self.expect is not None,
            onset_sec=self.onset_sec,
            max_time_to_yield_sec=self.max_time_to_yield_sec,
            max_talk_over_sec=self.max_talk_over_sec,
            max_response_gap_sec=self.max_response_gap_sec,
            profile=self.profile or DOCUMENTED,
        )

    def channels(self) -> ChannelMap:
        """Which channel is which party: explicit numbers, else the platform's order."""
        return channel_map(self.stack_name, caller=self.caller_channel, agent=self.agent_channel)

    @property
    def listening_detector(self) -> Detector:
        """The detector asked for; a suite is always judged by the documented one."""
        return "reference" if self.is_suite else self.detector

    def listen(self) -> Heard:
        """Decode the recording or the pair, once, and tell the parties apart; see `hear` and `told_apart`."""
        return self.told_apart(self.hear())

    def told_apart(self, hearings: tuple[Hearing, ...]) -> Heard:
        """Which party is whom in what was heard.

        Raises:
            Refusal: see `listen.attend` and `listen.attend_pair`.
        """
        if len(hearings) == 1:
            return attend(hearings[0], self.channels(), self.config, detector=self.listening_detector)
        return attend_pair(hearings[0], hearings[1], self.config, detector=self.listening_detector)

    def hear(self) -> tuple[Hearing, ...]:
        """Decode the recording, or the caller's and the agent's own, once.

        Raises:
            UsageError: no recording, half a pair, both ways at once, or a start offset for one file.
            Refusal: whatever the recording is refused for.
        """
        for name in ("caller_start_sec", "agent_start_sec"):
            require_seconds(name, getattr(self, name), BOUNDS.latest_start_sec)
        pair = (self.caller, self.agent)
        if self.stereo is not None:
            if pair != (None, None):
                raise UsageError("both a two-channel recording and a pair were given", "give one of the two")
            if self.caller_start_sec or self.agent_start_sec:
                raise UsageError("a start offset was given for one file", "offsets belong to a pair of files")
            self.channels()
            return (self._hear(self.stereo, 0.0),)
        if self.caller is None or self.agent is None:
            raise UsageError(
                "no recording was given" if pair == (None, None) else "only one of two recordings was given",
                "give a two-channel recording, or one for the caller and one for the agent",
            )
        self.channels()  # an unknown stack is refused here too
        return (
            self._hear(self.caller, self.caller_start_sec),
            self._hear(self.agent, self.agent_start_sec),
        )

    def _hear(self, source: Source, start_sec: float) -> Hearing:
        return hear(
            source,
            self.config,
            start_sec=start_sec,
            backend=self.listening_backend,
            keep_samples_bytes=self.keep_samples_bytes,
            progress=self.progress,
        )


def require_seconds(name: str, value: float | None, longest_sec: float = BOUNDS.longest_sec) -> None:
    """Refuse a time or bound that is negative, not a number, or beyond any call.

    Raises:
        UsageError: naming the value.
    """
    if value is not None and not within(value, 0.0, longest_sec):
        raise UsageError(f"{name} is {value}", f"give a number of seconds from 0 to {longest_sec:.0f}")
