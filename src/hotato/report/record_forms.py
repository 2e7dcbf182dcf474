"""A failure record as Markdown, as a page and as a picture."""

from __future__ import annotations

from hotato._version import __version__
from hotato.editions import Mark, markdown_mark, page_mark
from hotato.failure.records import KIND, FailureRecord
from hotato.report import gfm
from hotato.report.card_draw import CARD_MARK, card_svg
from hotato.report.card_records import Card, LaneLine, Tone
from hotato.report.checks_words import named, sentence
from hotato.report.record_words import (
    AGAIN_LEAD,
    PRIVACY,
    SCOPE,
    STATUS_WORDS,
    VERIFY,
    VERIFY_LEAD,
    lane_rows,
    reproduce,
    unsettled_assertions,
)
from hotato.report.render import render

RECORD_MARKS: dict[str, Mark] = {
    "json": {"kind": KIND},
    "md": markdown_mark("hotato failure record", "failure record"),
    "html": page_mark("failure record"),
    "svg": CARD_MARK,
}
"""How the four forms begin, or which fields they hold: an older record is replaced."""

_ID_SHOWN = 16
_TONES: dict[str, Tone] = {"FAIL": "crit", "ERROR": "crit", "INCONCLUSIVE": "warn"}


def record_markdown(record: FailureRecord) -> str:
    """The record as Markdown that can be pasted into a pull request."""
    lanes = [gfm.row(("lane", "status", "judged")), gfm.row(("---", "---", "---"))]
    lanes += [
        gfm.row((row.name, f"**{row.status}**" if row.bad else row.status, row.said))
        for row in lane_rows(record)
    ]
    judged = [
        f"- {gfm.code(named(one.assertion_id))} ({STATUS_WORDS[one.status]}): "
        f"{gfm.prose(sentence(one.observed))}. Expected: {gfm.prose(sentence(one.expected))}."
        for one in unsettled_assertions(record)
    ]
    evidence = [
        f"- {gfm.code(named(one.evidence_id))} {gfm.prose(named(one.kind))}, sha256 {gfm.code(one.digest)}"
        for one in record.evidence
    ]
    again = reproduce(record)
    blocks = [
        f"{RECORD_MARKS['md']}**{gfm.prose(sentence(record.headline))}**",
        f"{gfm.prose(named(record.subject.test_id))}: {STATUS_WORDS[record.status]}; gate exit code "
        f"{record.gate.exit_code}, policy: {gfm.prose(sentence(record.gate.policy))}.",
        "\n".join(lanes),
        *(["\n".join(judged)] if judged else []),
        *([f"{AGAIN_LEAD}:\n\n{gfm.block(again)}"] if again else []),
        f"{VERIFY_LEAD}:\n\n{gfm.block(VERIFY)}",
        *(["\n".join(evidence)] if evidence else []),
        f"{SCOPE} {PRIVACY}",
        f"Record {gfm.code(named(record.record_id))}.",
    ]
    return "\n\n".join(blocks) + "\n"


def record_page(record: FailureRecord) -> str:
    """The record as one self-contained page."""
    return render(
        "record.html.j2",
        record=record,
        headline=sentence(record.headline),
        subject=named(record.subject.test_id),
        status=STATUS_WORDS[record.status],
        gate_policy=sentence(record.gate.policy),
        lanes=lane_rows(record),
        judged=[
            (
                named(one.assertion_id),
                STATUS_WORDS[one.status],
                sentence(one.observed),
                sentence(one.expected),
            )
            for one in unsettled_assertions(record)
        ],
        evidence=[(named(one.evidence_id), named(one.kind), one.digest) for one in record.evidence],
        reproduce=reproduce(record),
        verify=VERIFY,
        leads=(AGAIN_LEAD, VERIFY_LEAD),
        scope=SCOPE,
        privacy=PRIVACY,
        player=False,
        audio=None,
        version=__version__,
    )


def record_svg(record: FailureRecord) -> str:
    """The record as a picture of the size of a card."""
    rows = lane_rows(record)
    again = reproduce(record)
    facts = [("again", again)] if again else []
    return card_svg(
        Card(
            kind=f"failure record {named(record.subject.test_id)}",
            chip=STATUS_WORDS[record.status].upper(),
            tone=_TONES[record.status],
            title=record.headline.rstrip("."),
            figure="",
            unit="",
            caption=(),
            facts=(*facts, ("record", record.record_id[: _ID_SHOWN + len("hfr-")])),
            footer=SCOPE,
            body=tuple(LaneLine(row.name, row.status, row.said, row.bad) for row in rows),
        )
    )
