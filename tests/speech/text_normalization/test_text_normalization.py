"""Text made speakable: a table of what is said for what, and promises about any text."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from speech.text_normalization import RewrittenPiece, SpokenText, TextNormalizer
from speech.text_normalization.lexicon import english

TABLE = yaml.safe_load((Path(__file__).parents[1] / "data" / "wording.yaml").read_text(encoding="utf-8"))
CASES = [(written, said) for group in TABLE.values() for written, said in group.items()]
PLAIN = "the cache keeps what was read last so that a reader who comes later does not wait and writes go first".split()

SIGNS = st.sampled_from(list("0123456789.,:;/\\-–—_*`'\"()[]{}<>=!+^%$€£°#@&|~× \n→≤ΘaAbBnxOvVpsSkKM"))
TEXTS = st.one_of(st.text(max_size=80), st.text(SIGNS, max_size=40))
WITHOUT_SMALL_NUMBERS = st.text(st.characters(exclude_categories=["No", "Nl", "Cs"]), max_size=80)
"""Raised numbers and fractions of one character are said, but not what nobody writes: noughts and letters after."""

BADLY_READ = re.compile(
    r"[^\w\s.,;:!?'\"\-–—…’‘“”]|_"  # signs that are named wrongly, or not at all
    r"|(?<![0-9.])[0-9]{10}|(?<![\w.,])0[0-9]"  # long numbers, and noughts in front
    r"|[0-9](?!(?:st|nd|rd|th)\b)[^\W\d_]|[^\W\d_][0-9]"  # glued to letters
    r"|[0-9]\.[0-9]+\.[0-9]|[0-9]/[0-9]|[0-9]:[0-9]"
)


@pytest.mark.parametrize(("written", "said"), CASES, ids=[written for written, _ in CASES])
def test_it_is_said_as_people_say_it(written: str, said: str) -> None:
    """Every row of the table."""
    assert TextNormalizer().say(written).text == said


def test_the_table_is_large_enough() -> None:
    """As many cases as it takes to cover the kinds of writing that an interview has."""
    assert len(CASES) >= 150


@given(TEXTS)
@example("**a**b__c__")
@example("1/2/3")
@example("O((((")
def test_any_text_can_be_said_and_nothing_of_it_is_lost(text: str) -> None:
    """The pieces are the text."""
    spoken = TextNormalizer().say(text)
    assert spoken.original == text
    assert all(piece.original for piece in spoken.pieces)


@given(st.one_of(WITHOUT_SMALL_NUMBERS, st.text(SIGNS, max_size=40)))
def test_nothing_remains_that_the_voice_reads_badly(text: str) -> None:
    """Signs have names or are gone; numbers are such as the phonemiser says right."""
    said = TextNormalizer().say(text).text
    bad = BADLY_READ.search("".join(sign for sign in said if unicodedata.category(sign)[0] != "M"))
    assert bad is None, f"{bad.group()!r} in {said!r}"
    assert all(not sign.isdecimal() or sign.isascii() for sign in said)
    assert all(unicodedata.category(sign) not in {"So", "Sm", "Sc", "Cf", "Co", "Cn", "Cs"} for sign in said)


@given(st.lists(st.sampled_from([*PLAIN, "well-known", "isn't", "résumé"]), min_size=1), st.sampled_from(list(".?!")))
def test_plain_prose_stays_as_it_is(words: list[str], end: str) -> None:
    """The phonemiser knows how to say it."""
    text = " ".join(words).capitalize() + end
    assert TextNormalizer().say(text).text == text


@given(TEXTS)
def test_what_is_said_for_written_words_is_found_again(text: str) -> None:
    """Places in what is written lead to places in what is said, in the same order, from its beginning to its end."""
    spoken = TextNormalizer().say(text)
    places = spoken.in_speech(range(len(text) + 1))
    assert list(places) == sorted(places)
    assert places[-1] == len(spoken.text)


def test_places_inside_what_was_not_changed_are_exact() -> None:
    """However much before them is said differently."""
    written = "It takes 10GB (or so) of memory."
    spoken = TextNormalizer().say(written)
    assert spoken.text == "It takes 10 gigabytes, or so, of memory."
    (place,) = spoken.in_speech([written.index("memory")])
    assert place == spoken.text.index("memory")


def test_an_interviews_own_pronunciations_come_first() -> None:
    """Before the lexicon; with a capital as written, without in any case; with the s of a plural."""
    wording = TextNormalizer({"SQL": "ess prompt ell", "etl": "E.T.L", "C++": "see double plus"})
    assert wording.say("SQL, sql, ETL and two etls in C++.").text == (
        "ess prompt ell, sql, E.T.L and two E.T.Ls in see double plus."
    )


def test_a_voice_of_another_language_gets_no_english_words() -> None:
    """Its phonemiser knows its own words for numbers; pronunciations and markup are the same for all."""
    wording = TextNormalizer({"SQL": "Es Ku El"}, language="de")
    assert wording.say("**SQL** braucht 10 % mehr, z.B. 3,5 GB").text == "Es Ku El braucht 10 % mehr, z.B. 3,5 GB"


@pytest.mark.parametrize("words", [english().say, english().signs, english().units])
def test_the_lexicon_says_nothing_that_is_itself_read_badly(words: dict[str, str]) -> None:
    """Its words are words."""
    assert [said for said in words.values() if re.search(r"[^A-Za-z' .|-]", said) and said != "I.P V 4"] == [
        said for said in words.values() if said == "I.P V 6"
    ]


def test_pieces_join() -> None:
    """Originals to the text, and what is said to what a voice is given."""
    spoken = SpokenText((RewrittenPiece("10GB", "10 gigabytes"), RewrittenPiece(" now", " now")))
    assert (spoken.original, spoken.text) == ("10GB now", "10 gigabytes now")
    assert list(spoken.in_speech([0, 2, 4, 5])) == [0, 6, 12, 13]
