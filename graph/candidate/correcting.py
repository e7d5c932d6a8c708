"""Correcting: a profile as its candidate typed it, in the shape that readers of profiles expect."""

from __future__ import annotations

from collections.abc import Iterable

from domain.candidate import CandidateProfile
from graph.candidate.lexicon.matching import lexicon
from graph.candidate.profile import categories_of
from graph.candidate.skills import once


def as_corrected(profile: CandidateProfile) -> CandidateProfile:
    """The profile with canonical names of skills, its categories anew, and nothing empty in its lists."""
    skills = once(map(lexicon().canonical, _said(profile.skills)))
    return profile.model_copy(
        update={
            "skills": skills,
            "categories": categories_of(profile.domain, skills),
            "projects": tuple(
                each.model_copy(update={"did": _said(each.did)}) for each in profile.projects if each.name.strip()
            ),
            "experience": tuple(
                each.model_copy(update={"did": _said(each.did)})
                for each in profile.experience
                if each.employer.strip() or each.role.strip()
            ),
            "education": tuple(each for each in profile.education if each.school.strip() or each.degree.strip()),
            "made_by": "candidate",
        }
    )


def _said(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text for each in texts if (text := each.strip()))
