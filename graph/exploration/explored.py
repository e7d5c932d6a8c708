"""Explored: which aspects of what the résumé says were asked about, and how deep the answers went.

Computed from the questions that were asked and the judgements of their answers, so that it cannot differ from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast, get_args

from domain.frozen_model import FrozenModel
from domain.question import QuestionRecord
from domain.verdict import Evaluation, standing
from domain.vocabulary import AnchorType, Aspect

MOST_DEPTH = 10.0
_DEEP_ANSWERS = 3
"""Answers that told everything after which an anchor is explored to the ground."""


class AnchorExploration(FrozenModel):
    """What is known of one anchor of the résumé."""

    anchor_id: str
    anchor_type: AnchorType
    aspects_covered: tuple[Aspect, ...] = ()
    """Aspects that were asked about, in the order in which they were; each once."""
    depth_score: float = 0.0
    """How deeply it is explored, 0 to 10: a third of the depth of each of its answers."""
    last_explored_turn: int = 0
    """The candidate's turn at whose end it was last asked about."""


def explored_of(records: Sequence[QuestionRecord], evaluations: Sequence[Evaluation]) -> dict[str, AnchorExploration]:
    """What was explored so far, by anchor.

    Args:
        records: all questions that were asked.
        evaluations: of all answers that were judged.
    """
    explored: dict[str, AnchorExploration] = {}
    for record in main_questions(records):
        assert record.anchor is not None
        before = explored.get(record.anchor) or AnchorExploration(
            anchor_id=record.anchor, anchor_type=_type_of(record.anchor)
        )
        depth = depth_of(record.root, evaluations) or 0.0
        explored[record.anchor] = before.model_copy(
            update={
                "aspects_covered": (*before.aspects_covered, cast("Aspect", record.aspect)),
                "depth_score": round(min(MOST_DEPTH, before.depth_score + depth / _DEEP_ANSWERS), 2),
                "last_explored_turn": record.turn,
            }
        )
    return explored


def main_questions(records: Sequence[QuestionRecord]) -> list[QuestionRecord]:
    """The questions about the résumé, without what followed them up."""
    aspects = get_args(Aspect)
    return [
        each
        for each in records
        if each.source == "resume" and each.kind == "retrieved" and each.anchor and each.aspect in aspects
    ]


def depth_of(root: str, evaluations: Sequence[Evaluation]) -> float | None:
    """How deep the answers to a question and to what followed it up went, 0 to 10: the share of its points they made.

    None when nobody could judge them, or there was no answer.
    """
    judged = [each for each in standing(evaluations) if each.question_id.partition(".")[0] == root and each.scores]
    if not judged:
        return None
    made: dict[str, float] = {}
    for evaluation in judged:
        for verdict in evaluation.verdicts:
            if verdict.kind == "key_point":
                credit = {"covered": 1.0, "partly": 0.5}.get(verdict.status, 0.0)
                made[verdict.point] = max(credit, made.get(verdict.point, 0.0))
    return MOST_DEPTH * sum(made.values()) / len(made) if made else 0.0


def _type_of(anchor_id: str) -> AnchorType:
    return cast("AnchorType", anchor_id.partition("_")[0])
