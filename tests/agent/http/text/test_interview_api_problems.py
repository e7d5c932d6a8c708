"""What bad input, bad luck and bad timing get from the interview API: problem details that say what to do."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import hypothesis
import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg_pool import PoolTimeout

from agent.http.problems import KINDS, ProblemError
from graph.checkpoints.errors import CheckpointError
from review import RecordError, RecordStore
from tests.agent.text_rig import API, GOOD, TextRig, begun


@pytest.fixture
def rig(tmp_path: Path) -> TextRig:
    """A web process with a scripted judge."""
    return TextRig(tmp_path)


def check_problem(answer: httpx.Response, status: int, kind: str) -> dict[str, Any]:
    """What every problem has: its media type, its members, and a whole sentence."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert problem["type"] == (f"/api/v1/problems/{kind}" if kind else "about:blank")
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"].endswith(".")
    assert problem["instance"] == answer.request.url.path
    assert problem["request_id"] == answer.headers["x-request-id"]
    return problem


@pytest.mark.parametrize("path", ["/submit_response", "/submit_response/stream", "/end"])
async def test_an_unknown_session_is_not_found(rig: TextRig, path: str) -> None:
    """Whatever the token."""
    async with rig.serving() as client:
        body = {"session_id": "nope", **({} if path == "/end" else {"response": GOOD})}
        answer = await client.post(f"{API}{path}", json=body, headers={"Authorization": "Bearer x"})
        check_problem(answer, 404, "unknown-session")
        for method, each in (("GET", ""), ("GET", "/report"), ("POST", "/resume")):
            check_problem(await client.request(method, f"{API}/nope{each}"), 404, "unknown-session")


async def test_an_interview_by_voice_is_no_session(rig: TextRig) -> None:
    """It is held in its room and nowhere else."""
    async with rig.serving() as client:
        session = await begun(client)
        created = rig.events(session.id)[0].model_copy(update={"medium": "voice", "room": "interview-spoken"})
        rig.append("spoken", created)
        check_problem(await client.get(f"{API}/spoken"), 404, "unknown-session")


@pytest.mark.parametrize(
    ("headers", "status", "kind"),
    [
        ({}, 401, "missing-token"),
        ({"Authorization": "Basic abc"}, 401, "missing-token"),
        ({"Authorization": "Bearer"}, 401, "missing-token"),
        ({"Authorization": "Bearer wrong"}, 403, "wrong-token"),
        ({"Authorization": "Bearer \xe4".encode("latin-1")}, 403, "wrong-token"),
    ],
)
async def test_only_its_own_token_opens_a_session(
    rig: TextRig, headers: dict[str, str], status: int, kind: str
) -> None:
    """Without it nothing can be said, seen or ended."""
    async with rig.serving() as client:
        session = await begun(client)
        body = {"session_id": session.id, "response": GOOD}
        for path in ("/submit_response", "/submit_response/stream"):
            check_problem(await client.post(f"{API}{path}", json=body, headers=headers), status, kind)
        ending = await client.post(f"{API}/end", json={"session_id": session.id}, headers=headers)
        check_problem(ending, status, kind)
        for method, path in (("GET", ""), ("GET", "/report"), ("POST", "/resume")):
            answer = await client.request(method, f"{API}/{session.id}{path}", headers=headers)
            check_problem(answer, status, kind)
        if status == 401:
            assert ending.headers["www-authenticate"] == "Bearer"


async def test_one_sessions_token_is_no_others(rig: TextRig) -> None:
    """Nor does any token open a room for an interview by text."""
    async with rig.serving() as client:
        one, other = await begun(client), await begun(client)
        answer = await client.get(f"{API}/{one.id}", headers=other.headers)
        check_problem(answer, 403, "wrong-token")
        admitted = await client.post(f"/api/interviews/{one.id}/token", headers=one.headers)
        check_problem(admitted, 404, "unknown-session")


