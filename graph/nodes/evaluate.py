"""Judge the answer, out of the candidate's sight."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.ownership import Update
from graph.state import InterviewState


async def evaluate(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Verdicts and scores for the answer to the current question."""
    question = state["current_question"]
    assert question is not None, "an answer is judged only after a question was asked"
    words = (state["candidate_response"] or "").split()
    evaluation = await runtime.context.judges.evaluate(question, words)
    runtime.context.recorder.answer_judged(state["turn"], evaluation)
    return {"current_evaluation": evaluation}
