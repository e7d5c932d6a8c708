"""Conversation, the candidate's side: when to speak, and what was said when."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from agent.rehearsal.candidate import Caption, SyntheticCandidate
from agent.rehearsal.hearing import EARLY_S, caption_onset
from agent.rehearsal.matching import Asked, QuestionFinder
from agent.rehearsal.microphone import SaidAt
from agent.rehearsal.persona import Gets, Interruption, Persona
from agent.rehearsal.replies import CandidateReply, Phrase, Standing, confirmation, plan_reply, standing_after
from agent.rehearsal.turn_taking import Floor, asks_back, is_acknowledgement, is_my_turn, may_speak, what_was_asked
from agent.rehearsal.voice import CandidateVoice
from domain.vocabulary import Intent

STILL_SPEAKING_S = 0.3
"""A voice heard this recently is still speaking, and can be interrupted."""
GOES_ON_S = 1.0
"""A voice that is heard this long after words spoken into it was not stopped by them."""
LOOK_S = 0.03
MAX_REPETITIONS = 3


@dataclass(frozen=True, slots=True)
class SaidLine:
    """Words of the candidate on the line."""

    turn: int
    kind: Intent | Literal["barge_in"]
    """What they are meant to do; of an answer and a request in one breath, the request."""
    text: str
    start: float
    """First sound, seconds since the epoch."""
    end: float
    """Last sound."""
    is_judged: bool = True
    """Whether some of them should be judged at once."""
    whole: bool = True
    """False when the room closed, or the candidate left, before the last of them."""

    @classmethod
    def of(cls, reply: CandidateReply, turn: int, at: SaidAt) -> SaidLine:
        """A whole reply."""
        return cls(turn, reply.wants, reply.text, at.start, at.end, reply.is_judged)


def cut_off(reply: CandidateReply, share: float) -> str:
    """The words of a reply that were said when a share of its time (0 to 1) was over; the last one may be half said."""
    words = reply.text.split()
    return " ".join(words[: round(share * len(words))])


def _texts(captions: Sequence[Caption]) -> tuple[str, ...]:
    return tuple(caption.text for caption in captions)


def _latest(captions: Sequence[Caption]) -> str:
    return captions[-1].text if captions else ""


class Conversation:
    """Runs one persona in one room until the room closes or the persona leaves."""

    def __init__(
        self,
        persona: Persona,
        *,
        finder: QuestionFinder,
        voice: CandidateVoice,
        candidate: SyntheticCandidate,
        clock: Callable[[], float],
        on_said: Callable[[SaidLine], None] = lambda _said: None,
        in_mid_answer: Callable[[int], None] = lambda _turn: None,
    ) -> None:
        self.said: list[SaidLine] = []
        self.left = False
        """Whether the persona went away on its own."""
        self._persona = persona
        self._finder = finder
        self._voice = voice
        self._candidate = candidate
        self._clock = clock
        self._on_said = on_said
        self._in_mid_answer = in_mid_answer
        self._standing = Standing(turn=1, answer=1)
        self._heard_before = 0
        self._asked: Asked | None = None
        self._looked_at: tuple[str, ...] = ()
        self._found: Asked | None = None
        self._thinks_until: float | None = None
        self._last: CandidateReply | None = None
        self._repetitions = 0
        self._waits_since = clock()
        self._interrupted: set[int] = set()
        self._renderer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="candidate-voice")
        self._rendering: dict[Phrase, asyncio.Future[NDArray[np.int16]]] = {}

    async def run(self) -> None:
        """Converse until the room closes or the persona leaves."""
        try:
            while not self._candidate.closed.is_set() and not self.left:
                await asyncio.sleep(LOOK_S)
                await self._step(self._heard_since())
        finally:
            self._renderer.shutdown(wait=False, cancel_futures=True)

    async def _step(self, captions: list[Caption]) -> None:
        """Look once: interrupt, speak, say something again, or get ready for it."""
        asked = self._what_was_asked(captions)
        reply = self._confirmation(captions) or plan_reply(self._persona, self._standing, asked, _latest(captions))
        if reply is None:
            return
        interruption = self._due_interruption(captions)
        if interruption is not None:
            await self._interrupt(interruption, captions)
        elif self._is_my_turn(captions):
            await self._take_turn(reply, asked)
        elif self._nobody_answers():
            await self._say_again()
        else:
            self._prepare(reply, captions)

    def _heard_since(self) -> list[Caption]:
        """The captions since the candidate's last words, and the one that a murmur did not stop."""
        captions, loud = self._candidate.captions.interviewer, self._candidate.heard_audio.last_loud_at
        new = captions[self._heard_before :]
        goes_on = loud is not None and loud > self._waits_since + GOES_ON_S
        murmured = bool(self.said) and self.said[-1].kind == "barge_in"
        return captions[self._heard_before - 1 :] if murmured and goes_on and not new else new

    def _what_was_asked(self, captions: list[Caption]) -> Asked | None:
        if self._thinks_until is not None or not captions:
            return self._asked
        heard = _texts(captions)
        if heard != self._looked_at:
            self._looked_at = heard
            self._found = what_was_asked(heard, before=self._asked, gets=self._gets, finder=self._finder)
        return self._found

    def _confirmation(self, captions: list[Caption]) -> CandidateReply | None:
        """Yes, once, when the interviewer asks whether the request was meant."""
        last = self._last
        if last is None or last.wants == "answer" or last.confirms or not asks_back(_texts(captions)):
            return None
        return confirmation(self._persona, self._standing, last)

    @property
    def _gets(self) -> Gets:
        return self._last.gets if self._last else "question"

    def _is_my_turn(self, captions: list[Caption]) -> bool:
        thought = self._thinks_until is not None and self._clock() >= self._thinks_until
        if self._thinks_until is not None and not thought:
            return False
        floor = Floor(
            state=self._candidate.interviewer_state,
            quiet_s=self._quiet_s(),
            heard=thought or self._heard_since_i_spoke(captions),
            asked=thought or self._is_answered(captions),
        )
        return may_speak(floor)

    def _is_answered(self, captions: list[Caption]) -> bool:
        return is_my_turn(_texts(captions), gets=self._gets, finder=self._finder)

    def _heard_since_i_spoke(self, captions: list[Caption]) -> bool:
        loud = self._candidate.heard_audio.last_loud_at
        return bool(captions) and loud is not None and loud >= captions[0].opened_at - EARLY_S

    def _quiet_s(self) -> float:
        return self._candidate.heard_audio.quiet_s(self._clock())

    def _due_interruption(self, captions: list[Caption]) -> Interruption | None:
        interruption = self._persona.interruption_before(self._standing.turn)
        if interruption is None or self._standing.turn in self._interrupted:
            return None
        captions = [caption for caption in captions if not is_acknowledgement(caption.text)]
        # First comes the greeting or the feedback, then the question.
        place = 0 if interruption.during == "feedback" else 1
        if len(captions) <= place or self._quiet_s() > STILL_SPEAKING_S:
            return None
        opened_at = captions[place].opened_at
        onset = caption_onset(self._candidate.heard_audio.heard(opened_at - 2 * EARLY_S), opened_at)
        return interruption if onset is not None and self._clock() >= onset + interruption.after_s else None

    async def _interrupt(self, interruption: Interruption, captions: list[Caption]) -> None:
        if interruption.say is not None:
            self._interrupted.add(self._standing.turn)
            said = await self._candidate.say(self._rendered(CandidateReply((Phrase(interruption.say, 0.0),))))
            self._note(SaidLine(self._standing.turn, "barge_in", interruption.say, said.start, said.end))
            return
        # To answer early, enough must have been heard to know the question; until then the candidate listens on.
        asked = self._finder.find(captions[-1].text)
        reply = plan_reply(self._persona, self._standing, asked, captions[-1].text)
        if asked is not None and reply is not None:
            self._interrupted.add(self._standing.turn)
            await self._take_turn(reply, asked)

    async def _take_turn(self, reply: CandidateReply, asked: Asked | None) -> None:
        # A yes belongs to the request before it.
        turn = self._standing.turn - reply.confirms
        self._asked = asked or self._asked
        begun = self._clock()
        speaking = asyncio.create_task(self._candidate.say(self._rendered(reply)))
        leaves = self._persona.leaves
        if leaves is not None and leaves.turn == turn:
            await asyncio.wait({speaking}, timeout=reply.phrases[0].pause_s + leaves.after_s)
            self.left = True
            await self._candidate.leave()
        else:
            await asyncio.wait({speaking}, timeout=reply.about_s / 2)
            if not reply.confirms:
                self._in_mid_answer(turn)
        if not await self._finished(speaking):
            now = self._clock()
            words = cut_off(reply, (now - begun) / reply.about_s)
            self._note(SaidLine(turn, reply.wants, words, begun, now, reply.is_judged, whole=False))
            return
        said = speaking.result()
        self._note(SaidLine.of(reply, turn, said))
        self._last, self._repetitions = reply, 0
        self._thinks_until = said.end + reply.think_s if reply.wants == "hold" else None
        self._standing = standing_after(self._standing, reply, asked)

    async def _finished(self, speaking: asyncio.Task[SaidAt]) -> bool:
        """Wait for the last word, or for the room to close before it."""
        closing = asyncio.create_task(self._candidate.closed.wait())
        await asyncio.wait({speaking, closing}, return_when=asyncio.FIRST_COMPLETED)
        closing.cancel()
        if not speaking.done():
            speaking.cancel()
            return False
        return True

    def _nobody_answers(self) -> bool:
        return (
            self._last is not None
            and self._thinks_until is None
            and self._repetitions < MAX_REPETITIONS
            and self._quiet_s() > self._persona.patience_s
            and self._clock() - self._waits_since > self._persona.patience_s
        )

    async def _say_again(self) -> None:
        assert self._last is not None
        self._repetitions += 1
        speaking = asyncio.create_task(self._candidate.say(self._rendered(self._last)))
        if await self._finished(speaking):
            self._note(SaidLine.of(self._last, self._standing.turn - 1, speaking.result()))

    def _note(self, said: SaidLine) -> None:
        self.said.append(said)
        self._on_said(said)
        self._heard_before = len(self._candidate.captions.interviewer)
        self._waits_since = said.end
        self._rendering.clear()

    def _prepare(self, reply: CandidateReply, captions: list[Caption]) -> None:
        """Render what will be said while the interviewer still speaks, once the captions tell what was asked."""
        interruption = self._persona.interruption_before(self._standing.turn)
        if interruption is not None and interruption.say is not None:
            self._rendered(CandidateReply((Phrase(interruption.say, 0.0),)))
        if captions and self._is_answered(captions):
            self._rendered(reply)

    def _rendered(self, reply: CandidateReply) -> list[asyncio.Future[NDArray[np.int16]]]:
        """The sound of each phrase, or the promise of it; the first ones are rendered first."""
        loop = asyncio.get_running_loop()
        for phrase in reply.phrases:
            if phrase not in self._rendering:
                self._rendering[phrase] = loop.run_in_executor(self._renderer, self._voice.render, phrase)
        return [self._rendering[phrase] for phrase in reply.phrases]
