"""Role: the job, the company and what it asks for, read from a résumé and a job description.

Without a model by rule: the first line that names a job is the role, "at X" or "X is hiring" the company, the largest
number of years the experience, and every topic and concept of the question pack that is named is a requirement. Topics
that the job requires go before those that are only welcome, and these before what is only mentioned.
"""

from __future__ import annotations

import re
from itertools import islice

from pydantic import BaseModel, ConfigDict

from domain.candidate import JobRequirements
from graph.candidate.job import read_job
from graph.judging.text.stems import content_stems
from rag.embedding.embedder import Embedder
from rag.packs.pack import Pack

_JOB = r"(?:engineer|developer|scientist|analyst|architect|manager|designer|administrator|researcher|consultant|lead)"
_ROLE = re.compile(
    rf"\b((?:(?:senior|junior|staff|principal|lead|mid-level|full[- ]stack|front[- ]?end|back[- ]?end|machine|learning|"
    rf"data|software|site|reliability|devops|platform|cloud|mobile|web|ml|ai|python|java|go|research|product|qa|test)"
    rf"[ /-]+){{0,5}}{_JOB})\b",
    re.IGNORECASE,
)
# Every quantifier over what somebody typed is bounded, or made so that each character is looked at once: `re` holds the
# interpreter's lock, so a search that is quadratic in 50,000 characters freezes the whole process.
_NAME = r"[A-Z][\w&.-]{0,60}(?:\s{1,10}[A-Z][\w&.-]{0,60}){0,3}"
_COMPANY_LINE = re.compile(r"^[^\S\n]*company:\s{0,20}([^\n.;]{2,50})", re.IGNORECASE | re.MULTILINE)
_COMPANY_AT = re.compile(rf"\b(?:[Aa]t|[Jj]oin)\s{{1,10}}({_NAME})")
_HIRES = re.compile(r"\bis\s{1,10}(?:hiring|looking)\b")
_HIRING = re.compile(rf"\b({_NAME})\s{{1,10}}\Z")
_LONGEST_NAME = 4 * 61 + 4 * 10
"""Characters that `_HIRING` may match."""
_MOST_HIRING = 20
"""Places at which a name is looked for before "is hiring"."""
_YEARS = re.compile(r"\b(\d{1,2})\s{0,10}(?:\+\s{0,10})?(?:years|yrs)\b", re.IGNORECASE)
_MOST_YEARS = 50


class RoleContext(BaseModel):
    """What a résumé and a job description say, as far as the interview uses it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: str = ""
    company: str = ""
    requirements: tuple[str, ...] = ()
    """Topics of the pack that are asked for, as ids: what is required first, then the most often named."""
    job: JobRequirements | None = None
    """What the job description asks for; None without one."""
    years: int | None = None
    """Years of experience the candidate has; None when the résumé does not say."""
    made_by: str = "rules"


def read_role(resume: str, job_description: str, pack: Pack) -> RoleContext:
    """The role context, by rule. Texts may be empty; what is not said stays empty."""
    both = f"{job_description}\n{resume}"
    role = _ROLE.search(both)
    job = job_description
    company = _COMPANY_LINE.search(job) or _COMPANY_AT.search(job) or _who_hires(job)
    asked = read_job(job) if job.strip() else None
    years = [int(number) for number in _YEARS.findall(resume) if int(number) <= _MOST_YEARS]
    return RoleContext(
        role=" ".join(role[1].split()) if role else "",
        company=company[1].strip() if company else "",
        requirements=topics_asked(asked, job, pack) if asked else topics_named(resume, pack),
        job=asked,
        years=max(years) if years else None,
    )


def topics_asked(job: JobRequirements, text: str, pack: Pack) -> tuple[str, ...]:
    """Ids of the topics that a job asks for: those of what it requires, of what is welcome, of its whole text."""
    texts = (" ".join(job.must_have), " ".join(job.nice_to_have), text)
    return tuple(dict.fromkeys(topic for each in texts for topic in topics_named(each, pack)))


def _who_hires(text: str) -> re.Match[str] | None:
    """The name before the first "is hiring" that has one."""
    for hires in islice(_HIRES.finditer(text), _MOST_HIRING):
        begin = max(0, hires.start() - _LONGEST_NAME)
        if named := _HIRING.search(text, begin, hires.start()):
            return named
    return None


def topics_named(text: str, pack: Pack) -> tuple[str, ...]:
    """Ids of the pack's topics that a text names, by their title or by their questions' concepts; most named first."""
    stems = content_stems(text)
    weight = {topic.id: float(_names(topic.title, stems)) * 2 for topic in pack.topics}
    names = {concept.id: concept.name for concept in pack.concepts}
    counted: set[tuple[str, str]] = set()
    for question in pack.questions:
        for concept in question.concepts:
            if (question.topic, concept) not in counted and _names(names.get(concept, concept), stems):
                counted.add((question.topic, concept))
                weight[question.topic] += 1
    named = [topic for topic, count in weight.items() if count]
    return tuple(sorted(named, key=lambda topic: -weight[topic]))


def _names(phrase: str, stems: frozenset[str]) -> bool:
    wanted = content_stems(phrase)
    return bool(wanted) and wanted <= stems


_NEAR = 0.45
"""Cosine from which on a title or a concept means what was said. Of 20 everyday names for topics of the backend pack
("databases", "threads and locks", "sql"), 11 were matched to the right topic from here on, 2 to a neighbour, and none
of ten subjects that the pack does not have ("css and html", "the salary"). What is not matched goes by the plan."""


def match_topic(said: str, pack: Pack, embedder: Embedder) -> str | None:
    """The topic's id, by its name, its concepts, or their meaning; None when the pack has nothing like it."""
    if named := topics_named(said, pack):
        return named[0]
    concepts = {concept.id: concept.name for concept in pack.concepts}
    phrases = [(topic.id, topic.title) for topic in pack.topics]
    phrases += [(each.topic, concepts[id_]) for each in pack.questions for id_ in each.concepts if id_ in concepts]
    vectors = embedder.embed([said, *(phrase for _, phrase in phrases)])
    closeness = vectors[1:] @ vectors[0]
    best = int(closeness.argmax())
    return phrases[best][0] if closeness[best] >= _NEAR else None
