"""The detector that needs no language model: rules find where a request may be, a small classifier says which it is."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graph.intents import corrections, debris, segments
from graph.intents.classifier import Classifier, Matrix
from graph.intents.cues import INTENTS
from graph.intents.details import detail
from graph.intents.features import foreign_stems
from graph.intents.plain import Stretch, Utterance, stems_of
from graph.intents.vocabulary import Request, Understood
from graph.judging.builtin import Embedder

_ANSWER = INTENTS.index("answer")
_SURE_OF_DEBRIS = 0.97
_TAILS_READ = 2
"""Ends of an utterance whose meaning is looked at, besides all of it. Each costs milliseconds."""
_HEAD_FROM = 0.5
"""Probability by its build from which the beginning of an utterance is looked at as a request."""
_BEFORE_AN_ANSWER: frozenset[Request] = frozenset(
    {"slower", "faster", "feedback_now", "feedback_later", "time_left", "how_am_i_doing", "correct_myself"}
)
"""Requests that can be honoured though an answer follows. Who asks for time or for a hint and then answers, needs none."""
_IDLE = frozenset("and but so or okay well then because also yeah oh anyway that is it".split())
"""Words at the end of an answer that lead over to a request."""
_CONTENT_STEMS = 2


@dataclass(frozen=True, slots=True)
class _Found:
    """A request in an utterance."""

    request: Request
    confidence: float
    words: Stretch
    """The request's own words."""
    answer: tuple[int, int] | None


