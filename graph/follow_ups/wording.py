"""Wording a follow-up or a clarification: what was missed, or what is not so, as a natural spoken question."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from domain.question import FollowUp, Question
from domain.verdict import Evaluation, Verdict
from graph.context import InterviewContext
from graph.feedback.guardrails import harmless
from graph.feedback.noun_phrases import as_subject
from graph.feedback.quoting import own_words
from graph.follow_ups.validators import question_gate
from graph.judging.text.stems import content_stems
from graph.language_models.prompt_history import conversation
from graph.language_models.tasks import CLARIFICATION, FOLLOW_UP
from graph.state import InterviewState
from rag.duplicates.duplicates import normalised

FOLLOW_UP_MINUTES = 2.0
_POINTS_PER_FOLLOW_UP = 2
_SHARED, _FEWEST_SHARED = 0.5, 2
"""Share of a misconception's words, and how many, that the key point has which it contradicts."""
_NEARER = 0.1
"""Difference of cosines by which that key point is nearer to it than any other. Of the 714 misconceptions of the packs,
one in seven has such a key point; in a sample of forty it was the right one in five of six."""

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
    told: Collection[str] = (),
) -> Question:
    """The next question on the same matter. It carries its own targets, so that it is judged by what it asks.

    Args:
        kind: a follow-up on missed points, or a clarification of what is not so.
        evaluation: of the answer just given.
        asked: the question it was given to.
        number: how many questions on the same matter this makes, from 1.
        state: of the interview.
        context: of the interview.
        told: points and misconceptions of which the candidate was told what holds: nobody is asked for those.
    """
    lead_in, open_points, ideas = "", still_open(evaluation, asked, told), asked.targets.misconceptions
    rubric = asked.rubric or asked.targets
    if kind == "clarification":
        wrong = next(doubt for doubt in evaluation.doubts if doubt.point not in told)
        about = _About(wrong.point, normalised(_claimed(wrong)) or None)
        text = await _clarification(wrong, evaluation, asked, state, context)
        points = tuple(point for point in await _not_so(wrong, asked, context) if point not in told)
        ideas = ideas if points else (wrong.point,)
    else:
        points = asked_for(asked, open_points, told)
        spoken, about = await _follow_up(points, evaluation, asked, state, context, told=told)
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
        targets=rubric.narrowed(points, ideas),
        rubric=rubric,
        follow_ups=asked.follow_ups,
        open_points=tuple(point for point in open_points if point not in points),
        expected_answer=asked.expected_answer,
        concepts=asked.concepts,
        minutes=FOLLOW_UP_MINUTES,
        anchor=about.anchor,
        aspect=about.aspect,
        parent=asked.root,
    )


def still_open(evaluation: Evaluation, asked: Question, told: Collection[str] = ()) -> tuple[str, ...]:
    """What a follow-up may ask for: what a first answer surely missed; afterwards, what of it was not asked for yet.

    Nobody is asked twice for the same: who did not know it the first time has said so. Nor for what they were told.
    """
    later = () if asked.source == "resume" else asked.open_points
    open_ = evaluation.left_out if asked.kind == "retrieved" else later
    return tuple(point for point in open_ if point not in told)


async def _not_so(wrong: Verdict, asked: Question, context: InterviewContext) -> tuple[str, ...]:
    """The key point that cannot be so if what was said is: what a clarification of it asks for.

    Of a misconception, the key point that is about the same: it has half of the words that carry meaning, none has more
    of them, and it is nearest in meaning by a distance. None, where no key point is surely the one: to judge by another
    would be to judge by what nobody asked.
    """
    if wrong.kind == "key_point":
        return (wrong.point,)
    points, idea = asked.targets.points, content_stems(wrong.point)
    if not points:
        return ()
    shared = [len(idea & content_stems(point)) for point in points]
    if max(shared) < max(_FEWEST_SHARED, _SHARED * len(idea)):
        return ()
    vectors = await asyncio.to_thread(context.embedder.embed, [wrong.point, *points])
    cosines = (vectors[1:] @ vectors[0]).tolist()
    *_, second, nearest = sorted((0.0, *cosines))
    place = cosines.index(max(cosines))
    return points[place : place + 1] if shared[place] == max(shared) and nearest - second >= _NEARER else ()


