"""Scores from verdicts, by rule: a score can be traced to words, replayed and contested.

With n key points of which c are covered, p partly covered, m missing and x contradicted, k stated misconceptions, and
h hints that were given before the answer (a verdict of a judge that knows how likely each status is counts in parts, so
that the score does not jump with a verdict that hangs in the balance; else a verdict counts whole):

- credit r = c + p/2 - k/2, not below 0: who states a misconception takes back half a point, so that being sure of what
  is wrong never comes out above being vague
- completeness = 10 · r / n · (1 - h/10), with h of 3 at most: a hint says a part of what was asked for
- technical accuracy = 10 · r / (r + m/2 + x + k): what was left out counts half as much as what was wrong
- depth = 10 · c / n, and not above 10 · r / n: half-made points show no depth
- clarity = 10 · r / (c + p + m/2): points that were made, but only in part, were not clear
- overall = 0.4 · accuracy + 0.4 · completeness + 0.1 · depth + 0.1 · clarity

Pace, fillers and hedging are no part of this.

The interval is one standard deviation of the overall score to either side. A verdict has its status with its own
probability, and else what else it counts for (one that counts whole: what comes next to its status). What the overall
score would be with each of these, all other verdicts as they stand, has a standard deviation: the verdict's own spread.
Those of all verdicts, on key points and misconceptions, add up as independent ones do. Hints do not narrow it.

Where the judge is unsure (a probability below 0.4, of four outcomes) about more than half of the key points, there is
not enough evidence, and no score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from domain.question import Question
from domain.verdict import Counts, Evaluation, Scores, Verdict
from domain.vocabulary import VerdictStatus

_PARTLY = 0.5
_MISSING_DOUBT = 0.5
_TAKEN_BACK = 0.5
"""With it, the packs' misconceptions read out came to 0.1 of 10, vague answers to 0.5, model answers to 7.7; without it
to 1.0, 0.5 and 7.8 (one question in eight)."""
_UNSURE = 0.4
HINT_COSTS, MOST_HINTS = 0.1, 3
"""Share of completeness that a hint takes off, and how many hints do: those of a pack are three."""
NOT_ENOUGH_EVIDENCE = "There is not enough evidence: the judge is unsure about most of the key points."
_NO_POINTS = "The question has no key points to judge by."
_ASKED_BACK = "It was only asked back about what does not hold, and that {said} said again: there is no score."

_NEXT_TO: Mapping[VerdictStatus, Mapping[str, float]] = {
    "covered": {"missing": 1.0},
    "partly": {"covered": 0.5, "missing": 0.5},
    "missing": {"covered": 1.0},
    "contradicted": {"missing": 1.0},
}
"""What a key point's verdict that counts whole is when it is not right: wrong by a whole point, to either side if there
are two."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What all verdicts on an answer count for together."""

    points: int
    """How many key points there are: n."""
    covered: float
    partly: float
    missing: float
    contradicted: float
    stated: float
    """Misconceptions."""

    @property
    def credit(self) -> float:
        """Points made, a half-made one counting half, less half a point for each misconception."""
        return max(0.0, self.covered + _PARTLY * self.partly - _TAKEN_BACK * self.stated)


def score(verdicts: Sequence[Verdict], hints: int = 0) -> Scores | None:
    """Scores for one answer, or None when there is no verdict on a key point to base them on.

    Args:
        verdicts: on the key points, and on the misconceptions that were stated.
        hints: how many were given before the answer.
    """
    counted = tally(verdicts)
    if not counted.points:
        return None
    accuracy, completeness, depth, clarity = _four(counted, hints)
    overall, spread = _overall(counted, hints), math.hypot(*spreads(verdicts))
    return Scores(
        technical_accuracy=round(accuracy, 1),
        completeness=round(completeness, 1),
        depth=round(depth, 1),
        clarity=round(clarity, 1),
        overall=round(overall, 1),
        low=round(max(0.0, overall - spread), 1),
        high=round(min(10.0, overall + spread), 1),
    )


