"""Sections of a résumé: what a heading announces, in many spellings, and the lines below it.

A line is a heading when it is marked as one (Markdown, a heading of a word processor, a rule below it), or when it is
short and consists of nothing but words that headings are made of ("Professional Experience", "SKILLS & TOOLS"). A marked
or capitalised heading with other words ends a section too, and begins one that nobody reads ("Hobbies"); one of a lower
rank within a section is the head of an entry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from graph.candidate.dates import find_period
from graph.candidate.lines import Line

SectionKind = Literal[
    "head",
    "summary",
    "experience",
    "projects",
    "education",
    "skills",
    "certificates",
    "languages",
    "strengths",
    "weaknesses",
    "traits",
    "other",
]

_ADJECTIVES = (
    r"professional|work|working|relevant|selected|key|core|technical|personal|academic|side|main|career|previous|"
    r"other|additional|general|computer|it|digital|open[ -]source|recent|practical|industry|research|teaching|soft|hard|"
    r"my|technology|executive|functional|special|important|notable"
)
# The first that fits counts: "career objective" is a summary, "research interests" are nothing that is read.
_NOUNS: tuple[tuple[SectionKind, str], ...] = (
    (
        "other",
        (
            r"research interests?|references?|referees|awards?|honou?rs|publications?|volunteering|volunteer (?:work|experience)|"
            r"contact(?: details| information| me)?|driving licen[cs]e|memberships?|patents|personal (?:details|data|information)|"
            r"talks|achievements|activities|affiliations|extracurricular activities"
        ),
    ),
    ("strengths", r"strengths?|stärken|what i am good at"),
    (
        "weaknesses",
        (
            r"weaknesses|areas? (?:for|of) (?:improvement|growth|development)|(?:development|growth) areas?|schwächen|"
            r"what i am (?:still )?(?:learning|working on)"
        ),
    ),
    ("traits", r"traits|personality|character|qualities|attributes|interests?|hobbies|interessen"),
    (
        "summary",
        (
            r"summary|profile|objective|about(?: me)?|(?:personal )?statement|introduction|overview|bio|summary of "
            r"qualifications|profile summary|zusammenfassung|profil|who i am"
        ),
    ),
    (
        "projects",
        (
            r"projects?|portfolio|things i(?:['’]ve| have) (?:made|built)|what i(?:['’]ve| have) (?:made|built)|projekte|"
            r"case studies"
        ),
    ),
    (
        "certificates",
        (
            r"certifications?|certificates?|licen[cs]es?|courses|training|trainings|continuing education|zertifikate|"
            r"professional development|accreditations?"
        ),
    ),
    (
        "education",
        (
            r"education|educational background|background|studies|degrees?|schooling|university|ausbildung|studium|"
            r"bildung|formation|qualifications and education|education history"
        ),
    ),
    ("languages", r"languages?|spoken languages?|language skills|sprachen"),
    (
        "skills",
        (
            r"skills?|skill ?set|competenc(?:ies|es?)|expertise|technolog(?:y|ies)|tools?|tech(?:nology)? stack|stack|"
            r"proficienc(?:y|ies)|qualifications?|methods?|knowledge|areas of expertise|abilities|"
            r"kenntnisse|fähigkeiten|software|toolbox|capabilities|programming languages|skills summary"
        ),
    ),
    (
        "experience",
        (
            r"experience|employment|employment history|work history|history|career|career history|appointments?|positions?|"
            r"jobs|work|roles|where i(?:['’]ve| have) worked|berufserfahrung|berufspraxis|internships?|"
            r"employment record|professional background|practice|experiences"
        ),
    ),
)
_AND = r"(?:\s{0,2}(?:&|and|/|,|\+|und)\s{0,2})"
_EXACT: tuple[tuple[SectionKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"(?:(?:{_ADJECTIVES})\s+){{0,2}}(?:{nouns})", re.IGNORECASE)) for kind, nouns in _NOUNS
)
_ANYWHERE: tuple[tuple[SectionKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"\b(?:{nouns})\b", re.IGNORECASE)) for kind, nouns in _NOUNS
)
_ADJECTIVE = re.compile(_ADJECTIVES, re.IGNORECASE)
_PARTS = re.compile(_AND, re.IGNORECASE)
_MOST_WORDS, _MOST_CHARACTERS = 6, 48
_CAPITALS = re.compile(r"[A-ZÀ-Þ][A-ZÀ-Þ&/,' -]{3,40}")


@dataclass(slots=True)
class Section:
    """A heading and what stands below it."""

    kind: SectionKind
    heading: str = ""
    level: int = 0
    lines: list[Line] = field(default_factory=list)


def heading_kind(text: str, *, is_marked: bool = False) -> SectionKind | None:
    """What a heading announces; None when the text is no heading of a résumé's sections.

    Args:
        text: a line.
        is_marked: the document says that it is a heading, so that one word of it is enough.
    """
    words = text.strip(" :\t.").replace("\t", " ")
    if not words or len(words) > _MOST_CHARACTERS or len(words.split()) > _MOST_WORDS or any(map(str.isdigit, words)):
        return None
    if kind := _exactly(words):
        return kind
    parts = [part for part in _PARTS.split(words) if part]
    kinds = [_exactly(part) for part in parts]
    plain = [part for part, kind in zip(parts, kinds, strict=True) if not kind and not _ADJECTIVE.fullmatch(part)]
    known = [kind for kind in kinds if kind]
    if known and (is_marked or not plain):
        return next((kind for kind in _FIRST if kind in known), known[0])
    if is_marked:
        return next((kind for kind, pattern in _ANYWHERE if pattern.search(words)), None)
    return None


_FIRST: tuple[SectionKind, ...] = ("experience", "education", "skills")
"""Of a heading that announces several things, what the section is read as."""


def _exactly(words: str) -> SectionKind | None:
    return next((kind for kind, pattern in _EXACT if pattern.fullmatch(words)), None)


def split_sections(lines: list[Line]) -> list[Section]:
    """A résumé in its sections, in order; first what stands above all headings."""
    sections = [Section("head")]
    named = False
    for line in lines:
        current = sections[-1]
        is_marked = line.kind == "heading"
        kind = heading_kind(line.text, is_marked=is_marked) if line.kind in {"heading", "plain"} else None
        if is_marked and kind and current.kind != "head" and 0 < current.level < line.level:
            # A heading of a lower rank that is not plainly one of a section's: "Project Manager" in a history.
            kind = heading_kind(line.text)
        if kind is not None and not find_period(line.text):
            sections.append(Section(kind, line.text, line.level))
            named = True
        elif _begins_something_else(line, current, named=named):
            sections.append(Section("other", line.text, line.level))
        else:
            current.lines.append(line)
    return sections


def _begins_something_else(line: Line, current: Section, *, named: bool) -> bool:
    if not named or find_period(line.text):
        return line.kind == "heading" and current.kind == "head" and bool(current.lines) and line.level > 1
    if line.kind == "heading":
        return bool(current.level) and line.level <= current.level
    # In a text that marks nothing, other headings look like those that were known.
    is_alike = bool(_CAPITALS.fullmatch(current.heading)) and not current.level
    return is_alike and bool(_CAPITALS.fullmatch(line.text)) and line.kind == "plain" and "," not in line.text
