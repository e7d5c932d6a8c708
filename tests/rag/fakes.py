"""An embedder that needs no model, retrieval that needs no bank, a clock to set, and where the small pack is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np

from domain.vocabulary import Grade
from rag.bank.bank import QuestionBank
from rag.bank.chroma import BankError, PackStore
from rag.bank.score_scale import MINILM_SCALE
from rag.embedding.embedder import Embedder, Vectors
from rag.packs.pack import BankQuestion
from rag.retrieval.graph import CorrectiveRetrieval, Helpers, RetrievalRequest, Retrieved

KITCHEN = Path(__file__).parent / "packs" / "kitchen.yaml"
"""Six questions on bread, soup and knives."""


class HashedWords(Embedder):
    """Texts are as near to each other as they share words. Keeps what it was asked to embed."""

    def __init__(self, dimensions: int = 384) -> None:
        self.dimensions = dimensions
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text: how often each word occurs, hashed into the dimensions."""
        self.asked += texts
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()) or [""]:
                row[crc32(word.encode()) % self.dimensions] += 1
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows


class Clock:
    """Shows the time that a test sets, in seconds."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class ShelfRetrieval(CorrectiveRetrieval):
    """Gives what a list holds of the wanted topic and difficulty, with the grade that a test sets.

    Other calls come in between, as they do while the bank is searched. Keeps what it was asked for.
    """

    def __init__(
        self, shelf: Sequence[BankQuestion], clock: Clock, *, grade: Grade = "high", embedder: Embedder | None = None
    ) -> None:
        embedder = embedder or HashedWords()
        super().__init__(QuestionBank(PackStore(Path(), None), embedder, MINILM_SCALE), embedder, clock)
        self.shelf = shelf
        self.grade = grade
        self.asked: list[RetrievalRequest] = []
        self.helped: list[Helpers | None] = []
        self.sessions: list[str] = []
        self.broken: set[str | None] = set()
        """Topics for which the bank fails."""
        self.takes_s = 0.0
        """How far a search moves the clock."""
        self.clock = clock

    async def retrieve(
        self, request: RetrievalRequest, helpers: Helpers | None = None, *, session: str = ""
    ) -> Retrieved:
        """What the filters of the request admit, in the order of the list."""
        self.asked.append(request)
        self.helped.append(helpers)
        self.sessions.append(session)
        await asyncio.sleep(0)
        self.clock.now += self.takes_s
        if request.topic in self.broken:
            raise BankError("The question bank is on fire. Put it out.")
        candidates = [
            question
            for question in self.shelf
            if request.topic in (None, question.topic)
            and request.difficulty in (None, question.difficulty)
            and question.id not in request.exclude
            and (request.max_minutes is None or question.minutes <= request.max_minutes)
        ][: request.n]
        grade = self.grade if candidates else "low"
        return Retrieved(candidates, grade, 1, (request.query,), corrective_applied=False, latency_ms=0, score=0.5)


def questions_of(topic: str, number: int, **changes: object) -> list[BankQuestion]:
    """Questions of one topic, numbered from 1, all of medium difficulty and two minutes."""
    points = ["It is made of water.", "It is made of bones.", "It takes time."]
    question = BankQuestion(
        id=f"{topic}-0",
        topic=topic,
        difficulty="medium",
        text=f"What is there to say about {topic}?",
        key_points=points,
        misconceptions=["It is made of stone."],
        model_answer=" ".join(points * 3),
        minutes=2,
        concepts=["stock"],
    )
    return [question.model_copy(update={"id": f"{topic}-{each + 1}", **changes}) for each in range(number)]
