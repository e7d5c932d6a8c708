"""Judging one answer: which judge, what happens when it fails, and when there is nothing to judge."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from graph.judging.model import JudgingError, ModelJudge
from graph.judging.scoring import score
from graph.judging.verdicts import Evaluation, Verdict
from graph.judging.words import content_stems
from graph.questions import Question

_log = logging.getLogger(__name__)

_MIN_CONTENT_WORDS = 3
"""An answer with fewer words that carry meaning cannot be told from a misheard cough."""

_DOES_NOT_KNOW = re.compile(
    r"\b(i (do not|don't|dont) (really )?(know|remember)|no idea|not sure|can'?t remember|i'?d have to (guess|pass)|"
    r"never (used|heard of|worked with)|(have|need) to look (that|it|this) up)\b",
    re.IGNORECASE,
)

_MODEL_FAULTS = (TimeoutError, JudgingError)
"""How a model judge fails. What its models can do wrong is caught where they are asked; anything else is our fault."""


class Judge(Protocol):
    """Whoever gives verdicts."""

    @property
    def name(self) -> str:
        """As the record calls it."""
        ...

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        """A verdict for each key point of the question."""
        ...


@dataclass(frozen=True, slots=True)
class Bench:
    """The judges of an interview: the built-in one, and a model in front of it when there is one."""

    built_in: Judge
    model: Judge | None = None
    model_timeout_s: float = 15.0

    @property
    def name(self) -> str:
        """The judge that is asked first."""
        return self.model.name if self.model else self.built_in.name

    async def evaluate(self, question: Question, words: Sequence[str], *, turn: int = 0) -> Evaluation:
        """Judge one answer. A model that fails is replaced by the built-in judge, and the evaluation says so.

        Args:
            question: what was asked.
            words: the answer.
            turn: the candidate's turn, by which a model judge counts its tries.
        """
        if too_little(words):
            return _unscored(question, self.name, "Too little was said to judge it.")
        if self.model is None:
            return await self._by(self.built_in, question, words)
        judge = self.model.of_turn(turn) if isinstance(self.model, ModelJudge) else self.model
        try:
            async with asyncio.timeout(self.model_timeout_s):
                return await self._by(judge, question, words)
        except _MODEL_FAULTS as error:
            _log.warning("%s failed (%s); the built-in judge judges this answer", judge.name, type(error).__name__)
            return await self._by(self.built_in, question, words, fallback=True)

    async def _by(
        self, judge: Judge, question: Question, words: Sequence[str], *, fallback: bool = False
    ) -> Evaluation:
        verdicts = await judge.verdicts(question, words)
        return Evaluation(
            question_id=question.id,
            topic=question.topic,
            difficulty=question.difficulty,
            judge=judge.name,
            verdicts=verdicts,
            scores=score(verdicts),
            fallback=fallback,
        )


def too_little(words: Sequence[str]) -> bool:
    """True when an answer has too few words to be judged, and does not say that the candidate does not know."""
    return len(content_stems(" ".join(words))) < _MIN_CONTENT_WORDS and not says_unknown(words)


def says_unknown(words: Sequence[str]) -> bool:
    """True when the candidate says that they do not know. It is an answer, and an honest one."""
    return _DOES_NOT_KNOW.search(" ".join(words)) is not None


def _unscored(question: Question, judge: str, why: str) -> Evaluation:
    return Evaluation(
        question_id=question.id,
        topic=question.topic,
        difficulty=question.difficulty,
        judge=judge,
        verdicts=(),
        scores=None,
        not_scored=why,
    )
