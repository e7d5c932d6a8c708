"""Answer spans: where the words of an answer are: in one turn, in several, or in a part of one.

A candidate who asks for a hint in mid-answer gives it in two turns; one who says "scrap that" withdraws a part of it.
The judge saw the rest as one text, and its verdicts count words in that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from domain.events import AnswerJudged, AnswerTaken, Word

_LEFT_OUT = " … "
"""Stands where words between two parts are no part of the answer."""


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A stretch of one turn's words that belongs to an answer; `last` is inclusive."""

    taken: AnswerTaken
    first: int
    last: int

    @property
    def words(self) -> Sequence[Word]:
        """The recognised words; none where the turn came without."""
        return self.taken.words[self.first : self.last + 1]

    @property
    def text(self) -> str:
        """What was said, as the turn has it."""
        return self.taken.text if self.is_whole else " ".join(_tokens(self.taken)[self.first : self.last + 1])

    @property
    def is_whole(self) -> bool:
        """True when nothing of the turn is left out."""
        return self.first == 0 and self.last == len(_tokens(self.taken)) - 1

    def leads_to(self, following: AnswerPart) -> bool:
        """True when nothing that was said between this part and the following one is left out."""
        if following.taken.turn == self.taken.turn:
            return following.first == self.last + 1
        return (
            following.taken.turn == self.taken.turn + 1
            and self.last == len(_tokens(self.taken)) - 1
            and following.first == 0
        )


def whole_turn(taken: AnswerTaken | None) -> tuple[AnswerPart, ...]:
    """Everything that was said in a turn; nothing of a turn without words."""
    count = len(_tokens(taken)) if taken else 0
    return (AnswerPart(taken, 0, count - 1),) if taken and count else ()


def judged_parts(judged: AnswerJudged, taken: Mapping[int, AnswerTaken]) -> tuple[AnswerPart, ...]:
    """The parts that a judgement is about.

    Args:
        judged: the judgement.
        taken: what was said in each turn, by its number.

    Returns:
        The parts in order; none when a span leads to words that the record does not hold, because then no word
        could be counted with certainty.
    """
    if not judged.spans:
        return whole_turn(taken.get(judged.turn))
    parts = [
        AnswerPart(taken[span.turn], span.first_word, span.last_word) for span in judged.spans if span.turn in taken
    ]
    placed = [part for part in parts if 0 <= part.first <= part.last < len(_tokens(part.taken))]
    return tuple(placed) if len(placed) == len(judged.spans) else ()


def words_of(parts: Sequence[AnswerPart]) -> Sequence[Word]:
    """The parts' words, one after the other, as the verdicts count them; none when a part came without."""
    words = [word for part in parts for word in part.words]
    return words if len(words) == sum(part.last - part.first + 1 for part in parts) else ()


def text_of(parts: Sequence[AnswerPart]) -> str:
    """The parts as one text, with a mark where something between them is left out."""
    if not parts:
        return ""
    joints = [" " if before.leads_to(after) else _LEFT_OUT for before, after in pairwise(parts)]
    return parts[0].text + "".join(joint + part.text for joint, part in zip(joints, parts[1:], strict=True))


def _tokens(taken: AnswerTaken) -> list[str]:
    """The turn's words as text, with its punctuation where that counts the same words as the recogniser."""
    tokens = taken.text.split()
    return tokens if not taken.words or len(tokens) == len(taken.words) else [word.text for word in taken.words]
