"""Answers that are heard again while the interviewer speaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

import pytest
from livekit import rtc
from livekit.agents import APIConnectionError

from agent.conversation.answer_audio import AnswerAudio
from agent.conversation.second_decode import SecondDecode, is_better
from domain.events import AnswerJudged, AnswerReheard, AnswerTaken, Event, Word
from domain.verdict import AnswerSpan, Evaluation
from speech import HeardWord, WhisperSTT
from tests.speech.fakes import LoudnessVAD, LoudRecognizer

FIRST = "the leaves oxidise in their"
BETTER = "the leaves oxidise in the air"


def words_of(text: str, confidence: float = 0.9) -> list[Word]:
    """Words of half a second each, from the hundredth second on."""
    return [
        Word(text=word, start_at=100 + n / 2, end_at=100.4 + n / 2, confidence=confidence)
        for n, word in enumerate(text.split())
    ]


def again(text: str, confidence: float = 0.9) -> tuple[HeardWord, ...]:
    """The same words from the beginning of the sound, 0.4 s before the first."""
    return tuple(HeardWord(w, 0.4 + n / 2, 0.8 + n / 2, confidence) for n, w in enumerate(text.split()))


class Whisper(WhisperSTT):
    """Hears what it is told to, and keeps what it was asked."""

    def __init__(self, answer: Sequence[HeardWord] | Exception) -> None:
        super().__init__(LoudRecognizer(), LoudnessVAD())
        self.answer = answer
        self.asked: list[tuple[float, str]] = []

    async def decode_again(
        self, frames: Sequence[rtc.AudioFrame], hot_words: str, may_go_on: Callable[[], Awaitable[bool]]
    ) -> tuple[HeardWord, ...] | None:
        if not await may_go_on():
            return None
        self.asked.append((sum(frame.duration for frame in frames), hot_words))
        if isinstance(self.answer, Exception):
            raise self.answer
        return tuple(self.answer)


class Scene:
    """An interview in which one answer was given, from second 100 on."""

    def __init__(self, answer: Sequence[HeardWord] | Exception) -> None:
        self.events: list[Event] = []
        self.speaks = True
        self.knows = True
        self.judged: list[tuple[int, str]] = []
        self.now = 90.0
        self.audio = AnswerAudio(lambda: self.now, 60.0)
        self.whisper = Whisper(answer)
        self.second = SecondDecode(
            self.whisper, self.audio, lambda: self.speaks, self._judge, record=self.events.append, clock=lambda: 200.0
        )

    async def _judge(self, turn: int, text: str) -> Evaluation | None:
        self.judged.append((turn, text))
        return evaluation(turn) if self.knows else None

    async def hears(self, seconds: float) -> None:
        """Sound from second 90 on, in frames of 0.1 s."""

        async def sound() -> AsyncIterator[rtc.AudioFrame]:
            for _ in range(round(seconds * 10)):
                self.now += 0.1
                yield rtc.AudioFrame(b"\0\0" * 1600, 16_000, 1, 1600)

        assert len([frame async for frame in self.audio.kept(sound())]) == round(seconds * 10)

    def takes(self, turn: int = 1, text: str = FIRST, spans: Sequence[AnswerSpan] = ()) -> None:
        """The turn was taken and judged."""
        words = words_of(text)
        self.second.event(
            AnswerTaken(at=104.0, turn=turn, question_id="q", text=text, words=words, speech_ended_at=words[-1].end_at)
        )
        self.second.event(AnswerJudged(at=104.1, **{**dict(evaluation(turn)), "spans": tuple(spans)}))

    async def goes_on(self, moments: int = 20) -> list[AnswerReheard]:
        """Let it work for a while; what came of it."""
        working = asyncio.create_task(self.second.run())
        for _ in range(moments):
            await asyncio.sleep(0)
        working.cancel()
        await asyncio.wait({working})
        return [event for event in self.events if isinstance(event, AnswerReheard)]


def evaluation(turn: int) -> Evaluation:
    """Nobody looks at it here."""
    return Evaluation(
        turn=turn, question_id="q", topic="t", difficulty="easy", judge="built-in", verdicts=(), scores=None
    )


async def test_an_answer_is_heard_again_and_judged_by_the_better_words() -> None:
    """With the sound around it, the terms that were likely then, and the times at which the words were said."""
    scene = Scene(again(BETTER))
    await scene.hears(20.0)
    scene.whisper.set_hot_words(["oxidise"])
    scene.takes()
    scene.whisper.set_hot_words(["something else"])
    (found,) = await scene.goes_on()
    assert (found.turn, found.text, scene.judged) == (1, BETTER, [(1, BETTER)])
    assert found.words[0].start_at == pytest.approx(100.0, abs=0.02)
    ((seconds, hot_words),) = scene.whisper.asked
    assert seconds == pytest.approx(2.4 + 0.8, abs=0.21)
    assert hot_words == "oxidise"


@pytest.mark.parametrize(
    "found",
    [again("The leaves oxidise, in their."), again("the leaves"), again(BETTER, 0.6), ()],
    ids=["same words", "half of them", "unsure", "nothing"],
)
async def test_what_is_no_better_changes_nothing(found: Sequence[HeardWord]) -> None:
    """Neither the record nor a verdict."""
    scene = Scene(found)
    await scene.hears(20.0)
    scene.takes()
    assert await scene.goes_on() == []
    assert len(scene.whisper.asked) == 1
    assert scene.judged == []


async def test_nothing_is_heard_again_while_the_candidate_may_speak() -> None:
    """The recognizer is theirs; and the next answer takes the place of the one that waits."""
    scene = Scene(again(BETTER))
    await scene.hears(20.0)
    scene.speaks = False
    scene.takes()
    assert await scene.goes_on() == []
    assert scene.whisper.asked == []
    scene.takes(turn=2, text="another answer that is long enough")
    scene.speaks = True
    assert [event.turn for event in await scene.goes_on()] == [2]


async def test_only_whole_answers_are_heard_again_whose_sound_is_kept() -> None:
    """Not half of a turn that was a request as well, and not what was said before the sound that is there."""
    scene = Scene(again(BETTER))
    scene.takes()
    assert await scene.goes_on() == []
    await scene.hears(20.0)
    scene.takes(spans=[AnswerSpan(turn=1, first_word=1, last_word=3)])
    assert await scene.goes_on() == []
    scene.takes(spans=[AnswerSpan(turn=1, first_word=0, last_word=4)])
    assert len(await scene.goes_on()) == 1


async def test_a_turn_that_the_interview_does_not_know_any_more_stays_as_it_was() -> None:
    """It was taken back, or another answer was judged since."""
    scene = Scene(again(BETTER))
    scene.knows = False
    await scene.hears(20.0)
    scene.takes()
    assert await scene.goes_on() == []
    assert scene.judged == [(1, BETTER)]


async def test_a_model_that_fails_is_told_in_the_log_and_the_next_answer_is_heard(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What was heard first stands."""
    scene = Scene(APIConnectionError("broken"))
    await scene.hears(20.0)
    scene.takes()
    working = asyncio.create_task(scene.second.run())
    for _ in range(20):
        await asyncio.sleep(0)
    assert "stays as it was heard first" in caplog.text
    scene.whisper.answer = again(BETTER)
    scene.takes(turn=2)
    for _ in range(20):
        await asyncio.sleep(0)
    working.cancel()
    await asyncio.wait({working})
    assert [event.turn for event in scene.events if isinstance(event, AnswerReheard)] == [2]


def test_punctuation_and_capitals_make_no_hearing_better() -> None:
    """Only words do."""
    assert not is_better(words_of(FIRST), again("The leaves, oxidise in their!"))
    assert is_better(words_of(FIRST), again(BETTER))


async def test_old_sound_is_forgotten() -> None:
    """So that an interview of an hour does not fill the memory."""
    scene = Scene(())
    await scene.hears(100.0)
    assert scene.audio.between(91.0, 95.0) is None
    kept = scene.audio.between(140.0, 141.0)
    assert kept is not None
    assert sum(frame.duration for frame in kept) == pytest.approx(1.0, abs=0.21)
