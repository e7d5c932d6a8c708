"""The stream that a session listens with, with a scripted detector and a scripted recognizer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pytest
from livekit import rtc
from livekit.agents import APIConnectionError, APIError, stt
from livekit.agents.types import APIConnectOptions
from numpy.typing import NDArray

from speech import Recognition, WhisperSTT
from speech.audio import Audio
from speech.stt.plugin import WhisperStream
from speech.stt.whisper import NO_PROMPT, DecodePrompt, always_wanted
from tests.speech.fakes import LoudnessVAD, LoudRecognizer, tone

NO_WAIT = APIConnectOptions(max_retry=3, retry_interval=0.0)
KINDS = stt.SpeechEventType


def frames(pcm: Audio, *, rate: int = 16_000, chunk_ms: int = 10) -> Iterator[rtc.AudioFrame]:
    """Audio at 16 kHz as the frames of a room at another rate."""
    times = np.arange(round(len(pcm) / 16_000 * rate)) / rate
    samples: NDArray[np.int16] = (np.interp(times, np.arange(len(pcm)) / 16_000, pcm) * 32767).astype(np.int16)
    size = rate * chunk_ms // 1000
    for start in range(0, len(samples), size):
        chunk = samples[start : start + size]
        yield rtc.AudioFrame(chunk.tobytes(), rate, 1, len(chunk))


async def hear(whisper: WhisperSTT, *parts: rtc.AudioFrame | str, offset_s: float = 0.0) -> list[stt.SpeechEvent]:
    """Push frames (the word "flush" flushes), end the input, and return what the stream said."""
    async with whisper.stream(conn_options=NO_WAIT) as stream:
        stream.start_time_offset = offset_s
        for part in parts:
            if isinstance(part, str):
                stream.flush()
            else:
                stream.push_frame(part)
                await asyncio.sleep(0)
        stream.end_input()
        return [event async for event in stream]


async def push(stream: WhisperStream, parts: Iterable[rtc.AudioFrame]) -> None:
    """Push frames as if they were spoken: whatever is due is decoded before more comes."""
    for frame in parts:
        stream.push_frame(frame)
        await stream.caught_up()


def finals(events: list[stt.SpeechEvent]) -> list[stt.SpeechData]:
    """What was transcribed."""
    return [event.alternatives[0] for event in events if event.type is KINDS.FINAL_TRANSCRIPT]


def spans(events: list[stt.SpeechEvent]) -> list[float]:
    """Start and end of every word, in seconds."""
    words = [word for data in finals(events) for word in data.words or []]
    return [at for word in words for at in (word.start_time, word.end_time) if isinstance(at, float)]


def kinds(events: list[stt.SpeechEvent]) -> list[KINDS]:
    """What happened for good, without the usage reports."""
    passing = {KINDS.RECOGNITION_USAGE, KINDS.INTERIM_TRANSCRIPT, KINDS.PREFLIGHT_TRANSCRIPT}
    return [event.type for event in events if event.type not in passing]


@pytest.mark.parametrize("chunk_ms", [10, 13, 50, 400])
@pytest.mark.parametrize("rate", [8_000, 16_000, 24_000, 48_000])
async def test_a_word_is_heard_where_it_was_said(rate: int, chunk_ms: int) -> None:
    """At every sample rate of phones and browsers, however the audio is cut into frames."""
    whisper = WhisperSTT(LoudRecognizer(), LoudnessVAD())
    pcm = tone((1.0, 0), (0.8, 0.3), (1.2, 0))
    events = await hear(whisper, *frames(pcm, rate=rate, chunk_ms=chunk_ms))
    assert kinds(events) == [KINDS.START_OF_SPEECH, KINDS.END_OF_SPEECH, KINDS.FINAL_TRANSCRIPT]
    assert spans(events) == pytest.approx([1.0, 1.8], abs=0.02)
    (data,) = finals(events)
    assert (data.text, str(data.language)) == ("la", "en")
    assert data.confidence == pytest.approx(0.9)
    assert (data.start_time, data.end_time) == pytest.approx((1.0, 1.8), abs=0.02)


async def test_times_are_on_the_time_line_of_the_session() -> None:
    """A stream that was opened later says so in its offset; words carry both."""
    whisper = WhisperSTT(LoudRecognizer(), LoudnessVAD())
    events = await hear(whisper, *frames(tone((1.0, 0), (0.8, 0.3), (1.2, 0))), offset_s=100.0)
    assert spans(events) == pytest.approx([101.0, 101.8], abs=0.02)
    (word,) = finals(events)[0].words or []
    assert word.start_time_offset == pytest.approx(100.0, abs=0.01)


async def test_silence_gives_nothing() -> None:
    """No event, and the model is not even asked, flush or no flush."""
    recognizer = LoudRecognizer()
    quiet = list(frames(tone((3.0, 0.001))))
    assert await hear(WhisperSTT(recognizer, LoudnessVAD()), *quiet, "flush", *quiet) == []
    assert recognizer.heard == []


async def test_a_sound_without_words_gives_no_transcript() -> None:
    """The detector fired, but nothing was said: no transcript, not even an empty one."""

    class Deaf(LoudRecognizer):
        def hear(
            self,
            pcm: Audio,
            prompt: DecodePrompt = NO_PROMPT,
            *,
            patient: bool = True,
            wanted: Callable[[], bool] = always_wanted,
        ) -> Recognition | None:
            super().hear(pcm, prompt, patient=patient, wanted=wanted)
            return Recognition()

    events = await hear(WhisperSTT(Deaf(), LoudnessVAD()), *frames(tone((0.5, 0.3), (1.0, 0))))
    assert kinds(events) == [KINDS.START_OF_SPEECH, KINDS.END_OF_SPEECH]


async def test_a_flush_decodes_what_has_been_said() -> None:
    """In mid-speech too; the rest follows, and the two parts together are what was said, each once."""
    recognizer = LoudRecognizer()
    whisper = WhisperSTT(recognizer, LoudnessVAD())
    said = tone((0.5, 0), (2.0, 0.3), (1.5, 0))
    cut = round(1.5 * 16_000)
    events = await hear(whisper, *frames(said[:cut]), "flush", *frames(said[cut:]))
    assert kinds(events).count(KINDS.FINAL_TRANSCRIPT) == 2
    assert spans(events) == pytest.approx([0.5, 1.5, 1.5, 2.5], abs=0.04)


async def test_a_flush_after_the_end_of_speech_decodes_nothing_twice() -> None:
    """The framework flushes at the end of every turn."""
    recognizer = LoudRecognizer()
    pause = list(frames(tone((1.0, 0))))
    speech = list(frames(tone((0.5, 0), (1.0, 0.3))))
    await hear(WhisperSTT(recognizer, LoudnessVAD()), *speech, *pause)
    needed = len(recognizer.heard)
    events = await hear(WhisperSTT(recognizer, LoudnessVAD()), *speech, *pause, "flush", *pause, "flush")
    assert len(finals(events)) == 1
    assert len(recognizer.heard) == 2 * needed


async def test_a_flush_just_before_the_detector_hears_the_end_is_enough() -> None:
    """The session's own detector may be a moment faster than the stream's."""
    recognizer = LoudRecognizer()
    events = await hear(
        WhisperSTT(recognizer, LoudnessVAD()), *frames(tone((1.0, 0.3), (0.48, 0))), "flush", *frames(tone((1.0, 0)))
    )
    assert kinds(events).count(KINDS.FINAL_TRANSCRIPT) == 1
    assert kinds(events).count(KINDS.END_OF_SPEECH) == 1


async def test_a_failed_decode_is_tried_again() -> None:
    """One failure costs nothing but time, and is reported as recoverable."""
    whisper = WhisperSTT(LoudRecognizer(fails_on=[1]), LoudnessVAD())
    errors: list[stt.STTError] = []
    whisper.on("error", errors.append)
    events = await hear(whisper, *frames(tone((1.0, 0.3), (1.0, 0))))
    assert len(finals(events)) == 1
    assert [error.recoverable for error in errors] == [True]


async def test_words_that_could_not_be_decoded_are_tried_again_after_the_next_ones() -> None:
    """The failure is reported, nobody waits for what may never come, and in the end nothing is missing."""
    whisper = WhisperSTT(LoudRecognizer(fails_on=[1, 2, 3, 4]), LoudnessVAD())
    errors: list[stt.STTError] = []
    whisper.on("error", errors.append)
    async with whisper.stream(conn_options=NO_WAIT) as stream:
        await push(stream, frames(tone((0.8, 0.3), (1.0, 0))))
        await asyncio.wait_for(whisper.all_heard(), 5)
        assert len(errors) == 4
        await push(stream, frames(tone((0.8, 0.3), (1.0, 0))))
        stream.end_input()
        events = [event async for event in stream]
    assert spans(events) == pytest.approx([0, 0.8, 1.8, 2.6], abs=0.02)
    assert all(error.recoverable and isinstance(error.error, APIConnectionError) for error in errors)


async def test_words_that_are_lost_are_said_to_be() -> None:
    """After four tries; what was heard of them before is not lost, and the next words are heard."""
    whisper = WhisperSTT(LoudRecognizer(fails_on=range(2, 8)), LoudnessVAD())
    errors: list[stt.STTError] = []
    whisper.on("error", errors.append)
    async with whisper.stream(conn_options=NO_WAIT) as stream:
        await push(stream, frames(tone((2.6, 0.3), (1.0, 0))))
        await push(stream, frames(tone((0.8, 0.3), (1.0, 0))))
        stream.end_input()
        events = [event async for event in stream]
    assert spans(events)[-2:] == pytest.approx([3.6, 4.4], abs=0.02)
    assert spans(events)[0] == pytest.approx(0, abs=0.02)
    assert [error.recoverable for error in errors] == [True] * 5 + [False]
    assert "missing in the transcript" in str(errors[-1].error)


async def test_when_the_detector_fails_nothing_said_is_lost() -> None:
    """What was said before is decoded, the stream starts anew, and later speech is heard."""
    whisper = WhisperSTT(LoudRecognizer(), LoudnessVAD(breaks_at_s=1.5))
    errors: list[stt.STTError] = []
    whisper.on("error", errors.append)
    speech = list(frames(tone((1.0, 0), (1.0, 0.3))))
    async with whisper.stream(conn_options=NO_WAIT) as stream:
        for frame in speech:
            stream.push_frame(frame)
        first = await anext(event async for event in stream if event.type is KINDS.FINAL_TRANSCRIPT)
        for frame in frames(tone((1.0, 0), (1.0, 0.3), (1.0, 0))):
            stream.push_frame(frame)
        stream.end_input()
        rest = [event async for event in stream]
    assert first.alternatives[0].start_time == pytest.approx(1.0, abs=0.05)
    assert finals(rest)
    assert [error.recoverable for error in errors] == [True]
    assert all(isinstance(error.error, APIError) for error in errors)


async def test_minutes_without_a_pause_are_heard_in_pieces() -> None:
    """No piece is longer than Whisper's window allows, and together they are the whole speech."""
    recognizer = LoudRecognizer()
    events = await hear(
        WhisperSTT(recognizer, LoudnessVAD()), *frames(tone((1.0, 0), (150.0, 0.3), (1.0, 0)), chunk_ms=100)
    )
    assert kinds(events).count(KINDS.START_OF_SPEECH) == kinds(events).count(KINDS.END_OF_SPEECH) == 1
    assert max(len(pcm) for pcm in recognizer.heard) <= 26.5 * 16_000
    times = spans(events)
    assert times[0] == pytest.approx(1.0, abs=0.02)
    assert times[-1] == pytest.approx(151.0, abs=0.02)
    assert times[1:-1:2] == pytest.approx(times[2::2], abs=0.02)


