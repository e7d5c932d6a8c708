"""Wishes over HTTP: what a client may ask an interview to be like, in the calls that begin one by voice or by text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from agent.http.problems import ProblemError
from agent.interviews.creation import MAX_DOCUMENT_CHARS, Wish, WishError, created_as_wished
from domain.candidate import CandidateProfile
from domain.events import InterviewCreated
from domain.feedback import WishedFeedbackMode
from domain.person import LONGEST_USER_ID
from domain.vocabulary import FASTEST_PACE, SLOWEST_PACE, Difficulty, FeedbackMode, Medium, Mode

if TYPE_CHECKING:
    from rag import Pack


def _printable(text: str) -> str:
    if any(unicodedata.category(char) == "Cc" and char not in "\n\r\t" for char in text):
        raise ValueError("contains control characters; send plain text")
    return text


def _texts(value: object) -> Iterator[str]:
    """All texts in what a model dumps."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


def _usable(profile: CandidateProfile | None) -> CandidateProfile | None:
    if profile is not None:
        length = sum(len(_printable(text)) for text in _texts(profile.model_dump()))
        if length > MAX_DOCUMENT_CHARS:
            raise ValueError(f"has {length:,} characters; at most {MAX_DOCUMENT_CHARS:,} are accepted. Shorten it")
    return profile


Text = Annotated[str, AfterValidator(_printable)]
"""Text of a client's: any language, line breaks and tabs, no other control characters."""
Name = Annotated[Text, Field(min_length=1, max_length=80)]
UserId = Annotated[Text, Field(max_length=LONGEST_USER_ID)]
Minutes = Annotated[int, Field(ge=3, le=90)]
Pace = Annotated[float, Field(ge=SLOWEST_PACE, le=FASTEST_PACE)]


class WishedInterview(BaseModel):
    """What both calls take."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    difficulty: Difficulty = Field(default="medium", description="Where the difficulty starts.")
    focus_topics: list[str] = Field(
        default=[], max_length=20, description="Topics of the pack to ask about first, by id or title."
    )
    feedback: WishedFeedbackMode | None = Field(
        default=None,
        description="How answers are met. `coach`: what was good, and one thing that was missing or not so; "
        "`interviewer`: what was good, giving nothing away; `exam`: not before the report. Without it, as the host has "
        "set it.",
    )
    mode: Mode | None = Field(
        default=None,
        description="Where questions come from: `plan`, the topics of the pack, or `resume`, what the candidate has "
        "worked on. Without it, as the host has set it.",
    )
    resume: Text = Field(default="", description=f"The candidate's résumé, up to {MAX_DOCUMENT_CHARS:,} characters.")
    profile: Annotated[CandidateProfile | None, AfterValidator(_usable)] = Field(
        default=None,
        description="What the résumé says, as the candidate corrected it; left out, the résumé itself counts, or what "
        "is kept of them.",
    )
    job_description: Text = Field(
        default="", description=f"What the job asks for, up to {MAX_DOCUMENT_CHARS:,} characters."
    )
    user_id: UserId = Field(
        default="",
        description="Whose profile the interview belongs to, in any spelling; left out, of whoever bears the name.",
    )


class NewInterview(WishedInterview):
    """What the start page asks for, to be held in the browser or on the phone."""

    name: Name
    pack: str
    minutes: Minutes = 20
    pace: Pace = Field(
        default=1.0,
        description="How fast the interviewer speaks at first, a factor on its usual pace; the candidate may ask for "
        "slower or faster.",
    )

    def wish(self) -> Wish:
        """What is wished, in the words that all drivers use."""
        given = self.model_dump(exclude={"name", "profile"})
        return Wish(**given, candidate_name=self.name, profile=self.profile)


def granted(
    wish: Wish, packs: Mapping[str, Pack], *, medium: Medium, room: str, at: float, feedback: FeedbackMode
) -> InterviewCreated:
    """The first event of its record.

    Raises:
        ProblemError: it wants what is not there, or a document is too long.
    """
    try:
        return created_as_wished(wish, packs, medium=medium, room=room, at=at, feedback=feedback)
    except WishError as error:
        raise ProblemError(error.kind, str(error)) from error
