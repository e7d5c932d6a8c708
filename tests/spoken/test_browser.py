"""A browser with a recorded voice as its microphone joins from the page, and gets to the second question.

Needs livekit-server, the models, the built pages, and Chromium, all of which `make test` installs.
"""

from __future__ import annotations

import asyncio
import shutil
import wave
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import httpx
import numpy as np
import pytest
from playwright.async_api import Page, Request, async_playwright

from agent.model_files.prepare import ModelPaths
from domain.events import CandidateJoined, Event, PlanMade, SpeechStarted, event_adapter
from speech import Voice
from tests.spoken.conftest import SharedStack

pytestmark = [pytest.mark.slow, pytest.mark.spoken, pytest.mark.timeout(900)]

T = TypeVar("T")

ANSWER = (
    "I would add new fields and never take any away. Clients ignore what they do not know, so that stays compatible. "
    "When I have to break something I publish a new version and run it next to the old one."
)
JOB = "Senior Backend Engineer\nCompany: Wooden Spoon\nYou know caching and message queues."
BEFORE_S, AFTER_S = 30, 16
"""Silence around the answer in the microphone's file: the greeting and the first question take about 20 s."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture
def microphone(tmp_path: Path, model_paths: ModelPaths) -> Path:
    """A WAV file with silence, an answer, and silence again; Chromium plays it over and over."""
    voice = Voice.load(model_paths.voice)
    spoken = voice.synthesize(ANSWER)
    quiet = [np.zeros(int(seconds * voice.sample_rate), np.int16) for seconds in (BEFORE_S, AFTER_S)]
    path = tmp_path / "microphone.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(voice.sample_rate)
        file.writeframes(np.concatenate([quiet[0], spoken, quiet[1]]).tobytes())
    return path


async def test_from_the_start_page_to_the_second_question_and_through_a_reload(
    stack: SharedStack, microphone: Path, tmp_path: Path
) -> None:
    """The page starts an interview, shows live captions, gets to the second question, and goes on after a reload."""
    async with browser_page(microphone) as (page, foreign):
        await page.goto(stack.settings.web_url)
        await page.get_by_test_id("name").fill("Ada")
        await page.get_by_test_id("pack-backend").click()
        await page.get_by_test_id("topic-security").click()
        await page.get_by_test_id("difficulty-easy").click()
        await page.get_by_text("Your CV and the job").click()
        await page.get_by_test_id("job-description").fill(JOB)
        await page.screenshot(path=tmp_path / "start.png")
        await page.get_by_test_id("start").click()
        await page.wait_for_url("**/room*")

        async with httpx.AsyncClient(base_url=stack.settings.web_url) as web:
            asked = await until(web, lambda events: questions(events, after_turn=0), timeout_s=300)
            plan = await until(web, made_plan, timeout_s=10)
            assert plan.topics[0] == "security"
            assert plan.difficulty_curve[0] == "easy"
            greeted = await until(web, greeting, timeout_s=10)
            assert "Senior Backend Engineer at Wooden Spoon" in greeted.text
            await page.screenshot(path=tmp_path / "room.png")
            await page.get_by_test_id("captions").get_by_text(asked.text[-30:]).wait_for(timeout=60_000)

            await page.reload()
            await until(web, rejoined, timeout_s=120)
            again = await until(web, lambda events: repeats(events, asked), timeout_s=120)
            # What led in to the question belongs to its first time.
            assert again.text.endswith(asked.text.rpartition(". ")[2])
        assert foreign == []


@asynccontextmanager
async def browser_page(microphone: Path) -> AsyncIterator[tuple[Page, list[str]]]:
    """A page of a real browser that hears this file, and the addresses off this machine that it asked for."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert program is not None, "this test needs Chromium: run `make test`, or install it"
    foreign: list[str] = []

    def watch(request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:")):
            foreign.append(request.url)

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=program,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--use-fake-device-for-media-stream",
                "--use-fake-ui-for-media-stream",
                f"--use-file-for-fake-audio-capture={microphone}",
                "--autoplay-policy=no-user-gesture-required",
            ],
        )
        page = await browser.new_page()
        page.on("request", watch)
        try:
            yield page, foreign
        finally:
            await browser.close()


async def until(web: httpx.AsyncClient, find: Callable[[list[Event]], T | None], timeout_s: float) -> T:
    """What is found in the record of Ada's interview, as soon as it is there."""
    interviews = [each for each in (await web.get("/api/interviews")).json() if each["candidate_name"] == "Ada"]
    async with asyncio.timeout(timeout_s):
        while True:
            reply = await web.get(f"/api/interviews/{interviews[0]['id']}/events")
            events = [event_adapter.validate_python(each["event"]) for each in reply.json()]
            if (found := find(events)) is not None:
                return found
            await asyncio.sleep(0.5)


def questions(events: list[Event], after_turn: int) -> SpeechStarted | None:
    """The first question that was asked after this turn."""
    asked = (e for e in events if isinstance(e, SpeechStarted) and e.speech == "question" and e.turn > after_turn)
    return next(asked, None)


def made_plan(events: list[Event]) -> PlanMade | None:
    """The plan."""
    return next((event for event in events if isinstance(event, PlanMade)), None)


def greeting(events: list[Event]) -> SpeechStarted | None:
    """The first words."""
    return next((event for event in events if isinstance(event, SpeechStarted) and event.speech == "greeting"), None)


def repeats(events: list[Event], first: SpeechStarted) -> SpeechStarted | None:
    """The same question, asked again."""
    later = (e for e in events if isinstance(e, SpeechStarted) and e.speech == "question" and e.at > first.at)
    return next(later, None)


def rejoined(events: list[Event]) -> CandidateJoined | None:
    """The candidate's second arrival."""
    joined = [event for event in events if isinstance(event, CandidateJoined)]
    return joined[1] if len(joined) > 1 else None
