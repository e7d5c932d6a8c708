"""Notices for the record of a room: what is slow, what fails, and what keeps the candidate from being heard."""

from __future__ import annotations

import logging
from collections.abc import Callable

from livekit.agents import AgentSession, ConversationItemAddedEvent, ErrorEvent

from agent.observability.metrics import VOICE_STAGES
from domain.events import Event, ProblemNoticed, StageTimed
from speech import OtherLanguage

_log = logging.getLogger(__name__)


class Notices:
    """Puts what happens in a room into the words of the record.

    Args:
        record: takes events.
        clock: seconds since the epoch.
        turn: number of the candidate's turn now.
    """

    def __init__(self, record: Callable[[Event], None], clock: Callable[[], float], turn: Callable[[], int]) -> None:
        self._record = record
        self._clock = clock
        self._turn = turn

    def problem(self, what: str, advice: str) -> None:
        """Something is not as it should be."""
        self._record(ProblemNoticed(at=self._clock(), what=what, advice=advice))

    def latencies(self, event: ConversationItemAddedEvent) -> None:
        """How long each stage of hearing and speaking took."""
        metrics = getattr(event.item, "metrics", {})
        for name in VOICE_STAGES:
            if isinstance(seconds := metrics.get(name), float):
                self._record(StageTimed(at=self._clock(), turn=self._turn(), stage=name, seconds=round(seconds, 4)))

    def error(self, event: ErrorEvent) -> None:
        """A part of the session failed."""
        # LiveKit's own error repeats the words of the one inside it.
        _log.error("%s: %s", type(event.source).__name__, getattr(event.error, "error", event.error))
        self.problem(
            f"{type(event.source).__name__} failed: {event.error}",
            "The interview goes on. If it happens again, run `viva doctor`.",
        )

    def other_language(self, other: OtherLanguage) -> None:
        """The candidate speaks another language than the recogniser listens for."""
        self.problem(
            f"The candidate speaks another language ({other.spoken}) than the interview's ({other.expected}).",
            "Set `language` to the one that is spoken, or to auto, for the next interview.",
        )

    def echo(self, session: AgentSession[None]) -> None:
        """The microphone hears the loudspeaker: from now on words, and not sounds, interrupt the interviewer."""
        interruption = session.options.interruption
        if not interruption["min_words"]:
            interruption["min_words"] = 1
            self.problem(
                "The candidate's microphone hears the interviewer.",
                "The interview goes on. Headphones, or a browser that cancels echo, make it smoother.",
            )
