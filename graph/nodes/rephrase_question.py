"""Ask the open question in other words."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.node import Update
from graph.say import say
from graph.selectors import open_question
from graph.state import InterviewState
from graph.templates import in_mid_sentence


async def rephrase_question(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """The same matter from its ideas: what the question is after, then the question itself."""
    question, context = open_question(state), runtime.context
    names = [in_mid_sentence(name) for name in question.concepts] or [in_mid_sentence(question.topic_title)]
    text = context.wording.say("rephrase", state["turn"], concepts=spoken_list(names), question=question.text)
    say(state, runtime, "question", text, question.id)
    return {}


def spoken_list(names: list[str]) -> str:
    """Names as they are listed aloud: "one, two and three"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else ""
