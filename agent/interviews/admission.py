"""Admission: what is known of a candidate and what they bring when an interview is created.

| they give | the interview goes by | into their profile goes |
|---|---|---|
| a profile that they corrected | it | what their résumé says, and their corrections, which win from then on |
| a résumé | what they corrected before, if they did; else what the interview itself reads in it | what it says |
| nothing | what is kept of them | nothing |

A name is enough to be somebody, so a profile is looked up and corrected only for whoever hosts Viva. What others bring
is added to it, and no more.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from agent.interviews.profiles import opened_profiles
from agent.settings import Settings
from domain.candidate import CandidateProfile
from domain.events import InterviewCreated
from domain.person import Person
from rag.profiles.admission import admitted
from rag.profiles.errors import ProfileError
from rag.profiles.merging import corrections

if TYPE_CHECKING:
    from rag.profiles.store import ProfileStore

_log = logging.getLogger(__name__)


def with_profile(settings: Settings, created: InterviewCreated, *, is_host: bool) -> InterviewCreated:
    """The interview with what is known of its candidate; what they bring is kept. Not within an event loop.

    A fault is logged: nobody goes without an interview because a profile cannot be read.

    Args:
        settings: the settings in force.
        created: the interview, as it was asked for.
        is_host: whoever hosts Viva asked for it.
    """
    given = _as_given(created.profile)
    created = created.model_copy(update={"profile": given})
    brings = bool(given or created.resume.strip())
    if not brings and not settings.profile_url and not (settings.data_dir / "profiles.sqlite").exists():
        return created
    try:
        with opened_profiles(settings, vectors_later=True) as profiles:
            before = profiles.person(created.whose)
            after = _brought_in(profiles, created, before, may_correct=is_host) if brings else before
    except ProfileError as error:
        _log.error("what is known of a candidate cannot be told or kept: %s", error)
        return created
    known = admitted(before).interviews > 0
    return created.model_copy(update={"known": known, "profile": given or (_kept(created, after) if is_host else None)})


def _as_given(profile: CandidateProfile | None) -> CandidateProfile | None:
    if profile is None:
        return None
    from graph.candidate.correcting import as_corrected  # noqa: PLC0415 - the graph: most web processes need none of it

    return as_corrected(profile)


def _brought_in(
    profiles: ProfileStore, created: InterviewCreated, before: Person | None, *, may_correct: bool
) -> Person:
    """What they bring, added to what is kept.

    Args:
        profiles: of everybody.
        created: the interview; `profile` is what they corrected.
        before: what is kept of them.
        may_correct: their corrections win from now on; else they are added like a résumé.
    """
    read, given = _read(created), created.profile
    brought = (read if may_correct else given) or read or CandidateProfile()
    shown = read or (before.profile if before else brought)
    corrected = corrections(shown, given) if given and may_correct else {}
    if before is None and not brought.name:
        brought = brought.model_copy(update={"name": created.candidate_name})
    return profiles.bring_in(created.whose, brought, corrected=corrected, at=time.time())


def _read(created: InterviewCreated) -> CandidateProfile | None:
    if not created.resume.strip():
        return None
    from graph.candidate.profile import read_profile  # noqa: PLC0415 - see above

    return read_profile(created.resume)


def _kept(created: InterviewCreated, person: Person | None) -> CandidateProfile | None:
    """What is kept of somebody, where the interview is to go by it."""
    if person is None or (created.resume.strip() and not person.edited):
        return None
    profile = person.profile
    return profile if profile.projects or profile.experience or profile.education or profile.skills else None
