"""Finding a quote: what was said is found however it is written, and what says something else is not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.judging.quote_matching import locate

_WORDS = "index table reads cache locks writer thread safe quickly because then page commit log replica".split()
answers = st.permutations(_WORDS)
lengths = st.integers(4, 8)
starts = st.integers(0, 5)
inside = st.integers(1, 3)


@pytest.mark.parametrize(
    ("quote", "answer", "found"),
    [
        (
            "indexes make reads faster",
            "so indexes make um reads you know faster",
            "indexes make um reads you know faster",
        ),
        ("about 200 milliseconds", "it takes about two hundred milliseconds", "about two hundred milliseconds"),
        ("about two hundred milliseconds", "it takes about 200 milliseconds", "about 200 milliseconds"),
        ("three replicas", "we have 3 replicas", "3 replicas"),
        ("404", "it gives four oh four then", "four oh four"),
        ("ten million rows", "we had 10,000,000 rows", "10,000,000 rows"),
        ("it's a non-blocking call", "well it is a non blocking call", "it is a non blocking call"),
        ("the write doesn't block it", "the write does not block it", "the write does not block it"),
        ("Postgres uses MVCC", "so post gres uses m v c c for that", "post gres uses m v c c"),
        ("it locks the whole table", "it is bad because uh it locks um the whole table", "it locks um the whole table"),
        ("the indexs make reading fast", "the indexes make reading fast", "the indexes make reading fast"),
    ],
)
def test_a_quote_is_found_however_it_is_written(quote: str, answer: str, found: str) -> None:
    """Fillers, contractions, hyphens, spelled letters and the form of numbers do not matter."""
    place = locate(quote, answer.split())
    assert place is not None
    assert place.text == found


@pytest.mark.parametrize(
    ("quote", "answer"),
    [
        ("it is not thread safe at all", "it is thread safe at all"),
        ("it is thread safe at all", "it is not thread safe at all"),
        ("it is thread safe at all", "it isn't thread safe at all"),
        ("three replicas are kept in the store", "five replicas are kept in the store"),
        ("indexes make all the reads faster", "indexes make all the reads slower"),
        ("it is a thread safe type here", "it is a thread unsafe type here"),
    ],
)
def test_a_quote_that_says_something_else_is_refused(quote: str, answer: str) -> None:
    """A negation, another number or an opposite is no misheard word."""
    assert locate(quote, answer.split()) is None


@given(answers, starts, lengths)
def test_any_run_of_words_is_found_at_its_place(answer: Sequence[str], start: int, length: int) -> None:
    """Words as they were said are found exactly there."""
    place = locate(" ".join(answer[start : start + length]).upper(), answer)
    assert place is not None
    assert (place.first_word, place.last_word) == (start, start + length - 1)


@given(answers, starts, lengths, inside)
def test_a_not_more_or_less_is_refused(answer: Sequence[str], start: int, length: int, at: int) -> None:
    """Neither a quote that drops a "not" nor one that adds it was said."""
    quote = list(answer[start : start + length])
    assert locate(" ".join([*quote[:at], "not", *quote[at:]]), answer) is None
    denied = [*answer[: start + at], "not", *answer[start + at :]]
    assert locate(" ".join(quote), denied) is None


@given(answers, starts, lengths, inside, st.sampled_from(["um", "uh", "you know", "I mean,", "like"]))
def test_fillers_do_not_void_a_quote(answer: Sequence[str], start: int, length: int, at: int, filler: str) -> None:
    """They are part of the place, and no part of what is compared."""
    said = [*answer[: start + at], *filler.split(), *answer[start + at :]]
    place = locate(" ".join(answer[start : start + length]), said)
    assert place is not None
    assert (place.first_word, place.last_word) == (start, start + length - 1 + len(filler.split()))


def test_words_far_away_do_not_stretch_a_quote() -> None:
    """The nearest stretch counts, wherever else one of its words stands."""
    answer = "it was slow it really depends and then it locks uh the whole table and it goes on".split()
    place = locate("it locks the whole table", answer)
    assert place is not None
    assert place.text == "it locks uh the whole table"
