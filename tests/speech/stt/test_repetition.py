"""Telling a decoder's loop from speech."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech.stt.repetition import compression_ratio, loop_start, repeats_itself, words_of


@pytest.mark.parametrize(
    "text",
    [
        "Yes, exactly. Yes, exactly. Yes, exactly.",
        "Give me a moment. Give me a moment. Give me a moment. Give me",
        "So a large one can diverge. So a large one can diverge",
        "I'm not sure if I can get a chance to get a chance to get a chance to",
        "Yes yes yes yes yes yes",
        "in the end " * 30,
    ],
)
def test_loops_are_recognised(text: str) -> None:
    """What Whisper really returned when its window was too short."""
    assert repeats_itself(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No, no, no.",
        "It is, it is sorted.",
        "A deadlock happens when two threads each wait for a lock that the other one holds.",
        "The more data there is the better, and the more features there are the worse it gets.",
        "First in, first out: the first element that goes in is the first that comes out.",
    ],
)
def test_speech_is_not_a_loop(text: str) -> None:
    """People repeat words, too."""
    assert not repeats_itself(text)


@given(st.lists(st.sampled_from("abcdefgh"), min_size=3, max_size=12, unique=True), st.integers(2, 5))
def test_a_loop_starts_where_its_block_comes_again(block: list[str], times: int) -> None:
    """A block of three words or more that is said twice in a row is found, and so is where it first ends."""
    assert loop_start(["x", "y", *block * times]) == 2 + len(block)


@given(st.lists(st.text("abc", min_size=1, max_size=2), max_size=40))
def test_what_precedes_a_loop_holds_everything_that_was_said(words: list[str]) -> None:
    """Cutting at the start of the loop loses no word that does not occur before it."""
    start = loop_start(words)
    if start is not None:
        assert 0 < start < len(words)
        assert set(words[start:]) <= set(words[:start])


def test_compression_tells_monotony() -> None:
    """The measure rises with repetition and is defined for nothing at all."""
    assert compression_ratio("") == 0
    assert compression_ratio("la " * 100) > 10 > compression_ratio("A tree keeps its keys in sorted order.")


def test_words_are_compared_without_case_and_punctuation() -> None:
    """A comma or a capital letter does not hide a repetition."""
    assert words_of("Yes, EXACTLY! Don't.") == ["yes", "exactly", "don't"]
