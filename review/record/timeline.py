"""Time line of an interview: second 0 is the first sample of its recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.events import (
    Event,
    InterviewCreated,
    NoteTaken,
    RecordingFinished,
    RecordingStarted,
    VerdictContested,
)
from domain.vocabulary import Medium


@dataclass(frozen=True, slots=True)
class TimeLine:
    """Turns times of the clock into seconds of the recording."""

    origin_at: float
    """Second 0, in seconds since the epoch."""
    recorded: bool
    """False when there is no recording; the first event is second 0 then."""
    ends_at: float
    """End of the finished recording or, without one, the last event; in seconds since the epoch."""
    medium: Medium = "voice"

    @property
    def duration_s(self) -> float:
        """Length of the time line."""
        return self.seconds(self.ends_at)

    def seconds(self, at: float) -> float:
        """The second of the recording at a time of the clock: never before its start, and to the millisecond."""
        return round(max(0.0, at - self.origin_at), 3)

    def place(self, at: float) -> float | None:
        """The second at which something was said; None in an interview by text, where nothing sounds."""
        return None if self.medium == "text" else self.seconds(at)


def medium_of(events: Sequence[Event]) -> Medium:
    """How the interview was held."""
    return next((event.medium for event in events if isinstance(event, InterviewCreated)), "voice")


def time_line(events: Sequence[Event]) -> TimeLine:
    """The time line that an interview's events lie on: the finished recording's, else the first piece's."""
    medium = medium_of(events)
    finished = [event for event in events if isinstance(event, RecordingFinished)]
    if finished:
        last = finished[-1]
        return TimeLine(last.started_at, recorded=True, ends_at=last.started_at + last.duration_s, medium=medium)
    pieces = [event.at for event in events if isinstance(event, RecordingStarted)]
    # A verdict may be contested days later, and a note written: that is no part of the interview.
    times = [event.at for event in events if not isinstance(event, VerdictContested | NoteTaken)]
    origin_at = min(pieces or times, default=0.0)
    return TimeLine(origin_at, recorded=bool(pieces), ends_at=max(times, default=0.0), medium=medium)
