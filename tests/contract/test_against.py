"""A new recording of a contract's moment: copies of the call are refused, new takes are judged."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hotato.acoustics import speech_like
from hotato.contract import layout
from hotato.contract.against import PARAMS, recapture, recapture_json
from hotato.errors import Refusal

RATE = 16_000
SECONDS = 8.0


def party(name: str, spans: list[list[float]], seconds: float = SECONDS) -> np.ndarray:
    """One party as samples of full scale 1."""
    return speech_like(name, spans, round(seconds * RATE), RATE) / 32_768 * 0.5


def call(caller: np.ndarray, agent: np.ndarray) -> np.ndarray:
    """Two parties over a faint floor of each its own."""
    rng = np.random.default_rng(7)
    return np.stack([caller, agent], axis=1) + rng.normal(0, 10 ** (-62 / 20), (len(caller), 2))


@pytest.fixture
def pinned(build):
    """A contract of a call in which the agent talks on, and that call as samples."""
    folder = build("talks-on", {"caller": [[2.0, 3.2]], "agent": [[0.3, 6.0]]}, max_talk_over_sec=1.0)
    samples, _ = soundfile.read(folder / layout.AUDIO_FLAC)
    return folder, samples


@pytest.fixture
def take(tmp_path):
    """Write a recording, and give its path."""

    def write(samples: np.ndarray, rate: int = RATE, form: str = "WAV", subtype: str = "PCM_16") -> Path:
        path = tmp_path / f"new.{form.lower()}"
        soundfile.write(path, np.clip(samples, -1, 1), rate, format=form, subtype=subtype)
        return path

    return write


def fixed(samples: np.ndarray, start_sec: float = 0.0) -> np.ndarray:
    """A new take: the same caller, `start_sec` later, and an agent with other words who stops."""
    spans = [[start_sec + a, start_sec + b] for a, b in ([0.2, 2.35], [4.0, 6.5])]
    length = SECONDS + start_sec
    caller = np.concatenate([np.zeros(round(start_sec * RATE)), samples[:, 0]])
    return call(caller, party("another-take", spans, length)[: len(caller)])


def test_a_fixed_agent_passes_at_the_onset_that_was_found(pinned, take) -> None:
    folder, samples = pinned
    found = recapture(folder, take(fixed(samples, 3.21)))
    assert found.passed
    assert found.exit_code == 0
    assert found.kept.status == "fail"
    assert (found.onset.source, found.onset.sec) == ("found", pytest.approx(5.21, abs=0.02))
    assert found.event.verdict.seconds_to_yield == pytest.approx(0.35, abs=0.2)
    assert found.fresh.agent_likeness < PARAMS.same_agent


def test_an_agent_that_still_talks_on_fails(pinned, take) -> None:
    folder, samples = pinned
    found = recapture(folder, take(call(samples[:, 0], party("other words", [[0.2, 6.4]]))))
    assert (found.passed, found.exit_code) == (False, 1)
    assert found.event.verdict.reason_codes[0] == "no_yield"


def test_the_result_says_what_it_shows_and_what_not(pinned, take) -> None:
    folder, samples = pinned
    found = recapture(folder, take(fixed(samples)))
    result = recapture_json(found)
    assert (result["kind"], result["exit_code"], result["before"]["passed"]) == (
        "contract-recapture",
        0,
        False,
    )
    assert result["freshness"]["pcm_sha256"] != result["freshness"]["contract_pcm_sha256"]
    assert "another take" in result["proved"][0]
    assert "meets the policy" in result["proved"][-1]
    assert any("one take" in sentence for sentence in result["not_proved"])
    assert "new.wav" not in str(result)
    checks = found.checks()
    assert (checks.exit_code, checks.checks[0].status) == (0, "pass")
    assert set(found.proved) <= set(checks.notes)


def late(samples: np.ndarray, seconds: float) -> np.ndarray:
    return np.concatenate([np.zeros((round(seconds * RATE), 2)), samples])


def at_8_khz(samples: np.ndarray) -> np.ndarray:
    """Half the rate: pairs of samples averaged, which is enough of a filter here."""
    even = samples[: len(samples) // 2 * 2]
    return (even[::2] + even[1::2]) / 2


COPIES = {
    "the very samples": lambda s: (s, RATE, "WAV", "PCM_16"),
    "in another container": lambda s: (s, RATE, "FLAC", "PCM_16"),
    "in more bits": lambda s: (s, RATE, "WAV", "PCM_24"),
    "quieter": lambda s: (s * 0.25, RATE, "WAV", "PCM_16"),
    "each channel otherwise": lambda s: (s * [0.4, 1.3], RATE, "WAV", "PCM_16"),
    "later": lambda s: (late(s, 1.2345), RATE, "WAV", "PCM_16"),
    "without its start": lambda s: (s[round(0.703 * RATE) :], RATE, "WAV", "PCM_16"),
    "without its end": lambda s: (s[: round(4.6 * RATE)], RATE, "WAV", "PCM_16"),
    "at half the rate": lambda s: (at_8_khz(s), RATE // 2, "WAV", "PCM_16"),
    "as mu-law": lambda s: (at_8_khz(s), RATE // 2, "WAV", "ULAW"),
    "as A-law, late and quiet": lambda s: (at_8_khz(late(s, 0.505) * 0.5), RATE // 2, "WAV", "ALAW"),
    "as Opus": lambda s: (s, RATE, "OGG", "OPUS"),
    "as Vorbis": lambda s: (s, RATE, "OGG", "VORBIS"),
    "as MP3": lambda s: (s, RATE, "MP3", "MPEG_LAYER_III"),
    "played at 44.1 kHz": lambda s: (resampled(s, 44_100), 44_100, "WAV", "PCM_16"),
    "played at 48 kHz": lambda s: (resampled(s, 48_000), 48_000, "WAV", "PCM_16"),
}


def resampled(samples: np.ndarray, rate: int) -> np.ndarray:
    """At a higher rate, by straight lines between the samples."""
    times = np.arange(round(len(samples) * rate / RATE)) / rate
    own = np.arange(len(samples)) / RATE
    return np.stack([np.interp(times, own, channel) for channel in samples.T], axis=1)


@pytest.mark.parametrize("disguise", COPIES)
def test_a_copy_of_the_call_is_the_same_call(pinned, take, disguise) -> None:
    folder, samples = pinned
    made, rate, form, subtype = COPIES[disguise](samples)
    if subtype not in soundfile.available_subtypes(form):
        pytest.skip(f"this libsndfile writes no {subtype}")
    with pytest.raises(Refusal) as caught:
        recapture(folder, take(made, rate, form, subtype), onset_sec=2.0)
    assert (caught.value.code, caught.value.exit_code) == ("same_call", 2)


def test_a_call_that_holds_the_moment_is_the_same_call(pinned, take) -> None:
    """The whole recording that a clip was cut from, among louder things."""
    folder, samples = pinned
    before = call(party("c", [[1.0, 6.0]]), party("a", [[0.0, 7.0]])) * 1.9
    with pytest.raises(Refusal, match="not a new one"):
        recapture(folder, take(np.concatenate([before, samples, before])))


def test_named_channels_of_another_order(pinned, take) -> None:
    folder, samples = pinned
    swapped = fixed(samples)[:, ::-1]
    assert recapture(folder, take(swapped), caller_channel=1, agent_channel=0).passed
    with pytest.raises(Refusal, match="not a new one"):
        recapture(folder, take(samples[:, ::-1]), caller_channel=1, agent_channel=0)


def test_another_stimulus_needs_a_stated_onset(pinned, take) -> None:
    folder, _ = pinned
    spoken = call(party("a person", [[2.4, 3.9]]), party("another-take", [[0.2, 2.8], [5.0, 6.5]]))
    with pytest.raises(Refusal) as caught:
        recapture(folder, take(spoken))
    assert caught.value.code in ("onset_not_found", "onset_ambiguous")
    assert "--onset" in str(caught.value)
    found = recapture(folder, take(spoken), onset_sec=2.4)
    assert found.passed
    assert (found.onset.source, found.onset.found_sec) == ("stated", None)
    assert "was not shown" in found.proved[1]


def test_an_onset_away_from_the_callers_sound_is_refused_with_both_times(pinned, take) -> None:
    """The agent is fixed where nobody speaks; the caller's sound lies elsewhere."""
    folder, samples = pinned
    new = take(fixed(samples, 3.21))
    with pytest.raises(
        Refusal, match=r"is 2\.00 s, and the caller's sound of the contract is at 5\.2"
    ) as caught:
        recapture(folder, new, onset_sec=2.0)
    assert (caught.value.code, caught.value.exit_code) == ("onset_elsewhere", 2)
    assert recapture(folder, new, onset_sec=5.3).onset.source == "stated"


