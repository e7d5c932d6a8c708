"""Loudness, pace, and a voice that is not there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from speech import SpeechModelError, Voice
from speech.tts.voice import LOUDNESS, PEAK, SynthesizedText, checked_pace, to_loudness
from tests.speech.fakes import tone


@pytest.mark.parametrize("amplitude", [0.01, 0.1, 0.9])
def test_clauses_are_equally_loud(amplitude: float) -> None:
    """However loud the model made them."""
    levelled = to_loudness(tone((0.5, amplitude))) / 32767
    assert np.sqrt(np.mean(levelled**2)) == pytest.approx(LOUDNESS, rel=0.02)


def test_a_single_loud_sample_does_not_clip() -> None:
    """The peak bounds the gain."""
    pcm = tone((0.5, 0.01))
    pcm[100] = 0.5
    assert np.abs(to_loudness(pcm)).max() == pytest.approx(PEAK * 32767, rel=0.01)


def test_silence_stays_silent() -> None:
    """There is nothing to amplify, and nothing to divide by."""
    assert not to_loudness(np.zeros(100, dtype=np.float32)).any()
    assert len(to_loudness(np.zeros(0, dtype=np.float32))) == 0


def test_silence_around_a_voice_is_cut_and_its_words_move_along() -> None:
    """Of half a second on either side some hundredths are left; a word is heard at the same sound as before."""
    rate_hz = 1000
    silence, voice = np.zeros(500, dtype=np.int16), np.full(300, 3000, dtype=np.int16)
    said = SynthesizedText(np.concatenate([silence, voice, silence]), ((0, 0.5), (3, 0.8)))
    cut = said.without_silence(rate_hz, before=True, after=True)
    assert np.count_nonzero(cut.samples) == len(voice)
    assert 300 < len(cut.samples) < 400
    (_, start_s), (_, end_s) = cut.marks
    assert cut.samples[round(start_s * rate_hz)] == 3000
    assert end_s - start_s == pytest.approx(0.3)
    assert len(said.without_silence(rate_hz, before=False, after=True).samples) > 800
    assert said.without_silence(rate_hz, before=False, after=True).marks == said.marks
    assert SynthesizedText(silence).without_silence(rate_hz, before=True, after=True) == SynthesizedText(silence)


def test_possible_paces_are_accepted() -> None:
    """From half to twice the voice's own."""
    assert [checked_pace(pace) for pace in (0.5, 1.0, 2.0)] == [0.5, 1.0, 2.0]


def test_a_missing_voice_is_named(tmp_path: Path) -> None:
    """The error says which file is missing and what belongs there."""
    path = tmp_path / "ann.onnx"
    with pytest.raises(SpeechModelError, match=r"ann\.onnx is missing.*Piper voice") as caught:
        Voice.load(path)
    assert caught.value.path == path
    path.write_bytes(b"no model")
    with pytest.raises(SpeechModelError, match=r"ann\.onnx\.json is missing"):
        Voice.load(path)


def test_a_broken_voice_is_named(tmp_path: Path) -> None:
    """A file that is no model is the same kind of error."""
    path = tmp_path / "ann.onnx"
    path.write_bytes(b"no model")
    Path(f"{path}.json").write_text("{}")
    with pytest.raises(SpeechModelError, match="it cannot be read"):
        Voice.load(path)
