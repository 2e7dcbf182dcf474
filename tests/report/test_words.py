"""Words of the trade: explained on a page, replaced on a terminal; numbers said as a person reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotato.report.rhythm import rhythm
from hotato.report.timefmt import percents, signed_seconds
from hotato.report.words import GLOSSARY, explained, meanings, minus, plain_fact
from hotato.timing import Floor, FloorTransfer, PartyShare


def test_a_word_carries_its_meaning_where_it_stands_and_the_rest_stays_text() -> None:
    text = str(explained("<b> none (coherence 0.12)"))
    assert text.startswith("&lt;b&gt; none (<abbr title=") and text.endswith(">coherence</abbr> 0.12)")
    assert GLOSSARY["coherence"].split("'")[0] in text


def test_only_used_words_are_listed_and_those_their_meanings_use() -> None:
    assert [word for word, _ in meanings(["over digital silence", "documented value"])] == [
        "digital silence",
        "documented value",
        "hangover",
    ]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("echo", "none (coherence 0.20)", "no echo (0.20 of 1)"),
        ("echo", "suspected at 0.12 s (coherence 0.81)", "echo suspected at 0.12 s (0.81 of 1 alike)"),
        (
            "caller level",
            "-31 dBFS over digital silence",
            "caller level -31 dBFS over a channel without any noise",
        ),
        ("ended by", "the agent at 0:31.3", "ended by the agent at 0:31.3"),
    ],
)
def test_a_terminal_uses_plain_words(name: str, text: str, said: str) -> None:
    assert plain_fact(name, text) == said


def test_a_negative_number_has_a_minus_sign_on_a_page_only() -> None:
    assert signed_seconds(-1.95) == "-1.95 s"
    assert (
        minus("-1.95 s to +0.4 s, 2-3, a-1, noise -60.0")
        == "\u22121.95 s to +0.4 s, 2-3, a-1, noise \u221260.0"
    )


@given(st.lists(st.floats(0, 1), min_size=1, max_size=4))
def test_shares_in_percent_add_up(shares: list[float]) -> None:
    assert sum(percents(shares)) == (100 if sum(shares) > 0 else 0)


def test_shares_that_would_round_apart_add_up() -> None:
    assert percents([0.506, 0.495]) == [51, 49]
    assert percents([1, 1, 1]) == [34, 33, 33]


def floor(*offsets: float) -> Floor:
    nobody = PartyShare(0.0, None, 0, None)
    transfers = tuple(FloorTransfer("agent", 10.0 + at, sec) for at, sec in enumerate(offsets))
    return Floor((), transfers, nobody, nobody)


@pytest.mark.parametrize(
    ("offsets", "said"),
    [
        ((0.7,), "agent took the floor once: 0.70 s after the other ended"),
        ((0.7, -0.2), "agent took the floor 2 times: 0.20 s before to 0.70 s after the other ended"),
        ((-0.5, -1.5), "agent took the floor 2 times: 1.50 s to 0.50 s before the other ended"),
        ((4, 1, 2, 3), "agent took the floor 4 times: 1.00 s to 4.00 s after the other ended"),
        ((5, 1, 2, 3, 4), "agent took the floor 5 times: median +3.00 s, 90th percentile +4.60 s"),
    ],
)
def test_few_changes_of_speaker_are_given_as_a_range(offsets: tuple[float, ...], said: str) -> None:
    strip = rhythm(floor(*offsets))
    assert strip is not None and strip.rows[1].summary == said
