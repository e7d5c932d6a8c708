"""Creation of an interview: what a candidate wishes, held against what there is. By voice, text and phone alike."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from domain.candidate import CandidateProfile
from domain.events import InterviewCreated
from domain.feedback import WishedFeedbackMode
from domain.person import user_id_of
from domain.vocabulary import Difficulty, FeedbackMode, Medium, Mode, SessionTime

if TYPE_CHECKING:
    from rag import Pack

MAX_DOCUMENT_CHARS = 50_000
"""Characters that a résumé or a job description may have."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What an interview is to be like, as a client says it."""

    candidate_name: str
    """What the interviewer calls the candidate."""
    pack: str
    """Id of the question pack; empty for the first one."""
    minutes: int
    feedback: WishedFeedbackMode | None
    """How answers are met; None: as the host has set it."""
    difficulty: Difficulty
    """Where the difficulty starts."""
    pace: float = 1.0
    """How fast the interviewer speaks at first, a factor on its usual pace; the candidate may ask for another."""
    focus_topics: Sequence[str] = ()
    """Topics of the pack to ask about first, by id or title."""
    resume: str = ""
    profile: CandidateProfile | None = None
    """What the résumé says, as they corrected it."""
    job_description: str = ""
    mode: Mode | None = None
    """Where questions come from at the beginning; None: as the host has set it."""
    time: SessionTime = "real"
    user_id: str = ""
    """Who they are, across interviews; empty: whoever bears the name."""
    guest: bool = False
    """They do not say who they are, and no profile is kept of them."""


class WishError(ValueError):
    """A wish that cannot be granted; the sentence says what there is instead. Its kind is one of HTTP's problems."""

    def __init__(self, kind: Literal["unknown-pack", "unknown-topic", "too-long"], sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


def new_interview_id() -> str:
    """An id that nobody guesses or has met before."""
    return secrets.token_hex(6)


def created_as_wished(
    wish: Wish, packs: Mapping[str, Pack], *, medium: Medium, room: str, at: float, feedback: FeedbackMode
) -> InterviewCreated:
    """The first event of an interview's record.

    Args:
        wish: what the client wants.
        packs: the question packs by id.
        medium: how it will be held.
        room: name of its room; empty by text.
        at: seconds since the epoch.
        feedback: how answers are met where the client does not say.

    Raises:
        WishError: it wants what is not there, or a document is too long.
    """
    pack = _pack(wish.pack, packs)
    for what, text in (("The résumé", wish.resume), ("The job description", wish.job_description)):
        if len(text) > MAX_DOCUMENT_CHARS:
            sentence = f"{what} has {len(text):,} characters; at most {MAX_DOCUMENT_CHARS:,} are accepted. Shorten it."
            raise WishError("too-long", sentence)
    return InterviewCreated(
        at=at,
        candidate_name=wish.candidate_name,
        pack=pack.id,
        pack_title=pack.title,
        minutes=wish.minutes,
        feedback=wish.feedback or feedback,
        room=room,
        medium=medium,
        difficulty=wish.difficulty,
        pace=wish.pace,
        focus_topics=topic_ids(wish.focus_topics, pack),
        resume=wish.resume,
        profile=wish.profile,
        job_description=wish.job_description,
        mode=wish.mode,
        time=wish.time,
        user_id=user_id_of(wish.user_id or wish.candidate_name),
        guest=wish.guest,
    )


def topic_ids(wanted: Sequence[str], pack: Pack) -> list[str]:
    """Ids of topics that were named by id or title, in any case, each once.

    Raises:
        WishError: the pack has none of that name.
    """
    known = {name.casefold(): topic.id for topic in pack.topics for name in (topic.id, topic.title)}
    if unknown := [name for name in wanted if name.strip().casefold() not in known]:
        there_is = ", ".join(topic.id for topic in pack.topics)
        named = ", ".join(map(repr, unknown))
        raise WishError("unknown-topic", f"The pack {pack.id!r} has no topic {named}; it has: {there_is}.")
    return list(dict.fromkeys(known[name.strip().casefold()] for name in wanted))


def _pack(wanted: str, packs: Mapping[str, Pack]) -> Pack:
    pack = packs.get(wanted) if wanted else next(iter(packs.values()), None)
    if pack is None:
        there_is = ", ".join(packs) or "none"
        raise WishError("unknown-pack", f"There is no question pack {wanted!r}; there is: {there_is}.")
    return pack
