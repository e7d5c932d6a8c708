"""Non-claim examples: answers and claims with talk put between and into their clauses.

A word of an answer is seen once or twice, and most claims are clauses of the pairs, of which there are many: a tagger
that sees the same answers again and again learns them by heart, and takes every claim that it does not know for talk.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence

from domain.question import Question
from graph.judging.text import clauses
from training.encoders.fine_tune import Example
from training.judge.augmentation import Dressed, Talk, dress
from training.judge.examples import Material
from training.judge.synthetic_answers import Composed, Span
from training.judge.viva_pairs import Pair

_SAID_TOGETHER = 4
"""Claims of one question that are said one after the other."""
_PUNCTUATED = 0.5
_SEEN = 3
"""Clauses that the tagger sees at once."""


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
    answers = [*material.asked, *read_out, *_said_together(material, choice)]
    dressed = [dress(answer, question.text, talk, choice) for answer, question in answers]
    return [example for each in dressed for example in _examples(each, choice)]


def _said_together(material: Material, choice: random.Random) -> Iterator[tuple[Composed, Question]]:
    """The clauses of the pairs, each once, in answers of a few."""
    of_question: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in material.pairs:
        of_question[pair.pack, pair.question_id].append(pair)
    for key, pairs in of_question.items():
        choice.shuffle(pairs)
        for first in range(0, len(pairs), _SAID_TOGETHER):
            punctuated = choice.random() < _PUNCTUATED
            said = [pair.said.rstrip(".") for pair in pairs[first : first + _SAID_TOGETHER]]
            spoken = [f"{each[:1].upper()}{each[1:]}." for each in said] if punctuated else said
            yield _claiming(" ".join(spoken).split()), material.questions[key]


def _claiming(words: Sequence[str]) -> Composed:
    """Words that claim something from the first to the last."""
    return Composed("", "", tuple(words), {}, {}, {"all": (0, len(words) - 1)})


def _examples(made: Dressed, choice: random.Random) -> list[Example]:
    """An answer in parts as the tagger sees them, every word once."""
    each = clauses.split(made.answer.words)
    starts = [0, *range(choice.randint(1, _SEEN), len(each), _SEEN)]
    ends = [*starts[1:], len(each)]
    return [
        _example(made, each[first].first_word, each[end - 1].last_word + 1)
        for first, end in zip(starts, ends, strict=True)
    ]


def _example(made: Dressed, first: int, end: int) -> Example:
    words = made.answer.words[first:end]
    marked: list[Span] = []
    unknown: list[Span] = []
    start = 0
    for word, talk in zip(words, made.talk[first:end], strict=True):
        if talk is not False:
            (unknown if talk is None else marked).append((start, start + len(word)))
        start += len(word) + 1
    return Example((" ".join(words),), (0,), marked=tuple(marked), unknown=tuple(unknown))
