"""The tables of single moments: the clips behind the cells, events, incidents, and the second opinion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hotato.find import GradeParams
from hotato.report.benchmark_cells import (
    ERROR_HEAD,
    NONE,
    READING_WORDS,
    SIGNAL_WORDS,
    Result,
    Row,
    Table,
    errors,
    groups,
    number,
    share,
)

_WITHHELD = {"not_scorable": "not scorable", "missed_yield": "missed yield", "false_yield": "false yield"}


def clips_table(result: Result) -> Table:
    """Every moment in a cell of error, and every wrong verdict, by name."""
    rows = [
        (
            clip["set_name"],
            clip["scenario"],
            clip["condition"],
            number(clip["at_sec"], 2),
            clip["expect"],
            NONE if clip["cell"] is None else _WITHHELD[clip["cell"]],
            _wrong(clip),
            ", ".join(clip["doubts"]) or NONE,
            *(number(clip["seconds_to_yield"][reading], 2) for reading in READING_WORDS),
            _truth(clip),
        )
        for clip in result["clips"]
    ]
    note = (
        "Every moment whose label and measurement differ, that could not be judged, or whose yield verdict "
        "is wrong. A missed or a false yield without a wrong verdict is what the agent did. Seconds to the "
        "yield as measured and as true."
    )
    head = ("set", "scenario", "condition", "at", "label", "cell", "wrong verdict", "in doubt")
    return Table("Clip by clip", note, 8, (*head, *READING_WORDS.values(), "truly"), tuple(rows))


def _wrong(clip: Mapping[str, Any]) -> str:
    """Which readings give a wrong verdict."""
    told = [READING_WORDS[reading] for reading in clip["wrong"]]
    words = "every reading" if len(told) == len(READING_WORDS) else ", ".join(told) or NONE
    return f"{words}, not found" if clip["not_found"] else words


def _truth(clip: Mapping[str, Any]) -> str:
    if clip["true_yield"] is None:
        return "unknown"
    return number(clip["true_sec"], 2) if clip["true_yield"] else "never"


def events_table(result: Result) -> Table:
    """How many events of each kind were found."""
    rows = [
        (kind.replace("_", " "), name, number(stats["n"]), share(stats["found"], stats["n"]))
        for kind, cut in result["detection"]["events"].items()
        for name, stats in groups(cut)
    ]
    note = (
        "True events at which a candidate of scan of a fitting kind begins, with nobody's label to help. A "
        "resume or restart counts where the score of the interruption before it says so."
    )
    return Table("Events found", note, 2, ("event", "condition", "n", "found"), tuple(rows))


def raised_table(result: Result) -> Table:
    """What autopsy makes of the events beyond its limit."""
    rows = [
        (
            kind.replace("_", " "),
            name,
            number(stats["n"]),
            share(stats["raised"], stats["n"]),
            share(stats["critical"], stats["n"]),
        )
        for kind, cut in result["detection"]["raised"].items()
        for name, stats in groups(cut)
        if stats["n"]
    ]
    limits = GradeParams()
    note = (
        f"True events beyond the limit of autopsy ({limits.overlap_limit_sec:g} s of talk-over, within one "
        f"turn of the caller for an interruption; {limits.dead_air_sec:g} s of silence): at how many an "
        "incident stands, and at how many a CRITICAL one. A doubt, or an interval that holds the limit, "
        "keeps an incident a warning."
    )
    head = ("event", "condition", "n", "raised", "critical")
    return Table("True incidents raised", note, 2, head, tuple(rows))


def incidents_table(result: Result) -> Table:
    """How many incidents of each kind are false."""
    rows = [
        (
            kind,
            name,
            number(stats["n"]),
            number(stats["unknown"]),
            number(stats["false"]),
            number(stats["false_per_minute"], 3),
            number(stats["false_critical"]),
            number(stats["false_critical_per_hour"]),
        )
        for kind, cut in result["detection"]["incidents"].items()
        for name, stats in (groups(cut) if kind == "any" else (("all", cut["all"]),))
    ]
    note = (
        "Incidents of autopsy that the truth does not hold, for the time of all calls of the condition; of "
        "those under unknown it says nothing. The JSON has every kind by condition."
    )
    head = ("incident", "condition", "n", "unknown", "false", "false a minute", "false critical", "an hour")
    return Table("False incidents", note, 2, head, tuple(rows))


def second_tables(result: Result) -> Iterator[Table]:
    """The second opinion: its errors, and both backends side by side by condition and family."""
    second = result["second_opinion"]
    if second is None:
        return
    rows: list[Row] = [
        (SIGNAL_WORDS[signal], READING_WORDS[reading], *errors(stats))
        for signal, readings in second["signals"].items()
        for reading, stats in readings.items()
        if stats["n"] or stats["missing"]
    ]
    difference = second["agreement"]["onset_difference"]
    rows.append(("onset, neural minus energy", "documented", *errors(difference)))
    note = "The same calls heard by the neural backend, against the same truth. " + why_silent(result)
    yield Table("Second opinion", note.rstrip(), 2, ("signal", "reading", *ERROR_HEAD), tuple(rows))
    yield Table(
        "Second opinion: both backends",
        "The same moments by both: verdicts that are wrong (documented value; withheld and not found count "
        "as wrong), moments that could not be judged, and of those that both judged, how many have the same "
        "answer to whether the agent yielded.",
        2,
        ("by", "group", "n", "wrong", "wrong, neural", "not scorable", "not scorable, neural", "agreed"),
        tuple(_opinions(second["verdicts"])),
    )


def _opinions(cut: Mapping[str, Any]) -> Iterator[Row]:
    parts = [("all", {"all": cut["all"]}), ("condition", cut["by_condition"]), ("family", cut["by_family"])]
    for word, part in parts:
        if word != "all" and len(part) == 1:
            continue
        for name, one in part.items():
            yield (
                word,
                name,
                number(one["moments"]),
                share(one["wrong_energy"], one["n"]),
                share(one["wrong_neural"], one["n"]),
                number(one["not_scorable_energy"]),
                number(one["not_scorable_neural"]),
                share(one["did_yield_agreed"], one["judged_by_both"]),
            )


def why_silent(result: Result) -> str:
    """Why the neural backend judged next to nothing, where it did; empty where it judged."""
    second = result["second_opinion"]
    if second is not None:
        one = second["verdicts"]["all"]
        unheard, every = one["not_scorable_neural"], one["moments"]
    elif result["backend"] == "neural":
        cells = result["confusion"]["all"]
        unheard = cells["not_scorable"]
        every = unheard + sum(
            cells[cell] for cell in ("correct_yield", "missed_yield", "false_yield", "correct_hold")
        )
    else:
        return ""
    if 2 * unheard <= every or not every:
        return ""
    return (
        f"The neural backend judged {every - unheard} of {every} moments: it knows speech, and calls that "
        "are rendered as noise hold none. Measure recordings of speech (--scenarios, --audio)."
    )
