"""Profile database: an SQLite file or PostgreSQL, opened at the newest form of its tables, written by one at a time."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from domain.sqlite import open_wal
from rag.profiles.errors import ProfileError
from rag.profiles.tables import HEAD

_BUSY_TIMEOUT_S = 5.0
_CONNECT_TIMEOUT_S = 5
_WRITE_LOCK = 0x76697062
"""Of all advisory locks of a PostgreSQL database the one that whoever writes profiles holds: "vipb"."""
_VERSION_TABLE = "alembic_version"

logging.getLogger("alembic").setLevel(logging.WARNING)


class ProfileDatabase:
    """Transactions on the profile tables. Any thread may use it, and several processes the same database.

    Args:
        where: path of an SQLite file, which is made when it is missing, or the address of a PostgreSQL database
            (`postgresql://user:password@host:port/database`).

    Raises:
        ProfileError: it cannot be opened, or another version of Viva has made its tables.
    """

    def __init__(self, where: str | Path) -> None:
        self._path = where if isinstance(where, Path) else None
        self._engine = _engine(where)
        self._name = str(where) if self._path else self._engine.url.render_as_string(hide_password=True)
        try:
            with self._reported("opened"):
                if self._path:
                    self._path.parent.mkdir(parents=True, exist_ok=True)
                self.migrate()
        except ProfileError:
            self.close()
            raise

    def migrate(self, to: str = "head") -> None:
        """Bring the tables into another form; the newest unless told otherwise, `base` for none.

        Raises:
            ProfileError: it cannot be done; nothing was changed.
        """
        with self.reading() as connection:
            if to == "head" and _revision(connection) == HEAD:
                return
        with self.writing() as connection:
            _migrate(connection, to)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent look at the tables.

        Raises:
            ProfileError: they cannot be read.
        """
        with self._reported("read"), self._engine.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that changes the tables. Others who write wait until it is over; an exception undoes it.

        Raises:
            ProfileError: they cannot be written; nothing was changed.
        """
        with self._reported("written"), self._engine.connect() as plain:
            connection = plain.execution_options(viva_writes=True)
            with connection.begin():
                if connection.dialect.name == "postgresql":
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_WRITE_LOCK)))
                yield connection

    def scrub(self) -> None:
        """Have nothing of what was deleted left in the files beside an SQLite file.

        Raises:
            ProfileError: the file cannot be written.
        """
        if self._path is None:
            return
        with self._reported("written"), contextlib.closing(_open(self._path)) as file:
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close what is open. A later call opens it anew."""
        self._engine.dispose()

    @contextlib.contextmanager
    def _reported(self, done: str) -> Iterator[None]:
        """Turn what the database and the file system raise into a sentence that tells the user what to do."""
        try:
            yield
        except (DBAPIError, sqlite3.Error, OSError) as error:
            raise ProfileError(f"The profiles in {self._name} could not be {done}: {_advice(error)}") from error


def _engine(where: str | Path) -> Engine:
    if isinstance(where, Path):
        engine = sa.create_engine("sqlite://", creator=lambda: _open(where), poolclass=NullPool)
        event.listen(engine, "begin", _begin_in_sqlite)
        return engine
    try:
        url = sa.make_url(where).set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError):
        # What SQLAlchemy says about it quotes the address, password and all.
        raise ProfileError(
            "The setting profile_url is not an address of PostgreSQL. Write it as "
            "postgresql://user:password@host:5432/database, with special characters of the password in their "
            "percent form (@ as %40, : as %3A, / as %2F, % as %25)."
        ) from None
    return sa.create_engine(url, poolclass=NullPool, connect_args={"connect_timeout": _CONNECT_TIMEOUT_S})


def _open(path: Path) -> sqlite3.Connection:
    connection = open_wal(path, busy_timeout_s=_BUSY_TIMEOUT_S, autocommit=True)
    connection.execute("PRAGMA foreign_keys=ON")
    return connection


def _begin_in_sqlite(connection: Connection) -> None:
    """Begin as what it is: two that read first and write then would both have to give up."""
    writes = connection.get_execution_options().get("viva_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _revision(connection: Connection) -> str | None:
    if not sa.inspect(connection).has_table(_VERSION_TABLE):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def _migrate(connection: Connection, to: str) -> None:
    # Half a second to import, and only for who opens an old database or makes a new one.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", "rag.profiles:migrations")
    config.attributes["connection"] = connection
    try:
        (command.downgrade if to == "base" else command.upgrade)(config, to)
    except CommandError as error:
        raise ProfileError(
            f"The tables of the profiles have a form that this version of Viva does not know ({error}). Another "
            "version made them: open them with that version, or move them away, and Viva makes new ones."
        ) from error


_ADVICE = {
    "SQLITE_FULL": "the disk is full. Free some space and try again",
    "SQLITE_BUSY": "another program holds it locked. Close the program that has it open (a database browser, a backup)",
    "SQLITE_NOTADB": "it is no SQLite file. Move it away, and Viva starts a new one",
    "SQLITE_CORRUPT": "it is damaged. Move the file away, and Viva starts a new one",
    "SQLITE_READONLY": "the file or its folder may not be written. Give Viva's user the right to write there",
    "SQLITE_CANTOPEN": "the file or its folder may not be opened. Give Viva's user the right to write there",
}


def _advice(error: Exception) -> str:
    """What went wrong and what the user can do, without the values of the statement, which are somebody's words."""
    cause: Any = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, OSError):
        return f"{cause.strerror or cause}. Choose a data folder that you may write to (setting data_dir)."
    code = str(getattr(cause, "sqlite_errorname", ""))
    if known := next((advice for name, advice in _ADVICE.items() if code.startswith(name)), None):
        return f"{known}."
    reason = (str(cause).strip().splitlines() or [type(error).__name__])[0]
    reason = reason.rpartition(" failed: ")[2].removeprefix("FATAL:").strip().rstrip(".")
    return f"{reason}. Check that the database runs and is as the settings say (profile_url, or data_dir)."
