"""Checkpoints that have done their work are removed, and nothing that anybody still needs."""

from __future__ import annotations

import asyncio
import dataclasses
import sqlite3
from collections.abc import Collection
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from psycopg_pool import AsyncConnectionPool

from graph import Interview, build_graph
from graph.checkpoints.errors import CheckpointError
from graph.checkpoints.opening import Checkpointer, is_postgres, open_checkpointer, sqlite_checkpointer
from graph.checkpoints.queries import fetch, threads_in
from graph.checkpoints.retention import Removed, compact, compact_all, forget, sweep
from graph.checkpoints.serializer import serializer
from tests.graph.checkpoints.conversation import CONVERSATION, SETUP
from tests.graph.checkpoints.states import state_of
from tests.graph.fakes import Rig, spoken

SHORT = (*CONVERSATION[:3], CONVERSATION[-1])
GRAPH = build_graph(None)


def interview(saver: Checkpointer, name: str = "tea-1", rig: Rig | None = None) -> Interview:
    """An interview of this name."""
    graph = GRAPH.copy({"checkpointer": saver})
    return Interview(graph, (rig or Rig()).context(), dataclasses.replace(SETUP, interview_id=name))


async def held(saver: Checkpointer, name: str = "tea-1") -> Interview:
    """An interview that is over."""
    one = interview(saver, name)
    await spoken(one.begin())
    for turn, text in enumerate(SHORT, start=1):
        await spoken(one.answer(text, turn))
    return one


async def rows(saver: Checkpointer, name: str) -> list[tuple[Any, ...]]:
    """Everything that is stored of a thread, as it is stored."""
    tables = ["checkpoints", "writes"]
    if not hasattr(saver, "is_setup"):
        tables = ["checkpoints", "checkpoint_writes", "checkpoint_blobs"]
    found = [await fetch(saver, f"SELECT * FROM {table} WHERE thread_id = :thread", thread=name) for table in tables]
    return sorted((row for table in found for row in table), key=repr)


async def test_only_the_newest_checkpoint_stays(where: str | Path) -> None:
    """The state is as it was, what was removed is told, and there is nothing to remove the second time."""
    async with open_checkpointer(where) as saver:
        one = await held(saver)
        before, progress = await state_of(one), await one.progress()
        count = len([each async for each in saver.alist({"configurable": {"thread_id": "tea-1"}})])

        removed = await compact(saver, "tea-1")

        assert removed.checkpoints == count - 1 > 20
        assert removed.writes > removed.checkpoints
        left = [each async for each in saver.alist({"configurable": {"thread_id": "tea-1"}})]
        assert len(left) == 1
        assert left[0].parent_config is None
        assert (await state_of(one), await one.progress()) == (before, progress)
        assert await compact(saver, "tea-1") == Removed()
    async with open_checkpointer(where) as saver:
        assert await state_of(interview(saver)) == before


async def test_other_interviews_are_left_alone(where: str | Path) -> None:
    """Not a byte of them changes."""
    async with open_checkpointer(where) as saver:
        await held(saver)
        await held(saver, "tea-2")
        before = await rows(saver, "tea-2")
        await compact(saver, "tea-1", "unknown")
        assert await rows(saver, "tea-2") == before


async def test_an_interview_that_is_held_meanwhile_is_not_disturbed(where: str | Path) -> None:
    """Two processes compact one interview, several times over, while a third holds another."""
    async with open_checkpointer(where) as saver, open_checkpointer(where) as second, open_checkpointer(where) as third:
        await held(saver)

        async def keep_compacting(by: Checkpointer) -> None:
            for _ in range(5):
                await compact(by, "tea-1")

        one, *_ = await asyncio.gather(held(third, "tea-2"), keep_compacting(saver), keep_compacting(second))
        assert (await one.progress()).is_over
        assert (await state_of(one))["values"]["questions_asked"] == (
            (await state_of(interview(saver)))["values"]["questions_asked"]
        )


async def test_a_turn_that_waits_in_the_newest_checkpoint_is_still_finished(where: str | Path) -> None:
    """What its nodes have computed so far stays: nobody is asked twice."""
    rig = Rig()
    async with open_checkpointer(where) as saver:
        one = interview(saver, rig=rig)
        await spoken(one.begin())
        says = one.answer(SHORT[0], 1)
        async for _ in says:
            break  # the first words of the feedback
        await says.aclose()  # type: ignore[attr-defined]
        assert (await one.progress()).cut_off

        await compact(saver, "tea-1")

        assert (await one.progress()).cut_off
        assert "question" in {say.kind for say in await spoken(one.resume())}
        assert len(rig.judge.judged) == 1


async def test_a_file_gets_smaller(tmp_path: Path) -> None:
    """What is freed goes back to the file system, and what was said is gone from the log as well."""
    path = tmp_path / "checkpoints.sqlite"
    async with open_checkpointer(path) as saver:
        await held(saver)
        before = size(path)
        assert b"oxidation" in content(tmp_path)
        await compact(saver, "tea-1")
        assert size(path) < before / 10
        assert await fetch(saver, "PRAGMA freelist_count") == [(0,)]
        await forget(saver, "tea-1")
        assert b"oxidation" not in content(tmp_path)


