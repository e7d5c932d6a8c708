"""Local agreement: settled words, words that may still change, and where decoding begins in speech that goes on.

Pure: words in, words out. All times are seconds from the start of the stream.

Each decode hears the whole window anew. The words that it and the decode before agree on are settled, and so are those
that are `AGED_S` old. What is long past is cut off at a pause between two words and is final, so that a decode costs
the same however long the answer is. The words that stay are the context in which Whisper hears the next ones.

Age counts beside agreement because agreement needs decodes: on a busy machine there are few, the window grew to 25 s,
and the last decode of an answer took 2.8 s. Measured with 8 answers of 1,080 words, without noise and at 10 dB: cutting
from 8 s on, by agreement alone, 6.2% and 11.0% of the words are wrong; from 5 s on, by both, 5.5 to 5.9% and
9.5 to 9.6% in two runs, with three quarters of the decoding.

To tell Whisper the settled words and have it go on after them is no cheaper with CTranslate2, which feeds them to the
decoder one by one, and worse: it then makes up words at the end (measured: "… for your country What").
"""

from __future__ import annotations

from collections.abc import Sequence

from speech.stt.fillers import without_fillers
from speech.stt.repetition import words_of
from speech.stt.word_times import HeardWord

TRIM_S = 5.0
"""A window that is longer than this is cut …"""

CONTEXT_S = 2.0
"""… but so many seconds of settled words stay, …"""

AGED_S = 3.0
"""… or so many seconds of words that are not settled, …"""

PAUSE_S = 0.12
"""… and a cut is made where there is so much silence between two words, …"""

FORCED_S = 8.0
"""… unless the window is longer than this: then at the widest gap in its last two thirds."""

REACH_S = 5.0
"""So much of what was said before a pause is heard again with what follows it: half a sentence is understood badly."""

LEAD_S = 0.2
"""Silence before the first of these words."""

_BESIDE_S = 0.1
"""Two decodes place a word as differently as this: what lies so close behind a final one is that one."""

_WITHIN_A_WORD_S = 0.1
"""A word that begins so soon after a window's beginning may be the rest of one that began before it."""


class Window:
    """The words of a stretch of speech that goes on, from `start_s` on.

    Sound before `final_to_s` is decoded again only as context: its words are final.
    """

    def __init__(self, start_s: float) -> None:
        self.start_s = start_s
        """Where the next decode begins."""
        self.final_to_s = start_s
        """Where the words begin that are not final."""
        self.heard_to_s = start_s
        """Where the last decode ended."""
        self.words: tuple[HeardWord, ...] = ()
        """What the last decode heard."""
        self.settled = 0
        """How many of them, from the first on, the decode before had heard as well."""

    def take(self, words: Sequence[HeardWord], heard_to_s: float, past: Sequence[HeardWord] = ()) -> None:
        """What a decode of the window up to `heard_to_s` heard; `past` are the words that became final last."""
        words = _new(words, past, self.start_s, self.final_to_s)
        self.settled = agreed(self.words, words)
        self.words = tuple(words)
        self.heard_to_s = heard_to_s

    def reach_back(self, past: Sequence[HeardWord]) -> None:
        """Let a window that was not decoded yet begin with the final words before it, from a pause between two on."""
        near = [at for at, word in enumerate(past) if self.start_s - word.start_s <= REACH_S]
        begins = [at for at in near if at == 0 or past[at].start_s - past[at - 1].end_s >= PAUSE_S]
        if begins and self.start_s - past[-1].end_s <= REACH_S / 2:
            at = begins[0]
            before_s = past[at - 1].end_s if at else past[at].start_s - 2 * LEAD_S
            self.start_s = max((before_s + past[at].start_s) / 2, past[at].start_s - LEAD_S, 0.0)

    def trimmed(self) -> tuple[HeardWord, ...]:
        """Cut the window if it is long: the words that are no longer in it. They are final."""
        cut = self._cut() if self.heard_to_s - self.start_s > TRIM_S else None
        if cut is None:
            return ()
        final, self.words = self.words[:cut], self.words[cut:]
        self.settled = max(0, self.settled - cut)
        self.start_s = self.final_to_s = (final[-1].end_s + self.words[0].start_s) / 2
        return final

    def given_up_to(self, at_s: float) -> tuple[HeardWord, ...]:
        """Begin anew at `at_s`, the end of what was decoded last: all words that are known are final."""
        final, self.words, self.settled = self.words, (), 0
        self.start_s = self.final_to_s = self.heard_to_s = at_s
        return final

    def _cut(self) -> int | None:
        """How many words can go: settled or aged ones, up to a pause."""
        words = self.words
        settled_to_s = words[self.settled - 1].end_s - CONTEXT_S if self.settled else 0.0
        latest_s = max(settled_to_s, self.heard_to_s - AGED_S)
        places = range(1, len(words))
        gaps = {at: words[at].start_s - words[at - 1].end_s for at in places if words[at].start_s <= latest_s}
        pauses = [at for at, gap in gaps.items() if gap >= PAUSE_S]
        if pauses:
            return pauses[-1]
        length_s = self.heard_to_s - self.start_s
        late = [at for at in gaps if words[at].start_s > self.start_s + length_s / 3]
        return max(late, key=gaps.__getitem__) if late and length_s > FORCED_S else None


def _new(words: Sequence[HeardWord], past: Sequence[HeardWord], start_s: float, final_to_s: float) -> list[HeardWord]:
    """The words of a window from `start_s` on that are not final yet.

    What was said before `final_to_s` is final, but for words that lie behind the last final one: nothing was heard
    there before. Between two pauses a short word is often lost, or taken for an "er", and heard as soon as the rest of
    its sentence is there: "I … need it for tomorrow". And a window that begins within a word hears the rest of it as
    one more: "uniform", "form".
    """
    spoken = without_fillers(past)
    said_to_s = min(final_to_s, spoken[-1].end_s + _BESIDE_S) if spoken else final_to_s
    late = without_fillers([word for word in words if 2 * said_to_s < word.start_s + word.end_s <= 2 * final_to_s])
    new = [word for word in words if word.start_s + word.end_s > 2 * final_to_s]
    if not any(_spoken(word) == _spoken(spoken[-1]) for word in late):
        new = [*late, *new]
    if spoken and new and new[0].start_s - start_s < _WITHIN_A_WORD_S and _is_rest_of(new[0], spoken[-1]):
        new = new[1:]
    return new


def _is_rest_of(word: HeardWord, whole: HeardWord) -> bool:
    rest, said = _spoken(word), _spoken(whole)
    return len(rest) < len(said) and said.endswith(rest) and whole.end_s > word.start_s - LEAD_S


def agreed(older: Sequence[HeardWord], newer: Sequence[HeardWord]) -> int:
    """How many words at the beginning are the same in both, whatever their case and punctuation."""
    count = 0
    for one, other in zip(older, newer, strict=False):
        if _spoken(one) != _spoken(other):
            break
        count += 1
    return count


def _spoken(word: HeardWord) -> str:
    return "".join(words_of(word.text)) or word.text
