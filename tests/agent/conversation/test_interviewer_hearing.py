"""What the interviewer takes for the candidate's words, and what not."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Sequence

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from livekit import rtc
from livekit.agents import Agent, LanguageCode, ModelSettings, UserTurnExceededEvent, llm, stt

from agent.conversation.interviewer import Interviewer
from agent.conversation.playback import PlaybackTracker
from domain.events import AnswerTaken, Event, UtteranceHeard
from domain.say import Say
from graph.checkpoints.serializer import serializer
from graph.dialogue.hot_words import likely_terms
from tests.agent.conversation.dependencies import dependencies, run_of
from tests.agent.conversation.test_listening import Scene
from tests.agent.conversation.test_playback import Loudspeaker
from tests.agent.conversation.test_transcript import final
from tests.graph.fakes import Rig, spoken

QUESTION = Say("question", "How would you keep the leaves of a tea fresh for as long as you can?", "q1")


class Room:
    """An interviewer, what it records, and a loudspeaker that may be playing."""

    def __init__(self, rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
        self.events: list[Event] = []
        self.echoes = 0
        self.words_noted = 0
        self.speaker = Loudspeaker()
        self.stage = PlaybackTracker(self.events.append, lambda _: None, rig.clock)
        self.stage.attach(self.speaker)
        self.dependencies = dataclasses.replace(
            dependencies(self.stage, self.events.append, rig.clock), echoed=self._echoed, words_heard=self._noted
        )
        self.run = run_of(rig.interview(InMemorySaver(serde=serializer())), self.events.append, rig.clock)
        self.interviewer = Interviewer(self.run, self.dependencies)
        self._monkeypatch = monkeypatch

    def _echoed(self) -> None:
        self.echoes += 1

    def _noted(self) -> None:
        self.words_noted += 1

    async def ask(self) -> None:
        """Begin to play a question, and stay in the middle of it."""
        self.stage.expect(QUESTION, 0)
        await self.speaker.capture_frame(rtc.AudioFrame(b"\0\0" * 10, 24_000, 1, 10))
        self.speaker.on_playback_started(created_at=5.0)

    async def hear(self, text: str) -> bool:
        """Whether these words reach the session, and with it the turn."""
        passed_on = await self._heard(final(*((word, n * 0.3, n * 0.3 + 0.2) for n, word in enumerate(text.split()))))
        assert passed_on == (text in self.dependencies.utterances.text)
        return passed_on

    async def hear_so_far(self, text: str, confidence: float = 0.9) -> bool:
        """Whether words reach the session that are known while they are still being said."""
        data = stt.SpeechData(language=LanguageCode("en"), text=text, confidence=confidence)
        return await self._heard(stt.SpeechEvent(stt.SpeechEventType.INTERIM_TRANSCRIPT, alternatives=[data]))

    async def _heard(self, event: stt.SpeechEvent) -> bool:
        async def recognised(*_: object) -> AsyncIterator[stt.SpeechEvent]:
            yield event

        async def nothing() -> AsyncIterator[rtc.AudioFrame]:
            for frame in ():
                yield frame

        self._monkeypatch.setattr(Agent.default, "stt_node", recognised)
        return bool([event async for event in self.interviewer.stt_node(nothing(), ModelSettings())])

    def recorded(self) -> list[str]:
        """Every utterance on the record."""
        return [event.text for event in self.events if isinstance(event, UtteranceHeard)]


@pytest.fixture
async def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    """Nobody speaks."""
    return Room(Rig(), monkeypatch)


async def test_words_in_silence_are_the_candidates(room: Room) -> None:
    """Also short ones."""
    assert await room.hear("okay")
    assert room.recorded() == ["okay"]


async def test_the_echo_of_a_listening_signal_is_no_word_of_the_answer(room: Room) -> None:
    """From a loudspeaker it comes back as "mm-hm"; what the candidate says on top of it stays theirs."""
    scene = Scene("mm-hm")
    scene.now = room.dependencies.clock()
    scene.signals.give()
    room.interviewer = Interviewer(room.run, dataclasses.replace(room.dependencies, listening=scene.signals))
    assert not await room.hear("Mm-hmm.")
    assert not await room.hear("uh-huh")
    assert await room.hear("a tin")


async def test_a_murmur_into_a_question_is_recorded_and_is_no_turn(room: Room) -> None:
    """The question goes on."""
    await room.ask()
    assert not await room.hear("mm okay")
    assert room.recorded() == ["mm okay"]


async def test_where_one_word_is_an_answer_it_is_one(room: Room) -> None:
    """To "would you like to hear it again?" a "yes" is not a murmur."""
    room.dependencies.turn_detector.expected_words = 0
    await room.ask()
    assert await room.hear("yes")


async def test_speech_into_a_question_is_heard(room: Room) -> None:
    """Whoever really speaks is listened to."""
    await room.ask()
    assert await room.hear("sorry could you say that again")


async def test_words_known_while_they_are_said_stop_the_interviewer_whatever_they_sound_like(room: Room) -> None:
    """A voice that the detector is not sure of is let in by its words."""
    await room.ask()
    assert await room.hear_so_far("Sorry, could you")
    assert room.words_noted == 1


@pytest.mark.parametrize(
    ("text", "confidence"),
    [("mm okay", 0.9), ("And then they chat.", 0.16), ("Nah.", 0.6), ("keep the leaves", 0.9)],
)
async def test_a_murmur_a_guess_and_an_echo_are_no_words_that_stop_it(text: str, confidence: float, room: Room) -> None:
    """What stops it is said by the candidate, and surely so."""
    await room.ask()
    await room.hear_so_far(text, confidence)
    assert room.words_noted == 0


async def test_words_of_an_answer_stop_nobody_because_nobody_speaks(room: Room) -> None:
    """They count only over the interviewer."""
    assert await room.hear_so_far("I would keep them in a tin")
    assert room.words_noted == 0


async def test_the_interviewers_own_words_are_nobodys(room: Room) -> None:
    """An echo is neither recorded nor passed on, and it is told that there is one."""
    await room.ask()
    assert not await room.hear("how would you keep the leaves of a tea")
    assert room.recorded() == []
    assert room.echoes == 1


async def test_after_a_long_answer_was_stopped_its_rest_is_no_new_turn(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the next question is asked, words belong to what was stopped."""
    asked: list[dict[str, object]] = []

    class Session:
        async def generate_reply(self, **options: object) -> None:
            asked.append(options)

    monkeypatch.setattr(Interviewer, "session", Session())
    await spoken(room.run.interview.begin())
    room.stage.expect(QUESTION, 0)
    await room.speaker.play()
    await room.interviewer.on_user_turn_exceeded(
        UserTurnExceededEvent(transcript="", accumulated_transcript="", accumulated_word_count=900, duration=300.0)
    )
    assert asked == [{"allow_interruptions": False}]
    await room.hear("good answer about oxidation of tea")
    says = room.interviewer.llm_node(llm.ChatContext.empty(), [], ModelSettings())
    assert "stop you" in str(await anext(says))
    assert not await room.hear("and another thing")
    await says.aclose()  # type: ignore[attr-defined]


