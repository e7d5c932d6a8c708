"""Rubrics of reasoning depth and communication clarity: scores of 0 to 10 by rule, from marks and verdicts.

Reasoning depth, with r clauses that give a reason and c that compare, name a cost or give an example (each of the three
at most twice): 10 · (r + c/2) / 6, at most 10. Reasons count most, because whoever compares or gives an example has not
yet said why.

Communication clarity, with t the share of the key points that are spoken to, rightly or not, w the share of those that
are made whole and not in part, and o the clauses that tell the order, at most three: 10 · (0.5 t + 0.3 w + 0.2 · o/3).

Whether what is said is right moves neither, and pace, fillers and hedging do not. Both were chosen on the answers that
`bench/data/reasoning-and-clarity.jsonl` has for development; docs/profiles.md has what they came to on the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from domain.metrics import Mark
from domain.verdict import Verdict
from domain.vocabulary import Sign

_BESIDE_REASONS: tuple[Sign, ...] = ("comparison", "cost", "example")
_MOST_OF_EACH = 2
_BESIDE_WEIGHT = 0.5
_FULL_DEPTH = 6.0
_MOST_ORDER = 3
_SPOKEN_TO, _WHOLE, _IN_ORDER = 0.5, 0.3, 0.2


def reasoning_depth(marks: Sequence[Mark]) -> float:
    """How far an answer is reasoned, 0 to 10."""
    count = Counter(mark.sign for mark in marks)
    beside = sum(min(count[sign], _MOST_OF_EACH) for sign in _BESIDE_REASONS)
    return 10 * min(1.0, (count["reason"] + _BESIDE_WEIGHT * beside) / _FULL_DEPTH)


def communication_clarity(marks: Sequence[Mark], verdicts: Sequence[Verdict]) -> float:
    """How clearly an answer says what was asked for, 0 to 10. `verdicts` has one for each key point, one at least."""
    points = [verdict.weighed for verdict in verdicts if verdict.kind == "key_point"]
    touched = sum(1 - point.missing for point in points)
    whole = 1 - sum(point.partly for point in points) / touched if touched else 0.0
    in_order = min(sum(mark.sign == "order" for mark in marks), _MOST_ORDER) / _MOST_ORDER
    spoken_to = touched / len(points)
    # Nothing is clear about what is not spoken of.
    return 10 * (_SPOKEN_TO * spoken_to + (_WHOLE * max(0.0, whole) + _IN_ORDER * in_order) * min(1.0, 2 * spoken_to))
