"""Plugin for LiveKit Agents: Whisper as speech to text.

The stream listens with a voice activity detector of its own, so that Whisper is never asked about silence, and has
speech decoded while it goes on: at its end only the last words are left to decode, or none.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Literal

import numpy as np
from livekit import rtc
from livekit.agents import APIConnectionError, APIConnectOptions, stt, utils, vad
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS, NOT_GIVEN, NotGivenOr

from speech.audio import SAMPLE_RATE, Audio, from_int16
from speech.end_of_turn import AFTER_S, HEARD_S, TurnModel
from speech.stt.decode_loop import BEFORE_WORDS, DecodeLoop, SpeechContext, TranscriptListener
from speech.stt.events import text_of, transcript_event, usage_event
from speech.stt.fillers import filler_prompt, fillers_in, without_fillers
from speech.stt.language_watch import LanguageWatch, OtherLanguage
from speech.stt.recognizer import Recognition, Recognizer, joined, pieces
from speech.stt.scheduler import Urgency
from speech.stt.stream_state import StreamState
from speech.stt.whisper import DecodePrompt
from speech.stt.word_times import HeardWord


class WhisperSTT(stt.STT[Literal["other_language"]]):
    """Speech to text for a session, by a `Recognizer` and a voice activity detector shared with other sessions.

    The language is the recognizer's: one asked for in a call is ignored. When another one is spoken for a while, it
    emits "other_language" with an `OtherLanguage`. `clock` gives seconds since the epoch. `turns` judges by sound, in
    each pause, whether the turn is over; without it nobody does.
    """

    def __init__(
        self,
        recognizer: Recognizer,
        vad: vad.VAD,
        turns: TurnModel | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(
            capabilities=stt.STTCapabilities(
                streaming=True,
                interim_results=True,
                aligned_transcript="word",
                offline_recognize=True,
                manual_flush=True,
            )
        )
        self.recognizer = recognizer
        self.vad = vad
        self.clock = clock
        self._turns = turns
        self._judging: asyncio.Task[float] | None = None
        self.context = SpeechContext(LanguageWatch(recognizer.language))
        self._busy: set[WhisperStream] = set()
        self._all_heard = asyncio.Event()
        self._all_heard.set()

    def set_hot_words(self, terms: Iterable[str]) -> None:
        """Terms that are likely in what is said next, the likeliest first; none takes them back."""
        self.context.hot_words = ", ".join(dict.fromkeys(term.strip() for term in terms if term.strip()))

    async def all_heard(self) -> None:
        """Wait until nobody speaks and every word that was said has been sent as a transcript.

        For end-of-turn detection: the words of a long answer arrive in pieces, and it is not over before its last one.
        """
        await self._all_heard.wait()

    async def chance_over(self) -> float | None:
        """The chance, by the sound of the last pause, that the turn is over, 0 to 1; None when nobody judged it."""
        return None if self._judging is None else await asyncio.shield(self._judging)

    def judge_pause(self, pcm: Audio) -> None:
        """Begin to judge by sound whether the turn is over, in a thread: it takes about a tenth of a second."""
        if self._turns is not None:
            self._judging = asyncio.create_task(asyncio.to_thread(self._turns.chance_over, pcm), name="end of turn")

    def note(self, stream: WhisperStream, *, busy: bool) -> None:
        """Keep whether a stream hears speech or has some to decode."""
        (self._busy.add if busy else self._busy.discard)(stream)
        (self._all_heard.clear if self._busy else self._all_heard.set)()

    @property
    def model(self) -> str:
        """The family of the model, for the session's metrics."""
        return "whisper"

    @property
    def provider(self) -> str:
        """Who runs it, for the session's metrics."""
        return "faster-whisper"

    def stream(
        self,
        *,
        language: NotGivenOr[str] = NOT_GIVEN,  # noqa: ARG002 (the framework's signature)
        conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS,
    ) -> WhisperStream:
        """Open a stream for mono audio of any sample rate."""
        return WhisperStream(self, conn_options=conn_options)

    async def _recognize_impl(
        self,
        buffer: utils.AudioBuffer,
        *,
        language: NotGivenOr[str] = NOT_GIVEN,  # noqa: ARG002 (the framework's signature)
        conn_options: APIConnectOptions,  # noqa: ARG002 (nothing here connects)
    ) -> stt.SpeechEvent:
        try:
            transcript = await self._transcribe(_to_audio(buffer))
        except Exception as error:  # whatever the model raises: the framework retries on nothing but an APIError
            raise APIConnectionError("Whisper could not decode the audio") from error
        kind = stt.SpeechEventType.FINAL_TRANSCRIPT
        return transcript_event(
            kind,
            without_fillers(transcript.words),
            transcript.language,
            fillers_in(transcript.words),
            offset_s=0.0,
        )

    async def decode_again(
        self, frames: Sequence[rtc.AudioFrame], hot_words: str, may_go_on: Callable[[], Awaitable[bool]]
    ) -> tuple[HeardWord, ...] | None:
        """What a whole answer sounds like with all that follows each word in sight; fillers are no words.

        Args:
            frames: its sound.
            hot_words: terms that were likely in it, with commas between them.
            may_go_on: asked before each piece of at most 26 s; it returns when the recognizer is free, False to stop.

        Returns:
            The words with their times from the first frame; None when it was stopped.

        Raises:
            APIConnectionError: the model failed.
        """
        caller, language = object(), self.context.languages.language
        words: list[HeardWord] = []
        for start_s, piece in pieces(_to_audio(list(frames))):
            if not await may_go_on():
                return None
            prompt = DecodePrompt(
                hot_words=hot_words,
                manner=filler_prompt(language),
                before=text_of(words[-BEFORE_WORDS:], language),
                language=language,
            )
            job = partial(self.recognizer.hear, piece, prompt)
            try:
                heard = await asyncio.wrap_future(self.recognizer.scheduler.submit(caller, Urgency.SPARE, job))
            except Exception as error:  # whatever the model raises, as in `_recognize_impl`
                raise APIConnectionError("Whisper could not decode an answer again") from error
            finally:
                self.recognizer.scheduler.leave(caller)
            words += [word.shifted(start_s) for word in (heard or Recognition()).words]
        return without_fillers(words)

    async def _transcribe(self, pcm: Audio) -> Recognition:
        """Piece by piece, taking turns with the streams of other interviews."""
        caller = object()
        parts: list[tuple[float, Recognition]] = []
        for start_s, piece in pieces(pcm):
            waiting = self.recognizer.scheduler.submit(caller, Urgency.FINAL, partial(self.recognizer.hear, piece))
            heard: Recognition | None = await asyncio.wrap_future(waiting)
            parts.append((start_s, heard or Recognition()))
        self.recognizer.scheduler.leave(caller)
        return joined(parts)


