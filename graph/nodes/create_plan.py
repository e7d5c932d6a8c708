"""Plan the interview: topics, their difficulty, and how many questions there is time for."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.ownership import Update
from graph.planning.plan import make_plan
from graph.state import InterviewState


async def create_plan(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Make the plan once, at the start. By rule: the pack's topics in order."""
    plan = make_plan(runtime.context.pack, int(state["time_budget_s"] // 60), state["original_difficulty"])
    return {
        "interview_plan": plan,
        "difficulty_level": plan.difficulty_curve[0],
        "stage": "questioning",
        "question_count": 0,
    }
