"""Person: who practises across interviews: their id, what is known of them, and what their interviews showed."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from pydantic import Field

from domain.candidate import CandidateEducation, CandidateExperience, CandidateProfile, CandidateProject
from domain.frozen_model import FrozenModel
from domain.vocabulary import EvidenceKind

LONGEST_USER_ID = 80
"""Characters, those of the longest name."""
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def user_id_of(name: str) -> str:
    """The id of whoever bears a name on this machine: the same for every way to write it, and never spoken.

    Case, width, accents that are composed or not, and what stands between words make no difference ("Ada  LOVELACE" is
    `ada-lovelace`); letters of every script stay. A name without a letter or digit is known by a digest. An id's own id
    is itself.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    words = [word for word in _BETWEEN_WORDS.split(folded) if word]
    if not words:
        return "name-" + hashlib.sha256(folded.strip().encode()).hexdigest()[:12]
    return "-".join(words)[:LONGEST_USER_ID].rstrip("-")


class Evidence(FrozenModel):
    """What a candidate said in an interview that shows a strength or a weakness, and where it can be heard."""

    id: int = 0
    """By which it can be removed; 0 before it is kept."""
    kind: EvidenceKind
    subject: str
    """What they are strong or weak in, as people read it: a topic."""
    point: str
    """What the words are about: the key point, or the misconception."""
    interview_id: str
    turn: int
    words: str
    """The candidate's own, as recognised."""
    first_word: int
    """Their place in the answer, from 0."""
    last_word: int
    """Inclusive."""
    start_s: float | None = None
    """Second of the recording at which they begin; None for an interview by text."""
    at: float
    """When the interview ended, in seconds since the epoch."""


class Achievement(FrozenModel):
    """What all interviews of a person came to. Means are of judged answers, 0 to 10; None before the first."""

    question_attempted: int = 0
    """Questions that were answered, judged or not."""
    answers_scored: int = 0
    """Answers that the means are of."""
    interviews: int = 0
    technical_accuracy: float | None = None
    reasoning_depth: float | None = None
    communication_clarity: float | None = None
    score_overall: float | None = None
    """Mean of the three."""


class InterviewOutcome(FrozenModel):
    """What one interview adds to a person's profile. The sums are over `answers_scored` answers, 0 to 10 each."""

    interview_id: str
    user_id: str
    name: str
    """As the interviewer called them."""
    at: float
    """When it ended, in seconds since the epoch."""
    question_attempted: int
    answers_scored: int
    technical_accuracy: float
    reasoning_depth: float
    communication_clarity: float
    evidence: tuple[Evidence, ...] = ()


class Person(FrozenModel):
    """Everything that is kept of somebody between interviews."""

    user_id: str
    profile: CandidateProfile
    """What their résumé says, as they corrected it. Its strengths and weaknesses are what it claims."""
    edited: tuple[str, ...] = ()
    """Fields of the profile that they corrected: a later résumé does not change these."""
    strengths: tuple[str, ...] = ()
    """Those of the profile, then those that their interviews showed; each once."""
    weaknesses: tuple[str, ...] = ()
    achievement: Achievement = Field(default_factory=Achievement)
    evidence: tuple[Evidence, ...] = ()
    """Oldest first."""
    updated_at: float
    """Seconds since the epoch."""


class ProfileEdit(FrozenModel):
    """What a person corrects in their profile. A field that is left out stays as it is."""

    name: str | None = Field(default=None, min_length=1, max_length=80)
    domain: str | None = Field(default=None, max_length=200)
    summary: str | None = Field(default=None, max_length=2000)
    skills: tuple[str, ...] | None = None
    categories: tuple[str, ...] | None = None
    strengths: tuple[str, ...] | None = None
    weaknesses: tuple[str, ...] | None = None
    traits: tuple[str, ...] | None = None
    projects: tuple[CandidateProject, ...] | None = None
    experience: tuple[CandidateExperience, ...] | None = None
    education: tuple[CandidateEducation, ...] | None = None
    years: int | None = Field(default=None, ge=0, le=80)

    def changes(self) -> dict[str, object]:
        """The fields that it sets; of these only `years` may be set to nothing."""
        given = self.model_dump(mode="json", include=self.model_fields_set)
        return {name: value for name, value in given.items() if value is not None or name == "years"}
