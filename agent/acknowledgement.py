"""A short "mm-hm" when an answer takes longer to be judged than people wait in silence.

People answer each other within a fifth of a second, and a silence of about a second is heard as trouble (Stivers and
others, PNAS 2009; Roberts, Francis and Morgan, Speech Communication 2006). With the built-in judge feedback is there
before that; with a language model it is not.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from graph import Say


async def with_acknowledgement(
    says: AsyncIterator[Say], *, after_s: float, acknowledge: Callable[[], Say]
) -> AsyncIterator[Say]:
    """Pass on what is said; if the first of it takes longer than `after_s`, say an acknowledgement before it.

    What `says` raises is raised here as well. Closing this iterator closes `says`.
    """
    first = asyncio.ensure_future(anext(says, None))
    try:
        done, _ = await asyncio.wait([first], timeout=max(after_s, 0.0))
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
