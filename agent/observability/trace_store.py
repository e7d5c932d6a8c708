"""The table of traces: what each node, model call and retrieval of an interview took, in one SQLite file.

It is an aid for whoever runs Viva, not the record: it may be lost or deleted at any time, and nothing reads it to
decide anything. A reason (`why`) can quote what was said, so an interview's traces are deleted with the interview.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, Literal

KEEP_S = 30 * 24 * 3600.0
"""Traces older than this are swept."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS agent_traces (
    id INTEGER PRIMARY KEY,
    interview_id TEXT NOT NULL,
    turn INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    started_at REAL NOT NULL,
    seconds REAL NOT NULL,
    ok INTEGER NOT NULL,
    tier TEXT NOT NULL,
    model TEXT NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    why TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS agent_traces_of_interview ON agent_traces (interview_id, turn);
CREATE INDEX IF NOT EXISTS agent_traces_by_age ON agent_traces (started_at);
CREATE TABLE IF NOT EXISTS deleted_interviews (
    interview_id TEXT PRIMARY KEY,
    at REAL NOT NULL
) WITHOUT ROWID;
"""

Kind = Literal["node", "model", "retrieval", "gate", "fallback"]


class TraceError(Exception):
    """The traces cannot be read or written. The message says what failed and what that means."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One thing that was done, or went wrong, in a turn."""

    interview_id: str
    turn: int
    kind: Kind
    name: str
    """The node, or the agent that a model was asked by."""
    started_at: float
    """Seconds since the epoch."""
    seconds: float
    ok: bool = True
    tier: str = ""
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    why: str = ""
    """Why it was of no use, or what came of it, in a few words."""


_COLUMNS = tuple(field.name for field in fields(Trace))
_INSERT = (
    f"INSERT INTO agent_traces ({', '.join(_COLUMNS)}) "  # noqa: S608 - names of our own fields
    f"SELECT {', '.join('?' * len(_COLUMNS))} WHERE NOT EXISTS "
    "(SELECT 1 FROM deleted_interviews WHERE interview_id = ?)"
)
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM agent_traces WHERE interview_id = ? ORDER BY started_at, id"  # noqa: S608


class TraceStore:
    """The traces of all interviews; several processes may use the file at once, and several threads a store.

    Args:
        path: The SQLite file. It is made when something is first written.
        busy_timeout_s: How long a call waits for another process's write.
    """

    def __init__(self, path: Path, *, busy_timeout_s: float = 5.0) -> None:
        self.path = path
        self._busy_timeout_s = busy_timeout_s
        self._lock = threading.Lock()
        self._open: sqlite3.Connection | None = None

    def add(self, traces: Sequence[Trace]) -> None:
        """Add traces, all or none; those of a deleted interview are left out.

        Raises:
            TraceError: they cannot be written at the moment.
        """
        with self._connection("written") as connection:
            connection.executemany(_INSERT, [(*astuple(trace), trace.interview_id) for trace in traces])

    def of_interview(self, interview_id: str) -> list[Trace]:
        """The traces of an interview in the order in which things began; none for an unknown one.

        Raises:
            TraceError: they cannot be read.
        """
        if not self.path.exists():
            return []
        with self._connection("read") as connection:
            rows = connection.execute(_SELECT, (interview_id,)).fetchall()
        return [_trace(row) for row in rows]

    def delete(self, interview_id: str, *, at: float) -> None:
        """Remove an interview's traces for good; a late writer cannot bring them back.

        Args:
            interview_id: The interview.
            at: Now, in seconds since the epoch.

        Raises:
            TraceError: they cannot be deleted at the moment.
        """
        if not self.path.exists():
            return
        with self._connection("deleted") as connection:
            connection.execute("INSERT OR IGNORE INTO deleted_interviews VALUES (?, ?)", (interview_id, at))
            connection.execute("DELETE FROM agent_traces WHERE interview_id = ?", (interview_id,))
        with self._connection("deleted") as connection:
            # A reason may quote words: they are to be gone from the log as well as from the table.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def sweep(self, *, before: float) -> int:
        """Remove what began before a time, in seconds since the epoch. Returns how many traces that were.

        Raises:
            TraceError: they cannot be deleted at the moment.
        """
        if not self.path.exists():
            return 0
        with self._connection("deleted") as connection:
            connection.execute("DELETE FROM deleted_interviews WHERE at < ?", (before,))
            return connection.execute("DELETE FROM agent_traces WHERE started_at < ?", (before,)).rowcount

    def close(self) -> None:
        """Close the file. A later call opens it again."""
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._open = None

    @contextlib.contextmanager
    def _connection(self, done: str) -> Iterator[sqlite3.Connection]:
        """The file, open, as one transaction; what SQLite and the file system raise becomes a sentence."""
        try:
            with self._lock:
                if self._open is None:
                    self._open = _open(self.path, self._busy_timeout_s)
                with self._open as connection:
                    yield connection
        except (sqlite3.Error, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise TraceError(
                f"The traces in {self.path} cannot be {done} ({reason}). Interviews go on and their records are "
                "complete; see to the disk, or delete the file and Viva makes a new one."
            ) from error


def _trace(row: tuple[Any, ...]) -> Trace:
    values = dict(zip(_COLUMNS, row, strict=True))
    return Trace(**{**values, "ok": bool(values["ok"])})


def _open(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=busy_timeout_s, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA secure_delete=ON")
        connection.executescript(_SCHEMA)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
