"""Answers in other clothes: what is learned from them stays true."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.judging.non_claims import FILLERS_FILE, TALK_DIR
from graph.judging.quote_matching import plain
from training.judge.augmentation import Talk, dress
from training.judge.synthetic_answers import Composed

SAID = (
    "So I think an index makes reads faster. But every write has to update it, um, so writes get slower. "
    "We had a table like that. It also takes space on disk."
)
WORDS = tuple(SAID.split())
ANSWER = Composed(
    "tea",
    "index",
    WORDS,
    {"1": "covered", "2": "covered", "3": "covered"},
    {},
    {"1": (3, 7), "2": (9, 19), "3": (26, 31)},
)


@pytest.fixture(scope="module")
def talk() -> Talk:
    """What was written for Viva."""
    return Talk.load()


@given(seed=st.integers(0, 10_000))
def test_the_words_that_carry_a_verdict_are_still_said_in_their_order(seed: int) -> None:
    """Whatever is put around and between them, or shuffled around them; some are spelled as they were misheard."""
    made = dress(ANSWER, "What does an index cost?", _talk(), random.Random(seed)).answer
    for number, (first, last) in ANSWER.spans.items():
        now_first, now_last = made.spans[number]
        now = [plain(word) for word in made.words[now_first : now_last + 1]]
        kept = iter(now)
        said = [plain(word) for word in WORDS[first : last + 1] if plain(word) not in ("writes", "write", "index")]
        assert all(word in kept for word in said), (said, now)


@given(seed=st.integers(0, 10_000))
def test_what_was_put_in_is_talk_and_claims_are_not(seed: int) -> None:
    """Every word says whether it claims nothing; of words that were there around the claims nobody knows."""
    made = dress(ANSWER, "What does an index cost?", _talk(), random.Random(seed))
    assert len(made.talk) == len(made.answer.words)
    added = len(made.answer.words) - sum(is_talk is not True for is_talk in made.talk)
    assert added >= len(made.answer.words) - len(WORDS) - 10
    assert all(made.talk[made.answer.spans["3"][place]] is False for place in (0, 1))


def test_known_fillers_and_hedges_are_talk_wherever_they_stand(talk: Talk) -> None:
    """But a word that is as often part of a claim is not."""
    assert talk.places("I think reads are um like a book".split()) == [True, True, False, False, True, *[False] * 3]


def test_talk_is_plain_speech(talk: Talk) -> None:
    """Lower case without punctuation, as a recogniser writes it; every line stands once, and a topic has its slot."""
    lines = [line for kind in talk.lines.values() for line in kind]
    assert len(lines) == len(set(lines)) >= 2_000
    assert all(
        line.replace("{topic}", "").replace("'", "").replace(" ", "").isalpha() for line in lines if line != "{topic}"
    )
    assert all(("{topic}" in line) == (kind == "question again") for kind, of in talk.lines.items() for line in of)


def test_what_the_tagger_is_measured_by_it_never_sees() -> None:
    """One long line in ten is kept back; what everybody says is not strange to it."""
    everything = Talk.load_all()
    taught, kept = everything.taught, everything.kept_back
    for kind, lines in everything.lines.items():
        if kind in ("filler", "hedge"):
            assert taught.lines[kind] == kept.lines[kind] == lines
        else:
            assert set(taught.lines[kind]).isdisjoint(kept.lines[kind])
            assert set(lines) == {*taught.lines[kind], *kept.lines[kind]}
            assert 0.05 < len(kept.lines[kind]) / len(lines) < 0.15
        assert len(lines) == len(set(lines))


def test_the_list_of_fillers_that_ships_is_the_one_that_was_taught() -> None:
    """Whoever adds a filler makes the list anew, with the tagger that learned it."""
    shipped = json.loads((TALK_DIR / FILLERS_FILE).read_text(encoding="utf-8"))
    assert {tuple(filler.split()) for filler in shipped} == Talk.load_all().known


def _talk() -> Talk:
    return _TALK


_TALK = Talk.load()
