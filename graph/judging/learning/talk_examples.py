"""What teaches the tagger of talk: answers with talk put between their claims."""

from __future__ import annotations

import random
from collections.abc import Sequence

from graph.encoders.fine_tuning import Example
from graph.judging.learning.clothes import Dressed, Talk, dress
from graph.judging.learning.compositions import Composed, Span
from graph.judging.learning.examples import Material

_ROUNDS = 3
"""Versions of each answer."""
_CLAUSES = 3_000
"""Pairs whose words claim something from the first to the last."""


def of_talk(material: Material, talk: Talk, seed: int) -> list[Example]:
    """Whole answers, model answers and clauses, with the words that claim nothing marked.

    Args:
        material: to learn from.
        talk: to put in.
        seed: of everything that is drawn.
    """
    choice = random.Random(seed)  # noqa: S311 - variety, not a secret
    read_out = [
        (_claiming(question.expected_answer.split()), question)
        for question in material.questions.values()
        if not question.targets.parts
    ]
    pairs = choice.sample(material.pairs, min(_CLAUSES, len(material.pairs)))
    return [
        *(
            _example(dress(answer, question.text, talk, choice))
            for _ in range(_ROUNDS)
            for answer, question in (*material.asked, *read_out)
        ),
        *(_example(_as_it_is(_claiming(pair.said.split()), talk)) for pair in pairs),
    ]


def _claiming(words: Sequence[str]) -> Composed:
    """Words that claim something from the first to the last."""
    return Composed("", "", tuple(words), {}, {}, {"all": (0, len(words) - 1)})


def _as_it_is(answer: Composed, talk: Talk) -> Dressed:
    return Dressed(answer, tuple(talk.places(answer.words)))


def _example(made: Dressed) -> Example:
    said = " ".join(made.answer.words)
    marked: list[Span] = []
    unknown: list[Span] = []
    start = 0
    for word, talk in zip(made.answer.words, made.talk, strict=True):
        if talk is not False:
            (unknown if talk is None else marked).append((start, start + len(word)))
        start += len(word) + 1
    return Example((said,), (0,), marked=tuple(marked), unknown=tuple(unknown))
