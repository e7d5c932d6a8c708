"""The models that all interviews of a process share, when they are not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from speech import SpeechModelError, WhisperChoice, load_speech_models


def test_a_place_without_models_is_named_each_time(tmp_path: Path) -> None:
    """A failure is not remembered: once the model has been put there, the next call loads it."""
    for _ in range(2):
        with pytest.raises(SpeechModelError, match=r"model\.bin is missing"):
            load_speech_models(WhisperChoice(tmp_path), tmp_path / "voice.onnx", tmp_path / "turns.onnx")
