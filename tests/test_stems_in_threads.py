"""Stems of words are the same whichever threads ask for them, and however many at once."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import snowballstemmer

from graph.intents import normalize
from graph.judging.text.stems import content_stems
from rag.duplicates import minimal_pairs

BEGINNINGS = [
    f"{first}{second}{third}" for first, second, third in itertools.product("bdfgklmnprst", "aeou", "dlmnrstvz")
]
ENDINGS = ("izations", "ingly", "edness", "ational", "fulness", "ements")


@pytest.fixture(autouse=True)
def _threads_take_turns_often() -> Iterator[None]:
    usual_s = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual_s)


@pytest.mark.parametrize(
    "stems",
    [
        content_stems,
        # Python 3.11 lets one thread after the other into a cached property, later versions do not.
        lambda text: frozenset(map(normalize._stem, text.split())),
        lambda text: frozenset(map(minimal_pairs._stem, text.split())),
    ],
    ids=["judging", "intents", "duplicates"],
)
def test_stems_do_not_mix_between_threads(stems: Callable[[str], frozenset[str]]) -> None:
    """Two interviews are judged at once: neither gets a stem of the other's words, which would be kept for good."""
    words = [beginning + ending for beginning in BEGINNINGS for ending in ENDINGS]
    expected = [snowballstemmer.stemmer("english").stemWord(word) for word in words]

    with ThreadPoolExecutor(4) as threads:
        parts = [threads.submit(stems, " ".join(words[start::4])) for start in range(4)]

    assert [part.result() for part in parts] == [frozenset(expected[start::4]) for start in range(4)]
