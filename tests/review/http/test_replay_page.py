"""The replay's page in a real browser, for an interview by voice and one by text.

Needs the built pages and Chromium, both of which `make test` installs.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from playwright.sync_api import Page, sync_playwright

from domain.events import RecordingFinished
from review import RecordStore, interview_dir, mount_pages
from review.audio.finishing import RECORDING_NAME
from review.http.pages import DIST
from review.http.routes import routes
from tests.review.sample_interview import record_tones, sample_events, tones
from tests.review.sample_requests import requests_by_text, requests_by_voice
from tests.web_server import served

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
START = 1_700_000_000.0


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A web server with the pages and three interviews, `voice`, `text` and `misconception`."""
    assert DIST.is_dir(), "this test needs the built pages: run `make test`, or `npm run build` in review/pages"
    folder = tmp_path_factory.mktemp("replay")
    store = RecordStore(folder / "record.sqlite")
    spoken = requests_by_voice(START)
    interviews = {"voice": spoken, "text": requests_by_text(START), "misconception": sample_events(START)}
    for interview_id, events in interviews.items():
        for event in events:
            store.append(interview_id, event)
    recording = spoken[-1]
    assert isinstance(recording, RecordingFinished)
    sound = tones(spoken, recording.started_at, recording.duration_s)
    record_tones(interview_dir(folder, "voice") / RECORDING_NAME, sound, recording.started_at)
    app = FastAPI()
    app.include_router(routes(store, folder))
    mount_pages(app)
    with served(app) as url:
        yield url
    store.close()


@pytest.fixture
def page() -> Iterator[Page]:
    """A page of a real browser."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert program is not None, "this test needs Chromium: run `make test`, or install it"
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"]
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser.new_page()
        browser.close()


def test_a_quote_is_played_from_its_place_by_keyboard(address: str, page: Page) -> None:
    """Strengths and gaps have buttons that say where they play from; the key that presses one plays that moment."""
    page.goto(f"{address}/replay/voice")
    quote = page.get_by_test_id("strengths").get_by_role("button", name="Play from 12 seconds")
    quote.focus()
    page.keyboard.press("Enter")
    wait_until(page, "document.querySelector('#audio').currentTime > 12.7")
    # It plays on while a busy machine looks.
    assert re.match(r"0:1[2-9] ", page.get_by_test_id("position").inner_text())
    entry = page.locator("[aria-current=true]")
    entry.wait_for()
    assert "part 1 of 2" in entry.inner_text()
    assert page.get_by_test_id("note").count() == 5


def test_a_correction_shows_what_it_corrects(address: str, page: Page) -> None:
    """What was said before a correction is there to unfold, with its score and that it is outside every average."""
    page.goto(f"{address}/replay/voice")
    before = page.get_by_test_id("before-correction")
    before.locator("summary").first.click()
    assert "1.6, outside every average" in before.inner_text()
    assert "It takes linear time" in before.inner_text()


def test_a_misconception_that_was_stated_is_named_so(address: str, page: Page) -> None:
    """Among the gaps and in its answer it has the word and the colour of what is wrong, never a tick."""
    page.goto(f"{address}/replay/misconception")
    lines = page.locator(".finding, .verdict-item").filter(has_text="Balancing makes accuracy a good measure")
    lines.first.wait_for()
    assert [chip.inner_text() for chip in lines.locator(".verdict").all()] == ["Misconception", "Misconception"]
    assert lines.locator(".verdict.bad").count() == 2


def test_an_interview_by_text_has_nothing_to_play(address: str, page: Page) -> None:
    """The conversation is shown with its notes, without player, times or buttons; the space bar scrolls the page."""
    page.goto(f"{address}/replay/text")
    page.get_by_test_id("answer").first.wait_for()
    assert page.get_by_test_id("player").is_hidden()
    assert page.get_by_role("heading", name="Conversation").is_visible()
    assert page.locator(".entry-time, .quote[data-start], .listen").count() == 0
    assert page.get_by_test_id("entry").count() == 24
    assert page.locator("#notices").inner_text() == ""
    page.keyboard.press("Space")
    wait_until(page, "scrollY > 100")


@pytest.mark.parametrize("interview_id", ["voice", "text"])
def test_a_narrow_page_does_not_scroll_sideways(address: str, page: Page, interview_id: str) -> None:
    """On a phone everything fits, also with all that can be unfolded."""
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{address}/replay/{interview_id}")
    page.get_by_test_id("answer").first.wait_for()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def wait_until(page: Page, condition: str) -> None:
    """Wait for something to be true; the page's own security policy forbids that Playwright does so inside it."""
    for _ in range(200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"this did not come true within 10 s: {condition}")
