"""The terminal's list of moments: time and length by one clock, and what the agent really did."""

from __future__ import annotations

import re

import numpy as np
import pytest
import soundfile

from hotato.find import autopsy, candidate_json, scan
from hotato.listen import Heard, attend, hear
from hotato.report import scan_text
from hotato.report.card_moment import moment_card
from hotato.stacks import channel_map

RATE = 8000


@pytest.fixture
def render(tmp_path):
    def make(caller, agent, seconds) -> Heard:
        samples = np.zeros((round(seconds * RATE), 2), np.int16)
        noise = np.random.default_rng(3).choice([-9000, 9000], size=samples.shape).astype(np.int16)
        for channel, spans in enumerate((caller, agent)):
            for start, end in spans:
                first, stop = round(start * RATE), round(end * RATE)
                samples[first:stop, channel] = noise[first:stop, channel]
        soundfile.write(tmp_path / "call.wav", samples, RATE, subtype="PCM_16")
        return attend(hear(tmp_path / "call.wav"), channel_map(), detector="reference")

    return make


def told(heard: Heard) -> str:
    return scan_text(heard, scan(heard), width=200)


def test_the_time_and_the_length_of_a_silence_give_its_end(render) -> None:
    heard = render([(1.0, 3.0)], [(8.0, 9.0)], 10.0)
    line = next(line for line in told(heard).splitlines() if "long_response_gap" in line)
    found = re.search(
        r"0:(\S+) +long_response_gap +gap (\S+) s \((\S+) to (\S+) s, documented (\S+) s\)", line
    )
    assert found is not None, line
    begin, gap, low, high, documented = map(float, found.groups())
    assert begin + gap == pytest.approx(8.0, abs=0.011)
    assert low <= gap <= high
    assert documented == pytest.approx(gap - 0.15, abs=0.021)


def test_the_line_of_magnitudes_agrees_with_the_sentence_beside_it(render) -> None:
    incident = autopsy(render([(1.0, 3.0)], [(8.0, 9.0)], 10.0)).incidents[0]
    said = re.search(r"(\d+\.\d\d) s", incident.sentence)
    assert said is not None and f"gap {said[1]} s" in incident.detail


def test_an_agent_that_fell_quiet_long_after_the_caller_is_not_said_to_have_gone_on(render) -> None:
    """The caller's sound ends at 2.5; the agent ends 1.5 s later, within the 3 s that are searched."""
    heard = render([(1.5, 2.5)], [(0.5, 4.0)], 8.0)
    text = told(heard)
    assert "did not go quiet" not in text
    found = re.search(r"went quiet after (\S+) s, when no caller was near any more", text)
    assert found is not None, text
    assert float(found[1]) == pytest.approx(2.5, abs=0.02)
    moment = next(c for c in scan(heard) if c.kind == "overlap_while_agent_talking")
    assert moment.agent_reaction is not None  # the documented figure stays
    assert moment.agent_reaction["went_silent_within_search"] is False
    facts = dict(moment_card(candidate_json(moment)).facts)
    assert facts["agent"].startswith(f"went quiet after {found[1]} s")


def test_an_agent_that_talks_on_is(render) -> None:
    assert "the agent did not go quiet within 3.0 s" in told(render([(1.5, 2.5)], [(0.5, 6.0)], 8.0))


def test_a_barge_in_of_such_an_agent_says_the_same(render) -> None:
    heard = render([(1.5, 2.9)], [(0.1, 4.2)], 8.0)
    incident = autopsy(heard).incidents[0]
    assert incident.kind == "BARGE-IN"
    assert "when no caller was near any more" in dict(incident.facts)["went quiet"]
    assert "not within" not in incident.detail


def test_a_moment_without_overlap_says_why_it_is_listed(render) -> None:
    heard = render([(2.2, 4.0)], [(0.5, 2.0), (5.0, 6.0)], 8.0)  # the agent counts as active until 2.15
    text = told(heard)
    assert "after 0.00 s" not in text
    assert "the agent had gone quiet just before, so nothing overlaps" in text


def test_a_caller_who_only_goes_on_is_said_to_have_been_joined(render) -> None:
    text = told(render([(1.0, 2.0), (2.4, 4.5)], [(2.2, 5.5)], 7.0))
    found = re.search(r"the agent had joined this turn of the caller at 0:(\S+)", text)
    assert found is not None, text
    assert float(found[1]) == pytest.approx(2.2, abs=0.011)
    assert "joined" not in told(render([(1.0, 2.0), (2.4, 4.5)], [(0.2, 5.5)], 7.0))
