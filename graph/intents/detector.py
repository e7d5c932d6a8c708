"""Detector without a language model: rules find where a request may be, a small classifier says which it is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from domain.vocabulary import Request
from graph.intents import feedback_style, noise, patience, remarks, resume, self_repair, span_boundaries
from graph.intents.candidate_spans import ANSWER, Tail, has_content, views
from graph.intents.classifier import Classifier
from graph.intents.cues import INTENTS
from graph.intents.features import foreign_stems
from graph.intents.normalize import Stretch, Utterance, stems_of
from graph.intents.slots import detail
from graph.intents.types import Understood
from graph.intents.wishes import Wish

_SURE_OF_NOISE = 0.97
_SURE_OF_WITHDRAWAL = 0.9
_SURE_OF_WISH = 0.95
_SURE_OF_REMARKS = 0.95
_SURE_OF_RESUME = 0.95
_ASKING_FROM = 0.5
"""Probability of asking, whatever for, from which a stretch is read as a request."""
_SURE_OF_LONG = 0.9
"""What the last words of a long utterance must reach, when no beginning of a request is found in it."""
_UNINTELLIGIBLE = INTENTS.index("unintelligible")
_ADDRESSES = re.compile(
    r"\b(?:you|your|me|please|question|interview|feedback|answer|let us|"
    r"(?:can|could|shall|should|may|might|would|are|do|did|if|maybe|perhaps) we|"
    r"we (?:can|could|should|shall|move|skip|go|talk|change|stop|do))\b"
)
"""Of "we" only what a wish has: "we have", "we left it" tell of one's work."""
_UNADDRESSED = 0.08
"""Factor on the odds of a request at the end of an answer whose words address nobody ("… and then stop"). With it, of
1,220 written answers that ask for nothing (bench/data and training/data/judge/next) 18 are taken for a request where 32
were with 0.22 and any "we", and as many of 245 requests behind an answer are found, 223. Weights that had learned from
the ends of 2,560 more answers took 11, and understood fewer requests of another author (macro F1 0.94, not 0.95)."""
_LONG_ANSWER = 40
"""Words of an answer from which hardly anybody asks for anything in the same breath."""
_SURE_BESIDE_LONG = 0.7
"""Confidence of a request beside a long answer. Of 1,633 answers that ask for nothing (bench/data, and every fifth of
training/data/judge) 11 are taken for a request, where 40 were without it and without a request before an answer having
to address somebody; of 149 requests of another author put behind long answers 131 are found, where 139 were."""
_BEFORE_AN_ANSWER: frozenset[Request] = frozenset(
    {"slower", "faster", "feedback_now", "feedback_later", "time_left", "how_am_i_doing", "correct_myself"}
)
"""Requests that are honoured though an answer follows. Who asks for time or a hint and then answers, needs it no more."""
_GRANTED_WITH_WISH: frozenset[Request] = frozenset({"hold", "go_on", "unintelligible"})
"""What whoever has such a wish need not be given as well."""
_IDLE = frozenset("and but so or okay well then because also yeah oh anyway".split())
"""Words that lead over from an answer to a request, or back."""


_COMMANDS: Mapping[str, Request] = {
    "stop": "stop", "stop please": "stop", "please stop": "stop", "skip": "skip", "pass": "skip", "next": "skip",
    "next question": "skip", "repeat": "repeat", "pardon": "repeat", "again": "repeat", "hint": "hint", "wait": "hold",
    "easier": "easier", "harder": "harder", "slower": "slower", "faster": "faster", "rephrase": "rephrase",
}  # fmt: skip
"""What the interviewer offers to say, and words as short as it: nothing else is said around them, so nothing is in
doubt."""
_HEDGED = re.compile(r"\b(?:maybe|perhaps|should we|we should|might)\b")
_ASKED_BACK = 0.6
"""How sure a wish to end the interview is that is hedged, or stands behind an answer ("that's how the software is, so
we've left it"): an end cannot be taken back, so it is asked about. And a wish about patience or feedback in the words of
the question."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the classifier makes of a stretch."""

    stretch: Stretch
    request: Request
    """The likeliest, however unlikely that is."""
    confidence: float
    asking: float
    """Probability that anything is asked for."""

    @property
    def is_request(self) -> bool:
        return self.asking >= _ASKING_FROM


