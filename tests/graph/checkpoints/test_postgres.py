"""A real PostgreSQL: what it says when something is not as it should be, and what it costs when it goes away."""

from __future__ import annotations

import asyncio

import pytest

from graph import build_graph
from graph.checkpoints.errors import CheckpointError
from graph.checkpoints.opening import open_checkpointer
from tests.graph.checkpoints.conversation import interview
from tests.graph.checkpoints.postgres_server import PostgresServer
from tests.graph.fakes import Rig, kinds, spoken

pytestmark = pytest.mark.slow


async def refusal(url: str) -> str:
    """What is said when checkpoints cannot be opened."""
    with pytest.raises(CheckpointError) as caught:
        async with open_checkpointer(url):
            pass
    assert caught.value.__cause__ is None  # a traceback would show what libpq said, which may quote the address
    return str(caught.value)


async def test_a_wrong_password_is_told_and_never_shown(postgres: PostgresServer) -> None:
    """The sentence names the database, the reason and what to check."""
    said = await refusal(postgres.url("postgres", password="sesame"))
    assert f"'postgres' at 127.0.0.1:{postgres.port}" in said
    assert 'password authentication failed for user "viva". Check the user and the password' in said
    assert "sesame" not in said


async def test_a_missing_database_is_told(postgres: PostgresServer) -> None:
    """With the statement that makes it."""
    said = await refusal(postgres.url("tearoom"))
    assert 'database "tearoom" does not exist. Make it: CREATE DATABASE "tearoom" OWNER "viva".' in said


async def test_a_user_who_may_not_make_tables_is_told(postgres: PostgresServer) -> None:
    """With the statement that lets them."""
    postgres.create("elsewhere")
    postgres.run("CREATE ROLE guest LOGIN PASSWORD 'sesame'")
    said = await refusal(postgres.url("elsewhere", user="guest", password="sesame"))
    assert 'ALTER DATABASE "elsewhere" OWNER TO "guest"' in said
    assert "sesame" not in said


async def test_the_tables_are_made_once_however_many_begin(postgres: PostgresServer) -> None:
    """Eight workers that meet an empty database at the same moment all find it ready."""
    url = postgres.create("crowd")

    async def open_it() -> bool:
        async with open_checkpointer(url) as saver:
            return await saver.aget_tuple({"configurable": {"thread_id": "nobody"}}) is None

    assert await asyncio.gather(*(open_it() for _ in range(8))) == [True] * 8


async def test_an_interview_goes_on_after_its_connections_broke(postgres: PostgresServer) -> None:
    """A server that was restarted between two turns costs neither of them."""
    url = postgres.create("restarted")
    async with open_checkpointer(url) as saver:
        held = interview(Rig(), build_graph(None), saver)
        await spoken(held.begin())
        postgres.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'restarted'")
        assert kinds(await spoken(held.answer("good answer about oxidation of tea", 1))) == ["feedback", "question"]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql://viva:sesame@127.0.0.1:1/viva", "at 127.0.0.1:1 cannot be opened: Connection refused"),
        ("postgresql://viva:sesame@no.such.host.invalid/viva", "Check that the server runs and that its address"),
        ("postgresql://viva:sesame@[127.0.0.1/viva", "is not an address of PostgreSQL"),
        ("postgresql://viva:ses%zzame@127.0.0.1/viva", "percent form"),
        ("postgresql://viva:sesame@127.0.0.1/viva?tea=green", "is not an address of PostgreSQL"),
    ],
)
async def test_a_wrong_address_is_told(url: str, said: str) -> None:
    """Whether nobody is there or it is no address at all; what is secret in it stays secret."""
    told = await refusal(url)
    assert said in told
    assert "ses" not in told.replace("process", "")
