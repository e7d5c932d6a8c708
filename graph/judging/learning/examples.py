"""Examples for the judge's encoder, from the public sets and from Viva's own pairs, and how they are held out.

Five folds. A fold holds out every fifth question of the graded sets (by the hash of its id, so
that new answers never move it) and a fifth of the packs. What is measured on a part was never trained on it: neither
the encoder nor what is stacked on it.
"""

from __future__ import annotations

import random
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from graph.encoders.fine_tuning import Example
from graph.judging.learning.own_pairs import Pair
from graph.judging.learning.public_sets import GradedAnswer, SentencePair
from graph.judging.learning.variations import beside, varied
from graph.judging.pair import LABELS, PairLabel, pair_texts
from rag import Embedder

FOLDS = 5

_COVERED, _PARTLY, _CONTRADICTED, _UNRELATED = range(len(LABELS))
_OF_ENTAILMENT = {
    "entailment": (_COVERED,),
    "contradiction": (_CONTRADICTED,),
    "neutral": (_PARTLY, _UNRELATED),
}
_OF_GRADES = {
    "correct": (_COVERED,),
    "contradictory": (_CONTRADICTED,),
    "incorrect": (_PARTLY, _UNRELATED),
}
"""An answer that is marked incorrect without contradicting the reference is vague, incomplete or beside the point."""

_GRADED_WEIGHT = 0.7
_BESIDE = 0.35
"""Share of variations that put a neighbouring clause beside the one that counts."""


def fold_of_question(question_id: str) -> int:
    """The fold that holds a graded question out."""
    return zlib.crc32(question_id.encode()) % FOLDS


def fold_of_pack(pack: str, packs: Sequence[str]) -> int:
    """The fold that holds a pack out: they take turns in the order of their names."""
    return sorted(packs).index(pack) % FOLDS


def of_entailment(pairs: Iterable[SentencePair]) -> list[Example]:
    """The first stage: what follows from what."""
    return [Example(pair_texts(pair.premise, pair.hypothesis), _OF_ENTAILMENT[pair.label]) for pair in pairs]


def of_graded(answers: Sequence[GradedAnswer], embedder: Embedder) -> list[Example]:
    """Graded answers, each with the reference that is nearest to it."""
    return [
        Example(pair_texts(answer.answer, reference), _OF_GRADES[answer.label], _GRADED_WEIGHT)
        for answer, reference in zip(answers, nearest_references(answers, embedder), strict=True)
    ]


def nearest_references(answers: Sequence[GradedAnswer], embedder: Embedder) -> list[str]:
    """For each answer the reference that is nearest to it in meaning."""
    texts = sorted({text for answer in answers for text in (answer.answer, *answer.references)})
    rows: Mapping[str, int] = {text: row for row, text in enumerate(texts)}
    vectors = np.vstack([embedder.embed(texts[at : at + 256]) for at in range(0, len(texts), 256)])

    def nearest(answer: GradedAnswer) -> str:
        said = vectors[rows[answer.answer]]
        return max(answer.references, key=lambda text: float(vectors[rows[text]] @ said))

    return [nearest(answer) for answer in answers]


def of_pairs(pairs: Sequence[Pair], *, rounds: int, seed: int) -> list[Example]:
    """Viva's own pairs as they were written, and `rounds` variations of each; besides, words about another point.

    The words that cover one point of a question are nothing to its other points: the commonest case in an interview,
    and the one that similarity gets wrong.
    """
    choice = random.Random(seed)  # noqa: S311 - variety, not a secret
    by_question: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_question[pair.pack, pair.question_id].append(pair)
    made = [_example(pair, pair.said) for pair in pairs]
    for pair in pairs:
        same = by_question[pair.pack, pair.question_id]
        others = [each for each in same if each.number != pair.number]
        neutral = [each.said for each in same if each.number != pair.number and each.kind in _HARMLESS]
        for _ in range(rounds):
            said = varied(pair.said, choice)
            if neutral and choice.random() < _BESIDE:
                said = beside(said, neutral, choice)
            made.append(_example(pair, said))
        if others and choice.random() < _OTHER_POINT:
            other = choice.choice(others)
            # Points of a question are separate claims, but a misconception may well contradict several of them.
            if not {pair.number[0], other.number[0]} & {"m"}:
                made.append(_example(other, pair.said, label="unrelated"))
    return made


_HARMLESS = ("covered", "lookalike")
_OTHER_POINT = 0.25


def _example(pair: Pair, said: str, label: PairLabel | None = None) -> Example:
    return Example(pair_texts(said, pair.point), (LABELS.index(label or pair.label),))