@pytest.mark.parametrize(
    ("wanted", "status", "kind", "says"),
    [
        ({"pack": "cooking"}, 422, "unknown-pack", "tea"),
        ({"focus_topics": ["milk"]}, 422, "unknown-topic", "leaves, water, serving"),
        ({"difficulty": "brutal"}, 422, "invalid-request", "difficulty"),
        ({"time_budget_minutes": 1}, 422, "invalid-request", "time_budget_minutes"),
        ({"candidate_name": " "}, 422, "invalid-request", "candidate_name"),
        ({"candidate_name": "Ada\x07"}, 422, "invalid-request", "control characters"),
        ({"colour": "red"}, 422, "invalid-request", "colour"),
        ({"resume": "x" * 50_001}, 413, "too-long", "50,001"),
        ({"job_description": "x" * 50_001}, 413, "too-long", "50,000"),
    ],
)
async def test_what_cannot_be_had_is_refused_and_nothing_is_begun(
    rig: TextRig, wanted: dict[str, Any], status: int, kind: str, says: str
) -> None:
    """The sentence names the field, or what there is."""
    async with rig.serving() as client:
        answer = await client.post(f"{API}/start", json={"candidate_name": "Ada", **wanted})
        assert says in check_problem(answer, status, kind)["detail"]
        assert (await client.get("/api/v1/interviews")).json() == []


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ({"response": ""}, 422, "empty-answer"),
        ({"response": " \n\t "}, 422, "empty-answer"),
        ({"response": "x" * 20_001}, 413, "too-long"),
        ({"response": GOOD, "elapsed_s": 3}, 422, "invalid-request"),
        ({"response": GOOD, "elapsed_s": -1}, 422, "invalid-request"),
        ({"response": "bell \x07"}, 422, "invalid-request"),
        ({"response": 7}, 422, "invalid-request"),
        ({}, 422, "invalid-request"),
    ],
)
async def test_what_is_no_answer_is_refused_and_nothing_happened(
    rig: TextRig, body: dict[str, Any], status: int, kind: str
) -> None:
    """The same for a stream, before it begins; and the session goes on as if it had not been sent."""
    async with rig.serving() as client:
        session = await begun(client)
        for path in ("/submit_response", "/submit_response/stream"):
            check_problem(await session.post(path, **body), status, kind)
        assert (await session.say(GOOD))["turn"] == 1


@pytest.mark.parametrize(
    ("content", "status", "kind"),
    [
        (b'{"candidate_name": "J\xfcrgen"}', 400, "not-utf-8"),
        ('{"candidate_name": "Ada"}'.encode("utf-16"), 400, "not-utf-8"),
        ('{"candidate_name": "Ada"}'.encode("utf-16-le"), 400, "not-utf-8"),
        (b'{"candidate_name": "\\ud800"}', 422, "invalid-request"),
        (b'{"candidate_name": ', 400, "not-json"),
        (b"", 422, "invalid-request"),
        (b"[]", 422, "invalid-request"),
    ],
)
async def test_bodies_are_json_in_utf_8(rig: TextRig, content: bytes, status: int, kind: str) -> None:
    """Nothing is guessed at."""
    async with rig.serving() as client:
        answer = await client.post(f"{API}/start", content=content, headers={"Content-Type": "application/json"})
        check_problem(answer, status, kind)


async def test_a_body_is_read_only_as_far_as_it_may_be_long(rig: TextRig) -> None:
    """Neither a declared length nor a stream without one gets past the limit."""
    read = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal read
        for _ in range(1000):
            read += 1
            yield b" " * 100_000

    async with rig.serving() as client:
        headers = {"Content-Type": "application/json"}
        check_problem(await client.post(f"{API}/start", content=b" " * 10_000_000, headers=headers), 413, "too-long")
        check_problem(await client.post(f"{API}/start", content=endless(), headers=headers), 413, "too-long")
    assert read < 25


async def test_an_ended_interview_takes_no_answers(rig: TextRig) -> None:
    """The problem says where its report is."""
    async with rig.serving() as client:
        session = await begun(client)
        await session.post("/end")
        for path in ("/submit_response", "/submit_response/stream"):
            problem = check_problem(await session.post(path, response=GOOD), 409, "session-ended")
            assert f"{API}/{session.id}/report" in problem["detail"]


async def test_of_two_answers_at_once_the_second_is_told_to_come_again(rig: TextRig) -> None:
    """It does not wait for the first, which is not disturbed; nor can the interview be ended or resumed meanwhile."""
    async with rig.serving() as client:
        session = await begun(client)
        rig.judge.gate.clear()
        first = asyncio.create_task(session.say(GOOD))
        await rig.judge.asked.wait()
        for path in ("/submit_response", "/submit_response/stream", "/end"):
            body = {} if path == "/end" else {"response": "half of it"}
            check_problem(await session.post(path, **body), 409, "answer-under-way")
        check_problem(await session.resume(), 409, "answer-under-way")
        assert (await session.get()).json()["answer_under_way"] is True
        rig.judge.gate.set()
        assert (await first)["turn"] == 1
        assert (await session.say(GOOD))["turn"] == 2
    assert [text for _, text in rig.judge.judged] == [GOOD, GOOD]


