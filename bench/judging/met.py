"""What a candidate meets: asked for or told what they just said, doubted about what is so, praised for what is not.

Whether something is asked for, told, doubted or praised is decided by the code of the interview (`graph.follow_ups`,
`graph.feedback.lessons`, `Evaluation.doubts`, `Evaluation.praised`), for an answer to a first question with time enough
left. What the labels say of it is the truth.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from bench.judging import baselines
from bench.judging.baselines import Which
from bench.judging.data import SpokenAnswer, concept_behind
from bench.judging.figures import Figure
from bench.judging.spoken import CREDIT, Judged
from domain.verdict import Evaluation, Verdict
from domain.vocabulary import VerdictStatus
from graph.feedback.lessons import lesson_on
from graph.follow_ups.policy import next_kind
from graph.follow_ups.wording import asked_for, still_open
from graph.judging.panel import says_unknown
from graph.judging.scoring import evaluation_of
from rag import Embedder

_NOT_SO: tuple[VerdictStatus, ...] = ("missing", "contradicted")


@dataclass(frozen=True, slots=True)
class Met:
    """What comes after one answer."""

    asked: VerdictStatus | None = None
    """The label of the point that a follow-up asks for; None: there is none."""
    doubted: bool | None = None
    """Whether it is right to doubt what is doubted, aloud or in a question; None: nothing is."""
    praised: VerdictStatus | None = None
    """The label of the point that is said to be good; None: none is."""
    taught: VerdictStatus | None = None
    """The label of the open point that a coach says outright; None: there is none, or a mistake is corrected."""
    surest_missing: VerdictStatus | None = None
    """The label of the point that the judge is surest to be missing, asked for or not."""
    surest_wrong: bool | None = None
    """Whether what the judge is surest to be wrong is wrong, told or not."""


def met(answer: SpokenAnswer, verdicts: Sequence[Verdict]) -> Met:
    """What a candidate meets who gives this answer first, and is judged like that."""
    evaluation = evaluation_of("built-in", answer.question, verdicts)
    labels = dict(zip(answer.question.targets.points, answer.labels, strict=True))
    stated = dict(zip(answer.question.targets.misconceptions, answer.misconceptions, strict=True))

    def is_wrong(verdict: Verdict) -> bool:
        return stated[verdict.point] if verdict.kind == "misconception" else labels[verdict.point] == "contradicted"

    asked, missing = _asked(answer, evaluation), _surest_missing(evaluation)
    doubts, wrong = evaluation.doubts if evaluation.scores else (), evaluation.contradictions
    praised = evaluation.praised if evaluation.scores else ()
    return Met(
        asked=labels[asked] if asked else None,
        doubted=is_wrong(doubts[0]) if doubts else None,
        praised=labels[praised[0].point] if praised else None,
        taught=labels.get(_taught(answer, evaluation)),
        surest_missing=labels[missing.point] if missing else None,
        surest_wrong=is_wrong(wrong[0]) if wrong else None,
    )


def figures(made: Judged, embedder: Embedder, name: str) -> list[Figure]:
    """How often there is a follow-up and a doubt, and how often they are mistakes.

    Similarity and words in common, where they would ask: for the point that is farthest from all that was said.

    Args:
        made: judged answers.
        embedder: of similarity.
        name: of the answers.
    """
    found = [met(answer, verdicts) for answer, verdicts in zip(made.answers, made.verdicts, strict=True)]
    asked = [each.asked for each in found if each.asked]
    doubted = [each.doubted for each in found if each.doubted is not None]
    praised = [each.praised for each in found if each.praised]
    taught = [each.taught for each in found if each.taught]
    missing = [each.surest_missing for each in found if each.surest_missing]
    wrong = [each.surest_wrong for each in found if each.surest_wrong is not None]
    farthest = {which: _farthest(made, found, which, embedder) for which in ("similarity", "overlap")}
    total = len(found)
    return [
        Figure(f"{total} {name}: with a follow-up", len(asked) / total),
        Figure(
            f"- of {len(asked)} follow-ups: ask for what was said, or half said",
            _said(asked),
            similarity=_said(farthest["similarity"]),
            overlap=_said(farthest["overlap"]),
            goal="≤ 0.08",
        ),
        Figure(f"- of {len(missing)} points surest to be missing: said, or half said", _said(missing)),
        Figure("- with a doubt", len(doubted) / total),
        Figure(f"- of {len(doubted)} doubts: about what is not wrong", _false(doubted), goal="≤ 0.10"),
        Figure(f"- of {len(wrong)} things surest to be wrong: not wrong", _false(wrong)),
        Figure("- with praise", len(praised) / total),
        Figure(f"- of {len(praised)} praises: of what was left out, or is wrong", _share(praised, _NOT_SO)),
        Figure(f"- of {len(taught)} points that a coach tells: said in full", _share(taught, ("covered",))),
        _covered_called("missing", made, embedder, goal="≤ 0.10"),
        _covered_called("contradicted", made, embedder),
    ]


def _asked(answer: SpokenAnswer, evaluation: Evaluation) -> str | None:
    """The open point that a follow-up on this answer is about; None where none is asked."""
    open_points = still_open(evaluation, answer.question)
    kind = next_kind(
        evaluation,
        follow_ups=0,
        remaining_s=math.inf,
        knows=not says_unknown(answer.words),
        askable=bool(open_points),
    )
    if kind != "follow_up":
        return None
    return next(point for point in asked_for(answer.question, open_points) if point in open_points)


def _taught(answer: SpokenAnswer, evaluation: Evaluation) -> str:
    """The open point that a coach says outright; empty where there is none, and where a mistake is corrected."""
    if evaluation.scores is None:
        return ""
    concept, knows = concept_behind(answer.question.text), not says_unknown(answer.words)
    lesson = lesson_on(evaluation, answer.question, concept=concept, knows=knows, words=answer.words)
    return lesson.told[0] if lesson and lesson.kind in ("point", "recap") else ""


def _surest_missing(evaluation: Evaluation) -> Verdict | None:
    missing = [each for each in evaluation.verdicts if each.kind == "key_point" and each.status == "missing"]
    return max(missing, key=lambda verdict: verdict.probability, default=None)


def _farthest(made: Judged, found: Sequence[Met], which: Which, embedder: Embedder) -> list[VerdictStatus]:
    """The label of the point with the lowest number, in each answer on which Viva asks a follow-up."""
    answers = [answer for answer, each in zip(made.answers, found, strict=True) if each.asked]
    return [
        answer.labels[int(np.argmin(baselines.numbers(which, answer.question, answer.words, embedder)))]
        for answer in answers
    ]


def _covered_called(status: VerdictStatus, made: Judged, embedder: Embedder, *, goal: str = "") -> Figure:
    covered = np.array(made.labels()) == "covered"
    given = [[verdict.status for verdict in made.points()]]
    given += [baselines.verdicts(which, made.answers, embedder) for which in ("similarity", "overlap")]
    viva, similarity, overlap = (float((np.array(each)[covered] == status).mean()) for each in given)
    return Figure(f"- of {int(covered.sum())} covered points: called {status}", viva, similarity, overlap, goal=goal)


def _said(labels: Sequence[VerdictStatus]) -> float:
    """The share of points that were said, or half said."""
    return _share(labels, CREDIT)


def _share(labels: Sequence[VerdictStatus], wanted: Collection[VerdictStatus]) -> float:
    return float(np.mean([label in wanted for label in labels])) if labels else 0.0


def _false(right: Sequence[bool]) -> float:
    """The share of doubts that are about what is not wrong."""
    return 1 - float(np.mean(right)) if right else 0.0
