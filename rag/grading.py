"""How well candidates fit a request: high, medium or low.

The rule, after the corrective retrieval of Yan et al. 2024 (arXiv 2401.15884), without a model:

1. The grade rests on the mean score of the candidates, after penalties: a candidate of another topic counts 0.6 of
   its score, one whose difficulty is a step off counts 0.74 of it for each step. So candidates that are not what was
   wanted never make a grade high, however close their words are.
2. A mean of 0.75 and more is high, of 0.45 and less is low; no candidates are low.
3. Between the two the authors' own labels decide: medium when at least half of the candidates are of the wanted topic,
   else low.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from rag.bank import Hit
from rag.packs import DIFFICULTIES, Difficulty
from rag.scale import HIGH, LOW

Grade = Literal["high", "medium", "low"]

OTHER_TOPIC = 0.6
PER_DIFFICULTY_STEP = 0.74


@dataclass(frozen=True, slots=True)
class Wanted:
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


@dataclass(frozen=True, slots=True)
class Grading:
    """The grade of some candidates, and the mean score it rests on (0 to 1, after penalties)."""

    grade: Grade
    score: float


def rank(hits: Sequence[Hit], wanted: Wanted) -> list[Hit]:
    """Candidates in the order in which to ask them: right topic first, then nearest difficulty, then score."""
    return sorted(hits, key=lambda hit: (not wanted.is_topic_of(hit), wanted.steps_off(hit), -hit.score))


def grade(hits: Sequence[Hit], wanted: Wanted) -> Grading:
    """Grade candidates by the rule above. Never raises."""
    if not hits:
        return Grading("low", 0.0)
    score = fmean(_penalised(hit, wanted) for hit in hits)
    if score >= HIGH:
        return Grading("high", score)
    fitting = sum(wanted.is_topic_of(hit) for hit in hits)
    return Grading("medium" if score > LOW and 2 * fitting >= len(hits) else "low", score)


def _penalised(hit: Hit, wanted: Wanted) -> float:
    topic_factor = 1.0 if wanted.is_topic_of(hit) else OTHER_TOPIC
    return float(hit.score * topic_factor * PER_DIFFICULTY_STEP ** wanted.steps_off(hit))
