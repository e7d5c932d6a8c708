"""Outgoing calls: dialled through an account, and held like those that come in."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from aiosipua.auth import SipDigestAuth
from aiosipua.outgoing_call import OutgoingCall
from aiosipua.sdp import serialize_sdp

from agent.phone.line.caller import Caller
from agent.phone.line.exchange import Exchange, Held
from agent.phone.line.legs import OutgoingLeg
from agent.phone.line.media import CallMedia
from agent.phone.line.outcomes import PlacedCall, outcome_of
from agent.phone.line.registrar import Registrar, look_up
from agent.phone.line.setting_values import Account
from agent.phone.line.sound_offer import OfferError, SoundAgreement, own_offer, read_answer
from agent.phone.line.transactions import Address
from agent.phone.line.user_agent import SESSION_S, UserAgent

RING_S = 45.0
"""How long it rings at most."""
_NUMBER = re.compile(r"[0-9A-Za-z*#+][0-9A-Za-z*#+._-]{0,63}")
_NOBODY = 487


@dataclass(frozen=True, slots=True)
class Wish:
    """Whom to call."""

    number: str
    """What is dialled."""
    account: str | None = None
    """The extension by which it is called, as `user` or `sip:user@domain`; without it the first of `phone_accounts`."""
    booking: str | None = None
    """Id of a booking, which the interviewer gets."""


class CannotCall(RuntimeError):  # noqa: N818 (what became of a call, and no fault of the program)
    """A call could not be placed; `outcome` says why."""

    def __init__(self, outcome: PlacedCall) -> None:
        super().__init__(outcome.sentence)
        self.outcome = outcome


class Outgoing:
    """Makes calls."""

    def __init__(
        self, exchange: Exchange, agent: UserAgent, registrars: Sequence[Registrar], *, ring_s: float = RING_S
    ) -> None:
        self._exchange = exchange
        self._agent = agent
        self._registrars = registrars
        self._ring_s = ring_s

    async def place(self, wish: Wish) -> PlacedCall:
        """Call somebody, and hold the call once they, or an answering machine, pick up.

        Returns:
            What became of it, once it is answered or has failed.
        """
        try:
            account = self._account(wish)
            server, media = await self._prepare(account)
            await self._call(wish, account, server, media)
        except CannotCall as error:
            return error.outcome
        return PlacedCall(outcome="answered", sentence="Somebody picked up.", status=200)

    def _account(self, wish: Wish) -> Account:
        for registrar in self._registrars:
            account = registrar.account
            if wish.account in {None, account.user, account.address}:
                break
        else:
            wanted = f"no account {wish.account}" if wish.account else "no account"
            raise CannotCall(_failed(f"The setting phone_accounts has {wanted} to call by."))
        if not _NUMBER.fullmatch(wish.number):
            sentence = "A number may have digits, letters, * # + . _ and -."
            raise CannotCall(PlacedCall(outcome="unknown-number", sentence=sentence))
        if self._exchange.places_taken >= self._exchange.options.calls_at_once:
            raise CannotCall(_failed("All lines are busy (phone_calls_at_once)."))
        return account

    async def _prepare(self, account: Account) -> tuple[Address, CallMedia]:
        options = self._exchange.options
        try:
            server = await look_up(account.server)
        except OSError:
            sentence = f"{account.server[0]} has no IPv4 address that can be found."
            raise CannotCall(PlacedCall(outcome="unreachable", sentence=sentence)) from None
        before = SoundAgreement(options.codecs[0], None, server, is_sending=True, is_listening=True)
        try:
            return server, await CallMedia.open(before, options.bind[0], server[0], self._exchange.ports)
        except (OSError, RuntimeError) as error:
            raise CannotCall(_failed(f"There is no port for its sound: {error}.")) from None

    async def _call(self, wish: Wish, account: Account, server: Address, media: CallMedia) -> None:
        exchange, options = self._exchange, self._exchange.options
        async with AsyncExitStack() as undo:
            undo.push_async_callback(media.close)
            ringing = self._agent.uac.send_invite(
                account.address, f"sip:{wish.number}@{account.domain}", server,
                own_offer(options.codecs, options.advertised[0], media.port, 1),
                user_agent=self._agent.user_agent,
                auth=SipDigestAuth(account.login, account.password),
                session_expires=SESSION_S,
            )  # fmt: skip
            held = exchange.held[ringing.call_id] = Held(OutgoingLeg(self._agent, ringing), answers=1)
            undo.callback(exchange.held.pop, ringing.call_id, None)
            undo.callback(held.leg.hang_up)
            ringing.on_session_expired = lambda call: exchange.end(call.call_id, "its session has expired")
            agreement = await self._picked_up(ringing, held)
            undo.pop_all()
        media.settle(agreement)
        caller = Caller(
            call_id=ringing.call_id, number=wish.number, dialled=account.user,
            codec=media.codec_name, booking=wish.booking,
        )  # fmt: skip
        call = exchange.connect(held, media, agreement, exchange.make_room(caller, media.sample_rate))
        exchange.hold(held, call.run())

    async def _picked_up(self, ringing: OutgoingCall, held: Held) -> SoundAgreement:
        # Not its own `wait_answered`, which tells the code of a refusal in a sentence only.
        answered, rejected = ringing._answered, ringing._rejected  # noqa: SLF001
        waits = [asyncio.ensure_future(each.wait()) for each in (answered, rejected, held.ended)]
        try:
            await asyncio.wait(waits, timeout=self._ring_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()
        if rejected.is_set():
            raise CannotCall(outcome_of(ringing._reject_code))  # noqa: SLF001
        if not answered.is_set():
            raise CannotCall(outcome_of(_NOBODY))
        try:
            text = serialize_sdp(ringing.sdp_answer) if ringing.sdp_answer is not None else ""
            return read_answer(text, self._exchange.options.codecs)
        except OfferError as error:
            sentence = f"The telephone cannot be talked to: {error}."
            raise CannotCall(PlacedCall(outcome="no-sound", sentence=sentence)) from None


def _failed(sentence: str) -> PlacedCall:
    return PlacedCall(outcome="failed", sentence=sentence)
