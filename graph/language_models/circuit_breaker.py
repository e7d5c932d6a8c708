"""Circuit breaker: which tier of model can be asked; one that failed rests, and is looked at before the next call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from langchain_core.language_models.chat_models import BaseChatModel

from domain.vocabulary import Tier
from graph.language_models.deadline import seconds_left

Probe = Callable[[], Awaitable[bool]]
"""Tells in a moment, and without raising, whether a model is there."""

_LOOK_S = 5.0
"""Seconds that looking may take; a probe that takes longer is as good as one that says no."""
_OTHER: Mapping[Tier, Tier] = {"complex": "fast", "fast": "complex"}


@dataclass(frozen=True, slots=True)
class ChatTier:
    """The model of a tier."""

    model: BaseChatModel
    name: str
    """As the record calls it."""
    probe: Probe | None = None
    """Without one, only asking the model shows whether it is there."""


class TierHealth:
    """How the tiers are, as far as it was seen."""

    def __init__(self, tiers: Mapping[Tier, ChatTier], clock: Callable[[], float], retry_after_s: float) -> None:
        self._tiers = tiers
        self.clock = clock
        self._retry_after_s = retry_after_s
        self._rests_until: dict[Tier, float] = {}
        self.ever_well = any(tier.probe is None for tier in tiers.values())
        """A model was seen to be there, or cannot be looked at and is taken to be. Until then none can have failed."""

    def model_name(self, tier: Tier) -> str:
        """Name of the model of exactly this tier."""
        return self._tiers[tier].name

    def is_well(self, tier: Tier) -> bool:
        """True when there is such a model and it did not fail when it was last asked or looked at."""
        return tier in self._tiers and tier not in self._rests_until

    def failed(self, tier: Tier) -> None:
        """Let it rest."""
        self._rests_until[tier] = self.clock() + self._retry_after_s

    def answered(self, tier: Tier) -> None:
        """Trust it again."""
        self._rests_until.pop(tier, None)
        self.ever_well = True

    async def may_be_asked(self, tier: Tier) -> bool:
        """True for a tier that is well, or has rested and is there again."""
        if tier not in self._tiers:
            return False
        if tier in self._rests_until:
            return self.clock() >= self._rests_until[tier] and await self.look(tier)
        return True

    async def look(self, tier: Tier) -> bool:
        """Look whether a model is there, and remember it. One that cannot be looked at is taken to be there."""
        probe = self._tiers[tier].probe
        if probe is None:
            return True
        try:
            async with asyncio.timeout(seconds_left(_LOOK_S)):
                there = await probe()
        except TimeoutError:
            there = False
        if there:
            self.answered(tier)
        else:
            self.failed(tier)
        return there


def in_order(preferred: Tier) -> tuple[Tier, Tier]:
    """The tier that a task wants, then the one that takes its place."""
    return preferred, _OTHER[preferred]
