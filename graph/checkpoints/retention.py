"""Retention of checkpoints: they are removed when they have done their work.

An interview writes a checkpoint at every step, each with the whole state. When it is over, only the newest is of any
use: `compact` removes the others. When an interview is deleted, nothing of it may stay: `forget` removes its thread.
Whoever died before that is made up for: `compact_all` and `sweep` look for what is left to do.

The pages that this frees in an SQLite file are handed back to the file system, a few megabytes at a time, because the
file is made with `auto_vacuum=INCREMENTAL`; a file that was made without it keeps its size and fills its free pages
again, until somebody runs `PRAGMA auto_vacuum=INCREMENTAL; VACUUM` on it. In PostgreSQL autovacuum does that work.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import aiosqlite
import psycopg
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from psycopg.errors import DeadlockDetected, SerializationFailure

from graph.checkpoints.errors import CheckpointError
from graph.checkpoints.opening import Checkpointer
from graph.checkpoints.queries import fetch, pool_of, threads_in, uncompacted_in

_PAGES_AT_ONCE = 4096
"""At most so many free pages (16 MB) are handed back in one go, because other interviews cannot write meanwhile."""
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Removed:
    """What was removed."""

    threads: int = 0
    """Interviews of which nothing is left."""
    checkpoints: int = 0
    writes: int = 0
    """Results of single nodes, which are kept beside the checkpoint that they were computed from."""

    def __add__(self, other: Removed) -> Removed:
        return Removed(self.threads + other.threads, self.checkpoints + other.checkpoints, self.writes + other.writes)


async def compact(saver: Checkpointer, *thread_ids: str) -> Removed:
    """Keep only the newest checkpoint of each thread, with what a turn that waits in it has computed so far.

    For interviews that are over: `take_back` finds nothing any more. What it removes is older than the newest
    checkpoint, so neither a second call nor an interview that still writes is harmed.

    Raises:
        CheckpointError: the checkpoints could not be removed.
    """
    with _told():
        if isinstance(saver, AsyncSqliteSaver):
            return await _sqlite(saver, thread_ids, _COMPACT_SQLITE)
        removed = Removed()
        for thread_id in thread_ids:
            before = await _postgres_counts(saver, thread_id)
            await _prune(saver, thread_id)
            after = await _postgres_counts(saver, thread_id)
            removed += Removed(0, before.checkpoints - after.checkpoints, before.writes - after.writes)
        return removed


async def forget(saver: Checkpointer, *thread_ids: str) -> Removed:
    """Remove everything of these threads.

    Raises:
        CheckpointError: it could not be removed.
    """
    with _told():
        if isinstance(saver, AsyncSqliteSaver):
            return await _sqlite(saver, thread_ids, _FORGET_SQLITE)
        removed = Removed()
        for thread_id in thread_ids:
            counts = await _postgres_counts(saver, thread_id)
            await saver.aprune([thread_id], strategy="delete")
            removed += Removed(1 if counts.checkpoints else 0, counts.checkpoints, counts.writes)
        return removed


Choose = Callable[[Collection[str]], Awaitable[Collection[str]]]
"""Says which of some interviews are meant. It is asked after the threads were listed, and an interview is in the record
before it has a thread, so what it knows is never older than they are."""


async def compact_all(saver: Checkpointer, over: Choose) -> Removed:
    """Compact the threads of interviews that ended without anybody compacting them.

    Args:
        saver: where the checkpoints are.
        over: says which of these interviews have ended.

    Raises:
        CheckpointError: the checkpoints could not be read or removed.
    """
    with _told():
        threads = await uncompacted_in(saver)
    return await compact(saver, *(await over(threads))) if threads else Removed()


async def sweep(saver: Checkpointer, still_there: Choose) -> Removed:
    """Remove the threads of interviews that were deleted.

    Args:
        saver: where the checkpoints are.
        still_there: says which of these interviews were not deleted. It is asked after the threads were listed, and
            an interview is in the record before it has a thread, so one that begins meanwhile is not taken for gone.

    Raises:
        CheckpointError: the checkpoints could not be read or removed.
    """
    with _told():
        threads = await threads_in(saver)
    if not threads:
        return Removed()
    kept = set(await still_there(threads))
    return await forget(saver, *(thread for thread in threads if thread not in kept))


@contextmanager
def _told() -> Iterator[None]:
    """Whichever driver fails, and however: for whoever removes checkpoints it is one kind of error."""
    try:
        yield
    except (psycopg.Error, sqlite3.Error, OSError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
        raise CheckpointError(
            f"Old checkpoints could not be removed: {reason}. Check that the disk or database of the checkpoints works."
        ) from error


# SQLite: its saver has no method for this, so these are the statements, through its own connection and lock.

_HEAD = "(SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = :thread AND checkpoint_ns = '')"
# A call of a subgraph has a namespace with a colon, and goes with the checkpoint that it was made from.
_KEPT = f"""
    SELECT checkpoint_ns, max(checkpoint_id) FROM checkpoints
    WHERE thread_id = :thread
    AND (instr(checkpoint_ns, ':') = 0 OR json_extract(CAST(metadata AS TEXT), '$.parents.""') = {_HEAD})
    GROUP BY checkpoint_ns
