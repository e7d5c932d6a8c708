"""Whether a turn is over, by its sound: in a stream, and by the real model."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from speech import SmartTurn, SpeechModelError, TurnModel, WhisperSTT
from speech.audio import SAMPLE_RATE, Audio
from speech.end_of_turn import AFTER_S, HEARD_S
from tests.speech.fakes import LOUD, LoudnessVAD, LoudRecognizer, tone
from tests.speech.stt.test_plugin import frames, hear


class Listening(TurnModel):
    """Keeps what it was asked about, and says how many times that was, in hundredths."""

    def __init__(self) -> None:
        self.heard: list[Audio] = []

    def chance_over(self, pcm: Audio) -> float:
        self.heard.append(pcm)
        return len(self.heard) / 100


async def test_each_pause_is_judged_once_soon_after_the_voice() -> None:
    """The sound ends a fifth of a second into the pause, and no more of it is given than the model hears."""
    turns = Listening()
    whisper = WhisperSTT(LoudRecognizer(), LoudnessVAD(), turns)
    assert await whisper.chance_over() is None, "nobody has paused"
    await hear(whisper, *frames(tone((0.5, 0), (10, 0.3), (1, 0), (2, 0.3), (1.5, 0))))
    assert await whisper.chance_over() == 0.02, "the last pause counts"
    assert len(turns.heard) == 2
    for pcm, voice_s in zip(turns.heard, (10, 2), strict=True):
        assert len(pcm) <= HEARD_S * SAMPLE_RATE
        silent_s = (len(pcm) - np.flatnonzero(np.abs(pcm) > LOUD)[-1]) / SAMPLE_RATE
        assert silent_s == pytest.approx(AFTER_S, abs=0.1)
        assert np.count_nonzero(np.abs(pcm) > LOUD) / SAMPLE_RATE > min(voice_s, HEARD_S) * 0.8


async def test_a_voice_that_goes_on_soon_is_judged_anew() -> None:
    """A breath of 0.3 s is a pause of its own: what is known at the end is about the end."""
    turns = Listening()
    whisper = WhisperSTT(LoudRecognizer(), LoudnessVAD(), turns)
    await hear(whisper, *frames(tone((0.5, 0), (1, 0.3), (0.3, 0), (1, 0.3), (1.5, 0))))
    assert await whisper.chance_over() == 0.02


async def test_without_a_model_nobody_judges() -> None:
    """Whoever only wants words needs none."""
    whisper = WhisperSTT(LoudRecognizer(), LoudnessVAD())
    await hear(whisper, *frames(tone((0.5, 0), (1, 0.3), (1.5, 0))))
    assert await whisper.chance_over() is None


async def test_who_waits_for_a_judgement_may_leave() -> None:
    """LiveKit stops asking when the candidate goes on; the judgement is not lost for whoever asks next."""
    turns = Listening()
    whisper = WhisperSTT(LoudRecognizer(), LoudnessVAD(), turns)
    whisper.judge_pause(np.zeros(SAMPLE_RATE, np.float32))
    asking = asyncio.create_task(whisper.chance_over())
    await asyncio.sleep(0)
    asking.cancel()
    assert await whisper.chance_over() == 0.01


def test_what_is_no_model_is_told(tmp_path: Path) -> None:
    """The message says which file, and what belongs there."""
    (tmp_path / "turns.onnx").write_bytes(b"no model")
    for name in ("turns.onnx", "missing.onnx"):
        with pytest.raises(SpeechModelError, match=rf"{name}.*Smart Turn v3"):
            SmartTurn(tmp_path / name)
