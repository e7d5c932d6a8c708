"""Clauses: where a text may be cut so that its first words are heard early. Pure text, no model.

Piper speaks what it is given in one piece, so the first sound waits for the end of the piece. The first clause
of a text is therefore kept short; everything after it is synthesised while that is being played, and goes by whole
sentences, which keep their melody. Measured on two cores: "Thank you," is ready after 0.05 s, the sentence of 3.9 s
that it begins after 0.30 s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MIN_FIRST_WORDS = 2
"""A first clause has at least so many words: a single word before a pause sounds like a stumble."""

LONG_SENTENCE_WORDS = 30
"""A sentence longer than this is cut at its next comma, so that a barge-in never waits for a long synthesis."""

_BOUNDARY = re.compile(
    r"""(?: (?P<stop>  (?<![.!?…]) [.!?…]+ ["'”’)\]]* ) \s+  # the end of a sentence
          | (?P<pause> [,;:] ["'”’)\]]* | (?<=\s) [–—] ) \s+     # a pause inside one
          | (?<!\s) [^\S\n]* \n [^\S\n]* \n \s*               # an empty line
        ) (?=\S)""",  # noqa: RUF001 (quotes and dashes as they are written)
    re.VERBOSE,
)
_CLOSING = "\"'”’)]"  # noqa: RUF001 (quotes as they are written)
_OPENING = "\"'“‘(["  # noqa: RUF001 (quotes as they are written)
_WORD = re.compile(r"\w+")
_INITIALS = re.compile(r"(?:^|\W)[^\W\d_]\.$")
_ABBREVIATIONS = frozenset(
    "mr. mrs. ms. dr. prof. sr. jr. st. vs. etc. e.g. i.e. eg. ie. cf. approx. inc. ltd. corp. dept. est. ph.d. b.sc."
    " m.sc. jan. feb. apr. aug. sept. oct. nov.".split()
)
_NUMBERED = frozenset("no. nos. fig. vol. ch. sec. eq. p. pp. v. ver. min. max. avg. approx.".split())
"""Abbreviations only before a number: "no. 5", but "No. That is something else"."""


def split_clauses(text: str) -> list[str]:
    """Cut `text` into what is synthesised at once. Joined they give `text` again; blanks stay with the words before."""
    buffer = ClauseBuffer()
    return [*buffer.push(text), *buffer.flush()]


def has_words(text: str) -> bool:
    """True if there is anything in `text` that can be said."""
    return _WORD.search(text) is not None


@dataclass(slots=True)
class ClauseBuffer:
    """Cuts a text that comes in parts. However it comes, the clauses are those of `split_clauses`."""

    _pending: str = field(default="", init=False)
    _scanned: int = field(default=0, init=False)
    _words: int = field(default=0, init=False)
    """Words before `_scanned`: they are counted once, however many places are looked at."""
    _first: bool = field(default=True, init=False)

    def push(self, text: str) -> list[str]:
        """Take more text; return the clauses that are complete: a clause is, once the word after it has begun."""
        self._pending += text
        return list(self._complete())

    def flush(self) -> list[str]:
        """Return what is left as one clause, if anything is; the next text begins afresh."""
        rest, self._pending, self._scanned, self._words, self._first = self._pending, "", 0, 0, True
        return [rest] if rest else []

    def _complete(self) -> Iterator[str]:
        while (found := _BOUNDARY.search(self._pending, self._scanned)) is not None:
            words = self._words + sum(1 for _ in _WORD.finditer(self._pending, self._scanned, found.start()))
            if not self._cuts_at(found, words):
                self._scanned, self._words = found.end(), words
                continue
            clause, self._pending = self._pending[: found.end()], self._pending[found.end() :]
            self._scanned, self._words, self._first = 0, 0, False
            yield clause

    def _cuts_at(self, found: re.Match[str], words: int) -> bool:
        """Whether a clause ends at a boundary that has so many words before it."""
        after = self._pending[found.end()]
        if not words:
            return False
        if found["stop"]:
            return _ends_sentence(self._pending[: found.end("stop")].rstrip(_CLOSING), after)
        if found["pause"]:
            between_numbers = _begins_number(after) and self._pending[: found.start()].rstrip()[-1].isdigit()
            return not between_numbers and words >= (MIN_FIRST_WORDS if self._first else LONG_SENTENCE_WORDS)
        return True


def _begins_number(character: str) -> bool:
    return character.isdigit() or character in "+-$€£"


def _ends_sentence(before: str, after: str) -> bool:
    """Whether a sentence ends with the full stop, question mark … that `before` ends with, if `after` comes next."""
    if after.islower():
        return False
    token = before.rsplit(maxsplit=1)[-1].lower().lstrip(_OPENING)
    if token in _ABBREVIATIONS or _INITIALS.search(before[-3:]):
        return False
    return not (after.isdigit() and (token in _NUMBERED or token[:-1].isdigit()))
