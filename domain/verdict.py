"""Verdicts: what a judge says about an answer, point by point, with the candidate's own words as proof.

The one shape of a verdict: judges make it, the state of the graph and the record hold it, report and pages show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from pydantic import Field, model_validator

from domain.frozen_model import FrozenModel
from domain.metrics import AnswerMetrics
from domain.vocabulary import Difficulty, PointKind, VerdictStatus


class AnswerSpan(FrozenModel):
    """A stretch of what the candidate said in one turn, by its words, from 0."""

    turn: int
    first_word: int
    last_word: int
    """Inclusive."""


class Quote(FrozenModel):
    """Words of the answer as recognised, by their place in it, from 0."""

    text: str
    first_word: int
    last_word: int
    """Inclusive."""

    def overlaps(self, other: Quote) -> bool:
        """True when the two have a word in common."""
        return self.first_word <= other.last_word and other.first_word <= self.last_word


class Counts(FrozenModel):
    """How much a verdict counts as each status; together one."""

    covered: float = 0.0
    partly: float = 0.0
    missing: float = 0.0
    contradicted: float = 0.0


class Verdict(FrozenModel):
    """What an answer did about one point.

    A misconception has a verdict only when the candidate stated it; its status is then `contradicted`.
    """

    point: str
    kind: PointKind = "key_point"
    status: VerdictStatus
    quote: Quote | None = None
    """The candidate's words for it; None when nothing was said about the point."""
    probability: float = Field(ge=0, le=1)
    """How sure the judge is of the status."""
    rule: str = ""
    """What settled it, in a few words, for whoever contests it."""
    counts: Counts | None = None
    """What it counts for in the scores, from a judge that knows how likely each status is; None: its status, whole."""
    told: bool | None = None
    """Whether it is sure enough to act on before the candidate: to praise what is covered, to ask for what is missing,
    to doubt what is contradicted. None, from a judge that does not say: any point may be praised or asked for, and what
    is doubted goes by `TOLD_FROM`."""

    @model_validator(mode="before")
    @classmethod
    def _of_an_old_record(cls, given: Any) -> Any:
        """Records of version 0.1 have a quote's text and place side by side, and "" for no quote."""
        if not isinstance(given, dict) or not isinstance(given.get("quote"), str):
            return given
        first, last = given.get("first_word"), given.get("last_word")
        placed = first is not None and last is not None
        quote = {"text": given["quote"], "first_word": first, "last_word": last} if placed else None
        rest = {name: value for name, value in given.items() if name not in ("first_word", "last_word")}
        return {**rest, "quote": quote}

    @property
    def weighed(self) -> Counts:
        """What it counts for in the scores."""
        return self.counts or Counts.model_validate({self.status: 1.0})


class Unjudged(StrEnum):
    """Why an answer has no verdicts, as a sentence for people."""

    TOO_LITTLE = "Too little was said to judge it."
    OTHER_LANGUAGE = "It was said in another language than English."
    NO_TIME = "Nobody judged it in time."
    NO_JUDGE = "The files of the built-in judge cannot be read."


class NoAnswer(StrEnum):
    """Why words earn no credit that no judge has read, as the rule of a verdict."""

    QUESTION_BACK = "the question was said back, and nothing else"
    TO_THE_JUDGE = "it was said to whoever judges, and not about the question"


TOLD_FROM = ((7.0, 0.8), (4.0, 0.65), (0.0, 0.5))
"""For an overall score of at least this, how probable a contradiction has to be before it is spoken of, where the judge
does not say itself what may be told: a language model, a person, and records of earlier versions."""


class Scores(FrozenModel):
    """Scores of one answer, 0 to 10. They follow from the verdicts by the rules of `graph.judging.scoring`."""

    technical_accuracy: float
    completeness: float
    depth: float
    clarity: float
    overall: float
    low: float
    """Lower end of the overall score's interval."""
    high: float
    """Upper end of the overall score's interval."""


