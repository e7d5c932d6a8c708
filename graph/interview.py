"""One interview, as whoever drives it sees it: begin, hand over answers, speak what comes back.

The voice worker is one such driver. What it gets are `Say`s, in the order in which they may be heard.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from graph.context import InterviewContext, Say
from graph.planning.supervision import EndReason
from graph.state import FeedbackMode, InterviewState
from graph.wiring import InterviewGraph
from rag.packs import Difficulty


@dataclass(frozen=True, slots=True)
class Setup:
    """What is known when an interview begins."""

    interview_id: str
    candidate_name: str
    minutes: int
    feedback: FeedbackMode = "practice"
    difficulty: Difficulty = "medium"


class Interview:
    """A thread of the interview graph.

    Not for concurrent use: hand over one answer at a time. Stopping an iterator half-way (the candidate interrupts)
    leaves the turn unfinished; `take_back` undoes it, `catch_up` finishes it.
    """

    def __init__(self, graph: InterviewGraph, context: InterviewContext, setup: Setup) -> None:
        self._graph = graph
        self._context = context
        self._setup = setup
        self._config: RunnableConfig = {
            "configurable": {"thread_id": setup.interview_id},
            "metadata": {"interview_id": setup.interview_id},
            "tags": ["interview"],
        }

    async def has_begun(self) -> bool:
        """True when there is a checkpoint of this interview: an earlier worker began it."""
        return bool((await self._graph.aget_state(self._config)).values.get("interview_plan"))

    async def is_over(self) -> bool:
        """True when the supervisor ended it."""
        return (await self._state()).get("stage") == "complete"

    async def end_reason(self) -> EndReason | None:
        """Why the supervisor ended it, or None while it goes on."""
        return (await self._state()).get("end_reason")

    async def turn(self) -> int:
        """Number of the last turn."""
        return (await self._state()).get("turn", 0)

    async def current_question_id(self) -> str:
        """Id of the question that is open; empty before the first."""
        question = (await self._state()).get("current_question")
        return question.id if question else ""

    async def open_question(self) -> Say:
        """The open question, outside any turn: the candidate spoke before they could hear it."""
        question = (await self._state())["current_question"]
        assert question is not None, "there is an open question as soon as the interview has begun"
        return Say("question", question.spoken, question.id)

    def goodbye(self) -> Say:
        """The closing for a candidate who ends the interview by other means than their voice."""
        return Say("closing", self._context.wording.say("closing.stopped", name=self._setup.candidate_name))

    async def after_trouble(self, *, give_up: bool) -> Say:
        """What to say when a turn failed: the open question again, or goodbye when there is none or no sense in it."""
        question = (await self._state()).get("current_question")
        wording = self._context.wording
        if give_up or question is None:
            return Say("closing", wording.say("closing.failed", name=self._setup.candidate_name))
        return Say("question", wording.say("trouble", question=question.text), question.id)

    def begin(self) -> AsyncIterator[Say]:
        """Plan, greet and ask the first question."""
        return self._run(
            InterviewState(
                interview_id=self._setup.interview_id,
                candidate_name=self._setup.candidate_name,
                pack=self._context.pack.id,
                time_budget_s=self._setup.minutes * 60.0,
                feedback_mode=self._setup.feedback,
                original_difficulty=self._setup.difficulty,
                interview_start_time=self._context.clock(),
                turn=0,
                candidate_response=None,
            )
        )

    def answer(self, text: str, turn: int) -> AsyncIterator[Say]:
        """Hand over what the candidate said, whatever it is; feedback, replies and the next question come back.

        Args:
            text: the words of the turn, as recognised.
            turn: its number; higher than every turn before, also than one that was taken back.
        """
        return self._run(InterviewState(turn=turn, candidate_response=text, messages=[HumanMessage(text)]))

    async def resume(self) -> AsyncIterator[Say]:
        """Go on after a crash: finish the turn that was cut off, if any, else ask the open question again."""
        if (await self._graph.aget_state(self._config)).next:
            async for say in self._run(None):
                yield say
            return
        async for say in self._run(InterviewState(candidate_response=None)):
            yield say

    async def checkpoint(self) -> str:
        """Id of the present checkpoint, to come back to with `take_back`."""
        snapshot = await self._graph.aget_state(self._config)
        return str(snapshot.config["configurable"].get("checkpoint_id", ""))

    async def take_back(self, checkpoint_id: str) -> None:
        """Make an earlier checkpoint the present one: what came after it did not happen.

        For a candidate who goes on before the next question: the turn was not over, and both parts are one answer.
        """
        earlier: RunnableConfig = {
            **self._config,
            "configurable": {**self._config["configurable"], "checkpoint_id": checkpoint_id},
        }
        await self._graph.aupdate_state(earlier, None, as_node="__copy__")

    async def _state(self) -> InterviewState:
        values: InterviewState = (await self._graph.aget_state(self._config)).values  # type: ignore[assignment]
        return values

    async def _run(self, update: InterviewState | None) -> AsyncIterator[Say]:
        async for say in self._graph.astream(
            update, self._config, context=self._context, stream_mode="custom", durability="sync"
        ):
            assert isinstance(say, Say)
            yield say
