"""Interview, a thread of the graph, as whoever drives it sees it: begin, hand over answers, pass on what comes back.

The voice worker is one such driver, the HTTP API another. What they get are `Say`s, in the order in which they may be
heard.
"""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Callable, Sequence

from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot

from domain.events import ReviewRequested
from domain.progress import Setup
from domain.say import Say
from domain.vocabulary import Request
from graph.checkpoints.rollback import way_back
from graph.checkpoints.speculation import Speculation, speculate
from graph.context import InterviewContext
from graph.language_models.retrieval import helpers
from graph.nodes.evaluate import why_review
from graph.planning.prefetch import prewarm_requests
from graph.standing import InterviewStanding, is_cut_off, is_over
from graph.state import InterviewState
from graph.wiring import InterviewGraph


class InterviewOverError(RuntimeError):
    """An answer came after the end."""

    def __init__(self) -> None:
        super().__init__("The interview is over; nothing is judged any more. Its report can be read.")


class Interview(InterviewStanding):
    """A thread of the interview graph.

    Not for concurrent use: hand over one answer at a time. Stopping an iterator half-way (the candidate interrupts)
    leaves the turn unfinished; `take_back` undoes it, `resume` finishes it.
    """

    def __init__(self, graph: InterviewGraph, context: InterviewContext, setup: Setup) -> None:
        super().__init__(graph, context, setup)
        self._review_of = -1
        """The turn that this process has asked a person to look at."""

    def begin(self) -> AsyncIterator[Say]:
        """Plan, greet and ask the first question."""
        return self._run(
            InterviewState(
                interview_id=self._setup.interview_id,
                candidate_name=self._setup.candidate_name,
                is_known=self._setup.known,
                pack=self._context.pack.id,
                time_budget_s=self._setup.minutes * 60.0,
                feedback_mode=self._setup.feedback,
                medium=self._setup.medium,
                mode=self._setup.mode,
                user_id=self._setup.user_id,
                resume_structured=self._setup.profile,
                pace=self._setup.pace,
                original_difficulty=self._setup.difficulty,
                focus_topics=list(self._setup.focus_topics),
                asked_before=list(self._setup.asked_before),
                seed=self._setup.seed,
                resume=self._setup.resume,
                job_description=self._setup.job_description,
                interview_start_time=self._context.clock(),
                turn=0,
                candidate_response=None,
            )
        )

    def answer(
        self, text: str, turn: int, pressed: Request | None = None, unsure: Sequence[int] = ()
    ) -> AsyncIterator[Say]:
        """Hand over what the candidate said, whatever it is; feedback, replies and the next question come back.

        Args:
            text: the words of the turn, as recognised; empty when a key was pressed and nothing said before it.
            turn: its number; higher than every turn before, also than one that was taken back.
            pressed: what a key asked for behind these words; it needs no recognition.
            unsure: places of words, from 0, that may not be what was said: they are not said back.

        Raises:
            InterviewOverError: it has ended; nothing is judged any more.
        """
        return self._answer(_turn(text, turn, pressed, unsure))

    async def _answer(self, update: InterviewState) -> AsyncIterator[Say]:
        if is_over(await self.snapshot()):
            raise InterviewOverError
        async for say in self._run(update):
            yield say

    async def speculate(
        self, text: str, turn: int, on_first: Callable[[Say], None] | None = None, unsure: Sequence[int] = ()
    ) -> Speculation:
        """Begin a turn on the assumption that the answer is over. Nothing of it counts before `adopt`; else drop it.

        Args:
            text: the words so far.
            turn: the number that the turn would have.
            on_first: told the first thing that it has to say, as soon as it is known.
            unsure: as for `answer`.

        Raises:
            SpeculationError: the interview has not begun.
        """
        update = _turn(text, turn, unsure=unsure)
        return await speculate(self._graph, self._config_of(update), self._context, update, on_first)

    async def adopt(self, speculation: Speculation) -> AsyncIterator[Say]:
        """Make a speculation the interview's turn; back comes what it has to say.

        Raises:
            HeadMovedError: the interview went on since it was begun.
        """
        async for say in speculation.adopt():
            yield say
        async for say in self._after_pause():
            yield say

    async def drop(self, speculation: Speculation) -> None:
        """Let a speculation go: the answer was not over."""
        await speculation.drop()
        await self._rewind()

    async def end(self, turn: int = 0) -> AsyncIterator[Say]:
        """Close the interview by other means than the candidate's voice. A turn that was cut off is finished first.

        Args:
            turn: number of the last turn, as far as whoever drives the interview knows: it is not given again.
        """
        for _ in ("to the pause before the decision", "from it to the end of the turn"):
            if is_cut_off(await self._head()):
                async for _said in self._stream(None):
                    pass
        state = await self.snapshot()
        if not is_over(state):
            ended_in = max(state.get("turn", 0), turn) + 1
            update = InterviewState(turn=ended_in, candidate_response=None, end_requested=True)
            async for say in self._run(update):
                yield say

    async def resume(self, *, released: bool = False) -> AsyncIterator[Say]:
        """Go on after a crash: finish the turn that was cut off, if any, else ask the open question again.

        What is over stays over: then the closing is said, once more if need be, since nobody knows who heard it.

        Args:
            released: a person has looked at the turn that waits for one. Without it such a turn goes on waiting.
        """
        snapshot = await self._head()
        closed = False
        if is_cut_off(snapshot) or not is_over(snapshot.values):
            async for say in self._unfinished(snapshot, released=released):
                closed = closed or say.kind == "closing"
                yield say
        state = await self.snapshot()
        if is_over(state) and not closed:
            yield dataclasses.replace(self.goodbye(state["end_reason"] or "stopped"), pace=state.get("pace", 1.0))

    def _unfinished(self, snapshot: StateSnapshot, *, released: bool) -> AsyncIterator[Say]:
        if self._waits(snapshot):
            return self._stream(None) if released else self._after_pause()
        if is_cut_off(snapshot):
            return self._run(None)
        return self._run(InterviewState(candidate_response=None, end_requested=False))

    async def look_ahead(self) -> None:
        """Search for the questions of the next topics, while the candidate answers the first. Never fails."""
        if plan := (await self.snapshot()).get("interview_plan"):
            requests = prewarm_requests(plan, self._context.pack)
            found_by = helpers(self._context, turn=0)
            await self._context.questions.prewarm(self._setup.interview_id, requests, found_by)

    def forget(self) -> None:
        """Let go of what was kept ready for this interview. Its state stays where the checkpoints are."""
        self._context.questions.end(self._setup.interview_id)

    async def take_back(self, checkpoint_id: str) -> None:
        """Make an earlier checkpoint the present one: what came after it did not happen.

        For a candidate who goes on before the next question: the turn was not over, and both parts are one answer.
        """
        earlier: RunnableConfig = {
            **self._config,
            "configurable": {**self._config["configurable"], "checkpoint_id": checkpoint_id},
        }
        await self._graph.aupdate_state(earlier, None, as_node="__copy__")
        await self._rewind()

    async def give_up_turn(self, turn: int) -> int | None:
        """Leave a turn that failed: what it did so far did not happen, and the question before it is open again.

        Args:
            turn: its number, as far as whoever drives the interview knows.

        Returns:
            The number of the turn that does not count any more; None when no answer is lost: all of it was said and
            decided, or the candidate had said nothing.
        """
        way = await way_back(self._graph, self._config, turn)
        if way is None:
            return None
        await self._graph.aupdate_state(way.start, way.values, as_node=way.as_node)
        self._context.questions.rewind(self._setup.interview_id, way.chosen)
        return way.lost

    async def _rewind(self) -> None:
        """Questions that were chosen in what did not happen may come again."""
        chosen = (await self.snapshot()).get("conversation_thread", [])
        self._context.questions.rewind(self._setup.interview_id, chosen)

    async def _undo_half_written(self) -> None:
        """Have a node run anew that was stopped when it had written its result, and not yet which node follows.

        LangGraph keeps such a result beside the error, and takes the node for done: the turn would end there, and the
        answer would never be judged.
        """
        head = await self._graph.aget_state(self._config)
        if any(task.error is not None and task.result is not None for task in head.tasks):
            await self._graph.aupdate_state(head.config, None, as_node="__copy__")

    async def _run(self, update: InterviewState | None) -> AsyncIterator[Say]:
        async for say in self._stream(update):
            yield say
        async for say in self._after_pause():
            yield say

    async def _after_pause(self) -> AsyncIterator[Say]:
        """What follows a pause before the decision, unless a person is to look at the turn."""
        if self._pauses and await self._may_go_on():
            async for say in self._stream(None):
                yield say

    async def _stream(self, update: InterviewState | None) -> AsyncIterator[Say]:
        if update is None:
            await self._undo_half_written()
        async for say in self._graph.astream(
            update, self._config_of(update), context=self._context, stream_mode="custom", durability="sync"
        ):
            assert isinstance(say, Say)
            yield say

    def _config_of(self, update: InterviewState | None) -> RunnableConfig:
        """The thread, and what its runs are found by."""
        turn = update.get("turn") if update else None
        return {
            **self._config,
            "metadata": {**self._config["metadata"], "turn": turn, "pack": self._context.pack.id},
            "tags": ["interview", "resume" if update is None else "turn"],
        }

    async def _may_go_on(self) -> bool:
        """After a pause before the decision: nobody has to look at this turn, unless everybody has to."""
        snapshot = await self._graph.aget_state(self._config)
        if not self._waits(snapshot):
            return False
        evaluation = snapshot.values.get("current_evaluation")
        if evaluation is None or not (self._setup.review == "all" or snapshot.values.get("needs_human_review")):
            return True
        if self._review_of != (turn := snapshot.values["turn"]):
            self._review_of = turn
            why = why_review(evaluation) or "Every turn of this interview is looked at."
            self._context.emit(ReviewRequested(at=self._context.clock(), turn=turn, why=why))
        return False


def _turn(text: str, turn: int, pressed: Request | None = None, unsure: Sequence[int] = ()) -> InterviewState:
    # A key says nothing: no words are put into the candidate's mouth.
    messages: list[AnyMessage] = [HumanMessage(text)] if text else []
    update = InterviewState(turn=turn, candidate_response=text, pressed=pressed, end_requested=False, messages=messages)
    return InterviewState(**update, unsure_words={turn: list(unsure)}) if unsure else update
