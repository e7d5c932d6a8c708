"""How long a candidate has surely spoken, by which the interviewer stops."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from livekit import rtc
from livekit.agents import vad

from agent.conversation.barge_in import GOING_ON_S, INTO_A_QUESTION_S
from agent.conversation.voice_activity import LIKELY, SURE, Evidence, SureVoiceDetector, without_smoothing
from agent.model_files.prepare import ModelPaths
from bench.voice.barge_in import PHRASES
from bench.voice.noises import GOAL_IN_100, PEAK, RATE_HZ, longest_voice_s, noises
from speech.audio import resampled
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
        self.speaking = True
        self.restarts_at = 0
        """Number of the event before which it was flushed."""

    def stream(self) -> vad.VADStream:
        return ScriptedStream(self)


class ScriptedStream(vad.VADStream):
    """See `ScriptedVAD`."""

    def __init__(self, detector: ScriptedVAD) -> None:
        self.script = detector
        super().__init__(detector)

    async def _main_task(self) -> None:
        events = iter(enumerate(self.script.events))
        async for item in self._input_ch:
            if not isinstance(item, rtc.AudioFrame):
                self.script.given.append("flush")
                continue
            self.script.given.append("frame")
            if self.script.fails:
                raise RuntimeError("the detector broke")
            for number, (kind, probability) in [next(events)]:
                since = number + (1000 if number < self.script.restarts_at else 0)
                self._event_ch.send_nowait(
                    vad.VADEvent(
                        type=kind, samples_index=since * 512, timestamp=0.0, speech_duration=9.0, silence_duration=0.0,
                        probability=probability, speaking=self.script.speaking,
                    )
                )  # fmt: skip


async def told(detector: ScriptedVAD, sure: SureVoiceDetector | None = None) -> Sequence[vad.VADEvent]:
    """What is passed on when a frame is pushed for each event, all of them at once."""
    async with asyncio.timeout(5):
        stream = (sure or SureVoiceDetector(detector)).stream()
        for _ in detector.events:
            stream.push_frame(rtc.AudioFrame.create(RATE_HZ, 1, 512))
        stream.end_input()
        return [event async for event in stream]


def noticed(windows: Sequence[float], enough_s: float) -> int | None:
    """After how many windows, from silence on, there is enough evidence; None for never."""
    evidence = Evidence(smoothed=0.0)
    for number, probability in enumerate(windows, start=1):
        evidence = evidence.after(probability, WINDOW_S)
        if evidence.speech_s >= enough_s:
            return number
    return None


CLICK = [0.0, 0.65, 0.23, 0.08]
"""One window of 1, as the detector smooths it."""
SILENCE = [0.02] * 11
CERTAIN = [0.65, 0.88, 0.96, 0.98]
"""The beginning of a vowel."""


@pytest.mark.parametrize(
    ("noise", "windows"),
    [
        ("a click", CLICK),
        ("a key, and another soon after", CLICK + CLICK),
        ("typing, twenty keys", (CLICK + [0.03] * 2) * 20),
        ("two clicks a minute apart", CLICK + [0.02] * 1900 + CLICK),
        ("a chair that creaks", [0.1, 0.3, 0.45, 0.48, 0.4, 0.45, 0.3, 0.2]),
        ("a fan that may be a voice now and then", [0.3, 0.45, 0.52, 0.4, 0.3] * 30),
        ("breath", [0.2, 0.36, 0.4, 0.42, 0.38, 0.3]),
    ],
)
def test_a_noise_stops_nobody(noise: str, windows: Sequence[float]) -> None:
    """Neither feedback nor a question, however often it comes."""
    assert noticed(windows, GOING_ON_S) is None, noise
    assert noticed(windows, INTO_A_QUESTION_S) is None, noise


@pytest.mark.parametrize(
    ("word", "windows", "feedback_within_s", "question_within_s"),
    [
        ("a vowel", [*CERTAIN, *[0.99] * 20], 0.13, 0.5),
        ("a hissed s, then a vowel", [0.2, 0.36, 0.5, 0.55, *CERTAIN, *[0.99] * 20], 0.24, 0.6),
        ("a voice in noise, never sure", [0.3, 0.5] + [0.72] * 60, 0.5, 0.5),
        ("a voice in loud noise, sure now and then", [0.5, 0.75, 0.45, 0.85, 0.7, 0.4] * 20, 0.35, 0.7),
        ("short words with gaps", [*CERTAIN, *[0.99] * 4, 0.5, 0.2, 0.1] * 6, 0.13, 0.8),
    ],
)
def test_words_stop_the_interviewer_however_they_begin(
    word: str, windows: Sequence[float], feedback_within_s: float, question_within_s: float
) -> None:
    """Certain voice does at once, likely voice somewhat later, and none never."""
    for enough_s, within_s in ((GOING_ON_S, feedback_within_s), (INTO_A_QUESTION_S, question_within_s)):
        after = noticed(windows, enough_s)
        assert after is not None, word
        assert after * WINDOW_S <= within_s, word


@given(st.lists(st.floats(0, 1, exclude_max=True).filter(lambda each: each < LIKELY), max_size=200))
def test_what_is_likely_no_voice_never_stops_anybody(windows: list[float]) -> None:
    """However long it goes on."""
    assert noticed(windows, GOING_ON_S) is None


async def test_voice_is_told_of_once_it_is_certain_and_silence_takes_it_away() -> None:
    """One sure window is none yet; with the second all that was likely counts."""
    detector = ScriptedVAD(*((KINDS.INFERENCE_DONE, each) for each in (0.6, SURE, 0.4, 0.95, 0.2)))
    counted = [round(event.speech_duration / WINDOW_S, 2) for event in await told(detector)]
    assert counted == [0, 0, 0, 3, 0]


async def test_windows_that_come_late_and_all_at_once_count_the_same() -> None:
    """A processor that stalls loses no evidence: it is counted in sound, not by the clock."""
    windows = [(KINDS.INFERENCE_DONE, each) for each in (*CERTAIN, *[0.99] * 12)]
    burst = await told(ScriptedVAD(*windows))
    stream = SureVoiceDetector(ScriptedVAD(*windows)).stream()
    for number in range(len(windows)):
        stream.push_frame(rtc.AudioFrame.create(RATE_HZ, 1, 512))
        event = await anext(stream)
        assert event.speech_duration == burst[number].speech_duration
    await stream.aclose()
    assert burst[-1].speech_duration >= INTO_A_QUESTION_S


async def test_after_the_end_of_speech_it_counts_anew() -> None:
    """Two coughs are not one word; and how long the speech was stays as the detector has it."""
    sure = (KINDS.INFERENCE_DONE, 0.99)
    *_, first, end, second, third = await told(ScriptedVAD(sure, sure, (KINDS.END_OF_SPEECH, 0.0), sure, sure))
    assert first.speech_duration == third.speech_duration == 2 * WINDOW_S
    assert second.speech_duration == 0
    assert (end.type, end.speech_duration) == (KINDS.END_OF_SPEECH, 9.0)


async def test_after_a_flush_it_counts_anew() -> None:
    """What was heard before it is no part of what comes."""
    detector = ScriptedVAD(*[(KINDS.INFERENCE_DONE, 0.99)] * 4)
    detector.restarts_at = 2
    assert [round(event.speech_duration / WINDOW_S) for event in await told(detector)] == [0, 2, 0, 2]


async def test_recognised_words_are_evidence_enough_until_the_speech_ends() -> None:
    """The second way in: a voice that no window is sure of stops the interviewer by its words, once."""
    detector = ScriptedVAD(*[(KINDS.INFERENCE_DONE, 0.4)] * 2, (KINDS.END_OF_SPEECH, 0.0), (KINDS.INFERENCE_DONE, 0.4))
    sure = SureVoiceDetector(detector)
    sure.words_heard = True
    while_said, still_said, _, later = await told(detector, sure)
    assert while_said.speech_duration >= INTO_A_QUESTION_S
    assert still_said.speech_duration >= INTO_A_QUESTION_S
    assert later.speech_duration == 0


async def test_words_that_are_known_only_after_the_end_pass_to_nobody_else() -> None:
    """The next sound is no speech because of them; a final transcript stops the interviewer by itself."""
    detector = ScriptedVAD((KINDS.INFERENCE_DONE, 0.1), (KINDS.START_OF_SPEECH, 0.0), (KINDS.INFERENCE_DONE, 0.6))
    detector.speaking = False
    sure = SureVoiceDetector(detector)
    sure.words_heard = True
    silent, _, cough = await told(detector, sure)
    assert silent.speech_duration == 0
    assert cough.speech_duration < GOING_ON_S


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
async def test_what_the_detector_smooths_is_taken_out_rightly(silero: vad.VAD, model_paths: ModelPaths) -> None:
    """A detector that smoothed otherwise would give probabilities over 1 or under 0."""
    voice = Voice.load(model_paths.voice)
    pcm = resampled(voice.synthesize("Stop. Wait. Sorry, I was not done."), voice.sample_rate, RATE_HZ)
    stream = silero.stream()
    stream.push_frame(rtc.AudioFrame(pcm.tobytes(), RATE_HZ, 1, len(pcm)))
    stream.end_input()
    smoothed = [event.probability async for event in stream if event.type is KINDS.INFERENCE_DONE]
    by_itself = [without_smoothing(after, before) for before, after in pairwise(smoothed)]
    assert max(by_itself) > SURE
    assert all(-0.001 <= each <= 1.001 for each in by_itself)
