"""When words are heard, by a voice's phonemes; and how a voice is made to tell them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech.tts.alignment import Phoneme, word_marks
from speech.tts.durations import durations_output

SAID = {"of": "ʌv", "the": "ðə", "105": "wˈʌnhˈʌndɹɪd fˈaɪv", "trees": "tɹˈiːz", "two": "tˈuː", "...": "…"}


def phonemes(signs: str) -> list[Phoneme]:
    """A tenth of a second each."""
    return [Phoneme(sign, 0.1) for sign in signs]


def marks(text: str, signs: str) -> list[tuple[str, float, float]]:
    """Each word that is heard, and when."""
    found = word_marks(text, phonemes(signs), lambda word: SAID[word.strip(".,")] if word.strip(".,") else "")
    pairs = zip(found[::2], found[1::2], strict=True)
    return [(text[a:b], round(start, 3), round(end, 3)) for (a, start), (b, end) in pairs]


def test_words_are_where_their_phonemes_are() -> None:
    """With the marks of stress before and of length after them; a pause belongs to no word."""
    assert marks("two, trees.", "^tˈuː, tɹˈiːz.$") == [("two,", 0.1, 0.5), ("trees.", 0.7, 1.3)]


def test_words_that_the_phonemiser_joins_have_their_own_times() -> None:
    """One word to it is "of the", with other vowels than each has alone."""
    assert marks("two of the trees", "^tˈuː əvðɪ tɹˈiːz$") == [
        ("two", 0.1, 0.5),
        ("of", 0.6, 0.8),
        ("the", 0.8, 1.0),
        ("trees", 1.1, 1.7),
    ]


def test_a_word_that_the_phonemiser_takes_apart_has_one_time() -> None:
    """105 is said with three words."""
    assert marks("105 trees", "wˈʌnhˈʌndɹɪd fˈaɪv tɹˈiːz")[0] == ("105", 0.0, 1.8)


def test_what_is_not_heard_has_no_time() -> None:
    """Three dots are a pause."""
    assert marks("two ... trees", "tˈuː tɹˈiːz") == [("two", 0.0, 0.4), ("trees", 0.5, 1.1)]
    assert word_marks("...", phonemes("^$"), lambda _: "") == ()


@given(st.lists(st.sampled_from(sorted(set(SAID) - {"..."})), max_size=8), st.text("tˈuːðəz ,.^$", max_size=40))
def test_marks_rise_whatever_is_heard(words: list[str], heard: str) -> None:
    """Even when it has nothing to do with the text."""
    found = word_marks(" ".join(words), phonemes(heard), SAID.__getitem__)
    assert [place for place, _ in found] == sorted(place for place, _ in found)
    assert [at_s for _, at_s in found] == sorted(at_s for _, at_s in found)
    assert all(0 <= at_s <= 0.1 * len(heard) + 1e-9 for _, at_s in found)


def field(number: int, content: bytes) -> bytes:
    """A field of protobuf's wire format, with a length below 128."""
    return bytes([number << 3 | 2, len(content)]) + content


def node(kind: bytes, output: bytes) -> bytes:
    """A node of a graph."""
    return field(1, field(2, output) + field(4, kind))


SOUND = field(12, field(1, b"sound"))
CEIL = node(b"Ceil", b"/Ceil_output_0")


def test_a_voices_durations_become_an_output() -> None:
    """Appended to the model, for protobuf to merge into its graph."""
    model = b"\x08\x08" + field(7, node(b"Add", b"x") + CEIL + SOUND)
    assert durations_output(memoryview(model)) == field(7, field(12, field(1, b"/Ceil_output_0")))


@pytest.mark.parametrize(
    "graph", [SOUND, CEIL + CEIL + SOUND, CEIL + SOUND + SOUND], ids=["no Ceil", "two", "told already"]
)
def test_a_voice_that_cannot_tell_is_left_as_it_is(graph: bytes) -> None:
    """Its words' times are spread."""
    assert durations_output(memoryview(field(7, graph))) == b""


@pytest.mark.parametrize("content", [b"\x3a\x7f\x00", b"\xff", b"\x0f\x00"])
def test_what_is_no_model_is_refused(content: bytes) -> None:
    """With a sentence."""
    with pytest.raises(ValueError, match="not a protobuf message"):
        durations_output(memoryview(content))


def test_a_long_name_has_a_long_length() -> None:
    """Lengths from 128 on take two bytes."""
    name = b"n" * 200
    long = b"\x12" + b"\xc8\x01" + name
    inner = long + field(4, b"Ceil")
    size = bytes([len(inner) & 0x7F | 0x80, len(inner) >> 7])
    graph = b"\x0a" + size + inner + SOUND
    model = b"\x3a" + bytes([len(graph) & 0x7F | 0x80, len(graph) >> 7]) + graph
    assert durations_output(memoryview(model)).endswith(b"\x0a\xc8\x01" + name)
