"""Driver of an interview: what a run needs of whoever drives it, by voice, by text or by phone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.interviews.failed_turn import Account, FailedTurn
from agent.interviews.steps import Manners
from domain.events import AnswerTaken, Event, Word
from domain.topic_wish import TopicWish, no_wish

if TYPE_CHECKING:
    from domain.say import Say


@dataclass(frozen=True, slots=True)
class Driver:
    """What a run needs of whoever drives it."""

    manners: Manners
    """What the medium lets a candidate do."""
    record: Callable[[Event], None]
    """Takes events."""
    clock: Callable[[], float]
    """Seconds since the epoch."""
    tell: Callable[[FailedTurn], Account]
    """Puts a failure into the medium's words."""
    stood_still_s: Callable[[], float] = lambda: 0.0
    """How long the interview stood still so far, seconds."""
    accept: Callable[[AnswerTaken], Awaitable[None]] | None = None
    """Records an answer before the graph gets it, or raises: then it was not taken. By default it is recorded soon."""
    topic_wish: Callable[[], Awaitable[TopicWish | None]] = no_wish
    """The last wish of whoever watches for a topic to ask about."""


def _as_it_is(says: AsyncIterator[Say], _: AnswerTaken) -> AsyncIterator[Say]:
    return says


@dataclass(frozen=True, slots=True)
class Hooks:
    """What a driver may have done on the way; by default nothing."""

    around: Callable[[AsyncIterator[Say], AnswerTaken], AsyncIterator[Say]] = _as_it_is
    """May say something before what is said to an answer."""
    went_on: Callable[[Sequence[Word], Sequence[Word]], None] = lambda _, __: None
    """Told the words of a turn that was not over, and those that followed."""
    prepare: Callable[[Say], None] = lambda _: None
    """Told what may be said next."""
    ask_patience: Callable[[int], Say] | None = None
    """What to say while a person looks at a turn. Without it, the driver comes back when they have."""
    released: Callable[[int], Awaitable[None]] | None = None
    """Returns when a person has looked at the turn of this number."""
