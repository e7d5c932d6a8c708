"""Headings: what they announce, and the words they are made of."""

from __future__ import annotations

from typing import get_args

import pytest

from graph.candidate.headings import SectionKind, heading_kind, heading_words


def test_each_word_is_there_for_one_thing() -> None:
    """No phrase announces two things, none is a filler, and every kind of section has its phrases."""
    words = heading_words()
    phrases = [phrase for each in words.kinds.values() for phrase in each]
    assert len(set(phrases)) == len(phrases)
    assert set(words.weak) <= set(phrases)
    assert not words.fillers & set(phrases)
    assert not words.entry_labels & set(phrases)
    assert set(words.kinds) == set(get_args(SectionKind)) - {"head"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Strengths", "strengths"),
        ("What I'm good at", "strengths"),
        ("What I'm still learning", "weaknesses"),
        ("Strengths and weaknesses", "other"),
        ("Skills and strengths", "skills"),
        ("Hobbies & interests", "traits"),
        ("Research interests", "summary"),
        ("Character references", "personal"),
        ("Where I\N{RIGHT SINGLE QUOTATION MARK}ve worked", "experience"),
        ("Key Responsibilities:", None),
    ],
)
def test_what_a_heading_announces(text: str, kind: SectionKind | None) -> None:
    """By its longest phrase; of strengths and weaknesses together nobody can tell which is which."""
    assert heading_kind(text) == kind
