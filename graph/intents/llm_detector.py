"""Detector with a language model behind it: rules decide what they are sure of, the model is asked about the rest.

Most utterances are plain answers or plain requests, and the rules know them in milliseconds; a model would only make
the candidate wait. Where the rules are in doubt the model says what is asked for and copies the words that ask. Code
looks for those words in what was said: words that were not said ask for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast, get_args

from pydantic import BaseModel, ConfigDict, Field

from domain.vocabulary import Intent, Request
from graph.intents.detector import RuleDetector
from graph.intents.normalize import Utterance
from graph.intents.types import ACTS_ABOVE, Understood
from graph.judging.quote_matching import locate
from graph.language_models import LanguageModels, Task
from graph.language_models.deadline import models_within
from graph.validators import Check, first_fault

_SURE = 0.9
"""Confidence of the rules from which no model is asked."""
_AGREED = 0.95
"""Confidence when rules and model see the same request."""
_SEEN_BY_MODEL = 0.75
"""Confidence when only the model sees a request, and nothing but it was said."""
_SEEN_BEHIND_ANSWER = 0.6
"""The same behind an answer: the interviewer asks, because an answer is lost when a request is wrongly seen in it."""
_LONGEST = 400
"""Words of an utterance that a model is shown, from its end."""

_NOT_A_REQUEST = "answer"


class IntentReply(BaseModel):
    """What the model makes of an utterance. All of it is required: small models leave out what they may."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)

    request_words: str = Field(description="The candidate's own words that ask for something, copied; empty if none")
    intent: Intent = Field(description="What they ask for; answer if nothing is asked for")
    detail: str = Field(description="The topic or the term they name, one to three words; empty if none")


INTENT = Task("intent", "fast", "intent", IntentReply)
"""Values: question, utterance, intents."""


class ModelDetector:
    """Asks a model where the rules are unsure, and goes by the rules where it has no answer in time.

    Args:
        models: the models of one interview.
        fallback: the rules.
        deadline_s: seconds that the candidate can be kept waiting for it.
    """

    name = "model"

    def __init__(self, models: LanguageModels, fallback: RuleDetector, *, deadline_s: float = 2.0) -> None:
        self._models = models
        self._rules = fallback
        self._deadline_s = deadline_s

    async def understand(self, words: Sequence[str], *, turn: int, question: str = "") -> Understood:
        """What these words ask for and what of them is an answer.

        Args:
            words: the utterance in the recogniser's spelling.
            turn: the candidate's turn, by which the models count their tries.
            question: the question that was asked, when known.
        """
        by_rule = await self._rules.understand(words, turn=turn, question=question)
        if by_rule.confidence >= _SURE or by_rule.request == "unintelligible" or not self._models.available("fast"):
            return by_rule
        reply = await self._ask(words, question, turn)
        return by_rule if reply is None else self._settled(words, by_rule, reply)

    async def _ask(self, words: Sequence[str], question: str, turn: int) -> IntentReply | None:
        shown = words[-_LONGEST:]
        values = {"question": question, "utterance": " ".join(shown), "intents": ", ".join(get_args(Intent))}
        with models_within(self._deadline_s):
            return await self._models.ask(INTENT, values, turn=turn, check=_was_said(shown))

    def _settled(self, words: Sequence[str], by_rule: Understood, reply: IntentReply) -> Understood:
        """Rules and model together. Taking back and correcting is the rules' alone: it is a matter of exact words."""
        if reply.intent == _NOT_A_REQUEST:
            first = by_rule.answer[0] if by_rule.withdrawn and by_rule.answer else 0
            everything = Utterance(words).trimmed(first, len(words) - 1)
            return by_rule.model_copy(
                update={
                    "request": None,
                    "confidence": ACTS_ABOVE,
                    "detail": "",
                    "answer": everything,
                    "detector": self.name,
                }
            )
        if reply.intent == by_rule.request:
            detail = by_rule.detail or reply.detail
            return by_rule.model_copy(
                update={"confidence": max(_AGREED, by_rule.confidence), "detail": detail, "detector": self.name}
            )
        request = cast("Request", reply.intent)
        answer = self._answer(words, by_rule, reply)
        return by_rule.model_copy(
            update={
                "request": request,
                "confidence": _SEEN_BEHIND_ANSWER if answer else _SEEN_BY_MODEL,
                "detail": reply.detail,
                "answer": answer,
                "detector": self.name,
            }
        )

    def _answer(self, words: Sequence[str], by_rule: Understood, reply: IntentReply) -> tuple[int, int] | None:
        """The words beside those that ask: before them, or after, whichever are more."""
        if by_rule.request is not None:
            return by_rule.answer
        asks = locate(reply.request_words, words)
        if asks is None or by_rule.answer is None:
            return None
        first, last = by_rule.answer
        utterance = Utterance(words)
        sides = (utterance.trimmed(first, asks.first_word - 1), utterance.trimmed(asks.last_word + 1, last))
        longest = max((side for side in sides if side), key=lambda side: side[1] - side[0], default=None)
        return longest if longest and longest[1] - longest[0] >= _SHORTEST_ANSWER else None


_SHORTEST_ANSWER = 3
"""Words beside a request, less one, from which they are an answer and not "sorry" or "no idea"."""


def _was_said(words: Sequence[str]) -> Callable[[IntentReply], str]:
    return partial(first_fault, request_checks(words))


def request_checks(words: Sequence[str]) -> tuple[Check[IntentReply], ...]:
    """The gate: a request has words, and they were said.

    Args:
        words: the utterance as the model was shown it.
    """

    def has_words(reply: IntentReply) -> str:
        bare = reply.intent != _NOT_A_REQUEST and not reply.request_words
        return "request_words is empty although something is asked for" if bare else ""

    def was_said(reply: IntentReply) -> str:
        invented = reply.intent != _NOT_A_REQUEST and not locate(reply.request_words, words)
        return "request_words were not said by the candidate" if invented else ""

    return Check("has words", has_words), Check("was said", was_said)
