"""Decide whether the interview goes on and how hard the next topic is. By rule, in no time."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph.context import Decision, InterviewContext
from graph.ownership import Update
from graph.planning.supervision import end_reason, next_difficulty
from graph.planning.trend import ema
from graph.state import InterviewState
from graph.time_budget import remaining_s


async def supervise(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Close the turn: count it, follow the trend, decide. Only after this may the next question be spoken."""
    context, plan = runtime.context, state["interview_plan"]
    assert plan is not None
    evaluation = state.get("current_evaluation")
    counts = evaluation is not None and evaluation.scores is not None and not evaluation.fallback
    new_scores = [evaluation.scores.overall] if counts and evaluation and evaluation.scores else []
    scores = [*state.get("performance_trajectory", []), *new_scores]
    smoothed = ema(scores)
    left = remaining_s(state, context)
    request = state.get("active_user_request")
    stop_asked = request is not None and request.intent == "stop"
    done = _main_questions_done(state)
    reason = end_reason(
        remaining_s=left,
        main_questions=done,
        target=len(plan.topics),
        next_kind=state["question_mode"],
        stop_asked=stop_asked,
    )
    difficulty = next_difficulty(
        plan=plan,
        topic_index=len(state.get("topics_covered", [])),
        current=state["difficulty_level"],
        scores=scores,
        next_kind=state["question_mode"],
        remaining_s=left,
    )
    decision = Decision(
        goes_on=reason is None,
        end_reason=reason or "",
        question_count=done,
        difficulty=difficulty.difficulty,
        ema=round(smoothed[-1], 2) if smoothed else None,
        remaining_s=round(left, 1),
    )
    context.recorder.supervised(state["turn"], decision)
    return {
        "should_continue": decision.goes_on,
        "end_reason": reason,
        "stage": "questioning" if decision.goes_on else "complete",
        "question_count": done,
        "difficulty_level": difficulty.difficulty,
        "difficulty_reduced_due_to_performance": difficulty.reduced
        or state.get("difficulty_reduced_due_to_performance", False),
        "performance_trajectory": new_scores,
        "ema_trajectory": smoothed,
        "difficulty_history": [evaluation.difficulty] if evaluation else [],
        "all_evaluations": [evaluation] if evaluation else [],
    }


def _main_questions_done(state: InterviewState) -> int:
    """Questions of the plan that are behind us: all that were asked, since this turn dealt with the last of them."""
    return sum(record.kind == "retrieved" for record in state.get("questions_asked", []))
