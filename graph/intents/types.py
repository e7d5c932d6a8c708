"""Types of intents: which there are, and what understanding an utterance means."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from domain.vocabulary import Intent, Request

ACTS_ABOVE = 0.7
"""Confidence above which a request is honoured."""
ASKS_FROM = 0.4
"""Confidence from which, up to `ACTS_ABOVE`, the interviewer asks which was meant; below it the words are an answer."""


class DetectedIntent(BaseModel):
    """What the candidate wanted in one turn, as it is kept in the interview's state."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intent: Intent
    confidence: float
    turn: int
    detector: str = "rules"
    """Name of the detector that said so."""
    detail: str = ""
    """The topic that was named ("databases"), the term to clarify ("idempotent"), or the words of a wish to be asked
    about one's own work; else empty."""


class Understood(BaseModel):
    """What an utterance asks for, and which of its words are an answer to be judged."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    request: Request | None
    """None: nothing was asked for."""
    confidence: float = Field(ge=0, le=1)
    """How sure the request is, 0 to 1; without a request, how sure it is that there is none."""
    detail: str = ""
    """The topic that was named ("databases"), the term to clarify ("idempotent"), or the words of a wish to be asked
    about one's own work; else empty."""
    detector: str
    answer: tuple[int, int] | None
    """First and last word (inclusive) of what counts as an answer; None: there is nothing to judge."""
    withdrawn: bool = False
    """The candidate took back what was said before `answer` in the same utterance ("X. Scrap that. Y")."""

    @model_validator(mode="after")
    def _answer_is_a_span(self) -> Self:
        if self.answer is not None and not 0 <= self.answer[0] <= self.answer[1]:
            raise ValueError(f"{self.answer} is no span of words: it runs from its first to its last word.")
        return self


class IntentDetector(Protocol):
    """Understands what a candidate said; the utterance is judged only where this finds an answer in it."""

    name: str

    def understand(self, words: Sequence[str], *, turn: int, question: str = "") -> Coroutine[Any, Any, Understood]:
        """What these words ask for and what of them is an answer.

        Args:
            words: the utterance in the recogniser's spelling: fillers, and maybe no punctuation.
            turn: the candidate's turn.
            question: the question that was asked, when known.
        """
        ...