def test_an_onset_at_which_no_caller_begins_is_refused(pinned, take) -> None:
    folder, _ = pinned
    other = call(party("someone else", [[5.0, 6.0]]), party("another agent", [[0.2, 2.4]]))
    with pytest.raises(Refusal, match=r"no caller begins within 0\.5 s of the onset \(2\.00 s"):
        recapture(folder, take(other), onset_sec=2.0)


def test_a_stimulus_that_was_played_twice_is_ambiguous(pinned, take) -> None:
    folder, samples = pinned
    twice = np.concatenate([fixed(samples), fixed(samples)])
    with pytest.raises(Refusal) as caught:
        recapture(folder, take(twice))
    assert caught.value.code == "onset_ambiguous"


def test_what_cannot_be_judged_is_refused(pinned, take) -> None:
    folder, samples = pinned
    silent = call(samples[:, 0], party("late agent", [[4.0, 6.5]]))
    with pytest.raises(Refusal) as caught:
        recapture(folder, take(silent))
    assert caught.value.code == "not_scorable"
    with pytest.raises(Refusal) as caught:
        recapture(folder, take(samples[:, :1]))
    assert caught.value.code == "mono"


def test_a_contract_that_was_changed_judges_nothing(pinned, take) -> None:
    folder, samples = pinned
    path = take(fixed(samples))
    text = (folder / layout.CONTRACT).read_text()
    (folder / layout.CONTRACT).write_text(
        text.replace('"max_talk_over_sec": 1.0', '"max_talk_over_sec": 9.0')
    )
    with pytest.raises(Refusal) as caught:
        recapture(folder, path)
    assert caught.value.code == "not_verifiable"


