"""When Whisper is asked again, and when it is not believed. No model: its answers are scripted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech import Recognition, Recognizer, SpeechModelError
from speech.audio import SAMPLE_RATE, Audio
from speech.stt.hallucinations import is_believable
from speech.stt.recognizer import (
    FULL_WINDOW_S,
    MAX_PIECE_S,
    OWN_SILENCE_S,
    OWN_WINDOW_S,
    own_window_s,
    pieces,
    token_bound,
)
from speech.stt.whisper import MAX_TOKENS, NO_PROMPT, Decoded, DecodedWord, DecodePrompt, always_wanted
from tests.speech.fakes import ScriptedDecoder, tone

TWO_SECONDS = tone((2, 0.2))


def decoded(text: str, *, word_s: float = 0.2, complete: bool = True, probability: float = 0.9) -> Decoded:
    """A sure answer whose words last `word_s` each."""
    words = tuple(
        DecodedWord(f" {word}", number * word_s, (number + 1) * word_s, probability, tokens=1)
        for number, word in enumerate(text.split())
    )
    return Decoded(text, words, complete=complete, no_speech=0.05, log_prob=-0.2)


def test_speech_is_decoded_once_with_little_silence_after_it() -> None:
    """The usual case costs one short call, and its words come with times and confidence."""
    decoder = ScriptedDecoder(decoded("A sorted tree."))
    transcript = Recognizer(decoder).transcribe(TWO_SECONDS)
    assert decoder.windows_s == [OWN_WINDOW_S]
    assert transcript.text == "A sorted tree."
    assert [word.text for word in transcript.words] == ["A", "sorted", "tree."]
    assert transcript.confidence == pytest.approx(0.9)


@pytest.mark.parametrize(
    "first",
    [decoded("Give me a moment. Give me a moment. Give me"), decoded("Something without an end", complete=False)],
)
def test_an_answer_in_circles_is_asked_for_again_with_the_full_window(first: Decoded) -> None:
    """A repetition and a reached bound both fall back to the window that Whisper was trained with."""
    decoder = ScriptedDecoder(first, decoded("Give me a moment."))
    assert Recognizer(decoder).transcribe(TWO_SECONDS).text == "Give me a moment."
    assert decoder.windows_s == [OWN_WINDOW_S, FULL_WINDOW_S]


def test_a_repetition_without_time_in_the_audio_is_dropped() -> None:
    """If the full window repeats itself too, what cannot have been said within the audio goes."""
    loop = decoded("let me think let me think let me think", word_s=0.6)
    transcript = Recognizer(ScriptedDecoder(loop)).transcribe(tone((1.8, 0.2)))
    assert transcript.text == "let me think"
    assert len(transcript.words) == 3


def test_a_repetition_that_was_said_stays() -> None:
    """Words that take up time in the audio were spoken, however often."""
    said = decoded("let me think let me think", word_s=0.3)
    assert Recognizer(ScriptedDecoder(said)).transcribe(TWO_SECONDS).text == "let me think let me think"


def test_a_text_before_that_the_decoder_circles_about_is_left_out() -> None:
    """Where the full window goes in circles as well, Whisper is told nothing, and believed if it does not."""
    loop = decoded("not here not here not here", word_s=0.3)
    decoder = ScriptedDecoder(loop, loop, decoded("Myself and Marika, who is not here."))

    heard = Recognizer(decoder).hear(TWO_SECONDS, DecodePrompt(manner="Um, so", language="en"))

    assert heard is not None
    assert heard.text == "Myself and Marika, who is not here."
    assert decoder.windows_s == [OWN_WINDOW_S, FULL_WINDOW_S, FULL_WINDOW_S]


def test_who_repeats_themselves_is_heard_to_do_so_whatever_whisper_is_told() -> None:
    """If it goes in circles without a text before, too, they were said."""
    said = decoded("let me think let me think", word_s=0.3)

    heard = Recognizer(ScriptedDecoder(said)).hear(TWO_SECONDS, DecodePrompt(before="I would say"))

    assert heard is not None
    assert heard.text == "let me think let me think"


@pytest.mark.parametrize(
    "made_up",
    [
        replace(decoded("you"), no_speech=0.8, log_prob=-1.7),
        replace(decoded("Thank you."), no_speech=0.82, log_prob=-0.72),
        replace(decoded("I'm not sure if I can do that."), no_speech=0.62, log_prob=-1.73),
        replace(decoded(". . . . . ."), no_speech=0.9, log_prob=-0.05),
        decoded(""),
    ],
)
def test_what_whisper_makes_up_about_noise_is_not_believed(made_up: Decoded) -> None:
    """A sound without words gives no words, and is not decoded twice."""
    decoder = ScriptedDecoder(made_up)
    assert Recognizer(decoder).transcribe(TWO_SECONDS) == Recognition()
    assert len(decoder.windows_s) == 1


@pytest.mark.parametrize(("no_speech", "log_prob"), [(0.63, -0.2), (0.07, -0.95), (0.1, -1.5)])
def test_unsure_speech_is_believed(no_speech: float, log_prob: float) -> None:
    """One doubt alone is not enough: a single short word is often unsure, a long pause looks like silence."""
    assert is_believable(replace(decoded("Yes."), no_speech=no_speech, log_prob=log_prob))


def test_a_made_up_loop_over_noise_is_not_believed() -> None:
    """A loop raises the mean probability: only the words before it count."""
    loop = decoded("I get a chance to get a chance to get a chance to", word_s=0.5, probability=0.2)
    noise_loop = replace(loop, no_speech=0.7, log_prob=-0.39)
    assert Recognizer(ScriptedDecoder(noise_loop)).transcribe(tone((2.5, 0.2))) == Recognition()


def test_a_word_after_the_end_of_the_sound_is_dropped() -> None:
    """A short answer is not heard twice."""
    heard = decoded("No. No.", word_s=1.5)
    transcript = Recognizer(ScriptedDecoder(heard)).transcribe(tone((1.0, 0.2)))
    assert [word.text for word in transcript.words] == ["No."]
    assert transcript.text == "No."


@pytest.mark.parametrize(
    "prompt", [DecodePrompt(hot_words="Kafka"), DecodePrompt(manner="Um."), DecodePrompt(before="and so")]
)
def test_a_few_words_after_a_prompt_need_a_second_witness(prompt: DecodePrompt) -> None:
    """Told a text, Whisper makes up words about noise that it would not make up otherwise."""
    made_up = replace(decoded("you"), no_speech=0.8, log_prob=-1.7)
    decoder = ScriptedDecoder(decoded("Oh,"), made_up)
    assert Recognizer(decoder).hear(TWO_SECONDS, prompt) == Recognition()
    decoder = ScriptedDecoder(decoded("Skip it."), decoded("Skip it."))
    assert Recognizer(decoder).hear(TWO_SECONDS, prompt).text == "Skip it."  # type: ignore[union-attr]
    assert len(decoder.windows_s) == 2


def test_when_a_prompt_leaves_a_few_words_of_a_sentence_the_surer_decode_counts() -> None:
    """Told of fillers, Whisper once heard "I'm" of five seconds; what it is surer of without them is taken."""
    stump, whole = replace(decoded("I'm"), log_prob=-1.3), decoded("Reading the height of an element forces a layout.")
    assert Recognizer(ScriptedDecoder(stump, whole)).hear(TWO_SECONDS, DecodePrompt(manner="Um.")).text == whole.text
    doubtful = replace(whole, log_prob=-1.5)
    assert Recognizer(ScriptedDecoder(stump, doubtful)).hear(TWO_SECONDS, DecodePrompt(manner="Um.")).text == "I'm"
    short = decoded("Yes.")
    assert (
        Recognizer(ScriptedDecoder(decoded("Um, yes."), short)).hear(TWO_SECONDS, DecodePrompt(manner="Um.")).text
        == "Um, yes."
    )


def test_a_sentence_after_a_prompt_is_decoded_once() -> None:
    """It is not made up."""
    decoder = ScriptedDecoder(decoded("A sorted tree is quick."))
    Recognizer(decoder).hear(TWO_SECONDS, DecodePrompt(before="and so"))
    assert len(decoder.windows_s) == 1


def test_a_word_that_is_cut_off_stays() -> None:
    """Its time lies at the very end of the sound."""
    heard = decoded("the band", word_s=0.98)
    assert Recognizer(ScriptedDecoder(heard)).transcribe(tone((1.0, 0.2))).text == "the band"


def test_silence_is_not_decoded_at_all() -> None:
    """No model call, no words."""
    decoder = ScriptedDecoder(decoded("Thank you."))
    assert Recognizer(decoder).transcribe(np.zeros(SAMPLE_RATE, dtype=np.float32)) == Recognition()
    assert Recognizer(decoder).transcribe(np.zeros(0, dtype=np.float32)) == Recognition()
    assert decoder.windows_s == []


def test_long_audio_is_decoded_in_pieces() -> None:
    """Minutes of speech are cut in their pauses; the words' times go on through the pieces."""
    pcm = tone(*[(20, 0.2), (0.5, 0)] * 4)
    decoder = ScriptedDecoder(decoded("one two"))
    transcript = Recognizer(decoder).transcribe(pcm)
    assert transcript.text == "one two one two one two one two"
    assert [word.start_s for word in transcript.words[::2]] == pytest.approx([0, 20.25, 40.75, 61.25], abs=0.3)