async def test_many_answers_at_once_are_one_turn(rig: TextRig) -> None:
    """Of ten requests one is handled; the others do not half happen."""
    async with rig.serving() as client:
        session = await begun(client)
        answers = await asyncio.gather(*(session.post("/submit_response", response=GOOD) for _ in range(10)))
    assert sorted(answer.status_code for answer in answers) == [200] + 9 * [409]
    assert len(rig.judge.judged) == 1


async def test_requests_have_ids(rig: TextRig) -> None:
    """A sane one is taken over, another replaced, and every response has its own and the session's."""
    async with rig.serving() as client:
        session = await begun(client)
        mine = {**session.headers, "X-Request-ID": "trace-7.a_b"}
        answer = await client.get(f"{API}/{session.id}", headers=mine)
        assert answer.headers["x-request-id"] == "trace-7.a_b"
        assert answer.headers["x-correlation-id"] == session.id
        made = [
            (await client.get(f"{API}/nope", headers={"X-Request-ID": given})).headers["x-request-id"]
            for given in ("", "x" * 65, "a b", 'a"b')
        ]
    assert len(set(made)) == 4
    assert all(each.isalnum() for each in made)


async def test_what_is_not_there_is_a_problem_too(rig: TextRig) -> None:
    """Unknown paths and methods get problem details like everything else."""
    async with rig.serving() as client:
        check_problem(await client.get("/api/v1/nothing"), 404, "")
        check_problem(await client.delete("/api/v1/interviews"), 405, "")
        check_problem(await client.get("/api/nothing"), 404, "")
        for kind, known in KINDS.items():
            described = (await client.get(f"/api/v1/problems/{kind}")).json()
            assert (described["title"], described["status"]) == (known.title, known.status)
        check_problem(await client.get("/api/v1/problems/weather"), 404, "")


async def test_while_the_models_load_a_client_is_told_when_to_come_again(rig: TextRig) -> None:
    """A request waits for a while; the next one finds them loaded, and they are loaded once."""
    loading = asyncio.Event()
    loads = 0

    async def load() -> None:
        nonlocal loads
        loads += 1
        await loading.wait()

    rig.on_load, rig.patience_s = load, 0.01
    async with rig.serving() as client:
        answer = await client.post(f"{API}/start", json={"candidate_name": "Ada"})
        check_problem(answer, 503, "still-loading")
        assert int(answer.headers["retry-after"]) > 0
        loading.set()
        while answer.status_code == 503:
            answer = await client.post(f"{API}/start", json={"candidate_name": "Ada"})
        assert answer.status_code == 201
    assert loads == 1


async def test_models_that_cannot_be_loaded_are_tried_again(rig: TextRig) -> None:
    """The sentence says what is wrong; after it was put right the next request works."""
    broken = [ProblemError("still-loading", "Interviews cannot be held at the moment: a file is missing.")]

    async def load() -> None:
        if broken:
            raise broken.pop()

    rig.on_load = load
    async with rig.serving() as client:
        answer = await client.post(f"{API}/start", json={"candidate_name": "Ada"})
        assert "a file is missing" in check_problem(answer, 503, "still-loading")["detail"]
        await begun(client)


