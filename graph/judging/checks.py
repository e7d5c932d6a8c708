"""Explicit checks on what a small encoder reads over: numbers and direction. They only lower a verdict.

A check compares the words of a quote with the point. It answers with a sentence about what differs, or with nothing; no
check ever says that something is right. A negation on one side only (`parity`) is too often a way of speaking to decide
by itself: it is one of the features of the linear model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from graph.judging.numbers import Quantity, quantities
from graph.judging.quotes import plain
from graph.judging.words import content_stems, negations, overlap

_OPPOSITES = (
    ("increase", "decrease"), ("increases", "decreases"), ("increasing", "decreasing"), ("raises", "lowers"),
    ("raise", "lower"), ("higher", "lower"), ("more", "less"), ("more", "fewer"), ("faster", "slower"), ("quicker", "slower"), ("speeds", "slows"),
    ("larger", "smaller"), ("bigger", "smaller"), ("longer", "shorter"), ("before", "after"), ("first", "last"),
    ("always", "never"), ("all", "none"), ("up", "down"), ("above", "below"), ("grow", "shrink"), ("grows", "shrinks"),
    ("open", "closed"), ("safe", "unsafe"), ("strong", "weak"), ("stronger", "weaker"), ("cheap", "expensive"),
    ("cheaper", "dearer"), ("early", "late"), ("earlier", "later"), ("over", "under"), ("overfits", "underfits"),
    ("overfitting", "underfitting"), ("stateless", "stateful"), ("mutable", "immutable"), ("synchronous", "asynchronous"),
    ("blocking", "non-blocking"), ("ordered", "unordered"), ("adds", "removes"), ("improves", "worsens"), ("better", "worse"),
    ("oldest", "newest"), ("older", "newer"), ("minimum", "maximum"), ("best", "worst"), ("easy", "hard"),
    ("easier", "harder"), ("true", "false"), ("valid", "invalid"), ("reads", "writes"), ("read", "write"),
)  # fmt: skip
_OPPOSITE_OF: Mapping[str, frozenset[str]] = {
    word: frozenset(other for pair in _OPPOSITES if word in pair for other in pair if other != word)
    for pair in _OPPOSITES
    for word in pair
}
_ENOUGH_IN_COMMON = 0.5
"""Share of the point's telling words in the evidence from which a difference is about the same thing."""


def differs(point: str, said: str) -> str:
    """What makes the words no evidence for the point though they are about it; empty when nothing does.

    Args:
        point: the claim.
        said: the quote.
    """
    common = overlap(content_stems(point), content_stems(said))
    return number_differs(point, said) or (direction_differs(point, said) if common >= _ENOUGH_IN_COMMON else "")


def number_differs(point: str, said: str) -> str:
    """The evidence has a number of the point's kind, and none of them is the point's."""
    heard = quantities(said)
    for wanted in quantities(point):
        same_kind = [quantity for quantity in heard if quantity.kind == wanted.kind]
        if same_kind and not any(agree(wanted, quantity) for quantity in same_kind):
            return f"the point says {wanted.text}, not {same_kind[0].text}"
    return ""


def agree(wanted: Quantity, heard: Quantity) -> bool:
    """True when two quantities of a kind say the same: exactly for names and classes, about for amounts."""
    if wanted.value is None or heard.value is None:
        return wanted.text == heard.text
    if wanted.value == heard.value:
        return True
    if wanted.kind in ("status", "version"):
        return False
    big, little = max(wanted.value, heard.value), min(wanted.value, heard.value)
    return little > 0 and big / little < 2  # noqa: PLR2004 - "about a hundred" is not two hundred


def direction_differs(point: str, said: str) -> str:
    """A word of the point was said as its opposite, and not as itself, in words with as many negations."""
    of_point, of_said = _plain(point), _plain(said)
    if negations(of_point) % 2 != negations(of_said) % 2:
        return ""
    for word in of_point:
        turned = _OPPOSITE_OF.get(word, frozenset()) & set(of_said)
        if turned and word not in of_said and not turned & set(of_point):
            return f"the point says {word}, not {min(turned)}"
    return ""


def parity(point: str, said: str) -> bool:
    """True when exactly one of the two is negated an odd number of times."""
    return negations(point.split()) % 2 != negations(said.split()) % 2


def _plain(text: str) -> list[str]:
    return [word for word in map(plain, re.split(r"[\s-]+", text)) if word]
