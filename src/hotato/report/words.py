"""The few words of the trade that a report cannot do without, explained where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

GLOSSARY = {
    "coherence": "how closely the caller's channel follows the agent's a moment later, from 0 (not at all) "
    "to 1 (exactly)",
    "dBFS": "decibels below the loudest level that the recording can hold",
    "digital silence": "samples that are exactly zero, with no noise at all: a machine wrote them",
    "documented value": "the number of the published method, in which the hangover counts as sound",
    "hangover": "how long the detector goes on counting sound after it has ended, so that short breaks "
    "inside words do not end it",
    "noise floor": "the level of the quietest tenth of the recording",
    "raw energy edges": "where the sound itself rises above and falls below the level that counts as sound",
}
"""What each word means, in one line."""

_WORD = re.compile("|".join(sorted(map(re.escape, GLOSSARY), key=len, reverse=True)))
_PLAIN = (
    (re.compile(r"\becho none \(coherence (\d\.\d+)\)"), r"no echo (\1 of 1)"),
    (re.compile(r"\bcoherence (\d\.\d+)"), r"\1 of 1 alike"),
    (re.compile(r"\bdigital silence\b"), "a channel without any noise"),
)
_NEGATIVE = re.compile(r"(?<![\w.-])-(?=\d)")


def explained(text: str) -> Markup:
    """`text` for a page: every glossary word carries its meaning for whoever points at it."""
    from markupsafe import Markup, escape

    parts, at = [], 0
    for match in _WORD.finditer(text):
        meaning = escape(GLOSSARY[match.group()])
        parts += [
            escape(text[at : match.start()]),
            Markup('<abbr title="{}">{}</abbr>').format(meaning, match.group()),
        ]
        at = match.end()
    return Markup("").join([*parts, escape(text[at:])])


def meanings(texts: Iterable[str]) -> list[tuple[str, str]]:
    """The glossary words that `texts` use, with their meanings, in the order of the alphabet."""
    used = {match.group() for text in texts for match in _WORD.finditer(text)}
    if "documented value" in used:
        used.add("hangover")  # its meaning says the word
    return sorted(((word, GLOSSARY[word]) for word in used), key=lambda pair: pair[0].lower())


def plain_fact(name: str, text: str) -> str:
    """A fact for a terminal, which cannot explain a word: `no echo (0.20 of 1)`."""
    return plain_words(f"{name} {text}")


def plain_words(text: str) -> str:
    """`text` with words that need no explanation in the place of those of the glossary that have such."""
    for pattern, words in _PLAIN:
        text = pattern.sub(words, text)
    return text


def minus(text: str) -> str:
    """`text` for a page, with a minus sign in front of its negative numbers."""
    return _NEGATIVE.sub("\u2212", text)
