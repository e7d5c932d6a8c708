from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest

from agent.rehearsal.hearing import (
    FRAME_SAMPLES,
    RATE_HZ,
    HeardAudio,
    HeardFile,
    caption_onset,
    first_onset_after,
    onsets,
    peak_of,
    stopped_after_s,
)
from agent.rehearsal.persona import VoiceStyle
from agent.rehearsal.replies import Phrase
from agent.rehearsal.voice import CandidateVoice, Pcm, trimmed
from tests.agent.rehearsal.pieces import sound

PIPER_HZ = 22_050


def tone(hz: float, seconds: float, rate_hz: int) -> Pcm:
    """A sine of one frequency."""
    times = np.arange(round(seconds * rate_hz)) / rate_hz
    sine: Pcm = np.rint(8000 * np.sin(2 * np.pi * hz * times)).astype(np.int16)
    return sine


def frequency(pcm: Pcm, rate_hz: int) -> float:
    """The strongest frequency of a sound, in Hz."""
    spectrum = np.abs(np.fft.rfft(pcm.astype(np.float64)))
    return float(spectrum.argmax() * rate_hz / len(pcm))


def test_an_utterance_begins_after_a_silence_and_not_after_each_word() -> None:
    """Gaps between words are shorter than a quarter of a second."""
    heard = sound((1.0, 1.5), (1.6, 2.0), (3.0, 4.0), until=5.0)
    assert onsets(heard) == pytest.approx([1.0, 3.0])
    assert onsets(heard, quiet_s=0.06) == pytest.approx([1.0, 1.6, 3.0])
    assert onsets(sound(until=2.0)) == []


def test_the_end_of_an_older_utterance_is_not_a_first_sound() -> None:
    """Whoever interrupts hears the interviewer for a moment longer."""
    heard = sound((1.0, 2.5), (4.0, 5.0), until=6.0)
    assert first_onset_after(heard, 2.0) == pytest.approx(4.0)
    assert first_onset_after(heard, 4.5) is None


def test_a_caption_is_heard_a_little_after_it_opens() -> None:
    """The sound of a caption that follows silence begins with the first loud frame."""
    assert caption_onset(sound((1.25, 3.0), until=4.0), opened_at=1.0) == pytest.approx(1.25)


def test_a_caption_behind_another_begins_after_the_gap_between_sentences() -> None:
    """Feedback is still to be heard when the question's caption opens; the question comes after the short gap."""
    assert caption_onset(sound((1.0, 3.1), (3.25, 5.0), until=6.0), opened_at=3.0) == pytest.approx(3.25)


def test_a_caption_in_the_middle_of_sound_falls_back_to_its_opening() -> None:
    """Where no gap can be heard the caption's own time is the best there is."""
    assert caption_onset(sound((1.0, 5.0), until=6.0), opened_at=3.0) == pytest.approx(3.0, abs=0.011)


def test_a_caption_without_sound_was_not_heard() -> None:
    """Words that were never played have no onset."""
    assert caption_onset(sound((1.0, 2.0), until=9.0), opened_at=5.0) is None


def test_a_voice_that_is_spoken_into_stops_after_a_while() -> None:
    """Counted to its last loud frame before a silence; pauses between words are no stop."""
    heard = sound((1.0, 3.0), (3.1, 3.6), (9.0, 10.0), until=12.0)
    assert stopped_after_s(heard, 2.5) == pytest.approx(1.1, abs=0.02)
    assert stopped_after_s(heard, 5.0) is None
    assert stopped_after_s(heard, 0.9) is None


def test_peaks_do_not_overflow() -> None:
    """The lowest sample of int16 has no positive counterpart."""
    assert peak_of(np.array([-32768, 3], np.int16)) == 32768
    assert peak_of(np.zeros(0, np.int16)) == 0


def test_the_voice_is_altered_in_pitch_but_keeps_the_pace_that_was_asked_for() -> None:
    """Whatever the synthesiser makes of its length scale, frequency and duration come out as the persona says."""
    asked_for: list[float] = []

    def synthesize(_text: str, length_scale: float) -> tuple[Pcm, int]:
        asked_for.append(length_scale)
        return tone(200, length_scale, PIPER_HZ), PIPER_HZ

    voice = CandidateVoice(synthesize, VoiceStyle(pitch=1.2, pace=0.8))
    pcm = voice.render(Phrase("Hello.", 0.0))
    assert asked_for == [pytest.approx(1.5)]
    assert frequency(pcm, RATE_HZ) == pytest.approx(240, abs=2)
    assert len(pcm) / RATE_HZ == pytest.approx(1 / 0.8, abs=0.02)


def test_what_was_rendered_once_is_kept_and_pauses_are_exact() -> None:
    """A reply planned while the interviewer speaks costs nothing when the turn comes."""
    texts: list[str] = []

    def synthesize(text: str, length_scale: float) -> tuple[Pcm, int]:
        texts.append(text)
        return np.concatenate([np.zeros(5000, np.int16), tone(200, 0.5, PIPER_HZ), np.zeros(9000, np.int16)]), PIPER_HZ

    voice = CandidateVoice(synthesize, VoiceStyle(pitch=1.0))
    once = voice.render(Phrase("One.", 0.0))
    again = voice.render(Phrase("One.", 0.25))
    assert texts == ["One."]
    assert len(again) == len(once) + round(0.25 * RATE_HZ)
    assert len(once) / RATE_HZ == pytest.approx(0.5, abs=0.01)


def test_trimming_leaves_nothing_of_silence() -> None:
    """The last sample is the true end of speech."""
    assert trimmed(np.array([0, 10, 900, 2, -900, 50], np.int16)).tolist() == [900, 2, -900]
    assert len(trimmed(np.zeros(10, np.int16))) == 0


def test_the_ear_keeps_time_and_fills_holes_with_silence(tmp_path: Path) -> None:
    """The file's time line is the clock's, also when the interviewer was gone for a while."""
    heard_audio = HeardAudio(HeardFile(tmp_path / "heard.wav"))
    loud = np.full(FRAME_SAMPLES, 3000, np.int16)
    assert heard_audio.quiet_s(100.0) == float("inf")
    heard_audio.hear(100.01, loud)
    heard_audio.hear(100.02, np.zeros(FRAME_SAMPLES, np.int16))
    heard_audio.hear(103.02, loud)
    heard_audio.close()
    assert heard_audio.quiet_s(104.02) == pytest.approx(1.0)
    assert onsets(heard_audio.heard()) == pytest.approx([100.01, 103.02])
    assert len(heard_audio.heard(since=101.0).times) == 1
    with wave.open(str(tmp_path / "heard.wav")) as file:
        assert file.getframerate() == RATE_HZ
        assert file.getnframes() / RATE_HZ == pytest.approx(3.02, abs=0.001)
