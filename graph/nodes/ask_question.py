"""Ask the question that was chosen, now that the interview goes on."""

from __future__ import annotations

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from graph.context import InterviewContext, Say
from graph.ownership import Update
from graph.questions import QuestionRecord
from graph.state import InterviewState


async def ask_question(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Speak the question and remember that it was asked."""
    question = state["current_question"]
    assert question is not None
    runtime.stream_writer(Say("question", question.spoken, question.id))
    record = QuestionRecord(
        id=question.id, text=question.text, kind=question.kind, topic=question.topic, turn=state["turn"]
    )
    return {"questions_asked": [record], "messages": [AIMessage(question.spoken)]}
