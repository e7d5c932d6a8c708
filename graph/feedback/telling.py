"""Telling of a story: what anybody can hear of how it was told, whatever a judge makes of what it says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from graph.judging.contradictions.numbers import quantities
from graph.judging.text.stems import plain

Tip = Literal["figure", "mine"]
"""It has no number; or it is told of "us", so that nobody knows what the candidate did."""

_A_STORY = 40
"""Words. Of less there is more to say than how it was told."""
_OFTEN = 4
"""Times that "we" is more than a phrase."""
_TWICE = 2
_US = frozenset("we we're we've we'd we'll our ours us".split())
_ME = frozenset("i i'm i've i'd i'll my mine me myself".split())


def tip_on(words: Sequence[str]) -> Tip | None:
    """How to tell it better; None when nothing stands out.

    Args:
        words: of the candidate, in order.
    """
    if len(words) < _A_STORY:
        return None
    us, me = (sum(word in kind for word in map(plain, words)) for kind in (_US, _ME))
    if us >= _OFTEN and us > _TWICE * me:
        return "mine"
    return None if quantities(" ".join(words)) else "figure"
