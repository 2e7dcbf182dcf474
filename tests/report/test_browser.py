"""The pages in a real browser: light, dark, print and phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hotato.benchmark import run_benchmark
from hotato.benchmark.sets import packaged_sets
from hotato.checks import Checks
from hotato.failure import record_of
from hotato.find import Named, sweep
from hotato.find.records import Autopsy, Incident
from hotato.listen import Heard
from hotato.report import (
    autopsy_page,
    benchmark_page,
    build_report_html,
    candidates_page,
    checks_page,
    embeddable,
    moment_views,
    record_page,
)
from hotato.report.render import HOLDS

LEAST_CONTRAST = 4.5
PAPER_PX = (688, 1009)
"""A4 within the margins of the page, in CSS pixels."""

CONTRAST = """() => {
  const lin = v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
  const parse = c => (c.match(/[\\d.]+/g) || []).map(Number);
  const lum = c => .2126 * lin(c[0]) + .7152 * lin(c[1]) + .0722 * lin(c[2]);
  const solid = e => { for (; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
  const low = [];
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.getClientRects().length || e.closest("script, style, title, desc")) continue;
    const style = getComputedStyle(e);
    let back = solid(e);
    const marker = e.closest(".marker.crit");
    if (marker) back = parse(getComputedStyle(marker.querySelector("circle")).fill);
    const ink = parse(e instanceof SVGElement ? style.fill : style.color);
    const a = lum(ink), b = lum(back);
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < LEAST) low.push(`${e.tagName} ${e.className.baseVal ?? e.className}: ${ratio.toFixed(2)}`);
  }
  return low;
}""".replace("LEAST", str(LEAST_CONTRAST))

OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll("svg.call text, nav svg circle")]
    .filter(e => e.getClientRects().length && getComputedStyle(e).display !== "none")
    .map(e => [e.textContent || "o", e.getBoundingClientRect()]);
  const found = [];
  for (let i = 0; i < boxes.length; i++) for (let j = 0; j < i; j++) {
    const [a, b] = [boxes[i][1], boxes[j][1]];
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
      found.push([boxes[i][0], boxes[j][0]]);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def pages(
    make_autopsy: Callable[..., Autopsy],
    make_incident: Callable[..., Incident],
    autopsy: Autopsy,
    heard: Heard,
    gate: Checks,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Path]:
    """Pages of every kind, written to files."""
    folder = tmp_path_factory.mktemp("pages")
    call = folder / "call.wav"
    sound, mime = embeddable(heard)
    import soundfile

    soundfile.write(call, heard.samples, 16000)
    long_name = make_autopsy(source="x" * 10_000)
    texts = {
        "autopsy": autopsy_page(autopsy, heard),
        "hostile": autopsy_page(long_name, heard),
        "empty": autopsy_page(make_autopsy(incidents=(), sentence="No incident found."), heard),
        "audio": autopsy_page(autopsy, heard, audio=sound, audio_mime=mime),
        "many": autopsy_page(
            make_autopsy(incidents=tuple(make_incident(n, n / 4, n / 4 + 1) for n in range(1, 120))), heard
        ),
        "run": build_report_html(stereo=call, onset_sec=19.4, max_talk_over_sec=1.0)[0],
        "benchmark": benchmark_page(run_benchmark(sets=packaged_sets())),
        "candidates": _candidates(folder),
        "checks": checks_page(gate),
        "long checks": checks_page(_longer(gate)),
        "record": record_page(record_of(_verification("cancel-002"))),
        "long record": record_page(record_of(_verification("x" * 10_000))),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in texts}


def _candidates(folder: Path) -> str:
    """The bundled calls swept, one of them under a name that has no place to break, and one that is none."""
    bundled = Path(str(resources.files("hotato"))) / "data" / "funnel-demo" / "audio"
    paths = sorted(bundled.glob("*.wav"))
    named = [Named("x" * 300 + ".wav", str(paths[0])), Named(paths[1].name, str(paths[1]))]
    analysis = sweep([*named, Named("y" * 10_000, str(folder / "none"))], ".")
    return candidates_page(analysis, moment_views(analysis, top=0, audio_top=8, ref_file="s.json"))


def _longer(gate: Checks) -> Checks:
    """The gate with names and reasons that have no place to break."""
    word = "x" * 10_000
    checks = tuple(replace(check, id=check.id + word, reason=word, file=word) for check in gate.checks)
    return replace(gate, name=word, checks=checks, notes=(word,))


def _verification(name: str) -> dict[str, Any]:
    result = {"id": name, "passed": False, "status": "fail", "expect": "yield", "reasons": ["2.65 s " + name]}
    return {"kind": "contract-verify", "results": [result], "exit_code": 1}


@pytest.fixture
def visit(browser: Any, pages: dict[str, Path]) -> Iterator[Callable[..., Any]]:
    """Opens a page; at the end nothing was requested but the file and nothing was complained about."""
    opened = []

    def go(name: str, *, width: int = 1120, scheme: str = "light", media: str = "screen") -> Any:
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.emulate_media(media=media, color_scheme=scheme)
        trouble: list[str] = []
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", lambda request: trouble.append(request.url))
        page.goto(pages[name].as_uri())
        opened.append((page, trouble))
        return page

    yield go
    for page, trouble in opened:
        page.close()
        assert sum(line.startswith("file:") for line in trouble) == 1
        assert [line for line in trouble if not line.startswith(("data:", "file:"))] == []


@pytest.mark.parametrize(
    "name",
    [
        "autopsy",
        "hostile",
        "empty",
        "audio",
        "run",
        "benchmark",
        "candidates",
        "checks",
        "long checks",
        "record",
        "long record",
    ],
)
@pytest.mark.parametrize(
    ("width", "scheme", "media"),
    [(1120, "light", "screen"), (1120, "dark", "screen"), (390, "light", "screen"), (760, "light", "print")],
)
def test_a_page_fits_and_can_be_read(
    visit: Callable[..., Any], name: str, width: int, scheme: str, media: str
) -> None:
    page = visit(name, width=width, scheme=scheme, media=media)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate(OVERLAPS) == []


def test_dark_is_dark_and_print_is_white(visit: Callable[..., Any]) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = visit("autopsy", scheme="dark")
    assert dark.evaluate(ground) == "rgb(19, 20, 23)"
    assert visit("autopsy", scheme="dark", media="print").evaluate(ground) == "rgb(255, 255, 255)"


def test_a_marker_leads_to_its_card_with_the_keyboard_alone(visit: Callable[..., Any]) -> None:
    page = visit("autopsy")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#incident-3"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#incident-3"


def test_the_playhead_follows_the_recording_and_a_marker_jumps_to_its_incident(
    visit: Callable[..., Any],
) -> None:
    page = visit("audio")
    page.wait_for_function("document.querySelector('audio').readyState >= 2")
    page.locator("nav a.marker[href='#incident-1']").focus()
    page.keyboard.press("Enter")
    at = page.evaluate("document.querySelector('audio').currentTime")
    assert 18.4 <= at < 19.4
    page.wait_for_function("document.body.classList.contains('playing')")
    page.evaluate("document.querySelector('audio').pause()")
    x, now = page.evaluate(
        "[parseFloat(document.querySelector('.playhead').getAttribute('x1')),"
        " document.querySelector('audio').currentTime]"
    )
    assert x == pytest.approx(now / 42.0 * 100, abs=1.0)


def test_the_playhead_also_runs_over_the_timeline_of_the_incident_that_is_played(
    visit: Callable[..., Any],
) -> None:
    page = visit("audio")
    page.wait_for_function("document.querySelector('audio').readyState >= 2")
    read = """() => [...document.querySelectorAll('article svg[data-from]')].map(svg => {
      const head = svg.querySelector('.playhead');
      return [Number(svg.dataset.from), Number(svg.dataset.to), parseFloat(head.getAttribute('x1')),
              getComputedStyle(head).visibility];
    })"""
    assert {shown for *_, shown in page.evaluate(read)} == {"hidden"}
    page.locator("#incident-1 a.listen").click()
    page.wait_for_function("document.body.classList.contains('playing')")
    page.evaluate("document.querySelector('audio').pause()")
    page.wait_for_timeout(100)
    now = page.evaluate("document.querySelector('audio').currentTime")
    heads = page.evaluate(read)
    assert len(heads) > 1
    for start, end, x, shown in heads:
        assert shown == ("visible" if start <= now <= end else "hidden")
        if shown == "visible":
            assert x == pytest.approx((now - start) / (end - start) * 100, abs=1.0)
    assert {shown for *_, shown in heads} == {"visible", "hidden"}


def test_the_playhead_of_a_clip_follows_that_clip_from_where_it_begins(visit: Callable[..., Any]) -> None:
    page = visit("candidates")
    wave = page.locator("[data-clip] svg[data-from]").nth(1)
    wave.click(position={"x": wave.bounding_box()["width"] / 2, "y": 40})
    page.wait_for_function("document.querySelectorAll('[data-clip]')[1].classList.contains('playing')")
    state = """() => [...document.querySelectorAll('[data-clip]')].map(clip => [
      clip.querySelector('audio').currentTime, clip.querySelector('audio').duration,
      parseFloat(clip.querySelector('.playhead').getAttribute('x1'))])"""
    (still, _, left), (at, length, percent) = page.evaluate(state)
    assert (still, left) == (0, 0)
    assert abs(at - length / 2) < 0.05 and abs(percent - 50) < 1


def test_the_screen_reader_hears_what_a_picture_shows(visit: Callable[..., Any]) -> None:
    page = visit("autopsy")
    call = page.get_by_role("img", name="The whole call")
    assert call.count() == 1
    assert page.get_by_role("link", name="Incident 1, critical, BARGE-IN at 0:19.4").count() == 1
    assert page.get_by_role("heading", level=1).count() == 1


BOX = """(e => [e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth])(
    document.querySelector('.further'))"""


def test_the_table_of_further_incidents_scrolls_on_screen_and_prints_whole(visit: Callable[..., Any]) -> None:
    screen = visit("many")
    assert screen.evaluate(BOX)[0] > 0
    assert screen.get_by_text("the box scrolls").is_visible()
    paper = visit("many", width=PAPER_PX[0], media="print")
    assert paper.evaluate(BOX) == [0, 0]
    assert not paper.get_by_text("the box scrolls").is_visible()


def test_no_column_of_the_further_incidents_is_cut_on_a_phone(visit: Callable[..., Any]) -> None:
    page = visit("many", width=390)
    assert page.evaluate(BOX)[1] == 0
    cut = """[...document.querySelectorAll('.further td')]
        .filter(e => e.getBoundingClientRect().right > innerWidth).length"""
    assert page.evaluate(cut) == 0


def test_a_printed_card_takes_less_than_a_third_of_a_page(visit: Callable[..., Any]) -> None:
    page = visit("autopsy", width=PAPER_PX[0], media="print")
    tallest = "Math.max(...[...document.querySelectorAll('.incident')].map(e => e.offsetHeight))"
    assert page.evaluate(tallest) < PAPER_PX[1] / 3


def test_the_links_of_the_cards_say_listen_only_where_the_script_runs(
    browser: Any, pages: dict[str, Path]
) -> None:
    for scripts, said in ((True, "listen"), (False, "on the timeline")):
        context = browser.new_context(java_script_enabled=scripts)
        page = context.new_page()
        page.goto(pages["audio"].as_uri())
        assert page.locator("article a").first.inner_text() == said
        assert page.locator("audio").count() == 1
        context.close()


def test_the_page_of_a_run_that_holds_the_recording_says_so(pages: dict[str, Path]) -> None:
    call = pages["run"].with_name("call.wav")
    assert HOLDS in build_report_html(stereo=call, onset_sec=19.4, embed_audio=True)[0]
    assert HOLDS not in pages["run"].read_text(encoding="utf-8")
