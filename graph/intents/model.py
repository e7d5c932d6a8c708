"""A language model has the last word where rules are unsure; everywhere else they are faster and as good."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from graph.intents.vocabulary import ACTS_ABOVE, Intent, IntentDetector, Understood
from graph.judging.quotes import locate
from graph.language_models import LanguageModels, Task

UNSURE_FROM = 0.25
"""Confidence in a request from which on, up to the one at which it is honoured, a second opinion is worth its time."""
_DEADLINE_S = 2.5
"""A candidate waits for this; without a reply by then the rules decide."""
_SURE = 0.9


class IntentReply(BaseModel):
    """What the model made of an utterance."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)

    answer: str = Field(description="The words that answer the question, copied exactly; empty if there are none")
    intent: Intent = Field(description="One name from the list")


INTENT = Task("intent", "fast", "intent", IntentReply)
"""Values: question, said."""


class ModelDetector(IntentDetector):
    """Rules first; a model is asked about what they are unsure of, and believed when it says what may be said.

    Args:
        models: of one interview.
        fallback: the rules.
    """

    name = "model"

    def __init__(self, models: LanguageModels, fallback: IntentDetector) -> None:
        self._models = models
        self._fallback = fallback
        self._asked = 0

    async def understand(self, words: Sequence[str], *, question: str = "") -> Understood:
        """What an utterance holds."""
        by_rule = await self._fallback.understand(words, question=question)
        if by_rule.request is None or not UNSURE_FROM <= by_rule.confidence <= ACTS_ABOVE:
            return by_rule
        # Each utterance is a try of its own, like a turn.
        self._asked += 1
        values = {"question": question or "none yet", "said": " ".join(words)}
        try:
            async with asyncio.timeout(_DEADLINE_S):
                reply = await self._models.ask(INTENT, values, turn=self._asked)
        except TimeoutError:
            reply = None
        return by_rule if reply is None else self._read(reply, words, by_rule)

    def _read(self, reply: IntentReply, words: Sequence[str], by_rule: Understood) -> Understood:
        """The model's opinion, with the answer found among the words that were said."""
        if reply.intent == "answer":
            everything = (0, len(words) - 1) if words else None
            return Understood(request=None, confidence=_SURE, answer=everything, detector=self.name)
        place = locate(reply.answer, words) if reply.answer else None
        return Understood(
            request=reply.intent,
            confidence=_SURE,
            detail=by_rule.detail,
            detector=self.name,
            answer=(place.first_word, place.last_word) if place else by_rule.answer,
        )
