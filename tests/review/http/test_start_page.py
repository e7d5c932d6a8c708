"""The start page in a real browser: a CV is uploaded, shown, corrected by keyboard, and sent as it was corrected.

Needs the built pages and Chromium, both of which `make test` installs.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, sync_playwright

from agent.http.app import make_app
from agent.interviews import profiles as profiles_module
from agent.interviews.profiles import opened_profiles
from agent.settings import Settings
from review.http.pages import DIST
from tests.rag.fakes import HashedWords
from tests.rag.profiles.samples import RESUME
from tests.review.http.test_replay_page import BROWSERS
from tests.web_server import served

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

RESUMES = Path(__file__).parents[2] / "data" / "resumes"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A web process that keeps a profile of Ada Example."""
    assert DIST.is_dir(), "this test needs the built pages: run `make test`, or `npm run build` in review/pages"
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(profiles_module, "profile_embedder", lambda _: HashedWords())
        with opened_profiles(settings) as profiles:
            profiles.bring_in("ada-example", RESUME, at=1.0)
        with served(make_app(settings)) as url:
            yield url


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    """The start page, with a microphone."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert program is not None, "this test needs Chromium: run `make test`, or install it"
    microphone = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    arguments = ["--no-sandbox", "--disable-gpu", *microphone]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        shown = browser.new_page()
        shown.goto(address)
        shown.get_by_test_id("pack-backend").wait_for()
        shown.locator("#documents summary").first.click()
        yield shown
        browser.close()


def wishes_of(page: Page) -> list[dict[str, Any]]:
    """What the page asks for, from now on; it is told that there is no interviewer."""
    asked: list[dict[str, Any]] = []

    def refuse(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        asked.append(json.loads(route.request.post_data or "{}"))
        route.fulfill(status=503, content_type="application/problem+json", body='{"detail": "Nobody is there."}')

    page.route("**/api/interviews", refuse)
    return asked


def begin(page: Page) -> None:
    """Press the button, and wait for the answer."""
    page.get_by_test_id("start").click()
    page.get_by_text("Nobody is there.").wait_for()


def upload(page: Page, name: str) -> None:
    """Choose a file, and wait until it is read."""
    page.get_by_test_id("resume-file").set_input_files(RESUMES / name)
    page.get_by_text("Your CV was read.").wait_for()


def test_a_resume_is_shown_and_what_is_corrected_is_sent(page: Page) -> None:
    """By keyboard and by the fields' names; what nobody touched stays as it was read."""
    asked = wishes_of(page)
    upload(page, "a01-backend.pdf")
    assert page.get_by_label("Your name", exact=True).input_value() == "Nadia Example"
    assert "PostgreSQL" in page.get_by_label("Skills, with commas between them").input_value()
    begin(page)
    assert asked[0]["profile"] is None
    assert "pgslow" in asked[0]["resume"]

    page.get_by_label("Skills, with commas between them").fill("Go, Zig")
    position = page.get_by_test_id("entry-experience").first
    position.locator("summary").focus()
    page.keyboard.press("Enter")
    role = position.get_by_label("Role")
    assert role.input_value() == "Senior Software Engineer, Payments Platform"
    role.fill("Staff Engineer")
    assert position.locator("summary").inner_text() == "Woodgrove Bank · Staff Engineer"
    page.get_by_role("button", name="Add a project").click()
    page.keyboard.type("Quokka census")
    page.get_by_role("group", name="Quokka census").get_by_label("What you did").fill("- Counted them.\n- By drone.")
    page.get_by_test_id("mode-resume").click()
    begin(page)
    sent = asked[1]
    assert (sent["mode"], sent["profile"]["skills"]) == ("resume", ["Go", "Zig"])
    assert sent["profile"]["experience"][0]["role"] == "Staff Engineer"
    assert sent["profile"]["experience"][0]["did"]
    assert [each["name"] for each in sent["profile"]["projects"]][-1] == "Quokka census"
    assert sent["profile"]["projects"][-1]["did"] == ["Counted them.", "By drone."]


def test_what_is_kept_of_somebody_is_shown_to_them(page: Page) -> None:
    """They need no CV for questions about it; somebody else under another name does."""
    asked = wishes_of(page)
    page.get_by_test_id("mode-resume").click()
    page.get_by_test_id("name").fill("Ada Example")
    page.get_by_test_id("name").press("Tab")
    page.get_by_text("What Viva keeps of Ada Example").wait_for()
    begin(page)
    assert (asked[0]["mode"], asked[0]["resume"], asked[0]["profile"]) == ("resume", "", None)
    page.get_by_test_id("name").fill("Somebody Else")
    page.get_by_test_id("name").press("Tab")
    page.get_by_test_id("profile").wait_for(state="hidden")
    page.get_by_test_id("start").click()
    page.get_by_text("add your CV").wait_for()
    assert len(asked) == 1


def test_a_file_that_cannot_be_read_says_so(page: Page, tmp_path: Path) -> None:
    """At the field, to be heard by screen readers; text can be pasted instead, and is read when it is left."""
    picture = tmp_path / "cv.txt"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    page.get_by_test_id("resume-file").set_input_files(picture)
    problem = page.get_by_test_id("resume-problem")
    problem.wait_for()
    assert "paste the text" in problem.inner_text()
    assert problem.get_attribute("role") == "alert"
    page.get_by_test_id("resume").fill((RESUMES / "a06-frontend.md").read_text(encoding="utf-8"))
    page.get_by_test_id("resume").press("Tab")
    page.get_by_text("Your CV was read.").wait_for()
    assert problem.is_hidden()
    assert page.get_by_test_id("entry-experience").count() > 0


def test_a_narrow_page_does_not_scroll_sideways(page: Page) -> None:
    """Also with all entries unfolded."""
    page.set_viewport_size({"width": 360, "height": 740})
    upload(page, "a08-accountant.docx")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_each_field_has_a_name(page: Page) -> None:
    """Of its own label, for screen readers."""
    upload(page, "a05-embedded.txt")
    nameless = "[...document.querySelectorAll('#profile input, #profile textarea')].filter((one) => !one.labels.length)"
    assert page.evaluate(f"{nameless}.length") == 0
