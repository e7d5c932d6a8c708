"""Time left in an interview."""

from __future__ import annotations

from graph.context import InterviewContext
from graph.state import InterviewState


def remaining_s(state: InterviewState, context: InterviewContext) -> float:
    """Seconds left of the time budget, never below zero."""
    elapsed = context.clock() - state["interview_start_time"]
    return max(0.0, state["time_budget_s"] - elapsed)
