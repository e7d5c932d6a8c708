"""The monitor's page in a real browser: an interview by text, watched while it is held.

Needs the built pages and Chromium, both of which `make test` installs.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, Self

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect, sync_playwright

from agent.interviews.profiles import opened_profiles
from domain.question import Question
from domain.verdict import Quote, Verdict
from review.http.pages import DIST
from tests.agent.text_rig import GOOD, HeldJudge, TextRig
from tests.rag.profiles.samples import RESUME
from tests.review.http.test_replay_page import BROWSERS
from tests.web_server import served

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.usefixtures("profiles_by_words")]

TOKEN = "a-token-of-the-host"
CV = "Projects\n\nOrder Portal (2020 - 2021)\n- Built a React front end for the warehouse\n"
PICTURES = os.environ.get("PICTURES_OF_PAGES", "")
"""A folder for what the pages look like; nothing is drawn without it."""

expect.set_options(timeout=30_000)  # a busy machine is slow, not wrong


@pytest.fixture
def rig(tmp_path: Path) -> TextRig:
    """A web process whose models are scripted, with a profile of the candidate."""
    assert (DIST / "monitor.html").is_file(), "this test needs the built pages: run `make test`"
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


class QuotingJudge(HeldJudge):
    """Rests every verdict that gives credit on the whole answer."""

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        quote = Quote(text=" ".join(words), first_word=0, last_word=len(words) - 1)
        found = await super().verdicts(question, words)
        return tuple(each.model_copy(update={"quote": quote}) if each.status == "covered" else each for each in found)


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
    with served(rig.app()) as address, Candidate(address) as candidate:
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
        for name in ("evaluate", "give_feedback", "select_question", "supervise", "ask_question"):
            expect(page.locator(f"g.node.ran[data-node={name}]")).to_have_count(1)
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
    with served(rig.app()) as address, Candidate(address) as first, Candidate(address):
        page.goto(address)
        page.get_by_test_id(f"interview-{first.id}").get_by_role("link", name="Watch").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("connection")).to_have_text("Live")
        assert page.url == f"{address}/monitor/interview/{first.id}"
        expect(page.get_by_role("link", name="Replay")).to_have_attribute("href", f"/replay/{first.id}")


def test_another_interview_is_begun_beside_one_that_is_held_elsewhere(rig: TextRig, page: Page) -> None:
    """The page of one interview leads to that of the person, where the new one goes on with its open question."""
    with served(rig.app()) as address, Candidate(address) as candidate:
        page.goto(f"{address}/monitor/interview/{candidate.id}")
        expect(page.get_by_test_id("text")).to_contain_text("held by text, elsewhere")
        page.get_by_role("button", name="Start another all the same").click()
        page.get_by_test_id("text-start").click()
        page.wait_for_url(f"{address}/monitor/ada")
        expect(page.get_by_test_id("said-question")).to_have_count(1)
        page.get_by_label("What the candidate says").fill(GOOD)
        page.get_by_test_id("text-send").click()
        expect(page.get_by_test_id("said-question")).to_have_count(2)
        assert [event.kind for event in rig.events(candidate.id)].count("answer_taken") == 0


def test_the_host_is_asked_for_their_token(rig: TextRig, page: Page) -> None:
    """Nothing is shown before; the token opens the stream as well, and is in no address."""
    rig.overrides["host_token"] = TOKEN
    with served(rig.app()) as address, Candidate(address) as candidate:
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
    with served(rig.app()) as address, Candidate(address) as candidate:
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
    """And a way to begin with them, who is asked for their field and a CV."""
    with served(rig.app()) as address:
        page.goto(f"{address}/monitor/nobody")
        expect(page.locator("#notices")).to_contain_text("Nobody here is known as 'nobody'")
        expect(page.locator("#panels")).to_be_hidden()
        form = page.get_by_test_id("text-start-form")
        expect(form.get_by_label("Their field")).to_be_visible()
        picture(page, "monitor-unknown")
        form.get_by_label("Their field").fill("Tea trade")
        form.get_by_label("What the interviewer calls them").fill("Robin Example")
        cv = {"name": "cv.txt", "mimeType": "text/plain", "buffer": CV.encode()}
        form.get_by_label("Their CV").set_input_files(cv)  # type: ignore[arg-type] # Playwright's own dict of a file
        page.get_by_test_id("text-start").click()
        expect(page.get_by_test_id("connection")).to_have_text("Live")
        expect(page.get_by_test_id("profile")).to_contain_text("Tea trade")
        expect(page.get_by_test_id("profile")).to_contain_text("Order Portal")
        expect(page.get_by_test_id("said-question")).to_have_count(1)
        expect(page.locator("#begin-card")).to_be_hidden()


def begin_by_text(page: Page, address: str) -> Locator:
    """Begin an interview from the page, by keyboard; back comes the field for answers."""
    page.goto(f"{address}/monitor/ada")
    page.get_by_test_id("text-start").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("said-question")).to_have_count(1)
    expect(page.get_by_test_id("connection")).to_have_text("Live")
    return page.get_by_label("What the candidate says")


def test_an_interview_is_held_by_text_from_the_page(rig: TextRig, page: Page) -> None:
    """Who is known is asked for nothing; panels fill in beside the prompts; a reload loses no question."""
    with served(rig.app()) as address:
        page.goto(f"{address}/monitor/ada")
        form = page.get_by_test_id("text-start-form")
        expect(form).to_contain_text("not asked for again")
        assert form.get_by_label("Their CV").count() == 0
        expect(form.get_by_label("What the interviewer calls them")).to_have_value("Ada Example")
        picture(page, "monitor-start")
        answer = begin_by_text(page, address)
        expect(answer).to_be_focused()
        answer.fill(GOOD)
        answer.press("Control+Enter")
        expect(page.get_by_test_id("said-answer")).to_have_text(f"Candidate{GOOD}")
        expect(page.get_by_test_id("said-question")).to_have_count(2)
        expect(page.get_by_test_id("judgement")).to_contain_text("turn 1")
        expect(answer).to_be_focused()
        expect(answer).to_have_value("")
        for turn, words in enumerate(("#hint", "It is a matter of taste.", "#time_left", GOOD), start=2):
            answer.fill(words)
            answer.press("Control+Enter")
            expect(page.get_by_test_id("said-answer")).to_have_count(turn)
            expect(page.get_by_test_id("graph-runs")).to_contain_text(f"In turn {turn} ran")
            page.wait_for_timeout(100)  # for the list of what happens to be as high as the panel beside it
        below = "list => list.scrollHeight - list.scrollTop - list.clientHeight"
        assert page.get_by_test_id("activity").evaluate(below) < 40
        page.reload()
        expect(page.get_by_test_id("said-question")).to_have_count(1)
        answer.fill("#hint")
        page.get_by_test_id("text-send").click()
        expect(page.get_by_test_id("said-reply")).to_have_count(1)
        page.get_by_test_id("text-end").click()
        page.get_by_test_id("confirm").click()
        expect(page.get_by_test_id("connection")).to_have_text("Ended")
        expect(page.get_by_test_id("academic")).to_contain_text("1 interview")
        page.get_by_role("button", name="Start another").click()
        expect(form).to_contain_text("welcomed back")


def test_whoever_watches_has_a_topic_asked_about_and_writes_a_note(rig: TextRig, page: Page) -> None:
    """What came of the topic is on the page, and the candidate hears nothing of it; the note is in the report."""
    with served(rig.app()) as address:
        answer = begin_by_text(page, address)
        coach = page.get_by_test_id("coach")
        coach.get_by_label("Your name").fill("Grace")
        coach.get_by_label("Ask about this next").select_option("serving")
        coach.get_by_role("button", name="Ask about it next").click()
        expect(page.get_by_test_id("wishes")).to_contain_text("Serving (Grace): waits for the next question.")
        answer.fill(GOOD)
        answer.press("Control+Enter")
        expect(page.get_by_test_id("wishes")).to_contain_text("Serving (Grace): asked about after turn 1.")
        expect(page.get_by_test_id("line").filter(has_text="This is what was wished for")).to_have_count(1)
        for word in ("coach", "wish", "Grace"):
            expect(page.get_by_test_id("text-log")).not_to_contain_text(word)
        coach.get_by_label("A note for the report").fill("Explains oxidation well.")
        coach.get_by_role("button", name="Add the note").click()
        expect(page.get_by_test_id("notes")).to_contain_text("Grace on turn 1: “Explains oxidation well.”")
        expect(coach.get_by_label("A note for the report")).to_have_value("")
        coach.get_by_label("Ask about this next").select_option("water")
        coach.get_by_role("button", name="Ask about it next").click()
        expect(page.get_by_test_id("wishes").get_by_role("listitem")).to_have_count(2)
        picture(page, "monitor-coach-light")
        picture(page, "monitor-coach-dark", scheme="dark")
        picture(page, "monitor-coach-narrow", width=360)
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.get_by_test_id("text-end").click()
        page.get_by_test_id("confirm").click()
        expect(page.get_by_test_id("wishes")).to_contain_text("Water and heat (Grace): not asked about. The interview")
        coach.get_by_label("A note for the report").fill("On the whole good.")
        coach.get_by_label("It is about").select_option("the interview as a whole")
        coach.get_by_role("button", name="Add the note").click()
        expect(page.get_by_test_id("notes")).to_contain_text("Grace on the interview: “On the whole good.”")
        page.get_by_role("link", name="Replay").click()
        expect(page.locator("#report")).to_contain_text("Grace on answer 1: “Explains oxidation well.”")


def test_a_person_is_deleted_from_the_page(rig: TextRig, page: Page) -> None:
    """Not while an interview goes on, nor by a slip; what goes is listed, and afterwards nothing is left of them."""
    rig.judge = QuotingJudge()
    with served(rig.app()) as address:
        answer = begin_by_text(page, address)
        session = page.evaluate("JSON.parse(sessionStorage.getItem('viva.text-interview')).id")
        answer.fill(GOOD)
        answer.press("Control+Enter")
        expect(page.get_by_test_id("said-question")).to_have_count(2)
        page.get_by_test_id("delete-person").click()
        dialog = page.get_by_test_id("dialog")
        expect(dialog).to_contain_text("the vector profile_ada")
        expect(dialog).to_contain_text("1 interview with record, report, checkpoints")
        page.keyboard.type("nobody")
        page.keyboard.press("Enter")
        expect(dialog).to_be_visible()
        dialog.get_by_label("Type ada to confirm").fill("ada")
        picture(page, "monitor-delete")
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("profile").get_by_role("alert")).to_contain_text("still running")
        assert rig.events(session) != []

        page.get_by_test_id("text-end").click()
        page.get_by_test_id("confirm").click()
        proof = page.get_by_test_id("evidence").get_by_role("listitem")
        expect(proof).not_to_have_count(0)
        expect(proof.first).to_contain_text(GOOD)
        before = proof.count()
        picture(page, "monitor-evidence")
        proof.first.get_by_role("button", name="Remove").click()
        page.get_by_test_id("confirm").click()
        expect(proof).to_have_count(before - 1)

        page.get_by_test_id("delete-person").click()
        page.get_by_label("Type ada to confirm").fill("ada")
        page.keyboard.press("Enter")
        expect(page.locator("#notices")).to_contain_text("Everything that was kept of this person is deleted.")
        expect(page.locator("#panels")).to_be_hidden()
    assert rig.events(session) == []
    with opened_profiles(rig.settings) as profiles:
        assert profiles.person("ada") is None
    files = [path for path in rig.data_dir.rglob("*") if path.is_file()]
    assert [path for path in files if b"oxidation of tea" in path.read_bytes()] == []


def test_what_cannot_be_done_is_a_sentence_on_the_page(rig: TextRig, page: Page) -> None:
    """A turn that fails keeps what was typed, and can be finished with a button."""
    with served(rig.app()) as address:
        page.goto(f"{address}/monitor/ada")
        page.get_by_test_id("text-start").click()
        rig.judge.failures.append(RuntimeError("the judge is broken"))
        answer = page.get_by_label("What the candidate says")
        answer.fill(GOOD)
        answer.press("Control+Enter")
        expect(page.get_by_test_id("text-problem")).to_contain_text("Nothing is lost: “Finish the last turn”")
        expect(answer).to_have_value(GOOD)
        picture(page, "monitor-failed")
        page.get_by_role("button", name="Finish the last turn").click()
        expect(page.get_by_test_id("said-question")).to_have_count(2)
        expect(page.get_by_test_id("said-answer")).to_have_count(1)
        expect(answer).to_have_value("")
