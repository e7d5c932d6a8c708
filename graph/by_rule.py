"""Rules that a step of an interview goes by when its time has run out: nothing in their context can keep it waiting.

No model is asked and nothing is searched: questions and ideas come from the pack in its order, meanings are compared by
the words that texts share, an utterance that nobody understands in time is an answer, and one that nobody judges in
time has no score.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from domain.topic_wish import no_wish
from graph.context import InterviewContext
from graph.in_time import OutOfTimeError, in_time
from graph.intents import IntentDetector, Understood
from graph.judging.text.stems import content_stems
from rag.embedding.embedder import Vectors
from rag.packs.pack import Concept, Pack
from rag.retrieval.graph import Helpers, RetrievalRequest
from rag.retrieval.session import Choose, Found

_JUDGE_S, _DETECTOR_S = 3.0, 1.0
"""Seconds; the rest takes milliseconds."""
_DIMENSIONS = 512


def by_rule(context: InterviewContext) -> InterviewContext:
    """The same interview, with nothing in it that can be slow."""
    return replace(
        context,
        models=None,
        model_feedback=False,
        questions=PackInOrder(context.pack),
        embedder=SharedWords(),
        detector=DetectorInTime(context.detector, _DETECTOR_S),
        judges=context.judges.without_model(_JUDGE_S),
        topic_wish=no_wish,
        slow_selector_s=0.0,
    )


class SharedWords:
    """Texts as vectors of the stems of their words: how near two are says how many they share."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length for each text, in their order; no rows for no texts."""
        rows = np.zeros((len(texts), _DIMENSIONS), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for stem in content_stems(text) or {text}:
                row[zlib.crc32(stem.encode()) % _DIMENSIONS] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True) if texts else rows


class DetectorInTime:
    """A detector with a limit, behind which what was said is taken for an answer."""

    name = "none in time"

    def __init__(self, detector: IntentDetector, limit_s: float) -> None:
        self._detector = detector
        self._limit_s = limit_s

    async def understand(self, words: Sequence[str], *, turn: int, question: str = "") -> Understood:
        """What these words ask for and what of them is an answer; see `IntentDetector`."""
        try:
            understanding = self._detector.understand(words, turn=turn, question=question)
            return await in_time(understanding, self._limit_s)
        except OutOfTimeError:
            answer = (0, len(words) - 1) if words else None
            return Understood(request=None, confidence=0.0, answer=answer, detector=self.name)


@dataclass(frozen=True, slots=True)
class PackInOrder:
    """Questions and ideas as the pack has them, without any search."""

    pack: Pack

    async def next_question(
        self,
        session: str,  # noqa: ARG002 - of whichever interview
        request: RetrievalRequest,
        choose: Choose,
        helpers: Helpers | None = None,  # noqa: ARG002 - no model helps
    ) -> Found:
        """The first question that fits: of the topic and as hard as wanted, then of the topic, then any."""
        most = request.max_minutes
        free = [
            each
            for each in self.pack.questions
            if each.id not in request.exclude and (not most or each.minutes <= most)
        ]
        of_topic = [each for each in free if each.topic == request.topic]
        exact = [each for each in of_topic if each.difficulty == request.difficulty]
        candidates = exact or of_topic or free
        question = await choose(candidates) if candidates else None
        return Found(question, "high" if exact else "low", 1, (), served_from_cache=False, latency_ms=0.0)

    async def concept(self, session: str, pack: str, name_or_id: str) -> Concept | None:  # noqa: ARG002 - see above
        """What is known about an idea, by its id or its name."""
        return self.pack.concept(name_or_id)

    def rewind(self, session: str, chosen: Collection[str]) -> None:
        """Nothing is remembered."""

    async def prewarm(self, session: str, requests: Sequence[RetrievalRequest], helpers: Helpers | None = None) -> None:
        """Nothing is searched."""

    def fetch_ahead(self, session: str, requests: Sequence[RetrievalRequest], helpers: Helpers | None = None) -> None:
        """Nothing is searched."""

    def end(self, session: str) -> None:
        """Nothing is remembered."""
