"""Thank the candidate and say goodbye."""

from __future__ import annotations

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.node import Update
from graph.say import say
from graph.state import InterviewState


async def close_interview(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Speak the closing that fits the reason for the end."""
    wording = runtime.context.wording
    text = wording.say(wording.by(state["medium"], f"closing.{state['end_reason']}"), name=state["candidate_name"])
    say(state, runtime, "closing", text)
    return {"messages": [AIMessage(text)]}
