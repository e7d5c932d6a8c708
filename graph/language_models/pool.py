"""Pool of the process's models: one configurable chat model with two tiers, and the chains that tasks go through."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import ConfigurableField, Runnable, RunnableParallel
from langchain_core.runnables.base import RunnableSerializable
from pydantic import BaseModel

from domain.vocabulary import Tier
from graph.language_models.call import is_transient
from graph.language_models.circuit_breaker import ChatTier, TierHealth, in_order
from graph.language_models.parsing import ReadReply, reader
from graph.language_models.prompts import chat_prompt
from graph.language_models.protocol import Reply, Task, TextTask

MODEL_TIER = "model_tier"
"""Name of the configurable field that says which of the two models a chain uses."""

_ATTEMPTS = 2
"""How often a call is made that fails for a reason that may be gone in a moment."""

Output = TypeVar("Output")


class TieredModels:
    """Two tiers of chat model behind one `configurable_alternatives`, their health, and their limits.

    It belongs to one event loop, like the HTTP clients of its models. What an interview may use up and whom it tells
    is its own: see `InterviewModels`.
    """

    def __init__(
        self,
        tiers: Mapping[Tier, ChatTier],
        *,
        clock: Callable[[], float] = time.monotonic,
        timeout_s: float = 15.0,
        retry_after_s: float = 30.0,
        retry_wait_s: float = 1.5,
    ) -> None:
        """Take models that were loaded.

        Args:
            tiers: one model or two; a single one does the work of both.
            clock: seconds that only grow.
            timeout_s: seconds that one call may take, its repetition after a transient fault included.
            retry_after_s: seconds for which a tier that failed is left alone.
            retry_wait_s: at most so many seconds pass before a call is repeated (from 1 s on, with jitter).
        """
        if not tiers:
            raise ValueError("TieredModels needs a model for at least one tier")
        self.clock = clock
        self.timeout_s = timeout_s
        self.health = TierHealth(tiers, clock, retry_after_s)
        self._tiers = dict(tiers)
        self._default: Tier = "complex" if "complex" in tiers else "fast"
        self._retry_wait_s = retry_wait_s
        self._chat = self._configurable({tier: each.model for tier, each in tiers.items()})
        self._structured: dict[Task[Any], Runnable[dict[str, Any], ReadReply[Any]]] = {}
        self._plain: dict[TextTask, Runnable[dict[str, Any], AIMessage]] = {}

    @property
    def chat(self) -> Runnable[LanguageModelInput, AIMessage]:
        """The chat model itself; `config={"configurable": {"model_tier": "fast"}}` chooses."""
        return self._chat

    def available(self, tier: Tier) -> bool:
        """True when this tier has a model that was well when it was last seen."""
        return self.health.is_well(tier)

    def has(self, tier: Tier) -> bool:
        """True when this tier has a model, well or not."""
        return tier in self._tiers

    def name_of(self, tier: Tier) -> str:
        """Name of the model that a task of this tier is given to now."""
        there = [each for each in in_order(tier) if each in self._tiers]
        return self._tiers[next(filter(self.available, there), there[0])].name

    async def check_health(self) -> dict[str, bool]:
        """Look at every model: name and whether it is there. Interviews do so by themselves after a failure."""
        seen = await asyncio.gather(*(self.health.look(tier) for tier in self._tiers))
        return {each.name: there for each, there in zip(self._tiers.values(), seen, strict=True)}

    def structured(self, task: Task[Reply]) -> Runnable[dict[str, Any], ReadReply[Reply]]:
        """The chain of a task: prompt, model with structured output, retry, strict parser, lenient parser."""
        if task not in self._structured:
            forms = {tier: _in_form(each.model, task.reply) for tier, each in self._tiers.items()}
            model = self._configurable(forms).with_retry(
                stop_after_attempt=_ATTEMPTS,
                wait_exponential_jitter=True,
                retry_if_exception_type=is_transient,
                exponential_jitter_params={"max": self._retry_wait_s},
            )
            self._structured[task] = chat_prompt(task.prompt).template | model | reader(task.reply)
        return cast("Runnable[dict[str, Any], ReadReply[Reply]]", self._structured[task])

    def plain(self, task: TextTask) -> Runnable[dict[str, Any], AIMessage]:
        """The chain of a task that is answered with text. LangChain does not retry streams: the other tier does."""
        if task not in self._plain:
            self._plain[task] = chat_prompt(task.prompt).template | self._chat
        return self._plain[task]

    def _configurable(
        self, by_tier: Mapping[Tier, Runnable[LanguageModelInput, Output]]
    ) -> Runnable[LanguageModelInput, Output]:
        """Runnables of the tiers as one whose tier is chosen by configuration.

        `with_structured_output` must come before this: asked of the configurable model it would bind the default only.
        """
        others: dict[str, Any] = {tier: each for tier, each in by_tier.items() if tier != self._default}
        default = cast("RunnableSerializable[LanguageModelInput, Output]", by_tier[self._default])
        return default.configurable_alternatives(ConfigurableField(id=MODEL_TIER), default_key=self._default, **others)


def _in_form(model: BaseChatModel, form: type[BaseModel]) -> Runnable[LanguageModelInput, Any]:
    """A model that answers in a form. One that knows no structured output is told the form by the prompt alone."""
    try:
        return model.with_structured_output(form, include_raw=True)
    except NotImplementedError:
        return RunnableParallel(raw=model)
