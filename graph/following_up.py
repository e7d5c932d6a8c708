"""Wording a follow-up or a clarification: what was missed, or what is not so, as a natural spoken question."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from graph.context import InterviewContext
from graph.judging.verdicts import Evaluation, Verdict
from graph.judging.words import content_stems
from graph.language_models.gates import Check, first_fault
from graph.language_models.tasks import CLARIFICATION, FOLLOW_UP, QuestionReply
from graph.naming import as_subject
from graph.own_words import spoken_quote
from graph.questions import FollowUp, KeyPoints, Question
from graph.state import InterviewState
from rag.packs import StarPart
from rag.repetition import normalised

FOLLOW_UP_MINUTES = 2.0
_POINTS_PER_FOLLOW_UP = 2
_MOST_WORDS = 40
"""A spoken question that is longer has to be heard twice."""

_MISSED = "what was missed of it"
_AS_A_WHOLE = "anything about it"


@dataclass(frozen=True, slots=True)
class _About:
    """What a question hangs on, and what it wants to know about that: the same twice is a repetition in any words."""

    anchor: str
    aspect: str | None


async def stay(
    kind: Literal["follow_up", "clarification"],
    evaluation: Evaluation,
    asked: Question,
    *,
    number: int,
    state: InterviewState,
    context: InterviewContext,
) -> Question:
    """The next question on the same matter. It carries its own targets, so that it is judged by what it asks.

    Args:
        kind: a follow-up on missed points, or a clarification of what is not so.
        evaluation: of the answer just given.
        asked: the question it was given to.
        number: how many questions on the same matter this makes, from 1.
        state: of the interview.
        context: of the interview.
    """
    lead_in, open_points = "", still_open(evaluation, asked)
    if kind == "clarification":
        wrong = evaluation.contradictions[0]
        about = _About(wrong.point, normalised(spoken_quote(wrong)) or None)
        text = await _clarification(wrong, asked, state, context)
        points = (wrong.point,) if wrong.kind == "key_point" else evaluation.missed[:1] or asked.targets.points[:1]
    else:
        points = _asked_for(asked, open_points)
        spoken, about = await _follow_up(points, evaluation, asked, state, context)
        lead_in, text = _apart(spoken)
    return Question(
        id=f"{asked.root}.{kind.replace('_', '-')}-{number}",
        text=text,
        lead_in=lead_in,
        kind=kind,
        source=asked.source,
        topic=asked.topic,
        topic_title=asked.topic_title,
        difficulty=asked.difficulty,
        targets=KeyPoints(
            points=points, misconceptions=asked.targets.misconceptions, parts=_parts_of(points, asked.targets)
        ),
        follow_ups=asked.follow_ups,
        open_points=tuple(point for point in open_points if point not in points),
        expected_answer=asked.expected_answer,
        concepts=asked.concepts,
        minutes=FOLLOW_UP_MINUTES,
        anchor=about.anchor,
        aspect=about.aspect,
        parent=asked.root,
    )


def still_open(evaluation: Evaluation, asked: Question) -> tuple[str, ...]:
    """What a follow-up may ask for: what a first answer missed; afterwards, what of it was not asked for yet.

    Nobody is asked twice for the same: who did not know it the first time has said so.
    """
    return evaluation.missed if asked.kind == "retrieved" else asked.open_points


def _asked_for(asked: Question, open_points: tuple[str, ...]) -> tuple[str, ...]:
    """The points of the pack's own question for the first open point; without one, the first two open points."""
    seed = _seed(asked, open_points)
    return seed.points if seed else open_points[:_POINTS_PER_FOLLOW_UP]


def _seed(asked: Question, points: tuple[str, ...]) -> FollowUp | None:
    return next((seed for point in points for seed in asked.follow_ups if point in seed.points), None)


def _parts_of(points: tuple[str, ...], targets: KeyPoints) -> tuple[StarPart, ...]:
    parts = dict(zip(targets.points, targets.parts, strict=False))
    return tuple(parts[point] for point in points if point in parts)


