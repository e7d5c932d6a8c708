"""An embedder that needs no model, and where the small pack is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np

from rag.embeddings import Embedder, Vectors

KITCHEN = Path(__file__).parent / "packs" / "kitchen.yaml"
"""Six questions on bread, soup and knives."""


class HashedWords(Embedder):
    """Texts are as near to each other as they share words. Keeps what it was asked to embed."""

    def __init__(self, dimensions: int = 384) -> None:
        self.dimensions = dimensions
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text: how often each word occurs, hashed into the dimensions."""
        self.asked += texts
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()) or [""]:
                row[crc32(word.encode()) % self.dimensions] += 1
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows
