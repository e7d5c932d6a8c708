"""Profile by a language model, which code checks: what is not in the text is dropped.

Employers, roles, projects, skills, strengths, weaknesses and traits have to stand in the text as the model wrote them,
years and the years of dates as well; a field of work has to be one of the lexicon. Bullets are never taken from a
model: they stay those that the rules read, so that every word of a candidate's is a candidate's. Where no model
answers, or nothing of its reply holds, the profile by rule stands.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable

from domain.candidate import CandidateExperience, CandidateProfile, CandidateProject
from graph.candidate.claims import few_and_short
from graph.candidate.lexicon.matching import lexicon
from graph.candidate.profile import categories_of, read_profile
from graph.candidate.skills import once
from graph.language_models.prompt_history import cut_document
from graph.language_models.protocol import LanguageModels
from graph.language_models.tasks import PROFILE, PositionReply, ProfileReply, ProjectReply

DOCUMENT_TOKENS = 4000
"""What a model is given of a résumé: about eight pages, which with prompt and reply fit 8,192 tokens."""

_DATE = re.compile(r"(?P<year>\d{4})(?:-(?:0[1-9]|1[0-2]))?")


async def extract_profile(text: str, models: LanguageModels | None) -> CandidateProfile:
    """What a résumé says of a person; by a model when one answers, else by rule.

    Args:
        text: of the résumé.
        models: who is asked; None for nobody.
    """
    by_rule = await asyncio.to_thread(read_profile, text)
    found = await models.ask(PROFILE, {"resume": cut_document(text, DOCUMENT_TOKENS)}, turn=0) if models else None
    return checked(found, by_rule, text) if found else by_rule


def checked(reply: ProfileReply, by_rule: CandidateProfile, text: str) -> CandidateProfile:
    """What of a model's reply holds, with what the rules read where it says nothing.

    Args:
        reply: of the model.
        by_rule: what the rules read of the same text.
        text: of the résumé.
    """
    written = _Written(text)
    experience = tuple(each for position in reply.experience if (each := _position(position, by_rule, written)))
    projects = tuple(made for project in reply.projects if (made := _project(project, by_rule, written)))
    skills = _canonical(reply.skills, written)
    if not (experience or projects or skills):
        return by_rule
    field = lexicon().domains.exact(reply.domain)
    domain = field.name if field else by_rule.domain
    skills = skills or by_rule.skills
    years = reply.years if reply.years >= 0 and written.has(str(reply.years)) else by_rule.years
    return by_rule.model_copy(
        update={
            "name": reply.name if reply.name and written.has(reply.name) else by_rule.name,
            "domain": domain,
            "summary": by_rule.summary or reply.summary,
            "skills": skills,
            "categories": categories_of(domain, skills),
            "strengths": _claims(reply.strengths, written) or by_rule.strengths,
            "weaknesses": _claims(reply.weaknesses, written) or by_rule.weaknesses,
            "traits": _claims(reply.traits, written) or by_rule.traits,
            "experience": experience or by_rule.experience,
            "projects": projects or by_rule.projects,
            "years": years,
            "made_by": "model",
        }
    )


class _Written:
    """The words of a text, to look names up in: without case, and without the marks between words."""

    def __init__(self, text: str) -> None:
        self._words = f" {_plain(text)} "

    def has(self, name: str) -> bool:
        """True when the text has these words in this order."""
        plain = _plain(name)
        return bool(plain) and f" {plain} " in self._words


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w+#]+", text.casefold()))


def _position(reply: PositionReply, by_rule: CandidateProfile, written: _Written) -> CandidateExperience | None:
    if not written.has(reply.employer):
        return None
    role = reply.role if written.has(reply.role) else ""
    start, end = (_date(date, written) for date in (reply.start, reply.end))
    same = [each for each in by_rule.experience if _plain(each.employer) == _plain(reply.employer)]
    rule = next((each for each in same if _plain(each.role) == _plain(role)), same[0] if same else None)
    if rule is None:
        return CandidateExperience(employer=reply.employer, role=role, start=start, end=end)
    return rule.model_copy(update={"role": role or rule.role, "start": start or rule.start, "end": end or rule.end})


def _project(reply: ProjectReply, by_rule: CandidateProfile, written: _Written) -> CandidateProject | None:
    if not written.has(reply.name):
        return None
    rule = next((each for each in by_rule.projects if _plain(each.name) == _plain(reply.name)), None)
    skills = _canonical(reply.skills, written)
    if rule is None:
        return CandidateProject(name=reply.name, skills=skills)
    return rule.model_copy(update={"skills": tuple(dict.fromkeys([*rule.skills, *skills]))})


def _claims(said: Iterable[str], written: _Written) -> tuple[str, ...]:
    """What the text has word for word: its place in the résumé is the evidence for it."""
    return few_and_short(each.strip() for each in said if written.has(each))


def _canonical(skills: Iterable[str], written: _Written) -> tuple[str, ...]:
    return once(lexicon().canonical(skill) for skill in skills if written.has(skill))


def _date(date: str, written: _Written) -> str:
    if date.casefold() == "present":
        return "present"
    match = _DATE.fullmatch(date.strip())
    return date.strip() if match and written.has(match["year"]) else ""
