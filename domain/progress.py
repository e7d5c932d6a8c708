"""Progress of an interview: what is known when it begins, where it stands, and what is expected next."""

from __future__ import annotations

from dataclasses import dataclass

from domain.candidate import CandidateProfile
from domain.question import AskedBefore, Question
from domain.vocabulary import Difficulty, EndReason, FeedbackMode, Medium, Mode, PatienceLevel, Review


@dataclass(frozen=True, slots=True)
class Setup:
    """What is known when an interview begins."""

    interview_id: str
    candidate_name: str
    minutes: int
    feedback: FeedbackMode = "coach"
    difficulty: Difficulty = "medium"
    pace: float = 1.0
    """How fast the interviewer speaks at first, a factor on its usual pace."""
    medium: Medium = "voice"
    focus_topics: tuple[str, ...] = ()
    """Ids of topics of the pack that most questions should be about."""
    resume: str = ""
    job_description: str = ""
    mode: Mode = "plan"
    """Where questions come from at the beginning."""
    profile: CandidateProfile | None = None
    """What the résumé says, when somebody has read it already; None: its text is read when the interview begins."""
    user_id: str = ""
    """Whose interview it is, across interviews; empty for somebody who is not known."""
    known: bool = False
    """They held an interview here before."""
    asked_before: tuple[AskedBefore, ...] = ()
    """What their last interviews asked."""
    seed: int = 0
    """Draws the beginning for whom nothing was asked before: one number further is another beginning."""
    review: Review = "off"
    """Which turns wait for a person before the interview goes on."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What is known of an answer before it is given."""

    words: int = 0
    """How long a full one would be; 0 when a word or two would do."""
    terms: tuple[str, ...] = ()
    """Words that are likely in it, the likeliest first."""
    patience: PatienceLevel = "relaxed"
    """How long to wait in its pauses: as it is set, or as the candidate has asked since."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where an interview stands. It holds no score."""

    turn: int
    """Number of the last turn; -1 before the interview has begun."""
    questions_done: int
    target_questions: int
    elapsed_s: float
    remaining_s: float
    question: Question | None
    """The question that waits for an answer; None when there is none."""
    end_reason: EndReason | None
    cut_off: bool
    """The last turn was not finished: `resume` finishes it."""
    waits_for_review: bool
    """The last turn waits for a person to look at it."""
    question_id: str = ""
    """Id of the question that was chosen last, whether or not it waits for an answer; empty before the first."""
    checkpoint: str = ""
    """Id of the checkpoint that this was read from, to come back to with `take_back`."""

    @property
    def is_over(self) -> bool:
        """The interview has ended."""
        return self.end_reason is not None
