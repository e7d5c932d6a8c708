"""People who whisper, hurry, drag, or are not alone. Slow: the real voice, detector and Whisper base.

Whatever cannot be understood may be missing; nothing may be made up.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.signal import istft, resample_poly, stft

from agent.cli.transcribe import stream_through
from agent.model_files.prepare import ModelPaths
from speech import SpeechModels, Voice, WhisperChoice, WhisperSTT, load_speech_models
from speech.audio import SAMPLE_RATE, Audio, from_int16
from speech.stt.repetition import words_of

pytestmark = pytest.mark.slow

TEXT = (
    "I would keep a replica in another region. When the first one fails, the traffic goes to the second, and nobody "
    "has to be called at night."
)
OTHER = "Dinner is nearly ready. Could somebody please set the table and call the children?"


@pytest.fixture(scope="module")
def models(model_paths: ModelPaths) -> SpeechModels:
    """The real models."""
    return load_speech_models(WhisperChoice(model_paths.whisper), model_paths.voice, model_paths.end_of_turn)


def said(voice: Voice, text: str, *, pace: float = 1.0, pitch: float = 1.0) -> Audio:
    """A text at a pace, in the voice of somebody whose pitch is another."""
    pcm = from_int16(voice.synthesize(text, pace=pace / pitch))
    return resample_poly(pcm, SAMPLE_RATE, round(voice.sample_rate * pitch)).astype(np.float32)


def whispered(pcm: Audio) -> Audio:
    """The same without a voice: breath in the place of what the vocal folds do, shaped as before, and low."""
    rng = np.random.default_rng(3)
    _, _, spectrum = stft(pcm, SAMPLE_RATE, nperseg=400)
    smooth = np.apply_along_axis(lambda column: np.convolve(column, np.ones(7) / 7, mode="same"), 0, np.abs(spectrum))
    _, breath = istft(smooth * np.exp(2j * np.pi * rng.random(spectrum.shape)), SAMPLE_RATE, nperseg=400)
    # A whisper has little under 500 Hz and is about 20 dB lower than speech.
    return (0.1 * np.diff(breath, prepend=0.0)).astype(np.float32)


async def heard(models: SpeechModels, pcm: Audio) -> str:
    """As a stream hears it in an interview."""
    quiet = np.random.default_rng(4).normal(0, 3e-4, len(pcm) + 3 * SAMPLE_RATE).astype(np.float32)
    quiet[SAMPLE_RATE : SAMPLE_RATE + len(pcm)] += pcm
    samples = np.clip(quiet * 32767, -32768, 32767).astype(np.int16)
    utterances = await stream_through(WhisperSTT(models.recognizer, models.vad), samples, lambda _: None)
    return " ".join(utterance.text for utterance in utterances)


def share(text: str, transcript: str) -> float:
    """The share of a text's words that a transcript has."""
    wanted = Counter(words_of(text))
    return (wanted & Counter(words_of(transcript))).total() / wanted.total()


@pytest.mark.parametrize("pace", [0.5, 0.7, 1.5, 1.9])
async def test_very_slow_and_very_fast_speech_is_understood(models: SpeechModels, pace: float) -> None:
    """At half and at nearly twice the usual pace four words in five arrive, and none twice."""
    transcript = await heard(models, said(models.voice, TEXT, pace=pace))
    assert share(TEXT, transcript) >= 0.8, transcript
    assert len(words_of(transcript)) <= 1.15 * len(words_of(TEXT))


@pytest.mark.parametrize("level", [0.3, 0.03])
async def test_a_low_voice_is_understood(models: SpeechModels, level: float) -> None:
    """Ten and thirty decibels lower than usual."""
    transcript = await heard(models, level * said(models.voice, TEXT))
    assert share(TEXT, transcript) >= 0.8, transcript


async def test_a_whisper_is_understood_or_not_heard(models: SpeechModels) -> None:
    """What arrives of it was said: no words are made of breath."""
    transcript = await heard(models, whispered(said(models.voice, TEXT)))
    made_up = len(words_of(transcript)) * (1 - share(transcript, TEXT)) if transcript else 0
    assert made_up <= 0.25 * len(words_of(TEXT)), transcript


async def test_a_second_person_in_the_background_does_not_take_over(models: SpeechModels) -> None:
    """Somebody speaks at the same time, fifteen decibels lower: the answer is the candidate's."""
    mine, theirs = said(models.voice, TEXT), said(models.voice, OTHER, pitch=1.3)
    both = mine.copy()
    length = min(len(mine), len(theirs))
    both[:length] += 10 ** (-15 / 20) * theirs[:length]
    transcript = await heard(models, both)
    assert share(TEXT, transcript) >= 0.8, transcript
    assert share(OTHER, transcript) <= 0.35, transcript


async def test_who_speaks_after_the_candidate_is_heard_as_the_candidate(models: SpeechModels) -> None:
    """One microphone is one person: whoever is as loud in it is written down, not dropped."""
    pause = np.zeros(SAMPLE_RATE // 2, np.float32)
    other = said(models.voice, OTHER, pitch=1.3)
    transcript = await heard(models, np.concatenate([said(models.voice, TEXT), pause, other]))
    assert share(TEXT, transcript) >= 0.8, transcript
    assert share(OTHER, transcript) >= 0.6, transcript
