"""Read who the interview is for from the résumé and the job description, and what the résumé says of the candidate."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime

from domain.candidate import CandidateProfile
from graph.candidate.by_model import extract_profile
from graph.context import InterviewContext
from graph.language_models.prompt_history import cut_document
from graph.language_models.tasks import CONTEXT
from graph.node import Update
from graph.planning.role import RoleContext, read_role, topics_named
from graph.state import InterviewState

DOCUMENT_TOKENS = 2000
"""What a model is given of each document: about four pages. Both, the prompt and a reply fit 8,192 tokens with room for
languages that take more tokens than are counted; of a longer prompt Ollama drops the beginning without a word."""


async def extract_context(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Role, company, requirements and years; by a model when there is one, else by rule.

    A model reads the beginning of long documents, the rules read all of them.
    """
    context = runtime.context
    profile, role = await asyncio.gather(_profile(state, context), _role(state, context))
    return {
        "role_context": role,
        "resume_structured": profile,
        "resume_skills": list(profile.skills) if profile else [],
    }


async def _profile(state: InterviewState, context: InterviewContext) -> CandidateProfile | None:
    """What is known of the candidate, as it was handed over, or what the text of their résumé says."""
    given, text = state.get("resume_structured"), state.get("resume", "")
    return given if given or not text.strip() else await extract_profile(text, context.models)


async def _role(state: InterviewState, context: InterviewContext) -> RoleContext:
    resume, job = state.get("resume", ""), state.get("job_description", "")
    # Pages of words take a fifth of a second to stem, and other interviews go on meanwhile.
    by_rule = await asyncio.to_thread(read_role, resume, job, context.pack)
    documents = {"resume": resume, "job_description": job}
    found = await context.ask(
        CONTEXT, {name: cut_document(text, DOCUMENT_TOKENS) for name, text in documents.items()}, turn=0
    )
    if found is None:
        return by_rule
    named = topics_named(" ".join(found.requirements), context.pack)
    return RoleContext(
        role=found.role or by_rule.role,
        company=found.company or by_rule.company,
        requirements=named or by_rule.requirements,
        job=by_rule.job,
        years=found.years if found.years > 0 else by_rule.years,
        made_by="model",
    )
