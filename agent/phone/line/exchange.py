"""Exchange: the calls that are held, by their ids, and what all of them share."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from aiosipua.sdp import SdpMessage

from agent.phone.line.call import Call, Room
from agent.phone.line.caller import Caller
from agent.phone.line.comfort_noise import ComfortNoise
from agent.phone.line.legs import Leg
from agent.phone.line.media import CallMedia, RtpPorts
from agent.phone.line.options import LineOptions
from agent.phone.line.sentences import Sentence, SpokenSentences
from agent.phone.line.sound_offer import OfferError, SoundAgreement, answer_to, read_offer

_log = logging.getLogger(__name__)

_STOP_S = 5.0

MakeRoom = Callable[[Caller, int], Room]
"""Gives the room for a caller, at the sample rate of their telephone (Hz)."""


@dataclass(slots=True)
class Held:
    """A call that is held, or will be in a moment."""

    leg: Leg
    is_turned_away: bool = False
    """Whether it only gets a sentence."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    call: Call | None = None
    answers: int = 0
    """How often sound was agreed on."""


class Exchange:
    """Holds calls."""

    def __init__(self, options: LineOptions, make_room: MakeRoom, rng: random.Random) -> None:
        self.options = options
        self.make_room = make_room
        self.ports = RtpPorts(options.ports, rng)
        self.sentences = SpokenSentences({})
        self._noise = ComfortNoise(rng) if options.comfort_noise else None
        self.held: dict[str, Held] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def places_taken(self) -> int:
        """Calls that count for `phone_calls_at_once`."""
        return sum(not held.is_turned_away for held in self.held.values())

    def hold(self, held: Held, work: Coroutine[Any, Any, None]) -> None:
        """Hold a call for as long as something is done for it; then it is over."""
        self.held[held.leg.call_id] = held
        task = asyncio.get_running_loop().create_task(self._hold(held, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _hold(self, held: Held, work: Coroutine[Any, Any, None]) -> None:
        try:
            try:
                await work
            finally:
                if held.call is not None:
                    await held.call.close()
                else:
                    held.leg.hang_up()
        except Exception:  # noqa: BLE001 (the edge of a call: no other one ends with it)
            _log.exception("a call broke off")
        finally:
            self.held.pop(held.leg.call_id, None)

    def connect(self, held: Held, media: CallMedia, agreement: SoundAgreement, room: Room) -> Call:
        """Make the call of what it consists of."""
        held.call = Call(
            held.leg, media, agreement, room,
            sentences=self._sound_of, noise=self._noise, limits=self.options.limits, ended=held.ended,
        )  # fmt: skip
        return held.call

    def _sound_of(self, sentence: Sentence, rate_hz: int) -> bytes:
        # Looked up when it is to be said: the voice may have been loaded after the call began.
        return self.sentences.of(sentence, rate_hz)

    def answer(self, held: Held, offer: str, agreement: SoundAgreement) -> SdpMessage:
        """Our answer to an offer. Raises `OfferError`."""
        assert held.call is not None
        held.answers += 1
        return answer_to(offer, agreement, self.options.advertised[0], held.call.media.port, held.answers)

    def agree(self, call_id: str, text: str) -> SdpMessage | None:
        """Take a new offer in a call; None if there is no such call, or it cannot be agreed to."""
        held = self.held.get(call_id)
        if held is None or held.call is None:
            return None
        try:
            agreement = read_offer(text, [held.call.media.codec_name])
            answer = self.answer(held, text, agreement)
        except OfferError:
            return None
        held.call.agree(agreement)
        return answer

    def press(self, call_id: str, digit: str) -> None:
        """A key was told of by SIP INFO."""
        held = self.held.get(call_id)
        if held is not None and held.call is not None:
            held.call.press(digit, "INFO")

    def end(self, call_id: str, why: str) -> None:
        """A call is over at its telephone's side."""
        held = self.held.get(call_id)
        if held is not None:
            if held.call is not None:
                held.call.end(why)
            held.ended.set()

    async def stop(self) -> None:
        """End all calls."""
        for call_id in list(self.held):
            self.end(call_id, "the line is stopped")
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_STOP_S)
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
