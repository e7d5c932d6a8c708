"""Supervision: does the interview go on? Rules, instant, no model."""

from __future__ import annotations

from domain.vocabulary import EndReason, QuestionKind
from graph.planning.plan import MOST_QUESTIONS

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
