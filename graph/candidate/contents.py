"""Contents: what a section is whose heading does not say it, or says something else than what stands below it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.candidate.dates import find_period
from graph.candidate.headings import SectionKind, heading_kind
from graph.candidate.lexicon.matching import lexicon
from graph.candidate.lines import Line
from graph.candidate.skills import names_natural_language
from graph.candidate.vocabulary import names_degree, names_role

_ITEMS = re.compile(r"[,;|•·\t]")
_NAMED = re.compile(r".{2,40}?\s[\N{EN DASH}\N{EM DASH}-]\s(?:\S{1,60}\s{1,3}){5}")
_LEAST_ITEMS, _MOST_ITEMS = 4, 60
_LEAST_KNOWN = 0.5
_NEAR = 2
"""Lines from a stretch of time within which the role stands."""


def kind_by_contents(kind: SectionKind, heading: str, lines: Sequence[Line]) -> SectionKind:
    """What a section is read as.

    Args:
        kind: what its heading announces.
        heading: as it is written.
        lines: below it.
    """
    said = [line for line in lines if line.kind not in {"blank", "columns"}]
    if kind == "languages":
        return "skills" if _names_skills_only(said) else kind
    if kind == "skills":
        return _of_skills(heading.strip(" :").casefold(), said)
    if kind != "other" or heading_kind(heading, is_marked=True):
        return kind
    if _has_positions(said):
        return "experience"
    if _has_degrees(said):
        return "education"
    return "skills" if _is_list_of_skills(said) else kind


def _of_skills(heading: str, lines: Sequence[Line]) -> SectionKind:
    """Qualifications may be degrees, and software may be what somebody has made."""
    if "qualification" in heading and _has_degrees(lines):
        return "education"
    return "projects" if heading == "software" and _names_things(lines) else "skills"


def _names_skills_only(lines: Sequence[Line]) -> bool:
    if any(names_natural_language(line.text) for line in lines):
        return False
    return any(lexicon().skills.find(line.text, listed=True) for line in lines)


def _has_degrees(lines: Sequence[Line]) -> bool:
    return any(names_degree(line.text) for line in lines) and any(find_period(line.text) for line in lines)


def _has_positions(lines: Sequence[Line]) -> bool:
    for index, line in enumerate(lines):
        period = find_period(line.text)
        if period and period.is_range and line.kind != "bullet":
            near = lines[max(0, index - _NEAR) : index + _NEAR]
            return any(names_role(each.text) and each.kind != "bullet" for each in near)
    return False


def _names_things(lines: Sequence[Line]) -> bool:
    return bool(lines) and sum(bool(_NAMED.match(line.text)) for line in lines) * 2 > len(lines)


def _is_list_of_skills(lines: Sequence[Line]) -> bool:
    items = [item for line in lines for item in _ITEMS.split(line.text) if item.strip()][:_MOST_ITEMS]
    known = sum(bool(lexicon().skills.exact(item)) for item in items)
    return len(items) >= _LEAST_ITEMS and known >= _LEAST_KNOWN * len(items)
