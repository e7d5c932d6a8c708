"""The built-in judge: no language model, milliseconds, the same verdicts for the same words every time.

For each point it looks for the stretch of the answer that is closest to it, by the meaning of the sentence (embedding)
and by the words that carry it (stems). How close is close enough was read off the packs themselves:
`python -m bench.judging_scale` prints the distributions.

What it cannot do: similarity sees *what* an answer is about better than *whether it is right*. It notices a stated
misconception only when the words are nearer to the misconception than to the point, and a negation only when one is
there on one side and not on the other. That can lower a verdict; it never raises one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph.judging import clauses
from graph.judging.clauses import Clause
from graph.judging.evidence import Embedder
from graph.judging.verdicts import Quote, Verdict, VerdictStatus
from graph.judging.words import content_stems, negations, overlap
from graph.questions import Question

_MEANING = 0.8
"""Weight of the sentences' meaning against the words in common: separates best on the packs (AUC 0.969)."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Where closeness (0 to 1) becomes a verdict."""

    partly: float = 0.40
    """Between the 90th percentile of answers to other questions (0.38) and the 10th of model answers (0.42)."""
    covered: float = 0.46
    """85% of the points of model answers reach it, 10% of those of answers to another question of the same topic."""
    misconception: float = 0.70
    """A misconception counts as stated from here on, and only when it is nearer than every key point."""
    slope: float = 14.0
    """Steepness with which the distance from a limit becomes a probability."""


_Row = NDArray[np.floating[Any]]
_Matrix = NDArray[np.floating[Any]]


class SimilarityJudge:
    """Verdicts from embeddings and word overlap."""

    name = "built-in"

    def __init__(self, embedder: Embedder, scale: Scale | None = None) -> None:
        self._embedder = embedder
        self._scale = scale or Scale()

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        """A verdict for each key point of the question, and one for each misconception that was stated."""
        return await asyncio.to_thread(self._judge, question, words)

    def _judge(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        stretches = clauses.windows(clauses.split(words), words)
        points, wrong = question.targets.points, question.targets.misconceptions
        if not stretches:
            return tuple(_missing(point) for point in points)
        closeness = self._closeness([*points, *wrong], stretches, asked=content_stems(question.text))
        to_points, to_wrong = closeness[: len(points)], closeness[len(points) :]
        stated = [
            self._stated(misconception, row, stretches)
            for misconception, row in zip(wrong, to_wrong, strict=True)
            if self._is_stated(row, to_points, stretches)
        ]
        # Words that state a misconception are about the point, but no evidence for it.
        evidence = np.array([not any(_overlap(stretch, verdict.quote) for verdict in stated) for stretch in stretches])
        made = [
            self._made(point, np.where(evidence, row, 0), stretches)
            for point, row in zip(points, to_points, strict=True)
        ]
        return (*made, *stated)

    def _closeness(self, points: Sequence[str], stretches: Sequence[Clause], asked: frozenset[str]) -> _Matrix:
        """How close each stretch of the answer is to each point: points in rows, stretches in columns, 0 to 1."""
        vectors = self._embedder.embed([*points, *(stretch.text for stretch in stretches)])
        meaning = vectors[: len(points)] @ vectors[len(points) :].T
        said = [content_stems(stretch.text) for stretch in stretches]
        telling = [(stems - asked) or stems for stems in map(content_stems, points)]
        words = np.array([[overlap(stems, stems_said) for stems_said in said] for stems in telling])
        return np.clip(_MEANING * meaning + (1 - _MEANING) * words, 0, 1)

    def _is_stated(self, row: _Row, to_points: _Matrix, stretches: Sequence[Clause]) -> bool:
        best = int(np.argmax(row))
        rivals = [i for i, stretch in enumerate(stretches) if _overlap(stretch, _quote(stretches[best]))]
        nearest_point = float(to_points[:, rivals].max(initial=0))
        return bool(row[best] >= self._scale.misconception and row[best] > nearest_point)

    def _stated(self, misconception: str, row: _Row, stretches: Sequence[Clause]) -> Verdict:
        best = int(np.argmax(row))
        return Verdict(
            point=misconception,
            kind="misconception",
            status="contradicted",
            quote=_quote(stretches[best]),
            probability=self._sure(row[best] - self._scale.misconception),
            rule=f"nearer to the misconception than to any key point (closeness {row[best]:.2f})",
        )

    def _made(self, point: str, row: _Row, stretches: Sequence[Clause]) -> Verdict:
        scale, best = self._scale, int(np.argmax(row))
        closeness, clause = float(row[best]), stretches[best]
        status: VerdictStatus
        if closeness < scale.partly:
            return _missing(point, self._sure(scale.partly - closeness), f"nothing said is close ({closeness:.2f})")
        if closeness < scale.covered:
            middle = min(closeness - scale.partly, scale.covered - closeness)
            status, sure, rule = "partly", self._sure(middle), f"something close was said ({closeness:.2f})"
        else:
            status, sure, rule = "covered", self._sure(closeness - scale.covered), f"said ({closeness:.2f})"
        if status == "covered" and _turned_round(point, clause):
            status, sure, rule = "partly", 0.5, f"the point's own words ({closeness:.2f}), but with a negation"
        return Verdict(point=point, status=status, quote=_quote(clause), probability=sure, rule=rule)

    def _sure(self, distance: float) -> float:
        return round(float(1 / (1 + np.exp(-self._scale.slope * distance))), 3)


def _missing(point: str, probability: float = 1.0, rule: str = "nothing was said") -> Verdict:
    return Verdict(point=point, status="missing", probability=probability, rule=rule)


def _quote(clause: Clause) -> Quote:
    return Quote(text=clause.text, first_word=clause.first_word, last_word=clause.last_word)


def _overlap(clause: Clause, quote: Quote | None) -> bool:
    return quote is not None and clause.first_word <= quote.last_word and quote.first_word <= clause.last_word


def _turned_round(point: str, clause: Clause) -> bool:
    """True when all of the point's words were said, and a "not" stands on one side only.

    With fewer of its words, other ones say the same with or without a "not": applied to every close clause, the check
    cost model answers 13% of their points.
    """
    if overlap(content_stems(point), content_stems(clause.text)) < 1:
        return False
    return (negations(point.split()) > 0) != (negations(clause.text.split()) > 0)
