"""Voice of the candidate: Piper's, altered in pitch and pace so that nobody takes it for the interviewer's."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.rehearsal.hearing import RATE_HZ
from agent.rehearsal.persona import VoiceStyle
from agent.rehearsal.replies import Phrase
from speech.audio import resampled

Pcm = NDArray[np.int16]
Synthesize = Callable[[str, float], tuple[Pcm, int]]
"""Text and length scale (1 is the voice's own pace, 2 is half as fast) to mono samples and their rate in Hz."""

SILENCE_PEAK = 300
"""Samples below this, of int16, are silence at the ends of what Piper renders."""
_KEPT_PHRASES = 200


class CandidateVoice:
    """Renders phrases at 48 kHz mono. Thread-safe; what was rendered once is kept."""

    def __init__(self, synthesize: Synthesize, style: VoiceStyle) -> None:
        self._synthesize = synthesize
        self._style = style
        self._lock = threading.Lock()
        self._kept: dict[str, Pcm] = {}

    @classmethod
    def load(cls, model: Path, style: VoiceStyle) -> CandidateVoice:
        """With a Piper model (.onnx, its .onnx.json beside it)."""
        from piper import PiperVoice, SynthesisConfig  # noqa: PLC0415 (onnxruntime takes a second to import)

        piper = PiperVoice.load(str(model))

        def synthesize(text: str, length_scale: float) -> tuple[Pcm, int]:
            chunks = piper.synthesize(text, SynthesisConfig(length_scale=length_scale))
            return np.concatenate([chunk.audio_int16_array for chunk in chunks]), piper.config.sample_rate

        return cls(synthesize, style)

    def render(self, phrase: Phrase) -> Pcm:
        """A phrase with the pause before it; the last sample is the true end of speech."""
        return np.concatenate([np.zeros(round(phrase.pause_s * RATE_HZ), np.int16), self._phrase(phrase.text)])

    def _phrase(self, text: str) -> Pcm:
        with self._lock:
            kept = self._kept.get(text)
            if kept is None:
                kept = self._rendered(text)
                if len(self._kept) >= _KEPT_PHRASES:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[text] = kept
            return kept

    def _rendered(self, text: str) -> Pcm:
        style = self._style
        # Reading samples `pitch` times as fast raises every frequency by that factor and shortens the sound; a voice
        # that is slower by the same factor to begin with ends up at the pace that was asked for.
        pcm, rate_hz = self._synthesize(text, style.pitch / style.pace)
        return trimmed(resampled(pcm, rate_hz * style.pitch, RATE_HZ))


def trimmed(pcm: Pcm, silence_peak: int = SILENCE_PEAK) -> Pcm:
    """Without the silence at both ends; nothing is left of a sound that never rises above it."""
    loud = np.flatnonzero(np.abs(pcm.astype(np.int32)) > silence_peak)
    return pcm[loud[0] : loud[-1] + 1] if len(loud) else pcm[:0]
