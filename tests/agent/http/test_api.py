"""The interview API: creating interviews, coming back into them, and what bad input gets."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import jwt
import pytest
from fastapi.testclient import TestClient

from agent.access import interview_token
from agent.http.app import make_app
from agent.interviews.context import make_setup
from agent.interviews.places import GONE_AFTER_S
from agent.settings import Settings
from domain.events import InterviewCreated, InterviewEnded, InterviewStarted
from review import RecordStore

WANTED = {"name": "Ada", "pack": "backend", "minutes": 20, "feedback": "coach"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of an instance in a temporary folder."""
    return Settings(data_dir=tmp_path)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    """The web process, with a worker that is ready (this very process)."""
    settings.worker_ready_path.parent.mkdir(parents=True)
    settings.worker_ready_path.write_text(str(os.getpid()), encoding="utf-8")
    with TestClient(make_app(settings)) as client:
        yield client


def test_packs_can_be_chosen_from(client: TestClient) -> None:
    """Every shipped pack is listed with what a candidate wants to know about it."""
    packs = {pack["id"]: pack for pack in client.get("/api/packs").json()}
    assert {"backend", "machine-learning"} <= packs.keys()
    assert packs["backend"]["questions"] == 30
    assert {"id": "caching", "title": "Caching"} in packs["backend"]["topics"]


def test_creating_an_interview_admits_its_candidate_and_calls_the_interviewer(
    client: TestClient, settings: Settings
) -> None:
    """The token is for one room and one identity, and dispatches the worker with the interview's id."""
    created = client.post("/api/interviews", json=WANTED)
    assert created.status_code == 201
    body = created.json()
    claims = jwt.decode(body["token"], settings.livekit_secret, algorithms=["HS256"])
    assert claims["sub"] == "candidate"
    assert claims["video"]["room"] == body["room"]
    assert body["interview_id"] in json.dumps(claims["roomConfig"])
    listed = client.get("/api/interviews").json()
    assert [each["candidate_name"] for each in listed] == ["Ada"]


def test_an_interview_can_be_for_a_job_and_about_topics(client: TestClient, settings: Settings) -> None:
    """Difficulty, topics (by id or title) and documents reach the graph; who watches does not get the documents."""
    wish = {"difficulty": "hard", "focus_topics": ["Caching", "caching"], "resume": "Ten years of Go.\nPhone 123."}
    wanted = {**WANTED, "pack": "backend", "job_description": "Senior backend engineer at Acme", **wish}
    interview_id = client.post("/api/interviews", json=wanted).json()["interview_id"]
    store = RecordStore(settings.record_path)
    created = store.events(interview_id)[0].event
    store.close()
    assert isinstance(created, InterviewCreated)
    setup = make_setup(interview_id, created, settings)
    assert (setup.difficulty, setup.focus_topics) == ("hard", ("caching",))
    assert (setup.resume, setup.job_description) == (wanted["resume"], wanted["job_description"])
    told = client.get(f"/api/interviews/{interview_id}/events").json()[0]["event"]
    assert (told["resume"], told["job_description"], told["focus_topics"]) == ("", "", ["caching"])


@pytest.mark.parametrize(
    ("wished", "as_set", "held"), [("resume", "plan", "resume"), (None, "resume", "resume"), ("plan", "resume", "plan")]
)
def test_where_questions_come_from_is_wished_or_as_it_is_set(
    wished: str | None, as_set: str, held: str, client: TestClient, settings: Settings
) -> None:
    """The wish reaches the graph; without one it is as the host has set it."""
    interview_id = client.post("/api/interviews", json={**WANTED, "mode": wished}).json()["interview_id"]
    store = RecordStore(settings.record_path)
    created = store.events(interview_id)[0].event
    store.close()
    assert isinstance(created, InterviewCreated)
    assert make_setup(interview_id, created, settings.model_copy(update={"mode": as_set})).mode == held


def test_the_key_lets_a_candidate_back_in(client: TestClient) -> None:
    """A reloaded page gets a new token for the same room."""
    created = client.post("/api/interviews", json=WANTED).json()
    again = client.post(
        f"/api/interviews/{created['interview_id']}/token", headers={"Authorization": f"Bearer {created['key']}"}
    )
    assert again.status_code == 200
    assert again.json()["room"] == created["room"]


@pytest.mark.parametrize(
    ("header", "status"),
    [({}, 401), ({"Authorization": "Bearer wrong"}, 403), ({"Authorization": "Basic abc"}, 401)],
)
def test_a_wrong_key_is_refused_with_a_sentence(client: TestClient, header: dict[str, str], status: int) -> None:
    """Nobody gets into another's interview."""
    created = client.post("/api/interviews", json=WANTED).json()
    refused = client.post(f"/api/interviews/{created['interview_id']}/token", headers=header)
    assert refused.status_code == status
    assert refused.json()["detail"].endswith(".")


