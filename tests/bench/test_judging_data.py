"""The labelled answers that judging is measured on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from agent.model_files.prepare import ModelPaths
from bench.judging.data import (
    DATA,
    SpokenAnswer,
    answers_at_real_rates,
    answers_outside_the_packs,
    concept_behind,
    more_spoken_answers,
    spoken_answers,
)
from domain.question import Question
from rag import MiniLM
from training.judge.answers import answers_beyond

SETS: dict[Callable[[], list[SpokenAnswer]], int] = {
    spoken_answers: 96,
    more_spoken_answers: 104,
    answers_outside_the_packs: 108,
    answers_at_real_rates: 192,
}


@pytest.mark.parametrize("read", SETS)
def test_an_answer_is_labelled_for_all_that_its_question_wants(read: Callable[[], list[SpokenAnswer]]) -> None:
    """A label for each key point, whether it states each misconception; and no answer twice."""
    answers = read()
    assert len({answer.id for answer in answers}) == len(answers) == SETS[read]
    for answer in answers:
        targets = answer.question.targets
        assert len(answer.labels) == len(targets.points) > 0, answer.id
        assert len(answer.misconceptions) == len(targets.misconceptions), answer.id


WITH_QUOTES = (
    "pack-answers-d.jsonl",
    "outside-answers-c.jsonl",
    "real-rate-answers-1.jsonl",
    "real-rate-outside-answers-1.jsonl",
)


@pytest.mark.parametrize("name", WITH_QUOTES)
def test_a_label_rests_on_words_of_the_answer(name: str) -> None:
    """Each but "missing", which rests on none."""
    for row in map(json.loads, (DATA / name).read_text(encoding="utf-8").splitlines()):
        for label, quote in zip(row["labels"], row["quotes"], strict=True):
            assert quote in row["answer"], row["id"]
            assert (quote == "") == (label == "missing"), row["id"]


def test_at_real_rates_little_is_wrong() -> None:
    """Between two and six points in a hundred, and three kinds of candidates about equally often."""
    answers = answers_at_real_rates()
    labels = [label for answer in answers for label in answer.labels]
    assert 0.02 <= labels.count("contradicted") / len(labels) <= 0.06
    kinds = Counter(answer.style for answer in answers)
    assert len(kinds) == 3
    assert min(kinds.values()) >= 0.3 * len(answers)


def test_an_answer_at_real_rates_is_as_long_as_spoken_ones_are() -> None:
    """40 to 200 words."""
    for answer in answers_at_real_rates():
        assert 40 <= len(answer.words) <= 200, answer.id


@pytest.mark.slow
def test_questions_of_no_pack_that_judging_is_measured_by_are_not_learned_from(model_paths: ModelPaths) -> None:
    """Nor are any that ask for the same, by their meaning or by that of their key points."""
    embedder = MiniLM.load(model_paths.embedder)
    learned = list({question.id: question for _, question in answers_beyond()}.values())
    outside = {
        each.question.text: each.question
        for each in (*answers_outside_the_packs(), *answers_at_real_rates())
        if concept_behind(each.question.text) is None
    }
    measured = list(outside.values())

    def vectors(questions: list[Question]) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.floating]], ...]:
        return (
            embedder.embed([each.text for each in questions]),
            embedder.embed([" ".join(each.targets.points) for each in questions]),
        )

    alike = [ours @ theirs.T for ours, theirs in zip(vectors(learned), vectors(measured), strict=True)]
    assert max(float(each.max()) for each in alike) < 0.7
