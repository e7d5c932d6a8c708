"""Life events: an interview is made, begins and ends, and the candidate comes and goes."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from domain.candidate import CandidateProfile
from domain.events.base import BaseEvent
from domain.feedback import KeptFeedbackMode
from domain.person import user_id_of
from domain.question import AskedBefore
from domain.vocabulary import Difficulty, EndReason, Medium, Mode, SessionTime


class InterviewCreated(BaseEvent):
    """Somebody asked for an interview on the start page or the command line."""

    kind: Literal["interview_created"] = "interview_created"
    candidate_name: str
    pack: str
    pack_title: str
    minutes: int
    feedback: KeptFeedbackMode
    room: str
    """Empty for an interview by text, which needs no room."""
    medium: Medium = "voice"
    difficulty: Difficulty = "medium"
    """Where the difficulty starts."""
    pace: float = 1.0
    """How fast the interviewer speaks at first, a factor on its usual pace."""
    focus_topics: list[str] = Field(default_factory=list)
    """Topics the candidate asked for, by id; empty: the plan chooses."""
    resume: str = ""
    """The candidate's résumé, when they gave one."""
    job_description: str = ""
    """What the job asks for that they prepare for."""
    time: SessionTime = "real"
    mode: Mode | None = None
    """Where questions come from at the beginning; None: as the host has set it."""
    user_id: str = ""
    """Whose interview it is; empty in old records, where the name says it."""
    guest: bool = False
    """Nobody knows who they are, so nothing gets into a profile."""
    known: bool = False
    """They had held an interview here before, and are greeted so."""
    profile: CandidateProfile | None = None
    """What is known of them, as they corrected it or as it is kept; None: only what `resume` says."""

    asked_before: list[AskedBefore] = Field(default_factory=list)
    """What their last interviews with this pack asked."""
    seed: int = 0
    """Draws the beginning for whom nothing was asked before: one number further is another beginning."""

    @property
    def whose(self) -> str:
        """Id of the person whose profile it belongs to."""
        return self.user_id or user_id_of(self.candidate_name)


class InterviewStarted(BaseEvent):
    """The interviewer is in the room and about to greet."""

    kind: Literal["interview_started"] = "interview_started"
    judge: str
    """Which judge is in force: `built-in`, or a model's name."""
    resumed: bool = False
    """True when an earlier worker died and this one goes on from the last checkpoint."""


class CandidateJoined(BaseEvent):
    """The candidate is in the room."""

    kind: Literal["candidate_joined"] = "candidate_joined"
    identity: str
    """Always that of a candidate in a browser; one on the phone may have their number in theirs."""


class CandidateLeft(BaseEvent):
    """The candidate is gone: a closed page, a lost line. The interview waits a while for them."""

    kind: Literal["candidate_left"] = "candidate_left"
    identity: str


class InterviewEnded(BaseEvent):
    """The interview is over.

    Nothing follows but words that were still being recognised, the finished recording, notes, and verdicts that are
    contested.
    """

    kind: Literal["interview_ended"] = "interview_ended"
    reason: EndReason