class RuleDetector:
    """Understands an utterance in milliseconds, the same way every time.

    Args:
        classifier: another one than that which comes with Viva.
    """

    name = "rules"

    def __init__(self, classifier: Classifier | None = None) -> None:
        self._classifier = classifier or Classifier()

    async def understand(
        self,
        words: Sequence[str],
        *,
        turn: int = 0,  # noqa: ARG002 - the rules know no turns
        question: str = "",
    ) -> Understood:
        """What these words ask for and what of them is an answer. It is computed in a thread."""
        return await asyncio.to_thread(self.read, words, question)

    def read(self, words: Sequence[str], question: str = "") -> Understood:
        """The same, in this thread."""
        utterance = Utterance(words)
        if command := _COMMANDS.get(utterance.whole.text):
            return self._understood(command, 1.0)
        if noise.is_noise(utterance.whole):
            return self._understood("unintelligible", _SURE_OF_NOISE)
        if remark := remarks.before_answer(utterance):
            return self._read_behind(remark, words, question)
        asked = stems_of(question)
        if about_resume := resume.find(utterance):
            return self._about_resume(about_resume, utterance, asked)
        wish = patience.find(utterance) or feedback_style.find(utterance)
        found = self._read_beside(wish, utterance, asked) if wish else self._read_repaired(utterance, asked)
        if found.request == "stop" and (found.answer or _HEDGED.search(utterance.whole.text)):
            return found.model_copy(update={"confidence": min(found.confidence, _ASKED_BACK)})
        return found

    def _read_behind(self, remark: int, words: Sequence[str], question: str) -> Understood:
        """What is meant by the words behind a remark. Whoever says no more than that is about to."""
        if remark == len(words):
            return self._understood("hold", _SURE_OF_REMARKS)
        rest = self.read(words[remark:], question)
        return rest.model_copy(update={"answer": rest.answer and (rest.answer[0] + remark, rest.answer[1] + remark)})

    def _about_resume(self, said: Stretch, utterance: Utterance, asked: frozenset[str]) -> Understood:
        """A wish to be asked about the résumé; what was said before or behind it may be an answer."""
        first, last, end = said.first, said.last, len(utterance) - 1
        rest = (last + 1, end) if first == 0 else (0, first - 1)
        answer = None
        if rest[0] <= rest[1] and has_content(utterance.stretch(*rest), asked, self._classifier.request_stems):
            answer = utterance.trimmed(*rest, _IDLE)
        found = self._understood("about_resume", _SURE_OF_RESUME, answer)
        return found.model_copy(update={"detail": said.text})

    def _read_beside(self, wish: Wish, utterance: Utterance, asked: frozenset[str]) -> Understood:
        """A wish about patience or feedback, and the answer beside it. Another request made with it goes before it."""
        first, last, end = wish.said.first, wish.said.last, len(utterance) - 1
        if first == 0 and last == end:
            # "You can answer faster" may be the answer to a question about answering.
            confidence = _SURE_OF_WISH if asked.isdisjoint(wish.said.stems) else _ASKED_BACK
            return self._understood(wish.request, confidence)
        # In the middle of an answer it stays there: its words claim nothing, and those around it are one answer.
        span = (0, first - 1) if last == end else (last + 1, end) if first == 0 else (0, end)
        rest = self._read_repaired(Utterance(utterance.words[span[0] : span[1] + 1]), asked)
        answer = rest.answer and (rest.answer[0] + span[0], rest.answer[1] + span[0])
        if rest.request not in (None, *_GRANTED_WITH_WISH):
            return rest.model_copy(update={"answer": answer})
        if answer and first == 0 and not has_content(utterance.stretch(*answer), asked, self._classifier.request_stems):
            answer = None
        found = self._understood(wish.request, _SURE_OF_WISH, answer)
        return found.model_copy(update={"withdrawn": rest.withdrawn})

    def _read_repaired(self, utterance: Utterance, asked: frozenset[str]) -> Understood:
        """What is meant after the last words that took something back."""
        marker = self_repair.withdrawal(utterance.whole)
        return self._read_after(marker[1] + 1, utterance, asked) if marker else self._read(utterance, asked)

    def _read_after(self, start: int, utterance: Utterance, asked: frozenset[str]) -> Understood:
        """What was said before `start` was taken back; when nothing follows, it has yet to be said."""
        rest = utterance.trimmed(start, len(utterance) - 1, _IDLE)
        if rest is None:
            return self._understood("correct_myself", _SURE_OF_WITHDRAWAL).model_copy(update={"withdrawn": True})
        after = self._read(Utterance(utterance.words[rest[0] :]), asked)
        answer = after.answer and (after.answer[0] + rest[0], after.answer[1] + rest[0])
        return after.model_copy(update={"answer": answer, "withdrawn": True})

    def _read(self, utterance: Utterance, asked: frozenset[str]) -> Understood:
        reader = _Reader(utterance, asked, self._classifier)
        found = reader.behind_answer() or reader.whole() or reader.behind_nothing() or reader.before_answer()
        if found is not None:
            return self._understood(*found)
        return Understood(request=None, confidence=reader.sure_of_answer, answer=reader.answer(), detector=self.name)

    def _understood(
        self, request: Request, confidence: float, answer: tuple[int, int] | None = None, words: Stretch | None = None
    ) -> Understood:
        return Understood(
            request=request,
            confidence=round(confidence, 3),
            detail=detail(request, words.text) if words else "",
            answer=answer,
            detector=self.name,
        )


