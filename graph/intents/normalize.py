"""Normalization: an utterance in one canonical spelling, so that rules need not know every way it may be written.

Lower case, no punctuation, no fillers, contractions written out ("I'd", "dont", "gonna"). Each word keeps its place in
what was said, because answers are marked by word indexes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import snowballstemmer

from domain.vocabulary import FILLERS, INTERJECTIONS

MOST_PARTS = 20
"""Plain words that are read of one word of an utterance. One that is typed may be thousands of them without a blank
between ("a,a,a,…"), and what is looked at closely is limited by the number of words."""

_SOUNDS = FILLERS | INTERJECTIONS
_SENTENCE_END = re.compile(r"[.?!;:,\u2026][\"')\]]*$")
_NOT_A_WORD = re.compile(r"[^\w']+")

_WRITTEN_OUT = {
    "cannot": "can not",
    "cant": "can not",
    "can't": "can not",
    "won't": "will not",
    "wont": "will not",
    "shan't": "shall not",
    "ain't": "am not",
    "lets": "let us",
    "let's": "let us",
    "im": "i am",
    "ive": "i have",
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "have to",
    "lemme": "let me",
    "gimme": "give me",
    "dunno": "do not know",
    "whats": "what is",
    "thats": "that is",
    "hows": "how is",
    "youre": "you are",
    "theyre": "they are",
    "whaddya": "what do you",
    "y'all": "you",
    "yall": "you",
    "ok": "okay",
    "cuz": "because",
    "cause": "because",
    "pls": "please",
}
_NEGATED = re.compile(r"^(do|does|did|is|are|was|were|has|have|had|could|would|should|need|must)n'?t$")
_ENDINGS = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_WITH_IS = frozenset("what that it how where who when there here he she everything something one".split())
_WITH_DID = frozenset("what how where when why".split())

_GRAMMAR = frozenset(
    "a about after all also am an and any are as at be because been before being but by can could did do does doing "
    "each even every for from get gets give gives had has have having he her here him his how i if in into is it its "
    "just kind let like lot make makes many may maybe me might more most much must my no not of okay on one only or "
    "other our out over own please really same she should so some something sorry sort such than that the their them "
    "then there these they thing things this those through to too us use used uses using very want was way we well "
    "were what when where which while who why will with would yes you your".split()
)


@lru_cache(maxsize=4096)
def spelled(word: str) -> tuple[str, ...]:
    """The plain words that a word of the recogniser stands for, of `MOST_PARTS` parts at most; none for punctuation."""
    word = _NOT_A_WORD.sub(" ", word.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    parts = word.split(maxsplit=MOST_PARTS)[:MOST_PARTS]
    return tuple(plain for part in parts for plain in _written_out(part.strip("'")) if plain)


def _written_out(word: str) -> list[str]:
    if word in _WRITTEN_OUT:
        return _WRITTEN_OUT[word].split()
    if match := _NEGATED.match(word):
        return [match[1], "not"]
    stem, mark, ending = word.rpartition("'")
    if mark and f"'{ending}" in _ENDINGS:
        if ending == "d" and stem in _WITH_DID:
            return [stem, "did"]
        return [stem, _ENDINGS[f"'{ending}"]]
    if mark and ending == "s" and stem in _WITH_IS:
        return [stem, "is"]
    return [word]


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    # One of its own for each word: a stemmer keeps the word in itself, and threads stem at the same time.
    return str(snowballstemmer.stemmer("english").stemWord(word))


@dataclass(frozen=True)
class Stretch:
    """A run of words of an utterance, plainly spelled."""

    first: int
    """Index of its first word in the utterance."""
    last: int
    """Index of its last word, inclusive."""
    tokens: tuple[str, ...]
    """Its plain words without fillers."""
    places: tuple[int, ...]
    """For each of them, the index of the word it stands for."""

    @cached_property
    def text(self) -> str:
        """Its plain words, for patterns and for embedding."""
        return " ".join(self.tokens)

    def span(self, match: re.Match[str]) -> tuple[int, int]:
        """First and last word of what a pattern found in `text`."""
        before = self.text[: match.start()].count(" ") + (
            0 if match.start() == 0 else int(self.text[match.start()] == " ")
        )
        found = match[0].strip().count(" ")
        return self.places[before], self.places[before + found]

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Stems of the words that are not mere grammar, in order."""
        return tuple(_stem(token) for token in self.tokens if token not in _GRAMMAR)


class Utterance:
    """The words of one turn.

    Args:
        words: as the recogniser gave them.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self._spelled = [
            tuple(token for token in spelled(word) if token not in _SOUNDS and not token.isspace()) for word in words
        ]

    def __len__(self) -> int:
        return len(self.words)

    def stretch(self, first: int, last: int) -> Stretch:
        """The words from `first` to `last`, inclusive."""
        places = [index for index in range(first, last + 1) for _ in self._spelled[index]]
        tokens = [token for spelling in self._spelled[first : last + 1] for token in spelling]
        return Stretch(first=first, last=last, tokens=tuple(tokens), places=tuple(places))

    @property
    def whole(self) -> Stretch:
        """All of it."""
        return self.stretch(0, len(self.words) - 1)

    def tokens_at(self, index: int) -> tuple[str, ...]:
        """The plain words that one word stands for; none for a filler."""
        return self._spelled[index]

    def ends_clause(self, index: int) -> bool:
        """True when punctuation follows a word."""
        return bool(_SENTENCE_END.search(self.words[index]))

    def trimmed(self, first: int, last: int, idle: frozenset[str] = frozenset()) -> tuple[int, int] | None:
        """The span without fillers and `idle` words at its ends; None when nothing is left."""
        while first <= last and all(token in idle for token in self._spelled[first]):
            first += 1
        while first <= last and all(token in idle for token in self._spelled[last]):
            last -= 1
        return (first, last) if first <= last else None


def stems_of(text: str) -> frozenset[str]:
    """Stems of the words of a text that are not mere grammar."""
    return frozenset(Utterance(text.split()).whole.stems) if text.strip() else frozenset()
