"""The fit of what an answer has touched."""

from __future__ import annotations

import numpy as np
import pytest

from agent.endpointing.weights import load_weights
from bench.touched import FEWEST_SENTENCES, SentenceEnd, answers, area, brier, fitted, held_out


def test_answers_are_the_same_ones_each_time_and_have_sentences_enough() -> None:
    """A figure in the documentation can be measured again."""
    first = [(question.id, words) for question, words in answers()]
    assert first == [(question.id, words) for question, words in answers()]
    assert all(sum(word[-1] in ".?!" for word in words) >= FEWEST_SENTENCES for _, words in first)


def test_the_more_is_touched_the_less_likely_more_follows() -> None:
    """The slope has the sign that the policy's has, and answers that were not seen are told apart."""
    ends = [SentenceEnd(answer, touched, more=touched < 0.6) for answer in range(20) for touched in (0.1, 0.4, 0.9)]
    constant, slope = fitted(np.array([end.touched for end in ends]), np.array([end.more for end in ends]))
    assert constant > 0.0 > slope
    assert load_weights().answer.untouched > 0.0 > load_weights().answer.touched
    assert area(held_out(ends)) == 1.0
    assert brier(held_out(ends)) < 0.1


def test_what_says_nothing_is_no_better_than_chance() -> None:
    """An area of a half, and no slope to speak of."""
    ends = [
        SentenceEnd(answer, touched, more=more)
        for answer in range(20)
        for touched in (0.2, 0.8)
        for more in (True, False)
    ]
    _, slope = fitted(np.array([end.touched for end in ends]), np.array([end.more for end in ends]))
    assert abs(slope) < 0.01
    assert abs(area(held_out(ends)) - 0.5) < 0.01
    assert brier(held_out(ends)) == pytest.approx(0.25, abs=0.001)
