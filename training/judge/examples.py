"""Examples for the judge's encoder, from the public sets and from Viva's own material, and what is held out of it.

One question in eight is kept from the encoder that is shipped, by the hash of its id, so that new answers never move
it: from what the encoder makes of these questions the linear models learn.

For measuring alone there are five folds. A fold holds out every fifth question of the graded sets and a fifth of the
packs. What is measured on a part was never trained on it: neither the encoder nor what is stacked on it.
"""

from __future__ import annotations

import random
import zlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from domain.question import Question
from graph.judging.pair_labels import LABELS, PairLabel, pair_texts
from graph.planning.questions import from_bank
from rag import Embedder, load_packs
from training.encoders.fine_tune import Example
from training.judge.answers import (
    REALISTIC_DIR,
    SKILLED_DIR,
    all_answers,
    answers_beyond,
    examples_of,
    model_answers,
    quotes_of,
)
from training.judge.augmentation import Talk, dress
from training.judge.perturbations import beside, varied
from training.judge.public_datasets import GradedAnswer, SentencePair
from training.judge.synthetic_answers import Composed, compose
from training.judge.viva_pairs import PAIRS_DIR, Pair, all_pairs

FOLDS = 5
_KEPT_BACK = 8
"""One question in so many."""

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
_VARIED = 0.5
"""Share of the pairs that are read in other words than they were written in."""
_COMPOSED = 2
"""Composed answers to each question."""
_REMEMBERED = 4_000
"""Pairs that are read again beside the whole answers, so that clauses are not forgotten."""
_BESIDE = 0.35
"""Share of variations that put a neighbouring clause beside the one that counts."""
_OTHERS = 0.25
"""Other answers that are read beside those of people as one meets them, for each: they are wrong far more often."""
_STRAY, _STRAY_POINTS, _STRAY_WEIGHT = 6, 2, 0.6
"""One answer in so many is read beside so many points of another question, which it cannot make."""


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that is learned from."""

    graded: Sequence[GradedAnswer]
    pairs: Sequence[Pair]
    answers: Sequence[Composed]
    skilled: Sequence[Composed]
    """Answers of people who know what they speak of."""
    realistic: Sequence[Composed]
    """Answers of people who know two thirds, and near twins of them."""
    beyond: Sequence[tuple[Composed, Question]]
    """Likewise, of questions that no pack has, each with its question."""
    questions: Mapping[tuple[str, str], Question]
    """Those of the packs, by pack and id."""

    @staticmethod
    def load(graded: Sequence[GradedAnswer], every: int = 1) -> Material:
        """Viva's own material, beside graded answers of a public set, if there are any.

        Args:
            graded: of the public sets.
            every: take one question (and one graded answer) in so many, to try the training out.
        """
        packs = load_packs()
        questions = {
            (pack.id, bank.id): from_bank(bank, topic_title="", concepts=(), grade="high", attempts=1)
            for pack in packs.values()
            for bank in pack.questions[::every]
        }

        def of(folder: Path) -> list[Composed]:
            return [each for each in all_answers(packs, folder) if (each.pack, each.question_id) in questions]

        return Material(
            graded[::every],
            [pair for pair in all_pairs(packs) if (pair.pack, pair.question_id) in questions],
            of(PAIRS_DIR),
            of(SKILLED_DIR),
            of(REALISTIC_DIR),
            answers_beyond(every=every),
            questions,
        )

    @property
    def packs(self) -> list[str]:
        """The ids of the packs, in the order of their names."""
        return sorted({pack for pack, _ in self.questions})

    @property
    def asked(self) -> Iterator[tuple[Composed, Question]]:
        """Each whole answer with its question, but for those of the last stage."""
        return self.with_questions(self.answers)

    def with_questions(self, answers: Iterable[Composed]) -> Iterator[tuple[Composed, Question]]:
        """Each of these answers with its question."""
        return ((answer, self.questions[answer.pack, answer.question_id]) for answer in answers)

    @property
    def taught(self) -> Material:
        """What the encoder that is shipped learns from."""
        return self._where(lambda question_id: not is_kept_back(question_id), self.packs)

    @property
    def kept_back(self) -> Material:
        """What it never sees, for the linear models to learn from."""
        return self._where(is_kept_back, self.packs)

    def without(self, fold: int) -> Material:
        """What does not belong to a fold."""
        return self._of_folds(lambda of: of != fold)

    def of_fold(self, fold: int) -> Material:
        """What belongs to a fold."""
        return self._of_folds(lambda of: of == fold)

    def _of_folds(self, wanted: Callable[[int], bool]) -> Material:
        packs = [pack for pack in self.packs if wanted(fold_of_pack(pack, self.packs))]
        graded = [answer for answer in self.graded if wanted(fold_of_question(answer.question_id))]
        return replace(self._where(lambda _: True, packs), graded=graded)

    def _where(self, wanted: Callable[[str], bool], packs: Collection[str]) -> Material:
        return Material(
            [answer for answer in self.graded if wanted(answer.question_id)],
            [pair for pair in self.pairs if pair.pack in packs and wanted(pair.question_id)],
            [answer for answer in self.answers if answer.pack in packs and wanted(answer.question_id)],
            [answer for answer in self.skilled if answer.pack in packs and wanted(answer.question_id)],
            [answer for answer in self.realistic if answer.pack in packs and wanted(answer.question_id)],
            [(answer, question) for answer, question in self.beyond if wanted(question.id)],
            {key: question for key, question in self.questions.items() if key[0] in packs and wanted(key[1])},
        )


def is_kept_back(question_id: str) -> bool:
    """Whether the encoder that is shipped never sees a question."""
    return zlib.crc32(question_id.encode()) % _KEPT_BACK == 0


def fold_of_question(question_id: str) -> int:
    """The fold that holds a graded question out."""
    return zlib.crc32(question_id.encode()) % FOLDS


def fold_of_pack(pack: str, packs: Sequence[str]) -> int:
    """The fold that holds a pack out: they take turns in the order of their names."""
    return sorted(packs).index(pack) % FOLDS


def of_entailment(pairs: Iterable[SentencePair]) -> list[Example]:
    """The first stage: what follows from what."""
    return [Example(pair_texts(pair.premise, pair.hypothesis), _OF_ENTAILMENT[pair.label]) for pair in pairs]


def of_clauses(material: Material, load_embedder: Callable[[], Embedder], seed: int) -> list[Example]:
    """The second stage: graded answers, pairs, and the words that carry the verdicts of whole answers.

    Args:
        material: to learn from.
        load_embedder: finds the reference that is nearest to a graded answer; not called without such answers.
        seed: of the variations.
    """
    choice = random.Random(seed)  # noqa: S311 - variety, not a secret
    pairs = of_pairs(material.pairs, varied_share=_VARIED, seed=seed)
    quotes = [example for answer, question in material.asked for example in quotes_of(answer, question, choice)]
    graded = of_graded(material.graded, load_embedder()) if material.graded else []
    return [*graded, *pairs, *quotes]


def of_answers(material: Material, seed: int) -> list[Example]:
    """The third stage: whole answers in other clothes, composed ones, model answers, and some pairs.

    Args:
        material: to learn from.
        seed: of the clothes, of the compositions, and of the choice of pairs.
    """
    choice = random.Random(seed)  # noqa: S311 - variety, not a secret
    by_question: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in material.pairs:
        by_question[pair.pack, pair.question_id].append(pair)
    composed = [
        (compose(pairs, choice), material.questions[key])
        for key, pairs in by_question.items()
        for _ in range(_COMPOSED)
    ]
    dressed = _dressed(material.asked, choice)
    remembered = _remembered(material, choice)
    return [
        *(example for answer, question in (*dressed, *composed) for example in examples_of(answer, question, choice)),
        *of_strays(dressed, material, choice),
        *(example for key in by_question for example in model_answers(material.questions[key])),
        *of_pairs(remembered, varied_share=0.0, seed=seed),
    ]


def of_lifelike_answers(material: Material, seed: int) -> list[Example]:
    """The fourth stage: answers of people as one meets them in other clothes, others of those before, and some pairs.

    Args:
        material: to learn from.
        seed: of the clothes, and of the choice of other answers and of pairs.
    """
    choice = random.Random(seed)  # noqa: S311 - variety, not a secret
    met = [*material.with_questions([*material.skilled, *material.realistic]), *material.beyond]
    others = choice.sample(material.answers, min(len(material.answers), round(_OTHERS * len(met))))
    dressed = _dressed([*met, *material.with_questions(others)], choice)
    remembered = _remembered(material, choice)
    return [
        *(example for answer, question in dressed for example in examples_of(answer, question, choice)),
        *of_strays(dressed, material, choice),
        *of_pairs(remembered, varied_share=0.0, seed=seed),
    ]


def _dressed(asked: Iterable[tuple[Composed, Question]], choice: random.Random) -> list[tuple[Composed, Question]]:
    talk = Talk.load()
    return [(dress(answer, question.text, talk, choice).answer, question) for answer, question in asked]


def _remembered(material: Material, choice: random.Random) -> list[Pair]:
    return choice.sample(material.pairs, min(_REMEMBERED, len(material.pairs)))


def of_strays(answers: Sequence[tuple[Composed, Question]], material: Material, choice: random.Random) -> list[Example]:
    """Answers beside points of another question of their pack: however well somebody speaks, they make none of them."""
    unrelated, examples = (LABELS.index("unrelated"),), []
    for answer, question in answers[::_STRAY]:
        others = [
            other
            for (pack, number), other in material.questions.items()
            if pack == answer.pack and number != question.id
        ]
        points = choice.choice(others).targets.points if others else ()
        examples += [
            Example(pair_texts(" ".join(answer.words), point), unrelated, _STRAY_WEIGHT, marked=())
            for point in choice.sample(points, min(len(points), _STRAY_POINTS))
        ]
    return examples


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


def of_pairs(pairs: Sequence[Pair], *, varied_share: float, seed: int) -> list[Example]:
    """Viva's own pairs, some of them varied; besides, words about another point.

    The words that cover one point of a question are nothing to its other points: the commonest case in an interview,
    and the one that similarity gets wrong.

    Args:
        pairs: to learn from.
        varied_share: of the pairs.
        seed: of the variations.
    """
    choice = random.Random(seed)  # noqa: S311 - variety, not a secret
    by_question: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_question[pair.pack, pair.question_id].append(pair)
    made = []
    for pair in pairs:
        same = by_question[pair.pack, pair.question_id]
        others = [each for each in same if each.number != pair.number]
        neutral = [each.said for each in same if each.number != pair.number and each.kind in _HARMLESS]
        said = pair.said
        if choice.random() < varied_share:
            said = varied(said, choice)
            if neutral and choice.random() < _BESIDE:
                said = beside(said, neutral, choice)
        made.append(_example(pair, said))
        if others and pair.kind == "covered" and choice.random() < _OTHER_POINT:
            other = choice.choice(others)
            # Points of a question are separate claims, but a misconception may well contradict several of them.
            if not {pair.number[0], other.number[0]} & {"m"}:
                made.append(_example(other, pair.said, label="unrelated"))
    return made


_HARMLESS = ("covered", "lookalike", "beside")
_OTHER_POINT = 0.6


def _example(pair: Pair, said: str, label: PairLabel | None = None) -> Example:
    return Example(pair_texts(said, pair.point), (LABELS.index(label or pair.label),))
