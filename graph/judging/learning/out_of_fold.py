"""What each fold's encoder makes of the part it never saw, kept for measuring without training.

Only scores are kept, with a fingerprint of the texts they belong to: the public sets are not part of the project.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from graph.judging.learning.examples import fold_of_pack, fold_of_question
from graph.judging.learning.own_pairs import Pair
from graph.judging.learning.public_sets import GradedAnswer
from graph.judging.pair import pair_texts
from graph.judging.reading import EncoderReader, Odds

KEPT_FILE = Path(__file__).parent / "out_of_fold.npz"

Texts = tuple[str, str]


def write(
    folders: Sequence[Path], graded: Sequence[GradedAnswer], pairs: Sequence[Pair], path: Path = KEPT_FILE
) -> None:
    """Read every held-out pair with the encoder of its fold, and keep the odds.

    Args:
        folders: of the encoders, one for each fold.
        graded: each answer is read beside each of its references.
        pairs: Viva's own.
        path: where to.
    """
    packs = sorted({pair.pack for pair in pairs})
    keys: list[int] = []
    odds: list[Odds] = []
    for fold, folder in enumerate(folders):
        texts = {
            *(texts for answer in graded if fold_of_question(answer.question_id) == fold for texts in pairs_of(answer)),
            *(pair_texts(pair.said, pair.point) for pair in pairs if fold_of_pack(pair.pack, packs) == fold),
        }
        ordered = sorted(texts)
        keys += [fingerprint(each) for each in ordered]
        odds.append(EncoderReader(folder).read(ordered))
    np.savez_compressed(path, keys=np.array(keys, np.uint64), odds=np.vstack(odds).astype(np.float16))


def read(path: Path = KEPT_FILE) -> Mapping[int, Odds]:
    """The odds by the fingerprints of their texts."""
    with np.load(path) as kept:
        return dict(zip(kept["keys"].tolist(), kept["odds"].astype(float), strict=True))


def pairs_of(answer: GradedAnswer) -> Iterable[Texts]:
    """A graded answer beside each of its references."""
    return (pair_texts(answer.answer, reference) for reference in answer.references)


def fingerprint(texts: Texts) -> int:
    """A number for two texts, the same everywhere."""
    joined = "\x1f".join(texts).encode()
    return zlib.crc32(joined) << 32 | zlib.crc32(joined[::-1])
