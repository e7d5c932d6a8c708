"""Which words are settled, and that each is settled once. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from speech.stt.local_agreement import AGED_S, CONTEXT_S, FORCED_S, TRIM_S, Window, agreed
from speech.stt.word_times import HeardWord

WORD_S = 0.4


def words(*texts: str, from_s: float = 0.0) -> list[HeardWord]:
    """Words of 0.25 s each, with a pause after each."""
    return [HeardWord(text, from_s + at * WORD_S, from_s + at * WORD_S + 0.25, 0.9) for at, text in enumerate(texts)]


def texts(heard: Sequence[HeardWord]) -> list[str]:
    """What the words are."""
    return [word.text for word in heard]


def test_words_that_two_decodes_agree_on_are_settled() -> None:
    """Up to the first that they do not agree on."""
    window = Window(0.0)
    window.take(words("a", "sorted", "tea"), 1.2)
    assert window.settled == 0
    window.take(words("A", "sorted", "tree", "is"), 1.6)
    assert texts(window.words[: window.settled]) == ["A", "sorted"]


def test_case_and_punctuation_are_no_disagreement() -> None:
    """The later decode has heard more, and its spelling is taken."""
    assert agreed(words("So,", "the", "index."), words("so", "the", "index", "helps")) == 3


def test_what_is_settled_may_still_be_heard_better() -> None:
    """Only what is cut off is final."""
    window = Window(0.0)
    for heard in (words("the", "index"), words("the", "index"), words("the", "indices", "help")):
        window.take(heard, 1.2)
    assert texts(window.words) == ["the", "indices", "help"]
    assert window.settled == 1


@given(st.lists(st.sampled_from(["tree", "index", "and", "so"]), max_size=40), st.lists(st.integers(0, 9), min_size=1))
def test_every_word_comes_once_and_in_order(said: list[str], steps: list[int]) -> None:
    """However the decodes fall, whatever they get wrong at their end, words repeated or not, and the rest is short."""
    window, final, heard = Window(0.0), [], 0
    for step in [*steps, len(said), len(said)]:
        heard = min(len(said), heard + step)
        end_s = max(heard * WORD_S, window.heard_to_s)
        begun = sum(at * WORD_S + 0.25 <= window.start_s for at in range(len(said)))
        known = words(*said)[begun:heard]
        cut_off = words(f"cut{step}", from_s=heard * WORD_S) if heard < len(said) else []
        window.take([*known, *cut_off], end_s)
        final += window.trimmed()
        assert texts(final) == said[: len(final)]
        if window.settled > 1 and step < 5:
            assert end_s - window.start_s <= TRIM_S + CONTEXT_S + 10 * WORD_S
    assert texts([*final, *window.words]) == said
    assert [word.start_s for word in final] == sorted(word.start_s for word in final)


def test_speech_without_a_pause_is_cut_at_its_widest_gap_in_the_end() -> None:
    """A window does not grow for ever."""
    fast = [HeardWord(f"w{at}", at * 0.2, at * 0.2 + (0.15 if at == 30 else 0.19), 0.9) for at in range(70)]
    window = Window(0.0)
    window.take(fast[:50], TRIM_S + 2)
    window.take(fast[:50], TRIM_S + 2)
    assert window.trimmed() == ()
    window.take(fast, FORCED_S + 2)
    window.take(fast, FORCED_S + 2)
    assert len(window.trimmed()) == 31
    assert 6.15 <= window.start_s <= 6.2


def test_a_window_is_cut_even_if_no_two_decodes_agree() -> None:
    """On a busy machine there are few decodes, and each may spell the first word in another way."""
    for first in ("Mapper", "Map", "The"):
        said = [
            HeardWord(first, 0.0, 0.3, 0.9),
            *(HeardWord(f"w{at}", at * 0.5, at * 0.5 + 0.3, 0.9) for at in range(1, 20)),
        ]
        window = Window(0.0)
        window.take(said, 10.0)
    assert window.settled == 0
    final = window.trimmed()
    assert texts(final)[0] == "The"
    assert window.start_s >= 10.0 - AGED_S - 0.5
    assert len(final) + len(window.words) == len(said)


def test_a_word_that_was_lost_between_two_pauses_is_heard_with_what_follows() -> None:
    """Of "I … need it", the first was taken for an "er" while it was alone; nothing final lies where it was said."""
    past = [HeardWord("London.", 1.0, 1.4, 0.9), HeardWord("er,", 2.1, 2.3, 0.4)]
    window = Window(1.0)
    window.final_to_s = 2.9
    heard = [
        HeardWord("London.", 1.0, 1.4, 0.9), HeardWord("um,", 1.7, 1.8, 0.5), HeardWord("I", 2.1, 2.4, 0.8),
        HeardWord("need", 3.3, 3.6, 0.9),
    ]  # fmt: skip
    window.take(heard, 3.8, past)
    assert texts(window.words) == ["I", "need"]


def test_no_word_is_heard_twice_because_another_decode_places_it_later() -> None:
    """The last final word may lie anywhere in the pause behind it."""
    past = [HeardWord("Papa.", 1.0, 1.4, 0.9)]
    for start_s in (1.0, 1.3, 1.6, 2.0):
        window = Window(1.0)
        window.final_to_s = 2.5
        window.take([HeardWord("Papa,", start_s, start_s + 0.4, 0.9), HeardWord("my", 2.6, 2.8, 0.9)], 3.0, past)
        assert texts(window.words) == ["my"], start_s


def test_the_rest_of_a_word_that_was_cut_is_no_word() -> None:
    """A window that begins within "uniform" hears a "form" more; a word of its own that rhymes stays."""
    past = [HeardWord("uniform", 1.0, 1.62, 0.9)]
    for text, start_s, stays in (("form", 1.62, False), ("form", 2.1, True), ("Charlie", 1.62, True)):
        window = Window(1.6)
        window.take([HeardWord(text, start_s, start_s + 0.2, 0.5), HeardWord("Echo", 2.5, 2.8, 0.9)], 3.0, past)
        assert (text in texts(window.words)) is stays, (text, start_s)
