"""Playback tracker: the utterances in flight, as they are really played, and what was heard of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from livekit.agents.types import TimedString
from livekit.agents.voice.io import AudioOutput, PlaybackFinishedEvent, PlaybackStartedEvent

from domain.events import Event, PlayedWord, SpeechEnded, SpeechStarted
from domain.say import Say

_TIMINGS = 8
"""Pieces of speech whose words' times are kept until they are played; those of what never is are forgotten."""
_LINGERS_S = 1.5
"""Sound goes to the candidate and back, and is recognised, in this time."""


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """One piece of speech: it is played as one audio segment."""

    say: Say
    turn: int
    breaks_silence: bool = False
    """It was said only because nobody spoke: no part of the turn, and no end of the silence."""


@dataclass(slots=True)
class Timing:
    """When the words of one piece of speech are heard, in seconds from its beginning; it grows while they are made."""

    words: list[TimedString] = field(default_factory=list)

    def is_of(self, text: str) -> bool:
        """Whether these are the words of a text, or of its beginning."""
        mine = "".join(self.words).split()
        return bool(mine) and text.split()[: len(mine)] == mine


class PlaybackTracker:
    """Follows the audio output. Each `Say` is one segment, because the interviewer flushes after each.

    Args:
        record: takes the events.
        on_finished: called with each line that was played to its end or cut off.
        clock: seconds since the epoch.
    """

    def __init__(
        self, record: Callable[[Event], None], on_finished: Callable[[SpokenLine], None], clock: Callable[[], float]
    ) -> None:
        self._record = record
        self._clock = clock
        self._on_finished = on_finished
        self._waiting: deque[SpokenLine] = deque()
        self._playing: SpokenLine | None = None
        self._playing_since = 0.0
        self._timings: deque[Timing] = deque(maxlen=_TIMINGS)
        self._last_text = ""
        self._last_ended_at = float("-inf")
        self.on_started: list[Callable[[SpokenLine], None]] = []
        """Told each line as it begins to be played."""

    def attach(self, output: AudioOutput) -> None:
        """Listen to an audio output."""
        output.on("playback_started", self._started)
        output.on("playback_finished", self._finished)

    def expect(self, say: Say, turn: int, *, breaks_silence: bool = False) -> None:
        """These words were handed over to be spoken next."""
        self._waiting.append(SpokenLine(say, turn, breaks_silence))

    def clear(self) -> None:
        """Words that were not begun will not be spoken: the candidate interrupted."""
        self._waiting.clear()

    def timing(self) -> Timing:
        """A place for the times of the words that are synthesised next."""
        self._timings.append(Timing())
        return self._timings[-1]

    @property
    def playing(self) -> SpokenLine | None:
        """What is being played."""
        return self._playing

    def audible(self) -> str | None:
        """The words that are being played, or were a moment ago: what a microphone near a loudspeaker may hear."""
        if self._playing is not None:
            return self._playing.say.text
        return self._last_text if self._clock() - self._last_ended_at < _LINGERS_S else None

    def _started(self, event: PlaybackStartedEvent) -> None:
        if not self._waiting:
            return
        line = self._playing = self._waiting.popleft()
        self._playing_since = event.created_at
        for told in self.on_started:
            told(line)
        self._record(
            SpeechStarted(
                at=event.created_at,
                speech=line.say.kind,
                text=line.say.text,
                turn=line.turn,
                question_id=line.say.question_id,
            )
        )

    def _finished(self, event: PlaybackFinishedEvent) -> None:
        line, self._playing = self._playing, None
        if line is None:
            return
        self._last_text, self._last_ended_at = line.say.text, self._clock()
        heard = line.say.text if not event.interrupted else (event.synchronized_transcript or "").strip()
        self._record(
            SpeechEnded(
                at=self._clock(),
                speech=line.say.kind,
                heard=heard,
                interrupted=event.interrupted,
                turn=line.turn,
                question_id=line.say.question_id,
                words=self._played(line.say.text, heard),
            )
        )
        self._on_finished(line)

    def _played(self, text: str, heard: str) -> list[PlayedWord]:
        """The words that were heard, with their times; none when these are not known for each."""
        timing = next((each for each in self._timings if each.is_of(text)), None)
        if timing is None:
            return []
        self._timings.remove(timing)
        played = _played_words(timing.words, self._playing_since)
        count = len(heard.split())
        return played[:count] if [word.text for word in played[:count]] == heard.split() else []


def _played_words(timed: Sequence[TimedString], since: float) -> list[PlayedWord]:
    return [
        PlayedWord(
            text=str(word).strip(),
            start_at=round(since + word.start_time, 3),
            end_at=round(since + word.end_time, 3),
        )
        for word in timed
        if word.strip() and isinstance(word.start_time, float) and isinstance(word.end_time, float)
    ]
