"""A PostgreSQL of the tests' own: made in a temporary folder, on a free port, gone when the tests are."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from install.postgres import find_postgres

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_PATIENCE_S = 60.0
_QUICK = {
    # What is in this database is worth nothing after the tests, so nothing of it waits for the disk.
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "listen_addresses": "127.0.0.1",
    "lc_messages": "C",
}


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A running server."""

    port: int
    user: str = "viva"
    password: str = "pa55/word:@"

    def url(self, database: str, *, password: str | None = None, user: str | None = None) -> str:
        """Address of a database, with everything that needs it escaped."""
        secret = (self.password if password is None else password).replace("/", "%2F").replace(":", "%3A")
        return f"postgresql://{user or self.user}:{secret.replace('@', '%40')}@127.0.0.1:{self.port}/{database}"

    def run(self, *statements: str) -> None:
        """Carry statements out in the database `postgres`, each in a transaction of its own."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def create(self, database: str, *, template: str = "template1") -> str:
        """Make a database, as a copy of another one if wanted, in the place of one of the same name; its address."""
        self.run(
            f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)', f'CREATE DATABASE "{database}" TEMPLATE "{template}"'
        )
        return self.url(database)


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """Make a database cluster, start its server, and end it by its pid.

    PostgreSQL refuses to run as root, so root hands the folder and the server to the user `postgres`, which comes with
    Debian's package, or to `nobody`.
    """
    programs = find_postgres()
    assert programs is not None, "PostgreSQL is missing; `python3 -m install test` installs it"
    # Not in pytest's own folder: that is the user's alone, and the server may be another user.
    folder = Path(tempfile.mkdtemp(prefix="viva-postgres-"))
    try:
        server = PostgresServer(_free_port())
        user = _user()
        if user is not None:
            os.chown(folder, user.pw_uid, user.pw_gid)
        _make(programs, folder, server, user)
        with (folder / "log").open("wb") as log:
            process = _start(programs, folder, server, user, log.fileno())
            try:
                _wait(process, server, folder / "log")
                yield server
            finally:
                process.send_signal(signal.SIGINT)  # PostgreSQL's "fast": roll back, disconnect everybody, end
                process.wait(_PATIENCE_S)
    finally:
        shutil.rmtree(folder)


def _user() -> pwd.struct_passwd | None:
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def _make(programs: Path, folder: Path, server: PostgresServer, user: pwd.struct_passwd | None) -> None:
    secret = folder / "secret"
    secret.write_text(server.password, encoding="ascii")
    if user is not None:
        os.chown(secret, user.pw_uid, user.pw_gid)
    done = subprocess.run(
        [
            *(programs / "initdb", "--pgdata", folder / "data", "--username", server.user, "--pwfile", secret),
            *("--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"),
        ],
        cwd=folder, capture_output=True, text=True, check=False, **_as(user),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def _start(
    programs: Path, folder: Path, server: PostgresServer, user: pwd.struct_passwd | None, log: int
) -> subprocess.Popen[bytes]:
    options = [part for name, value in _QUICK.items() for part in ("-c", f"{name}={value}")]
    command = [str(programs / "postgres"), "-D", str(folder / "data"), "-p", str(server.port), "-k", str(folder)]
    return subprocess.Popen(
        [*command, *options], cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        preexec_fn=_end_with_the_tests,  # noqa: PLW1509 (one call of the C library, with everything loaded before)
        **_as(user),
    )  # fmt: skip


def _end_with_the_tests() -> None:
    """Tests that are killed outright can end nothing any more, so the kernel does it, on Linux.

    After the change of user, which would clear the wish; that is why a program in between cannot do it.
    """
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)


def _as(user: pwd.struct_passwd | None) -> dict[str, object]:
    return {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _wait(process: subprocess.Popen[bytes], server: PostgresServer, log: Path) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        with contextlib.suppress(psycopg.OperationalError):
            server.run("SELECT 1")
            return
        assert process.poll() is None, log.read_text(encoding="utf-8", errors="replace")
        assert time.monotonic() < deadline, log.read_text(encoding="utf-8", errors="replace")
        time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