def test_one_contract_at_a_time(pinned, take, build) -> None:
    folder, samples = pinned
    assert recapture(folder.parent, take(fixed(samples))).passed
    build("second")
    with pytest.raises(Refusal, match="holds 2 contracts"):
        recapture(folder.parent, take(fixed(samples)))


def test_real_calls_are_told_from_their_copies(shared_data, tmp_path) -> None:
    """A real call as mu-law at 8 kHz is the same call; the same caller with another agent is not."""
    from hotato.contract.create import Pin, create_contract

    paths = sorted((shared_data / "vapi").glob("*.wav"))
    one, other = (soundfile.read(path)[0] for path in paths[:2])
    made = create_contract(
        Pin(stereo=paths[0], onset_sec=2.0, expect="yield", id="real", confirm_channels=True), tmp_path
    )
    copy, fresh = tmp_path / "copy.wav", tmp_path / "fresh.wav"
    soundfile.write(copy, at_8_khz(late(one, 0.3)), 8_000, subtype="ULAW")
    with pytest.raises(Refusal, match="not a new one"):
        recapture(made.path, copy)
    length = min(len(one), len(other))
    soundfile.write(fresh, np.stack([one[:length, 0], other[:length, 1]], axis=1), RATE, subtype="PCM_16")
    found = recapture(made.path, fresh, caller_channel=0, agent_channel=1)
    assert found.onset.sec == pytest.approx(2.0, abs=0.02)
    assert found.fresh.agent_likeness < 0.4


def test_nothing_depends_on_how_the_file_is_read(pinned, take) -> None:
    folder, samples = pinned
    first = recapture_json(recapture(folder, take(fixed(samples))))
    buffer = io.BytesIO()
    soundfile.write(buffer, np.clip(fixed(samples), -1, 1), RATE, format="WAV", subtype="PCM_16")
    path = folder.parent.parent / "again.wav"
    path.write_bytes(buffer.getvalue())
    assert recapture_json(recapture(folder, path)) == first


@pytest.mark.parametrize("at_sec", [1.0, 3.0, 4.0])
def test_a_copy_with_a_second_of_the_agent_muted_is_the_same_call(pinned, take, at_sec) -> None:
    folder, samples = pinned
    samples = samples.copy()
    samples[round(at_sec * RATE) : round((at_sec + 1) * RATE), 1] = 0.0
    with pytest.raises(Refusal, match="not a new one"):
        recapture(folder, take(samples))


def test_a_take_that_begins_with_the_same_words_of_the_agent_is_a_new_one(pinned, take) -> None:
    """A recorded greeting at the same place is all that the two have in common."""
    folder, samples = pinned
    new = fixed(samples)
    new[: round(1.6 * RATE), 1] = samples[: round(1.6 * RATE), 1]
    found = recapture(folder, take(new))
    assert 0.1 < found.fresh.agent_share < 0.5
