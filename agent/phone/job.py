"""Call job: an interview by phone. The same job as in a browser, with keys, hold, and a line that may be lost."""

from __future__ import annotations

import asyncio
import logging
from typing import Literal

from livekit import rtc
from livekit.agents import JobContext

from agent.conversation.playback import SpokenLine
from agent.interviews.past import Past
from agent.interviews.resources import VoiceResources
from agent.phone.call import HOLD, Line, key_of, line_of, masked
from agent.phone.hanging_up import close_room, tell_over
from agent.phone.keypad import Keypad, Pressed, pressed
from agent.phone.reception.sounds import say_once
from agent.phone.reception.wording import WORDING
from agent.settings import Settings
from agent.worker.job import InterviewJob
from domain.events import CallBegan, CallEnded, HoldBegan, HoldEnded, InterviewCreated, KeyPressed
from domain.say import Say
from domain.vocabulary import EndReason, PhoneKey

_log = logging.getLogger(__name__)

_LINE_BACK_S = 15.0
"""A line that was lost without anybody hanging up may come back by itself in this time."""


class CallJob(InterviewJob):
    """Holds an interview with the caller in a room.

    Args:
        ctx: LiveKit's context of the job; its room is joined.
        resources: shared models and questions.
        settings: the settings in force.
        interview_id: the interview.
        caller: the caller in the room.
        call: this call's beginning, to be recorded; None when it goes on with a new worker.
    """

    def __init__(
        self,
        ctx: JobContext,
        resources: VoiceResources,
        settings: Settings,
        *,
        interview_id: str,
        caller: rtc.RemoteParticipant,
        call: CallBegan | None,
    ) -> None:
        super().__init__(ctx, resources, settings, interview_id=interview_id, candidate=caller.identity)
        self._call = call
        self._line: Line = line_of(caller.attributes)
        self._keypad = Keypad()
        self._holds: set[str] = set()
        """Who keeps the interview on hold: the `line`, or a `key`."""
        self._too_long: asyncio.TimerHandle | None = None
        self._hung_up = False
        self._said_goodbye = False
        self._keys: asyncio.Queue[PhoneKey] = asyncio.Queue()

    async def _enter(self, past: Past, created: InterviewCreated) -> None:
        if self._call is not None:
            self._record(self._call)
        await super()._enter(past, created)
        self._run(self._follow_keys())
        room = self._ctx.room
        caller = room.remote_participants.get(self._candidate)
        if caller is None:
            # They hung up in the moment between the reception and the interview.
            self._hang_up()
        elif caller.attributes.get(HOLD) == "1":
            self._held("line", on=True)

    def _listen(self) -> None:
        super()._listen()
        self._ctx.room.on("sip_dtmf_received", self._key)
        self._ctx.room.on("participant_attributes_changed", self._attributes)
        self._ctx.room.on("disconnected", self._room_gone)

    # keys

    def _key(self, dtmf: rtc.SipDTMF) -> None:
        if (key := key_of(dtmf, self._candidate)) is not None:
            self._keys.put_nowait(key)

    async def _follow_keys(self) -> None:
        """One key after another: what the one before asked for is on its way when the next is looked at."""
        while True:
            key = await self._keys.get()
            meant = pressed(self._keypad, key, self._clock())
            self._keypad = meant.keypad
            self._record(KeyPressed(at=self._clock(), key=key, request=meant.request))
            if self._ended or self._is_closing():
                continue
            self._silence.somebody_spoke()
            try:
                await self._do(meant)
            except Exception:  # noqa: BLE001 - the edge of the interview: one key that fails must not disable the others
                _log.exception("the key %s came to nothing", key)

    def _is_closing(self) -> bool:
        line = self._stage.playing
        return line is not None and line.say.kind == "closing"

    async def _do(self, meant: Pressed) -> None:
        match meant.command:
            case "help":
                await self._tell("help")
            case "all_help":
                await self._tell("help.all")
            case "sure":
                await self._tell("end.sure")
            case "finished":
                await self._interviewer.take_answer()
            case "pause":
                await self._tell("paused")
                self._held("key", on=True)
            case "go_on":
                self._held("key", on=False)
            case "nothing":
                pass
        if meant.request is not None:
            await self._interviewer.press(meant.request)

    async def _tell(self, situation: str) -> None:
        """Say something about the call; what was being said stops."""
        await self._session.interrupt(force=True)
        self._say(Say("reply", WORDING.say(situation)))

    # hold

    def _attributes(self, changed: dict[str, str], participant: rtc.Participant) -> None:
        if participant.identity != self._candidate:
            return
        self._line = line_of(participant.attributes)
        if HOLD in changed:
            self._held("line", on=changed[HOLD] == "1")

    def _held(self, by: Literal["line", "key"], *, on: bool) -> None:
        """Somebody puts the interview on hold, or takes it up again."""
        before = bool(self._holds)
        (self._holds.add if on else self._holds.discard)(by)
        if bool(self._holds) == before or self._ended:
            return
        self._hold(on=on)
        if on and by == "line":
            self._run(self._hush())
        if not on:
            self._run(self._interviewer.go_on_after_hold())

    def _hold(self, *, on: bool) -> None:
        self._record(HoldBegan(at=self._clock()) if on else HoldEnded(at=self._clock()))
        self._session.input.set_audio_enabled(not on)
        self._interviewer.on_hold = self._silence.on_hold = on
        if self._recording is not None:
            self._recording.paused = on
        if self._too_long is not None:
            self._too_long.cancel()
            self._too_long = None
        if on:
            self._too_long = asyncio.get_running_loop().call_later(
                self._settings.phone_call_again_s, lambda: self._run(self._give_up_holding())
            )

    async def _hush(self) -> None:
        await self._session.interrupt(force=True)

    async def _give_up_holding(self) -> None:
        """Nobody waits on a line for ever: the interview waits for another call as after a lost one."""
        await self._say(Say("reply", WORDING.say("held_too_long")))
        await self._leaving()
        self._hang_up()

    # the line

    def _wait_for_candidate(self, participant: rtc.RemoteParticipant) -> None:
        """Whoever hung up calls again or does not, and needs no job for that; a line that was lost may come back."""
        if participant.disconnect_reason == rtc.DisconnectReason.CLIENT_INITIATED:
            self._hang_up()
        else:
            self._away = asyncio.get_running_loop().call_later(_LINE_BACK_S, self._hang_up)

    def _hang_up(self) -> None:
        """Leave the interview as it stands, for another call."""
        self._call_ended()
        self._ctx.shutdown("the caller is gone")

    def _room_gone(self, reason: rtc.DisconnectReason.ValueType) -> None:
        """The room was closed over our heads: the caller has called again, or livekit-server is gone."""
        if reason != rtc.DisconnectReason.CLIENT_INITIATED:
            self._call_ended()

    def _call_ended(self) -> None:
        if not self._hung_up:
            self._hung_up = True
            self._record(CallEnded(at=self._clock(), loss=self._line.loss, jitter_ms=self._line.jitter_ms))

    async def _leaving(self) -> None:
        await tell_over(self._ctx.room)

    def _line_finished(self, line: SpokenLine) -> None:
        self._said_goodbye = self._said_goodbye or line.say.kind == "closing"
        super()._line_finished(line)

    async def _end(self, reason: EndReason) -> None:
        if not self._ended:
            if reason == "failed" and not self._said_goodbye:
                await say_once(self._ctx.room, self._resources, self._settings, "lost")
            self._call_ended()
        await super()._end(reason)

    async def _close(self) -> None:
        if self._too_long is not None:
            self._too_long.cancel()
        if self._hung_up:
            # The caller is not kept on the line while files are finished. A worker that is only stopped leaves them in
            # the room, for the next one.
            await close_room(self._ctx)
        await super()._close()

    async def _delete_room(self) -> None:
        """It was closed above: no interview ends before its call."""


def call_began(room: str, caller: rtc.RemoteParticipant, *, again: bool, at: float) -> CallBegan:
    """The beginning of a call for the record, with no more of the number than may be seen."""
    line = line_of(caller.attributes)
    return CallBegan(at=at, room=room, number=masked(line.number), codec=line.codec, again=again)
