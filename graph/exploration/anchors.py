"""Anchors: what of a résumé a question can hang on, and how much each of them matters for the job.

An anchor weighs more the better it fits the job, the more recent it is, and the more is said of it; a project before a
position, a position before a skill, a skill before a degree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from domain.candidate import CandidateExperience, CandidateProfile, CandidateProject, JobRequirements
from domain.vocabulary import AnchorType
from graph.exploration.spoken_names import spoken_degree, spoken_position, spoken_project, spoken_skill
from graph.judging.text.stems import content_stems

_BASE: dict[AnchorType, float] = {"project": 1.0, "experience": 0.75, "skill": 0.4, "education": 0.1}
_RELEVANCE, _RECENCY, _SUBSTANCE = 0.5, 0.25, 0.25
_ENOUGH_HITS, _ENOUGH_SAID = 3, 3
_WELCOME = 0.6
"""What a skill counts that the job only welcomes; one that it requires counts one."""
_YEARS_BACK = 8
"""After so many years something counts as long ago."""
_UNKNOWN = 0.5
_YEAR = re.compile(r"\d{4}")
_NOT_IN_ID = re.compile(r"[^a-z0-9]{1,100}")
_LONGEST_ID = 60


@dataclass(frozen=True, slots=True)
class Anchor:
    """Something that the candidate did or knows."""

    id: str
    """`project_1`, `skill_python`, `experience_2`, `education_1`: by its place in the résumé, or its name."""
    kind: AnchorType
    title: str
    """As people read it: "Billing migration"."""
    name: str
    """As the interviewer speaks of it: "the billing migration", "your time at Contoso"."""
    employer: str = ""
    did: tuple[str, ...] = ()
    """What was done, a sentence or bullet each."""
    skills: tuple[str, ...] = ()
    end: str = ""
    weight: float = 0.0
    """How much it matters for the job; no unit."""

    @property
    def stems(self) -> frozenset[str]:
        """Of everything that names it, to find it by."""
        return content_stems(" ".join((self.title, self.employer, *self.skills)))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a job asks for."""

    stems: frozenset[str]
    """Of its whole description."""
    worth: Mapping[str, float]
    """What each skill that it asks for counts, 0 to 1, by its name without case."""


def anchors_of(
    profile: CandidateProfile | None, job_description: str = "", job: JobRequirements | None = None
) -> tuple[Anchor, ...]:
    """The anchors of a résumé, the weightiest first; none, when it says nothing that could be asked about.

    Args:
        profile: what the résumé says.
        job_description: what the job asks for; without one, what is named most often counts as what fits.
        job: what of it is required and what only welcome, where somebody has read it.
    """
    if profile is None:
        return ()
    found = [*_projects(profile), *_positions(profile), *_skills(profile), *_degrees(profile)]
    wanted, newest = _wanted(job_description, job), _newest(found)
    weighed = [replace(each, weight=_weight(each, profile, wanted, newest)) for each in found]
    return tuple(sorted(weighed, key=lambda each: -each.weight))


def _wanted(job_description: str, job: JobRequirements | None) -> _Wanted | None:
    stems = content_stems(job_description)
    if not stems:
        return None
    required, welcome = (job.must_have, job.nice_to_have) if job else ((), ())
    worth = {**{each.casefold(): _WELCOME for each in welcome}, **{each.casefold(): 1.0 for each in required}}
    return _Wanted(stems, worth)


def _projects(profile: CandidateProfile) -> Iterator[Anchor]:
    names = (
        *profile.skills,
        *(each.employer for each in _work(profile)),
        *(s for e in _work(profile) for s in e.skills),
    )
    proper = frozenset(word.lower() for name in names for word in name.split())
    for number, each in enumerate(profile.projects, start=1):
        if title := each.name.strip():
            end = each.end or each.start
            yield Anchor(
                f"project_{number}",
                "project",
                title,
                spoken_project(title, proper),
                each.employer,
                each.did,
                each.skills,
                end,
            )


