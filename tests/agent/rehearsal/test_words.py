from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.rehearsal.matching import percentile, sentences_of, word_accuracy, word_errors, words_of

WORDS = st.lists(st.sampled_from(["bread", "dough", "oven", "salt"]), max_size=8)


def test_case_punctuation_and_number_names_do_not_count_as_errors() -> None:
    """A recogniser writes numbers, apostrophes and hyphens as it likes."""
    assert words_of("Don't use twenty-first, use L2.") == words_of("dont use 20 first use l2")


@pytest.mark.parametrize(
    ("said", "recognised", "accuracy"),
    [
        ("one two three four", "1 2 3 4", 1.0),
        ("a b c d", "a x c d", 0.75),
        ("a b c d", "a b d", 0.75),
        ("a b", "x y z w v", 0.0),
        ("", "something", None),
    ],
)
def test_word_accuracy_is_one_minus_the_word_error_rate(said: str, recognised: str, accuracy: float | None) -> None:
    """Replaced, dropped and added words all count against what was said, and it never falls below zero."""
    assert word_accuracy(said, recognised) == accuracy


@given(WORDS, WORDS)
def test_word_errors_is_a_distance(one: list[str], other: list[str]) -> None:
    """It is symmetric, zero only for equals, and never more than the longer text."""
    errors = word_errors(one, other)
    assert errors == word_errors(other, one)
    assert (errors == 0) == (one == other)
    assert abs(len(one) - len(other)) <= errors <= max(len(one), len(other))


def test_percentile_is_a_value_that_was_measured() -> None:
    """Nearest rank: the figure in the table is a latency that somebody really waited."""
    assert percentile([3.0, 1.0, 2.0, 4.0], 0.5) == 2.0
    assert percentile([3.0, 1.0, 2.0, 4.0], 0.95) == 4.0
    assert percentile([1.5], 0.5) == 1.5
    assert percentile([], 0.5) is None


def test_sentences_keep_their_marks() -> None:
    """An answer is rendered sentence by sentence, and a decimal point is no end."""
    assert sentences_of("It is 0.5 here. Is it?  Yes!") == ["It is 0.5 here.", "Is it?", "Yes!"]
    assert sentences_of("  ") == []
