"""The linear models behind the encoder: what they are shown, and that they learn it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from domain.vocabulary import VerdictStatus
from graph.judging.entailment import Odds, Reading
from graph.judging.stacking import FEATURES, STATUSES, load_stacker
from tests.training.fakes import asked
from training.judge.stacker import RATES, Lessons, collect, importance, write


class ReadsNothing:
    """Finds every answer unrelated to every point."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """One reading for each pair."""
        return [Reading(np.array([0.05, 0.05, 0.05, 0.85]), np.full(len(said.split()), 0.1)) for said, _ in pairs]


class TakesAllForClaims:
    """Sets no word aside."""

    def talk(self, words: Sequence[str]) -> Odds:
        """How likely each word is to claim nothing."""
        return np.zeros(len(words))

    def fillers(self, words: Sequence[str]) -> list[bool]:
        """Which words are always talk."""
        return [False] * len(words)


def test_labels_stand_beside_the_features_of_their_points() -> None:
    """What nobody labelled is left out; beside another question an answer makes no point."""
    lessons, answers = Lessons(), asked()
    collect(ReadsNothing(), TakesAllForClaims(), answers, lessons)
    strays: list[VerdictStatus] = ["missing"] * len(answers[1][1].targets.points)
    labelled: list[VerdictStatus] = ["covered", "missing", "partly", "contradicted"]
    assert [STATUSES[each] for each in lessons.verdicts.wanted] == strays + labelled
    assert lessons.misconceptions.wanted == [1, 0]
    assert all(len(row) == len(FEATURES) for row in (*lessons.verdicts.features, *lessons.misconceptions.features))


def test_of_some_answers_only_misconceptions_are_learned() -> None:
    """Of near twins, whose points are talked around, hardly anything can be learned about what is missing."""
    lessons = Lessons()
    collect(ReadsNothing(), TakesAllForClaims(), asked(), lessons, of_points=False)
    assert not lessons.verdicts.wanted
    assert lessons.misconceptions.wanted == [1, 0]


def test_what_was_learned_is_stored_and_says_the_same(tmp_path: Path) -> None:
    """Features that tell the outcomes apart are enough for the model in the file to tell them apart."""
    lessons, folder = Lessons(), tmp_path / "weights"
    for number in range(40):
        outcome = number % len(STATUSES)
        row = np.zeros(len(FEATURES))
        row[outcome] = 1
        lessons.verdicts.features.append(row)
        lessons.verdicts.wanted.append(outcome)
        lessons.misconceptions.features.append(row)
        lessons.misconceptions.wanted.append(int(outcome == 0))
    write(lessons, folder)
    stacker = load_stacker(folder / "stacking.json")
    rows = np.eye(len(FEATURES))[: len(STATUSES)]
    assert stacker.verdicts(rows).argmax(axis=1).tolist() == [0, 1, 2, 3]
    assert (stacker.stated(rows) > 0.5).tolist() == [True, False, False, False]


def test_what_is_seldom_met_counts_for_less_and_what_is_often_met_for_more() -> None:
    """Halfway to how often real candidates do it: the step of a class that is four times too frequent is a half."""
    wanted = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    counts = importance(wanted, [0.1, 0.9])
    assert counts[0] == pytest.approx(0.5)
    assert counts[-1] == pytest.approx(1.5**0.5)


def test_probabilities_follow_the_rates_where_features_say_nothing(tmp_path: Path) -> None:
    """Without evidence something is as likely as it is met, by half of the step on the scale of odds."""
    lessons = Lessons()
    for number in range(400):
        lessons.verdicts.features.append(np.zeros(len(FEATURES)))
        lessons.verdicts.wanted.append(number % len(STATUSES))
        lessons.misconceptions.features.append(np.zeros(len(FEATURES)))
        lessons.misconceptions.wanted.append(number % 2)
    write(lessons, tmp_path)
    odds = load_stacker(tmp_path / "stacking.json").verdicts(np.zeros((1, len(FEATURES))))[0]
    expected = np.sqrt([RATES[status] for status in STATUSES])
    assert odds == pytest.approx(expected / expected.sum(), abs=0.01)