def _apart(spoken: str) -> tuple[str, str]:
    """What is said before a question, and the question itself, which can be said again without it."""
    lead_in, stop, question = spoken.rpartition(". ")
    return lead_in + stop.strip(), question


async def nearest_concept(evaluation: Evaluation, question: Question, context: InterviewContext) -> str:
    """The idea behind the question that is nearest to the first point that was missed: a hint that is no answer.

    As it is spoken inside a sentence ("database indexes").
    """
    (name,) = await nearest_ideas(evaluation.missed[:1] or ("",), question, context)
    return as_subject(name)


async def nearest_ideas(points: Sequence[str], question: Question, context: InterviewContext) -> tuple[str, ...]:
    """For each of some points, the idea behind the question that is nearest to it, by its name in the pack.

    Args:
        points: key points or claims; for an empty one, the question's first idea.
        question: what was asked. Without ideas, its topic takes their place.
        context: of the interview.
    """
    names = question.concepts
    if len(names) <= 1 or not any(points):
        return (names[0] if names else context.topic_title(question.topic),) * len(points)
    vectors = await asyncio.to_thread(context.embedder.embed, [*filter(None, points), *names])
    ideas, near = vectors[-len(names) :], iter(vectors)
    return tuple(names[int((ideas @ next(near)).argmax())] if point else names[0] for point in points)


def one_question(reply: QuestionReply) -> str:
    """The gate of a question that a model worded: it asks, once, and can be taken in by ear."""
    return first_fault(QUESTION_CHECKS, reply.question.strip())


QUESTION_CHECKS: tuple[Check[str], ...] = (
    Check("asks", lambda text: "" if text.endswith("?") else "it must be one question and end with a question mark"),
    Check("one thing", lambda text: "it must ask one thing only" if text.count("?") > 1 else ""),
    Check(
        "by ear",
        lambda text: "" if len(text.split()) <= _MOST_WORDS else f"it must have {_MOST_WORDS} words or fewer",
    ),
)
"""What a question that a model worded must pass, in this order."""


async def _clarification(wrong: Verdict, asked: Question, state: InterviewState, context: InterviewContext) -> str:
    reply = await context.ask(
        CLARIFICATION,
        {
            "question": asked.text,
            "answer": " ".join(state["answer"].words),
            "misconception": spoken_quote(wrong) or wrong.point,
        },
        turn=state["turn"],
        check=one_question,
    )
    if reply:
        return reply.question.strip()
    return context.wording.say("clarification", state["turn"], quote=spoken_quote(wrong))


async def _follow_up(
    points: tuple[str, ...],
    evaluation: Evaluation,
    asked: Question,
    state: InterviewState,
    context: InterviewContext,
) -> tuple[str, _About]:
    """Its words, and what it is about: one that names no point asks about a concept as a whole, whatever was missed."""
    missed = _About(points[0], _MISSED)
    reply = await context.ask(
        FOLLOW_UP,
        {
            "question": asked.text,
            "answer": " ".join(state["answer"].words),
            "missed": "\n".join(f"- {point}" for point in points),
            "topic": context.topic_title(asked.topic),
        },
        turn=state["turn"],
        check=one_question,
    )
    if reply:
        return reply.question.strip(), missed
    if seed := _seed(asked, points):
        return context.wording.say("follow_up.own", state["turn"], question=seed.text), missed
    concept = await nearest_concept(evaluation, asked, context)
    text = context.wording.say(_situation(concept, evaluation, asked), state["turn"], concept=concept)
    return text, _About(concept, _AS_A_WHOLE)


def _situation(concept: str, evaluation: Evaluation, asked: Question) -> str:
    """Nothing may be called "more" when nothing was said, nor new when the question has named it."""
    if not evaluation.credited and not evaluation.halves:
        return "follow_up.open"
    return "follow_up.named" if is_named(concept, asked.text) else "follow_up"


def is_named(idea: str, text: str) -> bool:
    """True when a text has every word of an idea's name that carries meaning."""
    wanted = content_stems(idea)
    return bool(wanted) and wanted <= content_stems(text)
