"""Choose the next question: stay with this one, or go on with plan or résumé. What was asked for comes first.

First what the candidate asked for, then what whoever watches would like, then what is planned.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from langgraph.runtime import Runtime

from domain.events import QuestionSelected, Retrieved
from domain.question import Question
from domain.vocabulary import DIFFICULTIES, Grade
from graph.context import InterviewContext
from graph.exploration.policy import anchor_named
from graph.exploration.questions import resume_question
from graph.feedback.given_away import told_so_far
from graph.follow_ups.next_kind import kind_after
from graph.follow_ups.wording import stay
from graph.language_models.retrieval import helpers
from graph.language_models.tasks import SELECTION, SelectionReply
from graph.node import Update
from graph.planning.asked_before import in_order, practised
from graph.planning.difficulty import DifficultyDecision
from graph.planning.questions import from_bank
from graph.planning.requested_question import Wish, read_wish
from graph.planning.role import match_topic
from graph.planning.supervision import MINUTES_OVER
from graph.planning.trend import trend
from graph.planning.wished_topic import wished_topic
from graph.selectors import (
    as_heard,
    asked_before,
    decided_difficulty,
    difficulty_to_find,
    kept_back,
    mode_in_force,
    planned_topic,
    remaining_s,
    resume_anchors,
)
from graph.state import InterviewState
from graph.templates import in_mid_sentence
from graph.validators import Check, first_fault
from rag.duplicates.duplicates import is_repetition
from rag.packs.pack import BankQuestion
from rag.retrieval.graph import RetrievalRequest

_CANDIDATES = 5


async def select_question(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """The next question, its kind, and where it belongs. It is asked only if the supervisor goes on."""
    context = runtime.context
    await asyncio.sleep(context.slow_selector_s)
    evaluation, asked = state.get("current_evaluation"), state.get("current_question")
    follow_ups, kind = state.get("follow_up_count", 0), kind_after(state, context)
    if kind == "retrieved" or evaluation is None or asked is None:
        wish, decision = read_wish(state.get("active_user_request"), state["difficulty_level"]), None
        if state["turn"]:
            decision = decided_difficulty(state, context, asked_for=wish.difficulty)
            state = _decided(state, decision)
        question = await _another(state, context, wish)
        if question is None:
            return {"current_question": None, "question_mode": "retrieved", "follow_up_count": 0}
        update: Update = {"follow_up_count": 0, "topics_covered": [question.topic]}
        if decision:
            update["difficulty_decision"] = decision
    else:
        told, heard = told_so_far(state, context), as_heard(evaluation, state, asked)
        question = await stay(kind, heard, asked, number=follow_ups + 1, state=state, context=context, told=told)
        update = {"follow_up_count": follow_ups + 1}
    context.emit(question_event(question, state["turn"], context.clock()))
    return {
        **update,
        "current_question": question,
        "question_mode": question.kind,
        "conversation_thread": [question.id],
    }


def _decided(state: InterviewState, decision: DifficultyDecision) -> InterviewState:
    """The state as it is to be for who looks for a question. The supervisor makes it lasting."""
    decided: InterviewState = {
        "difficulty_level": decision.difficulty,
        "difficulty_reduced_due_to_performance": decision.reduced,
    }
    return state | decided


def question_event(question: Question, turn: int, at: float) -> QuestionSelected:
    """The event of a question's choice."""
    return QuestionSelected(
        at=at,
        turn=turn,
        question_id=question.id,
        text=question.text,
        question_kind=question.kind,
        topic=question.topic,
        topic_title=question.topic_title,
        difficulty=question.difficulty,
        source=question.source,
        grade=question.grade or "",
        attempts=question.attempts,
        minutes=question.minutes,
    )


async def _another(state: InterviewState, context: InterviewContext, wish: Wish) -> Question | None:
    """From where the mode says; from the plan, where the résumé has nothing (left) to ask about.

    A topic that the candidate names is taken from the plan when it is none of their résumé's. One that whoever watches
    would like is taken from where it is, whatever the mode; the mode stays.
    """
    if (wished := await _wished(state, context, wish)) is not None:
        return wished
    if mode_in_force(state) == "resume":
        anchors = resume_anchors(state)
        elsewhere = wish.topic and not anchor_named(wish.topic, anchors) and await _topic_named(wish.topic, context)
        question = None if elsewhere else await resume_question(state, context, wish)
        if question is not None:
            return question
        question = await _retrieve(state, context, wish)
        if question and not anchors and not state.get("questions_asked"):
            return question.model_copy(update={"lead_in": context.resume_wording.say("unusable")})
        return question
    return await _retrieve(state, context, wish)


async def _wished(state: InterviewState, context: InterviewContext, wish: Wish) -> Question | None:
    """A question about what whoever watches would like, if there is such a wish and anything left to ask."""
    if not state.get("topic_wish"):
        return None
    wished = await asyncio.to_thread(wished_topic, state, context)
    if wished is None or wished.why_not:
        return None
    if wished.anchor is not None:
        return await resume_question(state, context, replace(wish, topic=wished.topic, another=True))
    return await _retrieve(state, context, wish, topic=wished.topic)


