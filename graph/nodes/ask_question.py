"""Ask the question that was chosen, now that the interview goes on."""

from __future__ import annotations

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.ownership import Update
from graph.questions import QuestionRecord
from graph.reading import open_question
from graph.speaking import say
from graph.state import InterviewState


async def ask_question(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Speak the question and remember that it was asked."""
    question = open_question(state)
    say(state, runtime, "question", question.spoken, question.id)
    record = QuestionRecord(
        id=question.id,
        text=question.text,
        kind=question.kind,
        topic=question.topic,
        difficulty=question.difficulty,
        turn=state["turn"],
    )
    return {"questions_asked": [record], "messages": [AIMessage(question.spoken)], "hints_given": 0}
