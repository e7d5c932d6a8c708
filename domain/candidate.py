"""Candidate: what is known of a person who practises: what a résumé says, as one shape for every reader of it.

Reading a résumé makes it (by rule or by a model), the candidate corrects it, the profile store keeps it across
interviews, and the question source of the résumé asks about its anchors.
"""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict

from domain.frozen_model import FrozenModel
from domain.vocabulary import Seniority


def _sent_whole(schema: dict[str, Any]) -> None:
    schema["required"] = list(schema["properties"])


class _Both(FrozenModel):
    """What is served and comes back corrected: described as it is served, whole. What is left out is empty."""

    model_config = ConfigDict(json_schema_extra=_sent_whole)


class CandidateProject(_Both):
    """Something that was made or brought about, at work or outside of it."""

    name: str
    did: tuple[str, ...] = ()
    """What was done and what came of it, a sentence or bullet each, in the candidate's words."""
    skills: tuple[str, ...] = ()
    """Canonical names of the skills it names."""
    employer: str = ""
    """Where it was done; empty when the résumé does not say."""
    start: str = ""
    """ISO year or year and month ("2021", "2021-04"); empty when the résumé does not say."""
    end: str = ""
    """The same, or "present"."""


class CandidateExperience(_Both):
    """A position that was held."""

    employer: str
    role: str = ""
    start: str = ""
    """ISO year or year and month; empty when the résumé does not say."""
    end: str = ""
    """The same, or "present"."""
    did: tuple[str, ...] = ()
    """What was done, a bullet each, in the candidate's words."""
    skills: tuple[str, ...] = ()
    """Canonical names of the skills it names."""


class CandidateEducation(_Both):
    """A degree or a course."""

    school: str
    degree: str = ""
    subject: str = ""
    start: str = ""
    end: str = ""


class CandidateProfile(_Both):
    """What a résumé says of a person. What it does not say stays empty; nothing is guessed."""

    name: str = ""
    domain: str = ""
    """Canonical name of their field ("Backend development")."""
    summary: str = ""
    """Two or three sentences."""
    skills: tuple[str, ...] = ()
    """Canonical names; those that the lexicon does not know as they were written. In the résumé's order, each once."""
    categories: tuple[str, ...] = ()
    """Categories of domain and skills, each once."""
    strengths: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    projects: tuple[CandidateProject, ...] = ()
    experience: tuple[CandidateExperience, ...] = ()
    education: tuple[CandidateEducation, ...] = ()
    years: int | None = None
    """Years of experience; None when the résumé does not say."""
    made_by: str = "rules"
    """"rules", "model" or "candidate" for one that was edited."""


class JobRequirements(FrozenModel):
    """What a job description asks for. What it does not say stays empty."""

    role: str = ""
    """The job's title, as it is written."""
    company: str = ""
    must_have: tuple[str, ...] = ()
    """Canonical names of the skills that are required."""
    nice_to_have: tuple[str, ...] = ()
    """Canonical names of those that are only welcome."""
    seniority: Seniority | None = None
    years: int | None = None
    """Years of experience that are asked for."""
    made_by: str = "rules"
    """"rules" or "model"."""
