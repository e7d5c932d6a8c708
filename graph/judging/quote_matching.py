"""Quote matching: finds words in a transcript; a quote that was not said proves nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations_with_replacement
from typing import NamedTuple

from domain.verdict import Quote
from graph.judging.contradictions.checks import direction_differs, number_differs
from graph.judging.text.spoken_forms import Form, compounds_joined, forms
from graph.judging.text.stems import content_stems, negations, plain

__all__ = ["locate", "plain"]

_MIN_MATCH = 0.8
"""Share of a quote's words that must be found, in order and close together: room for the recogniser's spelling."""
_ALIKE = 0.8
"""From here on two words with the same first letter may be one, misheard: not "safe" and "unsafe"."""
_LONG_ENOUGH = 4
"""Letters from which on a word can be misheard for another and still be known."""
_ROOM = 1.3
"""Length of the window that is searched, for each word of a quote."""
_WORTH_A_LOOK = 0.5
"""Share of a quote's words that a window must hold, letter by letter, to be searched for others that were misheard."""
_WINDOWS = 3
"""The likeliest ones are searched."""


class _Place(NamedTuple):
    """Where words like those of a quote were said."""

    first: int
    last: int
    """Inclusive."""
    fit: float
    matched: int
    """Words of the quote that were found."""
    open_before: int
    """Words of the quote before the first that was found."""
    open_after: int


def locate(quote: str, words: Sequence[str]) -> Quote | None:
    """The place of a quote in an answer, or None when it was not said.

    Args:
        quote: what somebody claims was said. Case, punctuation, fillers, contractions, how numbers are written, and a
            few misheard words do not matter; a negation, another number or an opposite does.
        words: the answer, word by word, as recognised.
    """
    place = _exactly(quote, words) or _about(quote, words)
    if place is None:
        return None
    first, last = place
    return Quote(text=" ".join(words[first : last + 1]), first_word=first, last_word=last)


def _exactly(quote: str, words: Sequence[str]) -> tuple[int, int] | None:
    """The first place at which these words were said, one after the other."""
    wanted = [word for word in map(plain, quote.split()) if word]
    said = [(word, at) for at, word in enumerate(map(plain, words)) if word]
    texts = [word for word, _ in said]
    for start in range(len(said) - len(wanted) + 1 if wanted else 0):
        if texts[start] == wanted[0] and texts[start : start + len(wanted)] == wanted:
            return said[start][1], said[start + len(wanted) - 1][1]
    return None


def _about(quote: str, words: Sequence[str]) -> tuple[int, int] | None:
    """The place at which nearly these words were said, with the same meaning as far as a check can tell."""
    wanted, said = forms(quote.split()), forms(words)
    wanted, said = compounds_joined(wanted, said), compounds_joined(said, wanted)
    texts = [each.text for each in wanted]
    closest = (
        max(
            _stretches(texts, said[start : start + _room(texts)]),
            key=lambda place: (place.fit, place.matched),
            default=None,
        )
        for start in _windows(texts, [each.text for each in said])
    )
    found = [place for place in closest if place and _says_the_same(quote, words, place)]
    best = max(found, key=lambda place: place.fit, default=None)
    return (best.first, best.last) if best else None


def _says_the_same(quote: str, words: Sequence[str], place: _Place) -> bool:
    # What stands in the place of a word of the quote at either end belongs to it as well.
    around = words[max(0, place.first - 2 * place.open_before) : place.last + 1 + 2 * place.open_after]
    for said in (around, words[place.first : place.last + 1]):
        if negations(quote.split()) % 2 != negations(said) % 2:
            return False
    return not (number_differs(quote, " ".join(around)) or direction_differs(quote, " ".join(around)))


def _as_meant(heard: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """What was heard, with words that are nearly one of the quote's as that one."""
    known = set(wanted)
    rare = known.difference(heard)
    meant = {word: _alike(word, rare) for word in set(heard) - known} if rare else {}
    return [meant.get(word) or word for word in heard]


def _alike(word: str, others: set[str]) -> str:
    if len(word) < _LONG_ENOUGH or word[0].isdigit():
        return ""
    close = [
        other
        for other in sorted(others)
        if other[0] == word[0]
        and len(other) >= _LONG_ENOUGH
        and (
            content_stems(word) == content_stems(other)
            or SequenceMatcher(a=word, b=other, autojunk=False).ratio() >= _ALIKE
        )
    ]
    return close[0] if close else ""


def _room(wanted: Sequence[str]) -> int:
    return int(len(wanted) * _ROOM) + 1


def _windows(wanted: Sequence[str], heard: Sequence[str]) -> Iterator[int]:
    """Where the windows begin that share most words with the quote; none where too few are shared."""
    size, needed = _room(wanted), Counter(wanted)
    starts: list[tuple[int, int]] = []
    inside: Counter[str] = Counter()
    shared = 0
    for end, word in enumerate(heard):
        shared += inside[word] < needed[word]
        inside[word] += 1
        if end >= size:
            gone = heard[end - size]
            inside[gone] -= 1
            shared -= inside[gone] < needed[gone]
        starts.append((-shared, max(0, end - size + 1)))
    enough = sorted({start for start in starts if -start[0] >= _WORTH_A_LOOK * len(wanted)})
    yield from (start for _, start in enough[:_WINDOWS] if wanted)


def _stretches(wanted: Sequence[str], said: Sequence[Form]) -> Iterator[_Place]:
    """The stretches of a window that fit well enough."""
    heard = _as_meant([each.text for each in said], wanted)
    blocks = [each for each in SequenceMatcher(a=wanted, b=heard, autojunk=False).get_matching_blocks() if each.size]
    for left, right in combinations_with_replacement(range(len(blocks)), 2):
        first, last = blocks[left], blocks[right]
        end = last.b + last.size - 1
        matched, stretch = sum(block.size for block in blocks[left : right + 1]), end - first.b + 1
        if min(matched / len(wanted), matched / stretch) >= _MIN_MATCH:
            # A word far from the others is another one: it costs more than it brings.
            fit = (2 * matched - stretch) / len(wanted)
            open_after = len(wanted) - last.a - last.size
            yield _Place(said[first.b].first_word, said[end].last_word, fit, matched, first.a, open_after)
