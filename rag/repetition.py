"""Was this asked before? Three layers, each catches what the one before cannot see.

1. The same text, after normalising case, punctuation and spaces.
2. The same anchor (a project, a skill, a key point) under the same aspect, however it is worded.
3. The same meaning: cosine of the sentence embeddings over 0.85.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rag.embeddings import Embedder

SAME_MEANING = 0.85

Repetition = Literal["same text", "same anchor and aspect", "same meaning"]


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question that was asked, and what it was about."""

    text: str
    anchor: str | None = None
    """What the question hangs on, for example a project of the résumé; None when it hangs on nothing."""
    aspect: str | None = None
    """What it wants to know about the anchor, for example its scale."""


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
    if asked:
        new, *old = embedder.embed([text, *(each.text for each in asked)])
        if float(np.max(np.stack(old) @ new)) > SAME_MEANING:
            return "same meaning"
    return None


def normalised(text: str) -> str:
    """The text's words in lower case, without punctuation and accents, with single spaces."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return " ".join(re.findall(r"\w+", plain.casefold()))
