"""End of turn by sound: how likely it is, from the melody of the last seconds, that a speaker has said all.

The model is Smart Turn v3.2 (Daily, BSD-2-Clause; docs/models.md): the encoder of Whisper tiny with a head that was
trained on answers that were over and answers that were not. On pauses of people it tells a pause inside a clause from
an end well, and one between two sentences hardly (docs/voice.md): words and patience have to do the rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

import numpy as np
import onnxruntime
from faster_whisper.feature_extractor import FeatureExtractor

from speech.audio import SAMPLE_RATE, Audio
from speech.errors import SpeechModelError

HEARD_S = 8.0
"""So much of the sound, up to now, is what the model hears."""

AFTER_S = 0.2
"""So long after the voice it is asked: it was trained on answers with so much silence behind them."""

NEEDS = "the .onnx file of Smart Turn v3"

_INPUT = "input_features"
_SMALLEST_VARIANCE = 1e-7


class TurnModel(ABC):
    """Judges by sound whether a turn is over. Thread-safe."""

    @abstractmethod
    def chance_over(self, pcm: Audio) -> float:
        """The chance that the turn is over, 0 to 1.

        Args:
            pcm: the sound up to `AFTER_S` after the voice, 16 kHz mono; of more than `HEARD_S` the end counts.
        """


class SmartTurn(TurnModel):
    """Smart Turn v3 on this machine's processor.

    Args:
        path: its .onnx file.
        cpu_threads: how many threads one judgement may use.

    Raises:
        SpeechModelError: there is no such model.
    """

    def __init__(self, path: Path, *, cpu_threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = cpu_threads
        # As for the voice: threads that spin would slow Whisper down, which decodes the same pause.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # Processors with AVX2 and without VNNI cut off the sums of int8 products where this is not asked for: a chance
        # of 0.10 was 0.02.
        options.add_session_config_entry("session.x64quantprecision", "1")
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX's errors have no base of their own
            raise SpeechModelError(path, NEEDS, f"it cannot be read ({error})") from error
        if [each.name for each in self._session.get_inputs()] != [_INPUT]:
            raise SpeechModelError(path, NEEDS, "it is another model")
        self._features = FeatureExtractor(chunk_length=round(HEARD_S))

    def chance_over(self, pcm: Audio) -> float:
        """See `TurnModel.chance_over`."""
        size = round(HEARD_S * SAMPLE_RATE)
        sound = np.zeros(size, np.float32)
        heard = pcm[-size:]
        sound[size - len(heard) :] = heard
        sound = (sound - sound.mean()) / np.sqrt(sound.var() + _SMALLEST_VARIANCE)
        features = self._features(sound, padding=0).astype(np.float32)
        (chance,) = self._session.run(None, {_INPUT: features[np.newaxis]})
        return float(chance[0, 0])