class WhisperStream(stt.RecognizeStream, TranscriptListener):
    """One session's state.

    Per stretch of speech it sends START_OF_SPEECH; INTERIM_TRANSCRIPTs while it goes on and a PREFLIGHT_TRANSCRIPT when
    the speaker pauses, each with all words that are not final; END_OF_SPEECH when the detector has heard the end; and
    FINAL_TRANSCRIPTs, which together hold every word once: in long speech for words that are settled, and for the rest
    after the end. Fillers ("um") are no words: the metadata of a final transcript have them. A flush makes words final
    that were said so far. Words carry times on the stream's time line, which
    begins at `start_time_offset`. Silence and noise give no transcript.

    Audio is kept until its words are final. A decode that fails is tried again once; then the words that are known
    become final, and the rest is tried again after the next speech. Each failure is reported by the plugin's "error"
    event, and the stream goes on. If the detector fails, what was said so far is decoded and the stream raises
    `APIConnectionError`, on which the framework starts it anew; audio that came in the meantime is not lost.
    """

    def __init__(self, whisper: WhisperSTT, *, conn_options: APIConnectOptions) -> None:
        super().__init__(stt=whisper, conn_options=conn_options, sample_rate=SAMPLE_RATE)
        self._whisper = whisper
        self._state: StreamState | None = None
        self._caught_up = asyncio.Event()

    def push_frame(self, frame: rtc.AudioFrame) -> None:
        """Push audio to be recognised."""
        self._caught_up.clear()
        super().push_frame(frame)

    async def caught_up(self) -> None:
        """Wait until the audio so far is heard, and decoded as far as it is time for.

        With this, audio that is there already can be pushed faster than it was spoken and is decoded as if it came
        from a room.
        """
        await self._caught_up.wait()

    async def _run(self) -> None:
        self._state = state = StreamState(self._whisper.vad.capabilities.update_interval)
        transcriber = DecodeLoop(state, self._whisper.recognizer, self, self._whisper.context)
        decoding = asyncio.create_task(transcriber.run(self._on_rest), name="decode")
        failure: APIConnectionError | None = None
        try:
            try:
                await self._follow(state, transcriber)
            except Exception as error:  # noqa: BLE001 (whatever a detector raises; only APIErrors may leave this method)
                failure = APIConnectionError("voice activity detection failed")
                failure.__cause__ = error
            state.finish()
            transcriber.wake()
            await decoding
        finally:
            await utils.aio.cancel_and_wait(decoding)
            self._whisper.note(self, busy=False)
            self._caught_up.set()
        if failure is not None:
            raise failure

    def _on_rest(self) -> None:
        state = self._state
        assert state is not None
        self._whisper.note(self, busy=state.is_busy)
        if state.has_detected_all and self._input_ch.empty():
            self._caught_up.set()

    async def _follow(self, state: StreamState, transcriber: DecodeLoop) -> None:
        detector = self._whisper.vad.stream()
        tasks = [
            asyncio.create_task(self._forward(state, detector, transcriber), name="forward"),
            asyncio.create_task(self._listen(state, detector, transcriber), name="listen"),
        ]
        try:
            await asyncio.gather(*tasks)
        finally:
            await utils.aio.cancel_and_wait(*tasks)
            await detector.aclose()

    async def _forward(self, state: StreamState, detector: vad.VADStream, transcriber: DecodeLoop) -> None:
        async for item in self._input_ch:
            if isinstance(item, rtc.AudioFrame):
                state.buffer.append(np.frombuffer(item.data, dtype=np.int16).copy())
                detector.push_frame(item)
            else:
                state.flush()
            transcriber.wake()
        detector.end_input()

    async def _listen(self, state: StreamState, detector: vad.VADStream, transcriber: DecodeLoop) -> None:
        async for event in detector:
            state.hear(event)
            self._judge_pause(state)
            self._whisper.note(self, busy=state.is_busy)
            if event.type == vad.VADEventType.START_OF_SPEECH:
                self._event_ch.send_nowait(stt.SpeechEvent(stt.SpeechEventType.START_OF_SPEECH))
            elif event.type == vad.VADEventType.END_OF_SPEECH:
                ended_at = self._whisper.clock() - event.silence_duration
                self._event_ch.send_nowait(stt.SpeechEvent(stt.SpeechEventType.END_OF_SPEECH, speech_end_time=ended_at))
            transcriber.wake()

    def _judge_pause(self, state: StreamState) -> None:
        """Have each pause judged by its sound, once."""
        ends_s = state.new_pause(AFTER_S)
        if ends_s is not None:
            self._whisper.judge_pause(state.buffer.cut(ends_s - HEARD_S, ends_s))

    def heard(self, kind: stt.SpeechEventType, words: Sequence[HeardWord], fillers: Sequence[HeardWord] = ()) -> None:
        """Send a transcript on."""
        language = self._whisper.context.languages.language
        self._event_ch.send_nowait(transcript_event(kind, words, language, fillers, offset_s=self.start_time_offset))

    def used(self, seconds: float) -> None:
        """Send on how much audio was transcribed."""
        self._event_ch.send_nowait(usage_event(seconds))

    def other_language(self, other: OtherLanguage) -> None:
        """Tell whoever holds the interview."""
        self._whisper.emit("other_language", other)

    def failed(self, failure: APIConnectionError, *, recoverable: bool) -> None:
        """Report a failure by the plugin's "error" event."""
        self._emit_error(failure, recoverable=recoverable)


def _to_audio(buffer: utils.AudioBuffer) -> Audio:
    """Frames of any rate and number of channels as what Whisper hears."""
    frame = utils.merge_frames(buffer)
    samples = np.frombuffer(frame.data, dtype=np.int16).reshape(-1, frame.num_channels).mean(axis=1).astype(np.int16)
    if frame.sample_rate == SAMPLE_RATE:
        return from_int16(samples)
    resampler = rtc.AudioResampler(frame.sample_rate, SAMPLE_RATE, quality=rtc.AudioResamplerQuality.HIGH)
    mono = rtc.AudioFrame(samples.tobytes(), frame.sample_rate, 1, len(samples))
    resampled = [np.frombuffer(part.data, dtype=np.int16) for part in (*resampler.push(mono), *resampler.flush())]
    return from_int16(np.concatenate([*resampled, np.zeros(0, dtype=np.int16)]))
