import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.rehearsal.hearing import RATE_HZ
from agent.rehearsal.persona import VoiceStyle
from agent.rehearsal.voice import CandidateVoice
from bench.phone.wav import write_wav
from bench.voice.listening import RATE_HZ as HEARD_HZ
from bench.voice.listening import TAIL_S, prepared
from bench.voice.manifest import Recording, chunks_of
from bench.voice.sounds import Pcm, SoundError, level_of, mixed, noise, read_audio, sound_of, style_of, synthesised


def tone(seconds: float, peak: float = 8000) -> Pcm:
    """A sound that is loud all the time."""
    at = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    return (peak * np.sin(2 * np.pi * 220 * at)).astype(np.int16)


def humming() -> CandidateVoice:
    """A voice that takes a tenth of a second for each word, between silences that are cut away."""

    def synthesize(text: str, _length_scale: float) -> tuple[Pcm, int]:
        silence = np.zeros(RATE_HZ // 10, np.int16)
        return np.concatenate([silence, tone(0.1 * len(text.split())), silence]), RATE_HZ

    return CandidateVoice(synthesize, VoiceStyle(pitch=1.0))


def rms(pcm: Pcm) -> float:
    """Level, full scale 1."""
    return float(np.sqrt(np.mean(np.square(pcm.astype(np.float64) / 32767))))


@settings(max_examples=15)
@given(st.floats(0, 30), st.integers(0, 5))
def test_noise_is_as_far_under_the_voice_as_was_asked_for(snr_db: float, seed: int) -> None:
    """The ratio of the voice's level to the noise's, in decibels, within a tenth."""
    voice = synthesised(chunks_of("one two three four"), humming()).pcm
    bed = noise(snr_db, seed, seconds=2.0)
    assert 20 * math.log10(level_of(voice) / rms(bed)) == pytest.approx(snr_db, abs=0.1)


def test_mixing_adds_the_noise_and_goes_round_in_it() -> None:
    """Wherever it begins, each sample is the sound's and the noise's."""
    bed = noise(20, 1, seconds=0.01)
    silence = np.zeros(3 * len(bed) + 7, np.int16)
    heard = mixed(silence, bed, start=5)
    assert np.array_equal(heard, np.resize(np.roll(bed, -5), len(silence)))
    loud = np.full(len(bed), 32767, np.int16)
    assert mixed(loud, bed).max() == 32767


def test_the_same_seed_makes_the_same_noise_and_the_same_candidate() -> None:
    """A run can be repeated."""
    assert np.array_equal(noise(10, 3, 0.1), noise(10, 3, 0.1))
    assert not np.array_equal(noise(10, 3, 0.1), noise(10, 4, 0.1))
    assert style_of(7) == style_of(7)
    assert len({style_of(seed) for seed in range(20)}) == 20


def test_a_synthesised_answer_has_exactly_the_pauses_that_were_written() -> None:
    """Silence where and as long as asked for, and its end is the last sample of the voice."""
    made = synthesised(chunks_of("one two {inside 1.5} three {between 0.4} four five six"), humming())
    first, second = made.pauses
    assert (first.start_s, first.end_s, first.place) == (pytest.approx(0.2, abs=0.01), first.start_s + 1.5, "inside")
    assert (second.place, second.end_s - second.start_s) == ("between", pytest.approx(0.4))
    assert made.speech_end_s == pytest.approx(0.6 + 1.9, abs=0.02)
    for pause in made.pauses:
        inside = made.pcm[round(pause.start_s * RATE_HZ) + 60 : round(pause.end_s * RATE_HZ) - 60]
        assert not inside.any()
    assert abs(int(made.pcm[-100:].max())) > 0


def test_what_is_heard_ends_with_silence_in_which_to_decide() -> None:
    """At the rate of the ears, with the noise going on."""
    made = synthesised(chunks_of("one two"), humming())
    heard = prepared(made, None, seed=1)
    assert len(heard) == pytest.approx((made.speech_end_s + TAIL_S) * HEARD_HZ, abs=5)
    assert not heard[-HEARD_HZ:].any()
    assert prepared(made, 20.0, seed=1)[-HEARD_HZ:].any()


def test_an_audio_file_is_heard_at_the_common_level(tmp_path: Path) -> None:
    """Quiet recordings and loud ones are brought to one level; its times are taken as they are given."""
    path = write_wav(tmp_path / "one.wav", np.concatenate([tone(1.0, peak=900), np.zeros(RATE_HZ, np.int16)]), RATE_HZ)
    recording = Recording(id="one", audio=path, transcript="so", speech_end_s=1.0)
    sound = sound_of(recording, lambda _: humming())
    assert level_of(sound.pcm) == pytest.approx(0.08, rel=0.02)
    assert sound.speech_end_s == 1.0


def test_an_audio_file_that_is_shorter_than_it_says_gets_a_sentence(tmp_path: Path) -> None:
    """An end of speech that is not in it would make every figure wrong."""
    path = write_wav(tmp_path / "one.wav", tone(1.0), RATE_HZ)
    recording = Recording(id="one", audio=path, transcript="so", speech_end_s=2.0)
    with pytest.raises(SoundError, match=r"is 1\.00 s long"):
        sound_of(recording, lambda _: humming())


def test_a_file_that_is_no_audio_gets_a_sentence(tmp_path: Path) -> None:
    """It names the file."""
    path = tmp_path / "one.wav"
    path.write_text("words", encoding="utf-8")
    with pytest.raises(SoundError, match=r"one\.wav cannot be read as audio"):
        read_audio(path)
