"""Vocabulary of résumés: its file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graph.candidate import vocabulary
from graph.candidate.lexicon.schema import content_of

WORDS = content_of(Path(vocabulary.__file__).with_suffix(".yaml"))
assert isinstance(WORDS, dict)


@pytest.mark.parametrize("name", WORDS)
def test_each_word_is_there_once(name: str) -> None:
    """And is a part of a regular expression whose quantifiers are bounded."""
    words = WORDS[name]
    assert len(set(words)) == len(words)
    assert not [word for word in words if re.search(r"(?<!\\)[*+]|,\}", word)]
    assert all(map(re.compile, words))


def test_no_role_is_listed_that_its_ending_tells() -> None:
    """'Projektleiterin' needs no line of its own."""
    ending = re.compile(rf"[^\W\d_]{{0,24}}(?:{'|'.join(WORDS['role_endings'])})(?:in)?")
    assert not list(filter(ending.fullmatch, WORDS["roles"]))
    assert vocabulary.names_role("Projektleiterin, Contoso")
