"""Watches for silence in the room and says something gentle, or ends an interview that nobody is in any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from livekit.agents import AgentSession

from agent.silence import SilencePolicy, SilenceStep

_CHECK_EVERY_S = 0.5


class SilenceWatch:
    """Counts how long neither side has spoken.

    Args:
        session: the conversation.
        say: speaks one of the situations of `presence.md`.
        end: ends the interview.
        clock: seconds since the epoch.
        policy: the limits that hold now; they depend on what was asked.
    """

    def __init__(
        self,
        session: AgentSession[None],
        say: Callable[[SilenceStep], None],
        end: Callable[[], Awaitable[None]],
        clock: Callable[[], float],
        policy: Callable[[], SilencePolicy] = SilencePolicy,
    ) -> None:
        self._session = session
        self._say = say
        self._end = end
        self._clock = clock
        self._policy = policy
        self._quiet_since = clock()
        self._said: frozenset[SilenceStep] = frozenset()
        self._stopped = False

    def stop(self) -> None:
        """From now on silence is what is wanted: goodbye is being said."""
        self._stopped = True

    def somebody_spoke(self) -> None:
        """A candidate's word or a line of the interview was heard: a new silence begins now."""
        self._quiet_since = self._clock()
        self._said = frozenset()

    async def watch(self) -> None:
        """Run until stopped or cancelled, or until the interview was ended."""
        while True:
            await asyncio.sleep(_CHECK_EVERY_S)
            if self._stopped:
                return
            if self._session.user_state == "speaking" or self._session.agent_state == "thinking":
                self.somebody_spoke()
            if self._session.agent_state != "listening":
                continue
            match self._policy().step(self._clock() - self._quiet_since, self._said):
                case "wait":
                    continue
                case "end":
                    await self._end()
                    return
                case step:
                    self._said |= {step}
                    self._say(step)
