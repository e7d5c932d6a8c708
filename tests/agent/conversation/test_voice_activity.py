"""How long a candidate has surely spoken, by which the interviewer stops."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from livekit import rtc
from livekit.agents import vad

from agent.conversation.barge_in import GOING_ON_S, INTO_A_QUESTION_S
from agent.conversation.voice_activity import SURE, SureVoiceDetector
from agent.model_files.prepare import ModelPaths
from agent.rehearsal.voice import resampled
from bench.voice.barge_in import PHRASES
from bench.voice.noises import GOAL_IN_100, PEAK, RATE_HZ, longest_voice_s, noises
from speech.models import load_detector
from speech.tts.voice import Voice
from tests.speech.fakes import WINDOW_S

KINDS = vad.VADEventType


class ScriptedVAD(vad.VAD):
    """Tells one event for each frame, from a list; keeps what it was given."""

    def __init__(self, *events: tuple[vad.VADEventType, float]) -> None:
        super().__init__(capabilities=vad.VADCapabilities(update_interval=WINDOW_S))
        self.events = list(events)
        self.given: list[str] = []
        self.fails = False

    def stream(self) -> vad.VADStream:
        return ScriptedStream(self)


class ScriptedStream(vad.VADStream):
    """See `ScriptedVAD`."""

    def __init__(self, detector: ScriptedVAD) -> None:
        self.script = detector
        super().__init__(detector)

    async def _main_task(self) -> None:
        events = iter(self.script.events)
        async for item in self._input_ch:
            if not isinstance(item, rtc.AudioFrame):
                self.script.given.append("flush")
                continue
            self.script.given.append("frame")
            if self.script.fails:
                raise RuntimeError("the detector broke")
            for kind, probability in [next(events)]:
                self._event_ch.send_nowait(
                    vad.VADEvent(
                        type=kind, samples_index=0, timestamp=0.0, speech_duration=9.0, silence_duration=0.0,
                        probability=probability,
                    )
                )  # fmt: skip


async def told(detector: ScriptedVAD) -> Sequence[vad.VADEvent]:
    """What is passed on when a frame is pushed for each event."""
    async with asyncio.timeout(5):
        stream = SureVoiceDetector(detector).stream()
        for _ in detector.events:
            stream.push_frame(rtc.AudioFrame.create(RATE_HZ, 1, 512))
        stream.end_input()
        return [event async for event in stream]


async def test_only_windows_that_surely_are_voice_count() -> None:
    """A doubtful window between two sure ones neither counts nor begins anew."""
    detector = ScriptedVAD(*((KINDS.INFERENCE_DONE, each) for each in (0.5, SURE, 0.6, 0.95, 0.2)))
    durations = [round(event.speech_duration / WINDOW_S) for event in await told(detector)]
    assert durations == [0, 1, 1, 2, 2]


async def test_after_the_end_of_speech_it_counts_anew() -> None:
    """Two coughs are not one word; and how long the speech was stays as the detector has it."""
    events = [(KINDS.INFERENCE_DONE, 0.99), (KINDS.END_OF_SPEECH, 0.0), (KINDS.INFERENCE_DONE, 0.99)]
    first, end, second = await told(ScriptedVAD(*events))
    assert first.speech_duration == second.speech_duration == WINDOW_S
    assert (end.type, end.speech_duration) == (KINDS.END_OF_SPEECH, 9.0)


async def test_frames_and_flushes_reach_the_detector_in_their_order() -> None:
    """A turn that was taken makes it begin anew."""
    detector = ScriptedVAD((KINDS.INFERENCE_DONE, 0.1))
    await told(detector)
    assert detector.given == ["frame", "flush", "flush"]


async def test_a_detector_that_breaks_is_not_taken_for_silence() -> None:
    """The session learns of it as without this detector in between."""
    detector = ScriptedVAD((KINDS.INFERENCE_DONE, 0.9))
    detector.fails = True
    with pytest.raises(RuntimeError, match="broke"):
        await told(detector)


@pytest.fixture(scope="module")
def silero() -> vad.VAD:
    """As interviews have it."""
    return load_detector()


@pytest.mark.slow
async def test_of_a_hundred_noises_hardly_one_stops_the_interviewer(silero: vad.VAD) -> None:
    """Coughs, chairs, keys, bells: through the real detector."""
    sure = SureVoiceDetector(silero)
    stop = [each.kind for each in noises() if await longest_voice_s(sure, each.samples) >= GOING_ON_S]
    assert len(stop) <= GOAL_IN_100, stop


@pytest.mark.slow
async def test_words_stop_the_interviewer_that_noises_do_not(silero: vad.VAD, model_paths: ModelPaths) -> None:
    """The bar is one that every phrase takes with which people come in."""
    voice, sure = Voice.load(model_paths.voice), SureVoiceDetector(silero)
    for text in PHRASES:
        samples = resampled(voice.synthesize(text), voice.sample_rate, RATE_HZ).astype(np.float64)
        assert await longest_voice_s(sure, samples / np.abs(samples).max() * PEAK) >= INTO_A_QUESTION_S, text


@pytest.mark.slow
async def test_a_murmur_stops_no_question(silero: vad.VAD, model_paths: ModelPaths) -> None:
    """Who says "okay" only listens. What is longer pauses it until its words are known."""
    voice, sure = Voice.load(model_paths.voice), SureVoiceDetector(silero)
    for text in ("Mm.", "Okay.", "Yeah.", "Right."):
        samples = resampled(voice.synthesize(text), voice.sample_rate, RATE_HZ).astype(np.float64)
        assert await longest_voice_s(sure, samples / np.abs(samples).max() * PEAK) < INTO_A_QUESTION_S, text
