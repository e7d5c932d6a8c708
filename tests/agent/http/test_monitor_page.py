"""The monitor's page in a real browser: an interview by text, watched while it is held.

Needs the built pages and Chromium, both of which `make test` installs.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Self

import httpx
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from agent.interviews import profiles as profiles_module
from agent.interviews.profiles import opened_profiles
from review.http.pages import DIST
from tests.agent.text_rig import GOOD, TextRig, served
from tests.rag.fakes import HashedWords
from tests.rag.profiles.samples import RESUME
from tests.review.http.test_replay_page import BROWSERS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

TOKEN = "a-token-of-the-host"
PICTURES = os.environ.get("PICTURES_OF_PAGES", "")
"""A folder for what the pages look like; nothing is drawn without it."""


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TextRig:
    """A web process whose models are scripted, with a profile of the candidate."""
    assert (DIST / "monitor.html").is_file(), "this test needs the built pages: run `make test`"
    monkeypatch.setattr(profiles_module, "profile_embedder", lambda _: HashedWords())
    rig = TextRig(tmp_path)
    with opened_profiles(rig.settings) as profiles:
        profiles.bring_in("ada", RESUME, at=1_700_000_000.0)
    return rig


@pytest.fixture
def page() -> Iterator[Page]:
    """A page of a real browser."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert program is not None, "this test needs Chromium: run `make test`, or install it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser.new_page(viewport={"width": 1360, "height": 900})
        browser.close()


class Candidate:
    """Who holds the interview that is watched."""

    def __init__(self, address: str) -> None:
        self._client = httpx.Client(base_url=f"{address}/api/v1/interview", timeout=20)
        started = self._client.post("/start", json={"candidate_name": "Ada", "feedback": "exam", "resume": "x"})
        assert started.status_code == 201, started.text
        self.id = started.json()["session_id"]
        self._client.headers["Authorization"] = f"Bearer {started.json()['token']}"

    def say(self, words: str) -> None:
        """Answer, and wait for what comes of it."""
        answer = self._client.post("/submit_response", json={"session_id": self.id, "response": words})
        assert answer.status_code == 200, answer.text

    def end(self) -> None:
        """End the interview."""
        self._client.post("/end", json={"session_id": self.id})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()


def picture(page: Page, name: str, *, scheme: Literal["light", "dark"] = "light", width: int = 1360) -> None:
    """Keep what the page looks like, if it is wanted."""
    if PICTURES:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


def test_an_interview_is_watched_as_it_is_held(rig: TextRig, page: Page) -> None:
    """Panels fill with each turn, without a reload, until the goodbye; what ran is lit, both branches of a turn."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    with served(rig) as address, Candidate(address) as candidate:
        page.goto(f"{address}/monitor/ada")
        expect(page.get_by_test_id("connection")).to_have_text("Live")
        expect(page.get_by_test_id("profile")).to_contain_text(RESUME.skills[0])
        expect(page.get_by_test_id("vector")).to_contain_text("profile_ada")
        expect(page.get_by_test_id("phase")).to_contain_text("Listening")
        expect(page.get_by_test_id("graph-runs")).to_contain_text("Before the first answer ran")
        assert page.get_by_test_id("judgement").count() == 0
        candidate.say(GOOD)
        expect(page.get_by_test_id("graph-runs")).to_contain_text("In turn 1 ran")
        expect(page.get_by_test_id("judgement")).to_contain_text("turn 1")
        lit = page.locator("g.node.ran")
        names = {node.get_attribute("data-node") for node in lit.all()}
        assert {"evaluate", "give_feedback", "select_question", "supervise", "ask_question"} <= names
        feedback, choice = (
            page.locator(f"g.node[data-node={name}] rect").bounding_box()
            for name in ("give_feedback", "select_question")
        )
        assert feedback is not None
        assert choice is not None
        assert feedback["y"] == pytest.approx(choice["y"], abs=1)
        expect(page.get_by_test_id("first-sound")).to_have_count(1)
        expect(page.get_by_test_id("marks")).to_contain_text("Reasoning depth")
        candidate.say("It is a matter of taste.")
        candidate.say("Could you repeat the question?")
        expect(page.get_by_test_id("graph-runs")).to_contain_text("In turn 3 ran")
        lines = page.get_by_test_id("line")
        tags = lines.locator(".node-tag").all_inner_texts()
        assert {"[evaluate]", "[supervise]", "[candidate]", "[voice]"} <= set(tags)
        picture(page, "monitor-light")
        picture(page, "monitor-dark", scheme="dark")
        picture(page, "monitor-narrow", width=360)
        candidate.end()
        expect(page.get_by_test_id("connection")).to_have_text("Ended")
        expect(page.get_by_test_id("phase")).to_contain_text("Over")
        expect(page.get_by_test_id("academic")).to_contain_text("1 interview")
        assert lines.count() == len(rig.events(candidate.id))
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert faults == []


def test_the_start_page_leads_the_host_to_a_running_interview(rig: TextRig, page: Page) -> None:
    """By keyboard, and to this interview also when there is another."""
    with served(rig) as address, Candidate(address) as first, Candidate(address):
        page.goto(address)
        page.get_by_test_id(f"interview-{first.id}").get_by_role("link", name="Watch").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("connection")).to_have_text("Live")
        assert page.url == f"{address}/monitor/interview/{first.id}"
        expect(page.get_by_role("link", name="Replay")).to_have_attribute("href", f"/replay/{first.id}")


def test_the_host_is_asked_for_their_token(rig: TextRig, page: Page) -> None:
    """Nothing is shown before; the token opens the stream as well, and is in no address."""
    rig.overrides["host_token"] = TOKEN
    with served(rig) as address, Candidate(address) as candidate:
        page.goto(f"{address}/monitor/ada")
        dialog = page.get_by_test_id("dialog")
        dialog.get_by_label("The host's token").fill(TOKEN)
        expect(page.locator("#panels")).to_be_hidden()
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("connection")).to_have_text("Live")
        candidate.say(GOOD)
        expect(page.get_by_test_id("judgement")).to_contain_text("turn 1")
        assert TOKEN not in page.url


def test_a_turn_that_waits_is_released_from_the_page(rig: TextRig, page: Page) -> None:
    """With a note, which is what the record has."""
    rig.overrides["human_review"] = "all"
    with served(rig) as address, Candidate(address) as candidate:
        page.goto(f"{address}/monitor/ada")
        candidate.say(GOOD)
        form = page.get_by_test_id("review-form")
        form.get_by_label("Your name").fill("Grace")
        form.get_by_label("A note").fill("Ask about oolong next.")
        picture(page, "monitor-review")
        form.get_by_role("button").click()
        expect(form).to_have_count(0)
        (released,) = [event for event in rig.events(candidate.id) if event.kind == "review_released"]
        assert (released.by, released.note) == ("Grace", "Ask about oolong next.")


def test_an_unknown_person_is_a_sentence(rig: TextRig, page: Page) -> None:
    """And nothing else."""
    with served(rig) as address:
        page.goto(f"{address}/monitor/nobody")
        expect(page.locator("#notices")).to_contain_text("Nobody here is known as 'nobody'")
        expect(page.locator("#panels")).to_be_hidden()
