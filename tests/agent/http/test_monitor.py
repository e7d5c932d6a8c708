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
from agent.interviews.profiles import opened_profiles
from agent.settings import Settings
from tests.agent.text_rig import GOOD, TextRig, begun, parse_events
from tests.rag.profiles.samples import RESUME
from tests.web_server import served

TOKEN = "a-token-of-the-host"
CV = "Bred zebra finches in Tromso."
SNAPSHOT, STREAM = "/monitor/api/ada.json", "/monitor/stream/ada"

pytestmark = pytest.mark.usefixtures("profiles_by_words")


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


TOPIC, NOTES = "/monitor/api/interviews/{}/topic", "/monitor/api/interviews/{}/notes"


async def test_a_topic_is_asked_about_next_and_told_in_the_activity(rig: TextRig) -> None:
    """It is found in the record, by its title too; the candidate gets to know nothing of it before the end."""
    async with rig.serving() as client:
        session = await begun(client)
        first = await snapshot(client)
        assert [each["id"] for each in first["topics"]] == ["leaves", "water", "serving"]
        wished = await client.post(TOPIC.format(session.id), json={"topic": "Serving", "by": "Grace"})
        assert (wished.status_code, wished.json()["status"], wished.json()["topic"]) == (201, "waits", "serving")
        told = await session.say(GOOD)
        shown = await snapshot(client)
        seen = (await client.get(f"/api/interviews/{session.id}/events")).text
    assert told["next_question"]["topic"] == "serving"
    (wish,) = shown["interview"]["wishes"]
    assert (wish["status"], wish["turn"], wish["by"]) == ("asked", 1, "Grace")
    lines = {line["kind"]: line for line in shown["activity"]}
    assert "Grace would like Serving" in lines["topic_wished"]["text"]
    assert (lines["topic_wish_settled"]["node"], lines["topic_wish_settled"]["text"]) == (
        "ask_question", "This is what was wished for",
    )  # fmt: skip
    assert "Grace" not in seen + json.dumps(session.heard)


async def test_something_in_the_resume_can_be_asked_about(rig: TextRig) -> None:
    """What is in it is offered beside the topics of the pack."""
    cv = "Projects\n\nOrder Portal, Fabrikam, 2020 to 2021\n- Built a React front end for the warehouse\n"
    async with rig.serving() as client:
        session = await begun(client, resume=cv)
        offered = [each for each in (await snapshot(client))["topics"] if each["source"] == "resume"]
        portal = next(each for each in offered if each["title"].startswith("Order Portal"))
        await client.post(TOPIC.format(session.id), json={"topic": portal["title"].upper()})
        assert (await session.say(GOOD))["next_question"]["id"].startswith(f"resume-{portal['id']}")


async def test_a_topic_that_cannot_be_asked_about_is_a_sentence(rig: TextRig) -> None:
    """It is not there, there is no time, the interview is over, or there is none; nothing is recorded then."""
    async with rig.serving() as client:
        session = await begun(client, time="virtual", time_budget_minutes=10)
        strange = await client.post(TOPIC.format(session.id), json={"topic": "Coffee"})
        assert (strange.status_code, strange.json()["type"]) == (422, "/api/v1/problems/unknown-topic")
        assert "Tea leaves, Water and heat, Serving" in strange.json()["detail"]
        await session.say(GOOD, elapsed_s=7 * 60 + 50)
        asked = await client.post(TOPIC.format(session.id), json={"topic": "water"})
        assert asked.status_code == 201
        await session.say(GOOD, elapsed_s=30)
        late = await client.post(TOPIC.format(session.id), json={"topic": "serving"})
        assert (late.status_code, late.json()["type"]) in {
            (409, "/api/v1/problems/no-time"), (409, "/api/v1/problems/session-ended"),
        }  # fmt: skip
        await session.post("/end")
        over = await client.post(TOPIC.format(session.id), json={"topic": "serving"})
        assert (over.status_code, over.json()["type"]) == (409, "/api/v1/problems/session-ended")
        nobody = await client.post(TOPIC.format("nobody"), json={"topic": "serving"})
        assert (nobody.status_code, nobody.json()["type"]) == (404, "/api/v1/problems/unknown-session")
        (wish,) = (await snapshot(client))["interview"]["wishes"]
    assert (wish["topic"], wish["status"]) == ("water", "not_asked")
    assert wish["why"].startswith("The interview ended before another question was asked")


