"""Questions that were asked before are recognised in three ways."""

from __future__ import annotations

import pytest

from agent.models import ModelPaths
from rag.embeddings import Embedder, MiniLM
from rag.packs import load_packs
from rag.repetition import AskedQuestion, is_repetition

ASKED = [
    AskedQuestion("What does a database index do for you, and what does it cost?"),
    AskedQuestion("You led the migration at Acme. How big was it?", anchor="acme-migration", aspect="scale"),
]

PARAPHRASES = [
    ("What is overfitting?", "Can you explain what overfitting is?"),
    (
        "How would you explain the difference between supervised and unsupervised learning?",
        "What is the difference between supervised learning and unsupervised learning?",
    ),
    (
        "What does a database index do for you, and what does it cost?",
        "What are the costs and benefits of an index in a database?",
    ),
    ("Why do we use cross-validation?", "What is the purpose of cross-validation?"),
    ("How does gradient descent work?", "Could you explain how gradient descent works?"),
]
LOOK_ALIKES = [
    ("What is overfitting?", "What is underfitting?"),
    ("How do precision and recall differ?", "How do bias and variance differ?"),
    ("What does a database index cost?", "What does a database transaction cost?"),
    ("Why do we scale features?", "Why do we scale web servers?"),
    ("What is a race condition?", "What is a deadlock?"),
]  # fmt: skip


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


@pytest.mark.slow
def test_paraphrases_are_told_from_look_alikes(model_paths: ModelPaths) -> None:
    """With the real model the limit of 0.85 catches paraphrases and lets neighbouring questions through."""
    minilm = MiniLM.load(model_paths.embedder)
    caught = [pair for pair in PARAPHRASES if is_repetition(pair[1], [AskedQuestion(pair[0])], minilm)]
    wrong = [pair for pair in LOOK_ALIKES if is_repetition(pair[1], [AskedQuestion(pair[0])], minilm)]

    assert caught == PARAPHRASES
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["machine-learning", "backend"])
def test_no_two_questions_of_a_shipped_pack_repeat_each_other(model_paths: ModelPaths, name: str) -> None:
    """Every question of a pack may be asked in one interview."""
    minilm, questions = MiniLM.load(model_paths.embedder), load_packs()[name].questions
    for index, question in enumerate(questions):
        asked = [AskedQuestion(other.text) for other in questions[:index]]
        assert is_repetition(question.text, asked, minilm) is None, question.id
