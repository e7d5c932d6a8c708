"""Interviewer, the LiveKit agent: hands what the candidate says to the interview, and speaks what comes back.

All words come from the interview graph through `llm_node`, also the greeting. Each `Say` is followed by a
`FlushSentinel`, so that it is spoken at once while the graph goes on: feedback is heard while the next question is
still being chosen. There is no language model behind `llm_node`; LiveKit only needs one to be there (`NoModel`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any

from livekit import rtc
from livekit.agents import Agent, FlushSentinel, ModelSettings, StopResponse, UserTurnExceededEvent, llm, stt
from livekit.agents.types import TimedString

from agent.conversation.acknowledgement import AcknowledgementDelay, with_acknowledgement
from agent.conversation.barge_in import Heard, heard_over, is_murmur, stops_by_words
from agent.conversation.listening import ListeningSignals
from agent.conversation.phrases import PHRASES
from agent.conversation.playback import PlaybackTracker, SpokenLine
from agent.conversation.transcript import Utterances
from agent.endpointing.detector import EndOfTurnDetector
from agent.endpointing.policy import RISKS
from agent.interviews.driver import Hooks
from agent.interviews.run import InterviewRun
from domain.events import AnswerTaken, Event
from domain.say import Say
from domain.vocabulary import Request

_log = logging.getLogger(__name__)

_LAST_WORDS_S = 3.0
"""Words that are being said or recognised when a key is pressed are waited for this long."""
_NO_MORE_WORDS_S = 0.2
"""LiveKit waits this long for a transcript when it is told that a turn is over; all of them have come before."""


class NoModel(llm.LLM[Any]):
    """Stands where LiveKit wants a language model. `llm_node` is overridden, so it is never asked."""

    @property
    def model(self) -> str:
        """Name for logs."""
        return "interview-graph"

    @property
    def provider(self) -> str:
        """Name for logs."""
        return "viva"

    def chat(self, **_: Any) -> llm.LLMStream:
        """Refuse: words come from the graph."""
        raise RuntimeError("the interviewer's words come from the interview graph, not from a model")


async def _at_once() -> None:
    """Nothing has to be waited for."""


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What an interviewer hears and speaks with, beside LiveKit's session."""

    stage: PlaybackTracker
    """Follows what is played."""
    utterances: Utterances
    """The candidate's words."""
    turn_detector: EndOfTurnDetector
    """Decides when an answer is over."""
    record: Callable[[Event], None]
    """Takes events."""
    clock: Callable[[], float]
    """Seconds since the epoch."""
    set_pace: Callable[[float], None]
    """Changes the speed of speech from the next words on."""
    prepare: Callable[[Say], None]
    """Has the beginning of what may be said next synthesised."""
    released: Callable[[int], Awaitable[None]]
    """Returns when a person has looked at the turn of this number."""
    echoed: Callable[[], None]
    """Told when the microphone hears the interviewer."""
    listen_for: Callable[[Sequence[str]], None] = lambda _: None
    """Told which words are likely in what comes next."""
    words_heard: Callable[[], None] = lambda: None
    """Told when words are recognised in what is said over the interviewer, while it is said."""
    all_heard: Callable[[], Awaitable[None]] = _at_once
    """Waits until the words of everything that was said are known."""
    keep: Callable[[AsyncIterable[rtc.AudioFrame]], AsyncIterable[rtc.AudioFrame]] = lambda audio: audio
    """Keeps the sound that is heard, and passes it on."""
    listening: ListeningSignals | None = None
    """Shows the candidate in a pause that somebody listens; None for nobody."""
    patience: AcknowledgementDelay | None = None
    """How long a silence after an answer may be before it is broken by an "okay"; None for however long."""


