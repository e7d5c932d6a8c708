"""Silence: when to say something gentle, and when to end an interview that nobody is in any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from livekit.agents import AgentSession

_CHECK_EVERY_S = 0.5


SilenceStep = Literal["wait", "nudge", "offer", "end"]

_SHORT_WORDS, _LONG_WORDS = 8, 45
"""Answers of so few words need no thought; answers of so many, stories and designs, need a plan."""


@dataclass(frozen=True, slots=True)
class SilencePolicy:
    """Limits in seconds since either side last made a sound. People think for a while before they answer well."""

    nudge_s: float = 15.0
    """A gentle "take your time", once for each question."""
    offer_s: float = 40.0
    """An offer to skip or repeat, once for each question."""
    end_s: float = 90.0
    """Nobody is there, or their microphone is dead."""

    def step(self, silent_s: float, said: frozenset[SilenceStep]) -> SilenceStep:
        """What to do now.

        Args:
            silent_s: how long neither side has spoken, not counting what this policy had said.
            said: what was already said about this silence.
        """
        if silent_s >= self.end_s:
            return "end"
        if silent_s >= self.offer_s and "offer" not in said:
            return "offer"
        if silent_s >= self.nudge_s and not said:
            return "nudge"
        return "wait"


def policy_for(expected_words: int, patience: float = 1.0) -> SilencePolicy:
    """The limits after a question.

    Args:
        expected_words: how many words a full answer to it has, about.
        patience: a factor on all limits.
    """
    if expected_words <= _SHORT_WORDS:
        limits = SilencePolicy(nudge_s=10.0, offer_s=25.0)
    elif expected_words >= _LONG_WORDS:
        limits = SilencePolicy(nudge_s=20.0, offer_s=50.0)
    else:
        limits = SilencePolicy()
    return SilencePolicy(limits.nudge_s * patience, limits.offer_s * patience, limits.end_s * patience)


class SilenceWatch:
    """Counts how long neither side has spoken.

    Args:
        session: the conversation.
        say: speaks one of the situations of `phrases.md`.
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
        self.on_hold = False
        """The candidate is not there to be spoken to, and will be back: their silence is none."""

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
            if self.on_hold or self._session.user_state == "speaking" or self._session.agent_state == "thinking":
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