async def test_speech_that_goes_on_when_the_room_closes_is_decoded() -> None:
    """A candidate who leaves in mid-word has said what came before."""
    events = await hear(WhisperSTT(LoudRecognizer(), LoudnessVAD()), *frames(tone((0.5, 0), (1.0, 0.3))))
    assert spans(events) == pytest.approx([0.5, 1.5], abs=0.04)


async def test_usage_is_reported() -> None:
    """The session's metrics know how much audio was decoded."""
    events = await hear(WhisperSTT(LoudRecognizer(), LoudnessVAD()), *frames(tone((1.0, 0.3), (1.0, 0))))
    (usage,) = [event.recognition_usage for event in events if event.recognition_usage]
    assert usage.audio_duration == pytest.approx(1.25, abs=0.1)


async def test_the_end_of_speech_is_told_on_the_clock() -> None:
    """The framework measures how long the candidate waits from there."""
    whisper = WhisperSTT(LoudRecognizer(), LoudnessVAD(), clock=lambda: 1000.0)
    events = await hear(whisper, *frames(tone((1.0, 0.3), (1.0, 0))))
    (end,) = [event for event in events if event.type is KINDS.END_OF_SPEECH]
    assert end.speech_end_time == pytest.approx(999.5, abs=0.04)


async def test_closing_in_mid_decode_does_not_wait_for_it() -> None:
    """A session that ends is not held up by a model that still works."""
    working = asyncio.Event()
    loop = asyncio.get_running_loop()

    class Slow(LoudRecognizer):
        def hear(
            self,
            pcm: Audio,
            prompt: DecodePrompt = NO_PROMPT,
            *,
            patient: bool = True,
            wanted: Callable[[], bool] = always_wanted,
        ) -> Recognition | None:
            loop.call_soon_threadsafe(working.set)
            return super().hear(pcm, prompt, patient=patient, wanted=wanted)

    async with WhisperSTT(Slow(), LoudnessVAD()).stream(conn_options=NO_WAIT) as stream:
        for frame in frames(tone((1.0, 0.3), (1.0, 0))):
            stream.push_frame(frame)
        await working.wait()


