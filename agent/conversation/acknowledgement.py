"""Acknowledgement: a short "okay" when an answer takes longer to be judged than people wait in silence.

People answer each other within a fifth of a second, and a silence of about a second is heard as trouble (Stivers and
others, PNAS 2009; Roberts, Francis and Morgan, Speech Communication 2006). With the built-in judge feedback is there
soon after the answer counts as over, and an "okay" would only hold it up by the time it takes to say it; with a
language model it is not.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from domain.say import Say


@dataclass(frozen=True, slots=True)
class AcknowledgementDelay:
    """How long a silence after an answer may be before it is broken."""

    silence_s: float
    """From the end of the candidate's voice."""
    at_hand_s: float
    """From when the answer counts as over: what is said within this time needs no "okay" before it."""

    def left_s(self, silent_s: float) -> float:
        """What is left of it for an answer that counts as over now, after so many seconds of silence."""
        return max(self.silence_s - silent_s, self.at_hand_s)


WITH_BUILT_IN_JUDGE = AcknowledgementDelay(silence_s=0.7, at_hand_s=0.7)
"""Judging and the first clause took 0.2 to 0.5 s with two interviews at once (measured)."""
WITH_MODEL = AcknowledgementDelay(silence_s=0.7, at_hand_s=0.15)
"""A model takes a second at least; an answer to "could you repeat that?" takes no model."""


async def with_acknowledgement(
    says: AsyncIterator[Say], *, after_s: float, acknowledge: Callable[[], Say]
) -> AsyncIterator[Say]:
    """Pass on what is said; if the first of it takes longer than `after_s`, say an acknowledgement before it.

    What `says` raises is raised here as well. Closing this iterator closes `says`.
    """
    first = asyncio.ensure_future(anext(says, None))
    try:
        done, _ = await asyncio.wait([first], timeout=after_s)
        if not done:
            yield acknowledge()
        say = await first
        while say is not None:
            yield say
            say = await anext(says, None)
    finally:
        if not first.done():
            first.cancel()
            await asyncio.wait([first])
        if (close := getattr(says, "aclose", None)) is not None:
            await close()
