"""Features of the classifier besides the meaning of a stretch of words: how it is built, and what else is in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from graph.intents.cues import INTENTS, cue_features
from graph.intents.normalize import Stretch

_BUILDS = tuple(
    re.compile(pattern)
    for pattern in (
        r"^(?:\w+ ){0,3}?(?:can|could|would|will|may|might) you\b",
        r"\b(?:can|could|would|will|may|might|shall) we\b",
        r"^(?:\w+ ){0,3}?(?:can|could|may|might) i\b",
        r"\bplease\b",
        r"\blet us\b",
        r"\blet me\b",
        r"\bi (?:want|need|prefer|wish|would (?:like|love|prefer|rather))\b",
        r"\bi would (?!like|love|prefer|rather)\w+",
        r"\byou\b",
        r"\byour\b",
        r"\bwe\b",
        r"\bi\b",
        r"\bme\b",
        r"\bi am\b",
        r"\b(?:he|she|they|his|her|their|him|them)\b",
        r"\bit\b",
        r"\bthe\b",
        r"\ban?\b",
        r"\b(?:was|were|had|told|asked|said|did|went|felt)\b",
        r"\b(?:because|so that|when|if|until|whenever|while|since)\b",
        r"\b(?:then|and then|after that)\b",
        r"\bthe (?:question|interview|questions|answer|answers|feedback|topic)\b",
        r"^(?:you|it|the|an?|when|if|because|they|there|we|first|one|two)\b",
        r"^(?:i would|i will|i do not|i have|i think|i was|i am)\b",
        r"\b(?:the|an?|each|every|its|another) \w+ (?:is|has|will|does|gets|can|waits|goes|needs|stops|keeps)\b",
        r"\bsorry\b",
        r"^(?:what|how|which|is|are|was|did|do|does|am|where|when)\b",
        r"\b(?:in|on|at|to|of|from|for|with|by)\b",
        r"\b(?:now|instead|today|later)$",
        r"\b(?:users?|servers?|clients?|data(?:base)?|threads?|model|service|requests?|cache|team|manager|code|system)\b",
    )
)
_COMMON_FROM = 3
"""Requests that a stem must occur in to belong to the words of requests."""
_MOSTLY_REPEATED = 0.5


def request_stems(requests: Iterable[Stretch]) -> frozenset[str]:
    """Stems that requests are made of; all others are about something else, most often the subject of an answer."""
    counts = Counter(stem for request in requests for stem in set(request.stems))
    return frozenset(stem for stem, count in counts.items() if count >= _COMMON_FROM)


def foreign_stems(stretch: Stretch, of_requests: AbstractSet[str]) -> list[str]:
    """The stems of a stretch that requests are not made of."""
    return [stem for stem in stretch.stems if stem not in of_requests]


def features(stretch: Stretch, asked: AbstractSet[str], of_requests: AbstractSet[str]) -> NDArray[np.float32]:
    """One row of numbers, each about 0 to 1.

    Args:
        stretch: the words.
        asked: stems of the question that was asked: an answer shares some of them.
        of_requests: stems that requests are made of.
    """
    size, stems, foreign = len(stretch.tokens), stretch.stems, foreign_stems(stretch, of_requests)
    shared = set(stems) & asked
    about = [
        np.log1p(size) / 3,
        *(size <= limit for limit in (1, 2, 4, 7, 12)),
        size > 18,  # noqa: PLR2004 - buckets of length, like those above
        size > 30,  # noqa: PLR2004
        min(len(foreign), 6) / 3,
        *(len(foreign) == count for count in (0, 1)),
        len(foreign) > 2,  # noqa: PLR2004
        len(foreign) / max(1, len(stems)),
        not stems,
        len(set(stretch.tokens)) < _MOSTLY_REPEATED * size,
        len(shared) / max(1, len(set(stems))),
        min(3, len(shared & set(foreign))) / 3,
    ]
    builds = [pattern.search(stretch.text) is not None for pattern in _BUILDS]
    cues = cue_features(stretch)
    said = cues[: len(INTENTS)]
    little, short = len(foreign) <= 1, size <= 7  # noqa: PLR2004
    return np.concatenate(
        [np.array(about + builds, np.float32), cues, said * little, said * short, said * (little and short)]
    )
