"""Speech that is decoded while it goes on, with a scripted detector and a recognizer for which each beep is a word."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from itertools import cycle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from livekit import rtc
from livekit.agents import stt, vad

from speech import Recognition, WhisperSTT
from speech.audio import Audio
from speech.stt.local_agreement import FORCED_S
from speech.stt.recognizer import MAX_PIECE_S
from speech.stt.scheduler import Urgency
from speech.stt.stream_state import SILENCE_S, STEP_S, StreamState
from speech.stt.whisper import NO_PROMPT, DecodeAbandonedError, DecodePrompt, always_wanted
from tests.speech.fakes import BeepRecognizer, LoudnessVAD, LoudRecognizer, beep, tone
from tests.speech.stt.test_plugin import KINDS, NO_WAIT, finals, frames, hear, push

GAPS_S = st.sampled_from([0.06, 0.15, 0.3, 0.7])


def spoken(gaps_s: list[float]) -> tuple[list[str], Audio]:
    """Words 0, 1, 2 … as beeps with these pauses after them."""
    sound = [part for at, gap_s in enumerate(gaps_s) for part in (beep(at % 40), tone((gap_s, 0)))]
    return [f"word{at % 40}" for at in range(len(gaps_s))], np.concatenate([tone((0.5, 0)), *sound, tone((0.8, 0))])


def cut(pcm: Audio, sizes_ms: list[int]) -> list[rtc.AudioFrame]:
    """Audio in frames of these lengths, again and again."""
    samples = (pcm * 32767).astype(np.int16)
    parts, at = [], 0
    for size_ms in cycle(sizes_ms):
        part = samples[at : at + 16 * size_ms]
        parts.append(rtc.AudioFrame(part.tobytes(), 16_000, 1, len(part)))
        at += len(part)
        if at >= len(samples):
            return parts
    raise AssertionError


def text(events: list[stt.SpeechEvent]) -> list[str]:
    """The words of all final transcripts."""
    return " ".join(data.text for data in finals(events)).split()


@settings(max_examples=15)
@given(st.lists(GAPS_S, min_size=1, max_size=60), st.lists(st.integers(1, 700), min_size=1, max_size=5))
def test_every_word_is_final_once_however_the_audio_is_cut(gaps_s: list[float], sizes_ms: list[int]) -> None:
    """Pushed at any speed, in frames of any length, with pauses of any length; words that are cut off are no words."""
    said, pcm = spoken(gaps_s)

    async def at_once() -> list[stt.SpeechEvent]:
        return await hear(WhisperSTT(BeepRecognizer(), LoudnessVAD()), *cut(pcm, sizes_ms))

    async def as_spoken() -> list[stt.SpeechEvent]:
        async with WhisperSTT(BeepRecognizer(), LoudnessVAD()).stream(conn_options=NO_WAIT) as stream:
            await push(stream, cut(pcm, sizes_ms))
            stream.end_input()
            return [event async for event in stream]

    assert text(asyncio.run(at_once())) == said
    events = asyncio.run(as_spoken())
    assert text(events) == said
    times = [float(word.start_time) for data in finals(events) for word in data.words or []]  # type: ignore[arg-type]
    assert times == sorted(times)


async def listened(recognizer: BeepRecognizer, pcm: Audio) -> list[stt.SpeechEvent]:
    """What a stream says about audio that comes as it is spoken."""
    async with WhisperSTT(recognizer, LoudnessVAD()).stream(conn_options=NO_WAIT) as stream:
        await push(stream, frames(pcm, chunk_ms=30))
        stream.end_input()
        return [event async for event in stream]


async def test_words_are_shown_while_somebody_speaks() -> None:
    """Before the end of the speech, growing, and only those that are not final."""
    said, pcm = spoken([0.1] * 24)
    events = await listened(BeepRecognizer(), pcm)
    end = next(at for at, event in enumerate(events) if event.type is KINDS.END_OF_SPEECH)
    shown = [event for event in events[:end] if event.type is KINDS.INTERIM_TRANSCRIPT]
    assert len(shown) >= 2
    assert shown[0].alternatives[0].text.split()[:2] == said[:2]
    assert all(event.type is not KINDS.INTERIM_TRANSCRIPT for event in events[end:])


async def test_a_pause_is_used_to_decode_and_its_words_are_used_again() -> None:
    """When the speech turns out to be over nothing is left to decode: the final words are those of the pause."""
    recognizer = BeepRecognizer()
    _, pcm = spoken([0.1, 0.1])
    events = await listened(recognizer, pcm)
    (preflight,) = [event for event in events if event.type is KINDS.PREFLIGHT_TRANSCRIPT]
    assert preflight.alternatives[0].text == finals(events)[0].text == "word0 word1"
    assert len(recognizer.heard) == 1
    assert [event.type for event in events][:3] == [
        KINDS.START_OF_SPEECH, KINDS.PREFLIGHT_TRANSCRIPT, KINDS.END_OF_SPEECH
    ]  # fmt: skip


async def test_a_long_answer_costs_no_more_at_its_end_than_a_short_one() -> None:
    """Three minutes are decoded in windows that stay short, and the words of the end come last."""
    recognizer = BeepRecognizer()
    said, pcm = spoken([0.1] * 450)
    events = await listened(recognizer, pcm)
    assert text(events) == said
    assert max(len(window) for window in recognizer.heard) <= (FORCED_S + 2 * STEP_S) * 16_000
    assert len(finals(events)[-1].text.split()) < 30


async def test_all_is_heard_only_when_the_last_words_are_sent() -> None:
    """Turn taking waits for it."""

    class Slow(LoudRecognizer):
        may_answer = threading.Event()

        def hear(
            self,
            pcm: Audio,
            prompt: DecodePrompt = NO_PROMPT,
            *,
            patient: bool = True,
            wanted: Callable[[], bool] = always_wanted,
        ) -> Recognition | None:
            self.may_answer.wait(10)
            return super().hear(pcm, prompt, patient=patient, wanted=wanted)

    recognizer = Slow()
    whisper = WhisperSTT(recognizer, LoudnessVAD())
    async with whisper.stream(conn_options=NO_WAIT) as stream:
        for frame in frames(tone((0.8, 0.3), (1.0, 0))):
            stream.push_frame(frame)
        events = [event async for event in _until(stream, KINDS.END_OF_SPEECH)]
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(whisper.all_heard(), 0.05)
        recognizer.may_answer.set()
        await asyncio.wait_for(whisper.all_heard(), 10)
        events += [event async for event in _until(stream, KINDS.FINAL_TRANSCRIPT)]
    assert text(events) == ["la"]


async def test_two_interviews_share_a_model() -> None:
    """Each hears its own words, and a slow model holds up neither."""
    recognizer = BeepRecognizer()
    (one, first), (other, second) = spoken([0.1] * 30), spoken([0.3, 0.06, 0.7] * 8)
    heard = await asyncio.gather(listened(recognizer, first), listened(recognizer, second))
    assert [text(events) for events in heard] == [one, other]


def detected(kind: vad.VADEventType, at_s: float, silence_s: float = 0.0) -> vad.VADEvent:
    """What the detector says of a voice that began at 0."""
    return vad.VADEvent(
        type=kind,
        samples_index=round(at_s * 16_000),
        timestamp=at_s,
        speech_duration=at_s,
        silence_duration=silence_s,
        raw_accumulated_silence=silence_s,
    )


def test_a_decode_for_a_pause_that_was_none_is_not_wanted_any_more() -> None:
    """Who goes on after a breath has no use for words up to the breath."""
    state = StreamState(step_s=0.1)
    state.hear(detected(vad.VADEventType.START_OF_SPEECH, 0.3))
    state.hear(detected(vad.VADEventType.INFERENCE_DONE, 1.0, SILENCE_S + 0.05))
    job = state.next_decode()
    assert job is not None
    assert job.urgency is Urgency.PAUSE
    assert not state.has_overtaken(job)
    state.hear(detected(vad.VADEventType.INFERENCE_DONE, 1.2))
    assert state.has_overtaken(job)


async def test_words_in_mid_speech_give_way_to_the_last_ones() -> None:
    """A decode that is under way when the voice stops is told that something more urgent waits."""

    class Long(BeepRecognizer):
        working, given_up = threading.Event(), 0

        def hear(
            self,
            pcm: Audio,
            prompt: DecodePrompt = NO_PROMPT,
            *,
            patient: bool = True,
            wanted: Callable[[], bool] = always_wanted,
        ) -> Recognition | None:
            self.working.set()
            for _ in range(0 if patient else 100):
                if not wanted():
                    self.given_up += 1
                    raise DecodeAbandonedError
                threading.Event().wait(0.02)
            return super().hear(pcm, prompt, patient=patient, wanted=wanted)

    recognizer = Long()
    said, pcm = spoken([0.1] * 6)
    whisper = WhisperSTT(recognizer, LoudnessVAD())
    async with whisper.stream(conn_options=NO_WAIT) as stream:
        pushed = list(frames(pcm))
        for frame in pushed:
            stream.push_frame(frame)
            if recognizer.working.is_set():
                await asyncio.sleep(0)
            else:
                await asyncio.sleep(0.005)
        stream.end_input()
        events = [event async for event in stream]
    assert text(events) == said
    assert recognizer.given_up


async def test_an_interview_that_is_closed_in_mid_decode_leaves_the_model_to_the_others() -> None:
    """What waited for it is never decoded."""

    class Held(BeepRecognizer):
        working, may_go_on = threading.Event(), threading.Event()

        def hear(
            self,
            pcm: Audio,
            prompt: DecodePrompt = NO_PROMPT,
            *,
            patient: bool = True,
            wanted: Callable[[], bool] = always_wanted,
        ) -> Recognition | None:
            self.working.set()
            self.may_go_on.wait(10)
            return super().hear(pcm, prompt, patient=patient, wanted=wanted)

    recognizer = Held()
    whisper = WhisperSTT(recognizer, LoudnessVAD())
    for _ in range(2):
        async with whisper.stream(conn_options=NO_WAIT) as stream:
            for frame in frames(spoken([0.1] * 5)[1]):
                stream.push_frame(frame)
            await asyncio.to_thread(recognizer.working.wait, 10)
            await asyncio.sleep(0.05)
    recognizer.may_go_on.set()
    await asyncio.wait_for(whisper.all_heard(), 10)
    assert text(await listened(recognizer, spoken([0.1])[1])) == ["word0"]
    assert len(recognizer.heard) == 2


async def test_speech_in_which_nothing_is_settled_is_cut_at_a_quiet_place() -> None:
    """A model that changes its mind all the time still gives each word once, from windows that it can hear."""

    class Fickle(LoudRecognizer):
        def hear(
            self,
            pcm: Audio,
            prompt: DecodePrompt = NO_PROMPT,
            *,
            patient: bool = True,
            wanted: Callable[[], bool] = always_wanted,
        ) -> Recognition | None:
            self.word = f"la{len(self.heard)}"
            return super().hear(pcm, prompt, patient=patient, wanted=wanted)

    recognizer = Fickle()
    async with WhisperSTT(recognizer, LoudnessVAD()).stream(conn_options=NO_WAIT) as stream:
        await push(stream, frames(tone((62, 0.3), (1, 0)), chunk_ms=100))
        stream.end_input()
        events = [event async for event in stream]
    assert max(len(window) for window in recognizer.heard) <= MAX_PIECE_S * 16_000
    assert len(text(events)) == pytest.approx(62, abs=4)


async def _until(stream: stt.RecognizeStream, kind: stt.SpeechEventType) -> AsyncIterator[stt.SpeechEvent]:
    async for event in stream:
        yield event
        if event.type is kind:
            return
