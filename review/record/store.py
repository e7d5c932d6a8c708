"""Store of the record: typed events in one SQLite file, appended by the worker and read by the web process."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from pydantic import ValidationError

from domain.events import Event, InterviewCreated, event_adapter
from domain.sqlite import open_wal
from domain.vocabulary import Medium
from review.record.summary import Status, Summary, Unended, summarize, unreadable

_SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    interview_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (interview_id, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS deleted (
    interview_id TEXT PRIMARY KEY
) WITHOUT ROWID;
"""

# The number is chosen inside the statement, under SQLite's write lock: two processes cannot take the same one.
_APPEND = """
INSERT INTO events (interview_id, seq, at, kind, body)
SELECT :id, (SELECT COALESCE(MAX(seq), 0) + 1 FROM events WHERE interview_id = :id), :at, :kind, :body
WHERE NOT EXISTS (SELECT 1 FROM deleted WHERE interview_id = :id)
RETURNING seq
"""

_UNENDED = """
WITH unended AS (
    SELECT interview_id, MAX(seq) AS length, MAX(kind = 'interview_started') AS begun,
           MAX(CASE kind WHEN 'interview_created' THEN body END) AS created
    FROM events GROUP BY interview_id HAVING NOT MAX(kind = 'interview_ended')
)
SELECT interview_id, begun, created, at
FROM unended JOIN events USING (interview_id) WHERE seq = length
"""


class RecordError(Exception):
    """The record cannot be read or written. The message says what failed and what to do about it."""


class UnreadableError(RecordError):
    """An event has a form that this version of Viva does not know. The interview can still be listed and deleted."""


class InterviewDeletedError(RecordError):
    """The interview was deleted, and nothing may be added to it any more."""

    def __init__(self, interview_id: str) -> None:
        super().__init__(
            f"Interview {interview_id} was deleted; nothing more is recorded of it. Start a new interview."
        )


@dataclass(frozen=True, slots=True)
class Stored:
    """An event with its place in the interview's record: 1 for the first."""

    seq: int
    event: Event


