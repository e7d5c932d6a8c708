"""Welcome the candidate by name, say what will happen and that it is recorded."""

from __future__ import annotations

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.node import Update
from graph.say import say
from graph.selectors import mode_in_force, resume_anchors
from graph.state import InterviewState
from graph.templates import in_mid_sentence


async def greet(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Speak the greeting with the consent notice; who was here before is welcomed back."""
    wording, role = runtime.context.wording, state.get("role_context")
    subject = in_mid_sentence(runtime.context.pack.title)
    if mode_in_force(state) == "resume" and resume_anchors(state):
        subject = wording.say("greeting.resume")
    if role and role.role and role.company:
        subject = wording.say("greeting.for_role", pack=subject, role=role.role, company=role.company)
    hello = "hello_again" if state.get("is_known") else "hello"
    text = wording.say(
        f"greeting.{state['medium']}.{'exam' if state['feedback_mode'] == 'exam' else 'practice'}",
        hello=wording.say(f"greeting.{hello}", name=state["candidate_name"]),
        pack=subject,
        minutes=str(int(state["time_budget_s"] // 60)),
    )
    say(state, runtime, "greeting", text)
    return {"messages": [AIMessage(text)]}
