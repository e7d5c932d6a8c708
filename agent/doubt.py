"""Which words may never have been said. Pure."""

from __future__ import annotations

_DOUBTFUL, _DOUBTFUL_WORDS = 0.3, 5


def are_doubtful(words: int, confidence: float) -> bool:
    """True if so many words, heard with this mean confidence, may never have been said.

    Whisper makes "Mom" and "Nah" of a murmur (0.15 to 0.5), once "And then they chat." (0.16), and of "Hmm, let me
    think." once "Come, let me sing." (0.24). What candidates did say in so few words had 0.5 to 1 in eight rehearsals;
    "Sure," once 0.17.
    """
    return words <= _DOUBTFUL_WORDS and confidence < _DOUBTFUL
