"""SQLite opening: every file of Viva's that several processes write is opened here, in the same mode.

WAL, so that readers never wait for the writer, with `synchronous=NORMAL`: a killed process loses nothing, a power cut
at most the last moments, and the file stays sound (https://www.sqlite.org/wal.html). What is deleted is overwritten.
"""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

_WAL_PAUSE_S = 0.02


def open_wal(
    path: Path, *, busy_timeout_s: float, autocommit: bool = False, incremental_vacuum: bool = False
) -> sqlite3.Connection:
    """Open a file, which is made where there is none. Any thread may use the connection, one at a time.

    Args:
        path: the file.
        busy_timeout_s: how long a statement waits for another process's write before it gives up.
        autocommit: each statement is a transaction of its own, unless `BEGIN` says otherwise; else one begins with the
            first write and lasts until a commit.
        incremental_vacuum: a new file can give pages back (`PRAGMA incremental_vacuum`).

    Raises:
        sqlite3.Error: it cannot be opened, or is no database.
    """
    connection = sqlite3.connect(
        path, timeout=busy_timeout_s, isolation_level=None if autocommit else "DEFERRED", check_same_thread=False
    )
    try:
        # Before anything is written: from then on it takes a VACUUM to change it, and a lock to say it again.
        if incremental_vacuum and connection.execute("PRAGMA page_count").fetchone() == (0,):
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        _use_wal(connection, deadline_s=time.monotonic() + busy_timeout_s)
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA secure_delete=ON")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _use_wal(connection: sqlite3.Connection, deadline_s: float) -> None:
    """Switch to WAL. SQLite does not wait for its busy time-out here when two processes create the file at once."""
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > deadline_s:
                raise
            time.sleep(_WAL_PAUSE_S)
        else:
            return
