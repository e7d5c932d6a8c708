"""Admission: whether somebody who begins an interview is new, and what need not be asked of them again. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from domain.person import Person

Asked = Literal["domain", "resume"]
"""What a new candidate is asked for before the first question."""


@dataclass(frozen=True, slots=True)
class Admission:
    """What is known of a candidate when an interview begins."""

    known: bool
    """They have been here before: they are greeted as somebody who has."""
    interviews: int
    """How many of their interviews were counted."""
    to_ask: tuple[Asked, ...]
    """What is not known yet, in the order in which it is asked for."""


def admitted(person: Person | None, *, brings_resume: bool = False) -> Admission:
    """What is known of a candidate, and what is left to ask.

    A profile with anything of a résumé in it needs no résumé again.

    Args:
        person: what is kept of them; None for somebody new.
        brings_resume: they gave a résumé with the wish for this interview.
    """
    profile = person.profile if person else None
    has_resume = brings_resume or bool(
        profile and (profile.projects or profile.experience or profile.education or profile.skills)
    )
    needed: dict[Asked, bool] = {"domain": not (profile and profile.domain), "resume": not has_resume}
    return Admission(
        known=person is not None,
        interviews=person.achievement.interviews if person else 0,
        to_ask=tuple(name for name, missing in needed.items() if missing),
    )
