"""Duplicates: was this asked before? Three layers, each catches what the one before cannot see.

1. The same text, after normalising case, punctuation and spaces.
2. The same anchor (a project, a skill, a key point) under the same aspect, however it is worded.
3. The same meaning: cosine of the sentence embeddings over 0.70, unless one word is exchanged for another (`contrast`).

The third is finer than a plain "cosine over 0.85": of 100 paraphrases and 100 look-alikes that one calls 29 and 7
repetitions, this one 54 and 5. `python -m bench.repetition` measures both, each layer, and other limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from domain.question import AskedQuestion
from rag.duplicates.minimal_pairs import contrast, plain, without_shared_sentences
from rag.embedding.embedder import Embedder

SAME_MEANING = 0.70
"""Belongs to MiniLM. Questions of one shipped pack are no nearer to each other than 0.56."""

Repetition = Literal["same text", "same anchor and aspect", "same meaning"]


def is_repetition(
    text: str,
    asked: Sequence[AskedQuestion],
    embedder: Embedder,
    *,
    anchor: str | None = None,
    aspect: str | None = None,
) -> Repetition | None:
    """Why a question must not be asked now, or None when it may."""
    normal = normalised(text)
    if any(normalised(each.text) == normal for each in asked):
        return "same text"
    if anchor and aspect and any((each.anchor, each.aspect) == (anchor, aspect) for each in asked):
        return "same anchor and aspect"
    pairs = [without_shared_sentences(text, each.text) for each in asked]
    near = (pair for pair, cosine in zip(pairs, cosines(pairs, embedder), strict=True) if cosine > SAME_MEANING)
    return "same meaning" if any(contrast(*pair, embedder) is None for pair in near) else None


def cosines(pairs: Sequence[tuple[str, str]], embedder: Embedder) -> list[float]:
    """How near the two texts of each pair are in meaning, by the embedder alone."""
    rows = embedder.embed([text for pair in pairs for text in pair])
    return [float(rows[index] @ rows[index + 1]) for index in range(0, len(rows), 2)]


def normalised(text: str) -> str:
    """The text's words in lower case, without punctuation and accents, with single spaces."""
    return plain(text)
