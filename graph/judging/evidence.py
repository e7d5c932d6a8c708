"""Evidence: the candidate's words behind a verdict, the clauses that the encoder marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from domain.verdict import Quote
from graph.judging.entailment import Odds
from graph.judging.text import clauses

_SURE = 0.5
"""A word is taken to carry a verdict from here on; where no word is that likely, from half of the likeliest."""
LONGEST_QUOTE = 45
"""Words; what is longer proves nothing to a reader."""


def quote(words: Sequence[str], marks: Odds) -> Quote:
    """The run of clauses whose words carry a verdict.

    Args:
        words: the answer, at least one word.
        marks: for each word how likely it is among those that carry the verdict.
    """
    marks = np.asarray(marks)
    likeliest = float(marks.max())
    first, last = _run(marks - (_SURE if likeliest > _SURE else likeliest / 2))
    surest = first + int(np.argmax(marks[first : last + 1]))
    # Whole clauses, since a reader cannot weigh half of one: those that are marked for the most part, and the one with
    # the surest word in any case.
    touched = [
        each
        for each in clauses.split(words)
        if each.first_word <= surest <= each.last_word
        or _shared(each, first, last) * 2 >= each.last_word - each.first_word + 1
    ]
    first, last = touched[0].first_word, touched[-1].last_word
    if last - first >= LONGEST_QUOTE:
        first = min(max(first, surest - LONGEST_QUOTE // 2), last - LONGEST_QUOTE + 1)
        last = first + LONGEST_QUOTE - 1
    return Quote(text=" ".join(words[first : last + 1]), first_word=first, last_word=last)


def _run(gains: Odds) -> tuple[int, int]:
    """First and last index, inclusive, of the run with the largest sum."""
    best, best_run, total, start = -np.inf, (0, 0), 0.0, 0
    for index, gain in enumerate(gains):
        if total <= 0:
            total, start = 0.0, index
        total += float(gain)
        if total > best:
            best, best_run = total, (start, index)
    return best_run


def _shared(clause: clauses.Clause, first: int, last: int) -> int:
    return min(clause.last_word, last) - max(clause.first_word, first) + 1
