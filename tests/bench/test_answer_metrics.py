"""The labels that reasoning depth and clarity are measured by."""

from __future__ import annotations

import json

from bench.answer_metrics import HALVES, LABELS
from bench.judging.data import spoken_answers


def test_labels_are_of_answers_that_there_are() -> None:
    """Each once, thirty in either half, on the scale of the reader."""
    rows = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    known = {answer.id for answer in spoken_answers()}
    assert len({row["id"] for row in rows}) == len(rows) == 60
    assert all(row["id"] in known and 0 <= row["depth"] <= 3 and 0 <= row["clarity"] <= 3 for row in rows)
    assert [sum(row["half"] == half for row in rows) for half in HALVES] == [30, 30]
