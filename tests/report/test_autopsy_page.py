"""The page of an autopsy, parsed."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from hotato.find.records import Autopsy, Incident
from hotato.findings import Finding
from hotato.listen import Heard, attend, hear, tell_apart
from hotato.report import autopsy_page, autopsy_text, embeddable
from hotato.report.page_autopsy import MAX_CARDS
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
    gate = f"hotato run --stereo {autopsy.source} --onset 19.4 --expect yield --max-talk-over 1"
    assert gate in page.text("code")
    assert f"hotato autopsy {autopsy.source} --fail-on critical" in page.text("code")


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
