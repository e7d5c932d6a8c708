"""Explanation of scores, step by step: what `scoring` computes from the verdicts, for people to check."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from domain.verdict import Verdict
from graph.judging.scoring import HINT_COSTS, MOST_HINTS, left_by_hints, score, spreads, tally


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the computation."""

    name: str
    rule: str
    """The formula."""
    numbers: str
    """The formula with its numbers."""
    value: float
    """What comes out, to one decimal."""


def steps(verdicts: Sequence[Verdict], hints: int = 0) -> list[Step]:
    """The computation, each step from what stands before it; empty when there is no verdict on a key point.

    The letters are those of `scoring`: of n key points c are covered, p partly covered, m missing and x contradicted,
    and k misconceptions were stated.

    Args:
        verdicts: on the key points, and on the misconceptions that were stated.
        hints: how many were given before the answer.
    """
    scores = score(verdicts, hints)
    if scores is None:
        return []
    n, (c, p, m, x, k) = tally(verdicts).points, _letters(verdicts)
    credit, doubt = round(max(0.0, c + p / 2 - k / 2), 4), round(m / 2, 4)
    accuracy, completeness = scores.technical_accuracy, scores.completeness
    depth, clarity = scores.depth, scores.clarity
    of_each, left = [round(each, 2) for each in spreads(verdicts)], left_by_hints(hints)
    spread = math.hypot(*spreads(verdicts))
    return [
        Step("credit", "max(0, c + p/2 - k/2)", f"max(0, {c:g} + {p:g}/2 - {k:g}/2)", credit),
        *_of_hints(hints),
        Step(
            "completeness",
            "10 · credit / n · left after hints" if hints else "10 · credit / n",
            f"10 · {credit:g} / {n} · {left:g}" if hints else f"10 · {credit:g} / {n}",
            completeness,
        ),
        Step(
            "technical accuracy",
            "10 · credit / (credit + m/2 + x + k)",
            f"10 · {credit:g} / ({credit:g} + {m:g}/2 + {x:g} + {k:g})",
            accuracy,
        ),
        Step("depth", "10 · min(c, credit) / n", f"10 · {min(c, credit):g} / {n}", depth),
        Step(
            "clarity",
            "10 · credit / (c + p + m/2), or 0 where everything was contradicted",
            f"10 · {credit:g} / ({c:g} + {p:g} + {doubt:g})" if c + p + m else "0",
            clarity,
        ),
        Step(
            "overall",
            "0.4 · accuracy + 0.4 · completeness + 0.1 · depth + 0.1 · clarity",
            f"0.4 · {accuracy} + 0.4 · {completeness} + 0.1 · {depth} + 0.1 · {clarity}",
            scores.overall,
        ),
        Step(
            "spread",
            "√(sum of the squares of each verdict's own spread, in their order; hints do not change it)",
            f"√({' + '.join(f'{each:g}²' for each in of_each)})",
            round(spread, 1),
        ),
        Step("low", "overall - spread, not below 0", f"{scores.overall} - {spread:.1f}", scores.low),
        Step("high", "overall + spread, not above 10", f"{scores.overall} + {spread:.1f}", scores.high),
    ]


def _of_hints(hints: int) -> list[Step]:
    if not hints:
        return []
    rule = f"1 - {HINT_COSTS:g} · hints, of which {MOST_HINTS} at most count"
    return [Step("left after hints", rule, f"1 - {HINT_COSTS:g} · {min(hints, MOST_HINTS)}", left_by_hints(hints))]


def counts(verdicts: Sequence[Verdict]) -> str:
    """The verdicts counted, in words, with the letters of the formulas."""
    n, (c, p, m, x, k) = tally(verdicts).points, _letters(verdicts)
    return (
        f"n = {n} key points: c = {c:g} covered, p = {p:g} partly, m = {m:g} missing, x = {x:g} contradicted; "
        f"k = {k:g} misconceptions stated"
    )


def _letters(verdicts: Sequence[Verdict]) -> tuple[float, float, float, float, float]:
    counted = tally(verdicts)
    c, p, m, x, k = (
        round(value, 3)
        for value in (counted.covered, counted.partly, counted.missing, counted.contradicted, counted.stated)
    )
    return c, p, m, x, k
