"""Incoming calls: picked up one after the other, up to as many as there may be."""

from __future__ import annotations

import logging

from aiosipua.incoming_call import IncomingCall

from agent.phone.line.call import Room
from agent.phone.line.caller import Caller
from agent.phone.line.exchange import Exchange, Held
from agent.phone.line.legs import IncomingLeg
from agent.phone.line.media import CallMedia
from agent.phone.line.silent_room import SilentRoom
from agent.phone.line.sound_offer import OfferError, SoundAgreement, read_offer
from agent.phone.line.user_agent import UserAgent

_log = logging.getLogger(__name__)

_TURNED_AWAY_AT_ONCE = 2
"""So many callers too many are told so by a sentence; those after them by the busy tone alone."""
_BUSY, _NO_PORT, _NO_SOUND = 486, 503, 488


class Incoming:
    """Takes calls."""

    def __init__(self, exchange: Exchange, agent: UserAgent) -> None:
        self._exchange = exchange
        self._agent = agent

    def take(self, incoming: IncomingCall) -> None:
        """Somebody calls."""
        exchange, leg = self._exchange, IncomingLeg(self._agent, incoming)
        is_full = exchange.places_taken >= exchange.options.calls_at_once
        if is_full and len(exchange.held) - exchange.places_taken >= _TURNED_AWAY_AT_ONCE:
            leg.refuse(_BUSY)
            return
        held = Held(leg, is_turned_away=is_full)
        exchange.hold(held, self._hold(held, leg))

    async def _hold(self, held: Held, leg: IncomingLeg) -> None:
        exchange = self._exchange
        leg.ring()
        try:
            agreement = read_offer(leg.offer, exchange.options.codecs)
            media = await CallMedia.open(agreement, exchange.options.bind[0], leg.host, exchange.ports)
        except (OfferError, OSError, RuntimeError) as error:
            _log.warning("a call cannot be taken: %s", error)
            leg.refuse(_NO_SOUND if isinstance(error, OfferError) else _NO_PORT)
            return
        call = exchange.connect(held, media, agreement, self._room(held, leg, agreement, media.sample_rate))
        await call.ring()
        if held.ended.is_set():
            return
        leg.answer(exchange.answer(held, leg.offer, agreement))
        if held.is_turned_away:
            await call.turn_away("busy")
        else:
            await call.run()

    def _room(self, held: Held, leg: IncomingLeg, agreement: SoundAgreement, rate_hz: int) -> Room:
        if held.is_turned_away:
            return SilentRoom()
        caller = Caller(
            call_id=leg.call_id, number=leg.number, dialled=leg.dialled, codec=agreement.codec, address=leg.host
        )
        return self._exchange.make_room(caller, rate_hz)
