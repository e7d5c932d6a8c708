"""A last look at the question before it may be asked: is it one, does it fit the time, was it asked before?"""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.nodes.select_question import MINUTES_OVER
from graph.ownership import Update
from graph.questions import Question, from_bank
from graph.reading import remaining_s
from graph.state import InterviewState
from rag.repetition import AskedQuestion, is_repetition, normalised

_SHORTEST = 3
"""Words of the shortest question that can be understood."""


async def validate_question(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Let a good question pass. In place of any other comes the first of the pack that passes, or none."""
    question, context = state["current_question"], runtime.context
    if question is None or not (fault := await asyncio.to_thread(find_fault, question, state, context)):
        return {}
    context.recorder.gate_failed(state["turn"], "select_question", fault)
    spare = await asyncio.to_thread(_spare, state, context)
    context.recorder.fell_back(state["turn"], "select_question", f"{fault}; {spare.id if spare else 'nothing'} instead")
    if spare is None:
        return {"current_question": None, "question_mode": "retrieved"}
    context.recorder.question_selected(state["turn"], spare)
    return {"current_question": spare, "question_mode": "retrieved", "conversation_thread": [spare.id]}


def find_fault(question: Question, state: InterviewState, context: InterviewContext) -> str:
    """Which check a question fails, by name; empty when it passes all of them."""
    if len(question.text.split()) < _SHORTEST:
        return "no text"
    if question.minutes > remaining_s(state, context) / 60 + MINUTES_OVER:
        return "no time"
    return "asked before" if _was_asked(question, state, context) else ""


def _was_asked(question: Question, state: InterviewState, context: InterviewContext) -> bool:
    """Compared with every question but those on the same matter: a follow-up is near to what it follows up."""
    records = state.get("questions_asked", [])
    if normalised(question.text) in {normalised(record.text) for record in records}:
        return True
    others = [AskedQuestion(record.text) for record in records if record.id.partition(".")[0] != question.root]
    return bool(is_repetition(question.text, others, context.embedder))


def _spare(state: InterviewState, context: InterviewContext) -> Question | None:
    questions = (
        from_bank(
            each,
            topic_title=context.topic_title(each.topic),
            concepts=context.concept_names(each.concepts),
            grade="low",
            attempts=0,
        )
        for each in context.unasked(state.get("conversation_thread", []))
    )
    return next((each for each in questions if not find_fault(each, state, context)), None)
