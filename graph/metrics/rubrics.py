"""Rubrics of reasoning depth and communication clarity: scores of 0 to 10 by rule, from marks and verdicts.

Reasoning depth, with r clauses that give a reason and c that compare, name a cost or give an example (each of the three
at most twice): 10 · (r + c/2) / 6, at most 10. Reasons count most, because whoever compares or gives an example has not
yet said why.

Communication clarity, with t the share of the key points that are spoken to, rightly or not, w the share of those that
are made whole and not in part, o the clauses that tell the order, at most three, and s the share of the answer that is
left when it comes to the first thing that was asked for: 10 · (0.45 t + 0.25 w + 0.15 · o/3 + 0.15 s). Whoever listens
wants to hear of what they asked, all of it, one thing after the other, and not wait for it.

Whether what is said is right moves neither, and pace, fillers, restarts and hedging do not: they tell how somebody
speaks, and a recogniser leaves most of them out. docs/profiles.md has what both came to beside a reader's labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from domain.metrics import Mark
from domain.verdict import Quote, Verdict
from domain.vocabulary import Sign

_BESIDE_REASONS: tuple[Sign, ...] = ("comparison", "cost", "example")
_MOST_OF_EACH = 2
_BESIDE_WEIGHT = 0.5
_FULL_DEPTH = 6.0
_MOST_ORDER = 3
_SPOKEN_TO, _WHOLE, _IN_ORDER, _SOON = 0.45, 0.25, 0.15, 0.15


def reasoning_depth(marks: Sequence[Mark]) -> float:
    """How far an answer is reasoned, 0 to 10."""
    count = Counter(mark.sign for mark in marks)
    beside = sum(min(count[sign], _MOST_OF_EACH) for sign in _BESIDE_REASONS)
    return 10 * min(1.0, (count["reason"] + _BESIDE_WEIGHT * beside) / _FULL_DEPTH)


def communication_clarity(marks: Sequence[Mark], verdicts: Sequence[Verdict], words: int) -> float:
    """How clearly an answer says what was asked for, 0 to 10.

    Args:
        marks: of its words.
        verdicts: one for each key point, one at least.
        words: how many it has.
    """
    points = [verdict.weighed for verdict in verdicts if verdict.kind == "key_point"]
    touched = sum(1 - point.missing for point in points)
    whole = 1 - sum(point.partly for point in points) / touched if touched else 0.0
    in_order = min(sum(mark.sign == "order" for mark in marks), _MOST_ORDER) / _MOST_ORDER
    share = spoken_to(verdicts)
    how = _WHOLE * max(0.0, whole) + _IN_ORDER * in_order + _SOON * _soon(verdicts, words)
    # Nothing is clear about what is not spoken of.
    return 10 * (_SPOKEN_TO * share + how * min(1.0, 2 * share))


def spoken_to(verdicts: Sequence[Verdict]) -> float:
    """Share of the key points that an answer speaks to, rightly or not, 0 to 1.

    Args:
        verdicts: one for each key point, one at least.
    """
    points = [verdict.weighed for verdict in verdicts if verdict.kind == "key_point"]
    return sum(1 - point.missing for point in points) / len(points)


def first_asked_for(verdicts: Sequence[Verdict]) -> Quote | None:
    """The first words that speak to what was asked; None when none do."""
    quotes = [
        verdict.quote
        for verdict in verdicts
        if verdict.kind == "key_point" and verdict.status != "missing" and verdict.quote
    ]
    return min(quotes, key=lambda quote: quote.first_word, default=None)


def _soon(verdicts: Sequence[Verdict], words: int) -> float:
    """What share of the answer follows on the first word that speaks to what was asked, 0 to 1."""
    first = first_asked_for(verdicts)
    return max(0.0, 1 - first.first_word / words) if first and words else 0.0
