"""Read who the interview is for from the résumé and the job description."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.language_models.tasks import CONTEXT
from graph.ownership import Update
from graph.planning.role import RoleContext, read_role, topics_named
from graph.state import InterviewState


async def extract_context(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Role, company, requirements and years; by a model when there is one, else by rule."""
    context = runtime.context
    resume, job = state.get("resume", ""), state.get("job_description", "")
    by_rule = read_role(resume, job, context.pack)
    found = await context.ask(CONTEXT, {"resume": resume, "job_description": job}, turn=0)
    if found is None:
        return {"role_context": by_rule}
    named = topics_named(" ".join(found.requirements), context.pack)
    return {
        "role_context": RoleContext(
            role=found.role or by_rule.role,
            company=found.company or by_rule.company,
            requirements=named or by_rule.requirements,
            years=found.years if found.years > 0 else by_rule.years,
            made_by="model",
        )
    }
