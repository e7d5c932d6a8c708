"""State of a run: what all its steps work on. Where the interview is stands in its `Life`, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.interviews.driver import Driver, Hooks
from agent.interviews.life import Life, after
from agent.interviews.speculation import Speculator

if TYPE_CHECKING:
    from agent.interviews.life_events import LifeEvent
    from domain.events import Event
    from domain.say import Say
    from graph import Interview


class RunState:
    """An interview's thread, its driver, and its life, which changes by events only.

    Args:
        interview: the graph's thread.
        driver: who drives it.
    """

    def __init__(self, interview: Interview, driver: Driver) -> None:
        self.interview = interview
        self.driver = driver
        self.hooks = Hooks()
        self.speculator = Speculator(interview, self._prepare)
        self._life = Life(asked=not driver.manners.barge_in)

    @property
    def life(self) -> Life:
        """Where it is."""
        return self._life

    @property
    def turn(self) -> int:
        """Number of the candidate's turn that is going on or was last; 0 before the first."""
        return self._life.turn.number

    def on(self, event: LifeEvent) -> None:
        """Go where the event leads."""
        self._life = after(self._life, event)

    def record(self, event: Event) -> None:
        """Record an event."""
        self.driver.record(event)

    def _prepare(self, say: Say) -> None:
        self.hooks.prepare(say)
