"""Plugin for LiveKit Agents: Piper as text to speech, clause by clause."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import Never

import numpy as np
from livekit.agents import APIConnectionError, APIConnectOptions, tts, utils
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS, TimedString
from numpy.typing import NDArray

from speech.text_normalization import SpokenText, TextNormalizer
from speech.tts.alignment import Marks
from speech.tts.clauses import ClauseBuffer, has_words, split_clauses
from speech.tts.voice import SynthesizedText, Voice, checked_pace, pace_within_limits

PAUSE_S = 0.2
"""What a text without words (three dots, a dash) sounds like: silence. No sound at all is an error to the framework."""

PREPARED = 4
"""Clauses that are kept ready; more than one, because a guess at what is said next may be wrong."""


class PiperTTS(tts.TTS[Never]):
    """Text to speech for a session, by a `Voice` that is shared with other sessions.

    Args:
        voice: what speaks.
        pace: a factor on the usual pace, for the candidate to choose: 0.5 (slow) to 2 (fast); another one raises
            `ValueError`. Set anew, it is in force from the next clause on.
        usual_pace: a factor on the voice's own pace, for whoever hosts to choose, with the same limits. Both together
            stay inside them.
        wording: how texts are said; without one, as English texts are.
    """

    def __init__(
        self, voice: Voice, *, pace: float = 1.0, usual_pace: float = 1.0, wording: TextNormalizer | None = None
    ) -> None:
        super().__init__(
            capabilities=tts.TTSCapabilities(streaming=True, aligned_transcript=True),
            sample_rate=voice.sample_rate,
            num_channels=1,
        )
        self._voice = voice
        self._wording = wording or TextNormalizer(language=voice.language)
        self._usual_pace = checked_pace(usual_pace)
        self.pace = checked_pace(pace)
        self._prepared: OrderedDict[tuple[str, float], asyncio.Task[tuple[SpokenText, SynthesizedText]]] = OrderedDict()

    async def prepare(self, text: str, *, pace: float) -> None:
        """Synthesise the beginning of what may be said next, so that it is there at once if it is.

        Raises `APIConnectionError` if the voice fails.
        """
        clause = next((clause for clause in split_clauses(text) if has_words(clause)), None)
        if clause is None:
            return
        if (preparing := self._prepared.get((clause, pace))) is None:
            preparing = asyncio.create_task(self._synthesize(clause, pace), name="prepare speech")
            self._prepared[clause, pace] = preparing
            while len(self._prepared) > PREPARED:
                self._prepared.popitem(last=False)
        await asyncio.shield(preparing)

    async def keep_ready(self, texts: Iterable[str]) -> None:
        """Synthesise short texts that will be said some time, one after the other: the voice keeps them.

        Raises `APIConnectionError` if the voice fails.
        """
        for clause in (clause for text in texts for clause in split_clauses(text)):
            await self._synthesize(clause, self.pace)

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

    async def say(self, clause: str) -> tuple[SpokenText, SynthesizedText]:
        """Synthesise one clause in a worker thread. Cancelled, it lets go at once; the thread ends with the clause.

        Raises `APIConnectionError` if the voice fails.
        """
        if (preparing := self._prepared.pop((clause, self.pace), None)) is not None:
            # Perhaps it is not there yet: a guess that comes true at once is asked for while it is synthesised.
            return await asyncio.shield(preparing)
        return await self._synthesize(clause, self.pace)

    async def _synthesize(self, clause: str, chosen_pace: float) -> tuple[SpokenText, SynthesizedText]:
        spoken = self._wording.say(clause)
        if not has_words(spoken.text):
            return spoken, SynthesizedText(np.zeros(round(PAUSE_S * self.sample_rate), dtype=np.int16))
        pace = pace_within_limits(chosen_pace * self._usual_pace)
        try:
            return spoken, await asyncio.to_thread(self._voice.speak, spoken.text, pace=pace)
        except Exception as error:  # whatever the model raises: the framework retries on nothing but an APIError
            raise APIConnectionError(f"Piper could not say {clause.strip()!r}") from error


class _WholeText(tts.ChunkedStream):
    _tts: PiperTTS

    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        output_emitter.initialize(
            request_id=utils.shortuuid(), sample_rate=self._tts.sample_rate, num_channels=1, mime_type="audio/pcm"
        )
        for clause in split_clauses(self._input_text):
            _, utterance = await self._tts.say(clause)
            output_emitter.push(utterance.samples.tobytes())
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
            is_last = not isinstance(item, str)
            for clause in buffer.push(item) if isinstance(item, str) else buffer.flush():
                self._mark_started()
                spoken, utterance = await self._tts.say(clause)
                # A voice ends with a fifth of a second of silence. Between two clauses that is the pause; between two
                # pieces of speech the output takes as long again until the next one is heard.
                utterance = utterance.without_silence(self._tts.sample_rate, before=not spoken_s, after=is_last)
                length_s = len(utterance.samples) / self._tts.sample_rate
                output_emitter.push_timed_transcript(list(timed_words(spoken, utterance.marks, spoken_s, length_s)))
                output_emitter.push(utterance.samples.tobytes())
                output_emitter.flush()
                spoken_s += length_s
        output_emitter.end_segment()


def timed_words(spoken: SpokenText, marks: Marks, start_s: float, length_s: float) -> Iterator[TimedString]:
    """The words of a clause as they are written, each with the blanks after it, and when it is heard.

    Joined they give the clause. A word that is said with several ("10GB") lasts as long as all of these; several that
    are said with one share its time by their length.

    Args:
        spoken: the clause, and what was said for it.
        marks: when the words that were said are heard, from the beginning of the clause. Without them the time is
            spread over the clause by the length of what is said, which misses the beginning of a word by a tenth of a
            second as a rule, and by more after a pause (`python -m bench first_audio` measures it).
        start_s: when the clause begins.
        length_s: how long it lasts.
    """
    words = _words_with_blanks(spoken.original)
    places = np.cumsum([0, *(len(word) for word in words)])
    begins = [int(place) for place in places[:-1]]
    ends = [begin + len(word.rstrip()) for begin, word in zip(begins, words, strict=True)]
    first, last = _times(spoken, begins, marks, length_s), _times(spoken, ends, marks, length_s)
    for word, begin_s, end_s in zip(words, first, np.maximum(first, last), strict=True):
        yield TimedString(word, start_time=start_s + float(begin_s), end_time=start_s + float(end_s))


def _times(spoken: SpokenText, places: Sequence[int], marks: Marks, length_s: float) -> NDArray[np.float64]:
    """When the places of a text as written are heard, from its beginning."""
    known = marks or ((0, 0.0), (max(len(spoken.text), 1), length_s))
    said, times = zip(*known, strict=True)
    heard: NDArray[np.float64] = np.minimum(np.interp(spoken.in_speech(places), said, times), length_s)
    return heard


def _words_with_blanks(text: str) -> list[str]:
    words: list[str] = []
    for index, character in enumerate(text):
        if not words or (not character.isspace() and text[index - 1].isspace() and words[-1].strip()):
            words.append(character)
        else:
            words[-1] += character
    return words
