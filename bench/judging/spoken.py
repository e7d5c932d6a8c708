"""Whole spoken answers, judged point by point, and the same answers in other clothes."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.judging import baselines, robustness
from bench.judging.data import SpokenAnswer, attacks
from bench.judging.figures import Figure, Reliability, calibration_error, pearson, reliability
from domain.verdict import Verdict
from domain.vocabulary import VerdictStatus
from graph.judging import BuiltInJudge
from graph.judging.scoring import score
from rag import Embedder

CREDIT = ("covered", "partly")
_MOVED = 0.5
"""Points of the overall score that other words for the same may move it."""
_LONG_WORDS, _LONG_POINTS = 150, 5


@dataclass(frozen=True, slots=True)
class Judged:
    """Answers with their verdicts."""

    answers: list[SpokenAnswer]
    verdicts: list[tuple[Verdict, ...]]

    def __add__(self, other: Judged) -> Judged:
        return Judged(self.answers + other.answers, self.verdicts + other.verdicts)

    def labels(self) -> list[VerdictStatus]:
        """What the authors say, point by point."""
        return [label for answer in self.answers for label in answer.labels]

    def points(self) -> list[Verdict]:
        """What the judge says, point by point."""
        return [verdict for each in self.verdicts for verdict in each if verdict.kind == "key_point"]


def judged(judge: BuiltInJudge, answers: Sequence[SpokenAnswer]) -> Judged:
    """Judge every answer."""
    return Judged(list(answers), [judge.judge(answer.question, answer.words) for answer in answers])


def figures(name: str, made: Judged, embedder: Embedder) -> list[Figure]:
    """Accuracy, contradictions, false credit, beside the baselines; and the scores that follow from it."""
    labels, viva = made.labels(), [verdict.status for verdict in made.points()]
    similarity, overlap = (baselines.verdicts(which, made.answers, embedder) for which in ("similarity", "overlap"))

    def row(what: str, measure: str, goal: str) -> Figure:
        return Figure(what, *(measured(measure, labels, given) for given in (viva, similarity, overlap)), goal=goal)

    count = f"{len(made.answers)} {name}, {len(labels)} points"
    return [
        row(f"{count}: four-way accuracy", "accuracy", "≥ 0.65"),
        row("- contradictions found", "contradictions", "≥ 0.60"),
        row("- missing points given credit", "false credit", "≤ 0.12"),
        row("- missing points called covered", "false cover", ""),
        *_of_scores(made),
    ]


def _of_scores(made: Judged) -> list[Figure]:
    """The overall score beside the one that follows from the labels."""
    wanted, got = map(_overall_of_labels, made.answers), map(_overall, made.verdicts)
    pairs = np.array([*zip(wanted, got, strict=True)])
    strays = pairs[:, 1] - pairs[:, 0]
    return [
        Figure(
            "- overall score: correlation with the labels'",
            pearson(pairs[:, 0].tolist(), pairs[:, 1].tolist()),
            goal="≥ 0.80",
        ),
        Figure("- overall score: mean error, of 10", float(np.abs(strays).mean()), goal="≤ 1.2"),
        Figure("- overall score: mean of how much it is too high", float(strays.mean()), goal="-0.3 to 0.3"),
    ]


def _overall_of_labels(answer: SpokenAnswer) -> float:
    targets = answer.question.targets
    made = [
        Verdict(point=point, status=label, probability=1)
        for point, label in zip(targets.points, answer.labels, strict=True)
    ]
    stated = [
        Verdict(point=wrong, kind="misconception", status="contradicted", probability=1)
        for wrong, is_stated in zip(targets.misconceptions, answer.misconceptions, strict=True)
        if is_stated
    ]
    return _overall([*made, *stated])


def measured(measure: str, labels: Sequence[VerdictStatus], given: Sequence[VerdictStatus]) -> float:
    """One of "accuracy", "contradictions" (found), "false credit" and "false cover" (of missing points)."""
    wanted, got = np.array(labels), np.array(given)
    if measure == "accuracy":
        return float((wanted == got).mean())
    if measure == "contradictions":
        return float((got[wanted == "contradicted"] == "contradicted").mean())
    missing = got[wanted == "missing"]
    return float(np.isin(missing, CREDIT).mean() if measure == "false credit" else (missing == "covered").mean())


def calibration(made: Judged) -> tuple[list[Reliability], float]:
    """The reliability diagram's rows, and their mean distance from the diagonal."""
    points = made.points()
    right = [verdict.status == label for verdict, label in zip(points, made.labels(), strict=True)]
    rows = reliability([verdict.probability for verdict in points], right)
    return rows, calibration_error(rows)


