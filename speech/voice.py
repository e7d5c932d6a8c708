"""A voice: text in, samples out, by Piper."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # it ships no types
from numpy.typing import NDArray
from piper import PiperVoice, SynthesisConfig
from piper.config import PiperConfig

from speech.errors import SpeechModelError

NEEDS = "a Piper voice (name.onnx) with its configuration beside it (name.onnx.json)"

SLOWEST, FASTEST = 0.5, 2.0
"""Paces that still sound like speech; 1 is the voice's own."""

LOUDNESS = 0.08
"""Level (root mean square, full scale 1) that every clause is brought to. Piper's own normalising by the peak makes
"Good." 8 dB louder than the sentence after it."""

PEAK = 0.95
"""… but no sample goes above this."""


class Voice:
    """One Piper voice that every interview of the process shares. Thread-safe: one clause is synthesised at a time."""

    def __init__(self, piper: PiperVoice) -> None:
        self._piper: Any = piper
        self._lock = threading.Lock()

    @classmethod
    def load(cls, path: Path, *, cpu_threads: int = 2) -> Voice:
        """Load the voice `path` (its .onnx file). Raises `SpeechModelError` if it or its configuration is not there.

        The session gets threads that sleep when there is nothing to do. ONNX's own default spins on every core, which
        costs 40 to 60% more processor time per clause (measured on two cores) and slows Whisper down beside it.
        """
        config = Path(f"{path}.json")
        for file in (path, config):
            if not file.is_file():
                raise SpeechModelError(path, NEEDS, f"{file.name} is missing")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = cpu_threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
            settings = PiperConfig.from_dict(json.loads(config.read_text(encoding="utf-8")))
        except Exception as error:  # ONNX's errors have no base of their own
            raise SpeechModelError(path, NEEDS, f"it cannot be read ({error})") from error
        return cls(PiperVoice(session=session, config=settings))

    @property
    def sample_rate(self) -> int:
        """Hz."""
        return int(self._piper.config.sample_rate)

    def synthesize(self, text: str, *, pace: float = 1.0) -> NDArray[np.int16]:
        """Say `text`, `pace` times as fast as the voice's own pace: int16 samples, mono, at `sample_rate`.

        Raises `ValueError` for a pace outside 0.5 to 2.
        """
        config = SynthesisConfig(
            length_scale=self._piper.config.length_scale / checked_pace(pace), normalize_audio=False
        )
        with self._lock:
            sentences = [chunk.audio_float_array for chunk in self._piper.synthesize(text, config)]
        return to_loudness(np.concatenate([*sentences, np.zeros(0, dtype=np.float32)]))


def checked_pace(pace: float) -> float:
    """Return `pace`, or raise `ValueError` with the paces there are."""
    if not SLOWEST <= pace <= FASTEST:
        raise ValueError(
            f"A voice cannot speak at pace {pace}: choose {SLOWEST} (slow) to {FASTEST} (fast), 1 is normal."
        )
    return pace


def to_loudness(pcm: NDArray[np.float32]) -> NDArray[np.int16]:
    """Samples as integers, brought to `LOUDNESS` without going over `PEAK`; silence stays silent."""
    peak = float(np.abs(pcm).max(initial=0.0))
    if peak < 1e-4:  # noqa: PLR2004 (under the step of a 16-bit sample's neighbours: nothing to amplify)
        return np.zeros(len(pcm), dtype=np.int16)
    level = float(np.sqrt(np.mean(np.square(pcm), dtype=np.float64)))
    gain = min(LOUDNESS / level, PEAK / peak)
    return (pcm * gain * np.iinfo(np.int16).max).astype(np.int16)