def asked_for(asked: Question, open_points: tuple[str, ...], told: Collection[str] = ()) -> tuple[str, ...]:
    """The points of the pack's own question for the first open point; without one, the first two open points."""
    seed = _seed(asked, open_points, told)
    return seed.points if seed else open_points[:_POINTS_PER_FOLLOW_UP]


def _seed(asked: Question, points: tuple[str, ...], told: Collection[str]) -> FollowUp | None:
    fresh = [seed for seed in asked.follow_ups if not any(point in told for point in seed.points)]
    return next((seed for point in points for seed in fresh if point in seed.points), None)


def _apart(spoken: str) -> tuple[str, str]:
    """What is said before a question, and the question itself, which can be said again without it."""
    lead_in, stop, question = spoken.rpartition(". ")
    return lead_in + stop.strip(), question


async def nearest_concept(points: Sequence[str], question: Question, context: InterviewContext) -> str:
    """The idea behind the question that is nearest to the first of some points: a hint that is no answer.

    As it is spoken inside a sentence ("database indexes").
    """
    (name,) = await nearest_ideas(points[:1] or ("",), question, context)
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
        return (names[0] if names else question.topic_title or context.topic_title(question.topic),) * len(points)
    vectors = await asyncio.to_thread(context.embedder.embed, [*filter(None, points), *names])
    ideas, near = vectors[-len(names) :], iter(vectors)
    return tuple(names[int((ideas @ next(near)).argmax())] if point else names[0] for point in points)


async def _clarification(
    wrong: Verdict, evaluation: Evaluation, asked: Question, state: InterviewState, context: InterviewContext
) -> str:
    """About what is not so, without saying that; of a story, about how it came to be."""
    if said := _claimed(wrong):
        so = (each.point for each in evaluation.contradictions if each.kind == "key_point")
        reply = await context.ask(
            CLARIFICATION,
            {
                "question": asked.text,
                "answer": " ".join(state["answer"].words),
                "misconception": said,
                "conversation": conversation(state),
            },
            turn=state["turn"],
            check=question_gate((*so, *evaluation.missed)),
        )
        if reply:
            return reply.question.strip()
    heading = "clarification.story" if asked.targets.parts else "clarification"
    if words := harmless(own_words(wrong)):
        return context.wording.say(heading, state["turn"], said=words)
    (idea,) = await nearest_ideas((wrong.point,), asked, context)
    return context.wording.say(f"{heading}.plain", state["turn"], concept=as_subject(idea))


def _claimed(wrong: Verdict) -> str:
    """What was said that is not so. A key point that was contradicted is so: it is nothing to take up."""
    if wrong.quote:
        return wrong.quote.text
    return wrong.point if wrong.kind == "misconception" else ""


async def _follow_up(
    points: tuple[str, ...],
    evaluation: Evaluation,
    asked: Question,
    state: InterviewState,
    context: InterviewContext,
    *,
    told: Collection[str],
) -> tuple[str, _About]:
    """Its words, and what it is about: one that names no point asks about a concept as a whole, whatever was missed."""
    # The points of questions about the résumé are the same whatever they are about.
    missed = _About(f"{asked.anchor}: {points[0]}" if asked.source == "resume" else points[0], _MISSED)
    reply = await context.ask(
        FOLLOW_UP,
        {
            "question": asked.text,
            "answer": " ".join(state["answer"].words),
            "missed": "\n".join(f"- {point}" for point in points),
            "topic": asked.topic_title or context.topic_title(asked.topic),
            "conversation": conversation(state),
        },
        turn=state["turn"],
        check=question_gate((*points, *evaluation.missed)),
    )
    if reply:
        return reply.question.strip(), missed
    if seed := _seed(asked, points, told):
        return context.wording.say("follow_up.own", state["turn"], question=seed.text), missed
    concept = await nearest_concept(points, asked, context)
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


def is_touched(idea: str, text: str) -> bool:
    """True when a text has any word of an idea's name that carries meaning ("you scale first" for feature scaling)."""
    return bool(content_stems(idea) & content_stems(text))
