"""Spoken words of an answer, and where they were said: it may be given over several turns."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from domain.verdict import AnswerSpan


class SpokenWords(BaseModel):
    """Words of an answer, and where they were said."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    words: tuple[str, ...] = ()
    spans: tuple[AnswerSpan, ...] = ()

    def __add__(self, other: SpokenWords) -> SpokenWords:
        """Both, one after the other."""
        return SpokenWords(words=self.words + other.words, spans=self.spans + other.spans)

    def __bool__(self) -> bool:
        """False when nothing was said."""
        return bool(self.words)


NOTHING = SpokenWords()
"""No words at all."""