_Found = tuple[Request, float, tuple[int, int] | None, Stretch]
"""A request, its confidence, the words that are an answer, the words that ask."""


class _Reader:
    """Reads one utterance: what the classifier makes of its views, put together.

    Args:
        utterance: what was said.
        asked: stems of the question.
        classifier: gives the probabilities.
    """

    def __init__(self, utterance: Utterance, asked: frozenset[str], classifier: Classifier) -> None:
        self._utterance = utterance
        self._asked = asked
        self._of_requests = classifier.request_stems
        self._views = views(utterance, asked, classifier)
        stretches = self._views.stretches()
        odds = classifier.full(stretches)
        self._readings = {
            stretch: _reading(stretch, row, is_part=stretch is not self._views.context)
            for stretch, row in zip(stretches, odds, strict=True)
        }
        self._context = self._readings[self._views.context]

    @property
    def sure_of_answer(self) -> float:
        """How sure it is that nothing was asked for."""
        return round(1 - self._context.asking, 3)

    def answer(self) -> tuple[int, int] | None:
        """The words of an answer: all of them, but for asking for something that was not needed in the end."""
        head = self._request_before()
        return self._utterance.trimmed(head.stretch.last + 1 if head else 0, len(self._utterance) - 1)

    def behind_answer(self) -> _Found | None:
        """A request at the end, behind an answer."""
        found = [(tail, self._in_place(tail.stretch)) for tail in self._views.tails if self._is_answer(tail.before)]
        asking = [(tail, reading) for tail, reading in found if _is_sure_beside(tail.before, reading)]
        if not asking:
            return None
        tail, reading = max(asking, key=lambda pair: pair[1].confidence)
        if self._is_one_request(tail, reading):
            return None
        answer = self._utterance.trimmed(0, self._begins(tail.stretch.first) - 1, _IDLE)
        return reading.request, reading.confidence, answer, reading.stretch

    def whole(self) -> _Found | None:
        """A request and nothing else; only a correction brings an answer of its own."""
        context = self._context
        if not context.is_request or (context.stretch.first > 0 and context.asking < _SURE_OF_LONG):
            return None
        answer = None
        span = self_repair.correction(context.stretch) if context.request == "correct_myself" else None
        if span and foreign_stems(self._utterance.stretch(*span), self._of_requests):
            answer = self._utterance.trimmed(*span, _IDLE)
        return context.request, context.confidence, answer, context.stretch

    def behind_nothing(self) -> _Found | None:
        """A request at the end, behind words that say nothing ("no idea, next question")."""
        for tail in self._views.tails:
            reading = self._in_place(tail.stretch)
            if reading.is_request and not self._is_answer(tail.before):
                return reading.request, reading.confidence, None, reading.stretch
        return None

    def before_answer(self) -> _Found | None:
        """A request that was said first, and holds for what comes."""
        head = self._request_before()
        if not head or head.request not in _BEFORE_AN_ANSWER:
            return None
        return head.request, head.confidence, self.answer(), head.stretch

    def _request_before(self) -> _Reading | None:
        """The beginning, when it asks for something."""
        if not self._views.head:
            return None
        head = self._in_place(self._views.head)
        answer = self._utterance.stretch(head.stretch.last + 1, len(self._utterance) - 1)
        return head if _is_sure_beside(answer, head) else None

    def _in_place(self, stretch: Stretch) -> _Reading:
        """A stretch read in its place: beside an answer, words that address nobody count less."""
        reading = self._readings[stretch]
        if _ADDRESSES.search(stretch.text):
            return reading
        asking = reading.asking * _UNADDRESSED / (reading.asking * _UNADDRESSED + 1 - reading.asking + 1e-9)
        return replace(reading, asking=asking, confidence=reading.confidence * asking / max(reading.asking, 1e-9))

    def _is_one_request(self, tail: Tail, reading: _Reading) -> bool:
        """True when what comes before a tail belongs to the asking, so that nothing was answered."""
        if not self._context.is_request or self._context.stretch.first > 0:
            return False
        before = self._readings.get(tail.before)
        if self._context.request == reading.request:
            return before is not None and before.is_request
        return self._context.confidence > reading.confidence

    def _begins(self, start: int) -> int:
        """Where a request really begins: an answer's end is followed by words that lead over to it."""
        for earlier in reversed(span_boundaries.tails(self._utterance)):
            if earlier >= start:
                continue
            between = self._utterance.stretch(earlier, start - 1)
            foreign = foreign_stems(between, self._of_requests)
            if foreign:
                break
            if not self._has_content(self._utterance.stretch(0, earlier - 1)):
                break
            start = earlier
        return start

    def _is_answer(self, before: Stretch) -> bool:
        """True when what comes before a tail is an answer, not a part of asking."""
        return self._has_content(before)

    def _has_content(self, stretch: Stretch) -> bool:
        return has_content(stretch, self._asked, self._of_requests)


def _is_sure_beside(answer: Stretch, reading: _Reading) -> bool:
    """True when a request is sure enough to be one beside what may be an answer."""
    is_long = len(answer.tokens) >= _LONG_ANSWER
    return reading.is_request and (not is_long or reading.confidence >= _SURE_BESIDE_LONG)


def _reading(stretch: Stretch, odds: NDArray[np.floating[Any]], *, is_part: bool) -> _Reading:
    asking = 1 - float(odds[ANSWER]) - (float(odds[_UNINTELLIGIBLE]) if is_part else 0.0)
    requests = [
        (float(odds[index]), intent)
        for index, intent in enumerate(INTENTS)
        if intent != "answer" and not (is_part and intent == "unintelligible")
    ]
    confidence, request = max(requests)
    return _Reading(stretch, request, confidence, asking)
