"""Models of speech: every one of the process, loaded once.

Interviews run as threads of one worker by default: a cache per interview would hold the same model in memory as often
as there are interviews and load it while a candidate waits.
"""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from livekit import rtc
from livekit.agents import vad
from livekit.plugins import silero  # at the top: plugins may be registered only by the main thread

from speech.audio import SAMPLE_RATE
from speech.end_of_turn import SmartTurn, TurnModel
from speech.stt.recognizer import Recognizer
from speech.tts.voice import Voice

MAX_SPEECH_S = 600.0
"""The longest speech, in seconds, that the detector keeps. Its default of 60 s warns in the log in mid-answer."""

SILENCE_S = 0.35
"""Silence after which the detector says that speech is over. Its default of 0.55 s is longer than a clear end of an
answer has to be waited for; when an answer is over is decided elsewhere, from more than silence. By then a decode that
began in the pause has come back."""


@dataclass(frozen=True, slots=True)
class SpeechModels:
    """What an interview needs to hear and to speak; all of it may be shared between threads."""

    recognizer: Recognizer
    voice: Voice
    vad: vad.VAD
    """Silero's voice activity detector, for the session's end-of-turn detection and for `WhisperSTT`."""
    turns: TurnModel
    """Says by sound whether a turn is over."""


@dataclass(frozen=True, slots=True)
class WhisperChoice:
    """Which Whisper model hears, and where it runs."""

    path: Path
    """Folder of a model in CTranslate2's format."""
    language: str = "en"
    """Whisper's code of the language that is spoken, or "auto"."""
    device: str = "cpu"
    """As CTranslate2 calls it: cpu, cuda or auto."""
    compute_type: str = "int8"
    """As CTranslate2 calls it: int8 is the fastest on a CPU."""
    cpu_threads: int = 2


@dataclass(frozen=True, slots=True)
class _Asked:
    whisper: WhisperChoice
    voice: Path
    end_of_turn: Path


_loaded: dict[_Asked, SpeechModels] = {}
_loading = threading.Lock()


def load_speech_models(whisper: WhisperChoice, voice: Path, end_of_turn: Path) -> SpeechModels:
    """Load and warm up the models, or return those that this process has loaded from the same places.

    `voice` is the .onnx file of a Piper voice, `end_of_turn` that of Smart Turn. Whoever comes while another thread is
    loading waits for it. Raises `SpeechModelError` naming the path and what belongs there.
    """
    asked = _Asked(replace(whisper, path=whisper.path.resolve()), voice.resolve(), end_of_turn.resolve())
    with _loading:
        if asked not in _loaded:
            _loaded[asked] = _load(asked)
        return _loaded[asked]


def load_recognizer(whisper: WhisperChoice) -> Recognizer:
    """Load and warm up what hears, alone. Raises `SpeechModelError`."""
    recognizer = Recognizer.load(
        whisper.path,
        language=whisper.language,
        cpu_threads=whisper.cpu_threads,
        compute_type=whisper.compute_type,
        device=whisper.device,
    )
    recognizer.warm_up()
    return recognizer


def _load(asked: _Asked) -> SpeechModels:
    # Whisper and the voice take about as long as each other. The thread is also for the detector, which needs an event
    # loop of its own: the caller may be inside one.
    with ThreadPoolExecutor(1, "voice") as pool:
        speaking = pool.submit(_warm_voice, asked)
        detecting = pool.submit(load_detector)
        recognizer = load_recognizer(asked.whisper)
        turns = SmartTurn(asked.end_of_turn)
        turns.chance_over(np.zeros(SAMPLE_RATE, np.float32))
        return SpeechModels(recognizer, speaking.result(), detecting.result(), turns)


def _warm_voice(asked: _Asked) -> Voice:
    voice = Voice.load(asked.voice, cpu_threads=asked.whisper.cpu_threads)
    voice.synthesize("Ready.")
    return voice


def load_detector() -> vad.VAD:
    """Load and warm up Silero's voice activity detector. Not to be called where an event loop runs."""
    detector: vad.VAD = silero.VAD.load(max_buffered_speech=MAX_SPEECH_S, min_silence_duration=SILENCE_S)
    asyncio.run(_warm_up_vad(detector))
    return detector


async def _warm_up_vad(detector: vad.VAD) -> None:
    stream = detector.stream()
    stream.push_frame(rtc.AudioFrame.create(SAMPLE_RATE, 1, SAMPLE_RATE // 2))
    stream.end_input()
    async for _ in stream:
        pass
    await stream.aclose()
