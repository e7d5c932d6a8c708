"""The labelled material that judging is measured on, and how it becomes questions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from domain.question import Question
from domain.vocabulary import VerdictStatus
from graph.judging.offline import batch
from graph.judging.pair_labels import PairLabel
from graph.planning.questions import from_bank
from rag import BankQuestion, Pack, load_packs
from rag.packs.pack import Concept

DATA = Path(__file__).parent.parent / "data"

Row = dict[str, Any]
"""What a line of a file says."""


@dataclass(frozen=True, slots=True)
class SpokenAnswer:
    """A whole answer, labelled point by point by its author, who saw none of the training pairs."""

    id: str
    question: Question
    style: str
    words: tuple[str, ...]
    labels: tuple[VerdictStatus, ...]
    misconceptions: tuple[bool, ...]
    """Whether it states each; empty where nobody has marked that."""


@dataclass(frozen=True, slots=True)
class IndependentPair:
    """A clause beside a key point, by the same authors."""

    pack: str
    point: str
    said: str
    label: PairLabel


def spoken_answers() -> list[SpokenAnswer]:
    """Those to questions of the packs, that a second author labelled as well."""
    return _answers_to_packs("spoken-answers-*.jsonl")


def more_spoken_answers() -> list[SpokenAnswer]:
    """Others to questions of the packs, of a later author."""
    return _answers_to_packs("pack-answers-*.jsonl")


def answers_outside_the_packs() -> list[SpokenAnswer]:
    """Those to questions that no pack has: each row brings its own."""
    return _answers_outside("outside-answers-*.jsonl")


def answers_at_real_rates() -> list[SpokenAnswer]:
    """Those with as little wrong, and as much in other words, as candidates say; half of them outside the packs."""
    return _answers_to_packs("real-rate-answers-*.jsonl") + _answers_outside("real-rate-outside-answers-*.jsonl")


def answers_of_personas() -> list[SpokenAnswer]:
    """What the candidates who know half of it say in a rehearsal, to each question of four packs."""
    return [
        SpokenAnswer(f"{pack}/{id_}", question_of(pack, id_), "persona", tuple(lines[id_].split()), tuple(labels), ())
        for pack in ("front-end", "databases-sql", "python", "behavioural")
        for lines in [_persona(f"half-{pack}")["lines"]]
        for id_, labels in _persona(f"labels-{pack}").items()
    ]


def _answers_outside(pattern: str) -> list[SpokenAnswer]:
    return [_answer(row, batch.question_of(batch.BatchLine.model_validate(row)), "states") for row in _rows(pattern)]


def _answers_to_packs(pattern: str) -> list[SpokenAnswer]:
    return [_answer(row, question_of(row["pack"], row["question"]), "misconceptions") for row in _rows(pattern)]


def _answer(row: Row, question: Question, stated: str) -> SpokenAnswer:
    return SpokenAnswer(
        id=row["id"],
        question=question,
        style=row["style"],
        words=tuple(row["answer"].split()),
        labels=tuple(row["labels"]),
        misconceptions=tuple(row[stated]),
    )


def independent_pairs() -> list[IndependentPair]:
    """All of them."""
    return [
        IndependentPair(
            pack=row["pack"],
            point=_bank_question(row["pack"], row["question"]).key_points[row["point"] - 1],
            said=row["said"],
            label=row["label"],
        )
        for row in _rows("independent-pairs-*.jsonl")
    ]


def attacks() -> list[str]:
    """What people say to be graded better than they answered."""
    return [row["said"] for row in _rows("attacks.jsonl")]


def question_of(pack: str, question_id: str) -> Question:
    """A question of a shipped pack, as the judge gets it."""
    return from_bank(_bank_question(pack, question_id), topic_title="", concepts=(), grade="high", attempts=1)


def concept_behind(question: str) -> Concept | None:
    """The first idea behind a question of the shipped packs, by its text; None of any other question."""
    return next(iter(_concepts(question)), None)


def concept_names(question: str) -> tuple[str, ...]:
    """The spoken names of all of them."""
    return tuple(concept.name for concept in _concepts(question))


@cache
def _concepts(question: str) -> tuple[Concept, ...]:
    found = ((pack, each) for pack in _packs().values() for each in pack.questions if each.text == question)
    return next((tuple(map(pack.concept, each.concepts)) for pack, each in found), ())


def _bank_question(pack: str, question_id: str) -> BankQuestion:
    return next(each for each in _packs()[pack].questions if each.id == question_id)


@cache
def _packs() -> dict[str, Pack]:
    return load_packs()


def _persona(name: str) -> Row:
    loaded: Row = yaml.safe_load((DATA / "personas" / f"{name}.yaml").read_text(encoding="utf-8"))
    return loaded


def _rows(pattern: str) -> Iterator[Row]:
    for path in sorted(DATA.glob(pattern)):
        yield from (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