"""  # noqa: S608 (put together from constants)
_COMPACT_SQLITE = (
    (
        "writes",
        f"""DELETE FROM writes WHERE thread_id = :thread AND checkpoint_id < {_HEAD}
            AND (checkpoint_ns, checkpoint_id) NOT IN ({_KEPT})""",  # noqa: S608
    ),
    (
        "checkpoints",
        f"""DELETE FROM checkpoints WHERE thread_id = :thread AND checkpoint_id < {_HEAD}
            AND (checkpoint_ns, checkpoint_id) NOT IN ({_KEPT})""",  # noqa: S608
    ),
    (
        "",
        """UPDATE checkpoints SET parent_checkpoint_id = NULL WHERE thread_id = :thread
           AND parent_checkpoint_id NOT IN (SELECT checkpoint_id FROM checkpoints WHERE thread_id = :thread)""",
    ),
)
_FORGET_SQLITE = (
    ("writes", "DELETE FROM writes WHERE thread_id = :thread"),
    ("checkpoints", "DELETE FROM checkpoints WHERE thread_id = :thread"),
)


async def _sqlite(
    saver: AsyncSqliteSaver, thread_ids: Collection[str], statements: Collection[tuple[str, str]]
) -> Removed:
    removed = Removed()
    for thread_id in thread_ids:
        counts = dict.fromkeys(("checkpoints", "writes", ""), 0)
        async with _transaction(saver) as connection:
            for table, statement in statements:
                cursor = await connection.execute(statement, {"thread": thread_id})
                counts[table] += cursor.rowcount
        gone = statements is _FORGET_SQLITE and counts["checkpoints"] > 0
        removed += Removed(int(gone), counts["checkpoints"], counts["writes"])
    if removed != Removed():
        await _hand_back(saver)
    return removed


@asynccontextmanager
async def _transaction(saver: AsyncSqliteSaver) -> AsyncIterator[aiosqlite.Connection]:
    """All of it or nothing, with no other statement of this saver in between."""
    async with saver.lock:
        try:
            await saver.conn.execute("BEGIN IMMEDIATE")
            yield saver.conn
        except BaseException:
            await saver.conn.rollback()
            raise
        await saver.conn.commit()


async def _hand_back(saver: AsyncSqliteSaver) -> None:
    async with saver.lock:
        # As a script, because each step of this statement hands one page back, and `execute` does only the first.
        await saver.conn.executescript(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})")
        # What was removed is to be gone from the log as well; when another connection reads, the next one does it.
        await saver.conn.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")


# PostgreSQL: its saver prunes. Results of nodes whose checkpoint was never written are left to us.

_POSTGRES_ORPHANS = """
    DELETE FROM checkpoint_writes w WHERE thread_id = %(thread)s
    AND checkpoint_id < (
        SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = %(thread)s AND checkpoint_ns = ''
    )
    AND NOT EXISTS (
        SELECT 1 FROM checkpoints c WHERE c.thread_id = w.thread_id
        AND c.checkpoint_ns = w.checkpoint_ns AND c.checkpoint_id = w.checkpoint_id
    )
"""
_POSTGRES_COUNTS = """
    SELECT (SELECT count(*) FROM checkpoints WHERE thread_id = :thread),
           (SELECT count(*) FROM checkpoint_writes WHERE thread_id = :thread)
"""


async def _prune(saver: AsyncPostgresSaver, thread_id: str) -> None:
    """Two compactions of one thread at once disturb each other; the one that gave way tries again."""
    for tries_left in reversed(range(_TRIES)):
        try:
            await saver.aprune([thread_id], strategy="keep_latest")
        except (SerializationFailure, DeadlockDetected):
            if not tries_left:
                raise
        else:
            break
    async with pool_of(saver).connection() as connection:
        await connection.execute(_POSTGRES_ORPHANS, {"thread": thread_id})


async def _postgres_counts(saver: AsyncPostgresSaver, thread_id: str) -> Removed:
    checkpoints, writes = (await fetch(saver, _POSTGRES_COUNTS, thread=thread_id))[0]
    return Removed(0, checkpoints, writes)
