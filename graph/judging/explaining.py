"""How the scores of an answer follow from its verdicts, step by step: what `scoring` computes, for people to check."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from graph.judging.scoring import score, total
from graph.judging.verdicts import Verdict


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


def steps(verdicts: Sequence[Verdict]) -> list[Step]:
    """The computation, each step from what stands before it; empty when there is no verdict on a key point.

    The letters are those of `scoring`: of n key points c are covered, p partly covered, m missing and x contradicted,
    and k misconceptions were stated.
    """
    scores = score(verdicts)
    if scores is None:
        return []
    points = [verdict for verdict in verdicts if verdict.kind == "key_point"]
    n, (c, p, m, x, k) = len(points), _letters(verdicts)
    credit, doubt = round(c + p / 2, 4), round(m / 2, 4)
    accuracy, completeness = scores.technical_accuracy, scores.completeness
    depth, clarity = scores.depth, scores.clarity
    spread = 10 * math.sqrt(sum(verdict.probability * (1 - verdict.probability) for verdict in points)) / n
    return [
        Step("credit", "c + p/2", f"{c:g} + {p:g}/2", credit),
        Step("completeness", "10 · credit / n", f"10 · {credit:g} / {n}", completeness),
        Step(
            "technical accuracy",
            "10 · credit / (credit + m/2 + x + k)",
            f"10 · {credit:g} / ({credit:g} + {m:g}/2 + {x:g} + {k:g})",
            accuracy,
        ),
        Step("depth", "10 · c / n", f"10 · {c:g} / {n}", depth),
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
            "10 · √(sum of probability · (1 - probability)) / n",
            f"of {n} {'verdict' if n == 1 else 'verdicts'}",
            round(spread, 1),
        ),
        Step("low", "overall - spread, not below 0", f"{scores.overall} - {spread:.1f}", scores.low),
        Step("high", "overall + spread, not above 10", f"{scores.overall} + {spread:.1f}", scores.high),
    ]


def counts(verdicts: Sequence[Verdict]) -> str:
    """The verdicts counted, in words, with the letters of the formulas."""
    n, (c, p, m, x, k) = sum(verdict.kind == "key_point" for verdict in verdicts), _letters(verdicts)
    return (
        f"n = {n} key points: c = {c:g} covered, p = {p:g} partly, m = {m:g} missing, x = {x:g} contradicted; "
        f"k = {k:g} misconceptions stated"
    )


def _letters(verdicts: Sequence[Verdict]) -> tuple[float, float, float, float, float]:
    made = total([verdict for verdict in verdicts if verdict.kind == "key_point"])
    stated = total([verdict for verdict in verdicts if verdict.kind == "misconception"])
    c, p, m, x, k = (
        round(value, 3) for value in (made.covered, made.partly, made.missing, made.contradicted, stated.contradicted)
    )
    return c, p, m, x, k
