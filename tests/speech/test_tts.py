"""The voice that a session speaks with, with a scripted voice."""

from __future__ import annotations

import asyncio
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from livekit.agents import APIConnectionError, tts
from livekit.agents.types import USERDATA_TIMED_TRANSCRIPT, APIConnectOptions, TimedString
from numpy.typing import NDArray

from speech import PiperTTS
from speech.tts import PAUSE_S, spread
from tests.speech.fakes import ToneVoice

NO_WAIT = APIConnectOptions(max_retry=2, retry_interval=0.0)
TEXT = "Thank you, that covers it. The next question is about trees."


async def collect(stream: tts.ChunkedStream | tts.SynthesizeStream) -> list[tts.SynthesizedAudio]:
    """Everything the stream plays."""
    async with stream:
        return [audio async for audio in stream]


async def speak(speaker: PiperTTS, *parts: str) -> list[tts.SynthesizedAudio]:
    """Stream a text in parts."""
    stream = speaker.stream(conn_options=NO_WAIT)
    for part in parts:
        stream.push_text(part)
    stream.end_input()
    return await collect(stream)


def seconds(played: list[tts.SynthesizedAudio]) -> float:
    """How long it plays."""
    return sum(audio.frame.duration for audio in played)


def words(played: list[tts.SynthesizedAudio]) -> list[TimedString]:
    """The words with their times, as the audio carries them."""
    return [word for audio in played for word in audio.frame.userdata.get(USERDATA_TIMED_TRANSCRIPT, [])]


async def test_a_text_is_spoken_clause_by_clause() -> None:
    """The first clause does not wait for the rest."""
    voice = ToneVoice()
    played = await speak(PiperTTS(voice), TEXT)
    assert voice.said == ["Thank you,", "that covers it.", "The next question is about trees."]
    assert seconds(played) == pytest.approx(1.1, abs=0.02)
    assert all(audio.frame.sample_rate == ToneVoice.RATE_HZ for audio in played)


async def test_it_does_not_matter_how_the_text_comes() -> None:
    """Letter by letter it is the same speech."""
    voice = ToneVoice()
    await speak(PiperTTS(voice), *TEXT)
    assert voice.said == ["Thank you,", "that covers it.", "The next question is about trees."]


async def test_the_first_clause_is_heard_before_the_text_is_complete() -> None:
    """Its audio comes while the sentence is still being written."""
    stream = PiperTTS(ToneVoice()).stream(conn_options=NO_WAIT)
    stream.push_text("Thank you, and")
    async with stream:
        first = await anext(stream)
        assert first.frame.duration > 0
        stream.push_text(" so on.")
        stream.end_input()
        assert [audio async for audio in stream]


async def test_samples_are_those_of_the_voice() -> None:
    """Nothing is lost or doubled on the way."""
    played = await speak(PiperTTS(ToneVoice()), TEXT)
    samples = np.concatenate([np.frombuffer(audio.frame.data, dtype=np.int16) for audio in played])
    voiced = samples[samples != 0]
    assert len(voiced) == 11 * round(0.1 * ToneVoice.RATE_HZ)
    assert set(voiced) == {1000}


async def test_words_come_with_times() -> None:
    """So that after an interruption the record holds what was heard: together they are the text, within the audio."""
    played = await speak(PiperTTS(ToneVoice()), TEXT)
    spoken = words(played)
    assert "".join(spoken) == TEXT
    assert spoken[0].start_time == 0
    assert spoken[-1].end_time == pytest.approx(1.1, abs=0.01)
    assert spoken[2].start_time == pytest.approx(0.2, abs=0.01)


async def test_a_whole_text_is_spoken_like_a_streamed_one() -> None:
    """`synthesize` cuts at the same places."""
    voice = ToneVoice()
    played = await collect(PiperTTS(voice).synthesize(TEXT, conn_options=NO_WAIT))
    assert voice.said == ["Thank you,", "that covers it.", "The next question is about trees."]
    assert seconds(played) == pytest.approx(1.1, abs=0.02)


async def test_a_text_without_words_is_a_pause() -> None:
    """Three dots are silence, not an error, and the voice is not asked."""
    voice = ToneVoice()
    played = await speak(PiperTTS(voice), "...")
    assert seconds(played) == pytest.approx(PAUSE_S, abs=0.02)
    assert voice.said == []


async def test_nothing_to_say_is_no_sound() -> None:
    """An input that ends without text is no error."""
    assert await speak(PiperTTS(ToneVoice())) == []


async def test_pace_shortens_the_speech() -> None:
    """Twice the pace takes half the time."""
    assert seconds(await speak(PiperTTS(ToneVoice(), pace=2.0), TEXT)) == pytest.approx(0.55, abs=0.02)


@pytest.mark.parametrize("pace", [0.0, 0.4, 2.1, -1.0, float("nan")])
def test_an_impossible_pace_is_refused_with_the_possible_ones(pace: float) -> None:
    """Before anything is spoken."""
    with pytest.raises(ValueError, match=r"0\.5 .* 2\.0"):
        PiperTTS(ToneVoice(), pace=pace)


async def test_a_barge_in_stops_the_synthesis() -> None:
    """Of a long text only what was being synthesised when it came is finished."""
    started, release = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    class Slow(ToneVoice):
        def synthesize(self, text: str, *, pace: float = 1.0) -> NDArray[np.int16]:
            loop.call_soon_threadsafe(started.set)
            release.wait()
            return super().synthesize(text, pace=pace)

    voice = Slow()
    stream = PiperTTS(voice).stream(conn_options=NO_WAIT)
    stream.push_text("This is a sentence. " * 50)
    stream.end_input()
    await started.wait()
    await stream.aclose()
    release.set()
    await asyncio.to_thread(lambda: None)
    assert len(voice.said) <= 1


async def test_a_failing_voice_is_tried_again() -> None:
    """As long as nothing has been heard of the text."""
    voice = ToneVoice(fails_on=["Thank you,"])
    played = await speak(PiperTTS(voice), TEXT)
    assert voice.said[:2] == ["Thank you,", "Thank you,"]
    assert seconds(played) == pytest.approx(1.1, abs=0.02)


async def test_a_voice_that_fails_in_mid_text_is_an_api_error() -> None:
    """The error names what could not be said; the session knows how to go on from an APIError."""
    speaker = PiperTTS(ToneVoice(fails_on=["that covers it."]))
    errors: list[tts.TTSError] = []
    speaker.on("error", errors.append)
    with pytest.raises(APIConnectionError, match=r"'that covers it\.'"):
        await speak(speaker, TEXT)
    assert [error.recoverable for error in errors] == [False]


@given(st.text(max_size=60), st.floats(0, 100), st.floats(0, 20))
def test_spread_words_are_the_clause_in_order(clause: str, start_s: float, length_s: float) -> None:
    """Joined they give the clause, and their times follow each other through its length."""
    spoken = list(spread(clause, start_s, length_s))
    assert "".join(spoken) == clause
    times = [at for word in spoken for at in (word.start_time, word.end_time) if isinstance(at, float)]
    assert times == pytest.approx(sorted(times))
    if spoken:
        assert times[0] == pytest.approx(start_s)
        assert times[-1] == pytest.approx(start_s + length_s)


def test_capabilities_are_declared() -> None:
    """The framework needs no adapter and may use the words' times."""
    speaker = PiperTTS(ToneVoice())
    assert speaker.capabilities.streaming
    assert speaker.capabilities.aligned_transcript
    assert (speaker.model, speaker.provider, speaker.sample_rate) == ("piper", "piper", ToneVoice.RATE_HZ)
