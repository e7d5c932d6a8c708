"""Validators of every evaluation, whoever judged: checks by name.

A model whose evaluation does not pass is asked once more with the gate's message; after that the built-in judge takes
over, flagged and outside every average. One of the built-in judge that does not pass is not scored. No number ever
stands in for a judgement: an honest zero passes, and there is no 5.0.

Drift between the two judges refuses nothing: the model's verdicts stand, the answer is flagged, and both are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from domain.question import Question
from domain.verdict import Evaluation, Scores, Verdict
from graph.judging.scoring import left_by_hints, score, tally
from graph.validators import Check, FailedCheck, faults

MOST_VARIANCE = 5.0
"""Squared points that the four scores may stray from what the verdicts give, on average."""
_HIGH, _LOW = 8.0, 4.0
_HIGH_NEEDS, _LOW_ALLOWS = 0.5, 0.7
_DRIFT = 0.5
"""Share of the key points above which two judges that differ have drifted apart."""


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """An evaluation beside the question that it is about."""

    question: Question
    evaluation: Evaluation


def evaluator_gate(question: Question, evaluation: Evaluation) -> list[FailedCheck]:
    """The checks that an evaluation does not pass; one that says why it has no scores needs none."""
    return faults(CHECKS if evaluation.scores else CHECKS[:1], JudgedQuestion(question, evaluation))


def drifted(one: Sequence[Verdict], other: Sequence[Verdict]) -> bool:
    """True when two judges see more than half of the key points differently.

    Args:
        one: verdicts of a judge.
        other: verdicts of another one on the same answer.
    """
    seen = {verdict.point: verdict.status for verdict in other if verdict.kind == "key_point"}
    points = [verdict for verdict in one if verdict.kind == "key_point" and verdict.point in seen]
    return sum(verdict.status != seen[verdict.point] for verdict in points) > _DRIFT * len(points)


def _required_fields(judgement: JudgedQuestion) -> str:
    question, evaluation = judgement.question, judgement.evaluation
    if not evaluation.judge:
        return "nobody is named as the judge"
    if (evaluation.question_id, evaluation.topic) != (question.id, question.topic):
        return f"it is about question {evaluation.question_id}, and {question.id} was asked"
    return "" if evaluation.scores or evaluation.not_scored else "there are no scores, and no reason why not"


def _rubric(judgement: JudgedQuestion) -> str:
    """A question from the pack has its rubric; a follow-up or clarification carries its own, and is judged by that."""
    wanted = judgement.question.targets.points
    given = tuple(each.point for each in judgement.evaluation.verdicts if each.kind == "key_point")
    if not wanted:
        return "the question has no key points to judge by"
    absent = [number for number, point in enumerate(wanted, start=1) if point not in given]
    if absent:
        return f"there is no verdict on key point {absent[0]} of {len(wanted)}"
    return "" if len(given) == len(wanted) else "there is more than one verdict on a key point, or one on another's"


def _scores_in_range(judgement: JudgedQuestion) -> str:
    scores = _scores(judgement)
    outside = [name for name, value in scores.model_dump().items() if not 0 <= value <= 10]  # noqa: PLR2004 - the scale
    if outside:
        return f"{outside[0].replace('_', ' ')} is not between 0 and 10"
    return "" if scores.low <= scores.overall <= scores.high else "the interval does not hold the overall score"


def _variance(judgement: JudgedQuestion) -> str:
    """Scores may rightly lie far apart: a point that was half made is accurate and shows no depth.

    What may not vary is the scores from what the verdicts give.
    """
    expected = score(judgement.evaluation.verdicts, judgement.evaluation.hints)
    if expected is None:
        return "there are scores without a verdict"
    strays = fmean((a - b) ** 2 for a, b in zip(_four(_scores(judgement)), _four(expected), strict=True))
    return "" if strays < MOST_VARIANCE else f"the scores stray from what the verdicts give (variance {strays:.1f})"


def _reasoning(judgement: JudgedQuestion) -> str:
    bare = next((each.point for each in judgement.evaluation.verdicts if not each.rule.strip()), "")
    return f"nothing says what settled the verdict on {bare!r}" if bare else ""


def _coverage(judgement: JudgedQuestion) -> str:
    """Points count as they do in the scores: in parts where the judge knows how likely they are, and less by hints."""
    counted = tally(judgement.evaluation.verdicts)
    made = counted.credit / counted.points * left_by_hints(judgement.evaluation.hints) if counted.points else 0.0
    overall = _scores(judgement).overall
    if (overall >= _HIGH and made < _HIGH_NEEDS) or (overall <= _LOW and made > _LOW_ALLOWS):
        return f"the score is {overall} with {made:.0%} of the key points made"
    return ""


CHECKS: tuple[Check[JudgedQuestion], ...] = (
    Check("required fields", _required_fields),
    Check("rubric", _rubric),
    Check("scores in range", _scores_in_range),
    Check("variance", _variance),
    Check("reasoning", _reasoning),
    Check("coverage", _coverage),
)
"""What an evaluation with scores must pass, in this order; the first is for those without as well."""


def _scores(judgement: JudgedQuestion) -> Scores:
    assert judgement.evaluation.scores is not None
    return judgement.evaluation.scores


def _four(scores: Scores) -> tuple[float, float, float, float]:
    return scores.technical_accuracy, scores.completeness, scores.depth, scores.clarity