def tally(verdicts: Sequence[Verdict]) -> Tally:
    """What verdicts count for together."""
    points = [verdict.weighed for verdict in verdicts if verdict.kind == "key_point"]
    return Tally(
        points=len(points),
        covered=sum(each.covered for each in points),
        partly=sum(each.partly for each in points),
        missing=sum(each.missing for each in points),
        contradicted=sum(each.contradicted for each in points),
        stated=sum(verdict.weighed.contradicted for verdict in verdicts if verdict.kind == "misconception"),
    )


def left_by_hints(hints: int) -> float:
    """The share of completeness that is left after so many hints."""
    return 1 - HINT_COSTS * min(max(hints, 0), MOST_HINTS)


def spreads(verdicts: Sequence[Verdict]) -> list[float]:
    """For each verdict, by how much the overall score strays (a standard deviation) because it may not be right."""
    counted = tally(verdicts)
    return [_spread(verdict, counted) for verdict in verdicts] if counted.points else []


def evaluation_of(judge: str, question: Question, verdicts: Sequence[Verdict], hints: int = 0) -> Evaluation:
    """Verdicts on an answer with the scores that follow from them.

    Args:
        judge: who gave them, as the record calls it.
        question: what was asked.
        verdicts: on its key points, and on the misconceptions that were stated.
        hints: how many were given before the answer.
    """
    unsure = too_unsure(verdicts)
    scores = None if unsure else score(verdicts, hints)
    asked_back = question.asks_back
    without = _ASKED_BACK.format(said="was" if verdicts else "was not") if asked_back else _NO_POINTS
    return Evaluation(
        question_id=question.id,
        topic=question.topic,
        difficulty=question.difficulty,
        judge=judge,
        verdicts=tuple(verdicts),
        scores=scores,
        not_scored=NOT_ENOUGH_EVIDENCE if unsure else "" if scores else without,
        asked_back=asked_back,
        hints=hints,
    )


def too_unsure(verdicts: Sequence[Verdict]) -> bool:
    """True when there is not enough evidence for a score."""
    points = [verdict for verdict in verdicts if verdict.kind == "key_point"]
    return 2 * sum(verdict.probability < _UNSURE for verdict in points) > len(points)


def _four(counted: Tally, hints: int) -> tuple[float, float, float, float]:
    """Technical accuracy, completeness, depth and clarity."""
    credit, doubt = counted.credit, _MISSING_DOUBT * counted.missing
    return (
        _ratio(credit, credit + doubt + counted.contradicted + counted.stated),
        _ratio(credit, counted.points) * left_by_hints(hints),
        _ratio(min(counted.covered, credit), counted.points),
        _ratio(credit, counted.covered + counted.partly + doubt),
    )


def _overall(counted: Tally, hints: int = 0) -> float:
    accuracy, completeness, depth, clarity = _four(counted, hints)
    return 0.4 * accuracy + 0.4 * completeness + 0.1 * depth + 0.1 * clarity


def _spread(verdict: Verdict, counted: Tally) -> float:
    likely = [(share, _overall(_if(verdict, status, counted))) for status, share in _odds(verdict).items() if share]
    middle = sum(share * overall for share, overall in likely)
    return math.sqrt(sum(share * (overall - middle) ** 2 for share, overall in likely))


def _odds(verdict: Verdict) -> dict[str, float]:
    """How likely each status is: its own by its probability, the others as they count."""
    others = {name: share for name, share in verdict.weighed.model_dump().items() if name != verdict.status}
    whole = sum(others.values())
    if not whole:
        others, whole = dict(_NEXT_TO[verdict.status]), 1.0
    left = 1 - verdict.probability
    return {verdict.status: verdict.probability, **{name: left * (part / whole) for name, part in others.items()}}


def _if(verdict: Verdict, status: str, counted: Tally) -> Tally:
    """What all verdicts would count for if this one certainly had this status."""
    now, then = verdict.weighed, Counts.model_validate({status: 1.0})
    if verdict.kind == "misconception":
        return replace(counted, stated=max(0.0, counted.stated - now.contradicted + then.contradicted))
    moved = {
        name: max(0.0, getattr(counted, name) - getattr(now, name) + getattr(then, name))
        for name in ("covered", "partly", "missing", "contradicted")
    }
    return replace(counted, **moved)


def _ratio(part: float, whole: float) -> float:
    return 10 * part / whole if whole else 0.0
