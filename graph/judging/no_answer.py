"""Words that answer nothing: the question read back, words to whoever judges, another language, and other matters.

None of it earns credit. Of the first three, whoever said it hears why, and no judge is asked: the first has many words
of the key points in it, the second is written to sway whoever reads it, and nobody here reads the third. Other matters
are told from an answer by a language model; the built-in judge has a rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import yaml

from domain.question import Question
from domain.verdict import NoAnswer
from graph.judging.quote_matching import plain
from graph.judging.text import clauses
from graph.judging.text.stems import content_stems

_RUN = 3
"""Words in a row that make a repetition of the question."""
_FEWEST_REPEATED = 6
_MOST_OF_IT = 0.8
_FEW_STEMS = 1
"""Words that carry meaning beside those, at most: with two something may be said."""
_TO_THE_JUDGE = re.compile(
    r"\b(?:"
    r"(?:ignore|disregard|forget|override)\b.*\b(?:instructions?|prompts?|rules|rubric|key points?|above|before)|"
    r"(?:^|(?<=\band )|(?<=\bplease )|(?<=\bshould )|(?<=\bmust )|(?<=\bjust )|(?<=\bnow ))"
    r"(?:give|award|grant|assign|mark|count|treat|score|rate|grade|consider)\b.*"
    r"\b(?:full|marks?|scores?|credit|points?|covered|correct|ten|maximum|highest|perfect)|"
    r"(?:this|my|the) (?:answer|response|reply)\b.*"
    r"\b(?:perfect|correct|complete|completely|full|covers?|deserves?|right|excellent|key points?)|"
    r"(?:deserves?|worth|earns?)\b.*\b(?:ten|full|marks?|scores?|points?|credit|top|highest)|"
    r"scores?\b.*\b(?:must|should|has to) be|"
    r"(?:dear|attention|hello|hey) (?:the )?(?:judge|grader|examiner|evaluator|assistant|model|a i|ai)|"
    r"you are (?:now )?(?:an?|the|my) (?:\w+ ){0,3}(?:judge|grader|examiner|evaluator|assistant|model)|"
    r"system prompt|status\W{1,4}covered|all (?:of )?the key points"
    r")\b",
    re.IGNORECASE,
)
_POLITE = frozenset("please thank thanks judge grader examiner correctly completely".split())
_OF_JUDGING = (
    "give award grant assign mark count treat score rate grade consider full credit point cover correct ten maximum "
    "high highest perfect answer response complete right excellent key deserve worth earn should model system all"
)
"""Words that whoever speaks to the judge has anyway, whatever was asked."""
_OF_THE_MATTER = 2
"""Words that carry meaning of what was asked for, from which on a clause speaks of it ("the answer is complete when all
replicas confirmed"), and so does an answer: none of the 3,044 that are learned from or measured with shares fewer than
three. Logs and blind text that somebody pasted do."""
LONG_ENOUGH = 12
"""Words of an answer that says something about a matter, if it is about it."""

_WORD_LISTS = Path(__file__).with_name("other_language.yaml")
_FEWEST_WORDS = 6
_FEWEST_HITS = 3
_SHARE_OF_HITS = 0.2
_SHARE_OF_LETTERS = 0.5


def no_answer(question: Question, words: Sequence[str]) -> NoAnswer | None:
    """Why these words answer nothing, whatever was asked; None for an answer, good or bad.

    Args:
        question: what was asked.
        words: what was said, at least one word.
    """
    if _only_repeats(question.spoken, words):
        return NoAnswer.QUESTION_BACK
    matter = _matter(question) - content_stems(_OF_JUDGING)
    return NoAnswer.TO_THE_JUDGE if _is_to_the_judge(words, matter) else None


def is_about_something_else(question: Question, words: Sequence[str]) -> bool:
    """True for a first answer with next to no word of the matter, in which an encoder finds something now and then.

    Of one's own work, the points name no matter.
    """
    if question.kind != "retrieved" or question.source == "resume" or len(words) < LONG_ENOUGH:
        return False
    matter = _matter(question) | content_stems(" ".join((question.text, *question.concepts)))
    return len(content_stems(" ".join(words)) & matter) < _OF_THE_MATTER


def is_other_language(words: Sequence[str]) -> bool:
    """True when most letters are of another script than English has, or its frequent words are another language's."""
    letters = [letter for letter in "".join(words) if letter.isalpha()]
    foreign = sum(not unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    if letters and foreign > _SHARE_OF_LETTERS * len(letters):
        return True
    said = [word.casefold().strip(".,;:!?¿¡\"'()") for word in words]
    if len(said) < _FEWEST_WORDS:
        return False
    hits = {language: sum(word in known for word in said) for language, known in _frequent_words().items()}
    english = hits.pop("english")
    most = max(hits.values())
    return most >= max(_FEWEST_HITS, _SHARE_OF_HITS * len(said)) and most > english


def _only_repeats(question: str, words: Sequence[str]) -> bool:
    asked, said = _plain(question.split()), _plain(words)
    runs = {tuple(asked[place : place + _RUN]) for place in range(len(asked) - _RUN + 1)}
    repeated = [False] * len(said)
    for place in range(len(said) - _RUN + 1):
        if tuple(said[place : place + _RUN]) in runs:
            repeated[place : place + _RUN] = [True] * _RUN
    if sum(repeated) < max(_FEWEST_REPEATED, _MOST_OF_IT * len(said)):
        return False
    rest = " ".join(word for word, is_back in zip(said, repeated, strict=True) if not is_back)
    return len(content_stems(rest) - content_stems(f"{question} question")) <= _FEW_STEMS


def _matter(question: Question) -> frozenset[str]:
    """Stems of what a good answer, and a wrong one, speaks of."""
    targets = question.targets
    return content_stems(" ".join((question.expected_answer, *targets.points, *targets.misconceptions)))


def _is_to_the_judge(words: Sequence[str], matter: frozenset[str]) -> bool:
    parts = clauses.split(words)
    rest = [
        part.text
        for part in parts
        if not _TO_THE_JUDGE.search(part.text) or len(content_stems(part.text) & matter) >= _OF_THE_MATTER
    ]
    left = content_stems(" ".join(rest)) - content_stems(" ".join(_POLITE))
    return len(rest) < len(parts) and len(left) <= _FEW_STEMS


def _plain(words: Sequence[str]) -> list[str]:
    return [each for each in map(plain, words) if each]


@cache
def _frequent_words() -> Mapping[str, frozenset[str]]:
    lists = yaml.safe_load(_WORD_LISTS.read_text("utf-8"))
    return {language: frozenset(words.split()) for language, words in lists.items()}