class Evaluation(FrozenModel):
    """Everything that is known about one answer."""

    question_id: str
    topic: str
    difficulty: Difficulty
    judge: str
    verdicts: tuple[Verdict, ...]
    scores: Scores | None
    """None: nobody could judge the answer. It is outside every average and trend."""
    not_scored: str = ""
    """Why there are no scores, as a sentence for people."""
    fallback: bool = False
    """The model judge failed and the built-in judge took over. It is outside every average and trend."""
    drift: bool = False
    """The model judge and the built-in judge differ on more than half of the key points; the model's verdicts stand."""
    second_judge: str = ""
    """The judge that saw it differently; empty without drift."""
    second_verdicts: tuple[Verdict, ...] = ()
    """Its verdicts."""
    turn: int = 0
    """The candidate's turn in which it was judged."""
    spans: tuple[AnswerSpan, ...] = ()
    """Where the judged words were said; quotes count words from the first of them."""
    replaces_turn: int | None = None
    """The turn whose judgement this one takes the place of: the candidate corrected that answer."""
    hints: int = 0
    """Hints the candidate was given before it: they lower its completeness."""
    asked_back: bool = False
    """The question asked back about a misconception, and had no key points: it has no scores, and needs none."""
    metrics: AnswerMetrics | None = None
    """How it is reasoned and how clearly it is said; None without scores, and where `AnswerMeasured` has it."""

    @property
    def unjudged(self) -> Unjudged | None:
        """Why nothing was found in it; None where there are verdicts, or another reason."""
        return next((why for why in Unjudged if why == self.not_scored and not self.verdicts), None)

    @property
    def no_answer(self) -> NoAnswer | None:
        """Why what was said is no answer at all; None for an answer, good or bad."""
        rules = {verdict.rule for verdict in self.verdicts}
        return next((why for why in NoAnswer if rules == {why.value}), None)

    @property
    def missed(self) -> tuple[str, ...]:
        """Key points the answer did not make."""
        return tuple(v.point for v in self.verdicts if v.kind == "key_point" and v.status == "missing")

    @property
    def left_out(self) -> tuple[str, ...]:
        """The points of `missed` that are sure enough to ask for and to name, the surest of them first."""
        found = [v for v in self.verdicts if v.kind == "key_point" and v.status == "missing" and v.told is not False]
        return tuple(each.point for each in sorted(found, key=lambda v: -v.probability if v.told else 0.0))

    @property
    def contradictions(self) -> tuple[Verdict, ...]:
        """Verdicts about what the candidate said that is not so, the surest first."""
        found = [verdict for verdict in self.verdicts if verdict.status == "contradicted"]
        return tuple(sorted(found, key=lambda verdict: -verdict.probability))

    @property
    def doubts(self) -> tuple[Verdict, ...]:
        """The contradictions that are sure enough to be told to the candidate; the report shows the others as well.

        The judge says which; where it does not, they have to be the surer the better the answer is: in a good one there
        is less that is not so, and more of what is taken for it is a mistake of the judge (`TOLD_FROM`).
        """
        overall = self.scores.overall if self.scores else 0.0
        needed = next(probability for above, probability in TOLD_FROM if overall >= above)
        return tuple(
            each for each in self.contradictions if (each.probability >= needed if each.told is None else each.told)
        )

    @property
    def credited(self) -> tuple[Verdict, ...]:
        """Key points the answer made, the surest first."""
        return self._surest("covered")

    @property
    def halves(self) -> tuple[Verdict, ...]:
        """Key points the answer made in part, the surest first."""
        return self._surest("partly")

    @property
    def praised(self) -> tuple[Verdict, ...]:
        """What the candidate may hear was good, the surest first: of the points it made, or else of those half made.

        Empty where something was made and nothing is sure enough: to praise what is wrong teaches it.
        """
        return tuple(each for each in self.credited if each.told is not False) or (() if self.credited else self.halves)

    def _surest(self, status: VerdictStatus) -> tuple[Verdict, ...]:
        found = [verdict for verdict in self.verdicts if verdict.kind == "key_point" and verdict.status == status]
        return tuple(sorted(found, key=lambda verdict: -verdict.probability))


def standing(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """The evaluations that were not replaced by the candidate's correction, in order."""
    replaced = {evaluation.replaces_turn for evaluation in evaluations} - {None}
    return [evaluation for evaluation in evaluations if evaluation.turn not in replaced]
