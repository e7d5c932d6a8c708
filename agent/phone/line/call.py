"""Call: one telephone call from the moment it is picked up, between the telephone and the room.

One clock of 20 ms sends always, a sentence or the room or silence, so that the telephone never wonders whether somebody
is there; and it passes on what the telephone sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Protocol

from aiortp.clock import MediaClock

from agent.phone.call import CODEC, HOLD, JITTER_MS, LOSS
from agent.phone.line.comfort_noise import ComfortNoise
from agent.phone.line.keys import BothWays, Way
from agent.phone.line.legs import Leg
from agent.phone.line.media import FRAME_S, CallMedia
from agent.phone.line.sentences import Sentence
from agent.phone.line.sound_offer import SoundAgreement
from agent.phone.line.status import CallStatus
from agent.phone.line.watch import Action, CallInterviewer, CallWatch, Facts, HangUp, Join, Limits, RoomState, Say

_log = logging.getLogger(__name__)

_STEP_S = 0.2
_RING_S, _MORE_RINGS = 0.3, 4
_TELL_EVERY_S = 5.0
_DRAIN_S = 0.4
"""What the room said last is still in the buffers when the interviewer has ended the call."""
_AFTER_SENTENCE_S = 0.5


class Room(Protocol):
    """What a call needs of its room; see `agent/phone/line/room.py`."""

    @property
    def state(self) -> RoomState:
        """Where the call is."""
        ...

    @property
    def has_interviewer(self) -> bool:
        """Whether an interviewer is there."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether an interviewer has ended the call."""
        ...

    async def join(self) -> None:
        """Go into the room. Raises `RoomError`."""
        ...

    async def call_interviewer(self) -> None:
        """Ask for an interviewer."""
        ...

    async def leave(self) -> None:
        """Leave the room."""
        ...

    def put(self, pcm: bytes) -> None:
        """Pass on 20 ms of the caller."""
        ...

    def take(self) -> bytes:
        """The next 20 ms of the room."""
        ...

    def press(self, digit: str) -> None:
        """Pass on a key."""
        ...

    async def tell(self, attributes: Mapping[str, str]) -> None:
        """Set attributes of the participant."""
        ...


