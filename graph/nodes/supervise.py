"""Decide whether the interview goes on, and put the difficulty of the next question in force. By rule, in no time."""

from __future__ import annotations

from langgraph.runtime import Runtime

from domain.events import SettingChanged, Supervised
from domain.vocabulary import EndReason, Phase
from graph.context import InterviewContext
from graph.exploration.explored import explored_of
from graph.node import Update
from graph.planning.requested_question import wants_more
from graph.planning.supervision import end_reason
from graph.planning.trend import candidate_state, ema
from graph.planning.wished_topic import wished_topic
from graph.selectors import counted_scores, difficulty_in_force, mode_in_force, new_decision, remaining_s
from graph.state import InterviewState


async def supervise(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Close the turn: count it, follow the trend, decide. Only after this may the next question be spoken."""
    context = runtime.context
    evaluation = state.get("current_evaluation")
    evaluations = [*state.get("all_evaluations", []), *([evaluation] if evaluation else [])]
    scores = [score for _topic, score in counted_scores(evaluations)]
    smoothed = ema(scores)
    left = remaining_s(state, context)
    done = _questions_done(state)
    wished = wished_topic(state, context)
    reason = _end_reason(state, left, done, wished=bool(wished and wished.is_asked_by(state.get("current_question"))))
    # Of a question that is not asked any more, nothing holds.
    decision = new_decision(state) if reason is None else None
    difficulty = difficulty_in_force(state) if reason is None else state["difficulty_level"]
    decided = Supervised(
        at=context.clock(),
        turn=state["turn"],
        goes_on=reason is None,
        end_reason=reason or "",
        question_count=done,
        difficulty=difficulty,
        difficulty_reason=decision.why or "" if decision else "",
        ema=round(smoothed[-1], 2) if smoothed else None,
        remaining_s=round(left, 1),
    )
    context.emit(decided)
    if (mode := mode_in_force(state)) != state.get("mode", "plan"):
        context.emit(SettingChanged(at=context.clock(), turn=state["turn"], what="mode", value=mode))
    counted = evaluation is not None and evaluation.replaces_turn is None
    return {
        "should_continue": decided.goes_on,
        "end_reason": reason,
        "stage": "questioning" if decided.goes_on else "complete",
        "question_count": done,
        "difficulty_level": difficulty,
        "difficulty_reduced_due_to_performance": decision.reduced
        if decision
        else state.get("difficulty_reduced_due_to_performance", False),
        "performance_trajectory": scores,
        "ema_trajectory": smoothed,
        "difficulty_history": [evaluation.difficulty] if evaluation and counted else [],
        "all_evaluations": [evaluation] if evaluation else [],
        "resume_exploration": explored_of(state.get("questions_asked", []), evaluations),
        "phase": _phase(state, goes_on=decided.goes_on),
        "candidate_state": candidate_state(scores),
        "mode": mode,
    }


def _phase(state: InterviewState, *, goes_on: bool) -> Phase:
    question = state.get("current_question")
    if not goes_on or question is None:
        return "closing"
    return "exploration" if question.source == "resume" else "technical"


def _end_reason(state: InterviewState, left_s: float, done: int, *, wished: bool) -> EndReason | None:
    request = state.get("active_user_request")
    stop_asked = request is not None and request.intent == "stop"
    if _corrects(state) and not stop_asked:
        # The open question still waits for its answer.
        return None if left_s > 0 else "time_up"
    plan = state["interview_plan"]
    assert plan is not None
    return end_reason(
        remaining_s=left_s,
        main_questions=done,
        target=len(plan.topics),
        next_kind=state["question_mode"],
        stop_asked=stop_asked,
        none_left=state.get("current_question") is None,
        wants_more=wants_more(request) or wished,
    )


def _questions_done(state: InterviewState) -> int:
    """Questions of the plan that are behind us; a turn that only corrects an earlier answer deals with none."""
    if _corrects(state):
        return state["question_count"]
    return sum(record.kind == "retrieved" for record in state.get("questions_asked", []))


def _corrects(state: InterviewState) -> bool:
    return state.get("correcting") is not None
