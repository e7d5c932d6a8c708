"""Where the state of interviews is kept, so that a crash at any point loses nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from graph.intents import DetectedIntent
from graph.judging.verdicts import Evaluation, Quote, Scores, Verdict
from graph.planning.plan import InterviewPlan
from graph.questions import KeyPoints, Question, QuestionRecord

STATE_MODELS = (
    DetectedIntent,
    Evaluation,
    InterviewPlan,
    KeyPoints,
    Question,
    QuestionRecord,
    Quote,
    Scores,
    Verdict,
)
"""Our own types in the state. Nothing else is brought back to life from a checkpoint, and nothing is pickled."""

_BUSY_TIMEOUT_MS = 5000


def serializer() -> JsonPlusSerializer:
    """Serialiser that knows the state's own models and no others."""
    return JsonPlusSerializer(allowed_msgpack_modules=STATE_MODELS)


@asynccontextmanager
async def sqlite_checkpointer(path: Path) -> AsyncIterator[AsyncSqliteSaver]:
    """Checkpoints in an SQLite file that several processes may use."""
    path.parent.mkdir(parents=True, exist_ok=True)
    async with aiosqlite.connect(path) as connection:
        await connection.execute("PRAGMA journal_mode=WAL")
        await connection.execute("PRAGMA synchronous=NORMAL")
        await connection.execute(f"PRAGMA busy_timeout={_BUSY_TIMEOUT_MS}")
        saver = AsyncSqliteSaver(connection, serde=serializer())
        await saver.setup()
        yield saver
