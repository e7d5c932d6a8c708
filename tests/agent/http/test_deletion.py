"""Deleting an interview: who may, when, and that nothing of it stays."""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient

from agent.http.app import make_app
from agent.http.text.sessions import Sessions
from agent.interviews.abandoned import ABANDONED, end_abandoned
from agent.interviews.checkpoints import tidy_checkpoints
from agent.settings import Settings
from domain.events import InterviewCreated, InterviewEnded, InterviewStarted
from graph import open_checkpointer
from graph.checkpoints.queries import threads_in
from review import RecordError, RecordStore
from tests.agent.text_rig import GOOD, Session, TextRig, begun
from tests.graph.checkpoints.postgres_server import running_postgres
from tests.graph.checkpoints.test_compaction import held

TOLD = "Bred zebra finches in Tromso."
RESUME = f"Summary\n{TOLD}"
PROFILES = {"profiles.sqlite", "chroma.sqlite3"}
"""What is kept of a person, and its vector."""
TOKEN = "a-token-of-the-host"
CREATED = InterviewCreated(
    at=1.0, candidate_name="Ada", pack="tea", pack_title="Tea", minutes=5, feedback="coach", room="r"
)


@pytest.fixture
def rig(tmp_path: Path) -> TextRig:
    """A web process whose models are scripted."""
    return TextRig(tmp_path)


def checkpoints(settings: Settings, session_id: str) -> int:
    """How many checkpoints there are of an interview's steps."""
    connection = sqlite3.connect(settings.checkpoint_path)
    query = "SELECT count(*) FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ''"
    (count,) = connection.execute(query, (session_id,)).fetchone()
    connection.close()
    return int(count)


def on_disk(settings: Settings) -> Iterator[str]:
    """Names of the files that hold what the résumé tells."""
    files = [path for path in settings.data_dir.rglob("*") if path.is_file()]
    return (path.name for path in files if TOLD.encode() in path.read_bytes())


async def answered(client: httpx.AsyncClient) -> Session:
    """An interview with a résumé and one answer."""
    session = await begun(client, resume=RESUME)
    await session.say(GOOD)
    return session


async def test_nothing_of_a_deleted_interview_stays_on_the_disk(rig: TextRig) -> None:
    """Its checkpoints, which hold the résumé and every answer, go with its record, and those of others stay.

    What the résumé says stays in the candidate's profile: it is deleted with them.
    """
    async with rig.serving() as client:
        session, other = await answered(client), await begun(client)
        assert list(on_disk(rig.settings))
        await session.post("/end")

        assert (await client.delete(f"/api/interviews/{session.id}")).status_code == 204

        assert checkpoints(rig.settings, session.id) == 0
        assert checkpoints(rig.settings, other.id) > 1
        assert set(on_disk(rig.settings)) == PROFILES
        await other.post("/end")
        assert (await client.delete("/api/v1/profiles/ada")).status_code == 204
        assert list(on_disk(rig.settings)) == []


async def test_a_process_that_held_no_interview_removes_checkpoints_too(rig: TextRig) -> None:
    """The web process may have been restarted since, and has none of the models loaded."""
    async with rig.serving() as client:
        session = await answered(client)
        await session.post("/end")
    async with rig.serving() as client:
        assert (await client.delete(f"/api/interviews/{session.id}")).status_code == 204
    assert set(on_disk(rig.settings)) == PROFILES


async def test_checkpoints_that_cannot_be_removed_keep_the_interview_listed(rig: TextRig) -> None:
    """Whoever deletes is told what failed, and can delete it again."""
    async with rig.serving() as client:
        session = await answered(client)
        await session.post("/end")
    for path in rig.data_dir.glob("checkpoints.sqlite*"):
        path.write_text("nonsense " * 200)

    async with rig.serving() as client:
        refused = await client.delete(f"/api/interviews/{session.id}")
        listed = (await client.get("/api/interviews")).json()

    assert refused.status_code == 503
    assert "Move it away" in refused.json()["detail"]
    assert "delete it again" in refused.json()["detail"]
    assert [each["id"] for each in listed] == [session.id]


