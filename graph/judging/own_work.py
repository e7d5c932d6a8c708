"""Own work, as people tell it: by which words one knows that a part of an account was told (`own_work.yaml`).

A question about a résumé asks for parts that every piece of work has (what was hard, what somebody did themselves, what
came of it), so its points name nothing of the matter. The encoder ranks answers rightly by such points and is rarely
sure of one: it learned from points that say what is so. Ways of speaking are what tells a part apart from others, and
the two together make the verdict here. Nothing that somebody tells of their own work contradicts such a point.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

from domain.question import Question
from domain.verdict import Counts, Quote, Verdict
from domain.vocabulary import StoryPart
from graph.judging.text import clauses
from graph.judging.text.stems import content_stems, plain
from graph.judging.text.work_verbs import past_forms

_FILE = Path(__file__).with_suffix(".yaml")
_FEWEST_STEMS = 2
"""Words that carry meaning in a clause that tells something."""
_LONGEST_CLAUSE = 300
"""Characters of a clause that are looked at; a word that is typed may have thousands."""
_NOTHING, _OF_READING, _OF_HINT, _OF_SAYING, _OF_MORE = -2.3, 5.0, 1.2, 2.6, 0.6
"""Log-odds that a part was told: without anything, by the encoder's reading (a share of a point), by words that go with
it, by a clause that tells it, and by each further clause that does."""
_OF_BEING_ASKED, _ENOUGH_SAID, _ENOUGH_FOR_ONE = 1.2, 7, 3
"""Log-odds that the first part was told, which is what the question itself asks for ("What was the hardest part?"), in
an answer of so many different words that carry meaning: nobody says so much and nothing of that, in whatever words. A
follow-up asks for nothing else, so that fewer are enough."""
_SURELY = 0.875
"""Probability from which a part may be asked for, or be said to have been left out: who hears that about what they told
was not listened to. Nothing gets more than 0.91, and one processor's arithmetic with the encoder's small integers is
not quite another's: a limit that is met by little on one is not met on the other."""
_MOST_MORE = 2
_COVERED_FROM, _PARTLY_FROM = 0.6, 0.38
_READ_ONLY = 0.5
"""What the encoder's reading alone can make probable."""


class _Ways(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    says: list[str]
    hints: list[str]


@dataclass(frozen=True, slots=True)
class Told:
    """How a part is told in an answer, as far as ways of speaking show it."""

    saying: int = 0
    """Clauses that tell it."""
    hinting: int = 0
    """Clauses with words that go with it."""
    quote: Quote | None = None
    """The first clause that tells it, or that has such words."""


def by_ways_of_speaking(verdicts: Sequence[Verdict], question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
    """The verdicts on parts of one's own work, by what the encoder read and how it was said.

    They say themselves what is sure enough to act on: the limits of `selection` were chosen on points that say what is
    so.

    Args:
        verdicts: of the encoder, on every key point.
        question: what was asked, with a part for each of its points.
        words: the answer, at least one word.
    """
    parts = dict(zip(question.targets.points, question.targets.parts, strict=False))
    # A question asks for its first part, a follow-up for all that it is judged by.
    asked = question.targets.points[:1] if question.kind == "retrieved" else question.targets.points
    enough = len(content_stems(" ".join(words))) >= (_ENOUGH_SAID if question.kind == "retrieved" else _ENOUGH_FOR_ONE)
    made = (
        _verdict(each, told(parts[each.point], words, asked=each.point in asked), asked=enough and each.point in asked)
        if each.point in parts
        else each
        for each in verdicts
        if each.kind == "key_point"
    )
    return tuple(
        each.model_copy(update={"told": each.probability >= _SURELY}) if each.status == "missing" else each
        for each in made
    )


def told(part: StoryPart, words: Sequence[str], *, asked: bool = False) -> Told:
    """How an answer tells a part.

    Args:
        part: of an account of one's own work.
        words: the answer.
        asked: the question asks for just that, so that a clause with one word that carries meaning may tell it.
    """
    ways = _ways().get(part)
    if ways is None:
        return Told()
    said: list[clauses.Clause] = []
    hinted: list[clauses.Clause] = []
    for clause in clauses.split(words):
        spelled = clause.text[:_LONGEST_CLAUSE].replace("-", " ").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        text = " ".join(filter(None, map(plain, spelled.split())))
        if len(content_stems(text)) < (1 if asked else _FEWEST_STEMS):
            continue
        if ways[0].search(text):
            said.append(clause)
        elif ways[1].search(text):
            hinted.append(clause)
    first = next(iter((*said, *hinted)), None)
    quote = Quote(text=first.text, first_word=first.first_word, last_word=first.last_word) if first else None
    return Told(len(said), len(hinted), quote)


def _verdict(read: Verdict, heard: Told, *, asked: bool) -> Verdict:
    weighed = read.weighed
    credit = weighed.covered + (weighed.partly + weighed.contradicted) / 2
    odds = _NOTHING + _OF_READING * credit + _OF_BEING_ASKED * asked
    if heard.saying:
        odds += _OF_SAYING + _OF_MORE * min(heard.saying - 1, _MOST_MORE)
    elif heard.hinting:
        odds += _OF_HINT
    sure = 1 / (1 + math.exp(-odds))
    if not heard.saying and not heard.hinting:
        sure = min(sure, _READ_ONLY)
    quote = (read.quote if read.status != "missing" else None) or heard.quote
    if sure < _PARTLY_FROM or quote is None:
        rule = "neither the encoder's reading nor the way it is told makes the point"
        return Verdict(
            point=read.point,
            status="missing",
            probability=round(1 - sure, 3),
            rule=rule,
            counts=_counted("covered", sure),
        )
    status: Literal["covered", "partly"] = "covered" if sure >= _COVERED_FROM else "partly"
    rule = "told in these words" if status == "covered" else "touched in these words"
    counts = _counted(status, sure)
    return Verdict(point=read.point, status=status, quote=quote, probability=round(sure, 3), rule=rule, counts=counts)


def _counted(status: Literal["covered", "partly"], sure: float) -> Counts:
    """What a verdict counts for: the likelier more than in proportion, as of any other point."""
    made = round(sure**2 / (sure**2 + (1 - sure) ** 2), 3)
    return Counts(**{status: made, "missing": round(1 - made, 3)})


@cache
def _ways() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    """The patterns of each part, compiled.

    Raises:
        ValueError: the file has the wrong form, or a pattern is none.
    """
    file = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    fragments = {**file.pop("parts"), "past": "|".join(sorted(map(re.escape, past_forms())))}
    ways = {part: _Ways.model_validate(each) for part, each in file.items()}
    return {part: (_any_of(each.says, fragments), _any_of(each.hints, fragments)) for part, each in ways.items()}


def _any_of(patterns: Sequence[str], fragments: dict[str, str]) -> re.Pattern[str]:
    if not patterns:
        return re.compile(r"(?!)")
    pattern = "|".join(f"(?:{each})" for each in patterns)
    for name, fragment in fragments.items():
        pattern = pattern.replace(f"{{{name}}}", fragment)
    return re.compile(pattern)
