"""The monitor over HTTP: what the host sees of a person and their interview, and that nobody else sees anything."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from agent.http.app import make_app
from agent.interviews import profiles as profiles_module
from agent.interviews.profiles import opened_profiles
from agent.settings import Settings
from tests.agent.text_rig import GOOD, TextRig, begun, parse_events, served
from tests.rag.fakes import HashedWords
from tests.rag.profiles.samples import RESUME

TOKEN = "a-token-of-the-host"
CV = "Bred zebra finches in Tromso."
SNAPSHOT, STREAM = "/monitor/api/ada.json", "/monitor/stream/ada"


@pytest.fixture(autouse=True)
def _no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles_module, "profile_embedder", lambda _: HashedWords())


@pytest.fixture
def rig(tmp_path: Path) -> TextRig:
    """A web process whose models are scripted."""
    return TextRig(tmp_path)


def ids(stream: str) -> list[int]:
    """The numbers of the events in a stream, in order."""
    return [int(found) for found in re.findall(r"^id: (\d+)$", stream, re.MULTILINE)]


async def snapshot(client: httpx.AsyncClient, address: str = SNAPSHOT) -> dict[str, Any]:
    """What is shown now."""
    answer = await client.get(address)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


async def test_an_interview_that_goes_on_is_shown_as_it_stands(rig: TextRig) -> None:
    """Scores of an exam among it, which its candidate gets in no other way before the end."""
    with opened_profiles(rig.settings) as profiles:
        profiles.bring_in("ada", RESUME, at=1.0)
    async with rig.serving() as client:
        session = await begun(client, feedback="exam", resume=CV)
        await session.say(GOOD)
        shown = await snapshot(client)
    assert shown["person"]["profile"]["skills"] == list(RESUME.skills)
    assert (shown["vector"]["id"], shown["profile_problem"]) == ("profile_ada", "")
    assert shown["vector"]["metadata"]["user_id"] == "ada"
    assert shown["vector"]["dimensions"] > 0
    interview = shown["interview"]
    assert (interview["interview_id"], interview["feedback"], interview["has_resume"]) == (session.id, "exam", True)
    state = interview["state"]
    assert (state["phase"], state["turn"], state["intent"]) == ("listening", 1, "answer")
    assert state["question"]["text"]
    ran = [run["node"] for run in state["nodes"]]
    assert {"detect_intent", "evaluate", "give_feedback", "select_question", "supervise"} <= set(ran)
    assert set(ran) <= set(shown["graph"]["nodes"])
    assert state["judgement"]["verdicts"]
    (mark,) = interview["marks"]["answers"]
    assert mark["overall"] is not None
    assert interview["marks"]["combined"] is not None
    (latency,) = interview["latencies"]
    assert latency["first_sound_s"] is not None
    assert [line["seq"] for line in shown["activity"]] == list(range(1, interview["seq"] + 1))
    watched = {name: part for name, part in shown.items() if name not in ("person", "vector")}
    assert CV not in json.dumps(watched), "what a CV said is shown where the profile is, and nowhere else"


async def test_the_stream_has_every_event_and_ends_with_the_interview(rig: TextRig) -> None:
    """Its ids are the record's numbers; behind `Last-Event-ID` it goes on with the next."""
    async with rig.serving() as client:
        session = await begun(client)
        await session.say(GOOD)
        await session.post("/end")
        whole = await client.get(STREAM)
        rest = await client.get(STREAM, headers={"Last-Event-ID": "7"})
        named = await client.get(STREAM, params={"interview": session.id})
    assert whole.headers["content-type"].startswith("text/event-stream")
    events = parse_events(whole.text)
    activity = [data for name, data in events if name == "activity"]
    assert ids(whole.text) == [line["seq"] for line in activity] == list(range(1, len(activity) + 1))
    assert [name for name, _ in events][-2:] == ["state", "ended"]
    assert activity[-1]["kind"] == "interview_ended"
    assert ids(rest.text) == ids(whole.text)[7:]
    assert ids(named.text) == ids(whole.text)