async def test_a_running_interview_cannot_be_deleted(rig: TextRig) -> None:
    """It is refused with what to do, nothing of it is touched, and once it has ended it can be."""
    async with rig.serving() as client:
        session = await answered(client)

        refused = await client.delete(f"/api/interviews/{session.id}")

        assert refused.status_code == 409
        assert "End it first" in refused.json()["detail"]
        assert (await session.say(GOOD))["turn"] == 2
        await session.post("/end")
        assert (await client.delete(f"/api/interviews/{session.id}")).status_code == 204


def test_an_interview_that_nobody_came_to_can_be_deleted(tmp_path: Path) -> None:
    """It would never end, because it never began."""
    settings = Settings(data_dir=tmp_path)
    store = RecordStore(settings.record_path)
    store.append("waits", CREATED)
    with TestClient(make_app(settings), client=("127.0.0.1", 1)) as web:
        assert web.delete("/api/interviews/waits").status_code == 204
    assert store.status("waits") is None
    store.close()


@pytest.mark.parametrize(
    ("address", "host_token", "bearer", "status"),
    [
        ("127.0.0.1", "", "", 204),
        ("192.0.2.7", "", "", 403),
        ("192.0.2.7", "", TOKEN, 403),
        ("127.0.0.1", TOKEN, "", 401),
        ("192.0.2.7", TOKEN, "wrong", 403),
        ("192.0.2.7", TOKEN, TOKEN, 204),
    ],
)
def test_only_the_host_deletes(tmp_path: Path, address: str, host_token: str, bearer: str, status: int) -> None:
    """From this machine it needs nothing; with a host's token set, that token."""
    settings = Settings(data_dir=tmp_path, host_token=host_token)
    store = RecordStore(settings.record_path)
    for event in (CREATED, InterviewEnded(at=2.0, reason="stopped")):
        store.append("over", event)
    headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}

    with TestClient(make_app(settings), client=(address, 1)) as web:
        answer = web.delete("/api/interviews/over", headers=headers)

    assert answer.status_code == status
    assert (store.status("over") is None) == (status == 204)
    store.close()


@pytest.mark.parametrize(
    ("address", "host_token", "bearer", "query", "status", "judged"),
    [
        ("127.0.0.1", "", "", "", 200, False),
        ("127.0.0.1", "", "the-session's-own", "", 200, False),
        ("127.0.0.1", "", "", "?scores=true", 200, True),
        ("192.0.2.7", "", "", "?scores=true", 403, False),
        ("127.0.0.1", TOKEN, "", "?scores=true", 401, False),
        ("192.0.2.7", TOKEN, TOKEN, "", 200, True),
        ("192.0.2.7", TOKEN, "wrong", "", 200, False),
    ],
)
async def test_before_the_end_only_the_host_is_told_scores(  # noqa: PLR0917 - one argument for each column
    rig: TextRig, address: str, host_token: str, bearer: str, query: str, status: int, *, judged: bool
) -> None:
    """The candidate's page runs on the host's machine too, so from there the scores have to be asked for."""
    rig.overrides["host_token"] = host_token
    headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
    async with rig.serving() as client:
        session = await answered(client)
        transport = httpx.ASGITransport(client._transport.app, client=(address, 1))  # type: ignore[attr-defined]
        async with httpx.AsyncClient(transport=transport, base_url="http://viva", headers=headers) as caller:
            answer = await caller.get(f"/api/interviews/{session.id}/events{query}")
        assert answer.status_code == status
        told = [one["event"] for one in answer.json()] if status == 200 else []
        assert any(event.get("scores") or event.get("verdicts") for event in told) == judged
        assert any(event.get("ema") is not None for event in told) == judged


