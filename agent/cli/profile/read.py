"""Reading, `viva profile read`: what is in a document, for people or as JSON."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape

from agent.documents.document import Document
from agent.interviews.language_models import make_models
from agent.settings import Settings
from domain.candidate import CandidateProfile, JobRequirements
from domain.events import nobody
from graph.candidate.by_model import extract_profile
from graph.candidate.job import read_job
from graph.candidate.profile import doubt
from graph.language_models.session import InterviewModels

_FIRST_BULLETS = 3
"""Of a position that are shown; --json has all."""


def print_text(document: Document) -> None:
    """Print the text of a document, and what is to be said of it on standard error."""
    _tell(document.notes)
    sys.stdout.write(f"{document.text.rstrip()}\n")


def print_profile(document: Document, settings: Settings | None, *, as_json: bool) -> CandidateProfile:
    """Print what a résumé says; it comes back.

    Args:
        document: the résumé.
        settings: name the language models; None for rules alone.
        as_json: print every field as JSON.

    Raises:
        LanguageModelError: a model that the settings name cannot be loaded.
    """
    _tell([*document.notes, *filter(None, [doubt(document.text)])])
    profile = asyncio.run(_extract(document.text, settings))
    if as_json:
        sys.stdout.write(f"{profile.model_dump_json(indent=2)}\n")
    else:
        _show_profile(profile, Console(highlight=False, soft_wrap=True))
    return profile


def print_job(document: Document, *, as_json: bool) -> None:
    """Print what a job description asks for."""
    _tell(document.notes)
    job = read_job(document.text)
    if as_json:
        sys.stdout.write(f"{job.model_dump_json(indent=2)}\n")
    else:
        _show_job(job, Console(highlight=False, soft_wrap=True))


async def _extract(text: str, settings: Settings | None) -> CandidateProfile:
    shared = await make_models(settings) if settings else None
    return await extract_profile(text, InterviewModels(shared, nobody, time.time) if shared else None)


def _tell(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        sys.stderr.write(f"Note: {sentence}\n")


def _show_profile(profile: CandidateProfile, console: Console) -> None:
    years = f"{profile.years} years of experience" if profile.years is not None else ""
    _line(console, profile.name or "(no name was found)", profile.domain, years)
    _list(console, "Summary", [profile.summary])
    _list(console, "Skills", [", ".join(profile.skills)])
    _list(console, "Categories", [", ".join(profile.categories)])
    if profile.experience:
        _heading(console, "Experience")
    for position in profile.experience:
        _line(console, position.employer, position.role, _period(position.start, position.end))
        _bullets(console, position.did)
    if profile.projects:
        _heading(console, "Projects")
    for project in profile.projects:
        _line(console, project.name, _period(project.start, project.end), ", ".join(project.skills))
        _bullets(console, project.did)
    if profile.education:
        _heading(console, "Education")
    for degree in profile.education:
        _line(console, degree.school, degree.degree, _period(degree.start, degree.end))


def _show_job(job: JobRequirements, console: Console) -> None:
    years = f"{job.years} years of experience" if job.years is not None else ""
    _line(console, job.role or "(no role was found)", job.company, job.seniority or "", years)
    _list(console, "Must have", [", ".join(job.must_have)])
    _list(console, "Nice to have", [", ".join(job.nice_to_have)])


def _heading(console: Console, title: str) -> None:
    console.print(f"\n[bold]{title}[/bold]")


def _line(console: Console, *parts: str) -> None:
    console.print(escape(" · ".join(filter(None, parts))))


def _list(console: Console, title: str, lines: Iterable[str]) -> None:
    if kept := [line for line in lines if line]:
        _heading(console, title)
        for line in kept:
            console.print(escape(line))


def _bullets(console: Console, did: Sequence[str]) -> None:
    for sentence in did[:_FIRST_BULLETS]:
        console.print(escape(f"  - {sentence}"))
    if len(did) > _FIRST_BULLETS:
        console.print(f"  … and {len(did) - _FIRST_BULLETS} more")


def _period(start: str, end: str) -> str:
    return f"{start} to {end}" if start and end else start or end
