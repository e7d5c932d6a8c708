"""Say what was missing, or give nothing away, or keep feedback for the report: the candidate may change their mind."""

from __future__ import annotations

from langgraph.runtime import Runtime

from domain.events import SettingChanged
from domain.feedback import feedback_mode_of
from domain.vocabulary import FeedbackMode, Intent
from graph.context import InterviewContext
from graph.node import Update
from graph.say import say
from graph.state import InterviewState


async def switch_feedback(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """From the next answer on."""
    context, request = runtime.context, state["active_user_request"]
    assert request is not None
    before = feedback_mode_of(state["feedback_mode"])
    wanted = _wanted(request.intent, before)
    say(state, runtime, "reply", context.wording.say(request.intent, state["turn"]))
    if wanted != before:
        context.emit(SettingChanged(at=context.clock(), turn=state["turn"], what="feedback", value=wanted))
    return {"feedback_mode": wanted}


def _wanted(intent: Intent, before: FeedbackMode) -> FeedbackMode:
    """How answers are met from now on. Who asks for feedback where they get it already, keeps the kind they have."""
    match intent:
        case "feedback_coach":
            return "coach"
        case "feedback_interviewer":
            return "interviewer"
        case "feedback_later":
            return "exam"
        case _:
            return "coach" if before == "exam" else before
