"""Queries to the tables of checkpoints that their savers have no method for, put through the savers' connections.

The tables have the same names and columns in SQLite and PostgreSQL where they are used here.
"""

from __future__ import annotations

import re
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from psycopg.rows import tuple_row
from psycopg_pool import AsyncConnectionPool

_PARAMETER = re.compile(r":([a-z]+)")


async def head_of(saver: BaseCheckpointSaver[str], thread_id: str) -> str:
    """Id of a thread's newest checkpoint, empty when it has none; found without reading the state where possible."""
    if isinstance(saver, AsyncSqliteSaver | AsyncPostgresSaver):
        query = "SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = :thread AND checkpoint_ns = ''"
        return str((await fetch(saver, query, thread=thread_id))[0][0] or "")
    found = await saver.aget_tuple({"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}})
    return "" if found is None else str(found.checkpoint["id"])


async def threads_in(saver: AsyncSqliteSaver | AsyncPostgresSaver) -> list[str]:
    """Ids of all threads that have a checkpoint."""
    return [str(row[0]) for row in await fetch(saver, "SELECT DISTINCT thread_id FROM checkpoints")]


async def uncompacted_in(saver: AsyncSqliteSaver | AsyncPostgresSaver) -> list[str]:
    """Ids of all threads with more than their newest checkpoint; those of subgraphs do not count."""
    query = "SELECT thread_id FROM checkpoints WHERE checkpoint_ns = '' GROUP BY thread_id HAVING count(*) > 1"
    return [str(row[0]) for row in await fetch(saver, query)]


async def fetch(saver: AsyncSqliteSaver | AsyncPostgresSaver, query: str, **values: str) -> list[tuple[Any, ...]]:
    """All rows of a query, whose parameters are written `:name`."""
    if isinstance(saver, AsyncSqliteSaver):
        async with saver.lock:
            return [tuple(row) for row in await saver.conn.execute_fetchall(query, values)]
    async with pool_of(saver).connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
        await cursor.execute(_PARAMETER.sub(r"%(\1)s", query).encode(), values)
        rows: list[tuple[Any, ...]] = await cursor.fetchall()
        return rows


def pool_of(saver: AsyncPostgresSaver) -> AsyncConnectionPool[Any]:
    """The saver's connections."""
    assert isinstance(saver.conn, AsyncConnectionPool), "`open_checkpointer` gives every saver a pool"
    return saver.conn
