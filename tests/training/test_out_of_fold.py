"""What is kept of each fold's encoder, for measuring without training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.judging.entailment import Reading
from training.judge import out_of_fold
from training.judge.examples import FOLDS, Material, fold_of_question
from training.judge.public_datasets import GradedAnswer


class NamesItsFold:
    """Reads every pair as what its folder's number says, and remembers the pairs."""

    def __init__(self, folder: Path) -> None:
        self._fold = int(folder.name)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """The number of the fold in the place of the first probability."""
        return [Reading(np.array([self._fold / 10, 0.0, 0.0, len(point) / 100]), np.zeros(1)) for _, point in pairs]


def graded(number: int, *references: str) -> GradedAnswer:
    """An answer to a question of its own."""
    return GradedAnswer("set", f"set/{number}", "Why?", references, f"answer {number}", "correct")


def test_an_answer_is_read_by_the_encoder_of_its_fold_beside_each_reference(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In the order of its references; one with a reference that nobody read has no odds, rather than some of them."""
    monkeypatch.setattr(out_of_fold, "EncoderReader", NamesItsFold)
    answers = [graded(number, "short", "somewhat longer") for number in range(20)]
    path = tmp_path / "kept.npz"
    out_of_fold.write([tmp_path / str(fold) for fold in range(FOLDS)], Material(answers, [], [], [], [], [], {}), path)
    kept = out_of_fold.read(path)
    for answer in answers:
        odds = out_of_fold.of_answer(answer, kept)
        assert odds is not None
        assert odds[:, 0] == pytest.approx([fold_of_question(answer.question_id) / 10] * 2, abs=1e-3)
        assert odds[:, 3] == pytest.approx([0.05, 0.15], abs=1e-3)
    assert out_of_fold.of_answer(graded(1, "short", "never read"), kept) is None


@given(st.text(), st.text())
def test_a_fingerprint_tells_which_text_is_which(one: str, other: str) -> None:
    """The same two texts the other way round are another pair."""
    assert out_of_fold.fingerprint((one, other)) == out_of_fold.fingerprint((one, other))
    if one != other:
        assert out_of_fold.fingerprint((one, other)) != out_of_fold.fingerprint((other, one))
