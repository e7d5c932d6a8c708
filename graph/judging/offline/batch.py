"""Batches of answers, judged at once: lines of a file, each with its question and what a good answer says.

What a good answer says is given as key points, or as model answers ("references"). A model answer is taken apart into
its sentences, each a claim; several of them are alternatives, and the one that the answer comes closest to counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from domain.question import KeyPoints, Question
from domain.verdict import Scores, Verdict
from graph.judging.offline.labels import AnswerLabel
from graph.judging.scoring import score, too_unsure
from graph.language_models.sentence_stream import SentenceCutter

CORRECT_FROM = 0.75
"""Share of the points (a half-made one counts half) from which an answer is correct."""
_MOST_FAULTS = 10
"""Bad lines that are told of, at most."""


class BatchError(ValueError):
    """Lines cannot be used; the message says which and why."""


class BatchLine(BaseModel):
    """An answer to judge. What else a line holds is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str | int
    """Comes back with the verdicts."""
    question: str
    answer: str
    """May be empty: then there is nothing to score."""
    key_points: list[str] = Field(default_factory=list)
    """Claims that a good answer makes. They count when a line has model answers as well."""
    references: list[str] = Field(default_factory=list)
    """Model answers, alternatives of each other."""
    misconceptions: list[str] = Field(default_factory=list)
    """Wrong claims that people make."""

    @model_validator(mode="after")
    def _has_something_to_judge_by(self) -> BatchLine:
        if not self.alternatives:
            raise ValueError("there is nothing to judge by: give key_points or references that are not empty")
        return self

    @property
    def alternatives(self) -> list[tuple[str, ...]]:
        """Sets of claims, of which the best counts."""
        points = tuple(filter(None, map(_tidy, self.key_points)))
        return [points] if points else [claims for each in self.references if (claims := claims_of(each))]

    @property
    def words(self) -> list[str]:
        """The answer, word by word, as the verdicts' spans count them."""
        return self.answer.split()


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge made of a line."""

    line: BatchLine
    judge: str
    verdicts: tuple[Verdict, ...]
    """Of the best alternative."""
    scores: Scores | None
    """None: nothing was said, nobody could judge, or there is not enough evidence."""
    whole: AnswerLabel | None = None
    """The label of the answer as a whole beside its model answers, where somebody gave one."""

    @property
    def label(self) -> AnswerLabel:
        """The answer as a whole, in one word."""
        return self.whole or label_of(self.verdicts)


def label_of(verdicts: Sequence[Verdict]) -> AnswerLabel:
    """One word for an answer: what is contradicted outweighs what is right, and half of it is not correct.

    Args:
        verdicts: of one alternative, and of the misconceptions that were stated.
    """
    if any(verdict.status == "contradicted" for verdict in verdicts):
        return "contradictory"
    points = [verdict for verdict in verdicts if verdict.kind == "key_point"]
    credit = sum({"covered": 1.0, "partly": 0.5}.get(verdict.status, 0.0) for verdict in points)
    return "correct" if points and credit >= CORRECT_FROM * len(points) else "incorrect"


def claims_of(reference: str) -> tuple[str, ...]:
    """The sentences of a model answer, each once."""
    cutter = SentenceCutter()
    return tuple(dict.fromkeys([*cutter.take(reference), *cutter.rest()]))


def question_of(line: BatchLine) -> Question:
    """The question of a line as judges take it, with the claims of all alternatives, each once."""
    points = tuple(dict.fromkeys(point for alternative in line.alternatives for point in alternative))
    return Question(
        id=str(line.id),
        text=line.question,
        kind="retrieved",
        source="plan",
        topic="",
        difficulty="medium",
        targets=KeyPoints(points=points, misconceptions=tuple(filter(None, map(_tidy, line.misconceptions)))),
        expected_answer=" ".join(line.references[:1]),
        concepts=(),
        minutes=0.0,
    )


def judged(line: BatchLine, verdicts: Sequence[Verdict], judge: str, whole: AnswerLabel | None = None) -> Judged:
    """A line with the verdicts of its best alternative.

    Args:
        line: as it was read.
        verdicts: what the judge says about `question_of(line)`; none when nobody could judge.
        judge: its name.
        whole: the label of the answer as a whole, where somebody gave one.
    """
    if not line.words or not verdicts:
        return Judged(line, judge, (), None)
    of_point = {verdict.point: verdict for verdict in verdicts if verdict.kind == "key_point"}
    stated = [verdict for verdict in verdicts if verdict.kind == "misconception"]
    # The judges keep the points as they are given, so that each alternative finds its own.
    tried = [(*(of_point[point] for point in each), *stated) for each in line.alternatives]
    best = max(tried, key=_worth)
    return Judged(line, judge, best, None if too_unsure(best) else score(best), whole)


def as_json(judged: Judged) -> str:
    """A line out."""
    scores = judged.scores
    return json.dumps(
        {
            "id": judged.line.id,
            "label": judged.label,
            "score": scores.overall if scores else None,
            "interval": [scores.low, scores.high] if scores else None,
            "judge": judged.judge,
            "verdicts": [
                {
                    "point": verdict.point,
                    "kind": verdict.kind,
                    "status": verdict.status,
                    "quote": verdict.quote.text if verdict.quote else "",
                    "span": [verdict.quote.first_word, verdict.quote.last_word] if verdict.quote else None,
                    "probability": verdict.probability,
                    "rule": verdict.rule,
                }
                for verdict in judged.verdicts
            ],
        },
        ensure_ascii=False,
    )


def read_lines(lines: Iterable[bytes], origin: str) -> list[BatchLine]:
    """All answers of a file; empty lines are passed over.

    Args:
        lines: the lines, in UTF-8.
        origin: what to call them in messages.

    Raises:
        BatchError: some lines cannot be used, or there is none; the message names the first ten of them.
    """
    read, faults = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            read.append(BatchLine.model_validate(json.loads(line.decode("utf-8-sig"))))
        except ValueError as error:
            faults.append(f"{origin}, line {number}: {_why(error)}")
    if faults:
        more = [f"… and {len(faults) - _MOST_FAULTS} more lines"] if len(faults) > _MOST_FAULTS else []
        raise BatchError("\n".join([*faults[:_MOST_FAULTS], *more, "Nothing was judged and nothing was written."]))
    if not read:
        raise BatchError(f"{origin}: there is no line to judge")
    return read


def _why(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        return "; ".join(_faults(error))
    if isinstance(error, UnicodeDecodeError):
        return "this is not UTF-8 text"
    return f"this is not JSON ({error.msg})" if isinstance(error, json.JSONDecodeError) else str(error)


def _faults(error: ValidationError) -> Iterator[str]:
    """One sentence for each field; of the two types that an id may have, both complain."""
    told = set()
    for fault in error.errors():
        place = ".".join(map(str, fault["loc"][:1])) or "the line"
        if place not in told:
            told.add(place)
            said = fault["msg"].removeprefix("Value error, ")
            yield f"{place}: {said[:1].lower()}{said[1:]}"


def _worth(verdicts: Sequence[Verdict]) -> tuple[float, float]:
    """How good an alternative is for the answer; of two with the same score the surer one."""
    scores = score(verdicts)
    return (scores.overall, sum(each.probability for each in verdicts) / len(verdicts)) if scores else (-1.0, 0.0)


def _tidy(text: str) -> str:
    return " ".join(text.split())
