"""Welcome the candidate by name, say what will happen and that it is recorded."""

from __future__ import annotations

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from graph.context import InterviewContext, Say
from graph.ownership import Update
from graph.state import InterviewState
from graph.wording import in_mid_sentence


async def greet(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Speak the greeting with the consent notice."""
    context = runtime.context
    text = context.wording.say(
        f"greeting.{state['feedback_mode']}",
        name=state["candidate_name"],
        pack=in_mid_sentence(context.pack.title),
        minutes=str(int(state["time_budget_s"] // 60)),
    )
    runtime.stream_writer(Say("greeting", text))
    return {"messages": [AIMessage(text)]}
