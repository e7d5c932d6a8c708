"""Ask the open question again, in the same words; also when the candidate wants another that there is not."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.node import Update
from graph.say import say
from graph.selectors import open_question
from graph.state import InterviewState


async def repeat_question(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Once more the question: because it was asked for, after a break of the line, or after another answer."""
    question = open_question(state)
    text = runtime.context.wording.say(_situation(state), state["turn"], question=question.text)
    say(state, runtime, "question", text, question.id)
    return {}


def _situation(state: InterviewState) -> str:
    if state["candidate_response"] is None:
        return "resume"
    if state.get("correcting"):
        return "back"
    request = state.get("active_user_request")
    if request and request.intent == "about_resume":
        return "about_resume.nothing"
    return "go_on" if request and request.intent == "go_on" else "repeat"
