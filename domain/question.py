"""Questions: what is asked, what it is asked for, and what was asked before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from domain.frozen_model import FrozenModel
from domain.vocabulary import Difficulty, Grade, QuestionKind, QuestionSource, StoryPart


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question that was asked, and what it was about."""

    text: str
    anchor: str | None = None
    """What the question hangs on, for example a project of the résumé; None when it hangs on nothing."""
    aspect: str | None = None
    """What it wants to know about the anchor, for example its scale."""


class KeyPoints(BaseModel):
    """Rubric of a question from a pack: the claims a good answer makes, and the wrong ones people make instead."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    points: tuple[str, ...]
    misconceptions: tuple[str, ...] = ()
    parts: tuple[StoryPart, ...] = ()
    """For a question that asks for a story or about one's own work: which part of it each point is."""
    corrections: tuple[str, ...] = ()
    """What holds instead of each misconception, in their order, as it is said; none where the pack has none."""
    spoken: tuple[str, ...] = ()
    """How each point is said to a candidate who left it out, in their order; empty where it is said as it is."""

    def narrowed(self, points: Sequence[str], misconceptions: Sequence[str]) -> KeyPoints:
        """The rubric of a question that asks only for some of these, with all that is known of them."""
        parts, spoken = (
            dict(zip(self.points, self.parts, strict=False)),
            dict(zip(self.points, self.spoken, strict=False)),
        )
        truths = dict(zip(self.misconceptions, self.corrections, strict=False))
        return KeyPoints(
            points=tuple(points),
            misconceptions=tuple(misconceptions),
            parts=tuple(parts[point] for point in points if point in parts),
            corrections=tuple(truths.get(idea, "") for idea in misconceptions) if truths else (),
            spoken=tuple(spoken.get(point, "") for point in points) if spoken else (),
        )

    def correction(self, misconception: str) -> str:
        """What holds instead of a misconception; empty when nobody has written that down."""
        return dict(zip(self.misconceptions, self.corrections, strict=False)).get(misconception, "")

    def spoken_as(self, point: str) -> str:
        """How a point is said to a candidate who left it out; empty when nobody has written that down."""
        return dict(zip(self.points, self.spoken, strict=False)).get(point, "")


class FollowUp(BaseModel):
    """A question that asks for key points of another one, as the pack's author worded it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    points: tuple[str, ...]
    text: str


class Question(BaseModel):
    """One question as it is asked. Nothing downstream has to guess what it was about.

    A follow-up or clarification carries its own targets (the points that were missed; the key point that is not so as
    it was stated, or where none is known to be about it, only the misconception), so that it is judged by what it asked
    and not by the whole of its parent.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    text: str
    """As it is spoken, and said again when the candidate asks for it."""
    lead_in: str = ""
    """Words before it when it is asked for the first time ("Let's talk about caching.")."""
    kind: QuestionKind
    source: QuestionSource
    topic: str
    topic_title: str = ""
    """The topic as it is spoken."""
    difficulty: Difficulty
    targets: KeyPoints
    expected_answer: str
    concepts: tuple[str, ...]
    """Names of the ideas behind it, as they are spoken."""
    minutes: float
    """Expected minutes for asking and answering."""
    parent: str = ""
    """Id of the question from the pack that this one follows up; empty for that question itself."""
    hints: tuple[str, ...] = ()
    """A ladder for whoever asks for help; without one, its ideas are named and explained."""
    follow_ups: tuple[FollowUp, ...] = ()
    """The pack's own questions for what an answer may leave out."""
    open_points: tuple[str, ...] = ()
    """Of a follow-up or clarification: what was missed before and has not been asked for yet."""
    rubric: KeyPoints | None = None
    """Of a follow-up or clarification: everything that the question from the pack is judged by."""
    anchor: str | None = None
    """What it hangs on: a concept, a key point. With `aspect`, whoever asks can tell a repetition in other words."""
    aspect: str | None = None
    """What it wants to know about the anchor; None when nobody can say, as for a pack's own questions: the author of a
    pack has made them differ, and does not say how."""
    grade: Grade | None = None
    """How well retrieval fitted what was wanted; None for follow-ups."""
    attempts: int = 0
    """Retrieval attempts it took."""

    @property
    def spoken(self) -> str:
        """What is said when it is asked for the first time."""
        return f"{self.lead_in} {self.text}".strip()

    @property
    def asks_back(self) -> bool:
        """True of a clarification that asks only whether what was stated is so: no key point is what it asks for."""
        return self.kind == "clarification" and not self.targets.points

    @property
    def expected_words(self) -> int:
        """How many words an ordinary answer has; 0 when "yes" or "no" is one.

        Of a question from a pack a third of the model answer, which leaves nothing out; of a follow-up as many as the
        points that it asks for.
        """
        if self.asks_back:
            return 0
        if self.kind == "retrieved":
            return len(self.expected_answer.split()) // 3
        return sum(len(point.split()) for point in self.targets.points)

    @property
    def root(self) -> str:
        """Id of the question from the pack at the beginning of this thread of questions."""
        return self.parent or self.id


class AskedBefore(FrozenModel):
    """A question that the same person was asked in an earlier interview."""

    id: str
    about: str = ""
    """What it was about, as people read it: of the résumé, what its anchor is called."""
    interviews_ago: int
    """1 in the interview before this one."""
    hard: bool = False
    """The answer was poor, and they may be told so."""


class QuestionRecord(BaseModel):
    """A question that was really asked, for progress and against repetition."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    text: str
    kind: QuestionKind
    topic: str
    difficulty: Difficulty
    turn: int
    anchor: str | None = None
    aspect: str | None = None
    source: QuestionSource = "plan"
    """Where it came from; records of before there was another source have none."""

    @property
    def asked(self) -> AskedQuestion:
        """What another question is compared with."""
        return AskedQuestion(self.text, self.anchor, self.aspect)

    @property
    def root(self) -> str:
        """Id of the question from the pack at the beginning of its thread."""
        return self.id.partition(".")[0]
