"""Speculation: work on the words so far, begun before it is known whether the answer is over.

At each silence the graph is given the words so far, on a fork of the interview's thread
(`graph.checkpoints.speculation`), and the first clause of what it says is synthesised. When the turn is real and its
words are the same, the fork becomes the turn and the first sound is there at once; when the candidate goes on,
nothing of it was ever true.

LiveKit's own preemptive generation is not used: it calls `llm_node` for a turn that may not be one, and the graph
would count it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from domain.say import Say
from domain.vocabulary import Request
from graph import HeadMovedError, Interview, Speculation

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Pending:
    text: str
    turn: int
    making: asyncio.Task[Speculation]


class Speculator:
    """At most one guess at a time.

    Args:
        interview: the graph's thread for this interview.
        prepare: has a text synthesised before it is asked for; told the first thing that the guess would say.
    """

    def __init__(self, interview: Interview, prepare: Callable[[Say], None]) -> None:
        self._interview = interview
        self._prepare = prepare
        self._pending: _Pending | None = None
        self._dropping: set[asyncio.Task[None]] = set()

    def start(self, text: str, turn: int, unsure: Sequence[int] = ()) -> None:
        """Begin to work on these words as if they were the whole answer. A guess at other words is let go."""
        if self._pending and (self._pending.text, self._pending.turn) == (text, turn):
            return
        self.discard()
        making = asyncio.get_running_loop().create_task(self._make(text, turn, unsure), name="guess")
        self._pending = _Pending(text, turn, making)

    def discard(self) -> None:
        """The answer was not over, or the turn is another: forget the guess, if there is one."""
        pending, self._pending = self._pending, None
        if pending:
            task = asyncio.get_running_loop().create_task(self._drop(pending), name="drop guess")
            self._dropping.add(task)
            task.add_done_callback(self._dropping.discard)

    async def forget(self) -> None:
        """Let go of the guess, and come back when the interview is as if there had never been one."""
        self.discard()
        await self._settled()

    async def _settled(self) -> None:
        if self._dropping:
            await asyncio.wait(set(self._dropping))

    async def adopt_or_answer(
        self, text: str, turn: int, pressed: Request | None = None, unsure: Sequence[int] = ()
    ) -> AsyncIterator[Say]:
        """What this turn has to say: from the guess if there is one at these words, else from the graph now.

        Args:
            text: the words of the turn.
            turn: its number.
            pressed: what a key asked for behind them; no guess knows of it.
            unsure: places of words, from 0, that may not be what was said.

        Raises:
            InterviewOverError: it has ended; nothing is judged any more.
        """
        pending, self._pending = self._pending, None
        if pending and ((pending.text, pending.turn) != (text, turn) or pressed):
            await self._drop(pending)
            pending = None
        await self._settled()
        if pending and (speculation := await self._made(pending)):
            says = self._adopted(speculation, text, turn, unsure)
        else:
            says = self._interview.answer(text, turn, pressed, unsure)
        async for say in says:
            yield say

    async def _adopted(
        self, speculation: Speculation, text: str, turn: int, unsure: Sequence[int]
    ) -> AsyncIterator[Say]:
        try:
            async for say in self._interview.adopt(speculation):
                yield say
        except HeadMovedError:
            _log.warning("turn %d was guessed on an old checkpoint and is worked on anew", turn)
            async for say in self._interview.answer(text, turn, unsure=unsure):
                yield say

    async def _make(self, text: str, turn: int, unsure: Sequence[int]) -> Speculation:
        await self._settled()
        return await self._interview.speculate(text, turn, on_first=self._prepare, unsure=unsure)

    async def _made(self, pending: _Pending) -> Speculation | None:
        """The guess, or None when it failed: then the turn itself gets its chance."""
        try:
            speculation = await pending.making
        except Exception as error:  # noqa: BLE001 - a guess may fail in any way; the turn shows whether it matters
            _log.warning("turn %d could not be guessed: %s", pending.turn, error)
            return None
        if speculation.has_failed:
            await self._interview.drop(speculation)
            return None
        return speculation

    async def _drop(self, pending: _Pending) -> None:
        pending.making.cancel()
        try:
            await self._interview.drop(await pending.making)
        except asyncio.CancelledError:
            _log.debug("the guess at turn %d was let go before it began", pending.turn)
        except Exception as error:  # noqa: BLE001 - as above
            _log.warning("the guess at turn %d could not be let go: %s", pending.turn, error)
