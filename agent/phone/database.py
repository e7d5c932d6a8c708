"""Phone database: the SQLite file of PINs and booked calls, which worker, web, line and command line share.

Three small tables that belong to this machine's telephone and are never joined with others, so they need neither the
database library nor the migrations that profiles have: SQLite is opened as for the record. Each call opens the file and
closes it again, for a PIN is looked at a few times an hour; nothing is held between, and any thread may call.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from domain.sqlite import open_wal

_BUSY_TIMEOUT_S = 5.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS grants (
    id TEXT PRIMARY KEY,
    pin BLOB NOT NULL UNIQUE,
    wish TEXT NOT NULL,
    user_id TEXT NOT NULL,
    once INTEGER NOT NULL,
    valid_from REAL,
    valid_until REAL,
    issued_at REAL NOT NULL,
    used_at REAL,
    interview_id TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tries (
    who BLOB PRIMARY KEY,
    wrong INTEGER NOT NULL,
    last_at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS bookings (
    id TEXT PRIMARY KEY,
    number TEXT NOT NULL,
    account TEXT NOT NULL,
    at REAL NOT NULL,
    grant_id TEXT NOT NULL,
    booked_at REAL NOT NULL,
    state TEXT NOT NULL,
    tries INTEGER NOT NULL,
    called_at REAL NOT NULL,
    look_at REAL NOT NULL,
    why TEXT NOT NULL
) WITHOUT ROWID;
"""


class PhoneStoreError(Exception):
    """PINs and bookings cannot be read or written. The message says what failed and what to do about it."""


class PhoneDatabase:
    """The file.

    Args:
        path: where it is; it and its folder are made by whoever writes first.

    Raises:
        PhoneStoreError: by every call, when the file cannot be used; then nothing was changed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection to read by."""
        with self._opened("read") as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection whose changes are kept together, or not at all. One at a time among all processes."""
        with self._opened("written") as connection:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
            # What was deleted is to be gone from the log as well as from the tables.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextlib.contextmanager
    def _opened(self, done: str) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.closing(open_wal(self.path, busy_timeout_s=_BUSY_TIMEOUT_S, autocommit=True)) as connection:
                connection.row_factory = sqlite3.Row
                connection.executescript(_SCHEMA)
                yield connection
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorname", "") in {"SQLITE_NOTADB", "SQLITE_CORRUPT"}:
                advice = "it is no database, or is damaged. Move it away; PINs and bookings are then made anew"
            else:
                advice = f"{error}. See whether the disk is full and the folder can be written"
            raise PhoneStoreError(f"The phone's PINs in {self.path} could not be {done}: {advice}.") from error
        except OSError as error:
            raise PhoneStoreError(
                f"The phone's PINs in {self.path} could not be {done} ({error.strerror}). See whether the disk is full "
                "and the folder can be written."
            ) from error
