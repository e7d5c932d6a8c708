"""Plan the interview: topics, their difficulty, and how many questions there is time for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from langgraph.runtime import Runtime

from domain.events import PlanMade
from graph.context import InterviewContext
from graph.language_models.tasks import PLAN, PlanReply
from graph.node import Update
from graph.planning.asked_before import begun_with
from graph.planning.plan import InterviewPlan, make_plan, plan_of, target_questions
from graph.planning.role import RoleContext
from graph.selectors import asked_before
from graph.state import InterviewState
from graph.validators import Check, first_fault

_MOST_SKILLS = 12
"""Skills of a job that a model is told of, those that are required and those that are welcome each."""
_MOST_REQUIREMENTS = 3
"""Topics that a job description puts in focus; a longer list is no focus."""


async def create_plan(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Make the plan once, at the start: by a model when there is one, else the pack's topics by rule."""
    context = runtime.context
    role = state.get("role_context")
    focus = tuple(state.get("focus_topics", ())) or (role.requirements[:_MOST_REQUIREMENTS] if role else ())
    arranged = partial(_arranged, state=state, context=context)
    plan = await _by_model(state, context, focus, arranged) or make_plan(
        context.pack,
        _minutes(state),
        state["original_difficulty"],
        arranged(focus),
        arranged([topic.id for topic in context.pack.topics]),
    )
    context.emit(
        PlanMade(
            at=context.clock(),
            topics=list(plan.topics),
            topic_titles=[context.topic_title(topic) for topic in plan.topics],
            difficulty_curve=list(plan.difficulty_curve),
            target_questions=len(plan.topics),
            by=plan.made_by,
        )
    )
    return {
        "interview_plan": plan,
        "difficulty_level": plan.difficulty_curve[0],
        "stage": "questioning",
        "question_count": 0,
    }


def _arranged(topics: Sequence[str], *, state: InterviewState, context: InterviewContext) -> list[str]:
    """Topics in the order in which this candidate goes through them."""
    return begun_with(
        topics,
        context.pack.questions,
        state["original_difficulty"],
        asked=asked_before(state),
        fundamentals=[topic.id for topic in context.pack.topics if topic.fundamental],
        seed=state.get("seed", 0),
    )


async def _by_model(
    state: InterviewState,
    context: InterviewContext,
    focus: tuple[str, ...],
    arranged: Callable[[Sequence[str]], list[str]],
) -> InterviewPlan | None:
    count, role = target_questions(_minutes(state)), state.get("role_context")
    reply = await context.ask(
        PLAN,
        {
            "topics": "\n".join(f"{topic.id}: {topic.title}" for topic in context.pack.topics),
            "focus": ", ".join(focus) or "none",
            "role": _job(role),
            "difficulty": state["original_difficulty"],
            "questions": str(count),
        },
        turn=0,
        check=partial(first_fault, plan_checks(frozenset(topic.id for topic in context.pack.topics), count)),
    )
    if reply is None:
        return None
    return plan_of(arranged(reply.topics[:count]), context.pack, state["original_difficulty"], made_by="model")


def _job(role: RoleContext | None) -> str:
    """The job in a line, with what it asks for."""
    if role is None or not role.role:
        return "not known"
    job = role.job
    parts = {"requires": job.must_have, "welcomes": job.nice_to_have} if job else {}
    named = (f"{what} {', '.join(skills[:_MOST_SKILLS])}" for what, skills in parts.items() if skills)
    return "; ".join([f"{role.role} at {role.company}", *named])


def plan_checks(topics: frozenset[str], count: int) -> tuple[Check[PlanReply], ...]:
    """The gate of a model's plan: topics of the pack only, as many as there are questions."""

    def known(reply: PlanReply) -> str:
        unknown = next((topic for topic in reply.topics if topic not in topics), None)
        return "" if unknown is None else f"{unknown!r} is no topic; the topics are {', '.join(sorted(topics))}"

    def enough(reply: PlanReply) -> str:
        return "" if len(reply.topics) >= count else f"{count} topics are needed, one for each question"

    return Check("topics of the pack", known), Check("enough topics", enough)


def _minutes(state: InterviewState) -> int:
    return int(state["time_budget_s"] // 60)