@pytest.mark.parametrize("channels", [1, 2])
async def test_a_recording_is_recognised_as_a_whole(channels: int) -> None:
    """Without a stream, at another rate, in stereo."""
    samples = np.repeat((tone((0.5, 0), (1.0, 0.3)) * 32767).astype(np.int16), 3 * channels)
    frame = rtc.AudioFrame(samples.tobytes(), 48_000, channels, len(samples) // channels)
    event = await WhisperSTT(LoudRecognizer(), LoudnessVAD()).recognize(frame)
    assert spans([event]) == pytest.approx([0.5, 1.5], abs=0.02)


async def test_a_recording_that_cannot_be_decoded_is_an_api_error() -> None:
    """Anything else would end the session's ear."""
    whisper = WhisperSTT(LoudRecognizer(fails_on=[1]), LoudnessVAD())
    frame = next(frames(tone((1.0, 0.3)), chunk_ms=1000))
    with pytest.raises(APIConnectionError, match="could not decode"):
        await whisper.recognize(frame, conn_options=APIConnectOptions(max_retry=0))


def test_capabilities_are_declared() -> None:
    """The framework flushes at the end of a turn, keeps word times, and needs no adapter."""
    whisper = WhisperSTT(LoudRecognizer(), LoudnessVAD())
    assert whisper.capabilities.streaming
    assert whisper.capabilities.manual_flush
    assert whisper.capabilities.aligned_transcript == "word"
    assert (whisper.model, whisper.provider) == ("whisper", "faster-whisper")


async def always() -> bool:
    """The recognizer is free."""
    return True


async def test_a_whole_answer_is_decoded_again_in_pieces_with_what_came_before() -> None:
    """Each piece knows the words before it and the likely terms, and times count from the beginning of the answer."""
    recognizer = LoudRecognizer()
    whisper = WhisperSTT(recognizer, LoudnessVAD())
    pcm = tone((1.0, 0), (1.0, 0.3), (26.0, 0), (1.0, 0.3), (1.0, 0))
    heard = await whisper.decode_again(list(frames(pcm)), "oxidation, terroir", always)
    assert heard is not None
    assert [round(word.start_s) for word in heard] == [1, 28]
    assert len(recognizer.prompts) > 1
    assert {prompt.hot_words for prompt in recognizer.prompts} == {"oxidation, terroir"}
    assert recognizer.prompts[-1].before == heard[0].text


async def test_a_second_decode_stops_when_the_recognizer_is_needed() -> None:
    """Whoever speaks goes before: nothing is kept of what was begun."""
    recognizer = LoudRecognizer()
    answers = iter((True, False))

    async def at_first() -> bool:
        return next(answers)

    pcm = tone((1.0, 0), (1.0, 0.3), (26.0, 0), (1.0, 0.3), (1.0, 0))
    assert await WhisperSTT(recognizer, LoudnessVAD()).decode_again(list(frames(pcm)), "", at_first) is None
    assert len(recognizer.prompts) == 1


async def test_a_second_decode_that_fails_says_so() -> None:
    """The answer stays as it was heard; nobody takes an error for words."""
    whisper = WhisperSTT(LoudRecognizer(fails_on=[1]), LoudnessVAD())
    with pytest.raises(APIConnectionError):
        await whisper.decode_again(list(frames(tone((1.0, 0.3)))), "", always)
