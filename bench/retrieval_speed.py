"""How long it takes to find the next question, in the shipped packs and in a pack of 10,000 questions.

Milliseconds of `CorrectiveRetrieval.retrieve`, with a query whose words were never embedded before (as after a
refinement or a candidate's own words) and with one that was (a topic's title, which comes again and again); and of
`SessionQuestions.next_question` where the topic was fetched ahead. The import of the large pack is timed without its
embeddings.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
from rich.console import Console
from rich.table import Table

from agent.model_files.prepare import ensure_models
from agent.settings import load_settings
from rag import (
    BankQuestion,
    CorrectiveRetrieval,
    Embedder,
    MiniLM,
    Pack,
    QuestionBank,
    RetrievalRequest,
    SessionQuestions,
    load_packs,
)
from rag.embedding.embedder import Vectors

ROUNDS = 100
LARGE = 10_000


class Scattered:
    """Gives texts that differ only in their case number vectors that differ a little, without embedding each."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The embeddings of the texts without their numbers, each shifted by a noise of its own."""
        rows = self._embedder.embed([re.sub(r" Case \d+\.", "", text) for text in texts])
        noise = [np.random.default_rng(crc32(text.encode())).normal(0, 0.02, rows.shape[1]) for text in texts]
        moved = rows + np.array(noise, dtype=np.float32)
        scattered: Vectors = moved / np.linalg.norm(moved, axis=1, keepdims=True)
        return scattered


def enlarged(packs: Sequence[Pack], size: int) -> Pack:
    """One pack of many questions: those of the packs again and again, told apart by a number."""
    first = packs[0]
    questions = [
        question.model_copy(update={"id": f"{question.id}-{turn}", "text": f"{question.text} Case {turn}."})
        for turn in range(size // len(first.questions) + 1)
        for question in first.questions
    ]
    return first.model_copy(update={"id": "large", "questions": questions[:size]})


async def timed(retrieval: CorrectiveRetrieval, pack: Pack, *, new_words: bool) -> list[float]:
    """Milliseconds of many retrievals, after one that nobody counts."""
    took: list[float] = []
    for turn in range(ROUNDS + 1):
        words = f"number {time.perf_counter_ns()}" if new_words else ""
        found = await retrieval.retrieve(request_for(pack, turn, words))
        took.append(found.latency_ms)
    return took[1:]


async def timed_hits(retrieval: CorrectiveRetrieval, pack: Pack) -> list[float]:
    """Milliseconds in which sessions whose topics were fetched ahead give their questions."""
    questions = SessionQuestions(retrieval, {pack.id: pack}, time.perf_counter)
    took: list[float] = []
    for turn in range(ROUNDS + 1):
        session, request = str(turn // len(pack.topics)), request_for(pack, turn)
        await questions.prewarm(session, [request])
        found = await questions.next_question(session, request, first)
        assert found.served_from_cache
        took.append(found.latency_ms)
    return took[1:]


def request_for(pack: Pack, turn: int, words: str = "") -> RetrievalRequest:
    """A question for each topic of the pack in turn."""
    topic = pack.topics[turn % len(pack.topics)]
    return RetrievalRequest(pack.id, topic.id, topic.title, "medium", 10, n=5, words=words)


async def first(candidates: Sequence[BankQuestion]) -> BankQuestion:
    """The best of the search."""
    return candidates[0]


async def main() -> None:
    """Import, retrieve, print."""
    minilm = MiniLM.load(ensure_models(load_settings()).embedder)
    packs = list(load_packs().values())
    table = Table("pack", "questions", "import", "known words", "new words", "cache", title="milliseconds, p50 / p95")
    with tempfile.TemporaryDirectory() as folder:
        shipped = QuestionBank.open(Path(folder), minilm)
        large = QuestionBank.open(Path(folder), Scattered(minilm))
        for bank, pack in [*((shipped, pack) for pack in packs), (large, enlarged(packs, LARGE))]:
            retrieval = CorrectiveRetrieval(bank, minilm, time.perf_counter)
            begun_at = time.perf_counter()
            bank.add([pack], _progress)
            import_s = time.perf_counter() - begun_at
            runs = [await timed(retrieval, pack, new_words=new_words) for new_words in (False, True)]
            runs.append(await timed_hits(retrieval, pack))
            cells = [f"{np.percentile(took, 50):.2f} / {np.percentile(took, 95):.2f}" for took in runs]
            table.add_row(pack.id, str(len(pack.questions)), f"{import_s:.1f} s", *cells)
    Console().print(table)


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {total} questions imported", end="\n" if done == total else "", file=sys.stderr)


if __name__ == "__main__":
    asyncio.run(main())
