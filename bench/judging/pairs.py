"""Clauses beside key points: own pairs, judged by an encoder that never saw their pack, and independent ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bench.judging.data import independent_pairs
from bench.judging.figures import Figure, accuracy, macro_f1
from graph.judging.entailment import Odds, PairReader
from graph.judging.pair_labels import LABELS, pair_texts
from rag import load_packs
from training.judge import out_of_fold
from training.judge.viva_pairs import all_pairs

_CONTRADICTED, _UNRELATED = LABELS.index("contradicted"), LABELS.index("unrelated")
_CREDIT = [LABELS.index("covered"), LABELS.index("partly")]


def held_out_by_pack(kept: Mapping[int, Odds]) -> list[Figure]:
    """Viva's own pairs. Those whose text was changed since the encoders were trained are left out."""
    found = [
        (LABELS.index(pair.label), odds)
        for pair in all_pairs(load_packs())
        if (odds := kept.get(out_of_fold.fingerprint(pair_texts(pair.said, pair.point)))) is not None
    ]
    return _figures("own pairs, held out by pack", [label for label, _ in found], [odds for _, odds in found])


def independent(reader: PairReader) -> list[Figure]:
    """Pairs by authors who saw none of the training pairs, judged by the encoder that is shipped."""
    pairs = independent_pairs()
    read = reader.read([pair_texts(pair.said, pair.point) for pair in pairs])
    odds = [reading.odds for reading in read]
    return _figures("independent pairs", [LABELS.index(pair.label) for pair in pairs], odds)


def _figures(name: str, labels: Sequence[int], odds: Sequence[NDArray[np.floating]]) -> list[Figure]:
    if not labels:
        return []
    wanted, got = np.array(labels), np.array(odds).argmax(axis=1)
    return [
        Figure(f"{len(labels)} {name}: macro F1", macro_f1(wanted, got, range(len(LABELS))), goal="≥ 0.75"),
        Figure("- accuracy", accuracy(wanted, got)),
        Figure("- contradictions found", float((got[wanted == _CONTRADICTED] == _CONTRADICTED).mean()), goal="≥ 0.75"),
        Figure("- look-alikes given credit", float(np.isin(got[wanted == _UNRELATED], _CREDIT).mean()), goal="≤ 0.10"),
    ]
