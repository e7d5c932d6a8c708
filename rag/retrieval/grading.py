"""Grading of candidates for a request: high, medium or low.

The rule, after the corrective retrieval of Yan et al. 2024 (arXiv 2401.15884), without a model:

1. The grade rests on the mean score of the candidates, after penalties: a candidate of another topic counts 0.6 of
   its score, one whose difficulty is a step off counts 0.74 of it for each step. So candidates that are not what was
   wanted never make a grade high, however close their words are.
2. A mean of 0.75 and more is high, of 0.45 and less is low; no candidates are low.
3. Between the two a model decides where one is given and answers. Else the authors' own labels do: medium when at
   least half of the candidates are of the wanted topic, else low.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from domain.vocabulary import DIFFICULTIES, Difficulty, Grade
from rag.bank.bank import Hit
from rag.bank.score_scale import HIGH, LOW
from rag.packs.pack import BankQuestion

OTHER_TOPIC = 0.6
PER_DIFFICULTY_STEP = 0.74


@dataclass(frozen=True, slots=True)
class WantedQuestion:
    """What a candidate should be. None accepts anything."""

    topic: str | None
    difficulty: Difficulty | None

    def is_topic_of(self, hit: Hit) -> bool:
        """The candidate is of the wanted topic, or none was wanted."""
        return self.topic in (None, hit.question.topic)

    def steps_off(self, hit: Hit) -> int:
        """Steps of difficulty between the candidate and what was wanted."""
        if self.difficulty is None:
            return 0
        return abs(DIFFICULTIES.index(hit.question.difficulty) - DIFFICULTIES.index(self.difficulty))


GradeByModel = Callable[[str, WantedQuestion, Sequence[BankQuestion]], Awaitable[Grade | None]]
"""A model that grades what scores leave open: it gets the query, what was wanted, and the candidates. None when the
model cannot be used."""


@dataclass(frozen=True, slots=True)
class Grading:
    """The grade of some candidates."""

    grade: Grade
    score: float
    """Mean score of the candidates, 0 to 1, after penalties."""
    by: Literal["score", "labels", "model"] = "score"
    """What decided."""


def rank(hits: Sequence[Hit], wanted: WantedQuestion) -> list[Hit]:
    """Candidates in the order in which to ask them: right topic first, then nearest difficulty, then score."""
    return sorted(hits, key=lambda hit: (not wanted.is_topic_of(hit), wanted.steps_off(hit), -hit.score))


def grade(hits: Sequence[Hit], wanted: WantedQuestion) -> Grading:
    """Grade candidates by the rule above, without a model. Never raises."""
    if not hits:
        return Grading("low", 0.0)
    score = fmean(_penalised(hit, wanted) for hit in hits)
    if score >= HIGH:
        return Grading("high", score)
    if score <= LOW:
        return Grading("low", score)
    fitting = sum(wanted.is_topic_of(hit) for hit in hits)
    return Grading("medium" if 2 * fitting >= len(hits) else "low", score, "labels")


async def grade_with_model(
    hits: Sequence[Hit], wanted: WantedQuestion, query: str, model: GradeByModel | None
) -> Grading:
    """Grade candidates; the model is asked only where the scores leave it open."""
    by_rule = grade(hits, wanted)
    if model is None or by_rule.by != "labels":
        return by_rule
    verdict = await model(query, wanted, [hit.question for hit in hits])
    return by_rule if verdict is None else Grading(verdict, by_rule.score, "model")


def _penalised(hit: Hit, wanted: WantedQuestion) -> float:
    topic_factor = 1.0 if wanted.is_topic_of(hit) else OTHER_TOPIC
    return float(hit.score * topic_factor * PER_DIFFICULTY_STEP ** wanted.steps_off(hit))