async def _retrieve(
    state: InterviewState, context: InterviewContext, wish: Wish, *, topic: str = ""
) -> Question | None:
    topic = topic or await _topic(state, context, wish)
    if (again := _practised(state, context, wish, topic)) is not None:
        return _asked(again, state, context, grade="high", attempts=0)
    difficulty = difficulty_to_find(state, context, topic, state["difficulty_level"])

    async def choose(candidates: Sequence[BankQuestion]) -> BankQuestion | None:
        best = in_order(candidates, topic, difficulty, asked_before(state), state.get("seed", 0))
        return await _choose(best, state, context)

    found = await context.questions.next_question(
        state["interview_id"],
        RetrievalRequest(
            pack=context.pack.id,
            topic=topic,
            topic_title=context.topic_title(topic),
            difficulty=difficulty,
            max_minutes=remaining_s(state, context) / 60 + MINUTES_OVER,
            exclude=kept_back(state, context, topic),
            n=_CANDIDATES,
        ),
        choose,
        helpers(context, state["turn"]),
    )
    context.emit(
        Retrieved(
            at=context.clock(),
            turn=state["turn"],
            cached=found.served_from_cache,
            grade=found.grade,
            attempts=found.attempts,
            seconds=round(found.latency_ms / 1000, 4),
        )
    )
    best = found.question or _any_left(state, context)
    return best and _asked(best, state, context, grade=found.grade, attempts=found.attempts)


def _any_left(state: InterviewState, context: InterviewContext) -> BankQuestion | None:
    """The pack's first question that is left, what is new to them before what was asked in earlier interviews."""
    left, asked = context.unasked(state.get("conversation_thread", [])), asked_before(state)
    return min(left, key=lambda each: each.id in asked, default=None)


def _practised(state: InterviewState, context: InterviewContext, wish: Wish, topic: str) -> BankQuestion | None:
    """A question that was hard last time, where it may come again: from a coach, when nothing else is wished."""
    asked, level = asked_before(state), state["difficulty_level"]
    if not asked or wish.difficulty or state["feedback_mode"] != "coach":
        return None
    again = practised(context.pack.questions, topic, level, asked, state.get("conversation_thread", []))
    return again if again and again.minutes <= remaining_s(state, context) / 60 + MINUTES_OVER else None


def _asked(
    question: BankQuestion, state: InterviewState, context: InterviewContext, *, grade: Grade, attempts: int
) -> Question:
    return from_bank(
        question,
        topic_title=context.topic_title(question.topic),
        concepts=context.concept_names(question.concepts),
        grade=grade,
        attempts=attempts,
        lead_in=_lead_in(question, state, context),
    )


async def _choose(
    candidates: Sequence[BankQuestion], state: InterviewState, context: InterviewContext
) -> BankQuestion | None:
    """One that is no repetition; which of several, a model says when there is one, else the best of the search."""
    fresh = await asyncio.to_thread(_not_asked_before, candidates, state, context)
    if len(fresh) < 2:  # noqa: PLR2004 - nothing to choose between
        return next(iter(fresh), None)
    by_id = {question.id: question for question in fresh}

    reply = await context.ask(
        SELECTION,
        {
            "candidates": "\n".join(f"{each.id}: {each.text} ({each.difficulty})" for each in fresh),
            "difficulty": state["difficulty_level"],
            "topics": ", ".join(map(context.topic_title, state.get("topics_covered", [])[-3:])) or "none yet",
            "trend": trend(state.get("performance_trajectory", [])),
        },
        turn=state["turn"],
        check=partial(first_fault, selection_checks(tuple(by_id))),
    )
    return by_id[reply.selected_id] if reply else fresh[0]


def selection_checks(ids: Sequence[str]) -> tuple[Check[SelectionReply], ...]:
    """The gate of a model's choice: only what the search found may be chosen."""

    def is_a_candidate(reply: SelectionReply) -> str:
        return "" if reply.selected_id in ids else f"selected_id must be one of {', '.join(ids)}"

    return (Check("one of the candidates", is_a_candidate),)


def _not_asked_before(
    candidates: Sequence[BankQuestion], state: InterviewState, context: InterviewContext
) -> list[BankQuestion]:
    # No aspect: what a question of the pack wants to know about its concept, only its words say.
    asked = [record.asked for record in state.get("questions_asked", [])]
    return [each for each in candidates if not is_repetition(each.text, asked, context.embedder)]


async def _topic(state: InterviewState, context: InterviewContext, wish: Wish) -> str:
    if wish.topic and (named := await _topic_named(wish.topic, context)):
        return named
    return planned_topic(state, context, other=wish.other_topic)


async def _topic_named(said: str, context: InterviewContext) -> str | None:
    return await asyncio.to_thread(match_topic, said, context.pack, context.embedder)


def _lead_in(question: BankQuestion, state: InterviewState, context: InterviewContext) -> str:
    """Words before the question. Whoever asked for it to be easier or harder hears that it is, if it is."""
    covered, wording, turn, topic = state.get("topics_covered", []), context.wording, state["turn"], question.topic
    title = in_mid_sentence(context.topic_title(topic))
    if earlier := asked_before(state).get(question.id):
        return wording.say("again.hard" if earlier.hard else "again", turn, topic=title)
    if not covered:
        return wording.say("topic.first", topic=title)
    request, before = state.get("active_user_request"), state.get("current_question")
    step = DIFFICULTIES.index(question.difficulty) - DIFFICULTIES.index(before.difficulty) if before else 0
    if request and ((request.intent == "easier" and step < 0) or (request.intent == "harder" and step > 0)):
        return wording.say(f"topic.{request.intent}", turn, topic=title)
    return wording.say("topic.same" if covered[-1] == topic else "topic.next", turn, topic=title)