def _positions(profile: CandidateProfile) -> Iterator[Anchor]:
    told = {line.casefold().strip() for project in profile.projects for line in project.did}
    for number, each in enumerate(profile.experience, start=1):
        if title := each.employer.strip() or each.role.strip():
            did = tuple(line for line in each.did if line.casefold().strip() not in told)
            name = spoken_position(each.employer.strip(), each.role.strip())
            end = each.end or each.start
            yield Anchor(f"experience_{number}", "experience", title, name, each.employer, did, each.skills, end)


def _skills(profile: CandidateProfile) -> Iterator[Anchor]:
    named = (*profile.skills, *(skill for each in _work(profile) for skill in each.skills))
    ids: set[str] = set()
    for skill in named:
        id_ = f"skill_{_NOT_IN_ID.sub('_', _spelled(skill))[:_LONGEST_ID].strip('_')}"
        if id_ == "skill_" or id_ in ids:
            continue
        ids.add(id_)
        yield Anchor(id_, "skill", skill, spoken_skill(skill), skills=(skill,), end=_last_used(skill, profile))


def _degrees(profile: CandidateProfile) -> Iterator[Anchor]:
    for number, each in enumerate(profile.education, start=1):
        if name := spoken_degree(each.degree.strip(), each.subject.strip(), each.school.strip()):
            parts = [each.degree.strip(), "" if each.subject in each.degree else each.subject.strip()]
            title = " ".join(filter(None, parts)) or each.school.strip()
            yield Anchor(f"education_{number}", "education", title, name, each.school, end=each.end or each.start)


def _spelled(skill: str) -> str:
    """C, C++ and C# are three skills."""
    return skill.lower().replace("+", "p").replace("#", "sharp")


def _work(profile: CandidateProfile) -> tuple[CandidateProject | CandidateExperience, ...]:
    return (*profile.projects, *profile.experience)


def _last_used(skill: str, profile: CandidateProfile) -> str:
    ends = [each.end or each.start for each in _work(profile) if skill in each.skills]
    return "present" if "present" in ends else max(ends, default="")


def _newest(anchors: Sequence[Anchor]) -> int:
    return max((year for each in anchors if (year := _year(each.end))), default=0)


def _year(date: str) -> int:
    found = _YEAR.search(date[:20])
    return int(found[0]) if found else 0


def _weight(anchor: Anchor, profile: CandidateProfile, wanted: _Wanted | None, newest: int) -> float:
    fits = _fit(anchor, wanted) if wanted else _mentions(anchor, profile)
    said = min(len(anchor.did), _ENOUGH_SAID) / _ENOUGH_SAID
    substance = said if anchor.kind in ("project", "experience") else _mentions(anchor, profile)
    weight = _BASE[anchor.kind] + _RELEVANCE * fits + _RECENCY * _recency(anchor, newest) + _SUBSTANCE * substance
    return round(weight, 3)


def _fit(anchor: Anchor, wanted: _Wanted) -> float:
    """How much of the job is in it: its skills that the job asks for or names, or else its words."""
    skills = sum(_asked_for(skill, wanted) for skill in anchor.skills)
    if anchor.kind == "skill":
        return skills
    words = content_stems(" ".join((anchor.title, *anchor.did))) & wanted.stems
    return min(1.0, (skills + len(words) / 3) / _ENOUGH_HITS)


def _asked_for(skill: str, wanted: _Wanted) -> float:
    """What a skill counts: as much as it is asked for; as one that is welcome where the job only mentions it.

    Where nobody has read what is required, a mention is all that can be known, and counts whole.
    """
    if (worth := wanted.worth.get(skill.casefold())) is not None:
        return worth
    mentioned = bool((stems := content_stems(skill)) and stems <= wanted.stems)
    return mentioned * (_WELCOME if wanted.worth else 1.0)


def _mentions(anchor: Anchor, profile: CandidateProfile) -> float:
    """How often what somebody can do is named where they did something."""
    if anchor.kind != "skill":
        return _UNKNOWN
    times = sum(anchor.title in each.skills for each in _work(profile))
    return min(1.0, times / _ENOUGH_HITS)


def _recency(anchor: Anchor, newest: int) -> float:
    if anchor.end.casefold() == "present":
        return 1.0
    year = _year(anchor.end)
    return max(0.0, 1 - (newest - year) / _YEARS_BACK) if year else _UNKNOWN