async def test_an_older_file_does_not_grow_for_ever(tmp_path: Path) -> None:
    """A file that cannot be made smaller is filled again before it grows."""
    path = tmp_path / "checkpoints.sqlite"
    async with aiosqlite.connect(path) as older:
        await older.execute("CREATE TABLE older (word TEXT)")
    async with open_checkpointer(path) as saver:
        sizes = []
        for number in range(4):
            await held(saver, f"tea-{number}")
            await compact(saver, f"tea-{number}")
            sizes.append(size(path))
        assert sizes[-1] < sizes[0] * 1.2


def content(folder: Path) -> bytes:
    """All bytes of all files."""
    return b"".join(file.read_bytes() for file in folder.iterdir())


def size(path: Path) -> int:
    """Bytes of a database with its log."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*") if not file.name.endswith("-shm"))


async def test_a_sweep_removes_interviews_that_were_deleted(where: str | Path) -> None:
    """All of them and no others, however far they had got."""
    async with open_checkpointer(where) as saver:
        for name in ("kept", "gone"):
            await held(saver, name)
        await spoken(interview(saver, "begun and gone").begin())

        async def still_there(asked: Collection[str]) -> set[str]:
            assert set(asked) == {"kept", "gone", "begun and gone"}
            return {"kept", "another one"}

        removed = await sweep(saver, still_there)

        assert removed.threads == 2
        assert removed.checkpoints > removed.threads
        assert await threads_in(saver) == ["kept"]
        assert await rows(saver, "gone") == []
        assert await sweep(saver, everybody) == Removed()


async def test_a_sweep_spares_an_interview_that_begins_meanwhile(where: str | Path) -> None:
    """The record is asked about what was there before, so what comes later is not taken for deleted."""
    async with open_checkpointer(where) as saver:
        await held(saver, "gone")

        async def nobody(_asked: Collection[str]) -> set[str]:
            await spoken(interview(saver, "new").begin())
            return set()

        await sweep(saver, nobody)

        assert await threads_in(saver) == ["new"]


async def test_a_file_that_fails_is_told(tmp_path: Path) -> None:
    """As an error of the checkpoints, whichever of the removals it was."""
    async with open_checkpointer(tmp_path / "checkpoints.sqlite") as saver:
        assert isinstance(saver, AsyncSqliteSaver)
        await saver.conn.execute("DROP TABLE checkpoints")
        await all_fail(saver, "no such table: checkpoints")


async def test_a_database_that_is_gone_is_told() -> None:
    """PostgreSQL's errors, and those of its pool, are errors of the checkpoints like SQLite's."""
    nobody = "postgresql://viva:sesame@127.0.0.1:1/viva"
    async with AsyncConnectionPool(nobody, open=False, min_size=0, max_size=1, timeout=0.05) as pool:
        await all_fail(AsyncPostgresSaver(pool, serde=serializer()), "couldn't get a connection")


async def all_fail(saver: Checkpointer, why: str) -> None:
    """Every removal says why it failed."""

    async def nobody(_: Collection[str]) -> Collection[str]:
        return ()

    for removal in (compact(saver, "tea-1"), forget(saver, "tea-1"), sweep(saver, nobody)):
        with pytest.raises(CheckpointError, match=why):
            await removal


async def test_nothing_is_asked_when_there_is_nothing(where: str | Path) -> None:
    """A sweep of empty checkpoints is over at once."""

    async def never(_asked: Collection[str]) -> set[str]:
        pytest.fail("there is nothing to ask about")

    async with open_checkpointer(where) as saver:
        assert await sweep(saver, never) == Removed()
        assert is_postgres(where) == isinstance(where, str)


async def everybody(asked: Collection[str]) -> Collection[str]:
    """A record in which nothing was deleted."""
    return asked


async def test_interviews_that_ended_unseen_are_compacted(where: str | Path) -> None:
    """Those that have ended and were not compacted, each once; those that go on keep every checkpoint."""
    async with open_checkpointer(where) as saver:
        left, goes_on = await held(saver, "left"), interview(saver, "goes-on")
        await held(saver, "done")
        await compact(saver, "done")
        await spoken(goes_on.begin())
        before, kept = await state_of(left), await rows(saver, "goes-on")
        asked: list[set[str]] = []

        async def over(threads: Collection[str]) -> Collection[str]:
            asked.append(set(threads))
            return {"left"} & set(threads)

        removed = await compact_all(saver, over)

        assert removed.checkpoints > 20
        assert await state_of(left) == before
        assert await rows(saver, "goes-on") == kept
        assert await compact_all(saver, over) == Removed()
        assert asked == [{"left", "goes-on"}, {"goes-on"}]


async def test_what_cannot_be_removed_is_said(tmp_path: Path) -> None:
    """Whatever the database complains of comes as the one error that callers know."""

    async def everybody(threads: Collection[str]) -> Collection[str]:
        return threads

    async with sqlite_checkpointer(tmp_path / "checkpoints.sqlite") as saver:
        await spoken(interview(saver).begin())
        await saver.conn.execute("DROP TABLE writes")
        for work in (compact(saver, "tea-1"), forget(saver, "tea-1"), compact_all(saver, everybody)):
            with pytest.raises(CheckpointError, match=r"could not be removed: no such table: writes\."):
                await work
