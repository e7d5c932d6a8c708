"""Human review events: a person looks at a turn that waits, watches and notes, or disagrees with a verdict later."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from domain.events.base import BaseEvent
from domain.verdict import Scores, Verdict


class ReviewRequested(BaseEvent):
    """A person is to look at this turn before the interview goes on."""

    kind: Literal["review_requested"] = "review_requested"
    turn: int
    why: str


class ReviewReleased(BaseEvent):
    """A person looked at the turn and let the interview go on."""

    kind: Literal["review_released"] = "review_released"
    turn: int
    by: str
    note: str = ""


class TopicWished(BaseEvent):
    """Whoever watches would like this to be asked about next. A later wish takes the place of one that still waits."""

    kind: Literal["topic_wished"] = "topic_wished"
    topic: str
    """Id of a topic of the pack, or of something in the résumé."""
    title: str
    """As people read it."""
    by: str = ""


class TopicWishSettled(BaseEvent):
    """What came of a wish for a topic, when the next question was asked."""

    kind: Literal["topic_wish_settled"] = "topic_wish_settled"
    turn: int
    wish: int
    """Number of the wish in the record."""
    asked: bool
    why: str = ""
    """Why it was not asked about, as a sentence; empty when it was."""


class NoteTaken(BaseEvent):
    """Whoever watches, or watched, noted something for the report."""

    kind: Literal["note_taken"] = "note_taken"
    turn: int
    """The candidate's turn that it is about; 0 for the interview as a whole."""
    by: str
    note: str


class VerdictContested(BaseEvent):
    """A person disagreed with a judgement. It may come long after the end, and what was judged before stays."""

    kind: Literal["verdict_contested"] = "verdict_contested"
    turn: int
    question_id: str
    note: str
    """Why, in the person's words."""
    by: str = ""
    points: list[str] = Field(default_factory=list)
    """The points it is about; empty: all of the answer's."""
    judge: str
    """Who judged again: `person`, or the judge's name."""
    verdicts: tuple[Verdict, ...]
    """All verdicts on the answer as they stand now."""
    scores: Scores | None
    """The scores that follow from them."""
    not_scored: str = ""
    fallback: bool = False
    """As in `AnswerJudged`."""
