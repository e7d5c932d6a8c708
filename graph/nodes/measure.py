"""Measure a judged answer, a metric a node: they run side by side, beside feedback and the choice of a question."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.metrics.measure import communication_clarity_of, reasoning_depth_of, technical_accuracy_of
from graph.node import Update
from graph.state import InterviewState


async def measure_technical_accuracy(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:  # noqa: ARG001 - a node takes both
    """Whether what was said holds, from the verdicts."""
    evaluation = state["current_evaluation"]
    assert evaluation is not None, "only what was judged is measured"
    return {"metric_technical_accuracy": technical_accuracy_of(evaluation)}


async def measure_reasoning_depth(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:  # noqa: ARG001 - a node takes both
    """Whether it was said why, from the words."""
    return {"metric_reasoning_depth": reasoning_depth_of(state["answer"].words)}


async def measure_communication_clarity(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:  # noqa: ARG001 - a node takes both
    """Whether it spoke to what was asked, in an order, from both."""
    evaluation = state["current_evaluation"]
    assert evaluation is not None, "only what was judged is measured"
    return {"metric_communication_clarity": communication_clarity_of(evaluation, state["answer"].words)}
