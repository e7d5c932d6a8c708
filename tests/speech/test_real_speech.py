"""What Piper says, Whisper hears. Slow: loads the real voice, Whisper base and Silero (no network, no server)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import pytest
import yaml
from livekit import rtc
from livekit.agents import stt
from numpy.typing import NDArray
from scipy.signal import resample_poly

from agent.cli.transcribe import stream_through
from agent.model_files.prepare import ModelPaths
from speech import (
    PiperTTS,
    Recognition,
    SpeechModels,
    TextNormalizer,
    Voice,
    WhisperChoice,
    WhisperSTT,
    load_speech_models,
)
from speech.audio import SAMPLE_RATE, Audio, from_int16
from speech.end_of_turn import AFTER_S
from speech.stt.fillers import filler_prompt
from speech.stt.repetition import words_of
from speech.stt.whisper import DecodePrompt
from speech.tts.plugin import timed_words

pytestmark = pytest.mark.slow

SENTENCES = (
    "A binary search tree keeps its keys in sorted order, so a lookup can skip half of the tree at every step.",
    "I would start with a logistic regression as a baseline, because it is easy to explain and quick to train.",
    "We used a message queue, so that slow consumers could not block the request path.",
    "Overfitting means that the model learns the noise in the training data.",
)


@pytest.fixture(scope="module")
def models(model_paths: ModelPaths) -> SpeechModels:
    """The real models."""
    return load_speech_models(WhisperChoice(model_paths.whisper), model_paths.voice, model_paths.end_of_turn)


def spoken(voice: Voice, text: str) -> Audio:
    """A text said by the voice, as Whisper hears it, without the silence before and after it."""
    pcm: Audio = resample_poly(from_int16(voice.synthesize(text)), SAMPLE_RATE, voice.sample_rate).astype(np.float32)
    sounding = np.flatnonzero(np.abs(pcm) > 0.01)
    return pcm[sounding[0] : sounding[-1] + 1]


def silence(seconds: float) -> Audio:
    """Digital silence at 16 kHz."""
    return np.zeros(round(seconds * SAMPLE_RATE), dtype=np.float32)


def share_heard(said: str, heard: str) -> float:
    """The share of the said words that were heard."""
    wanted = Counter(words_of(said))
    return (wanted & Counter(words_of(heard))).total() / wanted.total()


async def listen(models: SpeechModels, pcm: Audio, rate: int = 24_000) -> list[stt.SpeechData]:
    """What a session's stream makes of audio that comes in frames of 10 ms."""
    samples: NDArray[np.int16] = (resample_poly(pcm, rate, SAMPLE_RATE) * 32767).clip(-32768, 32767).astype(np.int16)
    async with WhisperSTT(models.recognizer, models.vad).stream() as stream:
        for start in range(0, len(samples), rate // 100):
            chunk = samples[start : start + rate // 100]
            stream.push_frame(rtc.AudioFrame(chunk.tobytes(), rate, 1, len(chunk)))
            await asyncio.sleep(0)
        stream.end_input()
        finals = [event async for event in stream if event.type is stt.SpeechEventType.FINAL_TRANSCRIPT]
    return [event.alternatives[0] for event in finals]


def noises() -> Sequence[tuple[str, Audio]]:
    """Two seconds each of what rooms sound like when nobody speaks."""
    rng = np.random.default_rng(7)
    white = rng.normal(0, 1, 2 * SAMPLE_RATE)
    spectrum = np.fft.rfft(white)
    pink = np.fft.irfft(spectrum / np.sqrt(np.arange(1, len(spectrum) + 1)))
    clicks = np.zeros(2 * SAMPLE_RATE)
    clicks[rng.integers(0, len(clicks), 8)] = 1.0
    hum = np.sin(2 * np.pi * 50 * np.arange(2 * SAMPLE_RATE) / SAMPLE_RATE)
    tune = np.sin(2 * np.pi * np.repeat([262, 330, 392, 523], len(hum) // 4) * np.arange(len(hum)) / SAMPLE_RATE)
    breath = white / 4 * np.square(np.sin(2 * np.pi * np.arange(len(white)) / len(white)))
    kinds = {
        "white": white / 4,
        "pink": pink / np.abs(pink).max(),
        "clicks": clicks,
        "hum": hum,
        "tune": tune,
        "breath": breath,
    }
    return [
        (f"{kind} at {level}", (level * sound).astype(np.float32))
        for kind, sound in kinds.items()
        for level in (0.001, 0.02, 0.3)
    ]


def test_what_is_said_is_heard(models: SpeechModels) -> None:
    """At least nine in ten of the words, each with a time inside the audio, in order."""
    heard = ""
    for sentence in SENTENCES:
        pcm = spoken(models.voice, sentence)
        transcript = models.recognizer.transcribe(pcm)
        heard += f" {transcript.text}"
        starts = [word.start_s for word in transcript.words]
        assert starts == sorted(starts)
        assert all(0 <= word.start_s < word.end_s <= len(pcm) / SAMPLE_RATE for word in transcript.words)
        assert " ".join(word.text for word in transcript.words) == transcript.text
    assert share_heard(" ".join(SENTENCES), heard) >= 0.9


@pytest.mark.parametrize(
    "text", ["Yes, exactly.", "Could you repeat the question?", "Give me a moment.", "I'm not sure."]
)
def test_a_short_answer_is_heard_once(models: SpeechModels, text: str) -> None:
    """Short clips are where Whisper repeats itself."""
    transcript = models.recognizer.transcribe(np.concatenate([silence(0.3), spoken(models.voice, text), silence(0.2)]))
    assert share_heard(text, transcript.text) >= 0.7
    assert len(transcript.words) <= len(words_of(text)) + 1


def test_words_are_placed_where_they_were_said(models: SpeechModels) -> None:
    """Across a pause inside one piece; the silence before, between and after belongs to no word."""
    first, second = spoken(models.voice, "Hello there."), spoken(models.voice, "I used Python for that project.")
    pcm = np.concatenate([silence(1.0), first, silence(1.5), second, silence(1.0)])
    words = models.recognizer.transcribe(pcm).words
    again_s = 1.0 + len(first) / SAMPLE_RATE + 1.5
    after = [word for word in words if word.start_s > again_s - 0.75]
    assert words[0].start_s == pytest.approx(1.0, abs=0.2)
    assert after[0].start_s == pytest.approx(again_s, abs=0.2)
    assert after[-1].end_s == pytest.approx(again_s + len(second) / SAMPLE_RATE, abs=0.4)


def test_long_speech_is_heard_to_its_end(models: SpeechModels) -> None:
    """More than Whisper's window holds, in one go."""
    pcm = np.concatenate([part for text in SENTENCES * 2 for part in (spoken(models.voice, text), silence(0.3))])
    assert len(pcm) > 35 * SAMPLE_RATE
    transcript = models.recognizer.transcribe(pcm)
    assert share_heard(" ".join(SENTENCES * 2), transcript.text) >= 0.9
    assert transcript.words[-1].end_s > len(pcm) / SAMPLE_RATE - 1


@pytest.mark.parametrize(("kind", "pcm"), noises(), ids=[kind for kind, _ in noises()])
def test_noise_is_not_heard_as_words(models: SpeechModels, kind: str, pcm: Audio) -> None:
    """Not "Thank you.", not "you": nothing."""
    assert models.recognizer.transcribe(pcm) == Recognition()
    assert models.recognizer.transcribe(pcm[: SAMPLE_RATE * 2 // 3]) == Recognition()


@pytest.mark.parametrize(
    "prompt",
    [
        DecodePrompt(hot_words="Kubernetes, idempotent, B-tree", manner=filler_prompt("en")),
        DecodePrompt(before="and that is why it is"),
    ],
)
def test_what_whisper_is_told_is_not_heard_in_noise(models: SpeechModels, prompt: DecodePrompt) -> None:
    """Hot words and the words before leak into nothing that was not said."""
    heard = {kind: models.recognizer.hear(pcm, prompt) for kind, pcm in noises()}
    assert {kind: each.text for kind, each in heard.items() if each and each.text} == {}


async def test_an_answer_is_heard_as_well_while_it_is_spoken_as_afterwards(models: SpeechModels) -> None:
    """With pauses between its sentences: of the words that a whole decode hears, the stream misses a few at most."""
    pcm = np.concatenate(
        [part for at, text in enumerate(SENTENCES) for part in (spoken(models.voice, text), silence(0.3 + 0.4 * at))]
    )
    whisper = WhisperSTT(models.recognizer, models.vad)
    streamed = await stream_through(whisper, (pcm * 32767).astype(np.int16), lambda _: None)
    whole = models.recognizer.transcribe(pcm).text
    assert share_heard(whole, " ".join(each.text for each in streamed)) >= 0.9
    assert len(words_of(" ".join(each.text for each in streamed))) <= 1.05 * len(words_of(whole))


def test_the_language_is_noticed(models: SpeechModels) -> None:
    """English is heard as English."""
    heard = models.recognizer.hear(spoken(models.voice, SENTENCES[1]), DecodePrompt(detect=True))
    assert heard
    assert heard.spoken
    assert (heard.spoken.code, heard.spoken.probability > 0.9) == ("en", True)


async def test_a_room_without_speech_gives_no_transcript(models: SpeechModels) -> None:
    """The whole stream, detector included."""
    pcm = np.concatenate([silence(1), *[pcm for _, pcm in noises()], silence(1)])
    assert await listen(models, pcm) == []


@pytest.mark.parametrize("rate", [8_000, 24_000, 48_000])
async def test_a_stream_hears_two_answers_at_their_times(models: SpeechModels, rate: int) -> None:
    """From the telephone and from the browser, with the real detector."""
    first, second = spoken(models.voice, SENTENCES[3]), spoken(models.voice, "Yes, I used Python for that.")
    pcm = np.concatenate([silence(1.0), first, silence(1.5), second, silence(1.0)])
    heard = await listen(models, pcm, rate)
    assert share_heard(SENTENCES[3], " ".join(data.text for data in heard)) >= 0.8
    assert share_heard("Yes, I used Python for that.", heard[-1].text) >= 0.8
    again_s = 1.0 + len(first) / SAMPLE_RATE + 1.5
    assert heard[0].start_time == pytest.approx(1.0, abs=0.25)
    assert heard[-1].start_time == pytest.approx(again_s, abs=0.25)


async def test_the_voice_speaks_its_clauses_without_gaps(models: SpeechModels) -> None:
    """What comes out of the stream, clause by clause, is the text."""
    text = "Thank you, that covers the main points. Now tell me about a binary search tree."
    stream = PiperTTS(models.voice).stream()
    for word in text.split(" "):
        stream.push_text(f"{word} ")
    stream.end_input()
    async with stream:
        frames = [audio.frame async for audio in stream]
    played = rtc.combine_audio_frames(frames)
    assert played.sample_rate == models.voice.sample_rate
    pcm = resample_poly(from_int16(np.frombuffer(played.data, dtype=np.int16)), SAMPLE_RATE, played.sample_rate)
    assert share_heard(text, models.recognizer.transcribe(pcm.astype(np.float32)).text) >= 0.9


def test_what_is_written_is_heard_as_people_say_it(models: SpeechModels) -> None:
    """Units, versions, code, formulas, addresses, acronyms: of forty sentences, six may be misheard."""
    wanted: dict[str, list[str]] = yaml.safe_load((Path(__file__).parent / "data" / "heard.yaml").read_text("utf-8"))
    wording, misheard = TextNormalizer(), {}
    for sentence, phrases in wanted.items():
        heard = models.recognizer.transcribe(spoken(models.voice, wording.say(sentence).text)).text
        if not all(_letters(phrase) in _letters(heard) for phrase in phrases):
            misheard[sentence] = heard
    assert len(wanted) >= 40
    assert len(misheard) <= 6, misheard


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


@pytest.mark.parametrize("pace", [0.7, 1.0, 1.5])
def test_words_are_shown_when_they_are_heard(models: SpeechModels, pace: float) -> None:
    """At every pace, with a pause in between: most within a tenth of a second of what Whisper hears."""
    text = "We used a message queue for that project. After this change, nobody had to wait for the answer."
    said = TextNormalizer().say(text)
    utterance = models.voice.speak(said.text, pace=pace)
    length_s = len(utterance.samples) / models.voice.sample_rate
    shown = list(timed_words(said, utterance.marks, 0.0, length_s))
    pcm = resample_poly(from_int16(utterance.samples), SAMPLE_RATE, models.voice.sample_rate).astype(np.float32)
    heard = models.recognizer.transcribe(pcm).words
    # A voice is never the same twice: "queue" was once heard as "Q". Words that were heard otherwise have no time here.
    blocks = SequenceMatcher(
        None, [_letters(str(word)) for word in shown], [_letters(word.text) for word in heard], autojunk=False
    ).get_matching_blocks()
    pairs = [(shown[block.a + step], heard[block.b + step]) for block in blocks for step in range(block.size)]
    assert len(pairs) >= 0.8 * len(shown), heard
    apart = [abs(word.start_time - other.start_s) for word, other in pairs]  # type: ignore[operator]
    assert np.median(apart) < 0.12
    assert np.quantile(apart, 0.8) < 0.25


def test_pace_and_loudness_of_the_voice(models: SpeechModels) -> None:
    """Faster is shorter, and a short clause is not louder than a long one."""
    slow, fast = (models.voice.synthesize(SENTENCES[2], pace=pace) for pace in (0.6, 1.8))
    assert 2 < len(slow) / len(fast) < 4
    short, long = (models.voice.synthesize(text) for text in ("Good.", SENTENCES[0]))
    loud = [float(np.sqrt(np.mean(np.square(from_int16(samples))))) for samples in (short, long)]
    assert max(loud) / min(loud) < 1.25


def test_models_are_loaded_once(models: SpeechModels, model_paths: ModelPaths) -> None:
    """However many interviews ask at once, from however many threads."""
    with ThreadPoolExecutor(4) as pool:
        whisper, voice, turns = WhisperChoice(model_paths.whisper), model_paths.voice, model_paths.end_of_turn
        asked = [pool.submit(load_speech_models, whisper, voice, turns) for _ in range(8)]
    assert all(future.result() is models for future in asked)


async def test_interviews_share_the_models_at_the_same_time(models: SpeechModels) -> None:
    """Two streams and the voice at once: everybody is heard."""
    first, second = (np.concatenate([spoken(models.voice, text), silence(1)]) for text in SENTENCES[1:3])
    one, two, samples = await asyncio.gather(
        listen(models, first), listen(models, second), asyncio.to_thread(models.voice.synthesize, SENTENCES[0])
    )
    assert share_heard(SENTENCES[1], " ".join(data.text for data in one)) >= 0.6
    assert share_heard(SENTENCES[2], " ".join(data.text for data in two)) >= 0.6
    assert len(samples) > models.voice.sample_rate


def test_the_end_of_a_turn_is_judged_as_by_its_makers(models: SpeechModels) -> None:
    """A sound that anybody can make gets what pipecat 1.14.0 gives it with the same weights, on any processor."""
    for slide_hz, chance in ((30, 0.0395), (60, 0.1028)):
        time_s = np.arange(3 * SAMPLE_RATE) / SAMPLE_RATE
        loudness = 0.3 * np.abs(np.sin(2 * np.pi * 2 * time_s))
        sound = (loudness * np.sin(2 * np.pi * (220 - slide_hz * time_s) * time_s)).astype(np.float32)
        assert models.turns.chance_over(np.concatenate([sound, silence(AFTER_S)])) == pytest.approx(chance, abs=0.002)
