"""The short paths: what the candidate asked for instead of answering. Nothing here is ever judged."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph.context import InterviewContext, Say
from graph.ownership import Update
from graph.state import InterviewState


async def repeat_question(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Ask the current question again, in the same words; after an interruption of the line with an apology."""
    question = state["current_question"]
    assert question is not None
    situation = "resume" if state["candidate_response"] is None else "repeat"
    text = runtime.context.wording.say(situation, state["turn"], question=question.text)
    runtime.stream_writer(Say("question", text, question.id))
    return {}


async def wait_for_candidate(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Grant the time the candidate asked for."""
    runtime.stream_writer(Say("reply", runtime.context.wording.say("hold", state["turn"])))
    return {}


async def skip_question(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Let the question go; the next one is chosen after this."""
    runtime.stream_writer(Say("reply", runtime.context.wording.say("skip", state["turn"])))
    return {}
