"""Minimal pairs: do two questions in nearly the same words ask for different things?

Sentence embeddings cannot tell: "What is a type one error?" and "What is a type two error?" are closer to each other
(0.87 with MiniLM) than most questions are to their own paraphrases. What gives such a pair away is its form: the same
sentence with one word exchanged for another that does not mean the same. Paraphrases rarely look like that.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import product

import snowballstemmer

from rag.embedding.embedder import Embedder

_SAME_FORM = 0.6
"""Share of words in common, in order, from which on questions have one form and ask about what is exchanged in it."""
_SYNONYMS = 0.5
"""Cosine of what is exchanged from which on it counts as synonyms. With MiniLM "drawbacks" and "disadvantages" are at
0.77, "choose" and "pick" at 0.78, "stack" and "queue" at 0.41, "inner" and "left" at 0.30."""

_GRAMMAR = frozenset(
    "a about an and any are as at be been being but by can could did do does doing done for from go going had has have "
    "having how i if in is it its just may me mean means meant might must my of on or our own s say shall should so "
    "some t than that the their them then there these they this those to us use used using was we were what when where "
    "which who whom whose why will with would you your yours "
    # how a question is put, not what it is about
    "describe exactly explain please really tell walk".split()
)
_NUMBERS = frozenset(
    "one two three four five six seven eight nine ten first second third fourth fifth once twice single double".split()
)
_DIGITS = {name: str(number) for number, name in enumerate("zero one two three four five six seven eight nine".split())}
_OPPOSITES = frozenset(
    frozenset(pair.split("/"))
    for pair in (
        "best/worst child/parent client/server close/open closing/opening delete/insert down/up download/upload "
        "dynamic/static fast/slow global/local good/bad hire/fire horizontal/vertical in/out inner/outer input/output "
        "internal/external large/small last/first left/right long/short lower/upper maximum/minimum more/less "
        "negative/positive optimistic/pessimistic parallel/serial private/public pull/push read/write start/stop "
        "stateful/stateless strength/weakness"
    ).split()
)
_TURNING_ROUND = ("a", "anti", "de", "dis", "il", "im", "in", "ir", "non", "un")
_PREFIXES = (("over", "under"), ("pre", "post"), ("inter", "intra"), ("en", "de"), ("in", "de"))


def contrast(one: str, other: str, embedder: Embedder) -> tuple[str, str] | None:
    """What is exchanged between two questions and makes them ask for different things; None when nothing is.

    Numbers and opposites tell questions apart wherever they stand for each other; other words where the questions are
    the same but for them.
    """
    first, second = _words(one), _words(other)
    matcher = SequenceMatcher(None, [_stem(word) for word in first], [_stem(word) for word in second], autojunk=False)
    same_form = matcher.ratio() >= _SAME_FORM
    for mine, its in _exchanged(matcher, first, second):
        pair = " ".join(mine), " ".join(its)
        if any(_are_opposed(*words) for words in product(mine, its)):
            return pair
        if same_form and float(embedder.embed([pair[0]])[0] @ embedder.embed([pair[1]])[0]) < _SYNONYMS:
            return pair
    return None


def without_shared_sentences(one: str, other: str) -> tuple[str, str]:
    """What each says beyond the other: a case that both describe says nothing about what they ask.

    Texts of which one says nothing beyond the other come back whole.
    """
    first, second = ({plain(each): each for each in _sentences(text)} for text in (one, other))
    mine, its = first.keys() - second.keys(), second.keys() - first.keys()
    if not mine or not its:
        return one, other
    return " ".join(first[key] for key in first if key in mine), " ".join(second[key] for key in second if key in its)


def plain(text: str) -> str:
    """The text's words in lower case, without punctuation and accents, with single spaces; "L one" reads "l1"."""
    return " ".join(_words(text))


def _exchanged(
    matcher: SequenceMatcher[str], first: Sequence[str], second: Sequence[str]
) -> Iterator[tuple[list[str], list[str]]]:
    """Words that carry meaning and stand in each other's place; those that the other question has elsewhere do not."""
    stems = {_stem(word) for word in first}, {_stem(word) for word in second}
    for what, start, end, its_start, its_end in matcher.get_opcodes():
        if what == "replace":
            mine = [word for word in first[start:end] if word not in _GRAMMAR and _stem(word) not in stems[1]]
            its = [word for word in second[its_start:its_end] if word not in _GRAMMAR and _stem(word) not in stems[0]]
            if mine and its:
                yield mine, its


def _are_opposed(one: str, other: str) -> bool:
    if _is_number(one) and _is_number(other):
        return True
    stems = _stem(one), _stem(other)
    return any(
        frozenset(pair) in _OPPOSITES
        or any(short == prefix + long for prefix in _TURNING_ROUND for short, long in (pair, pair[::-1]))
        or any(_differ_in_prefix(*pair, *prefixes) for prefixes in _PREFIXES)
        for pair in ((one, other), stems)
    )


def _differ_in_prefix(one: str, other: str, prefix: str, opposite: str) -> bool:
    return any(
        mine.startswith(prefix) and its.startswith(opposite) and mine[len(prefix) :] == its[len(opposite) :]
        for mine, its in ((one, other), (other, one))
    )


def _is_number(word: str) -> bool:
    return word in _NUMBERS or any(each.isdigit() for each in word)


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.?!])\s+", text.strip())


def _words(text: str) -> list[str]:
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(each for each in decomposed if not unicodedata.combining(each)).casefold()
    words: list[str] = []
    for word in re.findall(r"\w+", bare):
        digit = _DIGITS.get(word, word if len(word) == 1 and word.isdecimal() else None)
        if digit and words and _is_letter(words[-1]):
            # A name as it is said: "L one" and "F one" are what is written L1 and F1.
            words[-1] += digit
        else:
            words.append(word)
    return words


def _is_letter(word: str) -> bool:
    return len(word) == 1 and word.isalpha() and word not in _GRAMMAR


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    # One of its own for each word: a stemmer keeps the word in itself, and threads stem at the same time.
    return str(snowballstemmer.stemmer("english").stemWord(word))
