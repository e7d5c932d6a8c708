"""Migrations of the profile tables, in SQLite and PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from rag.profiles.database import ProfileDatabase
from rag.profiles.errors import ProfileError
from rag.profiles.store import ProfileStore
from rag.profiles.tables import HEAD, metadata
from tests.graph.checkpoints.postgres_server import PostgresServer
from tests.rag.profiles.samples import RESUME


def tables(database: ProfileDatabase) -> set[str]:
    """Names of the tables there are."""
    with database.reading() as connection:
        return set(sa.inspect(connection).get_table_names())


def test_tables_go_down_and_up_again(where: str | Path) -> None:
    """Down leaves none of them, up makes all of them, and what was opened works."""
    database = ProfileDatabase(where)
    assert set(metadata.tables) < tables(database)
    database.migrate("base")
    assert tables(database) == {"alembic_version"}
    database.migrate()
    assert set(metadata.tables) < tables(database)
    database.close()
    store = ProfileStore(where)
    store.bring_in("ada", RESUME, at=1.0)
    store.close()


def test_the_migrations_make_what_the_store_expects(where: str | Path) -> None:
    """The tables that are described are those that there are."""
    database = ProfileDatabase(where)
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    database.close()


def test_the_newest_migration_is_the_one_that_is_looked_for() -> None:
    """Whoever adds a migration and forgets to say so would never have it run."""
    config = Config()
    config.set_main_option("script_location", "rag.profiles:migrations")
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_tables_of_a_later_version_are_left_alone(tmp_path: Path) -> None:
    """They are not guessed at, and the sentence says what to do."""
    database = ProfileDatabase(tmp_path / "profiles.sqlite")
    with database.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(ProfileError, match="Another version"):
        ProfileDatabase(tmp_path / "profiles.sqlite")


@pytest.mark.parametrize("url", ["postgresql://user:se@cret@127.0.0.1:port/x", "postgresql://"])
def test_an_address_that_is_none_is_said_without_its_password(url: str) -> None:
    """Whatever is wrong with it."""
    with pytest.raises(ProfileError) as raised:
        ProfileDatabase(url)
    assert "cret" not in str(raised.value)


@pytest.mark.slow
def test_what_is_wrong_with_a_server_is_said(postgres: PostgresServer) -> None:
    """A wrong password, a database that is not there: what it is, without the password."""
    for url in (postgres.url("postgres", password="wrong"), postgres.url("nowhere")):
        with pytest.raises(ProfileError) as raised:
            ProfileDatabase(url)
        assert "wrong@" not in str(raised.value)
        assert "password authentication failed" in str(raised.value) or "does not exist" in str(raised.value)