def test_an_ended_interview_cannot_be_entered(client: TestClient, settings: Settings) -> None:
    """After the end there is only the replay."""
    created = client.post("/api/interviews", json=WANTED).json()
    store = RecordStore(settings.record_path)
    store.append(created["interview_id"], InterviewEnded(at=1.0, reason="completed"))
    store.close()
    over = client.post(
        f"/api/interviews/{created['interview_id']}/token", headers={"Authorization": f"Bearer {created['key']}"}
    )
    assert over.status_code == 409
    assert "replay" in over.json()["detail"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"pack": "cooking"}, "backend"),
        ({"name": " "}, "name"),
        ({"minutes": 1}, "minutes"),
        ({"minutes": "long"}, "minutes"),
        ({"feedback": "harsh"}, "interviewer"),
        ({"difficulty": "brutal"}, "medium"),
        ({"focus_topics": ["knitting"]}, "it has: "),
        ({"resume": "x" * 50_001}, "The résumé has 50,001 characters"),
        ({"job_description": "bell\a"}, "control characters"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_bad_input_gets_a_sentence_and_creates_nothing(
    client: TestClient, change: dict[str, object], says: str
) -> None:
    """The answer names the field or the valid choices, and there is no interview afterwards."""
    refused = client.post("/api/interviews", json={**WANTED, **change})
    assert refused.status_code == (413 if "resume" in change else 422)
    assert refused.headers["content-type"] == "application/problem+json"
    assert says in refused.json()["detail"]
    assert client.get("/api/interviews").json() == []


def test_without_a_worker_nobody_is_sent_into_a_silent_room(client: TestClient, settings: Settings) -> None:
    """An interview cannot be created while nobody could hold it."""
    settings.worker_ready_path.write_text(str(2**22), encoding="utf-8")
    refused = client.post("/api/interviews", json=WANTED)
    assert refused.status_code == 503
    assert "not ready" in refused.json()["detail"]
    assert client.get("/api/health").json()["worker"] is False


def test_who_would_make_everybody_wait_is_told_before_they_have_begun(tmp_path: Path) -> None:
    """As many interviews by voice go on as there are places; what ended, broke off or is in writing takes none."""
    settings = Settings(data_dir=tmp_path, interviews_at_once=1)
    settings.worker_ready_path.parent.mkdir(parents=True)
    settings.worker_ready_path.write_text(str(os.getpid()), encoding="utf-8")
    now = time.time()
    with TestClient(make_app(settings)) as client, closing(RecordStore(settings.record_path)) as store:
        for at in (now - GONE_AFTER_S - 1, now):
            assert client.post("/api/interviews", json=WANTED).status_code == 201
            newest = store.interviews()[0].id
            store.append(newest, InterviewStarted(at=at, judge="built-in", resumed=False))
        refused = client.post("/api/interviews", json=WANTED)
        assert (refused.status_code, refused.json()["type"].rpartition("/")[2]) == (503, "all-places-taken")
        assert "Try again in a few minutes" in refused.json()["detail"]
        assert "Retry-After" in refused.headers
        assert len(store.interviews()) == 2
        store.append(newest, InterviewEnded(at=now, reason="completed"))
        assert client.post("/api/interviews", json=WANTED).status_code == 201


@pytest.mark.parametrize(
    ("call", "status", "kind"),
    [
        ("GET /api/nothing", 404, None),
        ("GET /api/interviews/nobody", 404, None),
        ("POST /api/interviews/nobody/token", 404, "unknown-session"),
        ("GET /api/interviews/odd/transcript", 503, "storage-failed"),
        ("GET /api/interviews/odd/events?after=x", 422, "invalid-request"),
        ("GET /assets/nothing.js", 404, None),
    ],
)
def test_every_refusal_has_one_shape(
    client: TestClient, settings: Settings, call: str, status: int, kind: str | None
) -> None:
    """Problem details, whoever's the call is: a client reads `type`, a person `detail`."""
    with sqlite3.connect(settings.record_path) as record:
        record.execute("INSERT INTO events VALUES ('odd', 1, 2.0, 'sang', '{\"kind\": \"sang\"}')")
    record.close()
    refused = client.request(*call.split())
    assert refused.status_code == status
    assert refused.headers["content-type"] == "application/problem+json"
    problem = refused.json()
    assert problem["type"] == (f"/api/v1/problems/{kind}" if kind else "about:blank")
    assert problem["detail"].endswith(".")


def test_one_token_opens_an_interview_however_it_is_held(client: TestClient, settings: Settings) -> None:
    """What the start page got is what the text API would have given for the same id."""
    created = client.post("/api/interviews", json=WANTED).json()
    assert created["key"] == interview_token(settings, created["interview_id"])
