"""Source lock: whose packets a call takes. A telephone behind a router sends from another address than it announces, so
the first that sends is followed; but once it is found, no stranger is.
"""

from __future__ import annotations

from agent.phone.line.transactions import Address


class SourceLock:
    """Holds on to the first source that fits, until the telephones agree on another place (re-INVITE)."""

    def __init__(self, announced: Address, *, signalling_host: str) -> None:
        self._announced = announced
        self._signalling_host = signalling_host
        self._source: Address | None = None

    @property
    def source(self) -> Address | None:
        """Where the packets of this call come from; None before the first."""
        return self._source

    def takes(self, source: Address) -> bool:
        """Whether a packet from there belongs to this call; the first that does is held on to.

        What was agreed on wins over what fits better by its host, and that over anybody: so whoever guesses the port
        and is quicker than the telephone is put out by its first packet.
        """
        if self._source is None or self._fit(source) > self._fit(self._source):
            self._source = source
        return source == self._source

    def announce(self, announced: Address) -> None:
        """The telephones agreed anew on where the other end is."""
        if announced != self._announced:
            self._announced = announced
            self._source = None

    def _fit(self, source: Address) -> int:
        if source == self._announced:
            return 2
        return 1 if source[0] in {self._announced[0], self._signalling_host} else 0