async def test_what_has_to_be_said_about_the_candidates_language_comes_before_the_next_feedback(room: Room) -> None:
    """Nobody is interrupted for it, and it is said once."""
    await spoken(room.run.interview.begin())
    room.stage.expect(QUESTION, 0)
    await room.speaker.play()
    room.interviewer.remark("I only follow English.")
    await room.hear("good answer about oxidation of tea")
    says = [say async for say in room.interviewer.llm_node(llm.ChatContext.empty(), [], ModelSettings())]
    assert says[0] == "I only follow English."
    assert says.count("I only follow English.") == 1
    assert len(says) > 2


async def test_the_words_of_the_open_question_are_listened_for(room: Room) -> None:
    """As soon as it is asked."""
    told: list[Sequence[str]] = []
    room.interviewer._dependencies = dataclasses.replace(room.dependencies, listen_for=told.append)
    room.run.say_next("begin")
    _ = [say async for say in room.interviewer.llm_node(llm.ChatContext.empty(), [], ModelSettings())]
    question = (await room.run.interview.progress()).question
    assert question is not None
    assert told == [likely_terms(question)]
    assert told[0]


async def test_what_only_breaks_a_silence_leaves_the_answer_open(room: Room) -> None:
    """Feedback was interrupted, and the next question not heard: what follows a "take your time" goes on with it."""
    await spoken(room.run.interview.begin())
    room.stage.expect(QUESTION, 0)
    await room.speaker.play()
    await room.hear("good answer about oxidation of tea")
    _ = [say async for say in room.interviewer.llm_node(llm.ChatContext.empty(), [], ModelSettings())]
    room.stage.clear()
    room.stage.expect(Say("reply", "Take your time."), 1, breaks_silence=True)
    await room.speaker.play()
    await room.hear("and of the leaves")
    _ = [say async for say in room.interviewer.llm_node(llm.ChatContext.empty(), [], ModelSettings())]
    taken = [event for event in room.events if isinstance(event, AnswerTaken)]
    assert [(each.text, each.continues) for each in taken] == [
        ("good answer about oxidation of tea", False),
        ("good answer about oxidation of tea and of the leaves", True),
    ]
