"""Scripted stand-ins for the models: a detector going by loudness, a recognizer and a voice that need no weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from livekit import rtc
from livekit.agents import vad
from numpy.typing import NDArray

from speech.audio import SAMPLE_RATE, Audio
from speech.stt.recognizer import Recognition, Recognizer
from speech.stt.whisper import NO_PROMPT, DecodeAbandonedError, Decoded, DecodePrompt, Decoder, always_wanted
from speech.stt.word_times import HeardWord
from speech.tts.voice import SynthesizedText, Voice

WINDOW_S = 0.032
LOUD = 0.05


class ScriptedDecoder(Decoder):
    """Answers from a list, the last answer for ever after; keeps what it was asked."""

    def __init__(self, *answers: Decoded) -> None:
        self.answers = list(answers)
        self.windows_s: list[float] = []
        self.bounds: list[int] = []

    def decode(
        self,
        pcm: Audio,
        window_s: float,
        max_tokens: int,
        prompt: DecodePrompt = NO_PROMPT,
        *,
        wanted: Callable[[], bool] = always_wanted,
    ) -> Decoded:
        self.windows_s.append(window_s)
        self.bounds.append(max_tokens)
        if not wanted():
            raise DecodeAbandonedError
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class LoudRecognizer(Recognizer):
    """Hears a word where the sound is loud, one for each second of it. Fails on the calls (from 1) it is told to."""

    word = "la"

    def __init__(self, fails_on: Sequence[int] = ()) -> None:
        super().__init__(ScriptedDecoder())
        self.fails_on = set(fails_on)
        self.heard: list[Audio] = []
        self.prompts: list[DecodePrompt] = []

    def hear(
        self,
        pcm: Audio,
        prompt: DecodePrompt = NO_PROMPT,
        *,
        patient: bool = True,
        wanted: Callable[[], bool] = always_wanted,
    ) -> Recognition | None:
        self.heard.append(pcm)
        self.prompts.append(prompt)
        if len(self.heard) in self.fails_on:
            raise RuntimeError("the model broke")
        words = [
            HeardWord(self.word, at / SAMPLE_RATE, min(at + SAMPLE_RATE, end) / SAMPLE_RATE, 0.9)
            for start, end in loud_parts(pcm)
            for at in range(start, max(start + 1, end - SAMPLE_RATE // 2), SAMPLE_RATE)
        ]
        words[-1:] = [replace(word, end_s=loud_parts(pcm)[-1][1] / SAMPLE_RATE) for word in words[-1:]]
        return Recognition(" ".join(word.text for word in words), tuple(words))


class BeepRecognizer(Recognizer):
    """Hears beeps: each frequency is a word of its own. A beep that is cut off is heard as another word."""

    BEEP_S = 0.3

    def __init__(self) -> None:
        super().__init__(ScriptedDecoder())
        self.heard: list[Audio] = []

    def hear(
        self,
        pcm: Audio,
        prompt: DecodePrompt = NO_PROMPT,
        *,
        patient: bool = True,
        wanted: Callable[[], bool] = always_wanted,
    ) -> Recognition | None:
        self.heard.append(pcm)
        words = [self._word(pcm, start, end) for start, end in loud_parts(pcm)]
        return Recognition(" ".join(word.text for word in words), tuple(words))

    def _word(self, pcm: Audio, start: int, end: int) -> HeardWord:
        part = pcm[start:end]
        crossings = int(np.count_nonzero(np.diff(np.signbit(part))))
        number = round((crossings / 2 / (len(part) / SAMPLE_RATE) - 300) / 50)
        whole = len(part) > 0.9 * self.BEEP_S * SAMPLE_RATE
        text = f"word{number}" if whole else f"part{len(part)}"
        return HeardWord(text, start / SAMPLE_RATE, end / SAMPLE_RATE, 0.9)


def beep(number: int, seconds: float = BeepRecognizer.BEEP_S) -> NDArray[np.float32]:
    """The beep that is heard as this word."""
    times = np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    return (0.3 * np.sin(2 * np.pi * (300 + 50 * number) * times)).astype(np.float32)


def loud_parts(pcm: Audio) -> list[tuple[int, int]]:
    """Where it is loud: first sample, and the one after the last. A part ends where it is quiet for 20 ms."""
    loud = np.flatnonzero(np.abs(pcm) > LOUD)
    if not len(loud):
        return []
    breaks = np.flatnonzero(np.diff(loud) > 0.02 * SAMPLE_RATE) + 1
    return [(int(part[0]), int(part[-1]) + 1) for part in np.split(loud, breaks)]


class LoudnessVAD(vad.VAD):
    """A detector for which loud windows are speech: over after half a second of silence.

    A `breaks_at_s` makes its first stream fail when it has heard that much.
    """

    def __init__(self, breaks_at_s: float | None = None) -> None:
        super().__init__(capabilities=vad.VADCapabilities(update_interval=WINDOW_S))
        self.breaks_at_s = breaks_at_s

    def stream(self) -> vad.VADStream:
        breaks_at_s, self.breaks_at_s = self.breaks_at_s, None
        return LoudnessStream(self, breaks_at_s)


class LoudnessStream(vad.VADStream):
    """See `LoudnessVAD`. Sends what Silero's plugin sends, in its order."""

    silence_needed_s = 0.5

    def __init__(self, detector: LoudnessVAD, breaks_at_s: float | None) -> None:
        super().__init__(detector)
        self._breaks_at_s = breaks_at_s

    async def _main_task(self) -> None:
        pending = np.zeros(0, dtype=np.int16)
        at_s, speaking, silence_s = 0.0, False, 0.0
        async for item in self._input_ch:
            if not isinstance(item, rtc.AudioFrame):
                continue
            pending = np.concatenate([pending, np.frombuffer(item.data, dtype=np.int16)])
            while len(pending) >= WINDOW_S * item.sample_rate:
                size = round(WINDOW_S * item.sample_rate)
                window, pending = pending[:size], pending[size:]
                at_s += WINDOW_S
                if self._breaks_at_s is not None and at_s >= self._breaks_at_s:
                    raise RuntimeError("the detector broke")
                loud = bool(np.abs(window).max() > LOUD * 32768)
                self._send(vad.VADEventType.INFERENCE_DONE, at_s, silence_s if speaking else 0.0, float(loud))
                silence_s = 0.0 if loud else silence_s + WINDOW_S
                if loud and not speaking:
                    speaking = True
                    self._send(vad.VADEventType.START_OF_SPEECH, at_s, 0.0, 1.0)
                elif speaking and silence_s >= self.silence_needed_s:
                    speaking = False
                    self._send(vad.VADEventType.END_OF_SPEECH, at_s, silence_s, 0.0)

    def _send(self, kind: vad.VADEventType, at_s: float, silence_s: float, probability: float) -> None:
        self._event_ch.send_nowait(
            vad.VADEvent(
                type=kind,
                samples_index=round(at_s * SAMPLE_RATE),
                timestamp=at_s,
                speech_duration=WINDOW_S,
                silence_duration=silence_s,
                raw_accumulated_silence=silence_s,
                probability=probability,
            )
        )


class ToneVoice(Voice):
    """Says a tenth of a second per word; keeps what it was asked to say. Fails on the texts it is told to fail on."""

    RATE_HZ = 22_050

    def __init__(self, fails_on: Sequence[str] = ()) -> None:
        super().__init__(None)
        self.said: list[str] = []
        self.fails_on = list(fails_on)

    @property
    def sample_rate(self) -> int:
        return self.RATE_HZ

    @property
    def language(self) -> str:
        return "en-us"

    def _utter(self, text: str, pace: float) -> SynthesizedText:
        text = text.strip()
        self.said.append(text)
        if text in self.fails_on:
            self.fails_on.remove(text)
            raise RuntimeError("the voice broke")
        return SynthesizedText(np.full(round(0.1 / pace * self.RATE_HZ) * len(text.split()), 1000, dtype=np.int16))


def tone(*parts: tuple[float, float]) -> NDArray[np.float32]:
    """Sound at 16 kHz from parts of (seconds, amplitude)."""
    blocks = [
        amplitude * np.sin(2 * np.pi * 300 * np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE)
        for seconds, amplitude in parts
    ]
    return np.concatenate(blocks).astype(np.float32)
