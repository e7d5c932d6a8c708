"""Polarity: words that turn a claim round: negations, and words that have an opposite ("increases", "reduces")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from graph.judging.text.stems import content_stems, negations, plain

_OPPOSITES = """
increase increasing grow grown grew rise rising rose raise boost climb higher greater larger bigger expand gain \
maximise amplify | decrease reduce dropping drops fall fell lower lessen smaller shrink shrank minimise decline diminish
more | less fewer
faster quicker fast quick quickly accelerate | slower slow slowly
longer long | shorter short
before beforehand earlier | after afterwards later
first | last
stronger strong strengthen | weaker weak weaken
cheap cheaper | expensive dearer
older oldest | newer newest
minimum smallest lowest fewest | maximum largest highest biggest
best | worst
better improve | worse worsen
easy easier | hard harder difficult
true | false
valid | invalid
overfit overfitting | underfit underfitting
stateless | stateful
mutable | immutable
synchronous synchronously | asynchronous asynchronously
ordered sorted | unordered unsorted
safe | unsafe
allow permit | forbid refuse deny
include | exclude
enable | disable
keep kept retain | lose lost discard
same equal identical | different differ differently
inside internal | outside external
above | below
optional | mandatory required
public | private
push | pull
permanent permanently | temporary temporarily
sparse | dense
many several | few
all every | none
early eager eagerly | lazy lazily
horizontal horizontally | vertical vertically
row | column
automatically | manually
read | write
"""


def _stem(word: str) -> str:
    """A word's stem; a word of mere grammar ("more", "after") stays as it is."""
    return next(iter(content_stems(word)), word)


_SIDE_OF: Mapping[str, tuple[int, int]] = {
    _stem(word): (line, side)
    for line, opposites in enumerate(_OPPOSITES.strip().splitlines())
    for side, words in zip((1, -1), opposites.split("|"), strict=True)
    for word in words.split()
}
"""For a stem its pair of opposites, and on which side of it the stem is."""
_NOT = frozenset(("not", "never", "cannot"))
_CONTRAST = frozenset("and but or rather why if whether so then just please i'd wouldn't couldn't".split())
"""Before or as a "not" they make it part of an aside, a wish or advice: "so don't do it", "and not later"."""
_ASIDE = frozenset("no none nobody nothing without neither nor hardly rarely instead rather stop stops avoid avoids "
                   "prevent prevents off".split())  # fmt: skip
"""They turn something round, and which word of those that follow cannot be told."""
_REACH = 3
"""Words of mere grammar that may stand between a negation and what it negates."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A telling word of a text."""

    stem: str
    word: str
    negated: bool | None
    """None: it may be."""
    near: frozenset[str]
    """Stems of the telling words around it."""


@lru_cache(maxsize=4096)
def mentions(text: str, around: int) -> tuple[Mention, ...]:
    """The telling words of a text, in order.

    Args:
        text: what was said, or a point.
        around: how many telling words on each side are near one.
    """
    found = list(_telling(text))
    stems = [stem for stem, _, _ in found]
    return tuple(
        Mention(stem, word, negated, frozenset(stems[max(0, at - around) : at + around + 1]) - {stem})
        for at, (stem, word, negated) in enumerate(found)
    )


def _telling(text: str) -> Iterator[tuple[str, str, bool | None]]:
    left, state = 0, False
    """For how many words of mere grammar a negation still holds, and whether it is sure what it negates."""
    before, begins = "", True
    for token in re.split(r"[\s-]+", text):
        if not (word := plain(token)):
            continue
        stem = _stem(word)
        if word in _ASIDE or negations((word,)):
            is_verb = (word in _NOT or word.endswith("n't")) and not begins
            left, state = _REACH, is_verb and before not in _CONTRAST and word not in _CONTRAST
        elif stem in _SIDE_OF or content_stems(word):
            yield stem, word, (state or None) if left else False
            left = 0
        else:
            left = max(0, left - 1)
        begins = token[-1] in ",;:."
        before, left = word, 0 if begins else left


def side(stem: str) -> tuple[int, int] | None:
    """The pair of opposites that a stem belongs to, and on which side; None when it has no opposite."""
    return _SIDE_OF.get(stem)
