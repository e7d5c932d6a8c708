"""Questions that differ in one word: when that makes them different questions, and when not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.duplicates.minimal_pairs import contrast, plain, without_shared_sentences
from rag.embedding.embedder import Embedder, Vectors

SYNONYMS = (("drawbacks", "disadvantages"), ("choose", "pick"))
NEIGHBOURS = (("overfitting", "underfitting"), ("read", "write"))


class Thesaurus(Embedder):
    """Synonyms and neighbours are close, everything else is far apart, as with a real model."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A direction for each text; words of one group share theirs."""
        rows = np.zeros((len(texts), 64), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            key = next(("/".join(group) for group in (*SYNONYMS, *NEIGHBOURS) if text in group), text)
            row[self.known.setdefault(key, len(self.known)) % 64] = 1
        return rows


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("What is a stack?", "What is a queue?", ("stack", "queue")),
        ("How do you secure a REST API?", "How do you version a REST API?", ("secure", "version")),
        ("What is a type one error?", "What is a type two error?", ("one", "two")),
        ("What does an L1 cache do?", "What does an L2 cache do?", ("l1", "l2")),
        ("What does an L one cache do?", "What does an L two cache do?", ("l1", "l2")),
        ("What does an L1 cache do?", "What does an L two cache do?", ("l1", "l2")),
        ("What does an L1 cache do?", "What does an L one cache do?", None),
        ("Is a one to one relation rare?", "Is a one-to-one relation rare?", None),
        ("What is overfitting?", "What is underfitting?", ("overfitting", "underfitting")),
        ("Why scale for reads?", "Why scale for writes?", ("reads", "writes")),
        ("What do you like about it?", "What do you dislike about it?", ("like", "dislike")),
        ("Is it stateful?", "Is it stateless?", ("stateful", "stateless")),
        ("What are its drawbacks?", "What are its disadvantages?", None),
        ("How do you choose a shard key?", "How do you pick a shard key?", None),
        ("What is a stack?", "Could you explain what a stack is?", None),
        ("What is a stack?", "What is a stack, and what is it for?", None),
        ("What motivates you?", "What keeps you motivated?", None),
        ("Tell me about a time you made a mistake.", "Describe a mistake you made.", None),
        ("", "", None),
        ("?", "What is a stack?", None),
    ],
)
def test_what_is_set_against_what(one: str, other: str, expected: tuple[str, str] | None) -> None:
    """Another thing, number or opposite in one sentence counts; a synonym, more words, or other grammar does not."""
    assert contrast(one, other, Thesaurus()) == expected
    assert contrast(other, one, Thesaurus()) == (expected[::-1] if expected else None)


@given(st.text(max_size=80))
def test_a_question_does_not_contrast_with_itself(text: str) -> None:
    """Whatever it holds."""
    assert contrast(text, text, Thesaurus()) is None


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("It is slow. Why?", "It is slow. Since when?", ("Why?", "Since when?")),
        ("IT IS SLOW! Why?", "It is slow. Since when?", ("Why?", "Since when?")),
        ("It is slow. Why?", "It is slow.", ("It is slow. Why?", "It is slow.")),
        ("Why?", "Why?", ("Why?", "Why?")),
        ("It is slow. Why?", "Since when?", ("It is slow. Why?", "Since when?")),
        ("", "Why?", ("", "Why?")),
    ],
)
def test_a_case_that_both_describe_is_left_out(one: str, other: str, expected: tuple[str, str]) -> None:
    """What remains is what each asks; nobody is left with nothing."""
    assert without_shared_sentences(one, other) == expected


def test_words_are_compared_without_their_dress() -> None:
    """Case, punctuation, accents and spaces are no difference."""
    assert plain("  The  Résumé — is it\tOK?! ") == "the resume is it ok"
