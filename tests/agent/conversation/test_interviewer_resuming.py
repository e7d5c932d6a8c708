"""The interviewer in the room, when the candidate comes back or the worker before it died."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from livekit.agents import FlushSentinel, ModelSettings, llm

from agent.conversation.interviewer import Interviewer
from agent.conversation.playback import PlaybackTracker
from agent.interviews.run import InterviewRun
from domain.events import Event, ProblemNoticed, Word
from domain.say import Say
from graph import Interview
from graph.checkpoints.serializer import serializer
from tests.agent.conversation.dependencies import dependencies, run_of
from tests.graph.fakes import Rig, open_question, spoken

GOOD = "good answer about oxidation of tea"


class Room:
    """One worker after another on the same checkpoints, and the person who releases turns."""

    def __init__(self, *, review: str = "off") -> None:
        self.rig = Rig()
        self.events: list[Event] = []
        self.released = asyncio.Event()
        self.awaited: asyncio.Queue[int] = asyncio.Queue()
        """Turns whose release somebody waits for."""
        self._saver = InMemorySaver(serde=serializer())
        self._review = review

    def interview(self) -> Interview:
        """The thread, as a new worker opens it."""
        return self.rig.interview(self._saver, review=self._review)

    def worker(self) -> InTheRoom:
        """A new worker's interviewer."""
        self.stage = PlaybackTracker(self.events.append, lambda _: None, self.rig.clock)
        needs = dependencies(self.stage, self.events.append, self.rig.clock, released=self._wait_for_release)
        return InTheRoom(run_of(self.interview(), self.events.append, self.rig.clock), needs)

    async def _wait_for_release(self, turn: int) -> None:
        self.awaited.put_nowait(turn)
        await self.released.wait()


class InTheRoom(Interviewer):
    """Without a session: what it has to say is asked for by the test."""

    asked_for = 0

    async def on_enter(self) -> None:
        """As the job does it."""
        await self.run.enter()
        await super().on_enter()

    @property
    def run(self) -> InterviewRun:
        """The interview's life."""
        return self._run

    @property
    def session(self) -> Any:
        """Only counts how often a reply is asked for."""
        return self

    def generate_reply(self) -> None:
        """LiveKit would call `llm_node`."""
        self.asked_for += 1

    async def says(self) -> list[str]:
        """What is spoken now."""
        lines = self.llm_node(llm.ChatContext.empty(), [], ModelSettings())
        return [str(line) async for line in lines if not isinstance(line, FlushSentinel)]

    def hear(self, text: str) -> None:
        """The candidate says this."""
        self._utterances._words = [Word(text=each, start_at=1, end_at=2, confidence=1) for each in text.split()]


async def test_a_worker_after_one_that_died_in_the_closing_says_goodbye() -> None:
    """The interview stays over: no question is asked again, whatever the candidate says meanwhile."""
    room = Room()
    before = room.interview()
    await spoken(before.begin())
    (goodbye,) = await spoken(before.answer("#stop", 1))
    worker = room.worker()
    await worker.on_enter()
    assert worker.asked_for == 1
    assert await worker.says() == [goodbye.text]
    worker.hear("hello are you there")
    assert await worker.says() == [goodbye.text]
    assert await worker.run.decided() == "stopped"
    assert not any(isinstance(event, ProblemNoticed) for event in room.events)


async def test_a_goodbye_that_has_not_begun_can_still_be_talked_into() -> None:
    """Whoever goes on before it is heard has not stopped yet: both parts are one turn."""
    room = Room()
    await spoken(room.interview().begin())
    worker = room.worker()
    await worker.on_enter()
    await worker.says()
    worker.run.heard(Say("question", ""), 0)
    worker.hear("#stop")
    (goodbye,) = await worker.says()
    worker.hear("if I may")
    assert await worker.says() == [goodbye]
    assert worker.run.turn == 2
    assert (await room.interview().progress()).turn == 2


@pytest.mark.parametrize("comes_back", ["the page", "the worker"])
async def test_nobody_gets_round_a_review_by_coming_back(comes_back: str) -> None:
    """After a reload as after a crash the next question waits for the release, and then comes by itself."""
    room = Room(review="all")
    before = room.interview()
    await spoken(before.begin())
    said = await spoken(before.answer(GOOD, 1))
    worker = room.worker()
    await worker.on_enter()
    if comes_back == "the page":
        worker.speak_again()

    speaking = asyncio.create_task(worker.says())
    assert await room.awaited.get() == 1
    assert (await before.progress()).waits_for_review
    assert len(room.rig.notes.questions) == 2, "the next question is chosen, and not asked"

    room.released.set()
    feedback, moment, question = await speaking
    assert [feedback] == [say.text for say in said], "the record does not have it that anybody heard it"
    assert moment.startswith("One moment") or "second opinion" in moment
    assert question == (await open_question(before)).spoken
    assert not (await before.progress()).waits_for_review


@pytest.mark.parametrize("crash_at", ["evaluate", "maybe_summarize"])
async def test_whoever_speaks_first_after_a_crash_hears_what_is_left(
    crash_at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turn that was cut off is finished and its question heard, also when only a silent step of it was left."""
    room = Room()
    before = room.interview()
    await spoken(before.begin())
    with monkeypatch.context() as crashing:
        crashing.setattr(room.rig.notes, "after_node", _dying_at(crash_at))
        with pytest.raises(Killed):
            await spoken(before.answer(GOOD, 1))
    worker = room.worker()
    await worker.on_enter()
    worker.run.due()  # The candidate interrupts before anything of it is said.
    worker.hear("hello are you there")
    assert (await worker.says())[-1] == (await open_question(before)).spoken
    state = await before.snapshot()
    assert len(state["all_evaluations"]) == 1
    assert len(state["questions_asked"]) == 2


class Killed(BaseException):
    """What a SIGKILL leaves: nothing is caught, nothing is cleaned up."""


def _dying_at(last: str) -> Callable[[str], None]:
    def after_node(node: str) -> None:
        if node == last:
            raise Killed

    return after_node
