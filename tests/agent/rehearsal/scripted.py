"""A candidate without a room: a scripted interviewer answers it in captions, and time passes when it is looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.rehearsal.candidate import Caption, Captions, SyntheticCandidate
from agent.rehearsal.conversation import Conversation, SaidLine
from agent.rehearsal.hearing import HeardAudio, HeardFile
from agent.rehearsal.matching import QuestionFinder
from agent.rehearsal.microphone import SaidAt
from agent.rehearsal.persona import Persona, VoiceStyle
from agent.rehearsal.voice import CandidateVoice
from rag.packs.pack import Pack

TICK_S = 0.05
REPLIES_AFTER_S = 1.0
"""From the candidate's last word to the interviewer's."""


class ScriptedCandidate(SyntheticCandidate):
    """Hears a list of captions after each time that it spoke; the room closes when there are none left."""

    def __init__(
        self, heard_audio: HeardAudio, script: Sequence[Sequence[str]]
    ) -> None:  # no super().__init__(): there is no room
        self.heard_audio = heard_audio
        self.captions = Captions()
        self.closed = asyncio.Event()
        self.now = 0.0
        self.heard_at: list[float] = []
        """When the interviewer's last word was heard, before each time that the candidate spoke."""
        self._script = iter(script)
        self._due: float | None = 0.0

    @property
    def interviewer_state(self) -> str | None:
        """It has always finished."""
        return "listening"

    def clock(self) -> float:
        """Time that goes on with each look; what the interviewer has to say is heard when it is due."""
        self.now += TICK_S
        if self._due is not None and self.now >= self._due:
            self._due = None
            self._speak()
        return self.now

    async def say(self, parts: Iterable[Awaitable[NDArray[np.int16]]]) -> SaidAt:
        """Speak in no time."""
        for part in parts:
            await part
        assert self.heard_audio.last_loud_at is not None
        self.heard_at.append(self.heard_audio.last_loud_at)
        self._due = self.now + REPLIES_AFTER_S
        return SaidAt(self.now, self.now)

    def _speak(self) -> None:
        texts = next(self._script, None)
        if texts is None:
            self.closed.set()
            return
        for text in texts:
            number = len(self.captions.interviewer)
            self.captions.interviewer.append(Caption(f"s{number}", self.now, text, closed=True))
            self.heard_audio.last_loud_at = self.now


async def converse(
    persona: Persona, pack: Pack, script: Sequence[Sequence[str]], folder: Path
) -> list[tuple[SaidLine, float]]:
    """What the candidate says to this script, each with the seconds of silence before it."""
    heard_audio = HeardAudio(HeardFile(folder / "heard.wav"))
    candidate = ScriptedCandidate(heard_audio, script)
    conversation = Conversation(
        persona,
        finder=QuestionFinder(pack),
        voice=CandidateVoice(lambda text, _: (np.full(len(text), 9000, np.int16), 22_050), VoiceStyle()),
        candidate=candidate,
        clock=candidate.clock,
    )
    await conversation.run()
    heard_audio.close()
    waits = [said.start - heard_at for said, heard_at in zip(conversation.said, candidate.heard_at, strict=True)]
    return list(zip(conversation.said, waits, strict=True))
