"""Words with the times at which they were said."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from livekit import rtc
from livekit.agents import stt
from livekit.agents.types import TimedString

from agent.conversation.transcript import AudioTimeline, Utterances
from agent.endpointing.melody import Melody
from agent.endpointing.pauses import Pauses
from domain.events import AnswerTaken, Word


def frame(seconds: float) -> rtc.AudioFrame:
    """Silence of this length."""
    samples = int(16_000 * seconds)
    return rtc.AudioFrame(b"\0\0" * samples, 16_000, 1, samples)


async def heard(timeline: AudioTimeline, *lengths: float) -> None:
    """Let frames of these lengths pass."""

    async def audio() -> AsyncIterator[rtc.AudioFrame]:
        for length in lengths:
            yield frame(length)

    async for _ in timeline.watch(audio()):
        pass


def final(*words: tuple[str, float, float]) -> stt.SpeechEvent:
    """A final transcript with these words in stream time."""
    timed = [TimedString(text, start_time=start, end_time=end, confidence=0.9) for text, start, end in words]
    data = stt.SpeechData(language="en", text=" ".join(text for text, _, _ in words), words=timed)
    return stt.SpeechEvent(stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives=[data])


def add(utterances: Utterances, event: stt.SpeechEvent) -> None:
    """Hear it, as a part of the turn."""
    utterance = utterances.heard(event)
    assert utterance is not None
    utterances.add(utterance)


async def test_words_get_the_clocks_time() -> None:
    """A word's place in the audio becomes a time of day."""
    now = [100.0]
    timeline = AudioTimeline(lambda: now[0])
    now[0] = 102.0
    await heard(timeline, 1.0, 1.0)
    utterances = Utterances(timeline)
    event = utterances.heard(final(("hello", 0.5, 0.8), ("there", 0.9, 1.2)))
    assert event is not None
    assert [(word.start_at, word.end_at) for word in event.words] == [(100.5, 100.8), (100.9, 101.2)]


async def test_a_gap_in_the_line_does_not_shift_later_words() -> None:
    """After a lost line the audio's own time is behind the clock; later words are still placed right."""
    now = [100.0]
    timeline = AudioTimeline(lambda: now[0])
    await heard(timeline, 1.0)
    now[0] = 131.0
    await heard(timeline, 1.0)
    event = Utterances(timeline).heard(final(("back", 1.2, 1.5)))
    assert event is not None
    assert event.words[0].start_at == pytest.approx(130.2)


async def test_a_turn_takes_all_its_words_once() -> None:
    """Utterances of one turn are joined, and the next turn begins empty."""
    timeline = AudioTimeline(lambda: 100.0)
    utterances = Utterances(timeline)
    add(utterances, final(("one", 0.1, 0.2)))
    assert utterances.heard(final(("said", 0.2, 0.3), ("elsewhere", 0.3, 0.4))) is not None
    add(utterances, final(("two", 0.3, 0.4)))
    assert utterances.text == "one two"
    assert [word.text for word in utterances.take()] == ["one", "two"]
    assert utterances.take() == []


async def test_pauses_in_mid_answer_are_learned() -> None:
    """Gaps between the words of a turn count, and so does the silence in which an answer was taken too early."""
    utterances = Utterances(AudioTimeline(lambda: 100.0))
    before = utterances.pauses
    add(utterances, final(("so", 0.0, 0.2), ("then", 1.7, 2.0)))
    assert utterances.pauses.weight == before.weight + 1
    first = utterances.take()
    add(utterances, final(("and", 4.0, 4.2)))
    assert utterances.pauses.weight == before.weight + 1
    utterances.went_on(first, utterances.take())
    assert utterances.pauses.weight == before.weight + 2
    assert utterances.pauses.median_s > before.median_s


async def test_how_a_candidate_sounded_in_pauses_is_learned_and_not_how_at_ends() -> None:
    """A silence counts once words followed it after half a second; the end of a turn, once it was none."""
    utterances = Utterances(AudioTimeline(lambda: 100.0))
    add(utterances, final(("first", 0.0, 0.4)))
    utterances.sounded(0.95)
    assert utterances.melody == Melody()
    add(utterances, final(("then", 0.5, 0.9)))
    assert utterances.melody == Melody()
    utterances.sounded(0.9)
    add(utterances, final(("so", 2.0, 2.4)))
    assert utterances.melody == Melody(1, 1)
    utterances.sounded(0.97)
    before = utterances.take()
    assert utterances.melody == Melody(1, 1)
    add(utterances, final(("and", 4.0, 4.2)))
    utterances.sounded(0.1)
    utterances.went_on(before, utterances.take())
    assert utterances.melody == Melody(2, 2)


async def test_guesses_and_empty_transcripts_are_no_words() -> None:
    """Interim results, and finals without words, add nothing."""
    utterances = Utterances(AudioTimeline(lambda: 100.0))
    interim = stt.SpeechEvent(
        stt.SpeechEventType.INTERIM_TRANSCRIPT, alternatives=[stt.SpeechData(language="en", text="maybe")]
    )
    assert utterances.heard(interim) is None
    assert utterances.heard(final()) is None
    assert utterances.take() == []


def taken(turn: int, *gaps_s: float, continues: bool = False) -> AnswerTaken:
    """An answer with these silences between its words."""
    words, at = [], 0.0
    for gap_s in (0.0, *gaps_s):
        words.append(Word(text="word", start_at=at + gap_s, end_at=at + gap_s + 0.2, confidence=1.0))
        at += gap_s + 0.2
    return AnswerTaken(at=at, turn=turn, question_id="q", text="", words=words, speech_ended_at=at, continues=continues)


def test_what_one_process_learned_of_a_candidate_the_next_one_knows() -> None:
    """After a crash in mid-interview nobody is cut off anew: their pauses and cut-offs are on the record."""
    utterances, fresh = Utterances(AudioTimeline(lambda: 0.0)), Utterances(AudioTimeline(lambda: 0.0))
    utterances.restore([taken(1, 1.8), taken(2, 1.8, 2.2, continues=True), taken(3, 0.1)])
    assert utterances.cut_offs == 1
    assert utterances.pauses == fresh.pauses.heard([1.8, 2.2])
    fresh.restore([])
    assert (fresh.cut_offs, fresh.pauses) == (0, Pauses())
