"""Experience: the positions of a section, those of one employer each with its name.

An employer with several roles is named once, above them: a role without an employer has the one before it. Where that
heading has dates of its own, which the roles below divide, it is no position. What is no position at all (a career
break, a stay abroad) is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from domain.candidate import CandidateExperience
from graph.candidate.dates import Period
from graph.candidate.entries import Entry, entries_of
from graph.candidate.lines import Line
from graph.candidate.positions import Position, looks_like_organisation, read_position
from graph.candidate.skills import skills_named
from graph.candidate.vocabulary import SELF_EMPLOYED


@dataclass(frozen=True, slots=True)
class _Read:
    entry: Entry
    position: Position


def read_experience(lines: Sequence[Line]) -> list[CandidateExperience]:
    """The positions of a section."""
    read = _read(lines, _wants)
    if any(each.entry.below and each.position.is_certain for each in read):
        # People write all entries alike: what only a comma tells apart may be said by the line below.
        read = _read(lines, _wants_more)
    read = [each for each in read if each.position.is_one and _says_enough(each)]
    found: list[CandidateExperience] = []
    employer = ""
    for number, each in enumerate(read):
        employer = each.position.employer or ("" if SELF_EMPLOYED.search(each.position.role) else employer)
        if number + 1 < len(read) and _is_heading(each, read[number + 1]):
            continue
        period = each.entry.period
        found.append(
            CandidateExperience(
                employer=employer,
                role=each.position.role,
                start=period.start if period else "",
                end=period.end if period else "",
                did=each.entry.did,
                skills=skills_named(each.entry.did),
            )
        )
    return found


def _read(lines: Sequence[Line], wants: Callable[[list[str], str], bool]) -> list[_Read]:
    return [_Read(entry, read_position(list(entry.head))) for entry in entries_of(lines, wants)]


def _wants_more(head: list[str], _line: str) -> bool:
    position = read_position(head)
    return position.is_one and not (position.employer and position.role and position.is_certain)


def _wants(head: list[str], line: str) -> bool:
    position = read_position(head)
    if position.employer and position.role:
        return not position.is_certain and looks_like_organisation(line)
    return position.is_one


def _says_enough(read: _Read) -> bool:
    position, period = read.position, read.entry.period
    if period is None:
        return bool(position.employer and position.role)
    return bool(position.employer or position.role) and (period.is_range or bool(position.role))


def _is_heading(read: _Read, following: _Read) -> bool:
    """True for an employer whose dates the roles below it divide."""
    mine, theirs = read.entry.period, following.entry.period
    if read.position.role or read.entry.did or following.position.employer or not (mine and theirs):
        return False
    return _contains(mine, theirs)


def _contains(whole: Period, part: Period) -> bool:
    ends = whole.end == "present" or (part.end != "present" and part.end <= whole.end)
    return whole.start <= part.start and ends
