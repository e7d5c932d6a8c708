"""When LiveKit is told that an answer is over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from livekit.agents import llm

from agent.conversation.listening import ListeningSignals
from agent.conversation.transcript import AudioTimeline, Utterances
from agent.endpointing.detector import EndOfTurnDetector
from agent.endpointing.listening import BEFORE_WORDS_S
from agent.endpointing.pauses import Pauses
from agent.endpointing.policy import RISKS, Signals, wait
from domain.events import Event, PauseWeighed, UtteranceHeard, Word
from tests.agent.conversation.test_listening import Scene


class Silence:
    """A candidate who has fallen silent, and a clock that only waiting moves."""

    def __init__(
        self, text: str, *, silent_s: float, confidence: float = 1.0, by_sound: float | Exception | None = None
    ) -> None:
        self.by_sound = by_sound
        self.recorded: list[Event] = []
        self.now = 100.0
        self.all_heard = asyncio.Event()
        self.waited_s: list[float] = []
        self.utterances = Utterances(AudioTimeline(lambda: self.now))
        ended_at = self.now - silent_s
        start_at = ended_at - 0.2
        words = [Word(text=w, start_at=start_at, end_at=ended_at, confidence=confidence) for w in text.split()]
        self.utterances.add(UtteranceHeard(at=ended_at, text=text, words=words))
        self.turn_detector = EndOfTurnDetector(
            self.all_heard.wait,
            self._chance_over,
            self.utterances,
            lambda: self.now,
            risk=RISKS["normal"],
            record=self.recorded.append,
            sleep=self._sleep,
        )

    def listen(self, signals: ListeningSignals) -> None:
        """Show that somebody listens."""
        self.turn_detector = EndOfTurnDetector(
            self.all_heard.wait,
            self._chance_over,
            self.utterances,
            lambda: self.now,
            risk=RISKS["normal"],
            record=self.recorded.append,
            listening=signals,
            sleep=self._sleep,
        )

    async def _chance_over(self) -> float | None:
        if isinstance(self.by_sound, Exception):
            raise self.by_sound
        return self.by_sound

    async def _sleep(self, seconds: float) -> None:
        self.waited_s.append(seconds)
        self.now += seconds

    async def is_over(self) -> float:
        """Ask as LiveKit does."""
        return await self.turn_detector.predict_end_of_turn(llm.ChatContext.empty())


async def test_the_wait_runs_from_the_end_of_the_voice() -> None:
    """What the recogniser took of the silence is not waited again."""
    silence = Silence("It depends on the", silent_s=1.0)
    silence.all_heard.set()
    assert await silence.is_over() == 1.0
    assert silence.waited_s == [
        pytest.approx(wait(Signals("It depends on the"), risk=RISKS["normal"]).seconds - 1.0, abs=0.01)
    ]


async def test_a_listening_signal_takes_no_time_and_comes_once_in_a_silence() -> None:
    """The answer is over when it would have been; LiveKit's second question in the same silence gives no second one."""
    text = "I would keep the leaves in a tin away from the light"
    given_at: list[float] = []
    silence = Silence(text, silent_s=0.5, by_sound=0.3)
    scene = Scene("mm-hm", "uh-huh")
    scene.signals = ListeningSignals(
        scene.speaker, lambda: False, lambda event: given_at.append(event.at), lambda: silence.now
    )
    plain = Silence(text, silent_s=0.5, by_sound=0.3)
    silence.listen(scene.signals)
    for each in (silence, plain):
        each.all_heard.set()
        await each.is_over()
    assert silence.now == pytest.approx(plain.now)
    assert given_at == [pytest.approx(100.2)]
    silence.now = 100.4
    await silence.is_over()
    assert scene.speaker.played == ["mm-hm"]


