"""Model wording: feedback in the words of a language model, sentence by sentence, checked before each is spoken.

It is told which parts to say. What a coach says outright is said in the words of the pack after all, where the model
does not come to it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from domain.question import Question
from domain.verdict import Evaluation, Verdict
from graph.context import InterviewContext
from graph.feedback.coaching import advice_heading, coach_on
from graph.feedback.compose import About, Manner
from graph.feedback.guardrails import FEEDBACK_CHECKS, MOST_WORDS, FeedbackSentence, band_of, tone_of
from graph.feedback.lessons import LONGEST_LEAD, Lesson
from graph.feedback.quoting import own_words
from graph.feedback.structures import open_points
from graph.follow_ups.wording import nearest_ideas
from graph.language_models.concept_lookup import concept_lookup
from graph.language_models.prompt_history import conversation
from graph.language_models.tasks import FEEDBACK
from graph.state import InterviewState
from graph.templates import Templates
from graph.validators import first_fault

_OUTRIGHT = frozenset({"add", "case", "correct", "advise"})
"""Parts that say what a lesson holds."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What is to be said about an answer."""

    question: Question
    evaluation: Evaluation
    about: About
    lesson: Lesson | None
    """What a coach adds to it; None gives nothing away."""
    parts: tuple[str, ...]
    """What is said, in this order: a sentence for each."""


async def worded_by_model(remark: Remark, state: InterviewState, context: InterviewContext) -> AsyncIterator[str]:
    """The sentences that passed their checks, up to the first that did not; nothing at all when no model says anything.

    Args:
        remark: what is to be said.
        state: of the interview.
        context: of the interview; it has models.
    """
    assert context.models is not None
    heard = state.get("feedback_said", [])
    spoken: list[str] = []

    def fault(sentence: str) -> str:
        return first_fault(FEEDBACK_CHECKS, _held_against(remark, sentence, spoken, heard))

    values = await _values(remark, state, context)
    async for sentence in context.models.sentences(FEEDBACK, values, turn=state["turn"], check=fault):
        spoken.append(sentence)
        yield sentence
    outright = next((part for part in remark.parts[len(spoken) :] if part in _OUTRIGHT), "")
    if spoken and remark.lesson and outright:
        manner = Manner(state["turn"], context.feedback_wording, said=[*heard, *spoken])
        coach = coach_on(remark.evaluation, remark.about, remark.lesson, manner)
        yield coach.sentence(outright)


def _held_against(remark: Remark, sentence: str, spoken: list[str], heard: list[str]) -> FeedbackSentence:
    """A sentence beside what it has to keep to, by its place."""
    evaluation, lesson, place = remark.evaluation, remark.lesson, len(spoken)
    assert evaluation.scores is not None
    part = remark.parts[place] if place < len(remark.parts) else ""
    told = lesson.told if lesson else ()
    return FeedbackSentence(
        sentence,
        band_of(evaluation.scores.overall),
        tuple(point for point in evaluation.missed if point not in told or part not in _OUTRIGHT),
        frozenset(each.casefold() for each in (*heard, *spoken)),
        place=place,
        most=len(remark.parts),
        words=sum(len(each.split()) for each in spoken),
        most_words=MOST_WORDS - _kept_free(remark, place),
        truth=lesson.truth if lesson and part in _OUTRIGHT else "",
    )


def _kept_free(remark: Remark, place: int) -> int:
    """Words that what is said outright will need behind a sentence."""
    comes = remark.lesson is not None and not _OUTRIGHT.isdisjoint(remark.parts[place + 1 :])
    return LONGEST_LEAD + len(remark.lesson.truth.split()) if remark.lesson and comes else 0


async def _values(remark: Remark, state: InterviewState, context: InterviewContext) -> dict[str, str]:
    """What the prompt is filled with."""
    evaluation, about, wording, lesson = remark.evaluation, remark.about, context.feedback_wording, remark.lesson
    assert evaluation.scores is not None
    outright = lesson.truth if lesson and lesson.truth else ""
    if lesson and (lesson.part or lesson.tip) and not outright:
        outright = wording.say(advice_heading(lesson), state["turn"])
    return {
        "style": wording.say("model.style.coach" if outright else "model.style.interviewer"),
        "band": band_of(evaluation.scores.overall),
        "tone": wording.say(f"tone.{tone_of(evaluation.scores.overall)}"),
        "parts": "\n".join(
            f"{place}. {wording.say(f'model.part.{part}')}" for place, part in enumerate(remark.parts, start=1)
        ),
        "question": remark.question.text,
        "answer": " ".join(state["answer"].words),
        "good": _good(evaluation, about, wording),
        "gap": _gap(evaluation, about, wording),
        "outright": outright or wording.say("model.no_gap"),
        "context": await _explanation(remark, state, context),
        "conversation": conversation(state),
    }


def _good(evaluation: Evaluation, about: About, wording: Templates) -> str:
    """What a model may call good, with the candidate's words for it."""

    def line(verdict: Verdict) -> str:
        part = about.parts.get(verdict.point)
        point, words = wording.say(f"story.{part}") if part else verdict.point, own_words(verdict)
        return f"- {wording.say('model.good', point=point, said=words) if words else point}"

    whole = [each for each in evaluation.praised if each.status == "covered"]
    return "\n".join(map(line, whole[:2])) or f"- {wording.say('model.none')}"


def _gap(evaluation: Evaluation, about: About, wording: Templates) -> str:
    """The one thing a model may point at."""
    if words := next(filter(None, map(own_words, evaluation.doubts)), ""):
        return wording.say("model.check", said=words)
    # A judge may be unsure of all that is missing: then there is nothing to point at.
    open_ = open_points(evaluation, about.parts)
    if not evaluation.missed or not open_:
        return wording.say("model.no_gap")
    part = about.parts.get(open_[0])
    return wording.say(f"story.{part}") if part else about.gap


async def _explanation(remark: Remark, state: InterviewState, context: InterviewContext) -> str:
    """What is behind what is taught, or behind the gap, so that it is worded truly; nothing when there is neither."""
    nothing, question = context.feedback_wording.say("model.no_gap"), remark.question
    taught = remark.lesson.told if remark.lesson else remark.evaluation.missed
    if not taught or question.targets.parts:
        return nothing
    (name,) = await nearest_ideas(taught[:1], question, context)
    concept = await concept_lookup(name, state, context)
    return concept.simple_explanation if concept else nothing
