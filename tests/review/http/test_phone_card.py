"""The phone on the start page, in a real browser: a PIN for what the form says, and a call that the host books.

Needs the built pages and Chromium, both of which `make test` installs.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from agent.http.app import make_app
from agent.phone.bookings import BookingStore
from agent.phone.pins import open_pins
from agent.settings import Settings
from review.http.pages import DIST
from tests.agent.phone.samples import WISH
from tests.review.http.test_replay_page import BROWSERS
from tests.web_server import served

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

TOKEN = "a-token-of-the-host"
PICTURES = os.environ.get("PICTURES_OF_PAGES", "")
"""A folder for what the pages look like; nothing is drawn without it."""

expect.set_options(timeout=30_000)  # a busy machine is slow, not wrong


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert program is not None, "this test needs Chromium: run `make test`, or install it"
    assert DIST.is_dir(), "this test needs the built pages: run `make test`, or `npm run build` in review/pages"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """An installation with a phone."""
    return Settings(data_dir=tmp_path, phone=True, phone_number="030 1234")


@contextmanager
def start_page(settings: Settings, browser: Browser) -> Iterator[Page]:
    """The start page with a name in it; nothing may fail in it."""
    faults: list[str] = []
    with served(make_app(settings)) as address:
        context = browser.new_context(
            viewport={"width": 1280, "height": 900},
            permissions=["clipboard-read", "clipboard-write"],
            timezone_id="UTC",
            locale="en-GB",
        )
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(address)
        page.get_by_test_id("pack-backend").wait_for()
        page.get_by_test_id("name").fill("Ada Example")
        yield page
        context.close()
    assert faults == []


def picture(page: Page, name: str, *, scheme: Literal["light", "dark"] = "light", width: int = 1280) -> None:
    """Keep what the page looks like, if it is wanted."""
    if PICTURES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 900})
        page.get_by_test_id("phone").screenshot(path=Path(PICTURES) / f"{name}.png")


def test_a_pin_stands_for_what_the_form_says(settings: Settings, browser: Browser) -> None:
    """By keyboard; it is told to screen readers digit by digit, and copied without the spaces."""
    with start_page(settings, browser) as page:
        page.get_by_test_id("pack-databases-sql").click()
        page.get_by_test_id("difficulty-hard").check()
        page.get_by_test_id("phone-pin").focus()
        page.keyboard.press("Enter")
        shown = page.get_by_test_id("phone-result")
        expect(shown.get_by_test_id("number")).to_have_text("030 1234")
        expect(shown.get_by_role("link")).to_have_attribute("href", "tel:0301234")
        assert shown.get_attribute("role") == "status"
        pin = shown.get_by_test_id("pin").inner_text().replace("\u00a0", "")
        expect(shown.locator("dd .visually-hidden")).to_have_text(" ".join(pin))
        expect(shown.get_by_test_id("pin")).to_have_attribute("aria-hidden", "true")
        picture(page, "phone-light")
        picture(page, "phone-dark", scheme="dark")
        picture(page, "phone-narrow", width=360)
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.get_by_test_id("phone-pin").focus()
        page.keyboard.press("Tab")
        while page.evaluate("document.activeElement.textContent") != "Copy":
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(shown.get_by_role("button")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == pin
    grant = open_pins(settings).of_pin(pin)
    assert grant is not None
    assert (grant.wish.candidate_name, grant.wish.pack, grant.wish.difficulty) == (
        "Ada Example", "databases-sql", "hard",
    )  # fmt: skip
    assert grant.once


def test_what_is_missing_is_said_where_it_was_asked_for(settings: Settings, browser: Browser) -> None:
    """No PIN is made without a name, nor about a CV that is not there; the next try takes the sentence back."""
    with start_page(settings, browser) as page:
        page.get_by_test_id("name").fill("")
        page.get_by_test_id("phone-pin").click()
        expect(page.get_by_text("Please enter a name")).to_be_visible()
        page.get_by_test_id("name").fill("Ada Example")
        page.get_by_test_id("mode-resume").click()
        page.get_by_test_id("phone-pin").click()
        problem = page.get_by_test_id("phone-problem")
        expect(problem).to_contain_text("add your CV")
        assert problem.get_attribute("role") == "alert"
        page.get_by_test_id("mode-plan").click()
        page.get_by_test_id("phone-pin").click()
        page.get_by_test_id("pin").wait_for()
        expect(problem).to_be_hidden()
    assert len(open_pins(settings).grants(time.time())) == 1


def test_the_host_books_a_call(settings: Settings, browser: Browser) -> None:
    """With their token where one is set; it is listed with what became of it, and can be cancelled."""
    with_token = settings.model_copy(update={"host_token": TOKEN})
    at = datetime.fromtimestamp(time.time() + 7200, UTC)
    with start_page(with_token, browser) as page:
        details = page.get_by_test_id("phone-call")
        details.locator("summary").focus()
        page.keyboard.press("Enter")
        page.get_by_test_id("call-book").click()
        expect(page.get_by_test_id("call-problem")).to_contain_text("Enter a number")
        details.get_by_label("Number to call").fill("030 / 98")
        details.get_by_label("When").fill(at.strftime("%Y-%m-%dT%H:%M"))
        details.get_by_label("Number to call").press("Enter")
        page.get_by_test_id("dialog").get_by_label("The host's token").fill(TOKEN)
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("call-result")).to_contain_text("Viva calls 03098")
        calls = page.get_by_test_id("calls")
        expect(calls).to_contain_text("Ada Example, 03098")
        picture(page, "call-light")
        picture(page, "call-dark", scheme="dark")
        picture(page, "call-narrow", width=360)
        calls.get_by_role("button", name="Cancel: Ada Example, 03098").click()
        expect(calls).to_contain_text("cancelled")
        assert TOKEN not in page.url
    ((booking, grant),) = BookingStore(settings.phone_path).bookings()
    assert booking.state == "cancelled"
    assert abs(booking.at - at.timestamp()) < 60
    assert grant is not None


def test_a_call_that_was_missed_is_told(settings: Settings, browser: Browser) -> None:
    """Viva was off at its time: the page says so by itself, to the host."""
    _, grant = open_pins(settings).issue(WISH, once=True, valid_from=None, valid_until=None, now=0.0)
    bookings, now = BookingStore(settings.phone_path), time.time()
    bookings.book("12", "", now - 3600, grant.id, now=now - 7200)
    assert [each.state for each in bookings.look(now)[1]] == ["missed"]
    with start_page(settings, browser) as page:
        expect(page.get_by_test_id("calls")).to_be_visible()
        expect(page.get_by_test_id("calls")).to_contain_text("missed: Viva was not running at that time")
        picture(page, "missed-light")


def test_without_a_phone_the_page_says_nothing_of_one(settings: Settings, browser: Browser) -> None:
    """And without a line of Viva's own, nothing of calls that it could make."""
    off = settings.model_copy(update={"phone": False, "phone_number": ""})
    with start_page(off, browser) as page:
        page.get_by_text("None yet.").wait_for()
        expect(page.get_by_test_id("phone")).to_be_hidden()
    elsewhere = settings.model_copy(update={"phone": False})
    with start_page(elsewhere, browser) as page:
        expect(page.get_by_test_id("phone")).to_be_visible()
        expect(page.get_by_test_id("phone-call")).to_be_hidden()
