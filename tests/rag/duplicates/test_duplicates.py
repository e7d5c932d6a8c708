"""Questions that were asked before are recognised in three ways."""

from __future__ import annotations

import numpy as np
import pytest

from agent.model_files.prepare import ModelPaths
from bench.repetition import PLAIN_LIMIT, layer_of, read_pairs, scores
from domain.question import AskedQuestion
from rag.duplicates.duplicates import cosines, is_repetition
from rag.embedding.embedder import Embedder, MiniLM
from rag.packs.pack import load_packs

ASKED = [
    AskedQuestion("What does a database index do for you, and what does it cost?"),
    AskedQuestion("You led the migration at Acme. How big was it?", anchor="acme-migration", aspect="scale"),
]


@pytest.mark.parametrize(
    "text",
    [
        "What does a database index do for you, and what does it cost?",
        "what does a database index do for you and what does it cost",
        "  What does a DATABASE index do for you -- and what does it cost?!",
    ],
)
def test_the_same_text_is_a_repetition(embedder: Embedder, text: str) -> None:
    """Case, punctuation and spaces make no new question."""
    assert is_repetition(text, ASKED, embedder) == "same text"


def test_the_same_anchor_and_aspect_are_a_repetition(embedder: Embedder) -> None:
    """However it is worded, one thing is not asked twice about one project."""
    text = "Tell me the number of servers involved."
    assert is_repetition(text, ASKED, embedder, anchor="acme-migration", aspect="scale") == "same anchor and aspect"
    assert is_repetition(text, ASKED, embedder, anchor="acme-migration", aspect="autonomy") is None


def test_a_question_without_anchor_has_none_in_common(embedder: Embedder) -> None:
    """Two questions that hang on nothing are not about the same thing."""
    assert is_repetition("Which sorting algorithm is stable?", ASKED, embedder) is None


def test_nothing_was_asked_before_the_first_question(embedder: Embedder) -> None:
    """The first question is never a repetition."""
    assert is_repetition("What is overfitting?", [], embedder) is None


def test_nearly_the_same_words_are_a_repetition(embedder: Embedder) -> None:
    """Over the limit of similarity a question counts as asked."""
    text = "What does a database index do for you, and what does it really cost?"
    assert is_repetition(text, ASKED, embedder) == "same meaning"


def test_a_shared_case_is_not_a_shared_question(embedder: Embedder) -> None:
    """Two questions about the same situation are compared by what they ask."""
    case = "A loaf came out of the oven flat and dense, although the dough had risen for two hours."
    asked = [AskedQuestion(f"{case} How would you find the reason?")]

    assert is_repetition(f"{case} What do you tell your guests?", asked, embedder) is None
    assert is_repetition(f"{case} How would you find the reason, please?", asked, embedder) == "same meaning"


def test_one_word_for_another_is_another_question(embedder: Embedder) -> None:
    """Nearly all words in common make no repetition when the one that differs is what is asked about."""
    asked = [AskedQuestion("When would you join two tables by an inner join in a query?")]
    assert is_repetition("When would you join two tables by a left join in a query?", asked, embedder) is None


def test_the_pairs_are_what_they_are_said_to_be() -> None:
    """A hundred paraphrases and a hundred look-alikes, none twice, none in the pairs that limits were chosen on."""
    measured, tuning = read_pairs("repetition_pairs"), read_pairs("repetition_tuning")
    texts = [frozenset((pair.one, pair.other)) for pair in (*measured, *tuning)]

    assert [sum(pair.same == same for pair in measured) for same in (True, False)] == [100, 100]
    assert len(set(texts)) == len(texts)
    assert all(len(pair) == 2 for pair in texts)


@pytest.mark.slow
def test_paraphrases_are_told_from_look_alikes(model_paths: ModelPaths) -> None:
    """With the real model nine of ten repetitions are ones and half of them are found, which plain cosine cannot do.

    Recall is no better than this: paraphrases without a word in common are beyond a small embedding model.
    """
    minilm, pairs = MiniLM.load(model_paths.embedder), read_pairs("repetition_pairs")
    layers = [layer_of(pair, minilm) for pair in pairs]
    by_rule = scores(pairs, (layer is not None for layer in layers))
    by_labels = scores(pairs, (layer == "same anchor and aspect" for layer in layers))
    by_cosine = scores(pairs, np.array(cosines([(pair.one, pair.other) for pair in pairs], minilm)) > PLAIN_LIMIT)

    assert by_rule.precision >= 0.90
    assert by_rule.recall >= 0.50
    assert by_labels.wrong == 0
    assert by_rule.precision > by_cosine.precision
    assert by_rule.recall > by_cosine.recall + 0.2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["machine-learning", "backend"])
def test_no_two_questions_of_a_shipped_pack_repeat_each_other(model_paths: ModelPaths, name: str) -> None:
    """Every question of a pack may be asked in one interview."""
    minilm, questions = MiniLM.load(model_paths.embedder), load_packs()[name].questions
    for index, question in enumerate(questions):
        asked = [AskedQuestion(other.text) for other in questions[:index]]
        assert is_repetition(question.text, asked, minilm) is None, question.id
