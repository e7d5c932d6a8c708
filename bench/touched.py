"""How much of what was asked an answer has touched, at each of its sentence ends: the fit behind `endpointing.policy`.

Answers of the training data with three sentences and more, judged by the built-in judge up to the end of each sentence.
The last end is where the answer is over; at the others more follows. Printed are the shares, the two numbers that
`agent/endpointing/weights.json` has, and for answers that were not in the fit the area under the curve, the Brier score
and what was predicted against what came.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from domain.question import Question
from graph.encoders.linear import learn
from graph.judging import BuiltInJudge
from graph.judging.panel import JudgePanel
from graph.planning.questions import from_bank
from rag import load_packs

DATA = Path(__file__).resolve().parent.parent / "training" / "data" / "judge"
ANSWERS = 260
FEWEST_SENTENCES = 3
FOLDS = 5
BOUNDS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.01)
CHANCES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.01)
_PENALTY = 1e-5

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SentenceEnd:
    """A place at which a candidate may pause."""

    answer: int
    touched: float
    more: bool
    """Another sentence follows."""


async def main() -> None:
    """Measure and print."""
    console = Console()
    ends = [end async for end in sentence_ends()]
    touched, more = np.array([end.touched for end in ends]), np.array([end.more for end in ends])
    table = Table("touched so far", "in mid-answer", "at the end")
    for low, high in pairwise(BOUNDS):
        within = (touched >= low) & (touched < high)
        table.add_row(
            f"{low} to {min(high, 1.0)}",
            f"{(within & more).sum() / more.sum():.0%}",
            f"{(within & ~more).sum() / (~more).sum():.0%}",
        )
    console.print(table)
    constant, slope = fitted(touched, more)
    console.print(f"{len(ends)} sentence ends of {len({end.answer for end in ends})} answers")
    console.print(f"log odds of more: {constant:.2f} {slope:+.2f} x touched")
    chances = held_out(ends)
    console.print(f"answers not in the fit: area under the curve {area(chances):.2f}, Brier score {brier(chances):.3f}")
    console.print(calibration(chances))


async def sentence_ends() -> AsyncIterator[SentenceEnd]:
    """Each sentence end of some answers, with what the judge makes of the words up to it."""
    panel = JudgePanel(BuiltInJudge())
    for number, (question, words) in enumerate(answers()):
        places = [place + 1 for place, word in enumerate(words) if word[-1] in ".?!"]
        for end in dict.fromkeys([*places, len(words)]):
            touched = await panel.touched(question, words[:end])
            if touched is not None:
                yield SentenceEnd(number, touched, more=end < len(words))


def answers() -> Iterator[tuple[Question, list[str]]]:
    """Answers with their questions, the same ones each time."""
    bank = {question.id: question for pack in load_packs().values() for question in pack.questions}
    lines = [
        json.loads(line) for path in sorted(DATA.glob("answers-*.jsonl")) for line in path.read_text().splitlines()
    ]
    random.Random(4).shuffle(lines)
    chosen = 0
    for line in lines:
        words = line["answer"].split()
        if line["question"] not in bank or sum(word[-1] in ".?!" for word in words) < FEWEST_SENTENCES:
            continue
        yield from_bank(bank[line["question"]], topic_title="", concepts=(), grade="high", attempts=1), words
        chosen += 1
        if chosen == ANSWERS:
            return


def fitted(touched: Numbers, more: NDArray[np.bool_]) -> tuple[float, float]:
    """Constant and slope of the log odds, with as much weight on all ends as on all that is no end."""
    weights = np.where(more, 0.5 / more.mean(), 0.5 / (1 - more.mean()))
    learned = learn(
        touched[:, None], [int(each) for each in more], classes=2, penalty=_PENALTY, weights=weights.tolist()
    )
    slope, constant = learned[:, 1] - learned[:, 0]
    return float(constant), float(slope)


@dataclass(frozen=True, slots=True)
class Chance:
    """What a fit without the answer predicted at one of its sentence ends."""

    predicted: float
    more: bool
    weight: float
    """All ends together weigh as much as all that is no end."""


def held_out(ends: list[SentenceEnd]) -> list[Chance]:
    """The chance of more at each sentence end, by a fit without its answer."""
    share = sum(end.more for end in ends) / len(ends)
    chances: list[Chance] = []
    for fold in range(FOLDS):
        seen = [end for end in ends if end.answer % FOLDS != fold]
        constant, slope = fitted(np.array([end.touched for end in seen]), np.array([end.more for end in seen]))
        chances += [
            Chance(
                1.0 / (1.0 + math.exp(-(constant + slope * end.touched))),
                end.more,
                0.5 / (share if end.more else 1.0 - share),
            )
            for end in ends
            if end.answer % FOLDS == fold
        ]
    return chances


def area(chances: list[Chance]) -> float:
    """Area under the curve."""
    goes_on = np.array([each.predicted for each in chances if each.more])
    is_over = np.array([each.predicted for each in chances if not each.more])
    above = (goes_on[:, None] > is_over[None, :]).mean() + 0.5 * (goes_on[:, None] == is_over[None, :]).mean()
    return float(above)


def brier(chances: list[Chance]) -> float:
    """Mean squared distance from what came; 0.25 for whoever always says a half."""
    squares = sum(each.weight * (each.predicted - each.more) ** 2 for each in chances)
    return squares / sum(each.weight for each in chances)


def calibration(chances: list[Chance]) -> Table:
    """What was predicted, and how often more came."""
    table = Table("chance of another sentence", "predicted", "came", "sentence ends")
    for low, high in pairwise(CHANCES):
        within = [each for each in chances if low <= each.predicted < high]
        if weight := sum(each.weight for each in within):
            predicted = sum(each.weight * each.predicted for each in within) / weight
            came = sum(each.weight * each.more for each in within) / weight
            table.add_row(f"{low} to {min(high, 1.0)}", f"{predicted:.2f}", f"{came:.2f}", str(len(within)))
    return table
