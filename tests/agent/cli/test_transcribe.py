"""`viva transcribe`: any sound file, as a whole or as in a room. The recognizer is scripted: each beep is a word."""

from __future__ import annotations

import json
import wave
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from agent.cli import transcribe
from agent.cli.app import app
from agent.cli.transcribe import SoundFileError, hear_whole, read_sound, stream_through
from agent.settings import CONFIG_VARIABLE
from speech import WhisperSTT
from tests.speech.fakes import BeepRecognizer, LoudnessVAD, beep, tone


def spoken(count: int) -> NDArray[np.float32]:
    """So many words, with silence around them."""
    parts = [part for number in range(count) for part in (beep(number), tone((0.2, 0)))]
    return np.concatenate([tone((0.5, 0)), *parts, tone((1.0, 0))])


def write(path: Path, pcm: NDArray[np.float32], rate: int = 16_000, channels: int = 1) -> Path:
    """A WAV file of sound at 16 kHz, at another rate."""
    times = np.arange(round(len(pcm) / 16_000 * rate)) / rate
    samples = (np.interp(times, np.arange(len(pcm)) / 16_000, pcm) * 32767).astype(np.int16)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.repeat(samples, channels).tobytes())
    return path


@pytest.mark.parametrize(("rate", "channels"), [(8_000, 1), (16_000, 1), (44_100, 2), (48_000, 1)])
def test_any_rate_and_number_of_channels_is_read(tmp_path: Path, rate: int, channels: int) -> None:
    """As long as it was, at 16 kHz, as loud as it was."""
    samples = read_sound(write(tmp_path / "sound.wav", tone((1.0, 0), (1.0, 0.5)), rate, channels))
    assert len(samples) == pytest.approx(32_000, abs=400)
    assert np.abs(samples[:15_000]).max() < 100
    assert np.abs(samples[17_000:31_000]).max() == pytest.approx(16_384, rel=0.05)


def test_files_that_are_no_sound_are_told(tmp_path: Path) -> None:
    """Each with what is wrong and what is accepted."""
    text = tmp_path / "notes.txt"
    text.write_text("no sound at all")
    with pytest.raises(SoundFileError, match=r"notes\.txt cannot be read as sound .*WAV, FLAC"):
        read_sound(text)
    with pytest.raises(SoundFileError, match="is not there"):
        read_sound(tmp_path / "missing.wav")
    with pytest.raises(SoundFileError, match="is not there, or is no file"):
        read_sound(tmp_path)
    empty = write(tmp_path / "empty.wav", tone((0.1, 0)))
    empty.write_bytes(empty.read_bytes()[:44])
    with pytest.raises(SoundFileError, match=r"holds no sound|cannot be read"):
        read_sound(empty)


async def test_a_stream_hears_what_a_whole_decode_hears() -> None:
    """And says how far it is."""
    samples = (spoken(12) * 32767).astype(np.int16)
    reached: list[float] = []
    streamed = await stream_through(WhisperSTT(BeepRecognizer(), LoudnessVAD()), samples, reached.append)
    whole = hear_whole(BeepRecognizer(), samples, reached.append)
    said = " ".join(f"word{number}" for number in range(12))
    assert " ".join(each.text for each in streamed) == " ".join(each.text for each in whole) == said
    assert max(reached) == pytest.approx(len(samples) / 16_000)


async def test_words_that_could_not_be_decoded_are_no_transcript() -> None:
    """A transcript that is not whole says so."""

    class Broken(BeepRecognizer):
        def hear(self, *_: object, **__: object) -> None:
            raise RuntimeError("the model broke")

    with pytest.raises(SoundFileError, match="missing in the transcript"):
        await stream_through(WhisperSTT(Broken(), LoudnessVAD()), (spoken(2) * 32767).astype(np.int16), lambda _: None)


@pytest.mark.parametrize("how", [[], ["--stream"]])
def test_the_command_prints_words_with_their_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: list[str]
) -> None:
    """As lines for people, or as JSON for programs."""
    monkeypatch.setenv(CONFIG_VARIABLE, "")
    monkeypatch.setattr(transcribe, "load_recognizer", lambda _: BeepRecognizer())
    monkeypatch.setattr(transcribe, "load_detector", LoudnessVAD)
    file = write(tmp_path / "sound.wav", spoken(3))
    result = CliRunner().invoke(app, ["transcribe", str(file), *how])
    assert (result.exit_code, result.stdout) == (0, "00:00.5  word0 word1 word2\n")
    result = CliRunner().invoke(app, ["transcribe", str(file), "--json", *how])
    heard = json.loads(result.stdout)
    assert heard["text"] == "word0 word1 word2"
    assert [word["start_s"] for word in heard["utterances"][0]["words"]] == pytest.approx([0.5, 1.0, 1.5], abs=0.02)


def test_a_file_that_is_not_there_ends_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no model is loaded for it."""
    monkeypatch.setenv(CONFIG_VARIABLE, "")
    result = CliRunner().invoke(app, ["transcribe", str(tmp_path / "no.wav")])
    assert result.exit_code == 1
    assert "is not there" in result.stderr
