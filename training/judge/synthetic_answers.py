"""Synthetic answers, put together from written clauses, so that what is stacked learns what an answer looks like.

For each key point of a question a status is drawn; one of its clauses is said, in order or nearly so, with what people
say between. Where a point is missing, words that look like it may be said. An answer may also state a misconception;
since that may touch any point, the points that nobody spoke of are left out of what is learned from it.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from domain.vocabulary import VerdictStatus
from training.judge.perturbations import varied
from training.judge.viva_pairs import Pair

_ODDS: Mapping[VerdictStatus, float] = {"covered": 0.34, "partly": 0.18, "missing": 0.28, "contradicted": 0.20}
_WRONG = ("negated", "swapped", "direction", "number", "misconception", "contradicted")
_BESIDE = ("lookalike", "beside")
_LOOKALIKE_IF_MISSING = 0.5
_SPEAKS_OF_A_MISCONCEPTION = 0.4
_STATES_IT = 0.65
_OUT_OF_ORDER = 0.3
_LINKS = (
    "",
    "",
    "and",
    "so",
    "also",
    "then",
    "and then",
    "and also",
    "but",
    "um and",
    "another thing is",
    "plus",
    "the other thing is",
)
_ASIDES = (
    "that is how we did it in my last team", "let me think what else", "I had a case like this once",
    "it depends a bit on the situation of course", "I hope that makes sense", "that was it I think",
    "there is probably more to it", "I would look up the details", "we talked about that a lot",
)  # fmt: skip
_ASIDE = 0.15


Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Composed:
    """An answer and what it does about each point."""

    pack: str
    question_id: str
    words: tuple[str, ...]
    points: Mapping[str, VerdictStatus]
    """By number of the key point; those nothing is known of are left out."""
    stated: Mapping[str, bool]
    """By number of the misconception ("m1")."""
    spans: Mapping[str, Span]
    """First and last word, inclusive, of what was said about a point or a misconception."""


def compose(pairs: Sequence[Pair], choice: random.Random) -> Composed:
    """One answer to the question that all these pairs belong to.

    Args:
        pairs: of one question.
        choice: draws everything.
    """
    by_point: dict[str, dict[str, list[Pair]]] = defaultdict(lambda: defaultdict(list))
    for pair in pairs:
        by_point[pair.number][pair.kind].append(pair)
    said: list[tuple[str, str]] = []
    points: dict[str, VerdictStatus] = {}
    silent: list[str] = []
    for number in sorted(n for n in by_point if not n.startswith("m")):
        status = choice.choices(list(_ODDS), weights=list(_ODDS.values()))[0]
        kinds = {"covered": ("covered",), "partly": ("partly",), "contradicted": _WRONG}.get(status, ())
        clauses = [pair.said for kind in kinds for pair in by_point[number][kind]]
        if not clauses:
            status = "missing"
            silent.append(number)
            near = choice.random() < _LOOKALIKE_IF_MISSING
            clauses = [pair.said for kind in _BESIDE for pair in by_point[number][kind]] if near else []
        points[number] = status
        if clauses:
            said.append((number, choice.choice(clauses)))
    stated = {number: False for number in by_point if number.startswith("m")}
    if stated and choice.random() < _SPEAKS_OF_A_MISCONCEPTION:
        number = choice.choice(sorted(stated))
        kind = "stated" if choice.random() < _STATES_IT else "denied"
        if clauses := [pair.said for pair in by_point[number][kind]]:
            said.append((number, choice.choice(clauses)))
            stated[number] = kind == "stated"
            # Nobody labelled what these words do to the other points.
            points = {point: status for point, status in points.items() if point not in silent}
    words, spans = _spoken(said, choice)
    return Composed(pairs[0].pack, pairs[0].question_id, words, points, stated, spans)


def _spoken(said: list[tuple[str, str]], choice: random.Random) -> tuple[tuple[str, ...], dict[str, Span]]:
    if choice.random() < _OUT_OF_ORDER:
        choice.shuffle(said)
    punctuated = choice.random() < 0.5
    words: list[str] = []
    spans: dict[str, Span] = {}
    for number, clause in said:
        spoken = varied(clause, choice) if choice.random() < 0.4 else clause
        spoken = f"{choice.choice(_LINKS)} {spoken}".strip().rstrip(".")
        first = len(words)
        words += (f"{spoken[:1].upper()}{spoken[1:]}." if punctuated else spoken).split()
        spans[number] = (first, len(words) - 1)
        if choice.random() < _ASIDE:
            aside = choice.choice(_ASIDES)
            words += (f"{aside}." if punctuated else aside).split()
    return tuple(words or "I am not sure about that one".split()), spans
