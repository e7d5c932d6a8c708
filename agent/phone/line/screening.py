"""Screening: whether a new call is taken, before anything is kept of it."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Collection

from aiosipua.message import SipRequest

from agent.phone.line.digest import DigestCheck
from agent.phone.line.options import LineOptions
from agent.phone.line.rates import InviteRate
from agent.phone.line.sound_offer import OfferError, read_offer
from agent.phone.line.transactions import Address
from agent.phone.line.user_agent import Refusal

_SUPPORTED = frozenset({"timer"})
"""Extensions that may be required (RFC 4028)."""


class Screening:
    """Decides about new calls, by who calls and what they want."""

    def __init__(
        self,
        options: LineOptions,
        *,
        registrars: Callable[[], Collection[str]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._options = options
        self._registrars = registrars
        self._clock = clock
        self._rate = InviteRate(options.invites_per_s, clock())
        self._digest = DigestCheck(options.users)
        self.refused = 0
        """Calls that were refused."""
        self.passed_over = 0
        """Calls that were not looked at, because too many came at once."""

    def admits(self, request: SipRequest, source: Address) -> bool:
        """Whether a request is looked at. One too many is not even answered: its telephone asks again."""
        to = request.to_addr
        if request.method != "INVITE" or (to is not None and to.tag):
            return True
        if self._rate.allows(source[0], self._clock()):
            return True
        self.passed_over += 1
        return False

    def refusal(self, request: SipRequest, source: Address) -> Refusal | None:
        """Why a new call is not taken; None when it is."""
        refusal = self._of_caller(request, source) or self._of_wishes(request)
        if refusal is not None:
            self.refused += 1
        return refusal

    def _of_caller(self, request: SipRequest, source: Address) -> Refusal | None:
        if source[0] in self._registrars():
            return None  # A PBX passes on calls of its users under its own name, and knows them.
        if not self._is_allowed(source[0]):
            return Refusal(403, "Forbidden")
        if not self._digest.wanted:
            return None
        now, shown = self._clock(), request.headers.get_first("authorization") or ""
        if self._digest.is_right(shown, request.method, source[0], now):
            return None
        challenge = self._digest.challenge(source[0], now, stale=self._digest.is_old(shown, source[0], now))
        return Refusal(401, "Unauthorized", {"WWW-Authenticate": challenge})

    def _is_allowed(self, host: str) -> bool:
        networks = self._options.networks
        return not networks or any(ipaddress.IPv4Address(host) in network for network in networks)

    def _of_wishes(self, request: SipRequest) -> Refusal | None:
        required = {value.strip().lower() for value in request.headers.get("require")}
        if unknown := sorted(required - _SUPPORTED):
            return Refusal(420, "Bad Extension", {"Unsupported": ", ".join(unknown)})
        try:
            read_offer(request.text, self._options.codecs)
        except OfferError as error:
            reason = str(error).replace('"', "'").replace("\r", " ").replace("\n", " ")
            return Refusal(488, "Not Acceptable Here", {"Warning": f'399 viva "{reason}"'})
        return None
