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

from speech import PiperTTS
from speech.text_normalization import TextNormalizer
from speech.tts.plugin import PAUSE_S, timed_words
from speech.tts.voice import SynthesizedText
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


async def test_silence_is_cut_at_the_ends_of_a_speech_and_left_between_clauses() -> None:
    """The output itself takes a moment between two speeches; inside one the voice's own pauses are what is heard."""

    class Breathing(ToneVoice):
        def _utter(self, text: str, pace: float) -> SynthesizedText:
            breath = np.zeros(round(0.2 * self.sample_rate), dtype=np.int16)
            said = super()._utter(text, pace)
            marks = tuple((place, at_s + 0.2) for place, at_s in said.marks)
            return SynthesizedText(np.concatenate([breath, said.samples, breath]), marks)

    played = await speak(PiperTTS(Breathing()), TEXT)
    samples = np.concatenate([np.frombuffer(audio.frame.data, dtype=np.int16) for audio in played])
    voiced = np.flatnonzero(samples)
    assert voiced[0] < 0.05 * ToneVoice.RATE_HZ
    assert len(samples) - voiced[-1] < 0.1 * ToneVoice.RATE_HZ
    pauses = np.diff(voiced)
    assert np.count_nonzero(pauses > 0.35 * ToneVoice.RATE_HZ) == 2
    assert "".join(words(played)) == TEXT
    assert words(played)[-1].end_time <= seconds(played)


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
        def _utter(self, text: str, pace: float) -> SynthesizedText:
            loop.call_soon_threadsafe(started.set)
            release.wait()
            return super()._utter(text, pace)

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


@given(st.text(max_size=60), st.floats(0, 100), st.floats(0, 20), st.data())
def test_timed_words_are_the_clause_in_order(clause: str, start_s: float, length_s: float, data: st.DataObject) -> None:
    """Whatever a voice tells: joined they give the clause, and their times follow each other through its length."""
    said = TextNormalizer().say(clause)
    places = sorted(data.draw(st.sets(st.integers(0, max(len(said.text), 1)), max_size=8)))
    times = sorted(data.draw(st.lists(st.floats(0, length_s), min_size=len(places), max_size=len(places))))
    timed = list(timed_words(said, tuple(zip(places, times, strict=True)), start_s, length_s))
    assert "".join(timed) == clause
    heard = [at for word in timed for at in (word.start_time, word.end_time) if isinstance(at, float)]
    assert heard == pytest.approx(sorted(heard))
    if timed:
        assert heard[0] >= start_s
        assert heard[-1] <= start_s + length_s + 1e-9


def test_without_marks_words_share_the_time_by_their_length() -> None:
    """A voice that tells nothing still has captions that keep up."""
    timed = list(timed_words(TextNormalizer().say("ab abcd "), (), 1.0, 0.8))
    assert [(str(word), word.start_time, word.end_time) for word in timed] == [
        ("ab ", 1.0, pytest.approx(1.2)),
        ("abcd ", pytest.approx(1.3), pytest.approx(1.7)),
    ]


def test_with_marks_words_are_where_they_are_heard() -> None:
    """What is said with three words lasts as long as these; what is written is what is shown."""
    said = TextNormalizer().say("SQL needs 10GB now.")
    assert said.text == "sequel needs 10 gigabytes now."
    words = said.text.split()
    marks = []
    for number, word in enumerate(words):
        place = said.text.index(word)
        marks += [(place, number * 1.0), (place + len(word), number + 0.5)]
    timed = list(timed_words(said, tuple(marks), 0.0, 10.0))
    assert [(str(word), word.start_time, word.end_time) for word in timed] == [
        ("SQL ", 0.0, 0.5),
        ("needs ", 1.0, 1.5),
        ("10GB ", 2.0, 3.5),
        ("now.", 4.0, 4.5),
    ]


async def test_captions_show_what_is_written_and_the_voice_says_it_as_spoken() -> None:
    """The interview's own pronunciations come first."""
    voice = ToneVoice()
    played = await speak(
        PiperTTS(voice, wording=TextNormalizer({"nginx": "N jinx"})), "Put nginx/2.0 before the API (v2)."
    )
    assert voice.said == ["Put N jinx 2.0 before the API, version 2."]
    assert "".join(words(played)) == "Put nginx/2.0 before the API (v2)."


