"""Standstill of an interview: the time in which it waited for a candidate on the phone, which is not theirs to lose.

The time budget goes on while somebody thinks, and stands still while they are on hold, have paused the interview, or
have lost the line and not called again yet.
"""

from __future__ import annotations

from domain.events import CallBegan, Event, HoldBegan, HoldEnded


class Standstill:
    """Adds up how long an interview stood still, from its events in their order."""

    def __init__(self) -> None:
        self._before_s = 0.0
        self._since: float | None = None
        """When it stopped, seconds since the epoch; None while it goes on."""
        self._last_at: float | None = None

    def event(self, event: Event) -> None:
        """Follow the interview by one event."""
        match event:
            case HoldBegan() if self._since is None:
                self._since = event.at
            case HoldEnded():
                self._go_on(event.at)
            case CallBegan(again=True):
                # Whether the caller or the worker was gone: nothing happened since the last event.
                self._since = self._last_at if self._since is None else self._since
                self._go_on(event.at)
            case _:
                pass
        self._last_at = max(event.at, self._last_at or event.at)

    def _go_on(self, at: float) -> None:
        if self._since is not None:
            self._before_s += max(0.0, at - self._since)
        self._since = None

    def seconds(self, now: float) -> float:
        """How long it stood still so far, in seconds, at a time in seconds since the epoch."""
        return self._before_s + (max(0.0, now - self._since) if self._since is not None else 0.0)
