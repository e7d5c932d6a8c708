"""Put the three metrics of an answer together, once all of them are there."""

from __future__ import annotations

from langgraph.runtime import Runtime

from domain.events import AnswerMeasured
from graph.context import InterviewContext
from graph.metrics.measure import together
from graph.node import Update
from graph.state import InterviewState


async def combine_metrics(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Tell the record, from which the candidate's profile takes them, and keep them for the end.

    Nothing in the interview waits for it.
    """
    accuracy = state["metric_technical_accuracy"]
    depth, clarity = state["metric_reasoning_depth"], state["metric_communication_clarity"]
    assert accuracy is not None, "an answer without scores is not measured"
    metrics = together(accuracy, depth, clarity)
    runtime.context.emit(AnswerMeasured(at=runtime.context.clock(), turn=state["turn"], metrics=metrics))
    return {"answer_metrics": {state["turn"]: metrics}}
