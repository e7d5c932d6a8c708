"""Selectors: what several nodes ask of the state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from domain.question import Question
from domain.verdict import Evaluation, standing
from domain.vocabulary import PatienceLevel
from graph.context import InterviewContext
from graph.planning.plan import next_topic
from graph.state import InterviewState


def remaining_s(state: InterviewState, context: InterviewContext) -> float:
    """Seconds left of the time budget, never below zero."""
    elapsed = context.clock() - state["interview_start_time"]
    return max(0.0, state["time_budget_s"] - elapsed)


def open_question(state: InterviewState) -> Question:
    """The question that the candidate was asked last."""
    question = state["current_question"]
    assert question is not None, "there is an open question as soon as the interview has begun"
    return question


def patience_in_force(state: InterviewState, context: InterviewContext) -> PatienceLevel:
    """How long the interviewer waits in a silence: as the candidate asked, else as it is set."""
    return state.get("patience", context.patience)


def judged_question(state: InterviewState) -> Question:
    """The question that this turn's words are judged by: the open one, or an earlier one that is being corrected."""
    correcting = state.get("correcting")
    return correcting.question if correcting else open_question(state)


def counted_scores(evaluations: Sequence[Evaluation]) -> list[tuple[str, float]]:
    """Topic and overall score of each answer whose score counts, in order.

    Not those that a judge stood in for, nor those of answers that were corrected since.
    """
    return [(each.topic, each.scores.overall) for each in standing(evaluations) if each.scores and not each.fallback]


def scores_by_topic(state: InterviewState) -> dict[str, list[float]]:
    """The scores that count, by topic."""
    scores: dict[str, list[float]] = defaultdict(list)
    for topic, score in counted_scores(state.get("all_evaluations", [])):
        scores[topic].append(score)
    return scores


def planned_topic(state: InterviewState, *, other: bool = False) -> str:
    """The topic that the plan has next, by what was covered and how it went.

    Args:
        state: of the interview.
        other: the present topic comes only when there is no other.
    """
    plan, covered = state["interview_plan"], state.get("topics_covered", [])
    assert plan is not None
    return next_topic(
        plan,
        covered,
        reduced=state.get("difficulty_reduced_due_to_performance", False),
        topic_scores=scores_by_topic(state),
        avoid=covered[-1] if other and covered else None,
    )
