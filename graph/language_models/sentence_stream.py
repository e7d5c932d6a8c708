"""Sentence stream: cuts a text that is still being written into sentences, each as soon as it is complete."""

from __future__ import annotations

import re

_END = re.compile(r"[.!?…][\"'”\u2019)\]]*(?=\s)|\n")
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|Mr|Mrs|Ms|Dr|Prof|St|[A-HJ-Z])\.$")
_LONGEST_ABBREVIATION = len("approx.\n")
_LIST_NUMBER = re.compile(r"\s*\d{1,2}\.\n?")


class SentenceCutter:
    """Takes a text piece by piece; how it was cut into pieces makes no difference to the sentences."""

    def __init__(self) -> None:
        self._open = ""

    def take(self, piece: str) -> list[str]:
        """The sentences that are complete now. One is complete when the space after it has come."""
        self._open += piece
        complete: list[str] = []
        begin = 0
        for end in _END.finditer(self._open):
            if not self._goes_on(begin, end.end()):
                complete.append(self._open[begin : end.end()])
                begin = end.end()
        self._open = self._open[begin:]
        return _spoken(complete)

    def _goes_on(self, begin: int, end: int) -> bool:
        """Whether a sentence does not end there: with an abbreviation, an initial, or the number of a list item."""
        near = max(begin, end - _LONGEST_ABBREVIATION)
        return bool(_ABBREVIATED.search(self._open, near, end) or _LIST_NUMBER.fullmatch(self._open, begin, end))

    def rest(self) -> list[str]:
        """What is left when the text is over, if anything."""
        left, self._open = self._open, ""
        return _spoken([left])


def _spoken(sentences: list[str]) -> list[str]:
    return [" ".join(sentence.split()) for sentence in sentences if sentence.strip()]
