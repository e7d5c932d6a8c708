"""When is an answer over? Asked by LiveKit each time the candidate falls silent.

An answer is not over before its last words are known: a long one is recognised in pieces, and a turn that is taken
without the last of them is judged twice. And it is not over when its last words say that more will come.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from livekit.agents import LanguageCode, llm

UNLIKELY_BELOW = 0.5
"""A lower probability makes LiveKit wait for the longer of its two endpointing delays."""
_PATIENCE_S = 8.0
"""A recogniser that has not finished after this long has failed; what it gave so far must do."""
_ARRIVAL_S = 0.05
"""Time for the last transcript to pass through the session, which then asks again with all the words. It costs nothing:
the endpointing delay has begun at the end of speech."""

_OPEN_ENDINGS = frozenset(
    "and but or so because since although though while whereas which that if when where then than the a an of to for "
    "with from by in on at as is are was were be not my your our their its this these um uh er hmm well like also "
    "first second third example instance".split()
)
"""Words that an answer does not end with. "so" and "well" may, but rarely do before a pause."""


class TurnTaking:
    """Viva's end-of-turn detector, in the form that LiveKit asks for.

    Args:
        all_heard: waits until the words of everything that was said are known.
    """

    def __init__(self, all_heard: Callable[[], Awaitable[None]]) -> None:
        self._all_heard = all_heard

    @property
    def model(self) -> str:
        """Name for LiveKit's metrics."""
        return "open-ending"

    @property
    def provider(self) -> str:
        """Who made it, for LiveKit's metrics."""
        return "viva"

    async def unlikely_threshold(self, language: LanguageCode | None) -> float | None:  # noqa: ARG002
        """The probability below which the answer is given more time; the same for every language."""
        return UNLIKELY_BELOW

    async def supports_language(self, language: LanguageCode | None) -> bool:  # noqa: ARG002
        """Any language: words that are not known here only mean that nothing speaks for waiting."""
        return True

    async def predict_end_of_turn(
        self,
        chat_ctx: llm.ChatContext,
        *,
        timeout: float | None = None,  # noqa: ASYNC109, ARG002 - the signature is LiveKit's
    ) -> float:
        """How likely the answer is over, 0 to 1; known only when its last words are."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_S):
                await self._all_heard()
        await asyncio.sleep(_ARRIVAL_S)
        message = next((each for each in reversed(chat_ctx.messages()) if each.role == "user"), None)
        return sounds_complete(message.text_content or "" if message else "")


def sounds_complete(text: str) -> float:
    """Probability that nothing follows these words, from the words alone."""
    words = text.split()
    if not words:
        return 0.0
    last = words[-1].lower()
    if last.strip(".,;:!?-") in _OPEN_ENDINGS:
        return 0.1
    return 0.2 if last.endswith((",", "-", "...", "\N{HORIZONTAL ELLIPSIS}")) else 0.9
