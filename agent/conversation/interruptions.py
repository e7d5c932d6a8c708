"""Interruption timing: when the interviewer stops and goes on, by what it is saying and how fast the machine hears."""

from __future__ import annotations

from collections import deque

from livekit.agents import AgentSession, ConversationItemAddedEvent

from agent.conversation.barge_in import interrupts_after_s, resumes_after_s
from agent.conversation.playback import SpokenLine

_DELAYS = 3
"""The words of so many turns tell how long they take now."""


class InterruptionTiming:
    """Sets when the interviewer stops and when it goes on, anew with each line.

    Args:
        session: the session whose options they are.
    """

    def __init__(self, session: AgentSession[None]) -> None:
        self._session = session
        self._delays_s: deque[float] = deque(maxlen=_DELAYS)

    def line_started(self, line: SpokenLine) -> None:
        """Set them for this line."""
        interruption = self._session.options.interruption
        interruption["min_duration"] = interrupts_after_s(line.say.kind)
        interruption["false_interruption_timeout"] = resumes_after_s(self._delays_s)

    def item_added(self, event: ConversationItemAddedEvent) -> None:
        """Learn how long the words of a turn took."""
        delay_s = getattr(event.item, "metrics", {}).get("transcription_delay")
        if isinstance(delay_s, float):
            self._delays_s.append(delay_s)
