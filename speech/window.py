"""What is known of speech that goes on: settled words, words that may still change, and where decoding begins.

Pure: words in, words out. All times are seconds from the start of the stream.

A decode hears the whole window, but is told the words that are settled: it only has to find what follows them. They
are the context that it needs to get the next words right, in sound and in text, and cost hardly anything. What is
older than that is cut off at a pause between two words, so that a decode costs the same however long the answer is.
"""

from __future__ import annotations

from collections.abc import Sequence

from speech.agreement import agreed
from speech.word_times import HeardWord

TRIM_S = 8.0
"""A window that is longer than this is cut …"""

CONTEXT_S = 2.0
"""… but so many seconds of settled words stay, …"""

PAUSE_S = 0.12
"""… and a cut is made where there is so much silence between two words, …"""

FORCED_S = 12.0
"""… unless the window is longer than this: then at the widest gap in its last two thirds."""


class Window:
    """The words of a stretch of speech that goes on, from `start_s` on.

    `settled` words are those that will not change, except that punctuation may follow the last one.
    """

    def __init__(self, start_s: float) -> None:
        self.start_s = start_s
        """Where the next decode begins."""
        self.heard_to_s = start_s
        """Where the last decode ended."""
        self.settled: tuple[HeardWord, ...] = ()
        self.open: tuple[HeardWord, ...] = ()
        """Words that were heard once, and may change."""

    @property
    def words(self) -> tuple[HeardWord, ...]:
        """All words that are known."""
        return (*self.settled, *self.open)

    @property
    def said(self) -> tuple[int, ...]:
        """The tokens of the settled words."""
        return tuple(token for word in self.settled for token in word.tokens)

    @property
    def said_to_s(self) -> float:
        """Where the settled words end."""
        return self.settled[-1].end_s if self.settled else self.start_s

    def take(self, words: Sequence[HeardWord], heard_to_s: float) -> None:
        """What a decode of the window up to `heard_to_s` heard: the settled words, and what followed."""
        known = self._known(words)
        new = words[known:]
        again = agreed(self.open, new)
        self.settled = (*(words[:known] if known else self.settled), *new[:again])
        self.open = tuple(new[again:])
        self.heard_to_s = heard_to_s

    def trimmed(self) -> tuple[HeardWord, ...]:
        """Cut the window if it is long: the words that are no longer in it. They are final."""
        cut = self._cut() if self.heard_to_s - self.start_s > TRIM_S else None
        if cut is None:
            return ()
        final, self.settled = self.settled[:cut], self.settled[cut:]
        self.start_s = (final[-1].end_s + self.words[0].start_s) / 2
        return final

    def given_up_to(self, at_s: float) -> tuple[HeardWord, ...]:
        """Begin anew at `at_s`, the end of what was decoded last: all words that are known are final."""
        final, self.settled, self.open = self.words, (), ()
        self.start_s = self.heard_to_s = at_s
        return final

    def _known(self, words: Sequence[HeardWord]) -> int:
        """How many of a decode's words are settled ones; the last may have grown ("gradient", "gradient-boosted")."""
        told, known = len(self.said), 0
        while told > 0 and known < len(words):
            told -= len(words[known].tokens)
            known += 1
        return known

    def _cut(self) -> int | None:
        """How many settled words can go."""
        words, latest_s = self.words, self.said_to_s - CONTEXT_S
        places = range(1, min(len(self.settled) + 1, len(words)))
        gaps = {at: words[at].start_s - words[at - 1].end_s for at in places if words[at].start_s <= latest_s}
        pauses = [at for at, gap in gaps.items() if gap >= PAUSE_S]
        if pauses:
            return pauses[-1]
        length_s = self.heard_to_s - self.start_s
        late = [at for at in gaps if words[at].start_s > self.start_s + length_s / 3]
        return max(late, key=gaps.__getitem__) if late and length_s > FORCED_S else None