async def test_a_record_that_cannot_be_written_refuses_the_answer(
    rig: TextRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The graph does not get what is not recorded; sent again when the disk is well, it counts once."""
    async with rig.serving() as client:
        session = await begun(client)
        with monkeypatch.context() as broken:
            broken.setattr(RecordStore, "append", _full)
            check_problem(await session.post("/submit_response", response=GOOD), 503, "storage-failed")
            check_problem(await client.post(f"{API}/start", json={"candidate_name": "B"}), 503, "storage-failed")
        assert rig.judge.judged == []
        assert (await session.say(GOOD))["turn"] == 1


@pytest.mark.parametrize(
    "fault",
    [
        sqlite3.OperationalError("disk I/O error"),
        psycopg.OperationalError("server closed"),
        PoolTimeout("no connection"),
        CheckpointError("The checkpoints cannot be reached."),
    ],
    ids=lambda fault: type(fault).__name__,
)
async def test_a_fault_of_the_checkpoints_is_told_as_one(
    rig: TextRig, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """In a turn or outside of one: the client may come again, and nobody takes it for a fault of Viva's."""

    def fails(*_: object) -> None:
        raise fault

    async with rig.serving() as client:
        session = await begun(client)
        with monkeypatch.context() as broken:
            broken.setattr("graph.interview.Interview.progress", fails)
            for answer in (await session.get(), await session.resume()):
                check_problem(answer, 503, "storage-failed")
                assert answer.headers["Retry-After"]
            check_problem(await session.post("/submit_response", response=GOOD), 503, "storage-failed")
        with monkeypatch.context() as broken:
            broken.setattr("graph.interview.Interview._stream", fails)
            check_problem(await session.post("/submit_response", response=GOOD), 503, "storage-failed")
        assert (await session.resume()).json()["turn"] == 1


async def test_checkpoints_that_cannot_be_removed_do_not_undo_the_end(
    rig: TextRig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The report comes all the same, and the log says what was left behind."""

    def fails(*_: object) -> None:
        raise PoolTimeout("no connection")

    monkeypatch.setattr("graph.checkpoints.retention._sqlite", fails)
    async with rig.serving() as client:
        session = await begun(client)
        ended = await session.post("/end")
    assert ended.status_code == 200
    assert ended.json()["final_report"]["end_reason"] == "stopped"
    assert f"old checkpoints of interview {session.id} could not be removed" in caplog.text


async def test_a_fault_of_ours_is_a_problem_with_the_requests_id(rig: TextRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sees a stack trace, and the log can be searched for the id."""
    async with rig.serving() as client:
        session = await begun(client)
        monkeypatch.setattr(RecordStore, "events", _broken)
        check_problem(await session.get(), 500, "internal-error")


def _full(*_: object) -> int:
    raise RecordError("The record could not be written: the disk is full.")


def _broken(*_: object) -> int:
    raise ZeroDivisionError


async def test_the_description_of_the_api_is_true_to_it(rig: TextRig) -> None:
    """Every call names its problems; every example of a body is one that is accepted."""
    async with rig.serving() as client:
        described = (await client.get("/openapi.json")).json()
        calls = {path: item for path, item in described["paths"].items() if path.startswith("/api/")}
        assert len(calls) == 33
        for item in calls.values():
            for call in item.values():
                for status, answer in call["responses"].items():
                    if status.startswith(("4", "5")):
                        assert list(answer["content"]) == ["application/problem+json"], call["operationId"]
        example = described["components"]["schemas"]["StartRequest"]["examples"][0]
        body = json.dumps({**example, "pack": "tea", "focus_topics": ["water"]})
        headers = {"Content-Type": "application/json"}
        assert (await client.post(f"{API}/start", content=body, headers=headers)).status_code == 201


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=6,
)
BODIES = st.fixed_dictionaries(
    {},
    optional={
        "candidate_name": JSON,
        "user_id": JSON,
        "pack": st.just("tea") | JSON,
        "difficulty": st.just("hard") | JSON,
        "focus_topics": JSON,
        "time_budget_minutes": st.integers(-5, 200) | JSON,
        "session_id": st.just("SESSION") | JSON,
        "response": st.text(max_size=40) | JSON,
        "elapsed_s": st.floats(-10, 1e9) | JSON,
        "time": st.just("virtual") | JSON,
        "by": JSON,
    },
)


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.sampled_from(["start", "submit_response", "submit_response/stream", "end"]), BODIES | JSON))
)
@hypothesis.settings(max_examples=25, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
async def test_whatever_is_sent_is_answered_in_order(tmp_path_factory: pytest.TempPathFactory, sent: list[Any]) -> None:
    """No body breaks anything: what is wrong gets a problem of the client's, and the session can be ended."""
    rig = TextRig(tmp_path_factory.mktemp("fuzz"))
    async with rig.serving() as client:
        session = await begun(client, time="virtual")
        for path, body in sent:
            if isinstance(body, dict) and body.get("session_id") == "SESSION":
                body = {**body, "session_id": session.id}  # noqa: PLW2901 - the same body, at its address
            content = json.dumps(body).encode()
            headers = {**session.headers, "Content-Type": "application/json"}
            answer = await client.post(f"{API}/{path}", content=content, headers=headers)
            assert answer.status_code < 500, answer.text
            if answer.status_code >= 400:
                assert answer.headers["content-type"] == "application/problem+json"
        assert (await session.post("/end")).status_code == 200
