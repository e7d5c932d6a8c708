"""PINs as the reception sees them: it asks whether one is right, and says when an interview was begun with it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from agent.interviews.creation import Wish


@runtime_checkable
class Grant(Protocol):
    """What a PIN stands for."""

    @property
    def id(self) -> str:
        """Of the grant; not the PIN."""
        ...

    @property
    def wish(self) -> Wish:
        """What the interview is to be like."""
        ...

    @property
    def interview_id(self) -> str | None:
        """The last interview that was begun with it."""
        ...


class Refusal(Protocol):
    """A PIN that does not count."""

    @property
    def wait_s(self) -> float:
        """How long this caller's tries are refused from now on, in seconds; 0: another try may be made at once."""
        ...


class Pins(Protocol):
    """Whatever keeps the PINs. Its methods read and write files: they are called in threads."""

    def check(self, pin: str, *, caller: str, address: str, now: float) -> Grant | Refusal:
        """What a PIN stands for; a wrong one counts as a try.

        Args:
            pin: the digits.
            caller: the caller's number, as it says itself; empty when it is withheld.
            address: where the call came from; empty when that is not known.
            now: seconds since the epoch.
        """
        ...

    def used(self, grant_id: str, interview_id: str, now: float) -> None:
        """An interview was begun with it."""
        ...

    def booked(self, booking_id: str) -> Grant | None:
        """What the interview is to be that somebody is called for; None when there is no such booking any more."""
        ...


class Refused:
    """The answer to every PIN where there is no store of them."""

    wait_s = 0.0


class NoPins:
    """Where nobody has made a PIN."""

    def check(self, pin: str, *, caller: str, address: str, now: float) -> Refused:  # noqa: ARG002 - see `Pins`
        """No PIN is right."""
        return Refused()

    def used(self, grant_id: str, interview_id: str, now: float) -> None:
        """Nothing can be used."""

    def booked(self, booking_id: str) -> None:
        """Nobody is called."""
