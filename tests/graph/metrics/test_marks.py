"""The words by which an answer shows its reasoning and its order."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.vocabulary import Sign
from graph.metrics.marks import find_marks, phrases


@pytest.mark.parametrize(
    ("said", "signs"),
    [
        ("You put the date behind it because it is the range.", ["reason"]),
        ("Hash spreads the load, whereas a range keeps neighbours together.", ["comparison"]),
        ("Every write takes that little bit more, that is the price.", ["cost"]),
        ("I would pick a queue, for example at our shop orders pile up.", ["example"]),
        ("You make the tables, and after that you fill them.", ["order"]),
        ("A cache keeps copies of what was read.", []),
        ("We have logs, metrics and so on, and not so much else.", []),
        ("So the cache keeps copies of what was read.", []),
    ],
)
def test_phrases_mark_what_they_show(said: str, signs: list[str]) -> None:
    """And words that only look like one, or begin an answer out of habit, mark nothing."""
    assert [mark.sign for mark in find_marks(said.split())] == signs


@given(
    st.lists(st.sampled_from("because so on whereas cost the. cache, for example first then um".split()), max_size=60)
)
def test_a_mark_quotes_the_answers_own_words(words: list[str]) -> None:
    """By their place, and a clause counts once for each sign."""
    marks = find_marks(words)
    for mark in marks:
        assert mark.text == " ".join(words[mark.first_word : mark.last_word + 1])
    assert len({(mark.sign, mark.first_word) for mark in marks}) == len(marks)


def test_the_phrases_are_as_they_are_compared() -> None:
    """Plain words in lower case, each phrase once in a line, none that would never be found."""
    assert set(phrases()) == {*get_args(Sign), "aside"}
    for sign, each in phrases().items():
        for phrase in each:
            assert 0 < len(phrase) <= 5, (sign, phrase)
            assert all(word == word.lower() and word.replace("'", "").isalpha() for word in phrase), (sign, phrase)
    assert all(len(phrase) > 1 for phrase in phrases()["aside"])
