"""Reader that remembers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graph.judging.entailment import Reading
from training.judge.remembering import RememberingReader


class _Counting:
    """Tells how often each list of pairs was read."""

    def __init__(self) -> None:
        self.asked: list[list[tuple[str, str]]] = []

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        self.asked.append([*pairs])
        return [Reading(np.array([len(said)]), np.zeros(1)) for said, _ in pairs]


def test_what_was_read_is_not_read_again() -> None:
    """The same pairs together give the same readings; in other company they are read anew."""
    counting = _Counting()
    reader = RememberingReader(counting)
    pairs = [("yes", "a point"), ("no", "another")]
    assert reader.read(pairs) is reader.read(list(pairs))
    assert counting.asked == [pairs]
    reader.read(pairs[:1])
    assert counting.asked == [pairs, pairs[:1]]