async def test_whoever_has_finished_is_heard_to_be_listened_to_while_the_answer_is_judged() -> None:
    """Judging takes longer than a signal; the answer is then taken no sooner than the signal is over."""
    given_at: list[float] = []
    silence = Silence("I would keep the leaves in a tin away from the light", silent_s=0.9, by_sound=0.98)
    scene = Scene("mm-hm", "uh-huh")
    scene.signals = ListeningSignals(
        scene.speaker, lambda: False, lambda event: given_at.append(event.at), lambda: silence.now
    )
    silence.listen(scene.signals)
    judging = asyncio.Event()

    async def touched() -> float:
        await judging.wait()
        return 1.0

    silence.turn_detector.touched = touched
    silence.all_heard.set()
    asked = asyncio.create_task(silence.is_over())
    for _ in range(10):
        await asyncio.sleep(0)
    assert given_at == [pytest.approx(100.0)]
    judging.set()
    await asked
    assert scene.speaker.played == ["mm-hm"]
    assert silence.now - given_at[0] >= BEFORE_WORDS_S


async def test_words_that_may_never_have_been_said_end_no_answer_soon() -> None:
    """A thoughtful "let me think" was heard as "Come, let me sing." with little confidence, and taken as the answer."""
    waited_s = []
    for confidence in (0.24, 0.9):
        silence = Silence("Come to the sea.", silent_s=0.0, confidence=confidence)
        silence.all_heard.set()
        await silence.is_over()
        waited_s += silence.waited_s
    doubtful_s, sure_s = waited_s
    assert doubtful_s > 2.5 > sure_s


async def test_an_answer_is_not_over_before_its_last_words_are_known() -> None:
    """While the recogniser is still at work there is no decision, however complete the words so far sound."""
    silence = Silence("I would use an index.", silent_s=0.3)
    paused: list[str] = []
    silence.turn_detector.on_pause = lambda: paused.append(silence.utterances.text)
    asked = asyncio.create_task(silence.is_over())
    for _ in range(10):
        await asyncio.sleep(0)
    assert not asked.done()
    assert paused == []
    silence.all_heard.set()
    assert await asked == 1.0
    assert paused == ["I would use an index."]


async def test_even_a_late_decision_leaves_time_for_the_last_transcript() -> None:
    """When the wait is over already, the session still gets a moment to hear the last words."""
    silence = Silence("I don't know.", silent_s=5.0)
    silence.all_heard.set()
    await silence.is_over()
    assert silence.waited_s == [pytest.approx(0.05)]


async def test_a_melody_that_goes_on_is_given_more_time() -> None:
    """Of the same words those are waited for longer that sound as if more would come."""
    waited_s = []
    for by_sound in (0.03, None, 0.97):
        silence = Silence("I would use an index.", silent_s=0.0, by_sound=by_sound)
        silence.all_heard.set()
        await silence.is_over()
        waited_s += silence.waited_s
    goes_on_s, unknown_s, falls_s = waited_s
    assert goes_on_s > unknown_s > falls_s


async def test_an_answer_ends_by_its_words_when_the_sound_cannot_be_judged(caplog: pytest.LogCaptureFixture) -> None:
    """A fault of the model is told in the log, and nobody sits in silence for it."""
    failing = Silence("I would use an index.", silent_s=0.0, by_sound=RuntimeError("the model broke"))
    sound = Silence("I would use an index.", silent_s=0.0)
    for silence in (failing, sound):
        silence.all_heard.set()
        assert await silence.is_over() == 1.0
    assert failing.waited_s == sound.waited_s
    assert "could not be judged by sound" in caplog.text


async def test_an_answer_that_has_not_touched_what_was_asked_is_waited_for() -> None:
    """A whole sentence with a falling melody, of which nothing was asked: more will come."""
    waited_s = []
    for touched in (0.0, 1.0):
        silence = Silence("I would use an index.", silent_s=0.0, by_sound=0.98)
        silence.turn_detector.touched = told(touched)
        silence.all_heard.set()
        await silence.is_over()
        waited_s += silence.waited_s
    untouched_s, touched_s = waited_s
    assert untouched_s > 1.6
    assert touched_s < 1.0


