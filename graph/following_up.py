"""Wording a follow-up or a clarification: what was missed, or what is not so, as a natural spoken question."""

from __future__ import annotations

import asyncio
from typing import Literal

from graph.context import InterviewContext
from graph.feedback import spoken_quote
from graph.judging.verdicts import Evaluation, Verdict
from graph.judging.words import content_stems
from graph.language_models.tasks import CLARIFICATION, FOLLOW_UP, QuestionReply
from graph.questions import KeyPoints, Question
from graph.state import InterviewState
from graph.wording import in_mid_sentence

FOLLOW_UP_MINUTES = 2.0
_POINTS_PER_FOLLOW_UP = 2
_MOST_WORDS = 40
"""A spoken question that is longer has to be heard twice."""


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
    lead_in = ""
    if kind == "clarification":
        wrong = evaluation.contradictions[0]
        text = await _clarification(wrong, asked, state, context)
        points = (wrong.point,) if wrong.kind == "key_point" else evaluation.missed[:1] or asked.targets.points[:1]
    else:
        lead_in, text = _apart(await _follow_up(evaluation, asked, state, context))
        points = evaluation.missed[:_POINTS_PER_FOLLOW_UP]
    return Question(
        id=f"{asked.root}.{kind.replace('_', '-')}-{number}",
        text=text,
        lead_in=lead_in,
        kind=kind,
        source=asked.source,
        topic=asked.topic,
        topic_title=asked.topic_title,
        difficulty=asked.difficulty,
        targets=KeyPoints(points=points, misconceptions=asked.targets.misconceptions),
        expected_answer=asked.expected_answer,
        concepts=asked.concepts,
        minutes=FOLLOW_UP_MINUTES,
        parent=asked.root,
    )


def _apart(spoken: str) -> tuple[str, str]:
    """What is said before a question, and the question itself, which can be said again without it."""
    lead_in, stop, question = spoken.rpartition(". ")
    return lead_in + stop.strip(), question


async def nearest_concept(evaluation: Evaluation, question: Question, context: InterviewContext) -> str:
    """The idea behind the question that is nearest to the first point that was missed: a hint that is no answer."""
    names = tuple(map(in_mid_sentence, question.concepts or (context.topic_title(question.topic),)))
    if len(names) == 1 or not evaluation.missed:
        return names[0]
    vectors = await asyncio.to_thread(context.embedder.embed, [evaluation.missed[0], *names])
    return names[int((vectors[1:] @ vectors[0]).argmax())]


def one_question(reply: QuestionReply) -> str:
    """The gate of a question that a model worded: it asks, once, and can be taken in by ear."""
    text = reply.question.strip()
    if not text.endswith("?"):
        return "it must be one question and end with a question mark"
    if text.count("?") > 1:
        return "it must ask one thing only"
    return "" if len(text.split()) <= _MOST_WORDS else f"it must have {_MOST_WORDS} words or fewer"


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


async def _follow_up(evaluation: Evaluation, asked: Question, state: InterviewState, context: InterviewContext) -> str:
    reply = await context.ask(
        FOLLOW_UP,
        {
            "question": asked.text,
            "answer": " ".join(state["answer"].words),
            "missed": "\n".join(f"- {point}" for point in evaluation.missed[:_POINTS_PER_FOLLOW_UP]),
            "topic": context.topic_title(asked.topic),
        },
        turn=state["turn"],
        check=one_question,
    )
    if reply:
        return reply.question.strip()
    concept = await nearest_concept(evaluation, asked, context)
    return context.wording.say(_situation(concept, evaluation, asked), state["turn"], concept=concept)


def _situation(concept: str, evaluation: Evaluation, asked: Question) -> str:
    """Nothing may be called "more" when nothing was said, nor new when the question has named it."""
    if not evaluation.credited and not evaluation.halves:
        return "follow_up.open"
    return "follow_up.named" if is_named(concept, asked.text) else "follow_up"


def is_named(idea: str, text: str) -> bool:
    """True when a text has every word of an idea's name that carries meaning."""
    wanted = content_stems(idea)
    return bool(wanted) and wanted <= content_stems(text)
