"""Wording of a question about a résumé: from what was done, as a person would ask about it (`templates/resume.md`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Literal

from domain.vocabulary import Aspect
from graph.exploration.anchors import Anchor
from graph.exploration.policy import Step
from graph.exploration.second_person import in_second_person
from graph.templates import Templates

_SHORT_ENOUGH = 11
"""Words of what was done behind which the employer can be named in the same breath."""

_WITH_PEOPLE = frozenset("led mentored managed coached supervised hired trained taught onboarded recruited".split())
_OF_PEOPLE: frozenset[Aspect] = frozenset({"challenges", "impact", "results"})
"""What can be asked about what was done with people: nobody built it, and no tool was picked for it."""

_BUILDING = frozenset("built designed developed created implemented wrote rewrote made programmed constructed".split())
_BY_TOOLS = _BUILDING | frozenset("moved migrated automated analysed analyzed trained deployed set".split())
_ASKED_OF_WHAT: Mapping[Aspect, frozenset[str]] = {"design": _BUILDING, "tools": _BY_TOOLS}
"""What one must have done to be asked how it was built, or with what."""
_THINGS = ("the ", "your project ")
"""How the name of something begins that was built, unlike a thesis or "your work on" something."""

Place = Literal["first", "switch", "same", "leave", "back"]
"""Where a question stands: it is the first of the interview, the first about the résumé, it stays with what the one
before was about, leaves that, or comes back to what was asked about earlier."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A question about the résumé, and what is said before it."""

    lead_in: str
    text: str


def worded(
    step: Step,
    wording: Templates,
    *,
    turn: int,
    place: Place,
    times: int = 0,
    before: str = "",
    asked: Collection[str] = (),
) -> Spoken:
    """The question in words of its own.

    Args:
        step: what is asked about.
        wording: the ways to ask.
        turn: chooses among ways that are equally fresh.
        place: where it stands.
        times: how many questions stood there before, so that the words before it vary.
        before: what the question before was about, as it is spoken of; empty for nothing of the résumé.
        asked: questions that were asked in this interview: no way and no line of the résumé comes twice.
    """
    anchor = step.anchor
    # A project is one thing; at an employer there was more than one to ask about.
    did, has_employer = ("", False) if place == "same" and anchor.kind != "experience" else _did(step, asked, place)
    ways = wording.ways(f"{anchor.kind}.{step.aspect}")
    fitting = [way for way in ways if _fields(way) == {"did"}] if did else []
    by_name = {"name", *(("thing",) if anchor.name.startswith(_THINGS) else ()), *(() if place == "same" else ("new",))}
    fitting = fitting or [way for way in ways if _fields(way) <= by_name]
    name = anchor.name.removeprefix("your project ") if place == "same" else anchor.name
    first = turn % len(fitting)
    way = min((*fitting[first:], *fitting[:first]), key=lambda each: _wear(each, asked))
    text = way.format(did=f"{did}.", name=name, thing=name, new=name)
    # What the question names itself, or whose employer it names, need not be named before it.
    named = place != "same" and bool(did) and text.startswith(did) and not has_employer
    heading = "same.line" if place == "same" and did else f"{place}.named" if named else place
    leads = [lead for lead in wording.ways(heading) if before or "before" not in _fields(lead)]
    lead = leads[times % len(leads)].format(name=anchor.name, before=before)
    return Spoken(lead, text)


def _wear(way: str, asked: Collection[str]) -> int:
    """How many questions were asked in these words, whatever they were about."""
    fixed = max((text for text, *_ in Formatter().parse(way)), key=len).strip()
    return sum(fixed in text for text in asked)


def lines_told(anchor: Anchor) -> list[str]:
    """What was done there, each line as the interviewer says it; without those that cannot be turned round."""
    return [said for line in anchor.did if (said := in_second_person(line))]


def _did(step: Step, asked: Collection[str], place: Place) -> tuple[str, bool]:
    """A line that was not used yet, and whether it names the employer; empty when there is none."""
    anchor = step.anchor
    lines = [line for line in lines_told(anchor) if not any(text.startswith(line) for text in asked)]
    if step.aspect not in _OF_PEOPLE:
        lines = [line for line in lines if line.split()[1] not in _WITH_PEOPLE]
    if fitting := _ASKED_OF_WHAT.get(step.aspect):
        lines = [line for line in lines if line.split()[1] in fitting]
    said = next(iter(lines), "")
    with_employer = bool(place != "same" and said and anchor.employer) and _takes_employer(said, anchor.employer)
    return (f"{said} at {anchor.employer.rstrip(' .')}", True) if with_employer else (said, False)


def _takes_employer(said: str, employer: str) -> bool:
    words: Sequence[str] = said.split()
    # Behind a relative clause it would seem to belong to that.
    if not {"at", "that", "which"}.isdisjoint(words):
        return False
    return len(words) <= _SHORT_ENOUGH and employer.lower() not in said.lower()


def _fields(way: str) -> set[str]:
    return {name for _, name, *_ in Formatter().parse(way) if name}
