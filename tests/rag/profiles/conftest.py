"""Places for profiles: a fresh SQLite file, and a fresh database of a PostgreSQL that is started once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from rag.profiles.store import ProfileStore
from tests.graph.checkpoints.postgres_server import PostgresServer, running_postgres

_NUMBERS = count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL of the tests' own; mark such tests slow."""
    with running_postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """Where profiles are kept: each test is made with either kind, empty."""
    if request.param == "sqlite":
        return tmp_path / "profiles.sqlite"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.create(f"viva_profiles_{os.getpid()}_{next(_NUMBERS)}")


@pytest.fixture
def store(where: str | Path) -> Iterator[ProfileStore]:
    """Profiles of nobody yet."""
    store = ProfileStore(where)
    yield store
    store.close()
