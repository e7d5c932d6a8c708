"""Whisper as a speech-to-text plugin of LiveKit Agents.

The stream listens with a voice activity detector of its own, so that Whisper is never asked about silence, and
decodes each stretch of speech in a worker thread as soon as it is over.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Never

import numpy as np
from livekit import rtc
from livekit.agents import APIConnectionError, APIConnectOptions, LanguageCode, stt, utils, vad
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS, NOT_GIVEN, NotGivenOr, TimedString

from speech.audio import SAMPLE_RATE, Audio, from_int16
from speech.hearing import Hearing, Transcript
from speech.segments import Piece, Segmenter
from speech.tape import Tape

KEPT_S = 2.0
"""Audio that is kept while nobody speaks: speech is detected a little after it has begun."""

TRIES = 2
"""How often a piece is decoded before it is given up."""


class WhisperSTT(stt.STT[Never]):
    """Speech to text for a session, by a `Hearing` and a voice activity detector that are shared with other sessions.

    The language is the hearing's: one asked for in a call is ignored. `clock` gives seconds since the epoch.
    """

    def __init__(self, hearing: Hearing, vad: vad.VAD, *, clock: Callable[[], float] = time.time) -> None:
        super().__init__(
            capabilities=stt.STTCapabilities(
                streaming=True,
                interim_results=False,
                aligned_transcript="word",
                offline_recognize=True,
                manual_flush=True,
            )
        )
        self.hearing = hearing
        self.vad = vad
        self.clock = clock
        self._busy: set[WhisperStream] = set()
        self._all_heard = asyncio.Event()
        self._all_heard.set()

    async def all_heard(self) -> None:
        """Wait until nobody speaks and every word that was said has been sent as a transcript.

        For turn taking: the words of a long answer arrive in pieces, and an answer is not over before its last one.
        """
        await self._all_heard.wait()

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
            transcript = await asyncio.to_thread(self.hearing.transcribe, _to_audio(buffer))
        except Exception as error:  # whatever the model raises: the framework retries on nothing but an APIError
            raise APIConnectionError("Whisper could not decode the audio") from error
        return _final_transcript(transcript, self.hearing.language, offset_s=0.0, start_s=0.0)


class WhisperStream(stt.RecognizeStream):
    """One session's ear.

    Per stretch of speech it sends START_OF_SPEECH, END_OF_SPEECH when the detector has heard the end, and
    FINAL_TRANSCRIPT when the words are known; long speech gives several FINAL_TRANSCRIPTs before its end. A flush
    makes it decode what has been said so far. Words carry times on the stream's time line, which begins at
    `start_time_offset`. Silence and noise give no transcript.

    A piece that cannot be decoded is tried again once, then reported by the plugin's "error" event, and the stream
    goes on with the next one. If the detector fails, what was said so far is decoded and the stream raises
    `APIConnectionError`, on which the framework starts it anew; audio that came in the meantime is not lost.
    """

    def __init__(self, whisper: WhisperSTT, *, conn_options: APIConnectOptions) -> None:
        super().__init__(stt=whisper, conn_options=conn_options, sample_rate=SAMPLE_RATE)
        self._whisper = whisper

    async def _run(self) -> None:
        ear = _Ear(self._whisper.vad.capabilities.update_interval)
        decoding = asyncio.create_task(self._decode_pieces(ear), name="decode")
        failure: APIConnectionError | None = None
        try:
            try:
                await self._follow(ear)
            except Exception as error:  # noqa: BLE001 (whatever a detector raises; only APIErrors may leave this method)
                failure = APIConnectionError("voice activity detection failed")
                failure.__cause__ = error
            ear.finish()
            await decoding
        finally:
            await utils.aio.cancel_and_wait(decoding)
            self._whisper.note(self, busy=False)
        if failure is not None:
            raise failure

    async def _follow(self, ear: _Ear) -> None:
        detector = self._whisper.vad.stream()
        tasks = [
            asyncio.create_task(self._forward(ear, detector), name="forward"),
            asyncio.create_task(self._listen(ear, detector), name="listen"),
        ]
        try:
            await asyncio.gather(*tasks)
        finally:
            await utils.aio.cancel_and_wait(*tasks)
            await detector.aclose()

    async def _forward(self, ear: _Ear, detector: vad.VADStream) -> None:
        async for item in self._input_ch:
            if isinstance(item, rtc.AudioFrame):
                ear.tape.append(np.frombuffer(item.data, dtype=np.int16).copy())
                detector.push_frame(item)
            else:
                ear.flush()
        detector.end_input()

    async def _listen(self, ear: _Ear, detector: vad.VADStream) -> None:
        async for event in detector:
            ear.hear(event)
            self._whisper.note(self, busy=ear.busy)
            if event.type == vad.VADEventType.START_OF_SPEECH:
                self._event_ch.send_nowait(stt.SpeechEvent(stt.SpeechEventType.START_OF_SPEECH))
            elif event.type == vad.VADEventType.END_OF_SPEECH:
                ended_at = self._whisper.clock() - event.silence_duration
                self._event_ch.send_nowait(stt.SpeechEvent(stt.SpeechEventType.END_OF_SPEECH, speech_end_time=ended_at))

    async def _decode_pieces(self, ear: _Ear) -> None:
        async for piece, pcm in ear.pieces:
            transcript = await self._decode(pcm)
            if transcript.text:
                language = self._whisper.hearing.language
                self._event_ch.send_nowait(
                    _final_transcript(transcript, language, offset_s=self.start_time_offset, start_s=piece.start_s)
                )
            usage = stt.RecognitionUsage(audio_duration=len(pcm) / SAMPLE_RATE)
            self._event_ch.send_nowait(stt.SpeechEvent(stt.SpeechEventType.RECOGNITION_USAGE, recognition_usage=usage))
            ear.undecoded -= 1
            self._whisper.note(self, busy=ear.busy)

    async def _decode(self, pcm: Audio) -> Transcript:
        for again in reversed(range(TRIES)):
            try:
                return await asyncio.to_thread(self._whisper.hearing.transcribe, pcm)
            except Exception as error:  # noqa: BLE001 (whatever the model raises: later speech must still be heard)
                outcome = "it is tried once more" if again else "these words are missing in the transcript"
                seconds = len(pcm) / SAMPLE_RATE
                failure = APIConnectionError(f"{seconds:.1f} s of speech could not be decoded: {outcome}")
                failure.__cause__ = error
                self._emit_error(failure, recoverable=bool(again))
        return Transcript()


class _Ear:
    """What a stream knows about its audio: the tape, where speech is, and the pieces that wait to be decoded."""

    def __init__(self, detector_step_s: float) -> None:
        self.tape = Tape()
        self.pieces: utils.aio.Chan[tuple[Piece, Audio]] = utils.aio.Chan()
        self.undecoded = 0
        """Pieces whose words are not known yet."""
        self._segmenter = Segmenter()
        self._step_s = detector_step_s
        self._detected_s = 0.0
        self._flushes: deque[float] = deque()

    @property
    def busy(self) -> bool:
        """True while somebody speaks, or words that were said are not known yet."""
        return self.undecoded > 0 or self._segmenter.needed_from_s is not None

    def hear(self, event: vad.VADEvent) -> None:
        """Take what the detector says; it may be behind the tape."""
        at_s = self._detected_s = event.timestamp
        if event.type == vad.VADEventType.START_OF_SPEECH:
            self._segmenter.started(at_s, event.speech_duration)
        elif event.type == vad.VADEventType.END_OF_SPEECH:
            self._take(self._segmenter.ended(at_s, event.silence_duration))
        else:
            self._take(self._segmenter.went_on(at_s, event.raw_accumulated_silence, event.probability))
        self._answer_flushes()
        needed_s = self._segmenter.needed_from_s
        self.tape.forget(at_s - KEPT_S if needed_s is None else needed_s)

    def flush(self) -> None:
        """Decode what is on the tape up to here, as soon as the detector has heard it."""
        self._flushes.append(self.tape.end_s)
        self._answer_flushes()

    def finish(self) -> None:
        """No more audio comes: take what is left of the speech."""
        self._take(self._segmenter.flushed(self.tape.end_s))
        self.pieces.close()

    def _answer_flushes(self) -> None:
        while self._flushes and self._detected_s > self._flushes[0] - self._step_s:
            self._take(self._segmenter.flushed(self._flushes.popleft()))

    def _take(self, piece: Piece | None) -> None:
        if piece is not None:
            self.undecoded += 1
            self.pieces.send_nowait((piece, self.tape.cut(piece.start_s, piece.end_s)))


def _final_transcript(transcript: Transcript, language: str, *, offset_s: float, start_s: float) -> stt.SpeechEvent:
    """The framework's event for a transcript of audio that began `start_s` after `offset_s` of the time line."""
    base_s = offset_s + start_s
    words = [
        TimedString(
            word.text,
            start_time=base_s + word.start_s,
            end_time=base_s + word.end_s,
            confidence=word.confidence,
            start_time_offset=offset_s,
        )
        for word in transcript.words
    ]
    data = stt.SpeechData(
        language=LanguageCode(language),
        text=transcript.text,
        start_time=base_s + (transcript.words[0].start_s if words else 0.0),
        end_time=base_s + (transcript.words[-1].end_s if words else 0.0),
        confidence=transcript.confidence,
        words=words,
    )
    return stt.SpeechEvent(stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives=[data])


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
