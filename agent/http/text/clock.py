"""Clock of an interview by text: the machine's, or one that only the client moves."""

from __future__ import annotations

from collections.abc import Callable


class SessionClock:
    """Seconds since the epoch, for everything that happens in one session.

    Virtual time begins where the interview began and stands still until an answer says how long it took. It is kept
    nowhere: every event of the record is written in it, so after a restart it goes on from the last event.

    Args:
        clock: the machine's.
        virtual_now: what time it is in virtual time; None for real time.
    """

    def __init__(self, clock: Callable[[], float], virtual_now: float | None) -> None:
        self._clock = clock
        self._virtual_now = virtual_now

    def __call__(self) -> float:
        """What time it is."""
        return self._clock() if self._virtual_now is None else self._virtual_now

    def advance(self, seconds: float) -> None:
        """Let virtual time pass; real time passes by itself."""
        if self._virtual_now is not None:
            self._virtual_now += seconds
