"""A candidate on the line, in virtual time: one run of an interview after another, and what is played of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from langgraph.checkpoint.memory import InMemorySaver

from agent.interviews.driver import Driver, Hooks
from agent.interviews.failed_turn import tell_of_spoken
from agent.interviews.past import read_past
from agent.interviews.run import InterviewRun
from agent.interviews.steps import VOICE
from domain.events import AnswerTaken, Event, InterviewEnded, SpeechStarted, TurnVoided, Word
from domain.progress import Setup
from domain.question import Question
from domain.say import Say
from domain.verdict import Verdict
from graph import Interview, build_graph
from graph.checkpoints.serializer import serializer
from tests.graph.fakes import START, Rig, ScriptedJudge

PLAYED_S = 3.0
"""How long each piece of speech is."""
_JUDGING_S = 1.0


class SlowJudge(ScriptedJudge):
    """Takes its time, and fails as often as it is told to."""

    failures = 0

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        await asyncio.sleep(_JUDGING_S)
        if self.failures:
            self.failures -= 1
            raise ZeroDivisionError("a fault of the judge")
        return await super().verdicts(question, words)


class LoopClock:
    """The loop's time."""

    def __init__(self) -> None:
        self.ahead_s = 0.0
        self._loop = asyncio.get_running_loop()

    def __call__(self) -> float:
        return START + self.ahead_s + self._loop.time()


@dataclass
class Line:
    """A line to an interviewer whose process may die at any time; record and checkpoints stay."""

    review: str = "off"
    judge: SlowJudge = field(default_factory=SlowJudge)
    clock: LoopClock = field(default_factory=LoopClock)
    events: list[Event] = field(default_factory=list)
    heard_before: dict[int, frozenset[str]] = field(default_factory=dict)
    """By turn: the questions that had been heard when its first words were said."""
    _saver: InMemorySaver = field(default_factory=lambda: InMemorySaver(serde=serializer()))
    _heard: frozenset[str] = frozenset()
    _run: InterviewRun | None = None
    _speaking: asyncio.Task[None] | None = None
    _playing: asyncio.Task[None] | None = None
    _queue: asyncio.Queue[tuple[Say, int]] = field(default_factory=asyncio.Queue)
    _released: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def run(self) -> InterviewRun:
        """The life that goes on."""
        assert self._run is not None
        return self._run

    @property
    def interview(self) -> Interview:
        """The graph's thread."""
        return self.run.interview

    # what happens on the line

    async def connect(self) -> None:
        """A process takes the interview up."""
        rig = Rig(judge=self.judge, slow_selector_s=2.0)
        rig.clock = self.clock  # type: ignore[assignment]
        graph = build_graph(self._saver, pause_for_review=self.review != "off")
        setup = Setup("tea-1", "Ada", 30, review=self.review)  # type: ignore[arg-type]
        driver = Driver(manners=VOICE, record=self._record, clock=self.clock, tell=tell_of_spoken)
        self._run = InterviewRun(Interview(graph, rig.context(), setup), driver, read_past(self.events))
        self._run.hooks = Hooks(
            ask_patience=lambda _: Say("reply", "One moment."), released=lambda _: self._until_released()
        )
        self._playing = asyncio.create_task(self._play())
        await self._run.enter()
        await self._speak()

    async def crash(self) -> None:
        """The process is gone, and another takes over."""
        await self.hang_up()
        if self.ended is None:
            await self.connect()

    async def hang_up(self) -> None:
        """Nothing of this process goes on."""
        await self._stop(self._speaking, self._playing)
        self._queue = asyncio.Queue()
        await self.run.close()

    async def say(self, text: str, *, guessed: bool = False) -> None:
        """The candidate says this, and falls silent."""
        await self.interrupt()
        if guessed:
            self.run.paused(text)
            await asyncio.sleep(0.5)
        await self._speak([Word(text=word, start_at=1, end_at=2, confidence=1) for word in text.split()])

    async def interrupt(self) -> None:
        """A sound of the candidate's stops what is being said."""
        await self._stop(self._speaking, self._playing)
        self._queue = asyncio.Queue()
        self._playing = asyncio.create_task(self._play())

    async def mute(self) -> None:
        """From here on nothing of what is said is played."""
        await self._stop(self._playing)

    async def come_back(self) -> None:
        """The candidate's page is loaded anew."""
        await self.interrupt()
        self.run.say_next("resume")
        await self._speak()

    async def press_end(self) -> None:
        """The candidate presses the button."""
        if self.run.ask_to_end("stopped"):
            await self.interrupt()
            self.run.say_next("end")
            await self._speak()

    def release(self) -> None:
        """A person looks at every turn that waits."""
        self._released.set()

    async def quiet(self, seconds: float) -> None:
        """Nobody does anything for a while."""
        await asyncio.sleep(seconds)

    # what can be seen of it

    @property
    def ended(self) -> InterviewEnded | None:
        """How it ended."""
        return next((event for event in self.events if isinstance(event, InterviewEnded)), None)

    @property
    def taken(self) -> list[AnswerTaken]:
        """Every turn that was taken."""
        return [event for event in self.events if isinstance(event, AnswerTaken)]

    @property
    def voided(self) -> set[int]:
        """Turns that were given up."""
        return {event.turn for event in self.events if isinstance(event, TurnVoided)}

    @property
    def standing(self) -> list[AnswerTaken]:
        """Turns that were neither given up nor are a part of the next."""
        pairs = zip(self.taken, [*self.taken[1:], None], strict=False)
        return [one for one, two in pairs if not (two and two.continues) and one.turn not in self.voided]

    @property
    def questions_heard(self) -> list[str]:
        """Ids of the questions whose beginning was heard, in order."""
        return [e.question_id for e in self.events if isinstance(e, SpeechStarted) and e.speech == "question"]

    # inside

    async def _until_released(self) -> None:
        await self._released.wait()
        self._released.clear()

    def _record(self, event: Event) -> None:
        if isinstance(event, AnswerTaken):
            first = self.heard_before[self.taken[-1].turn] if event.continues else self._heard
            self.heard_before[event.turn] = first
        self.events.append(event)

    async def _speak(self, words: list[Word] | None = None) -> None:
        if self.run.over is not None:
            return
        self._heard = frozenset(self.questions_heard)
        says = self.run.due() or self.run.take(words or [])

        async def speak() -> None:
            async with aclosing(says):
                async for say in says:
                    self._queue.put_nowait((say, self.run.turn))

        self._speaking = asyncio.create_task(speak())

    async def _play(self) -> None:
        while True:
            say, turn = await self._queue.get()
            self.run.heard(say, turn)
            started = SpeechStarted(
                at=self.clock(), speech=say.kind, text=say.text, turn=turn, question_id=say.question_id
            )
            self.events.append(started)
            await asyncio.sleep(PLAYED_S)
            if say.kind == "closing":
                self.run.end(await self.run.decided())

    async def _stop(self, *tasks: asyncio.Task[None] | None) -> None:
        for task in tasks:
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
