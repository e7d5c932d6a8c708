"""Reader that remembers: what several steps of the training ask of the same weights is read once."""

from __future__ import annotations

from collections.abc import Sequence

from graph.judging.entailment import PairReader, Reading


class RememberingReader:
    """Gives the same readings as another reader, each of which is made once.

    Args:
        reader: its weights must not change meanwhile.
    """

    def __init__(self, reader: PairReader) -> None:
        self._reader = reader
        self._read: dict[tuple[tuple[str, str], ...], list[Reading]] = {}

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """One reading for each pair. Pairs that are asked for together are remembered together.

        What an int8 encoder makes of a pair depends a little on what is read beside it.
        """
        key = tuple(pairs)
        if key not in self._read:
            self._read[key] = self._reader.read(pairs)
        return self._read[key]
