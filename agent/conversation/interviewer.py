"""The interviewer in the room: hands what the candidate says to the graph, and speaks what comes back.

All words come from the interview graph through `llm_node`, also the greeting. Each `Say` is followed by a
`FlushSentinel`, so that it is spoken at once while the graph goes on: feedback is heard while the next question is
still being chosen. There is no language model behind `llm_node`; LiveKit only needs one to be there (`NoModel`).
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from livekit import rtc
from livekit.agents import Agent, FlushSentinel, ModelSettings, UserTurnExceededEvent, llm, stt
from livekit.agents.types import TimedString

from agent.conversation.acknowledgement import Patience, with_acknowledgement
from agent.conversation.barge_in import Heard, heard_over
from agent.conversation.phrases import PRESENCE
from agent.conversation.playback import Stage
from agent.conversation.speculation import Guesses
from agent.conversation.transcript import Utterances, text_of
from agent.endpointing.detector import TurnTaking
from agent.observability import bind
from domain.events import AnswerTaken, Event, ProblemNoticed, TurnVoided, Word
from domain.progress import Progress
from domain.say import Say
from domain.vocabulary import EndReason
from graph import Interview

_log = logging.getLogger(__name__)

_MAX_FAILURES = 3
"""Turns that may fail in a row before the interviewer gives up: a fourth apology helps nobody."""


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


@dataclass(frozen=True, slots=True)
class Means:
    """What an interviewer hears and speaks with, beside LiveKit's session."""

    stage: Stage
    """Follows what is played."""
    utterances: Utterances
    """The candidate's words."""
    turn_taking: TurnTaking
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
    patience: Patience | None = None
    """How long a silence after an answer may be before it is broken by an "okay"; None for however long."""


