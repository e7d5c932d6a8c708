"""Turn events, in order, for however many want to follow a turn, from its beginning, whenever they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

from agent.http.problems import ProblemError
from agent.http.text.schemas import TurnResponse

EventName = Literal[
    "feedback_token", "feedback_complete", "question_selected", "reply", "question", "turn_complete", "error"
]


class FeedbackToken(BaseModel):
    """A piece of the feedback, as it comes."""

    turn: int
    text: str


class FeedbackComplete(BaseModel):
    """All of the feedback."""

    turn: int
    text: str


class QuestionChosen(BaseModel):
    """A question is chosen. Whether it may be asked is not decided yet, so its words are not given."""

    turn: int
    question_id: str


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """One event of a turn."""

    id: str
    name: EventName
    data: BaseModel


class TurnLog:
    """The events of one turn. It goes on whether or not somebody follows it.

    Args:
        turn: the turn's number.
    """

    def __init__(self, turn: int) -> None:
        self.turn = turn
        self.events: list[TurnEvent] = []
        self._response: TurnResponse | None = None
        self._problem: ProblemError | None = None
        self._over = False
        self._changed = asyncio.Event()
        self._feedback: list[str] = []
        self._expected: str | None = None
        self._feedback_told = True
        self._chosen: list[str] = []
        """Questions that were chosen after the feedback was written, while it is still on its way."""

    def put(self, name: EventName, data: BaseModel) -> None:
        """Add an event."""
        self.events.append(TurnEvent(f"{self.turn}.{len(self.events) + 1}", name, data))
        self._wake()

    def feedback(self, text: str) -> None:
        """A piece of the feedback came."""
        self._feedback.append(text)
        self._feedback_told = False
        self.put("feedback_token", FeedbackToken(turn=self.turn, text=text))
        self._tell_feedback()

    def expect_feedback(self, text: str) -> None:
        """The feedback is written and is this; its last pieces may still be on their way."""
        self._expected = text
        self._tell_feedback()

    def finish_feedback(self) -> None:
        """No piece of the feedback follows."""
        self._expected = " ".join(self._feedback)
        self._tell_feedback()

    def choose(self, question_id: str) -> None:
        """A question is chosen. What was written before it is told before it."""
        self._chosen.append(question_id)
        self._tell_feedback()

    def complete(self, response: TurnResponse) -> None:
        """The turn is over, and this is what came of it."""
        self._response = response
        self.put("turn_complete", response)

    def fail(self, problem: ProblemError, details: BaseModel) -> None:
        """The turn could not be finished."""
        self._problem = problem
        self.put("error", details)

    def close(self) -> None:
        """Nothing follows."""
        self._over = True
        self._wake()

    async def follow(self) -> AsyncIterator[TurnEvent]:
        """All events from the first to the last."""
        place = 0
        while True:
            changed = self._changed
            for event in self.events[place:]:
                yield event
                place += 1
            if self._over and place == len(self.events):
                return
            if place == len(self.events):
                await changed.wait()

    async def response(self) -> TurnResponse:
        """What came of the turn.

        Raises:
            ProblemError: it could not be finished, or the process is stopping.
        """
        async for _ in self.follow():
            pass
        if self._response is None:
            raise self._problem or ProblemError(
                "turn-failed", "Viva is stopping. When it runs again, POST …/resume finishes the turn.", status=503
            )
        return self._response

    def _tell_feedback(self) -> None:
        text = " ".join(self._feedback)
        if self._expected is not None and self._expected.split() != text.split():
            return
        if self._expected is not None and not self._feedback_told:
            self._feedback_told = True
            self.put("feedback_complete", FeedbackComplete(turn=self.turn, text=text))
        for question_id in self._chosen:
            self.put("question_selected", QuestionChosen(turn=self.turn, question_id=question_id))
        self._chosen.clear()

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
