"""Naming: the names and practices of a sentence that the lexicon does not know and that are skills by their place.

A name is a run of words written as names, with the known names beside them ("Android Keystore") and a number behind
("ARINC 429"). It is a skill wherever it stands but behind "to" and "the", which lead to what was worked on.

A practice is two or three plain words of which the last is one for doing ("data versioning"). It is a skill in a list
with a name or a known skill, and at the beginning with a tool behind ("… with DVC").

Neither is one in quotation marks (a title), in a row of a table, or beside a name that is no skill ("Black Friday").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from graph.candidate.lexicon.matching import lexicon
from graph.candidate.lexicon.schema import key_of
from graph.candidate.unlisted.words import Word, is_verb, links_to_tool, words_of
from graph.candidate.vocabulary import DEGREE, KNOWN_PLACE, NATURAL_LANGUAGES, names_role

_LONGEST_NAME, _SHORTEST_NAME = 5, 3
"""Words, and characters."""
_PRACTICE_WORDS = range(2, 4)
_LEADS_TO_THINGS = frozenset("to into the our its their his her my your".split())
_IN_A_LIST = frozenset({",", "/", "(", ")", "|", "·", ";", "&", "+", "and", "or", "later"})
_MOST_DIVIDERS = 2
"""Between two items of a list: a comma and "and"."""
_QUOTED = re.compile(r"[“\"][^”\"]{2,200}[”\"]")
_STANDARD = re.compile(r"(?:ISO|IEC|IEEE|DIN|ASTM|ASME|ASIL|SIL)\b.{0,12}")
_OF_DOING = re.compile(r".{2,40}(?:ing|tion|sis|ment|ity)", re.IGNORECASE)


def skills_told(sentences: Iterable[str], *, names: frozenset[str] = frozenset()) -> Iterator[str]:
    """Skills of sentences that the lexicon does not know, as they are written.

    Args:
        sentences: of what somebody did in a position or a project.
        names: words of names in the same résumé that are no skills (`words_of_names`).
    """
    for sentence in sentences:
        if "\t" in sentence:
            continue
        quoted = [match.span() for match in _QUOTED.finditer(sentence)]
        words = words_of(sentence, lexicon().skills.find(sentence))
        for run in (*_names(words), *_practices(words)):
            start, end = words[run.start].start, words[run.stop - 1].end
            is_quoted = any(at <= start and end <= to for at, to in quoted)
            if not is_quoted and not _is_of_a_name(words, run) and _may_be_a_skill(sentence[start:end], names):
                yield sentence[start:end]


def words_of_names(names: Iterable[str]) -> frozenset[str]:
    """The words of names of people, employers, schools and projects, as they are compared."""
    return frozenset(word for name in names for word in key_of(name))


def _names(words: Sequence[Word]) -> Iterator[range]:
    at = 0
    while at < len(words):
        end = _end_of_name(words, at)
        if any(word.kind == "name" for word in words[at:end]):
            first = at - 1 if _opens_name(words, at) else at
            leads = first > 0 and words[first - 1].text.casefold() in _LEADS_TO_THINGS
            if end - first <= _LONGEST_NAME and not leads:
                yield range(first, end)
        at = max(end, at + 1)


def _end_of_name(words: Sequence[Word], at: int) -> int:
    """Where the run ends that begins here; the same place for none."""
    end = at
    while end < len(words) and (end == at or _touches(words, end)):
        is_name = words[end].kind == "name" or (words[end].kind == "known" and words[end].is_capital)
        is_number = end > at and words[end].kind == "number" and words[end - 1].text.isupper()
        if not (is_name or is_number):
            break
        end += 1
    return end


def _opens_name(words: Sequence[Word], at: int) -> bool:
    """True when the word before a name is its first, "Baseline" of "Baseline Profiles" where a sentence begins."""
    if at == 0 or not _touches(words, at):
        return False
    before = words[at - 1]
    begins = at == 1 or words[at - 2].kind == "mark"
    return before.kind == "word" and before.is_capital and begins and not is_verb(before.text)


def _practices(words: Sequence[Word]) -> Iterator[range]:
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and words[end].kind == "word" and (end == at or _touches(words, end)):
            end += 1
        first = at + 1 if end - at > 1 and is_verb(words[at].text) else at
        if end - first in _PRACTICE_WORDS and _OF_DOING.fullmatch(words[end - 1].text):
            run = range(first, end)
            if _is_item(words, run) or (first == 0 and _has_tool_behind(words, end)):
                yield run
        at = max(end, at + 1)


def _touches(words: Sequence[Word], at: int) -> bool:
    return words[at].start <= words[at - 1].end + 1


def _is_item(words: Sequence[Word], run: range) -> bool:
    """True between dividers of a list of which the item before or behind is a name or known."""
    ends = [words[run.start - 1] if run.start else None, words[run.stop] if run.stop < len(words) else None]
    are_dividers = all(word is None or word.kind == "mark" or word.text.casefold() in _IN_A_LIST for word in ends)
    beside = {_beside(words, run.start - 1, -1), _beside(words, run.stop, 1)}
    return are_dividers and bool(beside & {"known", "name"})


def _beside(words: Sequence[Word], at: int, step: int) -> str:
    """What the next item of a list is; empty where there is none."""
    first = at
    while 0 <= at < len(words) and words[at].text.casefold() in _IN_A_LIST and abs(at - first) < _MOST_DIVIDERS:
        at += step
    return words[at].kind if at != first and 0 <= at < len(words) else ""


def _has_tool_behind(words: Sequence[Word], at: int) -> bool:
    return at + 1 < len(words) and links_to_tool(words[at].text) and words[at + 1].kind in {"known", "name"}


def _is_of_a_name(words: Sequence[Word], run: range) -> bool:
    """True for the rest of a name that is no skill: "Black" of "Black Friday"."""
    before = run.start > 0 and words[run.start - 1].kind == "none" and _touches(words, run.start)
    behind = run.stop < len(words) and words[run.stop].kind == "none" and _touches(words, run.stop)
    return before or behind


def _may_be_a_skill(text: str, names: frozenset[str]) -> bool:
    """False also for what the lexicon knows: it was not found on purpose."""
    if len(text) < _SHORTEST_NAME or lexicon().skills.exact(text) or names_role(text):
        return False
    if KNOWN_PLACE.fullmatch(text) or text.casefold() in NATURAL_LANGUAGES or words_of_names([text]) <= names:
        return False
    return not (DEGREE.fullmatch(text) or _STANDARD.fullmatch(text))
