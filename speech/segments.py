"""Where the speech of a stream is cut into pieces that are decoded. Pure: times in, pieces out.

A piece ends when the voice activity detector says that the speech is over; in long speech sooner, at a breath, so
that what is left to decode at the end of a long answer is short; and in speech without a breath where the detector
was least sure of a voice, before Whisper's window is full. All times are seconds from the start of the stream.
"""

from __future__ import annotations

from dataclasses import dataclass, field

LEAD_S = 0.4
"""How much before the detected speech a piece begins: the detector hears soft beginnings late."""

TAIL_S = 0.25
"""How much after the last voice it ends."""

LONG_S = 12.0
"""After so much speech in one piece a breath is enough to cut it …"""

BREATH_S = 0.25
"""… and this is a breath."""

MAX_S = 26.0
"""Speech without a breath is cut at this length: Whisper's window is 30 s and wants silence at its end."""

CUT_WITHIN_S = 8.0
"""… at the least voiced place of these last seconds."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the stream that is decoded by itself."""

    start_s: float
    end_s: float


@dataclass(slots=True)
class Segmenter:
    """Follows a voice activity detector through one stream and says what to decode."""

    _start_s: float | None = field(default=None, init=False)
    _cut_s: float = field(default=0.0, init=False)
    _voice_s: float = field(default=0.0, init=False)
    _faintest: list[tuple[float, float]] = field(default_factory=list, init=False)

    @property
    def needed_from_s(self) -> float | None:
        """The beginning of the speech that goes on; None while nobody speaks."""
        return self._start_s

    def started(self, at_s: float, speech_s: float) -> None:
        """The detector fired at `at_s`, after `speech_s` of speech."""
        self._start_s = max(self._cut_s, at_s - speech_s - LEAD_S, 0.0)
        self._voice_s = at_s
        self._faintest.clear()

    def went_on(self, at_s: float, silence_s: float, probability: float) -> Piece | None:
        """The detector has heard up to `at_s`, the last `silence_s` of it without voice; a piece if it is time for one.

        `probability` is its probability of speech in the last moment.
        """
        if self._start_s is None:
            return None
        self._voice_s = max(self._voice_s, at_s - silence_s)
        length_s = at_s - self._start_s
        if silence_s >= BREATH_S and length_s >= LONG_S and self._voice_s > self._start_s:
            return self._cut(at_s)
        if length_s > MAX_S - CUT_WITHIN_S:
            self._faintest.append((probability, at_s))
        if length_s >= MAX_S:
            return self._cut(min(self._faintest)[1])
        return None

    def ended(self, at_s: float, silence_s: float) -> Piece | None:
        """The detector says at `at_s` that the speech is over, after `silence_s` of silence."""
        if self._start_s is None:
            return None
        self._voice_s = max(self._voice_s, at_s - silence_s)
        piece = self._rest(at_s)
        self._start_s = None
        return piece

    def flushed(self, at_s: float) -> Piece | None:
        """Someone wants the words up to `at_s` now; the speech may go on."""
        return None if self._start_s is None else self._rest(at_s)

    def _rest(self, at_s: float) -> Piece | None:
        if self._start_s is None or self._voice_s <= self._start_s:
            return None
        return self._cut(min(at_s, self._voice_s + TAIL_S))

    def _cut(self, end_s: float) -> Piece:
        assert self._start_s is not None
        piece = Piece(self._start_s, end_s)
        self._start_s = self._cut_s = end_s
        self._faintest.clear()
        return piece
