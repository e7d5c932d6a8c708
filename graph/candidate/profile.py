"""Profile by rule: the text of a résumé becomes a `CandidateProfile`. What it does not say stays empty.

| what | where it is read |
|---|---|
| name | `graph.candidate.names` |
| domain | the field whose titles are below the name (3 points), in the latest role (3), earlier ones, the summary (1) |
| summary | the section of that name, else the sentences above all headings and entries; of either the first three |
| years | a number before "years" in the summary, or before "years of … experience" anywhere; dates are not added up |
| experience | `graph.candidate.experience` |
| projects, education | `graph.candidate.projects`, `graph.candidate.schools` |
| skills | the lists first, then what everything else names but what is about the person (`graph.candidate.skills`) |
| skills that no list names and the lexicon does not know | positions, projects (`graph.candidate.unlisted.naming`) |
| strengths, weaknesses, traits | sections of such a name ("Areas for improvement"; `graph.candidate.claims`) |
| categories | of the domain and of each skill, by the lexicon |

A text is only data: it is compared with words and patterns, and nothing that it asks for is done.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, takewhile
from typing import TypeVar

from domain.candidate import CandidateExperience, CandidateProfile, CandidateProject
from graph.candidate.claims import claims
from graph.candidate.dates import find_period
from graph.candidate.entries import dates_of, ends_sentence
from graph.candidate.experience import read_experience
from graph.candidate.headings import BESIDE_WORK, SectionKind
from graph.candidate.lexicon.matching import lexicon
from graph.candidate.lines import Line, mend, read_lines
from graph.candidate.names import read_name
from graph.candidate.positions import APART
from graph.candidate.projects import read_projects
from graph.candidate.schools import read_education
from graph.candidate.sections import Section, split_sections
from graph.candidate.skills import once, skills_listed, skills_named
from graph.candidate.unlisted.naming import skills_told, words_of_names

MOST_CHARACTERS = 100_000
"""Of a text that are read; a résumé of fifty pages has fewer."""

_NUMBERS = dict(
    zip(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty".split(),
        [*range(1, 16), 20],
        strict=True,
    )
)
_YEARS = re.compile(rf"\b(\d{{1,2}}|{'|'.join(_NUMBERS)})\s{{0,3}}\+?[\s-]{{0,3}}(?:years?|yrs)\b", re.IGNORECASE)
_EXPERIENCE_NEAR = re.compile(r"[^.\n]{0,60}\bexperience\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s{1,5}(?=[A-ZÀ-Þ0-9])")
_MOST_SENTENCES = 3
_LEAST_WORDS, _SENTENCE_WORDS = 4, 8
"""Words from which on a line above all headings says something: one that ends as a sentence, and any other."""
_CONSENT = re.compile(r"\b(?:hereby|consent|personal data)\b", re.IGNORECASE)
_COURSEWORK = re.compile(
    r"(?:relevant |selected |main )?(?:course ?work|modules?|courses|subjects|focus|specialisation|thesis|topics)\b",
    re.IGNORECASE,
)
_FULL_LINE = 55
"""Characters of a line of a list that may go on in the next."""
_Entry = TypeVar("_Entry", CandidateExperience, CandidateProject)
_MOST_YEARS = 60
_MOST_WORDS = 15_000
_LEAST_SIGNS = 2
"""Signs of a résumé that a text has which is one."""
_REACHED_BY = re.compile(r"[\w.]{1,60}@\w|\+\d{2}")


def read_profile(text: str) -> CandidateProfile:
    """What the text of a résumé says of a person, by rule.

    Args:
        text: as a document was read, or as it was pasted; of more than `MOST_CHARACTERS` the beginning counts.
    """
    whole = mend(text[:MOST_CHARACTERS])
    lines = read_lines(whole)
    sections = split_sections(lines)
    head = sections[0].lines
    experience = list(chain.from_iterable(read_experience(each.lines) for each in _of(sections, "experience")))
    if not experience and not _of(sections, "experience"):
        experience = [each for each in read_experience(head) if each.employer and each.role and each.start]
    projects = list(chain.from_iterable(read_projects(each.lines) for each in _of(sections, "projects")))
    summary = [line.text for each in _of(sections, "summary") for line in each.lines if line.kind != "blank"]
    summary = summary or _introduction(head)
    name = read_name(lines, whole)
    education = tuple(chain.from_iterable(read_education(each.lines) for each in _of(sections, "education")))
    names = words_of_names([name, *_names_of(experience, projects), *(each.school for each in education)])
    experience = [_with_unlisted(each, names) for each in experience]
    projects = [_with_unlisted(each, names) for each in projects]
    skills = _skills(sections, experience, projects, name)
    domain = _domain(head, experience, summary)
    return CandidateProfile(
        name=name,
        domain=domain,
        summary=" ".join(_SENTENCE.split(" ".join(summary))[:_MOST_SENTENCES]),
        skills=skills,
        categories=categories_of(domain, skills),
        strengths=_claims(sections, "strengths"),
        weaknesses=_claims(sections, "weaknesses"),
        traits=_claims(sections, "traits"),
        projects=tuple(projects),
        experience=tuple(experience),
        education=education,
        years=_years(lines, summary),
    )


def categories_of(domain: str, skills: Iterable[str]) -> tuple[str, ...]:
    """Categories of a field and of skills, each once; what the lexicon does not know has none."""
    return tuple(dict.fromkeys(filter(None, map(lexicon().category, [domain, *skills]))))


def _of(sections: Sequence[Section], *kinds: SectionKind) -> list[Section]:
    return [section for section in sections if section.kind in kinds]


def _introduction(head: Sequence[Line]) -> list[str]:
    """Sentences above all headings; below the first entry they are what was done there."""
    above = takewhile(lambda line: dates_of(line) is None, head)
    said = [line.text for line in above if line.kind == "plain" and _says_something(line.text)]
    return [text for text in said if ends_sentence(text) or not APART.search(text)]


def _says_something(text: str) -> bool:
    """True for a line above all headings that is no short title and no address."""
    least = _LEAST_WORDS if ends_sentence(text) else _SENTENCE_WORDS
    return len(text.split()) >= least and "@" not in text


def _claims(sections: Sequence[Section], kind: SectionKind) -> tuple[str, ...]:
    return claims(line for section in _of(sections, kind) for line in section.lines)


def _names_of(experience: Sequence[CandidateExperience], projects: Sequence[CandidateProject]) -> list[str]:
    return [*(each.employer for each in experience), *(each.name for each in projects)]


def _with_unlisted(entry: _Entry, names: frozenset[str]) -> _Entry:
    """A position or project with the skills that its sentences name and the lexicon does not know."""
    told = skills_told(entry.did, names=names)
    return entry.model_copy(update={"skills": once(chain(entry.skills, told))})


def _skills(
    sections: Sequence[Section],
    experience: Sequence[CandidateExperience],
    projects: Sequence[CandidateProject],
    name: str,
) -> tuple[str, ...]:
    listed = [skills_listed(each.lines) for each in _of(sections, "skills")]
    named = [*(each.skills for each in experience), *(each.skills for each in projects)]
    named += [skills_named(_sentences(each)) for each in sections]
    courses = [_courses(each) for each in _of(sections, "education", "certificates")]
    certified = [
        skills_named(line.text for line in each.lines if not _CONSENT.search(line.text))
        for each in _of(sections, "certificates")
    ]
    certified += [skills_listed(each.lines, known_only=True) for each in _of(sections, "strengths")]
    found = once(chain.from_iterable(listed + named + courses + certified))
    return tuple(skill for skill in found if skill.casefold() != name.casefold())


def _sentences(section: Section) -> list[str]:
    """What of a section may name skills and is read nowhere else."""
    said = [line.text for line in section.lines if line.kind not in {"blank", "columns"}]
    said = [text for text in said if not _CONSENT.search(text)]
    if section.kind in {"summary", "other"}:
        return said
    if section.kind == "head":
        return list(filter(_says_something, said))
    return []


def _courses(section: Section) -> tuple[str, ...]:
    """Skills that a list of courses names."""
    lists: list[Line] = []
    before = ""
    for line in section.lines:
        if _COURSEWORK.match(line.text):
            lists.append(replace(line, text=_COURSEWORK.sub("", line.text), strong=0))
        elif lists and line.kind == "plain" and _goes_on(before, line.text):
            lists[-1] = replace(lists[-1], text=f"{lists[-1].text} {line.text}")
        else:
            continue
        before = line.text
    return skills_listed(lists, known_only=True)


def _goes_on(before: str, text: str) -> bool:
    """True for the next line of a list that was too long for one."""
    return len(before) >= _FULL_LINE and "," in before and "," in text and find_period(text) is None


def _domain(head: Sequence[Line], experience: Sequence[CandidateExperience], summary: Sequence[str]) -> str:
    points: Counter[str] = Counter()
    texts = [(line.text, 3) for line in head if line.kind != "blank" and line.text not in summary]
    texts += [(each.role, 3 if number == 0 else 1) for number, each in enumerate(experience)]
    texts += [(text, 1) for text in summary]
    for text, weight in texts:
        for found in lexicon().domains.find(text, listed=True):
            points[found.entry.name] += weight
    best = points.most_common(1)
    return best[0][0] if best else ""


def _years(lines: Sequence[Line], summary: Sequence[str]) -> int | None:
    for text, anywhere in [*((text, True) for text in summary), *((line.text, False) for line in lines)]:
        for match in _YEARS.finditer(text):
            years = int(match[1]) if match[1].isdigit() else _NUMBERS[match[1].lower()]
            if years <= _MOST_YEARS and (anywhere or _EXPERIENCE_NEAR.match(text, match.end())):
                return years
    return None


def doubt(text: str) -> str:
    """Why a text does not look like a résumé, as a sentence; empty when it does.

    It looks like one with two of: sections of a résumé (two of them; three are enough), dates that reach from one to
    another, an address or number to be reached by; and with fewer words than thirty pages have.
    """
    lines = read_lines(text[:MOST_CHARACTERS])
    kinds = {each.kind for each in split_sections(lines)} - {"head", *BESIDE_WORK}
    has_dates = any((period := find_period(line.text)) and period.is_range for line in lines)
    of_sections = min(max(0, len(kinds) - 1), _LEAST_SIGNS)
    signs = of_sections + has_dates + bool(_REACHED_BY.search(text))
    if len(text.split()) > _MOST_WORDS:
        return f"This does not look like a résumé: it has more than {_MOST_WORDS} words."
    if signs < _LEAST_SIGNS:
        return (
            "This does not look like a résumé: it has no sections such as Experience, Education or Skills, and no "
            "dates."
        )
    return ""