async def test_nobody_waits_for_what_was_touched_longer_than_for_the_answer(caplog: pytest.LogCaptureFixture) -> None:
    """A judge that hangs or breaks takes no turn away: the rest of the signals decide."""
    never = asyncio.Event()

    async def hangs() -> float | None:
        await never.wait()
        return 0.0

    async def breaks() -> float | None:
        raise RuntimeError("the judge broke")

    plain = Silence("I would use an index.", silent_s=4.0)
    plain.all_heard.set()
    await plain.is_over()
    for touched in (hangs, breaks):
        silence = Silence("I would use an index.", silent_s=4.0)
        silence.turn_detector.touched = touched
        silence.all_heard.set()
        async with asyncio.timeout(30):
            assert await silence.is_over() == 1.0
        assert silence.waited_s == plain.waited_s
    assert "could not be judged what the answer has touched" in caplog.text


def told(touched: float) -> Callable[[], Awaitable[float | None]]:
    """A judge that says so."""

    async def judge() -> float | None:
        return touched

    return judge


async def test_what_was_weighed_is_on_the_record() -> None:
    """Each signal, and what came of it: whoever was cut off can be told why."""
    silence = Silence("It depends on the", silent_s=1.0, by_sound=0.0712)
    silence.all_heard.set()
    await silence.is_over()
    silence.now = 100.0
    await silence.is_over()  # LiveKit asks once for the silence and once for the transcript.
    (weighed,) = silence.recorded
    assert isinstance(weighed, PauseWeighed)
    assert (weighed.at, weighed.ending, weighed.by_sound, weighed.silent_s) == (100.0, "open", 0.071, 1.0)
    assert weighed.chance_of_more > 0.95
    assert weighed.wait_s - weighed.silent_s == pytest.approx(silence.waited_s[0], abs=0.01)
    assert (weighed.words, weighed.expected_words, weighed.cut_offs, weighed.trust_in_sound) == (4, 25, 0, 1.0)
    assert (weighed.pause_s, weighed.pause_spread) == (Pauses().median_s, Pauses().spread)


async def test_a_silence_that_a_signal_has_met_lasts_as_long_when_it_is_weighed_again() -> None:
    """What the signal has bought stays bought when LiveKit asks once more in the same silence."""
    text = "I would keep the leaves in a tin away from the light."
    silence = Silence(text, silent_s=0.5, by_sound=0.9)
    scene = Scene("mm-hm", "uh-huh")
    scene.signals = ListeningSignals(scene.speaker, lambda: False, silence.recorded.append, lambda: silence.now)
    silence.listen(scene.signals)
    silence.turn_detector.touched = told(0.6)
    silence.all_heard.set()
    await silence.is_over()
    over_at = silence.now
    assert over_at - 99.5 > wait(Signals(text, end_of_turn=0.9, touched=0.6), risk=RISKS["normal"]).seconds + 0.1
    silence.now = 100.4
    await silence.is_over()
    assert silence.now == pytest.approx(over_at)
    assert scene.speaker.played == ["mm-hm"]


async def test_a_signal_that_cannot_be_given_buys_no_time() -> None:
    """While its sounds are not made the answer is over when it would be without any."""
    text = "I would keep the leaves in a tin away from the light."

    async def ended_s(*sounds: str) -> float:
        silence = Silence(text, silent_s=0.5, by_sound=0.9)
        player = Scene(*sounds).speaker
        silence.listen(ListeningSignals(player, lambda: False, silence.recorded.append, lambda: silence.now))
        silence.turn_detector.touched = told(0.6)
        silence.all_heard.set()
        await silence.is_over()
        return silence.now - 99.5

    without_s, with_s = await ended_s(), await ended_s("mm-hm")
    assert without_s == pytest.approx(wait(Signals(text, end_of_turn=0.9, touched=0.6), risk=RISKS["normal"]).seconds)
    assert with_s > without_s + 0.1
