"""Out-of-fold predictions: what each fold's encoder makes of the part it never saw, kept for measuring.

Only odds are kept, with a fingerprint of the texts they belong to: the public sets are not part of the project.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from graph.judging.entailment import EncoderReader, Odds
from graph.judging.pair_labels import pair_texts
from training.judge.examples import Material
from training.judge.public_datasets import GradedAnswer

KEPT_FILE = Path(__file__).parents[1] / "data" / "judge" / "out_of_fold.npz"

Texts = tuple[str, str]


def write(folders: Sequence[Path], material: Material, path: Path = KEPT_FILE) -> None:
    """Read every held-out clause and graded answer with the encoder of its fold, and keep the odds.

    Args:
        folders: of the encoders, one for each fold.
        material: each graded answer is read beside each of its references.
        path: where to.
    """
    keys: list[int] = []
    odds: list[Odds] = []
    for fold, folder in enumerate(folders):
        held_out = material.of_fold(fold)
        texts = {
            *(texts for answer in held_out.graded for texts in pairs_of(answer)),
            *(pair_texts(pair.said, pair.point) for pair in held_out.pairs),
        }
        ordered = sorted(texts)
        keys += [fingerprint(each) for each in ordered]
        odds += [reading.odds for reading in EncoderReader(folder).read(ordered)]
    np.savez_compressed(path, keys=np.array(keys, np.uint64), odds=np.array(odds, np.float16))


def read(path: Path = KEPT_FILE) -> Mapping[int, Odds]:
    """The odds by the fingerprints of their texts."""
    with np.load(path) as kept:
        return dict(zip(kept["keys"].tolist(), kept["odds"].astype(float), strict=True))


def of_answer(answer: GradedAnswer, kept: Mapping[int, Odds]) -> Odds | None:
    """The odds of a graded answer beside each of its references; None when some were not kept."""
    found = [kept.get(fingerprint(texts)) for texts in pairs_of(answer)]
    return None if any(odds is None for odds in found) else np.array(found)


def pairs_of(answer: GradedAnswer) -> Iterable[Texts]:
    """A graded answer beside each of its references."""
    return (pair_texts(answer.answer, reference) for reference in answer.references)


def fingerprint(texts: Texts) -> int:
    """A number for two texts, the same everywhere."""
    joined = "\x1f".join(texts).encode()
    return zlib.crc32(joined) << 32 | zlib.crc32(joined[::-1])