def unmoved(judge: BuiltInJudge, made: Judged) -> list[Figure]:
    """How often the same content in other clothes keeps its overall score."""
    kept: dict[str, list[bool]] = {}
    for name, change in robustness.CHANGES.items():
        choice = random.Random(name)
        kept[name] = []
        for answer, before in zip(made.answers, made.verdicts, strict=True):
            after = judge.judge(answer.question, change(answer.words, choice))
            kept[name].append(abs(_overall(before) - _overall(after)) <= _MOVED)
    everything = np.array([*kept.values()])
    return [
        Figure("overall score moves by at most 0.5 with", float(everything.mean()), goal="≥ 0.95"),
        *(Figure(f"- {name}", float(np.mean(each))) for name, each in kept.items()),
        Figure(f"- each of these, of {len(made.answers)} answers", float(everything.all(axis=0).mean()), goal="≥ 0.90"),
    ]


def same_twice(judge: BuiltInJudge, made: Judged) -> Figure:
    """Identical bytes for the same answer."""
    again = [judge.judge(answer.question, answer.words) for answer in made.answers]
    same = [
        [a.model_dump_json() for a in one] == [b.model_dump_json() for b in other]
        for one, other in zip(made.verdicts, again, strict=True)
    ]
    return Figure("test-retest: answers with identical bytes", float(np.mean(same)), goal="1.00")


def attacked(judge: BuiltInJudge, made: Judged) -> list[Figure]:
    """Attacks put at the start, in the middle and at the end of answers: verdicts that gained by it."""
    said = attacks()
    choice = random.Random(1)
    unhurt, credited, total = 0, 0, 0
    for number, attack in enumerate(said):
        answer, before = (made.answers[number % len(made.answers)], made.verdicts[number % len(made.answers)])
        place = (0, len(answer.words) // 2, len(answer.words))[choice.randrange(3)]
        words = [*answer.words[:place], *attack.split(), *answer.words[place:]]
        after = judge.judge(answer.question, words)
        pairs = [(b.status, a.status) for b, a in zip(before, after, strict=False) if b.kind == a.kind == "key_point"]
        unhurt += all(b == a for b, a in pairs)
        credited += sum(b not in CREDIT and a in CREDIT for b, a in pairs)
        total += len(pairs)
    return [
        Figure(f"{len(said)} injection attacks: answers without a moved verdict", unhurt / len(said), goal="1.00"),
        Figure("- verdicts that gained credit", credited / total, goal="0"),
    ]


def speed(judge: BuiltInJudge, made: Judged) -> list[Figure]:
    """Milliseconds for a long answer, once warm."""
    longest = [answer for answer in made.answers if len(answer.question.targets.points) == _LONG_POINTS]
    taken_ms = []
    for number in range(60):
        answer = longest[number % len(longest)]
        words = list(answer.words)
        while len(words) < _LONG_WORDS:
            words += answer.words
        started = time.perf_counter()
        judge.judge(answer.question, words[:_LONG_WORDS])
        taken_ms.append((time.perf_counter() - started) * 1000)
    p50, p95 = np.percentile(taken_ms, [50, 95])
    return [
        Figure(f"{_LONG_WORDS} words against {_LONG_POINTS} key points: p50", float(p50), unit="ms"),
        Figure("- p95", float(p95), goal="≤ 150 ms", unit="ms"),
    ]


def _overall(verdicts: Sequence[Verdict]) -> float:
    scores = score(verdicts)
    return scores.overall if scores else 0.0
