"""Supervision: does the interview go on, and how hard is the next topic? Rules, instant, no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.vocabulary import DIFFICULTIES, Difficulty, EndReason, QuestionKind
from graph.planning.plan import MOST_QUESTIONS, InterviewPlan, easier, harder, planned_difficulty, shifted
from graph.planning.trend import DECREASE_BELOW, adjustment, ema

PRESSURE_BELOW_S = 5 * 60
"""With less time left, difficulty stays and there are no follow-ups."""
CRITICAL_BELOW_S = 2 * 60
"""With less time left, no further question is begun."""
ANOTHER_FROM_S = 3 * 60
"""With so much time left a plan that is done goes on, up to `MOST_QUESTIONS`: there is time for one more question.

Plans allow four minutes for a question (`target_questions`), and who answers in one had eight minutes end after four.
"""
MINUTES_OVER = 2.0
"""A question may be expected to run over the time that is left by so much: one answer may overrun the budget."""


@dataclass(frozen=True, slots=True)
class DifficultyDecision:
    """The difficulty of the next topic."""

    difficulty: Difficulty
    reduced: bool
    """True when it was lowered because of how the answers went."""


def end_reason(
    *,
    remaining_s: float,
    main_questions: int,
    target: int,
    next_kind: QuestionKind,
    stop_asked: bool,
    none_left: bool = False,
    wants_more: bool = False,
) -> EndReason | None:
    """Why the interview ends now, or None when it goes on. How well it goes is never a reason.

    Args:
        remaining_s: what is left of the time budget.
        main_questions: questions of the plan that are done, follow-ups not counted.
        target: questions the plan has.
        next_kind: what kind of question would come next; a follow-up still belongs to the question before it.
        stop_asked: the candidate asked to stop.
        none_left: the pack has no question left that was not asked.
        wants_more: the candidate has just asked for another question, or whoever watches for a topic, so a plan that is
            done is no reason.
    """
    if stop_asked:
        return "stopped"
    if remaining_s < CRITICAL_BELOW_S:
        return "time_up"
    enough = main_questions >= MOST_QUESTIONS or remaining_s < ANOTHER_FROM_S
    plan_done = main_questions >= target and enough and next_kind == "retrieved"
    if none_left or (plan_done and not wants_more):
        return "completed"
    return None


def next_difficulty(
    *,
    plan: InterviewPlan,
    topic_index: int,
    current: Difficulty,
    scores: Sequence[float],
    next_kind: QuestionKind,
    remaining_s: float,
    asked_for: Difficulty | None = None,
    leaning: int = 0,
) -> DifficultyDecision:
    """How hard the next topic is. The plan suggests; the trend of the scores has the last word.

    Under time pressure and within a topic nothing changes. A rising trend never makes it easier than the plan, nor a
    falling one harder. The plan makes nothing harder for a candidate who is struggling. It moves one step at a time,
    whatever the plan says. What the candidate asked for holds for the question at hand and becomes what is in force;
    after it the plan goes on as many steps easier or harder as they asked for (`leaning`).
    """
    if asked_for is not None:
        return DifficultyDecision(asked_for, reduced=False)
    if remaining_s < PRESSURE_BELOW_S or next_kind != "retrieved":
        return DifficultyDecision(current, reduced=False)
    planned = shifted(planned_difficulty(plan, topic_index, current), leaning)
    if scores and ema(scores)[-1] < DECREASE_BELOW:
        planned = _easier_of(planned, current)
    match adjustment(scores):
        case "increase":
            wanted, reduced = _harder_of(planned, harder(current)), False
        case "decrease":
            wanted, reduced = _easier_of(planned, easier(current)), True
        case "none":
            wanted, reduced = planned, False
    return DifficultyDecision(_one_step(current, wanted), reduced=reduced)


def _one_step(current: Difficulty, wanted: Difficulty) -> Difficulty:
    if DIFFICULTIES.index(wanted) > DIFFICULTIES.index(current):
        return harder(current)
    return easier(current) if wanted != current else current


def _harder_of(one: Difficulty, other: Difficulty) -> Difficulty:
    return max(one, other, key=DIFFICULTIES.index)


def _easier_of(one: Difficulty, other: Difficulty) -> Difficulty:
    return min(one, other, key=DIFFICULTIES.index)