class RecordStore:
    """The events of all interviews, in one file that several processes and threads may use at once.

    Each thread gets a connection of its own; it is closed when the thread ends or the store is closed.

    Args:
        path: The SQLite file. It and its folder are created when they are missing.
        busy_timeout_s: How long a call waits for another process's write before it gives up.

    Raises:
        RecordError: the file cannot be opened or created, or is not a record.
    """

    def __init__(self, path: Path, *, busy_timeout_s: float = 5.0) -> None:
        self.path = path
        self._busy_timeout_s = busy_timeout_s
        self._local = threading.local()
        self._connections: weakref.WeakSet[_Connection] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._summaries: dict[str, tuple[int, Summary]] = {}
        with self._reported("opened"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection().executescript(_SCHEMA)

    def append(self, interview_id: str, event: Event) -> int:
        """Add an event at the end of an interview's record.

        Returns:
            The event's number in its interview, counted from 1.

        Raises:
            InterviewDeletedError: the interview was deleted.
            RecordError: the event could not be written; nothing of it was.
        """
        values = {"id": interview_id, "at": event.at, "kind": event.kind, "body": event.model_dump_json()}
        with self._reported("written"):
            row = self._connection().execute(_APPEND, values).fetchone()
        if row is None:
            raise InterviewDeletedError(interview_id)
        return int(row[0])

    def events(self, interview_id: str, after: int = 0) -> list[Stored]:
        """The events of an interview whose number is above `after`, in order; none for an unknown interview.

        Raises:
            UnreadableError: one of them is of a form that this version does not know.
            RecordError: the file cannot be read.
        """
        with self._reported("read"):
            rows = (
                self._connection()
                .execute(
                    "SELECT seq, body FROM events WHERE interview_id = ? AND seq > ? ORDER BY seq",
                    (interview_id, after),
                )
                .fetchall()
            )
        return [Stored(int(seq), self._parse(interview_id, int(seq), body)) for seq, body in rows]

    def last(self, interview_id: str, kind: str) -> Stored | None:
        """The last event of a kind in an interview; None when there is none. No other event is read into its form.

        Raises:
            UnreadableError: it is of a form that this version does not know.
            RecordError: the file cannot be read.
        """
        query = "SELECT seq, body FROM events WHERE interview_id = ? AND kind = ? ORDER BY seq DESC LIMIT 1"
        with self._reported("read"):
            row = self._connection().execute(query, (interview_id, kind)).fetchone()
        return Stored(int(row[0]), self._parse(interview_id, int(row[0]), row[1])) if row else None

    def interviews(self) -> list[Summary]:
        """A summary of every interview, newest first; of one that cannot be read it says that.

        Raises:
            RecordError: the file cannot be read.
        """
        with self._reported("read"):
            lengths = dict(
                self._connection().execute("SELECT interview_id, MAX(seq) FROM events GROUP BY interview_id").fetchall()
            )
        summaries = (self._listed(interview_id, int(length)) for interview_id, length in lengths.items())
        return sorted(filter(None, summaries), key=lambda summary: summary.created_at, reverse=True)

    def fault(self, interview_id: str) -> str:
        """Why an interview cannot be read, as a sentence; empty when it can be.

        Raises:
            RecordError: the file cannot be read.
        """
        try:
            self.events(interview_id)
        except UnreadableError as error:
            return str(error)
        return ""

    def interview(self, interview_id: str) -> Summary | None:
        """The summary of one interview; None when there is no such interview.

        Raises:
            RecordError: as for `events`.
        """
        length = self.length(interview_id)
        return self._summary(interview_id, length) if length else None

    def length(self, interview_id: str) -> int:
        """How many events an interview has; 0 for an unknown one.

        Raises:
            RecordError: the file cannot be read.
        """
        query = "SELECT COALESCE(MAX(seq), 0) FROM events WHERE interview_id = ?"
        with self._reported("read"):
            return int(self._connection().execute(query, (interview_id,)).fetchone()[0])

    def status(self, interview_id: str) -> Status | None:
        """How far an interview is, without reading what happened in it; None when there is no such interview.

        Raises:
            RecordError: the file cannot be read.
        """
        query = "SELECT DISTINCT kind FROM events WHERE interview_id = ?"
        with self._reported("read"):
            kinds = {kind for (kind,) in self._connection().execute(query, (interview_id,)).fetchall()}
        if "interview_ended" in kinds:
            return "ended"
        return ("running" if "interview_started" in kinds else "created") if kinds else None

    def unended(self) -> list[Unended]:
        """Every interview that has not ended, in no order. No event is read into its form, so none can be unreadable.

        Raises:
            RecordError: the file cannot be read.
        """
        with self._reported("read"):
            rows = self._connection().execute(_UNENDED).fetchall()
        return [_unended(interview_id, begun, created, at) for interview_id, begun, created, at in rows]

    def ended(self) -> list[str]:
        """Ids of all interviews that have ended, in no order. No event is read into its form.

        Raises:
            RecordError: the file cannot be read.
        """
        query = "SELECT DISTINCT interview_id FROM events WHERE kind = 'interview_ended'"
        with self._reported("read"):
            return [interview_id for (interview_id,) in self._connection().execute(query)]

    def created_with(self, pack: str) -> list[tuple[str, InterviewCreated]]:
        """Every interview with a question pack, newest first, and how it was created; not those that cannot be read.

        Raises:
            RecordError: the file cannot be read.
        """
        query = """SELECT interview_id, body FROM events
                   WHERE kind = 'interview_created' AND json_extract(body, '$.pack') = ? ORDER BY at DESC"""
        with self._reported("read"):
            rows = self._connection().execute(query, (pack,)).fetchall()
        found = []
        for interview_id, body in rows:
            with contextlib.suppress(ValidationError):
                found.append((interview_id, InterviewCreated.model_validate_json(body)))
        return found

    def deleted(self) -> set[str]:
        """Ids of all interviews that were deleted.

        Raises:
            RecordError: the file cannot be read.
        """
        with self._reported("read"):
            return {interview_id for (interview_id,) in self._connection().execute("SELECT interview_id FROM deleted")}

    def delete(self, interview_id: str) -> None:
        """Remove an interview's events for good. Only its id is kept, so that a late writer cannot bring it back.

        Raises:
            RecordError: the file cannot be written; the interview is still there.
        """
        with self._reported("written"):
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
            try:
                connection.execute("INSERT OR IGNORE INTO deleted VALUES (?)", (interview_id,))
                connection.execute("DELETE FROM events WHERE interview_id = ?", (interview_id,))
                connection.execute("COMMIT")
            except sqlite3.Error:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            # Deleted words are to be gone from the log as well as from the tables.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with self._lock:
            self._summaries.pop(interview_id, None)

    def close(self) -> None:
        """Close the connections of all threads. A later call opens a new one."""
        for connection in list(self._connections):
            connection.sqlite.close()
        self._local = threading.local()

    def _connection(self) -> sqlite3.Connection:
        connection: _Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = _Connection(open_wal(self.path, busy_timeout_s=self._busy_timeout_s, autocommit=True))
            self._local.connection = connection
            self._connections.add(connection)
        return connection.sqlite

    def _listed(self, interview_id: str, length: int) -> Summary | None:
        try:
            return self._summary(interview_id, length)
        except UnreadableError:
            return self._unreadable(interview_id)

    def _unreadable(self, interview_id: str) -> Summary | None:
        query = "SELECT seq, at, body FROM events WHERE interview_id = ? ORDER BY seq LIMIT 1"
        with self._reported("read"):
            row = self._connection().execute(query, (interview_id,)).fetchone()
        if row is None:
            return None
        seq, at, body = row
        try:
            first = self._parse(interview_id, int(seq), body)
        except UnreadableError:
            first = None
        return unreadable(interview_id, first if isinstance(first, InterviewCreated) else None, float(at))

    def _summary(self, interview_id: str, length: int) -> Summary | None:
        """Events are never changed, so a summary holds as long as the record has the same length.

        None when the interview was deleted meanwhile.
        """
        with self._lock:
            known = self._summaries.get(interview_id)
        if known is not None and known[0] == length:
            return known[1]
        stored = self.events(interview_id)
        if not stored:
            return None
        summary = summarize(interview_id, [one.event for one in stored])
        with self._lock:
            self._summaries[interview_id] = (len(stored), summary)
        return summary

    def _parse(self, interview_id: str, seq: int, body: str) -> Event:
        try:
            return event_adapter.validate_json(body)
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            raise UnreadableError(
                f"Event {seq} of interview {interview_id} in {self.path} cannot be read ({reason}). "
                "Another version of Viva probably wrote it: open it with that version, or delete the interview."
            ) from error

    @contextlib.contextmanager
    def _reported(self, done: str) -> Iterator[None]:
        """Turn what SQLite and the file system raise into a sentence that tells the user what to do."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise RecordError(f"The record {self.path} could not be {done}: {_advice(error)}") from error


def _unended(interview_id: str, begun: int, created: str | None, last_at: float) -> Unended:
    try:
        wanted = json.loads(created or "{}")
    except json.JSONDecodeError:
        wanted = {}
    return Unended(
        id=interview_id,
        status="running" if begun else "created",
        medium=wanted["medium"] if wanted.get("medium") in get_args(Medium) else "voice",
        is_virtual=wanted.get("time") == "virtual",
        last_at=last_at,
    )


class _Connection:
    """One thread's connection; it closes when the thread is gone and nothing refers to it any more."""

    __slots__ = ("__weakref__", "sqlite")

    def __init__(self, sqlite: sqlite3.Connection) -> None:
        self.sqlite = sqlite
        weakref.finalize(self, sqlite.close)


_ADVICE = {
    "SQLITE_FULL": "the disk is full. Free some space; what was not written yet is kept in memory and tried again",
    "SQLITE_BUSY": "another program holds it locked. Close the program that has it open (a database browser, a backup)",
    "SQLITE_LOCKED": "another program holds it locked. Close the program that has it open",
    "SQLITE_NOTADB": "it is not a record of Viva's. Move the file away, and Viva starts a new one",
    "SQLITE_CORRUPT": "it is damaged. Move the file away, and Viva starts a new one",
    "SQLITE_READONLY": "the file or its folder may not be written. Give Viva's user the right to write there",
    "SQLITE_CANTOPEN": "the file or its folder may not be opened. Give Viva's user the right to write there",
    "SQLITE_PERM": "the file or its folder may not be opened. Give Viva's user the right to write there",
    "SQLITE_IOERR": "the disk reports an error or is full. Check its space and its health",
}
"""What went wrong and what the user can do, by SQLite's result code (https://www.sqlite.org/rescode.html)."""


def _advice(error: sqlite3.Error | OSError) -> str:
    if isinstance(error, OSError):
        return f"{error.strerror or error}. Choose a data folder that you may write to (setting data_dir)."
    code = getattr(error, "sqlite_errorname", "")
    known = next((advice for name, advice in _ADVICE.items() if code.startswith(name)), None)
    return (
        f"{known}." if known else f"SQLite says: {error}. If it is not Viva's file, choose another (setting data_dir)."
    )
