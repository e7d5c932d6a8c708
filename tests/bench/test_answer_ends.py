"""Ends of answers in whole interviews, followed without a room."""

from __future__ import annotations

import random

import pytest

from bench.answer_ends import Sentence, drawn, interview
from bench.voice.figures import percentile

SAID = "They keep the order of what was written, so that each of them comes to the same state."


def answer(pauses_s: list[float], touched: list[float]) -> list[Sentence]:
    """An answer of as many sentences as there are shares, with pauses between them."""
    return [
        Sentence(" ".join([SAID] * (number + 1)), 40, share, pause_s)
        for number, (share, pause_s) in enumerate(zip(touched, [*pauses_s, None], strict=True))
    ]


HALF = [0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]


def test_who_thinks_after_each_sentence_is_hardly_ever_talked_into() -> None:
    """Pauses of 1.2 and 1.9 s, in the first answer as in the later ones: at most one answer in twenty."""
    thinking = answer([1.2, 1.9, 1.2, 1.9, 1.2, 1.9, 1.2], HALF)
    followed = [each for seed in range(40) for each in interview([thinking] * 5, random.Random(seed))]
    assert sum(each.interruptions for each in followed) <= 0.05 * len(followed)


def test_who_has_no_long_pauses_is_answered_sooner() -> None:
    """Fluent people do not pay for those who think."""
    fluent, thinking = answer([0.2] * 7, HALF), answer([1.2, 1.9, 1.2, 1.9, 1.2, 1.9, 1.2], HALF)
    quick, slow = (
        percentile([each.dead_air_s for each in interview([one] * 5, random.Random(1))], 0.5)
        for one in (fluent, thinking)
    )
    assert quick is not None
    assert slow is not None
    assert quick < 1.2 < slow


def test_an_answer_that_never_ends_is_none() -> None:
    """A mistake in the script is told."""
    with pytest.raises(ValueError, match="last sentence"):
        interview([answer([1.0], [0.1, 0.2])[:1]], random.Random(1))


def test_interviews_are_the_same_ones_each_time() -> None:
    """A figure in the documentation can be measured again."""
    answers = [answer([], [share / 100]) for share in range(100)]
    assert drawn(answers, 7) == drawn(answers, 7) != drawn(answers, 8)
