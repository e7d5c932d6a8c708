"""Receptionist: carries out what the dialogue decides, in the room of a call, until an interview can begin."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from livekit import rtc

from agent.interviews.resources import VoiceResources
from agent.phone.call import Dispatch, key_of, line_of
from agent.phone.database import PhoneStoreError
from agent.phone.grants import PinGrant
from agent.phone.pins import PinStore
from agent.phone.reception.admission import Admitted, NoInterview, admit, practice_wish
from agent.phone.reception.dialogue import (
    Action,
    Admit,
    Await,
    Check,
    HangUp,
    Happened,
    Hush,
    KeyHeard,
    NotAdmitted,
    NothingHeard,
    PinRight,
    PinWrong,
    Rules,
    Speak,
    WordsHeard,
    after,
    opened,
)
from agent.phone.reception.sounds import Ears, Mouth
from agent.phone.reception.wording import WORDING
from agent.settings import Settings
from graph.templates import in_mid_sentence
from review import RecordError, RecordStore
from speech import WhisperSTT

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Desk:
    """What a reception works with."""

    resources: VoiceResources
    settings: Settings
    pins: PinStore


class Receptionist:
    """Receives one caller.

    Args:
        room: the room of the call; it is joined.
        caller: the caller in it.
        desk: what it works with.
        store: the record.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        room: rtc.Room,
        caller: rtc.RemoteParticipant,
        desk: Desk,
        store: RecordStore,
        clock: Callable[[], float],
    ) -> None:
        resources, settings = desk.resources, desk.settings
        self._room = room
        self._caller = caller
        self._packs = resources.interview.packs
        self._settings = settings
        self._pins = desk.pins
        self._store = store
        self._clock = clock
        self._mouth = Mouth(resources, settings)
        self._ears = Ears(WhisperSTT(resources.speech.recognizer, resources.speech.vad), self._words)
        self._happened: asyncio.Queue[Happened | None] = asyncio.Queue()
        """None: the caller is gone."""
        self._waiting: asyncio.Task[None] | None = None
        self._grant: PinGrant | None = None
        self._admitted: Admitted | None = None

    async def receive(self, dispatch: Dispatch) -> Admitted | None:
        """Talk with the caller until it is known which interview they have; None when they have none or are gone.

        Everything that was said is heard to its end.
        """
        self._room.on("sip_dtmf_received", self._key)
        self._room.on("track_subscribed", self._track)
        self._room.on("participant_disconnected", self._left)
        try:
            await self._mouth.open(self._room)
            for publication in self._caller.track_publications.values():
                if publication.track is not None:
                    self._listen(publication.track)
            if self._caller.identity in self._room.remote_participants:
                await self._talk(dispatch)
            return self._admitted
        finally:
            self._room.off("sip_dtmf_received", self._key)
            self._room.off("track_subscribed", self._track)
            self._room.off("participant_disconnected", self._left)
            if self._waiting is not None:
                self._waiting.cancel()
            await self._ears.close()
            await self._mouth.close(self._room)

    async def _talk(self, dispatch: Dispatch) -> None:
        rules = Rules(practice=self._settings.phone_practice_minutes > 0)
        reception, actions = opened(rules, outbound=bool(dispatch.booking))
        while True:
            for action in actions:
                await self._carry_out(action, dispatch)
            if self._admitted is not None or reception.stage == "over":
                return
            happened = await self._happened.get()
            if happened is None:
                return
            reception, actions = after(reception, happened, rules)

    async def _carry_out(self, action: Action, dispatch: Dispatch) -> None:
        match action:
            case Speak(situation):
                await self._mouth.say(WORDING.say(situation))
            case Hush():
                await self._mouth.hush()
            case Await(seconds):
                self._await(seconds)
            case Check(pin):
                await self._check(pin)
            case Admit(by):
                await self._admit(by, dispatch)
            case HangUp():
                await self._all_heard()
            case _:
                assert_never(action)

    # what is done

    def _await(self, seconds: float) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.create_task(self._wait(seconds), name="reception waits")

    async def _wait(self, seconds: float) -> None:
        await self._mouth.silent()
        await asyncio.sleep(seconds)
        self._happened.put_nowait(NothingHeard())

    async def _check(self, pin: str) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
        line = line_of(self._caller.attributes)
        try:
            found = await asyncio.to_thread(
                lambda: self._pins.check(pin, caller=line.number, address=line.address, now=self._clock())
            )
        except (PhoneStoreError, RecordError) as error:
            _log.error("a PIN could not be looked at: %s", error)
            self._happened.put_nowait(NotAdmitted("failed"))
            return
        if isinstance(found, PinGrant):
            self._grant = found
            self._happened.put_nowait(PinRight())
        else:
            self._happened.put_nowait(PinWrong(barred=found.wait_s > 0))

    async def _admit(self, by: str, dispatch: Dispatch) -> None:
        try:
            found = await asyncio.to_thread(self._find, by, dispatch)
        except (PhoneStoreError, RecordError) as error:
            _log.error("a caller could not be let in: %s", error)
            found = NotAdmitted("failed")
        if isinstance(found, NotAdmitted):
            self._happened.put_nowait(found)
            return
        if self._grant is not None:
            self._mouth.speak_at(self._grant.wish.pace)
        await self._mouth.say(self._welcome(found))
        if await self._all_heard():
            self._admitted = found

    def _find(self, by: str, dispatch: Dispatch) -> Admitted | NotAdmitted:
        if by == "booking":
            self._grant = self._pins.booked(dispatch.booking)
            if self._grant is None:
                return NotAdmitted("booking_gone")
        grant = self._grant
        wish = practice_wish(self._settings) if grant is None else grant.wish
        before = None if grant is None else grant.interview_id
        found = admit(
            self._settings, self._store, self._packs, wish, room=self._room.name, now=self._clock(), before=before
        )
        if isinstance(found, NoInterview):
            return NotAdmitted(found.why)
        if grant and not found.again and not self._pins.take(grant.id, found.interview_id, self._clock()):
            # Somebody else was quicker with the same PIN, or it was revoked at this moment.
            self._store.delete(found.interview_id)
            return NotAdmitted("gone")
        return found

    def _welcome(self, admitted: Admitted) -> str:
        if admitted.again:
            return WORDING.say("admitted.again")
        return WORDING.say(
            "admitted.exam" if admitted.exam else "admitted.practice",
            pack=in_mid_sentence(admitted.pack_title),
            minutes=str(admitted.minutes),
            keys=WORDING.say("keys", wait=str(max(1, round(self._settings.phone_call_again_s / 60)))),
        )

    async def _all_heard(self) -> bool:
        """Wait until what is said was heard; a key cuts it short. False when the caller is gone."""
        said = asyncio.create_task(self._mouth.silent())
        try:
            while not said.done():
                next_ = asyncio.create_task(self._happened.get())
                await asyncio.wait({said, next_}, return_when=asyncio.FIRST_COMPLETED)
                if not next_.done():
                    next_.cancel()
                    continue
                if next_.result() is None:
                    return False
                if isinstance(next_.result(), KeyHeard):
                    await self._mouth.hush()
            return self._caller.identity in self._room.remote_participants
        finally:
            said.cancel()

    # what happens

    def _key(self, dtmf: rtc.SipDTMF) -> None:
        if (key := key_of(dtmf, self._caller.identity)) is not None:
            self._happened.put_nowait(KeyHeard(key))

    def _words(self, text: str) -> None:
        self._happened.put_nowait(WordsHeard(text, over_us=self._mouth.speaks))

    def _track(self, track: rtc.Track, _: rtc.RemoteTrackPublication, participant: rtc.RemoteParticipant) -> None:
        if participant.identity == self._caller.identity:
            self._listen(track)

    def _listen(self, track: rtc.Track) -> None:
        if track.kind == rtc.TrackKind.KIND_AUDIO:
            self._ears.listen(track)

    def _left(self, participant: rtc.RemoteParticipant) -> None:
        if participant.identity == self._caller.identity:
            self._happened.put_nowait(None)
