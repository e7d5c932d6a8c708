"""Spoken forms: one form for what can be written in many: "two hundred" and "200", "it's" and "it is", "m v c c" and
"MVCC".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from domain.vocabulary import FILLERS, INTERJECTIONS
from graph.judging.contradictions.numbers import in_digits

_FILLERS = FILLERS | INTERJECTIONS | frozenset("like well basically actually literally".split())
_FILLER_PAIRS = frozenset((("you", "know"), ("i", "mean"), ("kind", "of"), ("sort", "of")))
_WITH_IS = frozenset("it that there he she what who where how here this".split())
_ENDINGS = {"'re": "are", "'ll": "will", "'ve": "have", "'m": "am", "'d": "would"}
_IRREGULAR = {"can't": ("can", "not"), "won't": ("will", "not"), "cannot": ("can", "not"), "shan't": ("shall", "not")}
_NUMBER_WORDS = frozenset(
    "oh zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million "
    "billion point percent".split()
)
_WRITTEN_NUMBER = re.compile(r"\d[\d.,]*(%|k)?")
_SPLIT = re.compile(r"[\s\-\u2010-\u2014/]+")
_NOT_A_WORD = re.compile(r"[^\w']+")


@dataclass(frozen=True, slots=True)
class Form:
    """A word in its one form, and the words that it stands for."""

    text: str
    first_word: int
    last_word: int
    """Inclusive."""


def forms(words: Sequence[str]) -> list[Form]:
    """The words in their one form, without fillers."""
    parts = [Form(part, at, at) for at, word in enumerate(words) for part in _parts(word)]
    return list(_spelled_together(_numbers(_without_fillers(parts))))


def compounds_joined(some: Sequence[Form], others: Iterable[Form]) -> list[Form]:
    """Neighbours that are one word in the other text: "post gres", where that has "Postgres"."""
    whole = {each.text for each in others}
    joined: list[Form] = []
    for each in some:
        if joined and joined[-1].text + each.text in whole and joined[-1].text not in whole:
            each = Form(joined[-1].text + each.text, joined.pop().first_word, each.last_word)  # noqa: PLW2901
        joined.append(each)
    return joined


def _parts(word: str) -> Iterator[str]:
    for piece in _SPLIT.split(word.lower().replace("\u2019", "'")):
        if _WRITTEN_NUMBER.fullmatch(number := piece.strip(".,;:!?()\"'")):
            yield number
        elif part := _NOT_A_WORD.sub("", piece).strip("'"):
            yield from _without_contraction(part)


def _without_contraction(word: str) -> Sequence[str]:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("n't"):
        return word.removesuffix("n't"), "not"
    if word.endswith("'s"):
        base = word.removesuffix("'s")
        return (base, "is") if base in _WITH_IS else (base,)
    ending = next((ending for ending in _ENDINGS if word.endswith(ending)), None)
    return (word.removesuffix(ending), _ENDINGS[ending]) if ending else (word,)


def _without_fillers(parts: Sequence[Form]) -> list[Form]:
    pairs = {at for at, (one, two) in enumerate(pairwise(parts)) if (one.text, two.text) in _FILLER_PAIRS}
    left_out = pairs | {at + 1 for at in pairs}
    return [each for at, each in enumerate(parts) if at not in left_out and each.text not in _FILLERS]


def _is_number(part: Form) -> bool:
    return part.text in _NUMBER_WORDS or bool(_WRITTEN_NUMBER.fullmatch(part.text))


def _numbers(parts: Iterable[Form]) -> Iterator[Form]:
    for is_number, run in groupby(parts, _is_number):
        together = list(run)
        if not is_number:
            yield from together
            continue
        first, last = together[0].first_word, together[-1].last_word
        digits = in_digits(" ".join(each.text for each in together)).replace("%", " percent").split()
        yield from (Form("1" if each == "one" else each, first, last) for each in digits)


def _spelled_together(parts: Iterable[Form]) -> Iterator[Form]:
    """Letters said one by one as the word they spell; "a" and "i" alone are words."""
    for is_letter, run in groupby(parts, lambda each: len(each.text) == 1 and each.text.isalpha()):
        together = list(run)
        if is_letter and len(together) > 1:
            text = "".join(each.text for each in together)
            yield Form(text, together[0].first_word, together[-1].last_word)
        else:
            yield from together