class Call:
    """A call that was picked up. `run` it, which ends by itself or by `end`, and `close` it in any case."""

    def __init__(
        self,
        leg: Leg,
        media: CallMedia,
        agreement: SoundAgreement,
        room: Room,
        *,
        sentences: Callable[[Sentence, int], bytes],
        noise: ComfortNoise | None,
        limits: Limits,
        ended: asyncio.Event,
    ) -> None:
        self.leg = leg
        self.media = media
        self._agreement = agreement
        self._room = room
        self._sentences = sentences
        self._noise = noise
        self._frames = 0
        self._limits = limits
        self._clock = MediaClock(FRAME_S, self._tick)
        self._began = self._expected_since = time.monotonic()
        self._keys = BothWays()
        self._said = b""
        self._silence = bytes(media.sample_rate // 50 * 2)
        self._ended = ended
        self._why = ""
        self._told: dict[str, str] = {}
        self._told_at = 0.0
        self._work: dict[str, asyncio.Task[None]] = {}
        media.on_key = lambda digit: self.press(digit, "RTP")

    @property
    def status(self) -> CallStatus:
        """How it is at the moment."""
        return CallStatus(
            id=short_id(self.leg.call_id),
            is_outgoing=self.leg.is_outgoing,
            seconds=round(time.monotonic() - self._began, 1),
            codec=self.media.codec_name,
            room=self._room.state,
            has_interviewer=self._room.has_interviewer,
            is_on_hold=self._agreement.is_on_hold,
            loss=round(self.media.quality().loss, 4),
        )

    def end(self, why: str) -> None:
        """The telephone's side has ended it, or the line is stopped."""
        self._why = self._why or why
        self._ended.set()

    def press(self, digit: str, way: Way) -> None:
        """A key was pressed."""
        if not self._agreement.is_on_hold and self._keys.is_new(digit, way, time.monotonic()):
            self._room.press(digit)

    def agree(self, agreement: SoundAgreement) -> None:
        """The telephone has other wishes about sound: hold, resume, another place."""
        self._agreement = agreement
        self._expected_since = time.monotonic()
        self.media.agree(agreement)
        self._told_at = 0.0  # whoever writes down what is said has to know at once

    async def ring(self) -> None:
        """Go into the room while it rings, for as long as a person would let it ring, or until the caller gives up."""
        self._start("join", self._room.join())
        await self._wait(_RING_S)
        for _ in range(_MORE_RINGS):
            if self._ended.is_set() or self._work["join"].done():
                break
            await self._wait(_RING_S)

    async def turn_away(self, sentence: Sentence) -> None:
        """Say a sentence, and nothing else."""
        self._clock.start()
        await self.say(sentence)
        await self._wait(_AFTER_SENTENCE_S)

    async def run(self) -> None:
        """Hold the call until it is over."""
        self._expected_since = time.monotonic()
        watch = CallWatch(self._expected_since, self._limits)
        self._clock.start()
        while not self._ended.is_set():
            if await self._act(watch.step(self._facts(), time.monotonic())):
                break
            await self._tell()
            await self._wait(_STEP_S)

    async def say(self, sentence: Sentence) -> None:
        """Say a sentence to its end, or until the call is over."""
        self._said = self._sentences(sentence, self.media.sample_rate)
        while self._said and not self._ended.is_set():
            await self._wait(2 * FRAME_S)

    def _facts(self) -> Facts:
        heard = max(self.media.heard_at or 0.0, self._expected_since)
        return Facts(
            room=self._room.state,
            has_interviewer=self._room.has_interviewer,
            is_over=self._room.is_over,
            since_heard_s=time.monotonic() - heard if self._agreement.is_sending else 0.0,
            suppresses_silence=self.media.suppresses_silence,
        )

    async def _act(self, actions: list[Action]) -> bool:
        """Do what the watch says; whether the call is over."""
        for action in actions:
            match action:
                case Say(sentence):
                    self._said = self._sentences(sentence, self.media.sample_rate)
                case CallInterviewer():
                    self._start("interviewer", self._room.call_interviewer())
                case Join():
                    self._start("join", self._room.join())
                case HangUp(why, sentence):
                    self._why = why
                    if sentence is not None:
                        await self.say(sentence)
                        await self._wait(_AFTER_SENTENCE_S)
                    else:
                        await self._wait(_DRAIN_S)
                    return True
        return False

    def _tick(self) -> None:
        size = len(self._silence)
        frame = self._room.take()
        if self._said:
            # The sentence wins; what the room says meanwhile is not kept for later.
            frame, self._said = self._said[:size].ljust(size, b"\0"), self._said[size:]
        if self._agreement.is_listening:
            self.media.send(self._with_noise(frame if len(frame) == size else self._silence))
        heard = self.media.tick_in()
        if self._agreement.is_sending:
            # Silence is passed on as well: whoever listens goes by a sound without gaps.
            self._room.put(heard if heard is not None else self._silence)

    def _with_noise(self, frame: bytes) -> bytes:
        self._frames += 1
        return frame if self._noise is None else self._noise.under(frame, self.media.sample_rate, self._frames)

    async def _tell(self) -> None:
        now = time.monotonic()
        if now - self._told_at < _TELL_EVERY_S or self._room.state != "inside":
            return
        attributes = self._attributes()
        if attributes != self._told:
            self._told, self._told_at = attributes, now
            await self._room.tell(attributes)

    def _attributes(self) -> dict[str, str]:
        quality = self.media.quality()
        return {
            CODEC: self.media.codec_name,
            HOLD: "" if self._agreement.is_sending else "1",
            LOSS: f"{quality.loss:.3f}",
            JITTER_MS: f"{quality.jitter_ms:.0f}",
        }

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside the call; the same thing is not begun again while it goes on."""
        before = self._work.get(name)
        if before is not None and not before.done():
            work.close()
            return
        task = self._work[name] = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(_told)

    async def _wait(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)

    async def close(self) -> None:
        """End the call at once, if it is not over, and let go of everything."""
        self.leg.hang_up()
        await self._clock.stop()
        for task in self._work.values():
            task.cancel()
        await asyncio.gather(*self._work.values(), return_exceptions=True)
        await self._room.tell(self._attributes())
        await self.media.close()
        await self._room.leave()
        quality = self.media.quality()
        _log.info(
            "call %s is over after %.0f s: %s; %s, %.1f%% of the packets lost, jitter %.0f ms",
            short_id(self.leg.call_id), time.monotonic() - self._began, self._why or "hung up",
            self.media.codec_name, 100 * quality.loss, quality.jitter_ms,
        )  # fmt: skip


def short_id(call_id: str) -> str:
    """A call's id as logs have it: nothing that a caller has chosen."""
    return hashlib.sha256(call_id.encode()).hexdigest()[:8]


def _told(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        _log.warning("%s", error)
