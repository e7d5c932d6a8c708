"""Candidate spans: which stretches of an utterance are worth looking at closely; each costs milliseconds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graph.intents import span_boundaries
from graph.intents.classifier import Classifier
from graph.intents.cues import INTENTS
from graph.intents.features import foreign_stems
from graph.intents.normalize import Stretch, Utterance

ANSWER = INTENTS.index("answer")

_TAILS = 2
_HEAD_FROM = 0.5
"""Probability by its build from which the beginning of an utterance is looked at as a request."""
_CONTENT_STEMS = 2
"""Words of its own that an answer has at least; one will do in a sentence."""
_SENTENCE = 5
"""Words."""


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of an utterance, which may be a request, and what comes before it."""

    stretch: Stretch
    before: Stretch


@dataclass(frozen=True, slots=True)
class Views:
    """The stretches of an utterance that are looked at closely."""

    context: Stretch
    """All of a short utterance, the last words of a long one."""
    tails: tuple[Tail, ...]
    head: Stretch | None
    """The beginning, if it may be a request that an answer follows."""

    def stretches(self) -> list[Stretch]:
        """All that have to be embedded, each once. What comes before a tail, only while it is short."""
        before = [tail.before for tail in self.tails if 0 < len(tail.before.tokens) <= span_boundaries.SHORT]
        wanted = [self.context, *(tail.stretch for tail in self.tails), *before, self.head]
        return list(dict.fromkeys(each for each in wanted if each is not None))


def has_content(stretch: Stretch, asked: frozenset[str], of_requests: frozenset[str]) -> bool:
    """True when a stretch says something of its own: it may be an answer, and is no mere part of asking.

    Args:
        stretch: the words.
        asked: stems of the question, empty when it is not known.
        of_requests: stems that requests are made of.
    """
    foreign = foreign_stems(stretch, of_requests)
    enough = 1 if len(stretch.tokens) >= _SENTENCE else _CONTENT_STEMS
    return len(foreign) >= enough or not asked.isdisjoint(foreign)


def views(utterance: Utterance, asked: frozenset[str], classifier: Classifier) -> Views:
    """Choose them by their build alone, which is quick."""
    last = len(utterance) - 1
    tails = [utterance.stretch(start, last) for start in span_boundaries.tails(utterance)]
    if tails:
        odds = classifier.quick(tails, asked)[:, ANSWER]
        tails = [tails[index] for index in np.argsort(odds, kind="stable")[:_TAILS]]
    return Views(
        context=span_boundaries.context(utterance),
        tails=tuple(Tail(tail, utterance.stretch(0, tail.first - 1)) for tail in tails),
        head=_head(utterance, asked, classifier),
    )


def _head(utterance: Utterance, asked: frozenset[str], classifier: Classifier) -> Stretch | None:
    heads = [utterance.stretch(0, end) for end in span_boundaries.heads(utterance)]
    heads = [head for head in heads if head.tokens]
    if not heads:
        return None
    odds = classifier.quick(heads, asked)[:, ANSWER]
    best = int(np.argmin(odds))
    rest = utterance.stretch(heads[best].last + 1, len(utterance) - 1)
    likely = odds[best] <= 1 - _HEAD_FROM and has_content(rest, asked, classifier.request_stems)
    return heads[best] if likely else None
