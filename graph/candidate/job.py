"""Job description by rule: role, company, what is required, what is only welcome, and how senior it is.

| what | where it is read |
|---|---|
| role | the first of the first lines that has a word for a job ("engineer", "nurse"), or what follows "looking for a" |
| company | "Company: X", "X is looking for", "at X", "join X" |
| must have | skills of the lexicon, below a heading for requirements first, then those that the tasks name |
| nice to have | skills below a heading such as "Nice to have", or in a sentence that says "a plus" or "ideally" |
| seniority | a word of the role ("senior", "lead"), else years: up to 1 junior, up to 4 mid, from 5 on senior |
| years | the smallest number of years of experience that is asked for |

A skill that is both required and welcome is required. What a company says of itself and offers is not what it asks for:
skills below such headings do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from domain.candidate import JobRequirements
from domain.vocabulary import Seniority
from graph.candidate.lines import Line, mend, read_lines
from graph.candidate.profile import MOST_CHARACTERS
from graph.candidate.skills import skills_listed, skills_named
from graph.candidate.vocabulary import names_role

_Part = Literal["must", "nice", "tasks", "none"]

_NICE = re.compile(
    r"\b(?:nice[- ]to[- ]haves?|bonus(?: points)?|preferred|desirable|a plus|an advantage|advantageous|ideally|"
    r"optional|would be (?:great|nice)|extra credit|not required|beneficial|pluses|good to have|brownie points)\b",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\b(?:requirements?|required|must[- ]haves?|qualifications|what you(?:['’]ll)? (?:bring|need|have)|"
    r"you (?:bring|have)|your (?:profile|skills|background|experience)|who you are|about you|essential|skills|minimum|"
    r"what we expect|we expect|we are looking for|what we(?:['’]re| are) looking for|experience|"
    r"person specification|ideal candidate)\b",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\b(?:about (?:us|the company|the team)|who we are|we offer|what we offer|benefits|perks|"
    r"our (?:company|values|offer)|how to apply|equal opportunit(?:y|ies)|salary|compensation|contact|"
    r"why (?:us|join)|what you(?:['’]ll)? get|location)\b",
    re.IGNORECASE,
)
_TASKS = re.compile(
    r"\b(?:responsibilities|tasks|duties|what you(?:['’]ll| will)? (?:do|be doing)|the role|your role|role|"
    r"job description|your (?:mission|tasks)|day to day|overview|about the (?:role|job|position))\b",
    re.IGNORECASE,
)
_LOOKING_FOR = re.compile(
    r"\b(?:looking for|seeks?|seeking|hiring|search(?:ing)? for|need|join (?:us|our team) as|apply as)\s{1,3}"
    r"(?:an?\s|our (?:next|new)\s)?([^.,;:!\n]{3,60})",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"(?:job title|title|position|role)\s{0,3}:\s{0,3}(.{3,80})", re.IGNORECASE)
_CLAUSE_END = re.compile(r"(?<=[.;])\s{1,5}")
_COMPANY_LABEL = re.compile(r"(?:company|employer)\s{0,3}:\s{0,3}([^\n.;]{2,50})", re.IGNORECASE)
_WORD = r"[A-Z&](?:[\w&'-]|\.(?=\w)){0,40}"
_NAME = rf"({_WORD}(?:\s{_WORD}){{0,4}})"
_COMPANY = (
    re.compile(rf"^(?:At\s)?{_NAME}(?:\s(?:is|are)\s(?:looking|hiring|searching|seeking)|,?\swe\b|\sseeks\b)"),
    re.compile(rf"\b(?:at|join|with)\s{_NAME}"),
)
_LEVELS: tuple[tuple[Seniority, re.Pattern[str]], ...] = (
    ("intern", re.compile(r"\b(?:intern|internship|working student|trainee|apprentice)\b", re.IGNORECASE)),
    ("junior", re.compile(r"\b(?:junior|jr|entry[- ]level|graduate|associate)\b", re.IGNORECASE)),
    ("lead", re.compile(r"\b(?:lead|principal|staff(?! nurse)|head of|director|chief)\b", re.IGNORECASE)),
    ("senior", re.compile(r"\b(?:senior|sr|experienced)\b", re.IGNORECASE)),
    ("mid", re.compile(r"\b(?:mid[- ]level|mid|intermediate|regular)\b", re.IGNORECASE)),
)
_YEARS = re.compile(
    r"\b(\d{1,2})\s{0,3}(?:\+|-|\N{EN DASH}|to)?\s{0,3}(?:\d{1,2}\s{0,3})?\+?\s{0,3}(?:years|yrs)\b", re.IGNORECASE
)
_JUNIOR_TO, _MID_TO = 1, 4
_MOST_YEARS = 30
_FIRST_LINES = 6
_LONGEST_TITLE, _LONGEST_HEADING = 10, 8


@dataclass(frozen=True, slots=True)
class _Read:
    line: Line
    part: _Part


def read_job(text: str) -> JobRequirements:
    """What a job description asks for, by rule.

    Args:
        text: as a document was read, or as it was pasted; of more than `MOST_CHARACTERS` the beginning counts.
    """
    lines = [line for line in read_lines(mend(text[:MOST_CHARACTERS])) if line.kind != "blank"]
    role = _role(lines)
    # The title says what the job is, and not what is asked for.
    parts = list(_in_parts([line for line in lines if not (role and line.text.startswith(role))]))
    must = tuple(dict.fromkeys([*_skills(parts, "must"), *_skills(parts, "tasks")]))
    nice = tuple(skill for skill in _skills(parts, "nice") if skill not in must)
    years = _years([each.line.text for each in parts if each.part != "none"])
    return JobRequirements(
        role=role,
        company=_company(lines, role),
        must_have=must,
        nice_to_have=nice,
        seniority=_seniority(role, years),
        years=years,
    )


def _in_parts(lines: Sequence[Line]) -> Iterator[_Read]:
    """Each clause with what is said there; one about what is only welcome counts as such wherever it stands."""
    part: _Part = "tasks"
    for line in lines:
        if (announced := _announced(line)) is not None:
            part = announced
            continue
        for clause in _CLAUSE_END.split(line.text):
            is_welcome = part in {"must", "tasks"} and _NICE.search(clause)
            yield _Read(replace(line, text=clause), "nice" if is_welcome else part)


def _announced(line: Line) -> _Part | None:
    """What a heading announces; None for a line that is none."""
    text = line.text.rstrip()
    is_short = len(text.split()) <= _LONGEST_HEADING and not text.endswith((".", ","))
    if line.kind == "bullet" or not (line.kind == "heading" or (is_short and (text.endswith(":") or "," not in text))):
        return None
    patterns: tuple[tuple[_Part, re.Pattern[str]], ...] = (
        ("nice", _NICE), ("none", _NOTHING), ("must", _MUST), ("tasks", _TASKS),
    )  # fmt: skip
    return next(
        (part for part, pattern in patterns if pattern.search(text)), "tasks" if line.kind == "heading" else None
    )


def _skills(parts: Sequence[_Read], part: _Part) -> tuple[str, ...]:
    """Skills of the lexicon that one part names, in lists and in sentences."""
    lines = [each.line for each in parts if each.part == part]
    return tuple(dict.fromkeys([*skills_listed(lines, known_only=True), *skills_named(line.text for line in lines)]))


def _role(lines: Sequence[Line]) -> str:
    for line in lines:
        if match := _LABELLED.fullmatch(line.text):
            return match[1].strip()
    for line in lines[:_FIRST_LINES]:
        is_title = len(line.text.split()) <= _LONGEST_TITLE and not line.text.endswith((".", "!", "?", ":"))
        if is_title and line.kind != "bullet" and names_role(line.text):
            return re.split(r"\t|\s[|\N{EN DASH}\N{EM DASH}-]\s|,\s|\sat\s|\s@\s", line.text)[0].strip()
    for line in lines:
        for match in _LOOKING_FOR.finditer(line.text):
            if names_role(match[1]):
                return re.split(r"\s(?:to|who|with|for|in|at|that|and)\s", match[1])[0].strip()
    return ""


def _company(lines: Sequence[Line], role: str) -> str:
    for line in lines:
        if match := _COMPANY_LABEL.fullmatch(line.text):
            return match[1].strip()
    for pattern in _COMPANY:
        for line in lines:
            match = pattern.search(line.text)
            if match and match[1] not in role and match[1].lower() not in {"we", "you", "our", "the", "us"}:
                return match[1].rstrip(".")
    return ""


def _years(texts: Sequence[str]) -> int | None:
    found = [int(match[1]) for text in texts for match in _YEARS.finditer(text)]
    return min((years for years in found if 0 < years <= _MOST_YEARS), default=None)


def _seniority(role: str, years: int | None) -> Seniority | None:
    for level, pattern in _LEVELS:
        if pattern.search(role):
            return level
    if years is None:
        return None
    return "junior" if years <= _JUNIOR_TO else "mid" if years <= _MID_TO else "senior"
