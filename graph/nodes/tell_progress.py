"""How is it going, and how long will it take? Without a score, and without a judgement in an exam."""

from __future__ import annotations

import math
from statistics import fmean

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.feedback.guardrails import HIGH_FROM
from graph.node import Update
from graph.planning.supervision import CRITICAL_BELOW_S
from graph.say import say
from graph.selectors import remaining_s, scores_by_topic, topic_title
from graph.state import InterviewState
from graph.templates import in_mid_sentence

A_QUESTION_S = 4 * 60
"""What a question takes with its answer and feedback, as plans are made."""
_GOOD_FROM = 5.0
"""Mean score of a topic from which on it can be named as going well."""


async def tell_progress(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Answer "how am I doing" or "how long have we got"."""
    request = state["active_user_request"]
    assert request is not None
    tell = _time_left if request.intent == "time_left" else _how_it_goes
    say(state, runtime, "reply", tell(state, runtime.context))
    return {}


def _time_left(state: InterviewState, context: InterviewContext) -> str:
    left_s, plan = remaining_s(state, context), state["interview_plan"]
    assert plan is not None
    if left_s < CRITICAL_BELOW_S:
        return context.wording.say("time_left.last")
    in_plan = len(plan.topics) - state["question_count"]
    questions = max(1, min(in_plan, math.ceil((left_s - CRITICAL_BELOW_S) / A_QUESTION_S)))
    situation = "time_left" if questions > 1 else "time_left.one"
    return context.wording.say(situation, state["turn"], minutes=str(round(left_s / 60)), questions=str(questions))


def _how_it_goes(state: InterviewState, context: InterviewContext) -> str:
    if state["feedback_mode"] == "exam":
        return context.wording.say("doing.exam", state["turn"])
    means = _topic_means(state)
    if not means:
        return context.wording.say("doing.early", state["turn"])
    best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    if means[best] < _GOOD_FROM:
        return context.wording.say("doing.hard", state["turn"], gap=_title(worst, state, context))
    if best == worst or means[worst] >= HIGH_FROM:
        return context.wording.say("doing.well", state["turn"], best=_title(best, state, context))
    best, worst = _title(best, state, context), _title(worst, state, context)
    return context.wording.say("doing.both", state["turn"], best=best, gap=worst)


def _title(topic: str, state: InterviewState, context: InterviewContext) -> str:
    return in_mid_sentence(topic_title(state, context, topic))


def _topic_means(state: InterviewState) -> dict[str, float]:
    """Mean score by topic, the answer of this turn included if it was judged."""
    return {topic: fmean(scores) for topic, scores in scores_by_topic(state).items()}
