"""Where a text is cut for the voice."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech.tts.clauses import ClauseBuffer, has_words, split_clauses

WORDS = (
    "Well",
    "thank you",
    "the U.S.",
    "e.g.",
    "3.14",
    "1,000,000",
    "no. 5",
    "Dr. Ito",
    "10:30",
    "B-tree",
    "“Really?”",
)
BETWEEN = (". ", ", ", "; ", ": ", "? ", "! ", "... ", "… ", " — ", "\n", "\n\n", " ", "  ", ".", ",", "(", ")", '"')
FRAGMENTS = st.sampled_from(WORDS + BETWEEN)
TEXTS = st.lists(FRAGMENTS, max_size=30).map("".join) | st.text(max_size=200)


@given(TEXTS)
def test_clauses_joined_are_the_text(text: str) -> None:
    """Nothing is lost, added or moved, and no clause is empty."""
    clauses = split_clauses(text)
    assert "".join(clauses) == text
    assert all(clauses)


@given(TEXTS)
def test_every_clause_but_the_last_can_be_said(text: str) -> None:
    """Punctuation alone is never sent to the voice while there are words to go with it."""
    assert all(has_words(clause) for clause in split_clauses(text)[:-1])


@given(TEXTS, st.data())
def test_clauses_do_not_depend_on_how_the_text_comes(text: str, data: st.DataObject) -> None:
    """A text that is streamed in parts, however small, is cut at the same places."""
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=20)))
    buffer = ClauseBuffer()
    clauses: list[str] = []
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        clauses += buffer.push(text[start:end])
    assert [*clauses, *buffer.flush()] == split_clauses(text)


@given(st.lists(st.integers(-10_000, 10_000_000) | st.decimals(-1000, 1000, places=2), min_size=1, max_size=8))
def test_numbers_are_never_cut(numbers: list[int]) -> None:
    """Decimals, thousands and lists of numbers stay in one clause."""
    text = f"The values {', '.join(f'{number:,}' for number in numbers)} are given"
    assert split_clauses(text) == [text]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("Thank you, that covers it. Next, the index.", ["Thank you, ", "that covers it. ", "Next, the index."]),
        ("Well, let us go on.", ["Well, let us go on."]),
        ("Good. Now the next one, please.", ["Good. ", "Now the next one, please."]),
        ("No. That is not it.", ["No. ", "That is not it."]),
        ("See no. 5 of Dr. Smith's list.", ["See no. 5 of Dr. Smith's list."]),
        ("It holds for e.g. Redis and U.S. English.", ["It holds for e.g. Redis and U.S. English."]),
        ("A B-tree keeps 1,000.5 keys. So what?", ["A B-tree keeps 1,000.5 keys. ", "So what?"]),
        ('He said "stop." Then he left.', ['He said "stop." ', "Then he left."]),
        ("“Really?” he said.", ["“Really?” he said."]),
        ("First part\n\nsecond part", ["First part\n\n", "second part"]),
        ("one line\nof wrapped text", ["one line\nof wrapped text"]),
        ("Let me see - yes.", ["Let me see - yes."]),
        ("Let me see — yes.", ["Let me see — ", "yes."]),
        ("Five — 3 of 5 — 2 of them.", ["Five — 3 of 5 — 2 of them."]),
        ("...", ["..."]),
        ("", []),
    ],
)
def test_clauses_of_typical_texts(text: str, clauses: list[str]) -> None:
    """A short first clause, then whole sentences; abbreviations and numbers end nothing."""
    assert split_clauses(text) == clauses


def test_a_very_long_sentence_is_cut_at_a_comma() -> None:
    """What is synthesised at once stays short enough for an interruption to take effect soon."""
    sentence = "First of all, " + "and then another thing happens, " * 20 + "and it ends."
    clauses = split_clauses(sentence)
    assert len(clauses) > 3
    assert all(len(re.findall(r"\w+", clause)) <= 40 for clause in clauses)


def test_a_clause_is_given_out_when_the_next_word_begins() -> None:
    """The first clause does not wait for the end of the sentence."""
    buffer = ClauseBuffer()
    assert buffer.push("Thank you, ") == []
    assert buffer.push("t") == ["Thank you, "]
    assert buffer.flush() == ["t"]
    assert buffer.flush() == []