class Interviewer(Agent):
    """One interview in one room.

    Args:
        run: the interview.
        dependencies: what it hears and speaks with.
    """

    def __init__(self, run: InterviewRun, dependencies: Dependencies) -> None:
        super().__init__(instructions="")
        self._run = run
        self._dependencies = dependencies
        self._stage, self._utterances = dependencies.stage, dependencies.utterances
        self._turn_detector = dependencies.turn_detector
        self._remarks: list[str] = []
        """To be said before what comes next."""
        self._pressed: Request | None = None
        """What a key asks for; honoured next."""
        self._by_key = False
        """What is said next was asked for by a key, and not by the end of a turn."""
        self.on_hold = False
        """Nothing is answered."""
        self._stage.on_started.append(self._line_started)
        self._turn_detector.on_pause = lambda: run.paused(self._utterances.text, self._utterances.unsure)
        self._turn_detector.touched = lambda: run.touched(self._utterances.text)
        run.hooks = Hooks(
            around=self._despite_silence,
            went_on=self._utterances.went_on,
            prepare=dependencies.prepare,
            ask_patience=lambda turn: Say("reply", PHRASES.say("review", turn)),
            released=dependencies.released,
        )

    async def on_enter(self) -> None:
        """Greet, or go on after a crash."""
        self.session.generate_reply()

    def remark(self, text: str) -> None:
        """Say this at the candidate's next turn, before anything else."""
        self._remarks.append(text)

    def speak_again(self) -> None:
        """Go on where it stopped: the candidate was away, or the worker died."""
        self._run.say_next("resume")
        self.session.generate_reply()

    async def press(self, request: Request) -> None:
        """Honour what a key asks for, as if it had been asked for aloud behind the words so far."""
        await self.session.interrupt(force=True)
        await self._all_said()
        self._pressed = request
        self._answer_now()

    async def take_answer(self) -> None:
        """The candidate says with a key that the answer is over. Before its first word it cannot be."""
        await self._all_said()
        if self._utterances.text:
            self._answer_now()

    async def go_on_after_hold(self) -> None:
        """Say where we were: what was cut off is finished, else the question is asked again, or the answer goes on."""
        turn = self._run.life.turn
        if turn.is_open or turn.can_go_on or not self._run.life.asked:
            self._run.say_next("return")
            self.session.generate_reply()
        else:
            await self.press("go_on")

    async def _all_said(self) -> None:
        """Have what was said before a key recognised, and LiveKit take it for a turn that it need not answer."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS_S):
                await self._dependencies.all_heard()
        if self._utterances.text or self.session.user_state == "speaking":
            await self.session.commit_user_turn(transcript_timeout=_NO_MORE_WORDS_S, skip_reply=True)

    def _answer_now(self) -> None:
        self._by_key = True
        self.session.generate_reply()

    async def on_user_turn_completed(
        self,
        turn_ctx: llm.ChatContext,  # noqa: ARG002 - the signature is LiveKit's
        new_message: llm.ChatMessage,  # noqa: ARG002
    ) -> None:
        """Leave the words where they are while the candidate is on hold: they go on with them."""
        if self.on_hold:
            raise StopResponse

    async def say_goodbye(self) -> None:
        """Stop whatever is being said and close: the candidate pressed the button."""
        await self.session.interrupt(force=True)
        self._run.say_next("end")
        self.session.generate_reply(allow_interruptions=False)

    async def on_user_turn_exceeded(self, ev: UserTurnExceededEvent) -> None:
        """Stop somebody who has been speaking for minutes, kindly; what they said is their answer."""
        _log.info("the answer is stopped after %.0f s", ev.duration)
        self._run.stop_candidate()
        self.remark(PHRASES.say("too_long"))
        await self.session.generate_reply(allow_interruptions=False)

    async def stt_node(
        self, audio: AsyncIterable[rtc.AudioFrame], model_settings: ModelSettings
    ) -> AsyncIterator[stt.SpeechEvent | str]:
        """Hear, and keep every word with the time at which it was said. What is not meant for us goes no further."""
        async for event in Agent.default.stt_node(
            self, self._utterances.timed(self._dependencies.keep(audio)), model_settings
        ):
            if not isinstance(event, stt.SpeechEvent):
                yield event
            elif (heard := self._heard_as(event)) == "echo":
                self._dependencies.echoed()
            else:
                if utterance := self._utterances.heard(event):
                    self._dependencies.record(utterance)
                    if heard == "speech":
                        self._utterances.add(utterance)
                if heard == "speech":
                    line = self._stage.playing
                    if line is not None and stops_by_words(_text(event), line.say.text):
                        self._dependencies.words_heard()
                    yield event

    def _heard_as(self, event: stt.SpeechEvent) -> Heard:
        heard_as, text = event.alternatives[0] if event.alternatives else None, _text(event)
        if self._run.life.hears_rest_of_what_was_stopped:
            return "back-channel"  # the rest of what was stopped
        if self._dependencies.listening and self._dependencies.listening.lingers() and is_murmur(text):
            return "back-channel"  # an echo of one, or a murmur for a murmur
        # LiveKit has 0 for a recogniser that does not tell.
        confidence = heard_as.confidence if heard_as and heard_as.confidence else 1.0
        heard = heard_over(text, self._stage.audible(), confidence)
        if heard == "back-channel" and (self._stage.playing is None or not self._turn_detector.expected_words):
            # "Yes" is an answer where one word is enough, and when the question is over.
            return "speech"
        return heard

    async def llm_node(
        self,
        chat_ctx: llm.ChatContext,
        tools: list[llm.Tool],  # noqa: ARG002 - the signature is LiveKit's
        model_settings: ModelSettings,  # noqa: ARG002
    ) -> AsyncIterator[str | FlushSentinel]:
        """Speak what the graph has to say: on the opening, or on the candidate's turn."""
        self._stage.clear()
        pressed, self._pressed = self._pressed, None
        ended_at = None if self._by_key else _stopped_at(chat_ctx)
        self._by_key = False
        says = self._run.due() or self._run.take(self._utterances.take(), ended_at, pressed)
        async with aclosing(says):
            async for say in says:
                self._stage.expect(say, self._run.turn)
                self._dependencies.set_pace(say.pace)
                yield say.text
                yield FlushSentinel()
        expected = await self._run.interview.expected()
        self._turn_detector.expected_words = expected.words
        self._turn_detector.risk = RISKS[expected.patience]
        self._dependencies.listen_for(expected.terms)

    async def transcription_node(
        self, text: AsyncIterable[str | TimedString], model_settings: ModelSettings
    ) -> AsyncIterator[str | TimedString]:
        """Pass captions on, and keep when each word is heard, for the replay."""
        timing = self._stage.timing()
        async for word in Agent.default.transcription_node(self, text, model_settings):
            if isinstance(word, TimedString):
                timing.words.append(word)
            yield word

    async def _despite_silence(self, says: AsyncIterator[Say], answer: AnswerTaken) -> AsyncIterator[Say]:
        """What is said to an answer, with remarks before it, and an "okay" when it takes long."""
        while self._remarks:
            yield Say("acknowledgement", self._remarks.pop(0))
        if self._dependencies.patience is not None:
            says = with_acknowledgement(
                says,
                after_s=self._dependencies.patience.left_s(self._dependencies.clock() - answer.speech_ended_at),
                acknowledge=lambda: Say("acknowledgement", PHRASES.say("acknowledgement", answer.turn)),
            )
        async for say in says:
            yield say

    def _line_started(self, line: SpokenLine) -> None:
        if not line.breaks_silence:
            self._run.heard(line.say, line.turn)


def _text(event: stt.SpeechEvent) -> str:
    return event.alternatives[0].text if event.alternatives else ""


def _stopped_at(chat_ctx: llm.ChatContext) -> float | None:
    """When the candidate stopped speaking, in seconds since the epoch, as LiveKit measured it."""
    message = next((message for message in reversed(chat_ctx.messages()) if message.role == "user"), None)
    return message.metrics.get("stopped_speaking_at") if message else None