async def test_of_several_interviews_the_running_one_is_shown(rig: TextRig) -> None:
    """Else the newest; any other can be asked for, but nobody else's."""
    async with rig.serving() as client:
        first = await begun(client)
        second = await begun(client)
        other = await begun(client, candidate_name="Grace")
        await second.post("/end")
        assert (await snapshot(client))["interview"]["interview_id"] == first.id
        await first.post("/end")
        assert (await snapshot(client))["interview"]["interview_id"] == second.id
        asked = await snapshot(client, f"{SNAPSHOT}?interview={first.id}")
        assert asked["interview"]["interview_id"] == first.id
        assert [each["id"] for each in asked["interviews"]] == [second.id, first.id]
        for address in (SNAPSHOT, STREAM):
            refused = await client.get(address, params={"interview": other.id})
            assert (refused.status_code, refused.json()["type"]) == (404, "/api/v1/problems/unknown-session")


async def test_who_has_a_profile_and_no_interview_is_shown(rig: TextRig) -> None:
    """There is nothing to follow yet, and a sentence says so."""
    with opened_profiles(rig.settings) as profiles:
        profiles.bring_in("ada", RESUME, at=1.0)
    async with rig.serving() as client:
        shown = await snapshot(client, "/monitor/api/ADA.json")
        nothing = await client.get(STREAM)
    assert (shown["user_id"], shown["interview"], shown["activity"]) == ("ada", None, [])
    assert shown["person"]["user_id"] == "ada"
    assert nothing.status_code == 404
    assert "no interview of 'ada' yet" in nothing.json()["detail"]


async def test_a_profile_that_cannot_be_read_hides_no_interview(rig: TextRig) -> None:
    """What is wrong stands in its place."""
    async with rig.serving() as client:
        await begun(client)
        (rig.data_dir / "profiles.sqlite").write_text("nonsense " * 200)
        shown = await snapshot(client)
    assert shown["person"] is None
    assert shown["profile_problem"]
    assert shown["interview"]["state"]["phase"] == "listening"


@pytest.mark.parametrize("address", [SNAPSHOT, STREAM])
async def test_an_unknown_person_is_a_sentence(rig: TextRig, address: str) -> None:
    """And nothing is made of them."""
    async with rig.serving() as client:
        answer = await client.get(address)
    assert (answer.status_code, answer.json()["type"]) == (404, "/api/v1/problems/unknown-person")
    assert "'ada'" in answer.json()["detail"]
    assert not (rig.data_dir / "profiles.sqlite").exists()


@pytest.mark.parametrize("address", [SNAPSHOT, STREAM])
def test_only_the_host_may_watch(tmp_path: Path, address: str) -> None:
    """Nobody learns from a refusal who is known here."""
    guarded = TestClient(make_app(Settings(data_dir=tmp_path / "a", host_token=TOKEN)), client=("127.0.0.1", 5000))
    assert guarded.get(address).status_code == 401
    assert guarded.get(address, headers={"Authorization": "Bearer wrong"}).status_code == 403
    assert guarded.get(address, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 404
    stranger = TestClient(make_app(Settings(data_dir=tmp_path / "b")), client=("10.0.0.9", 5000))
    assert stranger.get(address).status_code == 403


async def test_a_place_that_is_no_number_is_refused(rig: TextRig) -> None:
    """Instead of beginning anywhere."""
    async with rig.serving() as client:
        await begun(client)
        for wrong in ("-1", "last"):
            assert (await client.get(STREAM, headers={"Last-Event-ID": wrong})).status_code == 422


@pytest.mark.slow
def test_a_socket_that_is_never_read_keeps_nobody_waiting(rig: TextRig) -> None:
    """An interview is held while such readers hang on; another one reads all of it, and the server stops."""
    with served(rig) as address:
        with httpx.Client(base_url=address, timeout=20) as client:
            started = client.post("/api/v1/interview/start", json={"candidate_name": "Ada"}).json()
            host, port = address.removeprefix("http://").split(":")
            deaf = [socket.create_connection((host, int(port))) for _ in range(20)]
            for each in deaf:
                each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
                each.sendall(f"GET {STREAM} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            headers = {"Authorization": f"Bearer {started['token']}"}
            said = {"session_id": started["session_id"], "response": GOOD}
            with client.stream("GET", STREAM) as stream:
                for _ in range(3):
                    answer = client.post("/api/v1/interview/submit_response", json=said, headers=headers)
                    assert answer.status_code == 200, answer.text
                client.post("/api/v1/interview/end", json={"session_id": started["session_id"]}, headers=headers)
                text = stream.read().decode()
        assert ids(text) == list(range(1, len(ids(text)) + 1))
        assert parse_events(text)[-1][0] == "ended"
        for each in deaf:
            each.close()
