"""PostgreSQL checkpoints, for interviews that may go on on another machine than the one they began on."""

from __future__ import annotations

from asyncio import sleep, timeout
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import psycopg
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from graph.checkpoints.errors import CheckpointError
from graph.checkpoints.serializer import serializer

_CONNECT_TIMEOUT_S = 5
_WAIT_S = 10.0
"""For a connection of the pool, after the server went away and came back."""
_SETUP_TIMEOUT_S = 30.0
_SETUP_PAUSE_S = 0.05
_SETUP_LOCK = 0x76697661
"""Of all advisory locks of the database the one that is held while its tables are made: "viva"."""
_MAX_CONNECTIONS = 2
"""One for the checkpoints, which come one after the other, and one besides for the compaction and the set-up."""


@asynccontextmanager
async def postgres_checkpointer(url: str) -> AsyncIterator[AsyncPostgresSaver]:
    """Checkpoints in a PostgreSQL database; its tables are made when they are missing.

    Connections that broke are replaced, so that a restart of the server costs at most the turn that it fell into.

    Args:
        url: `postgresql://user:password@host:port/database`, as libpq takes it.

    Raises:
        CheckpointError: the server, the user, the password or the database is not as the address says.
    """
    place = _Place(url)
    async with AsyncExitStack() as opened:
        try:
            # The pool would only say that it waited in vain; a single connection says why.
            await (await AsyncConnection.connect(url, connect_timeout=place.connect_timeout_s)).close()
            pool = await opened.enter_async_context(_pool(url, place))
            saver = AsyncPostgresSaver(pool, serde=serializer())
            async with pool.connection() as connection:
                await _set_up(saver, connection)
        except (psycopg.Error, TimeoutError) as error:
            raise CheckpointError(place.sentence(error)) from None
        yield saver


def _pool(url: str, place: _Place) -> AsyncConnectionPool[AsyncConnection[DictRow]]:
    return AsyncConnectionPool(
        url,
        connection_class=AsyncConnection[DictRow],
        kwargs={
            "autocommit": True,
            "prepare_threshold": 0,
            "row_factory": dict_row,
            "connect_timeout": place.connect_timeout_s,
        },
        min_size=1,
        max_size=_MAX_CONNECTIONS,
        open=False,
        check=AsyncConnectionPool.check_connection,
        timeout=_WAIT_S,
        name="viva-checkpoints",
    )


async def _set_up(saver: AsyncPostgresSaver, connection: AsyncConnection[DictRow]) -> None:
    """Make the tables, one process at a time: the same CREATE TABLE at once fails in all but one of them.

    The lock is asked for again and again. Who waited for it inside of PostgreSQL would wait for ever, because the
    holder makes indexes CONCURRENTLY, and that waits for everybody who waits for anything.
    """
    async with timeout(_SETUP_TIMEOUT_S):
        while not await _flag(connection, "SELECT pg_try_advisory_lock(%s) AS flag"):  # noqa: ASYNC110 (no event)
            await sleep(_SETUP_PAUSE_S)
    try:
        await saver.setup()
    finally:
        await _flag(connection, "SELECT pg_advisory_unlock(%s) AS flag")


async def _flag(connection: AsyncConnection[DictRow], query: str) -> bool:
    row = await (await connection.execute(query.encode(), (_SETUP_LOCK,))).fetchone()
    return bool(row and row["flag"])


class _Place:
    """What an address names, without its password."""

    def __init__(self, url: str) -> None:
        try:
            parts: dict[str, Any] = conninfo_to_dict(url)
        except psycopg.ProgrammingError:
            # What libpq says about it quotes the address, password and all.
            raise CheckpointError(
                "The setting checkpoint_url is not an address of PostgreSQL. Write it as "
                "postgresql://user:password@host:5432/database, with special characters of the password in their "
                "percent form (@ as %40, : as %3A, / as %2F, % as %25)."
            ) from None
        self.user = str(parts.get("user") or "")
        self.database = str(parts.get("dbname") or self.user)
        self.server = f"{parts.get('host') or 'this machine'}:{parts.get('port') or 5432}"
        self.connect_timeout_s = int(parts.get("connect_timeout") or _CONNECT_TIMEOUT_S)

    def sentence(self, error: psycopg.Error | TimeoutError) -> str:
        """What went wrong and what to do about it."""
        # "connection failed: connection to server at …, port … failed: FATAL:  reason", and more lines below.
        reason = (str(error).strip().splitlines() or ["it took too long"])[0]
        reason = reason.rpartition(" failed: ")[2].removeprefix("FATAL:").strip().rstrip(".")
        return (
            f"The checkpoints in the PostgreSQL database {self.database!r} at {self.server} cannot be opened: "
            f"{reason}. {self._advice(error, reason)}"
        )

    def _advice(self, error: Exception, reason: str) -> str:
        if isinstance(error, psycopg.errors.InsufficientPrivilege):
            return f'Let the user make tables there: ALTER DATABASE "{self.database}" OWNER TO "{self.user}".'
        if "password" in reason or "role" in reason:
            return (
                "Check the user and the password in checkpoint_url; special characters of the password need their "
                "percent form (@ as %40, : as %3A, / as %2F, % as %25)."
            )
        if "pg_hba.conf" in reason:
            return "Let this machine and user in: add a line for them to the server's pg_hba.conf and reload it."
        if "database" in reason:
            return f'Make it: CREATE DATABASE "{self.database}" OWNER "{self.user}".'
        return "Check that the server runs and that its address in checkpoint_url is right."
