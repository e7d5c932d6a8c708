"""Reasoning depth and communication clarity beside a reader's labels of 0 to 3: rank correlation over whole answers.

Nearly all clarity labels are a 2 or a 3, so that clarity is measured in another way as well: each answer beside itself,
made harder to follow by a known change. The rubrics were chosen on the answers for development; those held out were
labelled before there was a rubric. One reader labelled both. Beside them stand what a count of words comes to, and the
judge's scores of the same names, which say how much of what was asked was made whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from scipy.stats import spearmanr

from bench.judging.data import SpokenAnswer, spoken_answers
from domain.verdict import Verdict
from graph.judging import BuiltInJudge
from graph.judging.scoring import score
from graph.metrics.feedback import LATE_FROM_WORDS
from graph.metrics.marks import find_marks
from graph.metrics.rubrics import communication_clarity, first_asked_for, reasoning_depth

LABELS = Path(__file__).parent / "data" / "reasoning-and-clarity.jsonl"
HALVES = ("development", "held out")


@dataclass(frozen=True, slots=True)
class Labelled:
    """An answer, what a reader says of it, and what Viva makes of it."""

    half: str
    depth: int
    clarity: int
    answer: SpokenAnswer
    verdicts: tuple[Verdict, ...]
    """The built-in judge's, also where it is too unsure for a score."""

    @property
    def by_rubric(self) -> tuple[float, float]:
        """Reasoning depth and communication clarity."""
        marks = find_marks(self.answer.words)
        return reasoning_depth(marks), communication_clarity(marks, self.verdicts, len(self.answer.words))

    @property
    def by_judge(self) -> tuple[float, float]:
        """The judge's depth and clarity."""
        scores = score(self.verdicts)
        assert scores is not None, "all these questions have key points"
        return scores.depth, scores.clarity


Figure = Callable[[Labelled], float]


def main() -> None:
    """Measure and print."""
    table = Table("rank correlation", *HALVES)
    made = labelled(BuiltInJudge())
    rows: dict[str, tuple[Figure, Figure]] = {
        "reasoning depth": (lambda one: one.by_rubric[0], lambda one: one.depth),
        "- number of words": (lambda one: len(one.answer.words), lambda one: one.depth),
        "- the judge's depth": (lambda one: one.by_judge[0], lambda one: one.depth),
        "communication clarity": (lambda one: one.by_rubric[1], lambda one: one.clarity),
        "- number of words ": (lambda one: len(one.answer.words), lambda one: one.clarity),
        "- the judge's clarity": (lambda one: one.by_judge[1], lambda one: one.clarity),
    }
    for name, (figure, label) in rows.items():
        table.add_row(name, *(f"{rank_correlation(made, half, figure, label):.2f}" for half in HALVES))
    Console().print(table)
    Console().print(_made_worse(made))
    Console().print(_begun_late(made))


def _made_worse(made: Sequence[Labelled]) -> Table:
    """How often clarity is lower for an answer that was made worse, of those where it could be."""
    table, judge = Table("clarity is lower when", *HALVES), BuiltInJudge()
    for name, change in WORSE.items():
        cells = []
        for half in HALVES:
            some = [one for one in made if one.half == half]
            pairs = [
                (one, change(one.answer.words, other.answer.words))
                for one, other in zip(some, some[1:] + some[:1], strict=True)
            ]
            lower = sum(_clarity(judge, one, words) < one.by_rubric[1] for one, words in pairs)
            cells.append(f"{lower} of {len(pairs)}")
        table.add_row(name, *cells)
    return table


def _begun_late(made: Sequence[Labelled]) -> Table:
    """How often feedback says that an answer begins beside the matter: as it is, and where it really does."""
    table, judge = Table("said to begin beside the matter", *HALVES), BuiltInJudge()
    for name, change in {
        "the answers as they are": _as_it_is,
        "two sentences of another before": _after_a_detour,
    }.items():
        cells = []
        for half in HALVES:
            some = [one for one in made if one.half == half]
            late = 0
            for one, other in zip(some, some[1:] + some[:1], strict=True):
                first = first_asked_for(judge.judge(one.answer.question, change(one.answer.words, other.answer.words)))
                late += first is not None and first.first_word >= LATE_FROM_WORDS
            cells.append(f"{late} of {len(some)}")
        table.add_row(name, *cells)
    return table


def _as_it_is(words: Sequence[str], other: Sequence[str]) -> list[str]:  # noqa: ARG001 - as the others
    return list(words)


def _clarity(judge: BuiltInJudge, one: Labelled, words: Sequence[str]) -> float:
    return communication_clarity(find_marks(words), judge.judge(one.answer.question, words), len(words))


def _sentences(words: Sequence[str]) -> list[list[str]]:
    """The sentences of an answer; of one without stops, its two halves."""
    sentences: list[list[str]] = [[]]
    for word in words:
        sentences[-1].append(word)
        if word[-1:] in ".?!":
            sentences.append([])
    found = [each for each in sentences if each]
    return found if len(found) > 1 else [list(words[: len(words) // 2]), list(words[len(words) // 2 :])]


def _after_a_detour(words: Sequence[str], other: Sequence[str]) -> list[str]:
    return [*(word for sentence in _sentences(other)[:2] for word in sentence), *words]


def _half_beside(words: Sequence[str], other: Sequence[str]) -> list[str]:
    return [*words[: len(words) // 2], *other[len(other) // 2 :]]


def _breaks_off(words: Sequence[str], other: Sequence[str]) -> list[str]:  # noqa: ARG001 - as the others
    return list(words[: len(words) // 2])


WORSE: Mapping[str, Callable[[Sequence[str], Sequence[str]], list[str]]] = {
    "it begins with two sentences of another answer": _after_a_detour,
    "its second half is of another answer": _half_beside,
    "it breaks off half-way": _breaks_off,
}


def labelled(judge: BuiltInJudge) -> list[Labelled]:
    """The labelled answers, judged."""
    answers = {answer.id: answer for answer in spoken_answers()}
    made: list[Labelled] = []
    for line in LABELS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        answer = answers[row["id"]]
        verdicts = judge.judge(answer.question, answer.words)
        made.append(Labelled(row["half"], row["depth"], row["clarity"], answer, verdicts))
    return made


def rank_correlation(made: list[Labelled], half: str, figure: Figure, label: Figure) -> float:
    """Spearman's, -1 to 1."""
    some = [one for one in made if one.half == half]
    return float(spearmanr([figure(one) for one in some], [label(one) for one in some]).statistic)
