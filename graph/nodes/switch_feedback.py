"""Give feedback after each answer, or keep it for the report: the candidate may change their mind."""

from __future__ import annotations

from langgraph.runtime import Runtime

from domain.events import SettingChanged
from domain.vocabulary import FeedbackMode
from graph.context import InterviewContext
from graph.node import Update
from graph.say import say
from graph.state import InterviewState


async def switch_feedback(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """From the next answer on."""
    context, request = runtime.context, state["active_user_request"]
    assert request is not None
    wanted: FeedbackMode = "practice" if request.intent == "feedback_now" else "exam"
    say(state, runtime, "reply", context.wording.say(request.intent, state["turn"]))
    if wanted != state["feedback_mode"]:
        context.emit(SettingChanged(at=context.clock(), turn=state["turn"], what="feedback", value=wanted))
    return {"feedback_mode": wanted}
