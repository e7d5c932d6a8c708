"""The command that chooses from where verdicts are acted on, without the minutes of reading."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from domain.question import Question
from domain.verdict import Verdict
from graph.judging.entailment import Odds
from graph.judging.selection import Limits, load_limits
from tests.training.fakes import asked
from training.judge import selection
from training.judge.selection import NOBODY, Judgement, differing


class SureOfNothing:
    """A judge whose verdicts nobody looks at."""

    def __init__(self, **_: object) -> None:
        pass

    def read(self, question: Question, words: Sequence[str]) -> list[str]:
        """Every key point and misconception."""
        return [*question.targets.points, *question.targets.misconceptions]

    def odds(self, read: Sequence[str]) -> Odds:
        """Each status is as likely as the others."""
        return np.full((len(read), 4), 0.25)

    def judge(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        """None."""
        return ()


def test_each_label_stands_beside_its_point_and_what_nobody_labelled_is_left_out() -> None:
    """Key points have a status, misconceptions were stated or not."""
    answers = asked()
    first, second = selection.judged(SureOfNothing(), answers)  # type: ignore[arg-type] # all that is called
    (_, question), (_, other) = answers
    statuses = dict(zip(question.targets.points, ("covered", "missing", "partly"), strict=True))
    assert first.labels == statuses | {question.targets.misconceptions[0]: True}
    assert second.labels == {other.targets.points[0]: "contradicted", other.targets.misconceptions[0]: False}
    assert [len(each.odds) for each in (first, second)] == [len(each.targets.points) for each in (question, other)]


def test_limits_differ_only_by_more_than_arithmetic_does() -> None:
    """What they were chosen by is no limit."""
    limits = load_limits()
    chosen = limits.chosen.model_copy(update={"answers": 1})
    assert differing(limits, limits.model_copy(update={"gap": limits.gap + 0.005, "chosen": chosen})) == []
    moved = limits.model_copy(update={"gap": limits.gap - 0.02, "key_point": 0.99})
    assert differing(limits, moved) == ["gap", "key_point"]


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Limits:
    """Limits that are chosen whatever was judged; they would be stored in a folder of the test's own."""
    limits = NOBODY.model_copy(update={"gap": -0.5})
    monkeypatch.setattr(selection, "SELECTION_FILE", tmp_path / "selection.json")
    monkeypatch.setattr(selection, "BuiltInJudge", SureOfNothing)
    monkeypatch.setattr(selection, "choose", lambda *_: limits)
    monkeypatch.setattr(selection, "judged", lambda *_: iter([Judgement("q", (), np.zeros((0, 4)), {})]))
    return limits


@pytest.mark.slow
def test_the_command_stores_what_it_chose(chosen: Limits, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the judge reads them, and on the screen."""
    assert selection.main([]) == 0
    assert load_limits(tmp_path / "selection.json") == chosen
    assert Limits.model_validate_json(capsys.readouterr().out) == chosen


@pytest.mark.slow
def test_a_check_names_what_differs_and_stores_nothing(
    chosen: Limits, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So that somebody can see whether the weights that ship still call for the limits that ship."""
    assert selection.main(["--check"]) == 1
    assert "gap is" in capsys.readouterr().out
    assert not (tmp_path / "selection.json").exists()