class Interviewer(Agent):
    """One interview in one room.

    Args:
        interview: the graph's thread for this interview.
        means: what it hears and speaks with.
    """

    def __init__(self, interview: Interview, means: Means) -> None:
        super().__init__(instructions="")
        self._interview = interview
        self._means = means
        self._stage, self._utterances, self._turn_taking = means.stage, means.utterances, means.turn_taking
        self._record, self._clock = means.record, means.clock
        self._guesses = Guesses(interview, means.prepare)
        self._stopped_turn = -1
        """The turn in which the candidate had to be stopped."""
        self._turn_taking.on_pause = self._paused
        self._remarks: list[str] = []
        """To be said before what comes next."""
        self._failures = 0
        """Turns that failed in a row."""
        self._opening: AsyncIterator[Say] | None = None
        self._turn = 0
        self._under_way = False
        """The graph was given this turn, and has not finished it."""
        self._before_turn = ""
        """Checkpoint to go back to when the turn turns out not to be over."""
        self._words: list[Word] = []
        """Words of the turn that was handed to the graph last."""

    async def on_enter(self) -> None:
        """Greet, or go on after a crash."""
        if await self._interview.has_begun():
            self._turn = await self._interview.turn()
            self.speak_again()
        else:
            self._opening = self._interview.begin()
            self.session.generate_reply()

    @property
    def turn(self) -> int:
        """Number of the candidate's turn that is going on or was last."""
        return self._turn

    async def end_reason(self) -> EndReason | None:
        """Why the interview was closed, or None while it goes on."""
        return await self._interview.end_reason()

    async def close(self) -> None:
        """Let go of what was begun on a guess."""
        await self._guesses.forget()

    def remark(self, text: str) -> None:
        """Say this at the candidate's next turn, before anything else."""
        self._remarks.append(text)

    def speak_again(self) -> None:
        """Go on where it stopped: the candidate was away, or the worker died."""
        self._opening = self._resumed()
        self.session.generate_reply()

    async def say_goodbye(self) -> None:
        """Stop whatever is being said and close: the candidate pressed the button."""
        await self.session.interrupt(force=True)
        self._opening = self._farewell()
        self.session.generate_reply(allow_interruptions=False)

    async def on_user_turn_exceeded(self, ev: UserTurnExceededEvent) -> None:
        """Stop somebody who has been speaking for minutes, kindly; what they said is their answer."""
        _log.info("the answer is stopped after %.0f s", ev.duration)
        self._stopped_turn = self._turn + 1
        self.remark(PRESENCE.say("too_long"))
        await self.session.generate_reply(allow_interruptions=False)

    async def stt_node(
        self, audio: AsyncIterable[rtc.AudioFrame], model_settings: ModelSettings
    ) -> AsyncIterator[stt.SpeechEvent | str]:
        """Hear, and keep every word with the time at which it was said. What is not meant for us goes no further."""
        async for event in Agent.default.stt_node(self, self._utterances.timed(audio), model_settings):
            if not isinstance(event, stt.SpeechEvent):
                yield event
            elif (heard := self._judged_by_ear(event)) == "echo":
                self._means.echoed()
            else:
                if utterance := self._utterances.heard(event):
                    self._record(utterance)
                    if heard == "speech":
                        self._utterances.add(utterance)
                if heard == "speech":
                    yield event

    def _judged_by_ear(self, event: stt.SpeechEvent) -> Heard:
        heard_as = event.alternatives[0] if event.alternatives else None
        text = heard_as.text if heard_as else ""
        if self._turn == self._stopped_turn and not self._stage.has_begun(self._turn, "question", "closing"):
            return "back-channel"  # the rest of what was stopped
        # LiveKit has 0 for a recogniser that does not tell.
        confidence = heard_as.confidence if heard_as and heard_as.confidence else 1.0
        heard = heard_over(text, self._stage.audible(), confidence)
        if heard == "back-channel" and (self._stage.playing is None or not self._turn_taking.expected_words):
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
        opening, self._opening = self._opening, None
        self._stage.clear()
        if opening:
            await self._guesses.forget()
        async for say in self._despite_failure(opening or self._answer(_last_user_message(chat_ctx))):
            self._stage.expect(say, self._turn)
            self._means.set_pace(say.pace)
            yield say.text
            yield FlushSentinel()
        expected = await self._interview.expected()
        self._turn_taking.expected_words = expected.words
        self._means.listen_for(expected.terms)

    async def transcription_node(
        self, text: AsyncIterable[str | TimedString], model_settings: ModelSettings
    ) -> AsyncIterator[str | TimedString]:
        """Pass captions on, and keep when each word is heard, for the replay."""
        timing = self._stage.timing()
        async for word in Agent.default.transcription_node(self, text, model_settings):
            if isinstance(word, TimedString):
                timing.words.append(word)
            yield word

    async def _despite_failure(self, says: AsyncIterator[Say]) -> AsyncIterator[Say]:
        """The edge of the interview: a turn that fails is recorded, not scored, and its question is asked again."""
        moved_on = False
        try:
            async for say in says:
                moved_on = moved_on or say.kind in ("question", "closing")
                yield say
            self._failures, self._under_way = 0, False
        except Exception as error:  # noqa: BLE001 - whatever fails, the candidate must not sit in silence
            _log.exception("turn %d failed", self._turn)
            self._failures += 1
            if (say_again := await self._after_failure(error, moved_on=moved_on)) is not None:
                yield say_again

    async def _after_failure(self, error: Exception, *, moved_on: bool) -> Say | None:
        """Take the turn back and say what was heard last; None when what follows it was said before it failed."""
        what = f"Turn {self._turn} failed: {_named(error)}"
        give_up = self._failures >= _MAX_FAILURES
        try:
            lost = await self._interview.give_up_turn(self._turn)
        except Exception as second:  # noqa: BLE001 - as above
            _log.exception("turn %d could not be taken back", self._turn)
            what += f"; it could not be taken back: {_named(second)}"
            # What comes next would be judged by a question that nobody heard.
            lost, give_up = self._turn if self._under_way and not moved_on else None, True
        self._under_way = False
        if lost is not None:
            self._turn = max(self._turn, lost)
            self._record(TurnVoided(at=self._clock(), turn=lost))
        say = None if moved_on and lost is None else await self._interview.after_trouble(give_up=give_up)
        self._record(ProblemNoticed(at=self._clock(), what=what, advice=_advice(say, lost)))
        return say

    async def _farewell(self) -> AsyncIterator[Say]:
        said = False
        async for say in self._interview.end():
            said = True
            yield say
        if not said:
            yield self._interview.goodbye()

    async def _answer(self, message: llm.ChatMessage | None) -> AsyncIterator[Say]:
        words = self._utterances.take()
        if not words:
            return
        if self._stage.any_begun("closing"):
            # "Goodbye" is not an answer.
            return
        progress = await self._interview.progress()
        if self._is_unfinished(progress):
            await self._guesses.forget()
            # Words in between are on the record; the turn they would belong to has not begun, or never will.
            async for say in self._resumed():
                yield say
            return
        if not self._stage.any_begun("question"):
            yield await self._interview.open_question()
            return
        answer = await self._begin_turn(words, message, progress)
        while self._remarks:
            yield Say("acknowledgement", self._remarks.pop(0))
        with bind(turn=self._turn):
            async for say in self._acknowledged(self._guesses.come_true(answer.text, self._turn), answer):
                yield say
        if (await self._interview.progress()).waits_for_review:
            async for say in self._after_review():
                yield say

    async def _begin_turn(self, words: list[Word], message: llm.ChatMessage | None, progress: Progress) -> AnswerTaken:
        """Take these words as a turn; together with those before them, when the turn before was not over."""
        if continues := self._turn_was_not_over():
            await self._guesses.forget()
            await self._interview.take_back(self._before_turn)
            self._utterances.went_on(self._words, words)
            words = [*self._words, *words]
        else:
            self._before_turn = progress.checkpoint
        known = None if continues else progress.question
        question_id = known.id if known else await self._interview.current_question_id()
        self._words = words
        self._turn, self._under_way = self._turn + 1, True
        answer = self._taken(words, message, question_id, continues=continues)
        self._record(answer)
        return answer

    def _acknowledged(self, says: AsyncIterator[Say], answer: AnswerTaken) -> AsyncIterator[Say]:
        """What is said to an answer, with an "okay" before it when it takes long."""
        if self._means.patience is None:
            return says
        return with_acknowledgement(
            says,
            after_s=self._means.patience.left_s(self._clock() - answer.speech_ended_at),
            acknowledge=lambda: Say("acknowledgement", PRESENCE.say("acknowledgement", self._turn)),
        )

    def _paused(self) -> None:
        """The candidate fell silent: work on the words so far, in case this is the end of the answer."""
        answering = self._stage.any_begun("question") and not self._stage.any_begun("closing")
        if (
            (text := self._utterances.text)
            and answering
            and not (self._opening or self._under_way or self._turn_was_not_over())
        ):
            self._guesses.make(text, self._turn + 1)

    async def _resumed(self) -> AsyncIterator[Say]:
        """What is left of the last turn, else the open question or the goodbye again; not before a person's release."""
        said = False
        async for say in self._interview.resume():
            said = True
            yield say
        if (await self._interview.progress()).waits_for_review:
            async for say in self._after_review():
                yield say
        elif not said:
            # All of the turn was done but its last, silent step: nobody knows whether the question was heard.
            yield await self._interview.open_question()

    async def _after_review(self) -> AsyncIterator[Say]:
        """Ask for patience, and go on when a person has looked at the turn."""
        yield Say("reply", PRESENCE.say("review", self._turn))
        await self._means.released(self._turn)
        async for say in self._interview.resume(released=True):
            yield say

    def _is_unfinished(self, progress: Progress) -> bool:
        """True when the last turn waits for a person, is the last of all, or was cut off before this worker's time."""
        if progress.is_over:
            return not self._turn_was_not_over()
        return progress.waits_for_review or (progress.cut_off and not self._stage.any_begun("question"))

    def _turn_was_not_over(self) -> bool:
        """True when the candidate goes on before the next question was begun: then both parts are one answer."""
        return bool(self._before_turn) and not self._stage.has_begun(self._turn, "question", "reply", "closing")

    def _taken(
        self, words: list[Word], message: llm.ChatMessage | None, question_id: str, *, continues: bool
    ) -> AnswerTaken:
        stopped = message.metrics.get("stopped_speaking_at") if message else None
        return AnswerTaken(
            at=self._clock(),
            turn=self._turn,
            question_id=question_id,
            text=text_of(words),
            words=words,
            speech_ended_at=stopped or words[-1].end_at,
            continues=continues,
        )


def _last_user_message(chat_ctx: llm.ChatContext) -> llm.ChatMessage | None:
    return next((message for message in reversed(chat_ctx.messages()) if message.role == "user"), None)


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _advice(say: Say | None, lost: int | None) -> str:
    """What became of a turn that failed: what is said next, and whether an answer is lost."""
    if say is None:
        done = "The interview went on"
    else:
        done = "The interview was ended" if say.kind == "closing" else "The question was asked again"
    kept = "nothing is lost" if lost is None else f"turn {lost} is not scored"
    return f"{done}, and {kept}. The worker's log has the details."