async def test_checkpoints_of_an_interview_that_was_left_are_compacted(
    rig: TextRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is there at its end, so tidying up keeps only its newest; one that goes on keeps all of them."""
    async with rig.serving() as client:
        left = await answered(client)
    async with rig.serving() as client:
        running = await answered(client)
        sessions: Sessions = client._transport.app.state.interview_api.sessions  # type: ignore[attr-defined]
        assert checkpoints(rig.settings, left.id) > 1
        monkeypatch.setitem(ABANDONED, "text", dataclasses.replace(ABANDONED["text"], quiet_s=-1.0))

        await sessions.tidy()

        assert isinstance(rig.events(left.id)[-1], InterviewEnded)
        assert checkpoints(rig.settings, left.id) == 1
        assert checkpoints(rig.settings, running.id) > 1


async def test_checkpoints_of_an_interview_whose_worker_died_are_compacted(rig: TextRig) -> None:
    """It is ended when somebody looks for such interviews, and tidying up after that finds it."""
    async with rig.serving() as client:
        session = await answered(client)
    store = RecordStore(rig.settings.record_path)
    connection = sqlite3.connect(rig.settings.checkpoint_path)
    for table in ("checkpoints", "writes"):
        connection.execute(f"UPDATE {table} SET thread_id = 'spoken' WHERE thread_id = ?", (session.id,))
    connection.commit()
    connection.close()
    for event in (CREATED, InterviewStarted(at=2.0, judge="built-in")):
        store.append("spoken", event)
    await tidy_checkpoints(rig.settings, store)
    assert checkpoints(rig.settings, "spoken") > 1

    assert end_abandoned(store, "voice", (), lambda: 1000.0) == 1
    await tidy_checkpoints(rig.settings, store)

    assert checkpoints(rig.settings, "spoken") == 1
    store.close()


async def test_tidying_up_removes_what_a_deletion_left(rig: TextRig) -> None:
    """Only of interviews that this record deleted: a database may hold those of another record, too."""
    async with rig.serving() as client:
        deleted, foreign = await answered(client), await answered(client)
        sessions: Sessions = client._transport.app.state.interview_api.sessions  # type: ignore[attr-defined]
        store = RecordStore(rig.settings.record_path)
        for session in (deleted, foreign):
            await session.post("/end")
        store.delete(deleted.id)
        store._connection().execute("DELETE FROM events WHERE interview_id = ?", (foreign.id,))
        store.close()

        await sessions.tidy()

        assert checkpoints(rig.settings, deleted.id) == 0
        assert checkpoints(rig.settings, foreign.id) == 1


async def test_tidying_up_that_fails_says_so(rig: TextRig) -> None:
    """Whoever runs it can log a sentence and try again."""
    rig.settings.checkpoint_path.write_text("nonsense " * 200)
    store = RecordStore(rig.settings.record_path)
    with pytest.raises(RecordError, match="Move it away"):
        await tidy_checkpoints(rig.settings, store)
    store.close()


@pytest.mark.slow
async def test_checkpoints_in_postgres_go_with_their_interview(tmp_path: Path) -> None:
    """With an interview that is deleted, and by tidying up when its deletion came too early for them."""
    with running_postgres() as server:
        settings = Settings(data_dir=tmp_path, checkpoint_url=server.create("viva_deletion"))
        store = RecordStore(settings.record_path)
        async with open_checkpointer(settings.checkpoints) as saver:
            for interview_id in ("over", "late", "foreign"):
                await held(saver, interview_id)
            for event in (CREATED, InterviewEnded(at=2.0, reason="stopped")):
                store.append("over", event)
            store.delete("late")
            transport = httpx.ASGITransport(make_app(settings), client=("127.0.0.1", 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://viva") as client:
                assert (await client.delete("/api/interviews/over")).status_code == 204
            assert sorted(await threads_in(saver)) == ["foreign", "late"]
            await tidy_checkpoints(settings, store)
            assert await threads_in(saver) == ["foreign"]
        store.close()
