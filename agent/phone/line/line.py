"""Line: takes calls and makes them, each in a room of its own."""

from __future__ import annotations

import asyncio
import logging
import random

from agent.phone.line.exchange import Exchange, MakeRoom
from agent.phone.line.incoming import Incoming
from agent.phone.line.options import LineOptions
from agent.phone.line.outcomes import PlacedCall
from agent.phone.line.outgoing import Outgoing, Wish
from agent.phone.line.registrar import Registrar
from agent.phone.line.screening import Screening
from agent.phone.line.status import LineStatus
from agent.phone.line.transport import GuardedTransport
from agent.phone.line.user_agent import UserAgent

_log = logging.getLogger(__name__)

USER_AGENT = "Viva"


class Line:
    """The telephone line. `start` it, and `stop` it in any case."""

    def __init__(self, options: LineOptions, make_room: MakeRoom, *, rng: random.Random) -> None:
        self._options = options
        self.exchange = Exchange(options, make_room, rng)
        """The calls, and the sentences they get to hear."""
        self.transport = GuardedTransport(options.bind)
        self.agent = UserAgent(self.transport, options.advertised, USER_AGENT)
        self.registrars = tuple(
            Registrar(self.agent.uac, account, options.advertised, rng, USER_AGENT) for account in options.accounts
        )
        self.screening = Screening(options, registrars=self._registrar_hosts)
        self._incoming = Incoming(self.exchange, self.agent)
        self._outgoing = Outgoing(self.exchange, self.agent, self.registrars)
        self._listen()

    async def start(self) -> None:
        """Listen and register. Raises `OSError` if the port is taken or the address is not of this machine."""
        await self.agent.start()
        for registrar in self.registrars:
            registrar.start()
        _log.info("the line listens at %s:%d (UDP)", *self._options.bind)

    async def stop(self) -> None:
        """End all calls, take registrations back, and let go of everything."""
        await self.exchange.stop()
        await asyncio.gather(*(registrar.stop() for registrar in self.registrars))
        await self.agent.stop()

    async def place_call(self, number: str, account: str | None = None, *, booking: str | None = None) -> PlacedCall:
        """Call somebody, and hold the call once they pick up; see `agent/phone/line/outgoing.py`."""
        return await self._outgoing.place(Wish(number, account, booking))

    def status(self) -> LineStatus:
        """What there is, for `viva phone status`."""
        return LineStatus(
            address=f"{self._options.bind[0]}:{self._options.bind[1]}",
            calls_at_once=self._options.calls_at_once,
            calls=tuple(held.call.status for held in self.exchange.held.values() if held.call is not None),
            registrations=tuple(registrar.status for registrar in self.registrars),
            refused=self.screening.refused,
            passed_over=self.screening.passed_over,
            junk=self.transport.junk,
        )

    def _listen(self) -> None:
        agent, end = self.agent, self.exchange.end
        self.transport.admits = self.screening.admits
        agent.screen = self.screening.refusal
        agent.on_call = self._incoming.take
        agent.on_offer = self.exchange.agree
        agent.on_key = self.exchange.press
        agent.on_bye = lambda call, _request: end(call.call_id, "the telephone has hung up")
        agent.on_cancel = lambda request, _address: end(request.call_id or "", "the caller gave up")
        agent.on_ack_timeout = lambda call: end(call.call_id, "the telephone did not confirm it")
        agent.on_session_expired = lambda call: end(call.call_id, "its session has expired")
        agent.on_lost = lambda call_id: end(call_id, "the telephone does not know it any more")

    def _registrar_hosts(self) -> set[str]:
        return {registrar.server[0] for registrar in self.registrars if registrar.server is not None}
