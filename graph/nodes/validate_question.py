"""A last look at the question before it may be asked: is it one, does it fit the time, was it asked before?"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime

from domain.events import FellBack, GateFailed
from domain.question import Question, QuestionRecord
from domain.vocabulary import DIFFICULTIES
from graph.context import InterviewContext
from graph.node import Update
from graph.nodes.select_question import question_event
from graph.planning.plan import next_topic
from graph.planning.questions import from_bank
from graph.planning.supervision import MINUTES_OVER
from graph.selectors import asked_before, difficulty_in_force, remaining_s
from graph.state import InterviewState
from graph.validators import Check, first_fault
from rag.duplicates.duplicates import is_repetition, normalised
from rag.packs.pack import BankQuestion

_SHORTEST = 3
"""Words of the shortest question that can be understood."""


async def validate_question(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Let a good question pass. In place of any other comes the one of the pack nearest to the plan, or none."""
    question, context = state["current_question"], runtime.context
    if question is None or not (fault := await asyncio.to_thread(find_fault, question, state, context)):
        return {}
    context.emit(GateFailed(at=context.clock(), turn=state["turn"], agent="select_question", check=fault))
    spare = await asyncio.to_thread(_spare, state, context)
    why = f"{fault}; {spare.id if spare else 'nothing'} instead"
    context.emit(FellBack(at=context.clock(), turn=state["turn"], agent="select_question", why=why))
    update: Update = {"current_question": spare, "question_mode": "retrieved", "follow_up_count": 0}
    if spare is None:
        return update
    context.emit(question_event(spare, state["turn"], context.clock()))
    # A follow-up used up nothing of the plan; what comes in its place does.
    covered = [spare.topic] if question.kind != "retrieved" else []
    return {**update, "conversation_thread": [spare.id], "topics_covered": covered}


@dataclass(frozen=True, slots=True)
class Proposed:
    """A question that would be asked next, and when."""

    question: Question
    state: InterviewState
    context: InterviewContext


def find_fault(question: Question, state: InterviewState, context: InterviewContext) -> str:
    """Which check a question fails first, by its name, and why; empty when it passes all of them."""
    return first_fault(VALIDITY_CHECKS, Proposed(question, state, context))


def _no_text(proposed: Proposed) -> str:
    return "" if len(proposed.question.text.split()) >= _SHORTEST else f"it has fewer than {_SHORTEST} words"


def _no_time(proposed: Proposed) -> str:
    left = remaining_s(proposed.state, proposed.context) / 60 + MINUTES_OVER
    minutes = proposed.question.minutes
    return "" if minutes <= left else f"it takes {minutes:g} minutes, and there are {left:.1f}"


def _asked_before(proposed: Proposed) -> str:
    asked = _was_asked(proposed.question, proposed.state, proposed.context)
    return "it, or one that means the same, was asked in this interview" if asked else ""


VALIDITY_CHECKS: tuple[Check[Proposed], ...] = (
    Check("no text", _no_text),
    Check("no time", _no_time),
    Check("asked before", _asked_before),
)
"""What a question must pass before it may be asked, in this order; these checks are named by what is wrong."""


def _was_asked(question: Question, state: InterviewState, context: InterviewContext) -> bool:
    """Compared with every question but those on the same matter: a follow-up is near to what it follows up."""
    records = state.get("questions_asked", [])
    if question.source == "resume":
        return _was_explored(question, records)
    if normalised(question.text) in {normalised(record.text) for record in records}:
        return True
    others = [record.asked for record in records if record.root != question.root]
    return bool(is_repetition(question.text, others, context.embedder, anchor=question.anchor, aspect=question.aspect))


def _was_explored(question: Question, records: Sequence[QuestionRecord]) -> bool:
    """About one's own work the same words are asked about different things, and what differs is their anchor.

    What follows such a question up is in few words ("How did it end?"), and belongs to what was asked before it.
    """
    if question.kind != "retrieved":
        return False
    asked = [record for record in records if record.source == "resume"]
    return any(
        (each.anchor, each.aspect) == (question.anchor, question.aspect)
        or normalised(each.text) == normalised(question.text)
        for each in asked
    )


def _spare(state: InterviewState, context: InterviewContext) -> Question | None:
    """The first that passes: new to them before others, of the plan's next topic, of the present difficulty."""
    plan = state["interview_plan"]
    assert plan is not None
    topic = next_topic(plan, state.get("topics_covered", []), reduced=False, topic_scores={})
    level = DIFFICULTIES.index(difficulty_in_force(state))

    asked = asked_before(state)

    def distance(each: BankQuestion) -> tuple[bool, bool, int]:
        return each.id in asked, each.topic != topic, abs(DIFFICULTIES.index(each.difficulty) - level)

    unasked = sorted(context.unasked(state.get("conversation_thread", [])), key=distance)
    questions = (
        from_bank(
            each,
            topic_title=context.topic_title(each.topic),
            concepts=context.concept_names(each.concepts),
            grade="low",
            attempts=0,
        )
        for each in unasked
    )
    return next((each for each in questions if not find_fault(each, state, context)), None)