async def test_without_time_for_a_question_none_is_wished_for(rig: TextRig) -> None:
    """While the last answer is thought about."""
    async with rig.serving() as client:
        session = await begun(client, time="virtual", time_budget_minutes=10)
        await session.say("#hint", elapsed_s=9 * 60)
        late = await client.post(TOPIC.format(session.id), json={"topic": "serving"})
        shown = await snapshot(client)
    assert (late.status_code, late.json()["type"]) == (409, "/api/v1/problems/no-time")
    assert "less than 2 minutes" in late.json()["detail"]
    assert shown["interview"]["wishes"] == []


async def test_a_later_topic_takes_the_place_of_one_that_waits(rig: TextRig) -> None:
    """And whoever wished for the first is told so."""
    async with rig.serving() as client:
        session = await begun(client)
        for topic in ("water", "serving"):
            await client.post(TOPIC.format(session.id), json={"topic": topic})
        assert (await session.say(GOOD))["next_question"]["topic"] == "serving"
        first, second = (await snapshot(client))["interview"]["wishes"]
    assert (first["status"], second["status"]) == ("not_asked", "asked")
    assert "Another topic" in first["why"]


async def test_a_note_stands_in_the_report(rig: TextRig) -> None:
    """With the answer that it is about; before the end nobody but the host reads it, and after it one more is taken."""
    async with rig.serving() as client:
        session = await begun(client)
        general = {"by": "Grace", "note": "A calm start.", "turn": 0}
        assert (await client.post(NOTES.format(session.id), json=general)).status_code == 201
        await session.say(GOOD)
        during = await client.post(NOTES.format(session.id), json={"by": "Grace", "note": "Oolong was left out."})
        assert (during.status_code, during.json()["turn"]) == (201, 1)
        assert "Oolong" not in (await client.get(f"/api/interviews/{session.id}/events")).text
        ahead = await client.post(NOTES.format(session.id), json={"by": "Grace", "note": "x", "turn": 2})
        assert (ahead.status_code, "no turn 2 yet" in ahead.json()["detail"]) == (422, True)
        await session.post("/end")
        minutes = (await client.get(f"/api/interviews/{session.id}/report")).json()["time_taken_minutes"]
        await client.post(NOTES.format(session.id), json={"by": "Grace", "note": "On the whole good."})
        report = (await client.get(f"/api/interviews/{session.id}/report")).json()
        page = (await client.get(f"/api/interviews/{session.id}/report.md")).text
        shown = await snapshot(client)
    assert [(each["answer"], each["note"]) for each in report["notes"]] == [
        (0, "A calm start."), (1, "Oolong was left out."), (1, "On the whole good."),
    ]  # fmt: skip
    assert report["time_taken_minutes"] == minutes
    assert "Grace on answer 1: “Oolong was left out.”" in page
    assert len(shown["interview"]["notes"]) == 3


@pytest.mark.parametrize("address", [TOPIC, NOTES])
def test_only_the_host_coaches(tmp_path: Path, address: str) -> None:
    """Nobody else learns whether there is such an interview."""
    word = {"topic": "x", "by": "Grace"} if address == TOPIC else {"note": "x", "by": "Grace"}
    guarded = TestClient(make_app(Settings(data_dir=tmp_path / "a", host_token=TOKEN)), client=("127.0.0.1", 5000))
    assert guarded.post(address.format("a"), json=word).status_code == 401
    stranger = TestClient(make_app(Settings(data_dir=tmp_path / "b")), client=("10.0.0.9", 5000))
    assert stranger.post(address.format("a"), json=word).status_code == 403


async def test_what_a_new_interview_needs_to_be_told_is_what_is_not_known(rig: TextRig) -> None:
    """Nobody is asked again for their field or a résumé."""
    async with rig.serving() as client:
        await begun(client)
        assert (await snapshot(client))["to_ask"] == ["domain", "resume"]
        with opened_profiles(rig.settings) as profiles:
            profiles.bring_in("ada", RESUME, at=1.0)
        assert (await snapshot(client))["to_ask"] == []


@pytest.mark.slow
def test_a_socket_that_is_never_read_keeps_nobody_waiting(rig: TextRig) -> None:
    """An interview is held while such readers hang on; another one reads all of it, and the server stops."""
    with served(rig.app()) as address:
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
