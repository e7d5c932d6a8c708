"""Language watch: which language is spoken, and when to say that it is not the interview's. Pure: no model.

Whisper says for a window which language it takes it for. One window proves little: names and technical terms sound
foreign, and short ones are often mistaken.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from speech.stt.whisper import AUTO, SpokenLanguage

LONG_ENOUGH_S = 3.0
"""A shorter window is not asked for its language."""

SURE = 0.7
"""Whisper's probability from which on it is believed."""

FOR_A_WHILE_S = 8.0
"""Another language is taken for granted after so many seconds of it without a word in between of the expected one."""


@dataclass(frozen=True, slots=True)
class OtherLanguage:
    """The candidate has spoken another language than the interview's for a while."""

    spoken: str
    """Whisper's code of it."""
    expected: str


@dataclass(slots=True)
class LanguageWatch:
    """Follows the language of one candidate.

    Args:
        expected: the interview's language, or `AUTO`: then the first that is surely heard, until another is spoken for
            a while.
    """

    expected: str
    _is_free: bool = field(init=False)
    _other: str = field(default="", init=False)
    _other_s: float = field(default=0.0, init=False)
    _told: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self._is_free = self.expected == AUTO

    @property
    def language(self) -> str:
        """What to write in; empty as long as nobody knows."""
        return "" if self.expected == AUTO else self.expected

    def heard(self, spoken: SpokenLanguage, seconds: float) -> OtherLanguage | None:
        """`seconds` of new speech were in this language; returns what there is to say about it, once."""
        if spoken.probability < SURE:
            return None
        if self.expected in (AUTO, spoken.code):
            self.expected, self._other, self._other_s, self._told = spoken.code, "", 0.0, ""
            return None
        self._other_s = seconds + (self._other_s if spoken.code == self._other else 0.0)
        self._other = spoken.code
        if self._other_s < FOR_A_WHILE_S or self._told == spoken.code:
            return None
        told = OtherLanguage(spoken.code, self.expected)
        self._told = spoken.code
        if self._is_free:
            self.expected, self._other, self._other_s, self._told = spoken.code, "", 0.0, ""
        return told
