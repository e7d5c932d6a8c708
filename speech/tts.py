"""Piper as a text-to-speech plugin of LiveKit Agents, clause by clause."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from typing import Never

import numpy as np
from livekit.agents import APIConnectionError, APIConnectOptions, tts, utils
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS, TimedString
from numpy.typing import NDArray

from speech.clauses import ClauseBuffer, has_words, split_clauses
from speech.voice import Voice, checked_pace

PAUSE_S = 0.2
"""What a text without words (three dots, a dash) sounds like: silence. No sound at all is an error to the framework."""

PREPARED = 4
"""Clauses that are kept ready; more than one, because a guess at what is said next may be wrong."""


class PiperTTS(tts.TTS[Never]):
    """Text to speech for a session, by a `Voice` that is shared with other sessions.

    `pace` is a factor on the voice's own pace, 0.5 (slow) to 2 (fast); another one raises `ValueError`.
    """

    def __init__(self, voice: Voice, *, pace: float = 1.0) -> None:
        super().__init__(
            capabilities=tts.TTSCapabilities(streaming=True, aligned_transcript=True),
            sample_rate=voice.sample_rate,
            num_channels=1,
        )
        self._voice = voice
        self.pace = checked_pace(pace)
        self._prepared: OrderedDict[tuple[str, float], NDArray[np.int16]] = OrderedDict()

    async def prepare(self, text: str, *, pace: float) -> None:
        """Synthesise the beginning of what may be said next, so that it is there at once if it is.

        Raises `APIConnectionError` if the voice fails.
        """
        clause = next((clause for clause in split_clauses(text) if has_words(clause)), None)
        if clause is not None and (clause, pace) not in self._prepared:
            self._prepared[clause, pace] = await self._synthesize(clause, pace)
            while len(self._prepared) > PREPARED:
                self._prepared.popitem(last=False)

    @property
    def model(self) -> str:
        """The family of the model, for the session's metrics."""
        return "piper"

    @property
    def provider(self) -> str:
        """Who runs it, for the session's metrics."""
        return "piper"

    def synthesize(
        self, text: str, *, conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS
    ) -> tts.ChunkedStream:
        """Say a whole text."""
        return _WholeText(tts=self, input_text=text, conn_options=conn_options)

    def stream(self, *, conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS) -> tts.SynthesizeStream:
        """Say a text that comes in parts, each clause as soon as it is complete."""
        return _Speech(tts=self, conn_options=conn_options)

    async def say(self, clause: str) -> NDArray[np.int16]:
        """Synthesise one clause in a worker thread. Cancelled, it lets go at once; the thread ends with the clause.

        Raises `APIConnectionError` if the voice fails.
        """
        if not has_words(clause):
            return np.zeros(round(PAUSE_S * self.sample_rate), dtype=np.int16)
        if (prepared := self._prepared.pop((clause, self.pace), None)) is not None:
            return prepared
        return await self._synthesize(clause, self.pace)

    async def _synthesize(self, clause: str, pace: float) -> NDArray[np.int16]:
        try:
            return await asyncio.to_thread(self._voice.synthesize, clause.strip(), pace=pace)
        except Exception as error:  # whatever the model raises: the framework retries on nothing but an APIError
            raise APIConnectionError(f"Piper could not say {clause.strip()!r}") from error


class _WholeText(tts.ChunkedStream):
    _tts: PiperTTS

    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        output_emitter.initialize(
            request_id=utils.shortuuid(), sample_rate=self._tts.sample_rate, num_channels=1, mime_type="audio/pcm"
        )
        for clause in split_clauses(self._input_text):
            output_emitter.push((await self._tts.say(clause)).tobytes())
            output_emitter.flush()


class _Speech(tts.SynthesizeStream):
    _tts: PiperTTS

    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        output_emitter.initialize(
            request_id=utils.shortuuid(),
            sample_rate=self._tts.sample_rate,
            num_channels=1,
            mime_type="audio/pcm",
            stream=True,
        )
        output_emitter.start_segment(segment_id=utils.shortuuid())
        buffer = ClauseBuffer()
        spoken_s = 0.0
        async for item in self._input_ch:
            for clause in buffer.push(item) if isinstance(item, str) else buffer.flush():
                self._mark_started()
                samples = await self._tts.say(clause)
                length_s = len(samples) / self._tts.sample_rate
                output_emitter.push_timed_transcript(list(spread(clause, spoken_s, length_s)))
                output_emitter.push(samples.tobytes())
                output_emitter.flush()
                spoken_s += length_s
        output_emitter.end_segment()


def spread(clause: str, start_s: float, length_s: float) -> Iterator[TimedString]:
    """The words of a clause, each with the blanks after it, over the time it takes to say it, by their length.

    Joined they give the clause. The clause's own times are exact; inside it a word is off by a few tenths of a second.
    """
    words = _words_with_blanks(clause)
    per_character_s = length_s / max(len(clause), 1)
    done = 0
    for word in words:
        yield TimedString(
            word,
            start_time=start_s + done * per_character_s,
            end_time=start_s + (done + len(word)) * per_character_s,
        )
        done += len(word)


def _words_with_blanks(text: str) -> list[str]:
    words: list[str] = []
    for index, character in enumerate(text):
        if not words or (not character.isspace() and text[index - 1].isspace() and words[-1].strip()):
            words.append(character)
        else:
            words[-1] += character
    return words