class RuleDetector:
    """Understands an utterance in milliseconds, the same way every time.

    Args:
        embedder: the meaning of sentences. With another one than the classifier was trained with, it goes by the
            words alone.
    """

    name = "rules"

    def __init__(self, embedder: Embedder, classifier: Classifier | None = None) -> None:
        self._classifier = classifier or Classifier(embedder)

    async def understand(self, words: Sequence[str], *, question: str = "") -> Understood:
        """What these words ask for and what of them is an answer. It computes in a thread of its own."""
        return await asyncio.to_thread(self.read, words, question)

    def read(self, words: Sequence[str], question: str = "") -> Understood:
        """The same, in this thread."""
        utterance = Utterance(words)
        said = utterance.whole
        if debris.is_debris(said):
            return Understood(
                request="unintelligible", confidence=_SURE_OF_DEBRIS, answer=None, detector=self.name
            )
        asked = stems_of(question)
        taken_back = corrections.withdrawal(said, self._classifier.request_stems)
        if taken_back is not None:
            return self._after_withdrawal(utterance, taken_back, asked)
        return self._read(utterance, asked)

    def _after_withdrawal(
        self, utterance: Utterance, taken_back: corrections.Withdrawal, asked: frozenset[str]
    ) -> Understood:
        """Only what follows counts; when nothing does, the candidate has yet to say it."""
        start = taken_back.marker[1] + 1
        rest = utterance.trimmed(start, len(utterance) - 1, _IDLE)
        if rest is None:
            return Understood(
                request="correct_myself", confidence=0.9, answer=None, withdrawn=True, detector=self.name
            )
        understood = self._read(Utterance(utterance.words[start:]), asked)
        answer = understood.answer and (understood.answer[0] + start, understood.answer[1] + start)
        if understood.request == "unintelligible":
            understood, answer = understood.model_copy(update={"request": None}), rest
        return understood.model_copy(update={"answer": answer, "withdrawn": True})

    def _read(self, utterance: Utterance, asked: frozenset[str]) -> Understood:
        found, sure_of_answer = self._search(utterance, asked)
        if found is None:
            span = utterance.trimmed(0, len(utterance) - 1)
            return Understood(request=None, confidence=sure_of_answer, answer=span, detector=self.name)
        return Understood(
            request=found.request,
            confidence=found.confidence,
            detail=detail(found.request, found.words.text),
            answer=found.answer,
            detector=self.name,
        )

    def _search(self, utterance: Utterance, asked: frozenset[str]) -> tuple[_Found | None, float]:
        """The request in an utterance, or None and how sure it is that there is none."""
        views = self._views(utterance, asked)
        odds = self._classifier.full(views.stretches, self._classifier.build(views.stretches, asked))
        readings = [_Reading.of(stretch, row) for stretch, row in zip(views.stretches, odds, strict=True)]
        whole = readings[0]
        best: _Found | None = None
        for at, before in views.tails:
            tail = readings[at]
            if tail.request is None or not self._answers(utterance, tail, readings[before] if before is not None else None, asked):
                continue
            if best is None or tail.confidence > best.confidence:
                best = self._found(tail, utterance.trimmed(0, tail.stretch.first - 1, _IDLE))
        if best is not None:
            return best, 0.0
        if whole.request:
            return self._alone(utterance, whole), 0.0
        for at, before in views.tails:
            tail = readings[at]
            if tail.request and not self._has_content(utterance.stretch(0, tail.stretch.first - 1), asked):
                return self._found(tail, None), 0.0
        if views.head is not None and (head := readings[views.head]).request:
            answer = utterance.trimmed(head.stretch.last + 1, len(utterance) - 1, _IDLE)
            if head.request in _BEFORE_AN_ANSWER:
                return self._found(head, answer), 0.0
        return None, round(1 - whole.asking, 3)

    def _views(self, utterance: Utterance, asked: frozenset[str]) -> _Views:
        """The stretches worth looking at: all of it if it is short, the likeliest tails, a likely head."""
        last = len(utterance) - 1
        starts = segments.tails(utterance)
        tails = [utterance.stretch(start, last) for start in starts]
        views = _Views([], [], None)
        views.add(segments.context(utterance))
        if tails:
            odds = self._classifier.quick(self._classifier.build(tails, asked))
            likeliest = sorted(range(len(tails)), key=lambda index: odds[index, _ANSWER])[:_TAILS_READ]
            for index in likeliest:
                tail = tails[index]
                at = views.add(tail)
                before = utterance.stretch(0, tail.first - 1)
                short = 0 < len(before.tokens) <= segments.SHORT and foreign_stems(before, self._classifier.request_stems)
                views.tails.append((at, views.add(before) if short else None))
        views.head = self._head(utterance, asked, views)
        return views

    def _head(self, utterance: Utterance, asked: frozenset[str], views: _Views) -> int | None:
        """Look at the beginning too, if by its build it may be a request that an answer follows."""
        heads = [utterance.stretch(0, end) for end in segments.heads(utterance)]
        heads = [head for head in heads if head.tokens]
        if not heads:
            return None
        odds = self._classifier.quick(self._classifier.build(heads, asked))
        best = int(np.argmin(odds[:, _ANSWER]))
        rest = utterance.stretch(heads[best].last + 1, len(utterance) - 1)
        if 1 - odds[best, _ANSWER] < _HEAD_FROM or not self._has_content(rest, asked):
            return None
        return views.add(heads[best])

    def _answers(
        self, utterance: Utterance, tail: _Reading, before: _Reading | None, asked: frozenset[str]
    ) -> bool:
        """True when what comes before a request is an answer, not a part of asking."""
        if tail.stretch.first == 0:
            return False
        if before is not None:
            return before.request is None and self._has_content(before.stretch, asked)
        return self._has_content(utterance.stretch(0, tail.stretch.first - 1), asked)

    def _has_content(self, stretch: Stretch, asked: frozenset[str]) -> bool:
        foreign = foreign_stems(stretch, self._classifier.request_stems)
        return len(foreign) >= _CONTENT_STEMS or bool(asked.intersection(foreign))

    def _alone(self, utterance: Utterance, whole: _Reading) -> _Found:
        """A request without an answer; only a correction brings its own."""
        answer = None
        if whole.request == "correct_myself" and (span := corrections.correction(whole.stretch)):
            rest = utterance.stretch(*span)
            if foreign_stems(rest, self._classifier.request_stems):
                answer = utterance.trimmed(*span, _IDLE)
        return self._found(whole, answer)

    def _found(self, reading: _Reading, answer: tuple[int, int] | None) -> _Found:
        assert reading.request is not None
        return _Found(reading.request, round(reading.confidence, 3), reading.stretch, answer)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the classifier makes of a stretch."""

    stretch: Stretch
    request: Request | None
    """None: more likely an answer."""
    confidence: float
    asking: float
    """Probability that it is a request, whichever."""

    @classmethod
    def of(cls, stretch: Stretch, odds: Matrix) -> _Reading:
        asking = float(1 - odds[_ANSWER])
        best = int(np.argmax(np.where(np.arange(len(INTENTS)) == _ANSWER, -1, odds)))
        intent = INTENTS[best]
        assert intent != "answer"
        is_request = asking >= 0.5
        return cls(stretch, intent if is_request else None, float(odds[best]), asking)


@dataclass(slots=True)
class _Views:
    """The stretches of an utterance that are looked at, by their indexes."""

    stretches: list[Stretch]
    """The first one is all of it, or its last words."""
    tails: list[tuple[int, int | None]]
    """Each with what comes before it, when that is short enough to be looked at."""
    head: int | None

    def add(self, stretch: Stretch) -> int:
        if stretch not in self.stretches:
            self.stretches.append(stretch)
        return self.stretches.index(stretch)


def _confidence(reading: _Reading) -> float:
    return reading.confidence
