"""Résumés with what a person reads in them, and how much of it Viva finds: precision and recall, without a model.

The ten whose names begin with "a" were written before any rule was; the rules were made by the ten of "b". The ten of
"c" are by an author who had not seen the rules, which were then widened by them; so they were by
those of "e", of a fourth author. The ten of "d", by a third author, and of "f", by a fifth, are held out: nobody tunes
on them, so that they say what to expect of others. `src/NOTES.md` beside them says how the gold of "c" to "f" was
decided, and
`src/render.sh` draws them. A skill counts as found under its canonical name,
whichever spelling the person wrote down; an employer as it is written; a name in capitals or not; dates with the place
of their position.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from agent.documents.document import Limits
from agent.documents.parsing import Request, parse
from agent.documents.plain import read_plain
from agent.documents.reading import kind_of
from domain.candidate import CandidateProfile
from graph.candidate.lexicon.matching import lexicon
from graph.candidate.lexicon.schema import spelled_words
from graph.candidate.lines import mend
from graph.candidate.profile import read_profile

FOLDER = Path(__file__).resolve().parents[2] / "data" / "resumes"


@dataclass
class Level:
    """How much was found, and how much of what was found is right."""

    right: int = 0
    found: int = 0
    wanted: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Share of what was found that is right."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Share of what is there that was found."""
        return self.right / self.wanted if self.wanted else 1.0

    def add(self, name: str, wanted: set[Any], found: set[Any]) -> None:
        """Count one résumé."""
        self.right += len(wanted & found)
        self.found += len(found)
        self.wanted += len(wanted)
        self.wrong += [f"{name}: {each}" for each in sorted(found - wanted)]
        self.missed += [f"{name}: {each}" for each in sorted(wanted - found)]


def gold() -> Iterator[tuple[str, dict[str, Any]]]:
    """The résumés by name, each with what is in it."""
    for path in sorted(FOLDER.glob("*.yaml")):
        yield path.stem, yaml.safe_load(path.read_text(encoding="utf-8"))


def text_of(name: str, kind: str) -> str:
    """The text of one, read in this process."""
    content = (FOLDER / f"{name}.{kind}").read_bytes()
    limits = Limits()
    found = kind_of(content, f"{name}.{kind}", limits)
    if found in {"pdf", "docx"}:
        document = parse(content, Request(kind=found, limits=limits)).document
    else:
        document = read_plain(content, found)
    assert document is not None
    return mend(document.text, spelled_words())


@cache
def levels(ten: str) -> dict[str, Level]:
    """The levels of one ten, by what is looked for."""
    found: dict[str, Level] = {kind: Level() for kind in ("skills", "employers", "dates", "roles", "projects", "names")}
    for name, wanted in gold():
        if name.startswith(ten):
            _count(name, wanted, read_profile(text_of(name, wanted["render"]["file"])), found)
    return found


def _count(name: str, wanted: dict[str, Any], profile: CandidateProfile, found: dict[str, Level]) -> None:
    skills = {lexicon().canonical(skill).casefold() for skill in wanted["skills"]}
    found["skills"].add(name, skills, {skill.casefold() for skill in profile.skills})
    positions = wanted["experience"]
    found["employers"].add(name, {each["employer"] for each in positions}, {e.employer for e in profile.experience})
    found["roles"].add(name, {each["role"] for each in positions}, {each.role for each in profile.experience})
    dates = {(number, each["start"], each["end"]) for number, each in enumerate(positions)}
    found["dates"].add(name, dates, {(number, e.start, e.end) for number, e in enumerate(profile.experience)})
    found["projects"].add(name, set(wanted["projects"]), {each.name for each in profile.projects})
    found["names"].add(name, {wanted["name"].casefold()}, {profile.name.casefold()})
