"""Asked before: what a candidate's last interviews asked, and what this one makes of it. Pure rules.

| a question | comes |
|---|---|
| that none of the last interviews asked | before all others, at the difficulty nearest to what is wanted |
| that was hard for them | as practice: not first, never two in a row, at most twice; and only from a coach |
| that was asked before | when its topic must be, and has nothing else: what was hard first, then what is longest ago |

For whom nothing was asked before, a seed draws the beginning, and the next seed draws another.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from domain.question import AskedBefore
from domain.vocabulary import DIFFICULTIES, Difficulty
from rag.packs.pack import BankQuestion

MOST_PRACTISED = 2
"""Questions that come again as practice in an interview, while there are others."""

Asked = Mapping[str, AskedBefore]
"""What was asked before, by the question's id."""
T = TypeVar("T")


def rotated(items: Sequence[T], seed: int) -> list[T]:
    """The same items from another one on: with two or more, the next seed begins with another."""
    start = seed % len(items) if items else 0
    return [*items[start:], *items[:start]]


def talked_out(questions: Sequence[BankQuestion], asked: Asked, chosen: Collection[str]) -> frozenset[str]:
    """Topics of which nothing is left that was not asked before.

    Args:
        questions: of the pack.
        asked: in the last interviews.
        chosen: ids of this interview's questions so far.
    """
    new = {each.topic for each in questions if each.id not in asked and each.id not in chosen}
    return frozenset(each.topic for each in questions) - new


def held_back(questions: Sequence[BankQuestion], topic: str, asked: Asked, chosen: Collection[str]) -> frozenset[str]:
    """Ids of what must not come yet when a question of a topic is wanted.

    Everything that was asked before; what is of a topic that is talked out may come.
    """
    out = topic in talked_out(questions, asked, chosen)
    return frozenset(each.id for each in questions if each.id in asked and not (out and each.topic == topic))


def nearest_difficulty(
    questions: Sequence[BankQuestion], topic: str, difficulty: Difficulty, gone: Collection[str]
) -> Difficulty:
    """The difficulty to search with: the nearest at which a topic has a question left, the easier of two.

    Args:
        questions: of the pack.
        topic: that is wanted.
        difficulty: that is wanted; it is what comes back where nothing is left.
        gone: ids of what was chosen or is held back.
    """
    wanted = DIFFICULTIES.index(difficulty)
    left = {DIFFICULTIES.index(each.difficulty) for each in questions if each.topic == topic and each.id not in gone}
    return DIFFICULTIES[min(left, key=lambda level: (abs(level - wanted), level), default=wanted)]


def practised(
    questions: Sequence[BankQuestion], topic: str, difficulty: Difficulty, asked: Asked, thread: Sequence[str]
) -> BankQuestion | None:
    """The question that was hard last time and comes again now; None when a new one is to come.

    Args:
        questions: of the pack.
        topic: that is wanted.
        difficulty: the hardest that is wanted.
        asked: in the last interviews.
        thread: ids of this interview's questions so far, in order, with what followed them up.
    """
    roots = list(dict.fromkeys(id_.partition(".")[0] for id_ in thread))
    if not roots or roots[-1] in asked or sum(root in asked for root in roots) >= MOST_PRACTISED:
        return None
    fitting = [
        each
        for each in questions
        if each.topic == topic
        and each.id in asked
        and asked[each.id].hard
        and each.id not in roots
        and DIFFICULTIES.index(each.difficulty) <= DIFFICULTIES.index(difficulty)
    ]
    return min(fitting, key=lambda each: asked[each.id].interviews_ago, default=None)


def in_order(
    candidates: Sequence[BankQuestion], topic: str, difficulty: Difficulty, asked: Asked, seed: int
) -> list[BankQuestion]:
    """Candidates that may stand for each other, the first to be asked first; they are the best of what was found.

    What is new before what was asked; of that, what was hard, then what is longest ago. New ones that fit what is
    wanted equally well are drawn by the seed; the others stay in the order of the search.
    """
    new = [each for each in candidates if each.id not in asked]
    if new:
        fitting = [each for each in new if (each.topic, each.difficulty) == (topic, difficulty)]
        return [*rotated(fitting, seed), *(each for each in new if each not in fitting)]
    return sorted(candidates, key=lambda each: (not asked[each.id].hard, -asked[each.id].interviews_ago))[:1]


def begun_with(
    topics: Sequence[str],
    questions: Sequence[BankQuestion],
    difficulty: Difficulty,
    *,
    asked: Asked,
    fundamentals: Collection[str],
    seed: int,
) -> list[str]:
    """Topics in the order in which an interview goes through them.

    Who was asked something before begins with topics that have something new at the difficulty they begin at. For
    others the seed draws what to begin with, the first topic or another fundamental one; from there on nothing changes.

    Args:
        topics: in the order in which they would come.
        questions: of the pack.
        difficulty: at which the interview begins.
        asked: in the last interviews.
        fundamentals: topics that an interview may well begin with.
        seed: one number further draws another, where there are two.
    """
    if asked:
        new = [each for each in questions if each.id not in asked]
        anything, fitting = {each.topic for each in new}, {each.topic for each in new if each.difficulty == difficulty}
        return sorted(topics, key=lambda topic: (topic not in fitting, topic not in anything))
    each_once = list(dict.fromkeys(topics))
    openings = [topic for topic in each_once if topic in fundamentals or topic == topics[0]]
    first = next(iter(rotated(openings if len(openings) > 1 else each_once, seed)), None)
    if first is None:
        return []
    place = list(topics).index(first)
    return [first, *topics[:place], *topics[place + 1 :]]