@given(st.floats(0, 120), st.integers(0, 3))
def test_pieces_are_the_audio(seconds: float, seed: int) -> None:
    """No sample is lost or decoded twice, and no piece is too long for the window."""
    pcm = np.random.default_rng(seed).normal(0, 0.1, round(seconds * SAMPLE_RATE)).astype(np.float32)
    cut: list[tuple[float, Audio]] = list(pieces(pcm))
    assert np.array_equal(np.concatenate([piece for _, piece in cut]), pcm)
    assert all(len(piece) <= MAX_PIECE_S * SAMPLE_RATE for _, piece in cut)
    ends = np.cumsum([len(piece) for _, piece in cut])
    assert [start for start, _ in cut] == pytest.approx([0, *(ends[:-1] / SAMPLE_RATE)])


@given(st.floats(0, MAX_PIECE_S))
def test_windows_and_bounds_fit_the_model(duration_s: float) -> None:
    """There is silence after the sound, and neither limit of Whisper is passed."""
    assert duration_s + OWN_SILENCE_S <= own_window_s(duration_s) <= FULL_WINDOW_S
    assert min(duration_s * 9, MAX_TOKENS - 1) < token_bound(duration_s) <= MAX_TOKENS


def test_one_window_is_decoded_at_a_time() -> None:
    """Interviews that speak at once take turns at the model."""

    class Counting(ScriptedDecoder):
        running = 0
        most = 0

        def decode(
            self,
            pcm: Audio,
            window_s: float,
            max_tokens: int,
            prompt: DecodePrompt = NO_PROMPT,
            *,
            wanted: Callable[[], bool] = always_wanted,
        ) -> Decoded:
            self.running += 1
            self.most = max(self.most, self.running)
            answer = super().decode(pcm, window_s, max_tokens, prompt, wanted=wanted)
            threading.Event().wait(0.005)
            self.running -= 1
            return answer

    decoder = Counting(decoded("Yes."))
    recognizer = Recognizer(decoder)
    threads = [threading.Thread(target=recognizer.transcribe, args=(TWO_SECONDS,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(decoder.windows_s) == 8
    assert decoder.most == 1


def test_warming_up_uses_the_own_window() -> None:
    """The first answer of an interview is as fast as the next, and nobody waits for the slow window at a start."""
    decoder = ScriptedDecoder(decoded("you"))
    Recognizer(decoder).warm_up()
    assert decoder.windows_s == [OWN_WINDOW_S]


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    """The error says where it looked, what is missing, and what belongs there."""
    with pytest.raises(SpeechModelError, match=r"model\.bin is missing.*CTranslate2") as caught:
        Recognizer.load(tmp_path)
    assert caught.value.path == tmp_path
    assert str(tmp_path) in str(caught.value)


def test_a_broken_model_is_named(tmp_path: Path) -> None:
    """A file that is no model is the same kind of error."""
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(SpeechModelError, match="What belongs there"):
        Recognizer.load(tmp_path)