async def test_a_text_that_is_never_said_is_a_pause() -> None:
    """Signs without a name are no error."""
    voice = ToneVoice()
    assert seconds(await speak(PiperTTS(voice), "** 😀 **")) == pytest.approx(PAUSE_S, abs=0.01)
    assert voice.said == []


async def test_a_short_phrase_is_synthesised_once_for_each_pace() -> None:
    """In whatever interview; a question, which is long, is not kept."""
    voice = ToneVoice()
    question = "What would you look at first when a service that was fast yesterday has become slow this morning?"
    for pace in (1.0, 1.0, 1.5, 1.0):
        await speak(PiperTTS(voice, pace=pace), "One moment please.")
        await speak(PiperTTS(voice, pace=pace), question)
    assert [voice.said.count(text) for text in ("One moment please.", question)] == [2, 4]


async def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The phrase that was said longest ago goes first."""
    monkeypatch.setattr("speech.tts.voice.KEPT_PHRASES", 2)
    voice = ToneVoice()
    for phrase in ("one.", "two.", "one.", "three.", "one.", "two."):
        voice.speak(phrase)
    assert voice.said == ["one.", "two.", "three.", "two."]


async def test_the_usual_pace_and_the_candidates_pace_multiply() -> None:
    """And stay inside what a voice can do; a pace that is set anew holds from the next clause on."""
    speaker = PiperTTS(ToneVoice(), usual_pace=1.25)
    assert seconds(await speak(speaker, TEXT)) == pytest.approx(1.1 / 1.25, abs=0.02)
    speaker.pace = 0.8
    assert seconds(await speak(speaker, TEXT)) == pytest.approx(1.1, abs=0.02)
    speaker.pace = 2.0
    assert seconds(await speak(speaker, TEXT)) == pytest.approx(0.55, abs=0.02)


async def test_the_next_clause_is_synthesised_while_the_one_before_is_played() -> None:
    """Nobody takes the first clause's sound, and the second is made all the same."""
    voice = ToneVoice()
    stream = PiperTTS(voice).stream(conn_options=NO_WAIT)
    stream.push_text(TEXT)
    stream.end_input()
    while len(voice.said) < 3:  # noqa: ASYNC110 (the voice knows no events)
        await asyncio.sleep(0)
    await stream.aclose()


def test_capabilities_are_declared() -> None:
    """The framework needs no adapter and may use the words' times."""
    speaker = PiperTTS(ToneVoice())
    assert speaker.capabilities.streaming
    assert speaker.capabilities.aligned_transcript
    assert (speaker.model, speaker.provider, speaker.sample_rate) == ("piper", "piper", ToneVoice.RATE_HZ)


async def test_what_was_prepared_is_not_synthesised_again() -> None:
    """Neither when it is there already, nor when it is asked for while it is being made."""

    class Slow(ToneVoice):
        def _utter(self, text: str, pace: float) -> SynthesizedText:
            started.set()
            assert release.wait(10)
            return super()._utter(text, pace)

    text = "You said that an index has to be kept up to date with every single write to the table, and that holds."
    for is_there in (True, False):
        started, release = threading.Event(), threading.Event()
        voice = Slow()
        speaker = PiperTTS(voice)
        preparing = asyncio.create_task(speaker.prepare(text, pace=1.0))
        await asyncio.to_thread(started.wait)
        if is_there:
            release.set()
            await preparing
        speaking = asyncio.create_task(speak(speaker, text))
        await asyncio.sleep(0.05)
        release.set()
        assert seconds(await speaking) > 0
        await preparing
        assert len(voice.said) == len(set(voice.said)) == 2


async def test_what_is_kept_ready_is_not_synthesised_when_it_is_said() -> None:
    """Acknowledgements are there before anybody waits for them."""
    voice = ToneVoice()
    speaker = PiperTTS(voice)
    await speaker.keep_ready(["Okay.", "I see."])
    assert voice.said == ["Okay.", "I see."]
    assert seconds(await speak(speaker, "I see.")) > 0
    assert voice.said == ["Okay.", "I see."]


async def test_what_could_not_be_prepared_is_tried_again() -> None:
    """A guess that fails costs no words."""
    speaker = PiperTTS(ToneVoice(fails_on=["Thank you,"]))
    with pytest.raises(APIConnectionError):
        await speaker.prepare(TEXT, pace=1.0)
    assert seconds(await speak(speaker, TEXT)) == pytest.approx(1.1, abs=0.02)
