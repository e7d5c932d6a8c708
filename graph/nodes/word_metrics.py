"""Have a model word the feedback on an answer's metrics, while the candidate listens to the next question."""

from __future__ import annotations

from langgraph.runtime import Runtime

from domain.events import AnswerMeasured
from graph.context import InterviewContext
from graph.metrics.model_wording import worded_by_model
from graph.node import Update
from graph.state import InterviewState


async def word_metrics(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Tell the record the model's words in place of the rule's, where there are any; the scores stay."""
    turn, context = state["turn"], runtime.context
    worded = await worded_by_model(state["answer_metrics"][turn], state, context)
    if worded is None:
        return {}
    context.emit(AnswerMeasured(at=context.clock(), turn=turn, metrics=worded))
    return {"answer_metrics": {turn: worded}}
