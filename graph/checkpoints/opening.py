"""Checkpointer: where the state of interviews is kept, so that a crash loses nothing: an SQLite file, or PostgreSQL.

Both hold the same bytes: the serialiser knows the types that the state is annotated with, brings nothing else back to
life and pickles nothing.
"""

from __future__ import annotations

import sqlite3
from asyncio import CancelledError, create_task, shield, to_thread, wait
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from domain.sqlite import open_wal
from graph.checkpoints.errors import CheckpointError
from graph.checkpoints.serializer import serializer

Checkpointer = AsyncSqliteSaver | AsyncPostgresSaver

POSTGRES_SCHEMES = ("postgresql://", "postgres://")
_BUSY_TIMEOUT_S = 5.0
_Written = TypeVar("_Written")


def is_postgres(where: str | Path) -> bool:
    """Whether checkpoints are kept in PostgreSQL: what `open_checkpointer` gets is an address and no path."""
    return isinstance(where, str) and where.startswith(POSTGRES_SCHEMES)


@asynccontextmanager
async def open_checkpointer(where: str | Path) -> AsyncIterator[Checkpointer]:
    """Open the place where checkpoints are kept, and make it ready when it is new.

    Args:
        where: path of an SQLite file, or the address of a PostgreSQL database (`postgresql://…`). Several processes
            may use either at once.

    Raises:
        CheckpointError: it cannot be opened.
    """
    if is_postgres(where):
        from graph.checkpoints.postgres import postgres_checkpointer  # noqa: PLC0415 (who keeps a file needs no psycopg)

        async with postgres_checkpointer(str(where)) as saver:
            yield saver
    else:
        async with sqlite_checkpointer(Path(where)) as saver:
            yield saver


class WholeWritesSaver(AsyncSqliteSaver):
    """Never leaves a write half done: between a statement and its commit nobody else can write to the file.

    A candidate who interrupts cancels whoever is writing, and the commit would come with the next turn.
    """

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint."""
        return await _to_the_end(super().aput(config, checkpoint, metadata, new_versions))

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save the results of a node."""
        await _to_the_end(super().aput_writes(config, writes, task_id, task_path))

    async def close(self) -> None:
        """Let what is being written be finished, and close the file.

        LangGraph does not wait for what it writes about the node in which a turn was stopped. A connection that is
        closed under such a write is not let go of by SQLite, and keeps the file locked until somebody collects the
        cursor.
        """
        async with self.lock:
            await self.conn.close()


async def _to_the_end(write: Coroutine[Any, Any, _Written]) -> _Written:
    """Do it, also when the one who waits for it is cancelled, who is then told when it is done."""
    task = create_task(write)
    try:
        return await shield(task)
    except CancelledError:
        await wait([task])
        if not task.cancelled():
            task.exception()  # looked at, so that nobody is told that it was not
        raise


@asynccontextmanager
async def sqlite_checkpointer(path: Path) -> AsyncIterator[WholeWritesSaver]:
    """Checkpoints in an SQLite file that several processes may use.

    Raises:
        CheckpointError: the file cannot be made, written, or is no database.
    """
    async with AsyncExitStack() as opened:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Not by aiosqlite: where that cannot open a file, its thread ends later, on a loop that may be closed.
            file = await to_thread(open_wal, path, busy_timeout_s=_BUSY_TIMEOUT_S, incremental_vacuum=True)
            connection = await opened.enter_async_context(aiosqlite.Connection(lambda: file, iter_chunk_size=64))
            saver = WholeWritesSaver(connection, serde=serializer())
            await saver.setup()
        except (sqlite3.Error, OSError) as error:
            raise CheckpointError(f"The checkpoints {path} cannot be opened ({error}): {_advice(error)}") from error
        opened.push_async_callback(saver.close)
        yield saver


def _advice(error: sqlite3.Error | OSError) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_NOTADB":
        return "it is no SQLite file. Move it away, and a new one is made."
    if name.startswith("SQLITE_BUSY"):
        return "another program holds it. Stop that program and try again."
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        return "check that its disk works and is not full."
    return "check that this user may write to the file and its folder, or set data_dir to another folder."
