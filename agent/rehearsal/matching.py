"""Matching: which question was asked, from the interviewer's words as captions show them.

The candidate knows what any client knows, the captions. A question of the pack is recognised when most of its
telling words were heard, whatever was said around it ("Next question: …"). Words count by how rare they are in the
pack, so that "what is the difference between" proves nothing. A question that was cut off is recognised by its
beginning. Everything else is about the question before: a follow-up, and the key point is the one it shares most with,
in its own words or in those that explain the concept it names.
"""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rag.packs.pack import BankQuestion, Pack

MOST_WORDS = 0.7
"""Share of a question's weight that must have been heard."""
LIKE_BEGINNING = 0.75
"""Likeness of a cut-off question to the beginning of a question in the pack, as difflib's ratio."""
ENOUGH_WORDS = 4
"""Words that a beginning must have to tell one question from another."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the interviewer wants to know."""

    question: BankQuestion
    """The question of the pack, or the one that a follow-up belongs to."""
    key_point: str | None
    """The key point that a follow-up is about; None for the question itself, or when it cannot be told."""
    follow_up: bool
    score: float
    """Share of the telling words that were heard, 0 to 1."""


class QuestionFinder:
    """Finds questions of one pack in what the interviewer says."""

    def __init__(self, pack: Pack) -> None:
        self._questions = pack.questions
        self._concepts = {concept.id: concept for concept in pack.concepts}
        counts = Counter(word for question in pack.questions for word in set(_stems(question.text)))
        self._weights = {word: math.log(1 + len(pack.questions) / count) for word, count in counts.items()}
        self._unseen = math.log(1 + len(pack.questions))

    def find(self, heard: str, parent: BankQuestion | None = None) -> Asked | None:
        """The question that was asked.

        Args:
            heard: the captions of one utterance of the interviewer, possibly cut off.
            parent: the question asked before, to which a follow-up belongs.

        Returns:
            None when no question of the pack was heard and there is none before.

        """
        words = _stems(heard)
        if not words:
            return None
        return self._whole(words) or self._beginning(words) or self._follow_up(words, parent)

    def is_question_of_pack(self, heard: str) -> bool:
        """Whether a whole question of the pack was heard."""
        return self._whole(_stems(heard)) is not None

    def _whole(self, heard: Sequence[str]) -> Asked | None:
        known = set(heard)
        scored = [(self._share(set(_stems(question.text)), known), question) for question in self._questions]
        score, question = max(scored, key=lambda pair: (pair[0], len(pair[1].text)), default=(0.0, None))
        if question is None or score < MOST_WORDS:
            return None
        return Asked(question, key_point=None, follow_up=False, score=score)

    def _beginning(self, heard: Sequence[str]) -> Asked | None:
        if len(heard) < ENOUGH_WORDS:
            return None
        scored = [(_likeness_to_beginning(heard, _stems(question.text)), question) for question in self._questions]
        score, question = max(scored, key=lambda pair: pair[0], default=(0.0, None))
        if question is None or score < LIKE_BEGINNING:
            return None
        return Asked(question, key_point=None, follow_up=False, score=score)

    def _follow_up(self, heard: Sequence[str], parent: BankQuestion | None) -> Asked | None:
        if parent is None:
            return None
        known = set(heard)
        for concept in (self._concepts[name] for name in parent.concepts):
            if set(_stems(concept.name)) <= known:
                known |= set(_stems(concept.explanation))
        shares = [(self._share(set(_stems(point)), known), point) for point in parent.key_points]
        score, point = max(shares, key=lambda pair: pair[0])
        return Asked(parent, key_point=point if score else None, follow_up=True, score=score)

    def _share(self, wanted: set[str], heard: set[str]) -> float:
        weight = {word: self._weights.get(word, self._unseen) for word in wanted}
        total = sum(weight.values())
        return sum(weight[word] for word in wanted & heard) / total if total else 0.0


def nearest(text: str, candidates: Sequence[str]) -> str:
    """The candidate that shares most words with the text, the first of equals."""
    wanted = set(_stems(text))
    return max(candidates, key=lambda candidate: len(wanted & set(_stems(candidate))))


def _likeness_to_beginning(heard: Sequence[str], question: Sequence[str]) -> float:
    """The cut-off question is at the end of what was heard: every tail that could begin it is compared with it."""
    best = 0.0
    for start in range(len(heard) - ENOUGH_WORDS + 1):
        tail = heard[start:]
        # One misheard word is forgiven; two wrong ones at the beginning are another sentence.
        if len(tail) <= len(question) and (tail[0] == question[0] or tail[1] == question[1]):
            matcher = difflib.SequenceMatcher(None, tail, question[: len(tail)], autojunk=False)
            best = max(best, matcher.ratio())
    return best


def _stems(text: str) -> list[str]:
    """Words without a plural's or a verb's s: a coarse stem is enough to compare a question with itself."""
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words_of(text)]  # noqa: PLR2004


_WORD = re.compile(r"[a-z0-9]+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_NUMBER_NAMES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty
"""
_NUMBERS = {name: str(value) for value, name in enumerate(_NUMBER_NAMES.split())}


def words_of(text: str) -> list[str]:
    """Words in lower case without punctuation; numbers up to twenty as digits, because a recogniser chooses freely."""
    plain = text.lower().replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")
    return [_NUMBERS.get(word, word) for word in _WORD.findall(plain)]


def sentences_of(text: str) -> list[str]:
    """Sentences of a text, each with the mark that ends it."""
    return [sentence for part in _SENTENCE_END.split(text) if (sentence := " ".join(part.split()))]


def word_errors(said: Sequence[str], recognised: Sequence[str]) -> int:
    """Fewest words to replace, add or drop to turn one into the other (Levenshtein distance over words)."""
    row = list(range(len(recognised) + 1))
    for i, word in enumerate(said, start=1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(recognised, start=1):
            substituted = diagonal + (word != other)
            diagonal = row[j]
            row[j] = min(substituted, row[j] + 1, row[j - 1] + 1)
    return row[-1]


def word_accuracy(said: str, recognised: str) -> float | None:
    """One minus the word error rate, not below 0; None when nothing was said."""
    expected = words_of(said)
    if not expected:
        return None
    return max(0.0, 1 - word_errors(expected, words_of(recognised)) / len(expected))


def percentile(values: Sequence[float], share: float) -> float | None:
    """The smallest value that `share` (0 to 1) of all values do not exceed (nearest rank); None without values."""
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
