"""Given away: what the candidate was told outright, so that nobody asks them for it any more."""

from __future__ import annotations

from domain.feedback import feedback_mode_of
from domain.question import Question
from domain.verdict import Evaluation
from graph.context import InterviewContext
from graph.feedback.lessons import Lesson, lesson_on
from graph.judging.panel import says_unknown
from graph.selectors import judged_question
from graph.state import InterviewState


def lesson_of(
    state: InterviewState, context: InterviewContext, question: Question, evaluation: Evaluation
) -> Lesson | None:
    """What a coach adds to the answer of this turn. Whoever asks within a turn gets the same reply."""
    return lesson_on(
        evaluation,
        question,
        concept=next(filter(None, map(context.pack.concept, question.concepts)), None),
        knows=not says_unknown(state["answer"].words),
        told=_told_before(state),
        words=state["answer"].words,
    )


def told_so_far(state: InterviewState, context: InterviewContext) -> frozenset[str]:
    """Points and misconceptions of which the candidate was told what holds, in this turn's feedback or before it."""
    told, evaluation = _told_before(state), state.get("current_evaluation")
    if feedback_mode_of(state["feedback_mode"]) != "coach" or evaluation is None:
        return told
    lesson = lesson_of(state, context, judged_question(state), evaluation)
    return told.union(lesson.told) if lesson else told


def _told_before(state: InterviewState) -> frozenset[str]:
    given_away = state.get("given_away", {})
    return frozenset(point for turn, points in given_away.items() if turn < state["turn"] for point in points)
