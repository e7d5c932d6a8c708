"""Job, one voice interview: from the interviewer's entry into the room until the record is complete."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from functools import partial

from livekit import rtc
from livekit.agents import AgentSession, CloseEvent, JobContext
from livekit.agents.voice import SpeechHandle

from agent.conversation.acknowledgement import WITH_BUILT_IN_JUDGE, WITH_MODEL
from agent.conversation.interruptions import InterruptionTiming
from agent.conversation.interviewer import Dependencies, Interviewer
from agent.conversation.phrases import PHRASES
from agent.conversation.playback import PlaybackTracker, SpokenLine
from agent.conversation.preparation import keep_phrases_ready, prepare
from agent.conversation.second_decode import SecondDecode
from agent.conversation.session import make_session, room_options
from agent.conversation.silence import SilenceStep, SilenceWatch, policy_for
from agent.endpointing.policy import RISKS
from agent.interviews.driver import Driver
from agent.interviews.failed_turn import tell_of_spoken
from agent.interviews.host import InterviewHost, open_host
from agent.interviews.human_review import wait_for_release
from agent.interviews.past import Past, read_past
from agent.interviews.profiles import keep_outcome
from agent.interviews.resources import VoiceResources
from agent.interviews.run import InterviewRun
from agent.interviews.shutdown import close_in_time, take_all
from agent.interviews.standstill import Standstill
from agent.interviews.steps import VOICE
from agent.interviews.topic_wishes import last_topic_wish
from agent.settings import Settings
from agent.worker.notices import Notices
from agent.worker.pipeline import VoicePipeline, make_pipeline
from agent.worker.published_voice import is_heard
from agent.worker.recording import RoomRecording, record_room
from agent.worker.tokens import CANDIDATE
from domain.events import (
    CandidateJoined,
    CandidateLeft,
    Event,
    InterviewCreated,
    InterviewEnded,
)
from domain.say import Say
from domain.vocabulary import EndReason
from graph import Interview
from review import RecordError, RecordingError, RecordStore, RecordWriter, finish_recording
from speech import OtherLanguage

_log = logging.getLogger(__name__)
_LOOK_AHEAD_AFTER_S = 5.0
"""By then the first words are spoken, and searching takes no time away from them."""
END_METHOD = "viva.end"
"""Name of the call with which a page ends the interview."""


class InterviewJob:
    """Everything one interview needs, opened in order and closed in reverse.

    Args:
        ctx: LiveKit's context of the job; its metadata is the interview's id.
        resources: shared models and questions.
        settings: the settings in force.
        interview_id: the interview; without it the metadata of the job is its id.
        candidate: identity of the candidate in the room; never recorded, as livekit-sip makes it of their number.
    """

    def __init__(
        self,
        ctx: JobContext,
        resources: VoiceResources,
        settings: Settings,
        *,
        interview_id: str = "",
        candidate: str = CANDIDATE,
    ) -> None:
        self._ctx = ctx
        self._resources = resources
        self._settings = settings
        self._id = interview_id or ctx.job.metadata
        self._candidate = candidate
        self._clock = time.time
        self._store = RecordStore(settings.record_path)
        self._writer = RecordWriter(self._store, self._id, on_problem=_log.error)
        self._notices = Notices(self._record, self._clock, self._turn)
        self._open = AsyncExitStack()
        self._tasks: set[asyncio.Task[None]] = set()
        self._away: asyncio.TimerHandle | None = None
        self._recording: RoomRecording | None = None
        self._host: InterviewHost | None = None
        self._interview: InterviewRun | None = None
        self._again: SecondDecode | None = None
        self._standstill = Standstill()
        self._ended = False
        """It is over, and the room is left."""

    @property
    def interview_id(self) -> str:
        """The interview that it holds."""
        return self._id

    async def start(self) -> None:
        """Enter the room and begin, or go on where a dead worker stopped."""
        before = [stored.event for stored in self._store.events(self._id)]
        for event in before:
            self._standstill.event(event)
        past = read_past(before)
        if past.created is None or past.ended is not None:
            _log.warning("there is nothing to do for interview %r: it is unknown or over", self._id)
            self._writer.close()
            self._store.close()
            await self._leaving()
            self._ctx.shutdown("no such interview")
            return
        self._ctx.add_shutdown_callback(self._close)
        try:
            await self._enter(past, past.created)
        except Exception as error:  # noqa: BLE001 - the edge of the interview: nobody may be left in a silent room
            _log.exception("interview %s could not be started", self._id)
            self._notices.problem(f"The interview could not be started: {error}", "Run `viva doctor`.")
            await self._end("failed")

    async def _enter(self, past: Past, created: InterviewCreated) -> None:
        await self._ctx.connect()
        self._recording = await record_room(
            self._settings, self._id, self._record, self._clock, room=self._ctx.room.name, candidate=self._candidate
        )
        if self._recording:
            self._open.push_async_callback(self._recording.stop)
        run = await self._open_interview(past)
        self._stage = PlaybackTracker(self._record, self._line_finished, self._clock)
        self._stage.on_started.append(self._line_started)
        pipeline = make_pipeline(
            self._resources.speech,
            self._settings,
            pronunciations=self._resources.interview.packs[created.pack].pronunciations,
            risk=RISKS[(await run.interview.expected()).patience],
            speaks=self._speaks,
            record=self._record,
            clock=self._clock,
        )
        pipeline.utterances.restore(past.answers)
        self._make_session(pipeline)
        self._interviewer = Interviewer(run, self._dependencies(run, pipeline))
        self._listen()
        if self._candidate in self._ctx.room.remote_participants:
            self._record(CandidateJoined(at=self._clock(), identity=CANDIDATE))
        await self._session.start(
            self._interviewer, room=self._ctx.room, room_options=room_options(self._candidate), record=False
        )
        assert self._session.output.audio is not None, "a session in a room has an audio output"
        self._stage.attach(self._session.output.audio)
        self._work_beside(run, pipeline)

    def _make_session(self, pipeline: VoicePipeline) -> None:
        self._session: AgentSession[None] = make_session(
            pipeline.detector,
            pipeline.whisper,
            pipeline.voice,
            pipeline.turn_detector,
            longest_answer_s=self._settings.longest_answer_s,
        )
        self._open.push_async_callback(close_in_time, self._session.aclose, "LiveKit's session")
        self._interruptions = InterruptionTiming(self._session)
        self._silence = SilenceWatch(
            self._session,
            self._break_silence,
            self._end_silently,
            self._clock,
            lambda: policy_for(pipeline.turn_detector.expected_words, self._settings.silence_patience),
        )
        pipeline.whisper.on("other_language", self._note_language)

    def _dependencies(self, run: InterviewRun, pipeline: VoicePipeline) -> Dependencies:
        patience = WITH_MODEL if run.has_model_judge else WITH_BUILT_IN_JUDGE
        return Dependencies(
            self._stage,
            pipeline.utterances,
            pipeline.turn_detector,
            self._record,
            self._clock,
            set_pace=lambda pace: setattr(pipeline.voice, "pace", pace),
            prepare=lambda say: self._run(prepare(pipeline.voice, say)),
            released=lambda turn: wait_for_release(self._store, self._id, turn),
            echoed=lambda: self._notices.echo(self._session),
            listen_for=pipeline.whisper.set_hot_words,
            all_heard=pipeline.whisper.all_heard,
            words_heard=lambda: setattr(pipeline.detector, "words_heard", True),
            keep=pipeline.audio.kept,
            listening=pipeline.listening,
            patience=patience if self._settings.acknowledge else None,
        )

    def _work_beside(self, run: InterviewRun, pipeline: VoicePipeline) -> None:
        """Begin what goes on beside the conversation."""
        self._again = SecondDecode(
            pipeline.whisper,
            pipeline.audio,
            self._speaks,
            run.interview.judge_again,
            record=self._record,
            clock=self._clock,
        )
        self._run(self._again.run())
        self._run(self._silence.watch())
        self._run(self._look_ahead(run.interview))
        self._run(keep_phrases_ready(pipeline.voice, _LOOK_AHEAD_AFTER_S))
        if pipeline.listening:
            self._open.push_async_callback(close_in_time, pipeline.signals.aclose, "the track of listening")
        self._run(self._be_heard(pipeline))

    async def _be_heard(self, pipeline: VoicePipeline) -> None:
        """See to it that there is a voice. Signals of listening come second: at once, both tracks would take longer."""
        subscribed = self._session.room_io.subscribed_fut
        assert subscribed is not None, "a session in a room has an audio output"
        if not await is_heard(subscribed, self._ctx.room, self._candidate, self._clock):
            _log.error(
                "interview %s has no voice: livekit-server took no track; another interviewer is to come", self._id
            )
            self._notices.problem("The interviewer could not be heard.", "Another one comes in half a minute.")
            # Not the end of it: whoever is alone in a room gets an interviewer (`recovery`).
            self._ctx.shutdown("it could not be heard")
        elif pipeline.listening:
            await pipeline.signals.start(self._ctx.room)

    async def _open_interview(self, past: Past) -> InterviewRun:
        driver = Driver(
            manners=VOICE,
            record=self._record,
            clock=self._clock,
            tell=tell_of_spoken,
            topic_wish=partial(last_topic_wish, self._store, self._id),
            stood_still_s=lambda: self._standstill.seconds(self._clock()),
        )
        self._host = await open_host(self._settings, self._resources.interview, self._open)
        run = self._interview = await self._host.open(self._id, past, driver)
        self._open.push_async_callback(run.close)
        self._open.callback(run.interview.forget)
        await run.enter()
        return run

    # what happens while it runs

    async def _look_ahead(self, interview: Interview) -> None:
        """Have the next topics' questions at hand; not before the greeting is on its way."""
        await asyncio.sleep(_LOOK_AHEAD_AFTER_S)
        await interview.look_ahead()

    def _listen(self) -> None:
        self._session.on("conversation_item_added", self._notices.latencies)
        self._session.on("conversation_item_added", self._interruptions.item_added)
        self._session.on("user_input_transcribed", lambda _: self._silence.somebody_spoke())
        self._session.on("error", self._notices.error)
        self._session.on("close", self._session_closed)
        self._ctx.room.local_participant.register_rpc_method(END_METHOD, self._end_pressed)
        self._ctx.room.on("participant_connected", self._joined)
        self._ctx.room.on("participant_disconnected", self._left)

    def _joined(self, participant: rtc.RemoteParticipant) -> None:
        if participant.identity != self._candidate:
            return
        self._record(CandidateJoined(at=self._clock(), identity=CANDIDATE))
        if self._away:
            self._away.cancel()
            self._away = None
            self._silence.somebody_spoke()
            self._run(self._welcome_back())

    async def _welcome_back(self) -> None:
        try:
            await self._session.interrupt(force=True)
            self._interviewer.speak_again()
        except RuntimeError as error:  # LiveKit has no other word for a session that is being closed
            _log.warning("interview %s goes on with another interviewer: %s", self._id, error)

    async def _end_pressed(self, call: rtc.RpcInvocationData) -> str:
        """The button on the page: goodbye, and the end of the interview when it was spoken."""
        if call.caller_identity == self._candidate and self._interview and self._interview.ask_to_end("stopped"):
            await self._interviewer.say_goodbye()
        return ""

    def _left(self, participant: rtc.RemoteParticipant) -> None:
        if participant.identity != self._candidate or self._ended:
            return
        self._record(CandidateLeft(at=self._clock(), identity=CANDIDATE))
        self._wait_for_candidate(participant)

    def _wait_for_candidate(self, _: rtc.RemoteParticipant) -> None:
        """They left the room, and may come back into it."""
        self._away = asyncio.get_running_loop().call_later(
            self._settings.away_timeout_s, lambda: self._run(self._end("candidate_left"))
        )

    def _line_started(self, line: SpokenLine) -> None:
        self._interruptions.line_started(line)
        if line.say.kind == "closing":
            self._silence.stop()

    def _note_language(self, other: OtherLanguage) -> None:
        if self._settings.language != "auto":
            self._interviewer.remark(PHRASES.say("other_language"))
            self._notices.other_language(other)

    def _line_finished(self, line: SpokenLine) -> None:
        if line.say.kind == "closing":
            self._run(self._end_as_decided())
        elif not line.breaks_silence:
            self._silence.somebody_spoke()

    def _break_silence(self, step: SilenceStep) -> None:
        self._say(Say("reply", PHRASES.say(step)), breaks_silence=True)

    def _say(self, say: Say, *, breaks_silence: bool = False) -> SpeechHandle:
        """Say something that is not the graph's; the record has it like everything that is heard."""
        self._stage.expect(say, self._turn(), breaks_silence=breaks_silence)
        return self._session.say(say.text, add_to_chat_ctx=False)

    def _speaks(self) -> bool:
        return self._stage.playing is not None

    def _turn(self) -> int:
        return self._interview.turn if self._interview else 0

    def _session_closed(self, event: CloseEvent) -> None:
        if event.error is not None:
            self._run(self._end("failed"))

    # how it ends

    async def _end_silently(self) -> None:
        if self._interview:
            self._interview.ask_to_end("silence")
        await self._say(Say("closing", PHRASES.say("closing")))
        await self._end("silence")

    async def _end_as_decided(self) -> None:
        await self._end(await self._interview.decided() if self._interview else "failed")

    async def _end(self, reason: EndReason) -> None:
        if self._ended:
            return
        self._ended = True
        if self._interview:
            self._interview.end(reason)
        else:
            self._record(InterviewEnded(at=self._clock(), reason=reason))
        if self._recording:
            await self._recording.stop()
        await self._leaving()
        self._ctx.shutdown(reason)

    async def _leaving(self) -> None:
        """Whatever has to be done before the room is left at the end."""

    async def _close(self) -> None:
        for task in list(self._tasks):
            if task is not asyncio.current_task():
                task.cancel()
        if self._away:
            self._away.cancel()
        steps: dict[str, Callable[[], Awaitable[object]]] = {
            "remove its old checkpoints": self._compact,
            "close what was opened for it": self._open.aclose,
            "write the rest of its record": self._writer.flush,
            **({"finish its recording": lambda: asyncio.to_thread(self._finish_recording)} if self._ended else {}),
            **({"add it to the candidate's profile": self._keep_outcome} if self._ended else {}),
            "end its writer": lambda: asyncio.to_thread(self._writer.close),
            "close the record": lambda: asyncio.to_thread(self._store.close),
            **({"delete its room": self._delete_room} if self._ended else {}),
        }
        await take_all(steps, of=f"interview {self._id}")

    async def _compact(self) -> None:
        if self._ended and self._host:
            await self._host.compact(self._id)

    async def _keep_outcome(self) -> None:
        await asyncio.to_thread(keep_outcome, self._settings, self._store, self._id)

    async def _delete_room(self) -> None:
        await self._ctx.delete_room()

    def _finish_recording(self) -> None:
        try:
            finish_recording(self._store, self._id, self._settings.interview_dir(self._id), clock=self._clock)
        except (RecordingError, RecordError) as error:
            _log.error("%s", error)
            self._notices.problem(str(error), "The transcript and the report are complete.")

    def _record(self, event: Event) -> None:
        self._writer.put(event)
        self._standstill.event(event)
        if self._interview and self._interview.watch:
            self._interview.watch.event(event)
        if self._again:
            self._again.event(event)

    def _run(self, coroutine: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
