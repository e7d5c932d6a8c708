"""School: which part of the head of an education is the school, which the degree, and what was studied.

What stands apart and what is between commas are parts. The first with a word for a school is the school; one with a
word for a degree is the degree. A course without a school has its own name for one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from domain.candidate import CandidateEducation
from graph.candidate.entries import entries_of
from graph.candidate.lines import Line
from graph.candidate.positions import COMMA, EDGES, IN_BRACKETS, MOST_PARTS, parts_of
from graph.candidate.vocabulary import DEGREE, SCHOOL, label

_BESIDE_DEGREE = re.compile(r"\(\w{1,6}\.?\)|\bhons\b\.?|^\.?-ing\.?(?!\w)", re.IGNORECASE)
_SCHOOL_LABEL = label("school|institute|institution|college|university|board/university")
_DEGREE_LABEL = label("degree|qualification|course")


@dataclass(frozen=True, slots=True)
class School:
    """What the head of an education says."""

    name: str
    degree: str
    subject: str


def read_school(pieces: list[str]) -> School:
    """School, degree and subject of a head. A course without a school has its name for one."""
    cells = [cell for piece in pieces for cell in (piece, *piece.split("\t"))]
    named, degrees = (
        [match[1].strip() for cell in cells if (match := pattern.fullmatch(cell))]
        for pattern in (_SCHOOL_LABEL, _DEGREE_LABEL)
    )
    if named:
        return School(COMMA.split(named[0])[0], degrees[0] if degrees else "", _subject(degrees[0]) if degrees else "")
    parts = [
        text for part in parts_of(pieces) for piece in COMMA.split(part, maxsplit=MOST_PARTS) if (text := piece.strip())
    ]
    schools = [IN_BRACKETS.sub("", part) or part for part in parts if SCHOOL.search(part)]
    degrees = [part for part in parts if DEGREE.search(part) and part not in schools]
    rest = [part for part in parts if part not in schools and part not in degrees]
    school = schools[0] if schools else rest[0] if rest else degrees[0] if degrees else ""
    if len(schools) > 1 and not degrees:
        degrees = [part for part in schools[1:] if DEGREE.search(part)]
    degree = next((part for part in degrees if part != school), "")
    return School(school, degree, _subject(degree))


def _subject(degree: str) -> str:
    _, is_named, subject = re.sub(r"\s(?:of|in)\s", "\0", degree).rpartition("\0")
    return subject if is_named else _BESIDE_DEGREE.sub("", DEGREE.sub("", degree)).strip(EDGES + ".'’")


def read_education(lines: Sequence[Line]) -> list[CandidateEducation]:
    """The degrees and courses of a section."""
    found = []
    for entry in entries_of(lines, lambda head, _line: not read_school(head).degree):
        if (school := read_school(list(entry.head))).name:
            start, end = (entry.period.start, entry.period.end) if entry.period else ("", "")
            found.append(
                CandidateEducation(
                    school=school.name, degree=school.degree, subject=school.subject, start=start, end=end
                )
            )
    return found
