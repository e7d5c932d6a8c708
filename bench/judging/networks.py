"""The networks set: answers to questions of a lecture, with the tutors' points. The judge never saw any of it.

A model answer is taken apart into claims, as `viva judge batch` does it, and the overall score follows from the
verdicts on them.
"""

from __future__ import annotations

from pathlib import Path

from bench.judging.figures import Figure, pearson
from graph.judging import BuiltInJudge
from graph.judging.offline.batch import BatchLine, judged, question_of
from graph.judging.text.stems import content_stems, overlap
from rag import Embedder
from training.judge.public_datasets import GradedAnswer, networks_answers

_AT_MOST = 400
"""Answers, spread over the set."""


def figures(folder: Path, judge: BuiltInJudge, embedder: Embedder) -> list[Figure]:
    """The correlation of the overall score with the tutors' points."""
    every = networks_answers(folder)
    answers = [answer for answer in every[:: max(1, len(every) // _AT_MOST)] if answer.answer.strip()]
    points = [answer.score or 0.0 for answer in answers]
    return [
        Figure(
            f"networks, {len(answers)} answers of {len({answer.question_id for answer in answers})} questions it never "
            "saw: correlation with the tutors' points",
            pearson([_overall(judge, answer) for answer in answers], points),
            pearson([_similarity(answer, embedder) for answer in answers], points),
            pearson([_overlap(answer) for answer in answers], points),
            goal="+ 0.10",
        )
    ]


def _overall(judge: BuiltInJudge, answer: GradedAnswer) -> float:
    line = BatchLine(id=0, question=answer.question, answer=answer.answer, references=list(answer.references))
    scores = judged(line, judge.judge(question_of(line), line.words), judge.name).scores
    return scores.overall if scores else 0.0


def _similarity(answer: GradedAnswer, embedder: Embedder) -> float:
    vectors = embedder.embed([answer.answer, *answer.references])
    return float((vectors[1:] @ vectors[0]).max())


def _overlap(answer: GradedAnswer) -> float:
    said, asked = content_stems(answer.answer), content_stems(answer.question)
    return max(overlap(_telling(reference, asked), said) for reference in answer.references)


def _telling(reference: str, asked: frozenset[str]) -> frozenset[str]:
    stems = content_stems(reference)
    return (stems - asked) or stems
