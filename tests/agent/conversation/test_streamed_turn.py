"""A turn in a real agent session whose recognizer decodes during speech. Detector and model are scripted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import pytest
from livekit import rtc
from livekit.agents import Agent, AgentSession, stt
from livekit.agents.voice import io

from agent.conversation.interviewer import NoModel
from agent.conversation.session import turn_handling
from agent.conversation.transcript import AudioTimeline, Utterances
from agent.endpointing.detector import EndOfTurnDetector
from agent.endpointing.policy import RISKS
from speech import WhisperSTT
from speech.audio import Audio
from tests.speech.fakes import BeepRecognizer, LoudnessVAD, beep, tone

FRAME = 480


class Microphone(io.AudioInput):
    """Sound in real time, and silence after it."""

    def __init__(self, pcm: Audio) -> None:
        super().__init__(label="microphone")
        self._samples = (pcm * 32767).astype(np.int16)
        self._at = 0
        self._began_at: float | None = None

    async def __anext__(self) -> rtc.AudioFrame:
        now = asyncio.get_running_loop().time()
        self._began_at = self._began_at or now
        part = self._samples[self._at : self._at + FRAME]
        self._at += FRAME
        await asyncio.sleep(max(0.0, self._began_at + self._at / 16_000 - now))
        return rtc.AudioFrame(np.resize(part, FRAME).tobytes() if len(part) else bytes(2 * FRAME), 16_000, 1, FRAME)


class Taker(Agent):
    """Takes turns."""

    def __init__(self, utterances: Utterances) -> None:
        super().__init__(instructions="")
        self.turns: asyncio.Queue[str] = asyncio.Queue()
        self._utterances = utterances

    async def stt_node(self, audio: Any, model_settings: Any) -> AsyncIterator[stt.SpeechEvent | str]:
        async for event in Agent.default.stt_node(self, self._utterances.timed(audio), model_settings):
            if isinstance(event, stt.SpeechEvent) and (utterance := self._utterances.heard(event)):
                self._utterances.add(utterance)
            yield event

    async def llm_node(self, chat_ctx: Any, tools: Any, model_settings: Any) -> AsyncIterator[str]:
        self._utterances.take()
        said = [message.text_content for message in chat_ctx.messages() if message.role == "user"]
        self.turns.put_nowait(said[-1])
        yield "Thank you."


def words(first: int, last: int) -> Audio:
    """Beeps that are heard as these words."""
    return np.concatenate([part for number in range(first, last) for part in (beep(number), tone((0.15, 0)))])


@pytest.mark.slow  # two answers in real time
async def test_a_turn_has_every_word_once_and_words_are_shown_before_it_is_over() -> None:
    """Two answers: what was interim in the first is in no other, and nothing of the second comes early."""
    whisper = WhisperSTT(BeepRecognizer(), LoudnessVAD())
    utterances = Utterances(AudioTimeline(time.time))
    turn_detector = EndOfTurnDetector(
        whisper.all_heard, whisper.chance_over, utterances, time.time, risk=RISKS["normal"]
    )
    turn_detector.expected_words = 0
    session: AgentSession[None] = AgentSession(
        stt=whisper,
        vad=LoudnessVAD(),
        llm=NoModel(),
        turn_handling=turn_handling(turn_detector, longest_answer_s=300.0),
        aec_warmup_duration=None,
        user_away_timeout=None,
    )
    shown: list[tuple[bool, str]] = []
    session.on("user_input_transcribed", lambda event: shown.append((event.is_final, event.transcript)))
    taker = Taker(utterances)
    session.input.audio = Microphone(np.concatenate([tone((0.5, 0)), words(0, 8), tone((1.5, 0)), words(8, 11)]))
    await session.start(taker)
    try:
        first, second = [await asyncio.wait_for(taker.turns.get(), 120) for _ in range(2)]
    finally:
        await session.aclose()
    assert first.split() == [f"word{number}" for number in range(8)]
    assert second.split() == [f"word{number}" for number in range(8, 11)]
    assert [text for is_final, text in shown if is_final] == [first, second]
    assert len([text for is_final, text in shown if not is_final and text]) >= 2
