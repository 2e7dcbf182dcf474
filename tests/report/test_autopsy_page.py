"""The page of an autopsy, parsed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from hotato.find.records import Autopsy, Incident
from hotato.findings import Finding
from hotato.listen import Heard, Track, attend, hear, tell_apart
from hotato.report import autopsy_page, autopsy_text, embeddable
from hotato.report.page_autopsy import MAX_CARDS
from hotato.report.render import HOLDS
from hotato.report.words import GLOSSARY
from hotato.stacks import ChannelMap

HOSTILE = "<script>alert(1)</script>\"'&\u202egnp\u2066\r\n\x1b[31m" + "x" * 10_000 + ".wav"
VOID = {"meta", "link", "br", "img", "input"}
URL_ATTRIBUTES = {"href", "src", "action", "data", "poster", "srcset", "xlink:href"}


class Page(HTMLParser):
    """Every element with its attributes, ids, and the text inside it."""

    def __init__(self, text: str):
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None], tuple[str, ...]]] = []
        self.texts: list[tuple[tuple[str, ...], str]] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open, f"unclosed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), tuple(self._open)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), tuple(self._open)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open[-1] == tag, f"</{tag}> closes {self._open[-3:]}"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append((tuple(self._open), data))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs, _ in self.elements if name == tag]

    def text(self, *within: str) -> str:
        return " ".join(data for path, data in self.texts if all(tag in path for tag in within))


@pytest.fixture
def page(autopsy: Autopsy, heard: Heard) -> Page:
    return Page(autopsy_page(autopsy, heard))


def test_the_page_asks_for_nothing_from_outside(page: Page) -> None:
    for tag, attrs, _ in page.elements:
        for name in URL_ATTRIBUTES & attrs.keys():
            assert str(attrs[name]).startswith(("#", "data:")), (tag, name, attrs[name])
        assert not {key for key in attrs if key.startswith("on")}
        assert "style" not in attrs
    assert not re.search(r"url\(|@import", page.text("style"))


def test_there_is_no_script_without_audio_and_one_admitted_by_hash_with_it(
    autopsy: Autopsy, heard: Heard
) -> None:
    silent = autopsy_page(autopsy, heard)
    assert "<script" not in silent and "script-src" not in silent
    sound, mime = embeddable(heard)
    loud = Page(autopsy_page(autopsy, heard, audio=sound, audio_mime=mime))
    policy = next(a["content"] for a in loud.of("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None and "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "script-src 'sha256-" in policy
    assert len(loud.of("script")) == 1
    (audio,) = loud.of("audio")
    assert str(audio["src"]).startswith("data:audio/flac;base64,")


def test_the_policy_admits_exactly_the_style_and_script_on_the_page(autopsy: Autopsy, heard: Heard) -> None:
    import base64
    import hashlib

    text = autopsy_page(autopsy, heard, audio=b"x")
    for tag in ("style", "script"):
        (inline,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, flags=re.S)
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert f"{tag}-src &#39;sha256-{digest}&#39;" in text


def test_every_picture_says_what_it_shows(page: Page) -> None:
    outer = [(attrs, path) for tag, attrs, path in page.elements if tag == "svg" and "svg" not in path]
    assert len(outer) == 1 + 1 + 3 + 1  # markers, call, three cards, rhythm
    ids = {attrs["id"] for _, attrs, _ in page.elements if "id" in attrs}
    for attrs, _ in outer:
        assert attrs["role"] in {"img", "group"}
        if attrs["role"] == "img":
            assert set(str(attrs["aria-labelledby"]).split()) <= ids
    titles = [data for path, data in page.texts if path[-1:] == ("title",) and "svg" in path]
    assert len(titles) >= len(outer)
    described = page.text("desc")
    assert "caller active for 8.0 s" in described
    assert "From 0:17.4 to 0:25.4" in described


def test_every_incident_number_stands_in_picture_card_and_text(autopsy: Autopsy, heard: Heard) -> None:
    page = Page(autopsy_page(autopsy, heard))
    text = autopsy_text(autopsy, heard)
    for incident in autopsy.incidents:
        assert any(a.get("href") == f"#incident-{incident.rank}" for a in page.of("a"))
        assert any(a.get("id") == f"incident-{incident.rank}" for a in page.of("article"))
        assert re.search(rf"^ {incident.rank}  {incident.severity}", text, flags=re.M)
    for incident in autopsy.incidents:
        assert f"hotato pin {incident.id}" in page.text("code")


def test_ids_are_unique_and_links_lead_somewhere(page: Page) -> None:
    ids = [attrs["id"] for _, attrs, _ in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    for attrs in page.of("a"):
        assert str(attrs["href"]).removeprefix("#") in ids


def test_the_answer_comes_first_with_its_number_emphasised(page: Page) -> None:
    assert page.text("h1", "em") == "1.95 s"
    assert "".join(data for path, data in page.texts if "h1" in path) == (
        "At 0:19.4 the caller interrupted and the agent kept talking for 1.95 s. Then nobody spoke for 7.0 s."
    )
    order = [data for path, data in page.texts if path[-1:] in {("h1",), ("h2",)}]
    assert [name for name in order if name in {"Incidents", "Every change of speaker", "The recording"}] == [
        "Incidents",
        "Every change of speaker",
        "The recording",
    ]


def test_a_number_stands_with_its_interval_and_its_limit(page: Page) -> None:
    assert "1.92 to 1.99 s, limit 1.00 s" in page.text("article")
    assert "1.95 s over the caller" in page.text("svg")
    assert "limit 1.00 s" in page.text("svg")


def test_a_doubt_is_said_in_words(page: Page) -> None:
    assert "first sound is only just above" in page.text("article")


def test_the_brackets_lie_where_the_incident_is(page: Page) -> None:
    # The first card shows 17.4 s to 25.35 s; the incident runs from 19.4 s to 21.35 s.
    window = 25.35 - 17.4
    expected = {100 * (19.4 - 17.4) / window, 100 * (21.35 - 17.4) / window}
    found = [float(str(a["x1"]).rstrip("%")) for a in page.of("line") if a.get("class") == "dim"]
    for value in expected:
        assert min(abs(value - x) for x in found) < 0.2


def test_hostile_names_and_texts_stay_text(
    make_autopsy: Callable[..., Autopsy], make_incident: Callable[..., Incident], heard: Heard
) -> None:
    finding = Finding(code="x", sentence=HOSTILE, remedy=HOSTILE)
    bad = make_incident(1, 5.0, 6.0, title="<b onmouseover=alert(1)>", facts=(("<i>", '"><script>'),))
    autopsy = make_autopsy(source=HOSTILE, sentence="<img src=x>", health=(finding,), incidents=(bad,))
    text = autopsy_page(autopsy, heard)
    page = Page(text)
    assert "<script" not in text and "<img" not in text and "<b on" not in text and "<i>" not in text
    for mark in ("\u202e", "\u2066", "\x1b", "\r"):
        assert mark not in text
    assert "\\u202e" in page.text("bdi")
    assert len(page.text("bdi")) < 300


def test_the_same_input_gives_the_same_bytes(autopsy: Autopsy, heard: Heard) -> None:
    assert autopsy_page(autopsy, heard) == autopsy_page(msgspec.structs.replace(autopsy), heard)


def test_without_incidents_the_page_says_so_and_has_no_section_for_them(
    make_autopsy: Callable[..., Autopsy], heard: Heard
) -> None:
    page = Page(autopsy_page(make_autopsy(incidents=(), sentence="No incident found.", health=()), heard))
    assert "No incidents." in page.text("p")
    assert not page.of("article")
    assert "Nothing was found against it." in page.text("p")
    assert not page.of("nav")


def test_a_single_mixed_channel_has_one_track_and_no_moment_to_label(
    make_autopsy: Callable[..., Autopsy], autopsy: Autopsy, tmp_path: Path, heard: Heard
) -> None:
    import soundfile

    assert heard.samples is not None
    soundfile.write(
        tmp_path / "mono.wav", heard.samples.sum(axis=1).clip(-32768, 32767).astype("int16"), 16000
    )
    call = tell_apart(hear(tmp_path / "mono.wav"), ChannelMap(0, 1))
    mono = make_autopsy(mode="mono", channels=1, floor=None, incidents=autopsy.incidents[1:2])
    page = Page(autopsy_page(mono, call))
    classes = {attrs.get("class") for attrs in page.of("path")}
    assert "wave-mixed" in classes and "wave-caller" not in classes
    assert "hotato run" not in page.text("code")
    assert "mixed" in autopsy_text(mono, call)


def test_without_the_call_the_page_still_reads(autopsy: Autopsy) -> None:
    page = Page(autopsy_page(autopsy, None))
    assert page.text("h1", "em") == "1.95 s"
    assert len(page.of("article")) == 3
    assert not [a for a in page.of("path") if str(a.get("class")).startswith("wave")]


def test_hundreds_of_incidents_become_a_table_and_none_is_lost(
    make_autopsy: Callable[..., Autopsy], make_incident: Callable[..., Incident], heard: Heard
) -> None:
    incidents = tuple(make_incident(rank, 0.1 * rank, 0.1 * rank + 0.5) for rank in range(1, 301))
    text = autopsy_page(make_autopsy(incidents=incidents), heard)
    page = Page(text)
    ids = {attrs.get("id") for _, attrs, _ in page.elements}
    assert {f"incident-{rank}" for rank in range(1, 301)} <= ids
    assert len(page.of("article")) == MAX_CARDS
    assert len(text) < 1_000_000


def test_an_hour_of_dense_talk_stays_small(
    make_autopsy: Callable[..., Autopsy],
    make_incident: Callable[..., Incident],
    call_writer: Callable[..., Path],
    tmp_path: Path,
) -> None:
    caller = [(t, t + 1.4) for t in range(1, 3590, 4)]
    agent = [(t + 1.9, t + 3.8) for t in range(1, 3590, 4)]
    path = call_writer(tmp_path / "hour.wav", caller, agent, 3600.0, 4000)
    heard = attend(hear(path), ChannelMap(0, 1))
    from hotato.timing import measure_floor

    autopsy = make_autopsy(
        duration_sec=3600.0,
        floor=measure_floor(heard.caller.activity, heard.agent.activity),
        incidents=tuple(make_incident(n, 80.0 * n, 80.0 * n + 5) for n in range(1, 41)),
    )
    text = autopsy_page(autopsy, heard)
    assert len(text) < 1_500_000
    paths = Page(text).of("path")
    assert len(paths) <= 41 * 5


def test_a_call_of_no_length_is_no_error(
    make_autopsy: Callable[..., Autopsy], call_writer: Callable[..., Path], tmp_path: Path
) -> None:
    path = call_writer(tmp_path / "short.wav", [], [], 0.05)
    heard = attend(hear(path), ChannelMap(0, 1))
    autopsy = make_autopsy(duration_sec=0.05, incidents=(), sentence="No incident found.")
    Page(autopsy_page(autopsy, heard))
    assert autopsy_text(autopsy, heard)


CLOSE = {"severity": "WARNING", "boundary_sensitive": True, "doubts": ("boundary_sensitive", "weak_onset")}


def test_a_number_too_close_to_call_stands_with_its_limit(
    make_autopsy: Callable[..., Autopsy], make_incident: Callable[..., Incident], heard: Heard
) -> None:
    incident = make_incident(1, 19.4, 20.38, facts=(("limit", "too close to call: it is"),), **CLOSE)
    page = Page(autopsy_page(make_autopsy(incidents=(incident,)), heard))
    said = "Too close to call: 0.98 s (0.95 to 1.02 s) against a limit of 1.00 s."
    assert page.text("article").count(said) == 1
    assert "too close to call: it is" not in page.text("article")
    assert page.text("ul").count("first sound is only just above") == 1
    assert "interval crosses" not in page.text("article")


@pytest.mark.parametrize(("severity", "red"), [("CRITICAL", True), ("WARNING", False)])
def test_the_headline_number_is_red_only_for_a_critical_incident(
    make_autopsy: Callable[..., Autopsy],
    make_incident: Callable[..., Incident],
    heard: Heard,
    severity: str,
    red: bool,
) -> None:
    incident = make_incident(1, 19.4, 21.35, severity=severity)
    (number,) = Page(autopsy_page(make_autopsy(incidents=(incident,)), heard)).of("em")
    assert (number.get("class") == "crit") is red


def test_a_recording_that_carries_no_verdict_says_so_before_anything_else(
    make_autopsy: Callable[..., Autopsy], heard: Heard
) -> None:
    unjudged = make_autopsy(unjudged="both channels hold the same samples; export again")
    page = Page(autopsy_page(unjudged, heard))
    texts = [text for path, text in page.texts if "main" in path and path[-1] in {"p", "h1"}]
    assert texts[0] == "No verdict on turn-taking: both channels hold the same samples; export again."
    assert [number.get("class") for number in page.of("em")] == [None]
    text = autopsy_text(unjudged, heard)
    assert text.splitlines()[2].startswith("No verdict on turn-taking: both channels hold")
    assert unjudged.incidents and "--fail-on" not in text  # it passes no gate
    assert "--fail-on" in autopsy_text(make_autopsy(), heard)


def test_the_reason_for_no_verdict_is_said_once(make_autopsy: Callable[..., Autopsy], heard: Heard) -> None:
    reason = "the agent's channel (1) holds only 0.2 s of sound"
    lead = f"{reason[:1].upper()}{reason[1:]}, so turn-taking could not be judged."
    unjudged = make_autopsy(
        unjudged=f"{reason}; export again",
        sentence=f"{lead} At 0:19.40 it broke.",
        health=(Finding(code="not_scorable", sentence=reason),),
    )
    page = Page(autopsy_page(unjudged, heard))
    assert "".join(text for path, text in page.texts if "h1" in path) == "At 0:19.40 it broke."
    text = " ".join(autopsy_text(unjudged, heard).split())
    assert (
        text.count("0.2 s of sound") == 1 and "nothing found" not in text and "At 0:19.40 it broke." in text
    )


def test_an_incident_is_shown_at_the_raw_edge_of_its_span(
    make_autopsy: Callable[..., Autopsy], make_incident: Callable[..., Incident], heard: Heard
) -> None:
    incident = make_incident(1, 19.4, 21.35, t_sec=19.55)
    autopsy = make_autopsy(incidents=(incident,), sentence="x")
    for text in (autopsy_page(autopsy, heard), autopsy_text(autopsy, heard)):
        assert "0:19.40" in text and "0:19.5" not in text and "19.55" not in text.split("--onset")[0]


def test_a_page_with_the_recording_says_so_and_any_other_does_not(autopsy: Autopsy, heard: Heard) -> None:
    assert HOLDS in Page(autopsy_page(autopsy, heard, audio=b"x")).text("p")
    assert HOLDS not in autopsy_page(autopsy, heard)
    assert HOLDS in " ".join(autopsy_text(autopsy, heard, embedded=True).split())
    assert HOLDS not in " ".join(autopsy_text(autopsy, heard).split())


def test_a_control_that_needs_the_script_is_named_by_the_script_alone(autopsy: Autopsy, heard: Heard) -> None:
    page = Page(autopsy_page(autopsy, heard, audio=b"x"))
    links = [text for path, text in page.texts if path[-1:] == ("a",) and "article" in path]
    assert links == ["on the timeline"] * 3
    assert len(page.of("audio")) == 1


def test_a_mixed_channel_attributes_nothing_and_states_a_confidence_once(
    make_autopsy: Callable[..., Autopsy], make_incident: Callable[..., Incident], heard: Heard
) -> None:
    silence = make_incident(
        1,
        22.9,
        25.9,
        kind="LATENCY SPIKE",
        kind_key="latency-spike",
        severity="WARNING",
        title="A long silence",
        sentence="Nobody spoke for 3.00 s.",
        scan_kind=None,
        confidence=0.81,
        facts=(("ended", "at 0:25.9"), ("confidence", "0.81: 24 dB below the threshold")),
    )
    both_alike = replace(heard, identical=True)  # two channels of one sound are opened as one mix
    mono = make_autopsy(mode="mono", floor=None, incidents=(silence,), sentence="x", note="")
    page = Page(autopsy_page(mono, both_alike))
    shown = " ".join(text for path, text in page.texts if "main" in path)
    assert "3.00 s with nobody speaking" in shown
    assert not re.search(r"caller|agent|until the answer", shown)
    assert [text for path, text in page.texts if path[-1:] == ("dt",)].count("confidence") == 1
    assert "dump-frames" not in shown and "hotato run" not in shown
    assert not re.search(r"^  (caller|agent)", autopsy_text(mono, both_alike), flags=re.M)
    bare = make_autopsy(mode="mono", floor=None, incidents=(msgspec.structs.replace(silence, facts=()),))
    assert "0.81 of 1" in Page(autopsy_page(bare, both_alike)).text("dd")


def test_a_detector_other_than_the_reference_is_named_beside_the_recording(
    autopsy: Autopsy, heard: Heard
) -> None:
    learned = replace(heard, backend="neural", caller=_learned(heard.caller), agent=_learned(heard.agent))
    for text in (autopsy_page(autopsy, learned), autopsy_text(autopsy, learned)):
        assert "neural detector" in text
        assert "--backend neural" in text
    assert "detector" not in Page(autopsy_page(autopsy, heard)).text("li")
    mixed = replace(heard, caller=_learned(heard.caller))
    assert "neural detector for the caller, reference detector for the agent" in autopsy_page(autopsy, mixed)


def _learned(track: Track) -> Track:
    return replace(track, activity=replace(track.activity, detector="neural"))


def test_the_words_of_the_trade_are_explained_on_the_page(autopsy: Autopsy, heard: Heard) -> None:
    page = Page(autopsy_page(autopsy, heard))
    assert "coherence" in page.text("abbr")
    assert {str(attrs["title"]) for attrs in page.of("abbr")} >= {GLOSSARY["coherence"]}
    listed = [text for path, text in page.texts if path[-1:] == ("dt",)]
    assert {"coherence", "hangover", "noise floor"} <= set(listed)


def test_the_shares_of_the_talk_add_up_on_page_and_terminal(
    make_autopsy: Callable[..., Autopsy], heard: Heard
) -> None:
    floor = make_autopsy().floor
    assert floor is not None
    apart = replace(
        floor,
        caller=replace(floor.caller, talk_share=0.506),
        agent=replace(floor.agent, talk_share=0.495),
    )
    autopsy = make_autopsy(floor=apart)
    assert re.findall(r">(\d+) %<", autopsy_page(autopsy, heard)) == ["51", "49"]
    assert re.findall(r"\((\d+) %\)", autopsy_text(autopsy, heard, width=200)) == ["51", "49"]
