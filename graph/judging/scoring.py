"""Scores from verdicts, by rule: a score can be traced to words, replayed and contested.

With n key points of which c are covered, p partly covered, m missing and x contradicted, and k stated misconceptions
(a verdict of a judge that knows how likely each status is counts in parts, so that the score does not jump with
a verdict that hangs in the balance; else a verdict counts whole):

- completeness = 10 · (c + p/2) / n
- technical accuracy = 10 · (c + p/2) / (c + p/2 + m/2 + x + k): what was left out counts half as much as what was wrong
- depth = 10 · c / n: half-made points show no depth
- clarity = 10 · (c + p/2) / (c + p + m/2): points that were made, but only in part, were not clear
- overall = 0.4 · accuracy + 0.4 · completeness + 0.1 · depth + 0.1 · clarity

Pace, fillers and hedging are no part of this. The interval is one standard deviation of the overall score when each
verdict is right with its own probability, and wrong by one whole point otherwise.

Where the judge is unsure (a probability below 0.4, of four outcomes) about more than half of the key points, there is
not enough evidence, and no score.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from graph.judging.verdicts import Counts, Evaluation, Scores, Verdict
from graph.questions import Question

_PARTLY = 0.5
_MISSING_DOUBT = 0.5
_UNSURE = 0.4
NOT_ENOUGH_EVIDENCE = "There is not enough evidence: the judge is unsure about most of the key points."


def score(verdicts: Sequence[Verdict]) -> Scores | None:
    """Scores for one answer, or None when there is no verdict on a key point to base them on."""
    points = [verdict for verdict in verdicts if verdict.kind == "key_point"]
    if not points:
        return None
    made, stated = total(points), total([verdict for verdict in verdicts if verdict.kind == "misconception"])
    credit = made.covered + _PARTLY * made.partly
    doubt = _MISSING_DOUBT * made.missing
    accuracy = _ratio(credit, credit + doubt + made.contradicted + stated.contradicted)
    completeness = _ratio(credit, len(points))
    depth = _ratio(made.covered, len(points))
    clarity = _ratio(credit, made.covered + made.partly + doubt)
    overall = 0.4 * accuracy + 0.4 * completeness + 0.1 * depth + 0.1 * clarity
    spread = 10 * math.sqrt(sum(v.probability * (1 - v.probability) for v in points)) / len(points)
    return Scores(
        technical_accuracy=round(accuracy, 1),
        completeness=round(completeness, 1),
        depth=round(depth, 1),
        clarity=round(clarity, 1),
        overall=round(overall, 1),
        low=round(max(0.0, overall - spread), 1),
        high=round(min(10.0, overall + spread), 1),
    )


def total(verdicts: Sequence[Verdict]) -> Counts:
    """What verdicts count for together."""
    weighed = [verdict.weighed for verdict in verdicts]
    return Counts(
        covered=sum(each.covered for each in weighed),
        partly=sum(each.partly for each in weighed),
        missing=sum(each.missing for each in weighed),
        contradicted=sum(each.contradicted for each in weighed),
    )


def evaluation_of(judge: str, question: Question, verdicts: Sequence[Verdict]) -> Evaluation:
    """Verdicts on an answer with the scores that follow from them.

    Args:
        judge: who gave them, as the record calls it.
        question: what was asked.
        verdicts: on its key points, and on the misconceptions that were stated.
    """
    unsure = too_unsure(verdicts)
    scores = None if unsure else score(verdicts)
    return Evaluation(
        question_id=question.id,
        topic=question.topic,
        difficulty=question.difficulty,
        judge=judge,
        verdicts=tuple(verdicts),
        scores=scores,
        not_scored=NOT_ENOUGH_EVIDENCE if unsure else "" if scores else "The question has no key points to judge by.",
    )


def too_unsure(verdicts: Sequence[Verdict]) -> bool:
    """True when there is not enough evidence for a score."""
    points = [verdict for verdict in verdicts if verdict.kind == "key_point"]
    return 2 * sum(verdict.probability < _UNSURE for verdict in points) > len(points)


def _ratio(part: float, whole: float) -> float:
    return 10 * part / whole if whole else 0.0
