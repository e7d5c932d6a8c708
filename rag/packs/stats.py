"""Statistics of a pack: what it holds, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from domain.vocabulary import DIFFICULTIES
from rag.packs.pack import BankQuestion, Pack


@dataclass(frozen=True, slots=True)
class Amounts:
    """What some questions hold."""

    questions: int
    difficulties: dict[str, int]
    """Questions of each difficulty."""
    key_points: int
    misconceptions: int
    hints: int
    follow_ups: int
    concepts: int
    """Different concepts that the questions are about."""
    minutes: float
    """Expected minutes for asking and answering all of them."""
    answer_words: tuple[int, float, int]
    """Words of the shortest model answer, of the middle one, and of the longest."""


@dataclass(frozen=True, slots=True)
class PackStats:
    """What a pack holds, as a whole and topic by topic."""

    id: str
    title: str
    concepts: int
    """Concepts that the pack explains, asked about or not."""
    total: Amounts
    topics: dict[str, Amounts]
    """By the id of the topic, in the order of the pack."""


def pack_stats(pack: Pack) -> PackStats:
    """Count what a pack holds."""
    of_topic = {
        topic.id: [question for question in pack.questions if question.topic == topic.id] for topic in pack.topics
    }
    return PackStats(
        id=pack.id,
        title=pack.title,
        concepts=len(pack.concepts),
        total=_amounts(pack.questions),
        topics={topic: _amounts(questions) for topic, questions in of_topic.items()},
    )


def _amounts(questions: Sequence[BankQuestion]) -> Amounts:
    difficulties = Counter(question.difficulty for question in questions)
    words = [len(question.model_answer.split()) for question in questions]
    return Amounts(
        questions=len(questions),
        difficulties={difficulty: difficulties[difficulty] for difficulty in DIFFICULTIES},
        key_points=sum(len(question.key_points) for question in questions),
        misconceptions=sum(len(question.misconceptions) for question in questions),
        hints=sum(len(question.hints) for question in questions),
        follow_ups=sum(len(question.follow_ups) for question in questions),
        concepts=len({concept for question in questions for concept in question.concepts}),
        minutes=sum(question.minutes for question in questions),
        answer_words=(min(words), float(median(words)), max(words)),
    )
