"""How well a question that was asked before is recognised: precision and recall, by layer, and over limits.

The pairs are written by hand (`tests/rag/data`): paraphrases that people would call the same question, and look-alikes
that share their words or their topic and ask something else. The limits in `rag.duplicates` were
chosen on the tuning pairs alone. Half of the pairs are look-alikes, and hard ones: in an interview they are rare, and
precision is higher than here. Run it after changing the embedding model (`VIVA_EMBEDDER=<folder>`) or the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from agent.model_files.prepare import ensure_models
from agent.settings import load_settings
from domain.question import AskedQuestion
from rag import Embedder, MiniLM, is_repetition, load_packs
from rag.duplicates.duplicates import SAME_MEANING, Repetition, cosines
from rag.duplicates.minimal_pairs import contrast, without_shared_sentences

DATA = Path(__file__).resolve().parent.parent / "tests" / "rag" / "data"
PLAIN_LIMIT = 0.85
LIMITS = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, PLAIN_LIMIT, 0.9)
LAYERS: tuple[Repetition, ...] = ("same text", "same anchor and aspect", "same meaning")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions, and whether people would call them the same."""

    one: str
    other: str
    same: bool
    anchors: tuple[str, str] | tuple[None, None] = (None, None)
    """What each hangs on, where a source of questions would know it."""
    aspects: tuple[str, str] | tuple[None, None] = (None, None)


@dataclass(frozen=True, slots=True)
class Scores:
    """How well some pairs were told apart."""

    precision: float
    """Share of same questions among the pairs that were called a repetition."""
    recall: float
    """Share of the same questions that were called a repetition."""
    wrong: int
    """Look-alikes that were called a repetition."""


def read_pairs(name: str) -> list[Pair]:
    """The pairs of a file in the tests' data."""
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [Pair(**json.loads(line)) for line in lines]


def layer_of(pair: Pair, embedder: Embedder) -> Repetition | None:
    """Which layer calls the second question a repetition of the first."""
    asked = AskedQuestion(pair.one, pair.anchors[0], pair.aspects[0])
    return is_repetition(pair.other, [asked], embedder, anchor=pair.anchors[1], aspect=pair.aspects[1])


def scores(pairs: Sequence[Pair], called: Iterable[bool]) -> Scores:
    """Precision and recall of what was called a repetition."""
    same, flagged = np.array([pair.same for pair in pairs]), np.array(list(called))
    right = int((same & flagged).sum())
    total = int(flagged.sum())
    return Scores(right / total if total else 1.0, right / int(same.sum()), total - right)


def main() -> None:
    """Measure and print."""
    embedder = MiniLM.load(ensure_models(load_settings()).embedder)
    sets = {"measured": read_pairs("repetition_pairs"), "tuning": read_pairs("repetition_tuning")}
    console = Console()
    for name, pairs in sets.items():
        console.print(_by_layer(name, pairs, embedder))
        console.print(_by_limit(name, pairs, embedder))
    for pack in load_packs().values():
        texts = [question.text for question in pack.questions]
        nearest = max(cosines([(one, other) for index, one in enumerate(texts) for other in texts[:index]], embedder))
        console.print(f"{pack.id}: no two of {len(texts)} questions are nearer than {nearest:.2f}")


def _by_layer(name: str, pairs: Sequence[Pair], embedder: Embedder) -> Table:
    found = [layer_of(pair, embedder) for pair in pairs]
    same = sum(pair.same for pair in pairs)
    title = f"{name}: {same} paraphrases and {len(pairs) - same} look-alikes"
    table = Table("layer", "precision", "recall", "wrong", title=title)
    for layer in LAYERS:
        _add(table, layer, scores(pairs, (each == layer for each in found)))
    _add(table, "all three", scores(pairs, (each is not None for each in found)))
    return table


def _by_limit(name: str, pairs: Sequence[Pair], embedder: Embedder) -> Table:
    whole = [(pair.one, pair.other) for pair in pairs]
    asking = [without_shared_sentences(*texts) for texts in whole]
    free = np.array([contrast(*texts, embedder) is None for texts in asking])
    plain, beyond = np.array(cosines(whole, embedder)), np.array(cosines(asking, embedder))
    table = Table("cosine over", "alone: P / R / wrong", "no contrast: P / R / wrong", title=name)
    for limit in LIMITS:
        cells = [_cells(scores(pairs, called)) for called in (plain > limit, (beyond > limit) & free)]
        in_use = " (in use)" if limit == SAME_MEANING else ""
        table.add_row(f"{limit:.2f}{in_use}", *map(" / ".join, cells))
    return table


def _add(table: Table, label: str, measured: Scores) -> None:
    table.add_row(label, *_cells(measured))


def _cells(measured: Scores) -> list[str]:
    return [f"{measured.precision:.2f}", f"{measured.recall:.2f}", str(measured.wrong)]


if __name__ == "__main__":
    main()
