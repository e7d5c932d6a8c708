"""Course events: what is asked, how hard it is, and how long the interview goes on."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from domain.events.base import BaseEvent
from domain.feedback import KeptFeedbackMode
from domain.vocabulary import (
    Difficulty,
    DifficultyReason,
    EndReason,
    Grade,
    Mode,
    PatienceLevel,
    QuestionKind,
    QuestionSource,
    Setting,
)


class PlanMade(BaseEvent):
    """What the interview sets out to ask."""

    kind: Literal["plan_made"] = "plan_made"
    topics: list[str]
    """Topic ids, in the order planned."""
    difficulty_curve: list[Difficulty]
    """The difficulty planned for each topic."""
    target_questions: int
    by: str
    """Who planned: `rules`, or a model's name."""
    topic_titles: list[str] = Field(default_factory=list)
    """The topics as people read them, in the same order; may be empty."""


class QuestionSelected(BaseEvent):
    """The next question is chosen. It is asked only if the supervisor goes on."""

    kind: Literal["question_selected"] = "question_selected"
    turn: int
    question_id: str
    text: str
    question_kind: QuestionKind
    topic: str
    difficulty: Difficulty
    source: QuestionSource
    grade: Grade | Literal[""] = ""
    """How well retrieval fitted; empty for follow-ups."""
    attempts: int = 0
    """Retrieval attempts it took."""
    topic_title: str = ""
    """The topic as people read it; empty in old records."""
    minutes: float = 0.0
    """Expected minutes for asking and answering; 0 in old records."""


class Supervised(BaseEvent):
    """The supervisor decided whether the interview goes on, and how hard it is from now on."""

    kind: Literal["supervised"] = "supervised"
    turn: int
    goes_on: bool
    end_reason: EndReason | Literal[""] = ""
    """Empty while it goes on."""
    question_count: int
    difficulty: Difficulty | Literal[""]
    """In force from now on; empty where it is not told, because it follows the scores."""
    difficulty_reason: DifficultyReason | Literal[""] = ""
    """What moved it in this turn; empty where it stays, where it is not told, and in old records."""
    ema: float | None
    """Smoothed score so far; None before the first scored answer."""
    remaining_s: float


class SettingChanged(BaseEvent):
    """The interview goes on differently because the candidate asked for it."""

    kind: Literal["setting_changed"] = "setting_changed"
    turn: int
    what: Setting
    value: Difficulty | KeptFeedbackMode | Mode | PatienceLevel | float
    """The new setting: a difficulty, how answers are met, where questions come from, how long the interviewer waits in
    a silence, or the speed of its voice (1 is as it was made)."""

    @field_validator("what", mode="before")
    @classmethod
    def _of_old_records(cls, what: object) -> object:
        return "feedback" if what == "feedback_mode" else what
