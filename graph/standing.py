"""Standing of an interview: where it is and what is open in it, read from its thread without changing anything.

Whoever drives the interview asks this between turns, and also what to say outside of one: the open question again, or
goodbye.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph import START
from langgraph.types import StateSnapshot

from domain.progress import Expected, Progress, Setup
from domain.say import Say
from domain.verdict import AnswerSpan, Evaluation
from domain.vocabulary import EndReason
from graph.context import InterviewContext
from graph.dialogue.hot_words import likely_terms
from graph.metrics.measure import measured
from graph.selectors import judged_question, open_question, patience_in_force, spent_s
from graph.state import InterviewState
from graph.wiring import InterviewGraph


class InterviewStanding:
    """Where a thread of the interview graph stands. `graph.interview.Interview` moves it."""

    def __init__(self, graph: InterviewGraph, context: InterviewContext, setup: Setup) -> None:
        self._graph = graph
        self._context = context
        self._setup = setup
        self._pauses = "supervise" in (graph.interrupt_before_nodes or ())
        self._config: RunnableConfig = {
            "configurable": {"thread_id": setup.interview_id},
            "metadata": {"interview_id": setup.interview_id},
            "tags": ["interview"],
        }

    async def has_begun(self) -> bool:
        """True when there is a checkpoint of this interview: an earlier worker began it."""
        return (await self._head()).created_at is not None

    async def progress(self) -> Progress:
        """Where the interview stands."""
        snapshot = await self._head()
        state: InterviewState = snapshot.values  # type: ignore[assignment]
        plan, question = state.get("interview_plan"), state.get("current_question")
        elapsed_s = spent_s(state, self._context)
        waits = self._waits(snapshot)
        over = is_over(state)
        return Progress(
            turn=state.get("turn", -1),
            questions_done=state.get("question_count", 0),
            target_questions=len(plan.topics) if plan else 0,
            elapsed_s=elapsed_s,
            remaining_s=max(0.0, self._setup.minutes * 60.0 - elapsed_s),
            question=None if over or is_cut_off(snapshot) else question,
            end_reason=state.get("end_reason") if over else None,
            cut_off=is_cut_off(snapshot) and not waits,
            waits_for_review=waits,
            question_id=question.id if question else "",
            checkpoint=_checkpoint_of(snapshot),
        )

    async def snapshot(self) -> InterviewState:
        """The state as it stands, to be looked at: a copy, so that what is changed in it changes nothing."""
        values: InterviewState = (await self._head()).values  # type: ignore[assignment]
        return values

    async def waits_for_review(self) -> bool:
        """Whether the last turn waits for a person to look at it; where none ever does, nothing is read."""
        return self._pauses and self._waits(await self._head())

    async def expected(self) -> Expected:
        """What is known of what the candidate says next."""
        state = await self.snapshot()
        question, patience = state.get("current_question"), patience_in_force(state, self._context)
        if question is None:
            return Expected(patience=patience)
        words = 0 if state.get("pending_request") else question.expected_words
        terms = likely_terms(question, state.get("resume", ""), state.get("resume_skills", []))
        return Expected(words, terms, patience)

    async def touched(self, words: Sequence[str], *, goes_on_from: int | None = None) -> float | None:
        """How much of what was asked an answer has touched so far, 0 to 1; None when nobody can say.

        Args:
            words: the answer so far.
            goes_on_from: the turn that was taken as the answer, when these words go on with it.
        """
        state = await self.snapshot()
        answered, question, before = (
            state.get("last_answered"),
            state.get("current_question"),
            state.get("answer_so_far"),
        )
        if goes_on_from is not None:
            question, before = answered.question if answered and answered.turn == goes_on_from else question, None
        if question is None or state.get("pending_request") or state.get("correcting"):
            return None
        return await self._context.judges.touched(question, [*(before.words if before else ()), *words])

    async def open_question(self) -> Say:
        """The open question, outside any turn: the candidate spoke before they could hear it."""
        question = open_question(await self.snapshot())
        return Say("question", question.spoken, question.id)

    async def back_to_question(self) -> Say:
        """The open question again, outside any turn: the candidate is back from a pause that they took."""
        question = open_question(await self.snapshot())
        return Say("question", self._context.wording.say("back", question=question.text), question.id)

    async def feedback_given(self, turn: int) -> Say | None:
        """The feedback that was given in the last turn; None when there is none yet, or another turn was the last.

        It says nothing of whether it was heard: when a process dies, only the record knows.
        """
        snapshot = await self._head()
        state: InterviewState = snapshot.values  # type: ignore[assignment]
        text, evaluation = state.get("current_feedback", ""), state.get("current_evaluation")
        for task in snapshot.tasks:
            # Its result waits for a checkpoint until the nodes beside it are done.
            if task.name == "give_feedback" and task.result:
                text = task.result["current_feedback"]
        if not text or evaluation is None or evaluation.turn != turn:
            return None
        return Say("feedback", text, judged_question(state).id, pace=state.get("pace", 1.0))

    async def judge_again(self, turn: int, text: str) -> Evaluation | None:
        """Judge the last answer by better words. The interview itself goes on with what was judged first.

        Args:
            turn: the turn in which it was given.
            text: all words of that turn; all of them are the answer.

        Returns:
            The evaluation; None when another answer was judged since, or this one corrects an earlier one.
        """
        state = await self.snapshot()
        answered, first = state.get("last_answered"), state.get("current_evaluation")
        if answered is None or first is None or answered.turn != turn or first.turn != turn or first.replaces_turn:
            return None
        words = text.split()
        span = AnswerSpan(turn=turn, first_word=0, last_word=len(words) - 1)
        judged = await self._context.judges.evaluate(answered.question, words, turn=turn, hints=first.hints)
        return judged.model_copy(
            update={"turn": turn, "spans": (span,), "hints": first.hints, "metrics": measured(judged, words)}
        )

    def goodbye(self, reason: EndReason = "stopped") -> Say:
        """The closing, outside any turn; if nothing else is said, for a candidate who ended it without their voice."""
        wording = self._context.wording
        situation = wording.by(self._setup.medium, f"closing.{reason}")
        return Say("closing", wording.say(situation, name=self._setup.candidate_name, summing_up=""))

    async def after_trouble(self, *, give_up: bool) -> Say:
        """What to say when a turn failed: the open question again, or goodbye when there is none or no sense in it."""
        question = None if give_up else (await self.snapshot()).get("current_question")
        wording = self._context.wording
        if question is None:
            return Say("closing", wording.say("closing.failed", name=self._setup.candidate_name))
        return Say("question", wording.say("trouble", question=question.text), question.id)

    def _waits(self, snapshot: StateSnapshot) -> bool:
        return self._pauses and "supervise" in snapshot.next

    async def _head(self) -> StateSnapshot:
        """The present; without an input that was stopped on its way in.

        LangGraph saves of such an input what it writes, and not which node comes first: to go on from it would end the
        turn at once, and nobody would have judged it. It has to be handed over anew.
        """
        head = await self._graph.aget_state(self._config)
        if not any(task.name == START and task.error is not None for task in head.tasks):
            return head
        if head.parent_config is not None:
            return await self._graph.aget_state(head.parent_config)
        return head._replace(values={}, tasks=(), created_at=None)


def is_over(state: Mapping[str, Any]) -> bool:
    """True when goodbye was said."""
    return state.get("stage") == "complete"


def is_cut_off(snapshot: StateSnapshot) -> bool:
    """True when a turn is not finished. A node whose result is saved, but no checkpoint after it, is not in `next`."""
    return bool(snapshot.tasks)


def _checkpoint_of(snapshot: StateSnapshot) -> str:
    return str(snapshot.config["configurable"].get("checkpoint_id", ""))
