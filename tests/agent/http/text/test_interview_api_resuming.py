"""Nothing is lost: a stream that breaks, a reply that never arrived, a process that was killed in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn

from agent.http.text import sessions as sessions_module
from agent.http.text.record import TextRecord
from agent.http.text.sessions import Sessions
from agent.http.text.snapshot import read_facts
from agent.interviews.abandoned import ABANDONED, end_abandoned
from domain.events import (
    AnswerTaken,
    FeedbackReady,
    InterviewEnded,
    InterviewStarted,
    ProblemNoticed,
    ReviewReleased,
    SpeechStarted,
    Word,
)
from review import RecordStore, build_report
from tests.agent.text_rig import API, GOOD, HeldJudge, TextRig, begun, until


@pytest.fixture
def rig(tmp_path: Path) -> TextRig:
    """A web process with a scripted judge."""
    return TextRig(tmp_path)


class Killed(BaseException):
    """What a SIGKILL leaves: nothing is caught, nothing is cleaned up."""


@asynccontextmanager
async def real_server(rig: TextRig) -> AsyncIterator[httpx.AsyncClient]:
    """The application behind a real socket, so that a client can go away in the middle of a response."""
    config = uvicorn.Config(rig.app(), port=0, log_level="error", lifespan="on", ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
            yield client
    finally:
        server.should_exit = True
        await serving


async def test_feedback_streams_before_the_question_is_chosen(rig: TextRig) -> None:
    """With the selector held back, feedback is complete before a question exists, and the question has no words yet."""
    rig.overrides["slow_selector_s"] = 0.2
    async with rig.serving() as client:
        session = await begun(client)
        events = await session.stream(GOOD)
    names = [name for name, _ in events]
    assert names[:3] == ["feedback_token", "feedback_complete", "question_selected"]
    assert names[-2:] == ["question", "turn_complete"]
    told = dict(events)
    assert set(told["question_selected"]) == {"turn", "question_id"}
    assert told["question"] == told["turn_complete"]["next_question"]
    assert told["question"]["id"] == told["question_selected"]["question_id"]


async def test_the_stream_and_the_plain_call_say_the_same(rig: TextRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last event has the body of `submit_response`; events have ids in order."""
    # Two interviews in a row begin differently; these two are to be the same.
    monkeypatch.setattr("agent.http.text.sessions.with_asked_before", lambda _, created, *, is_host: created)
    async with rig.serving() as client:
        streamed, plain = await begun(client), await begun(client)
        answer = await streamed.post("/submit_response/stream", response=GOOD)
        assert [line for line in answer.text.splitlines() if line.startswith("id: ")][:3] == [
            "id: 1.1",
            "id: 1.2",
            "id: 1.3",
        ]
        body = await plain.say(GOOD)
        resumed = (await streamed.resume()).json()
    assert {**resumed, "session_id": "", "progress": ""} == {**body, "session_id": "", "progress": ""}


async def test_a_client_that_goes_away_does_not_lose_its_turn(rig: TextRig) -> None:
    """The turn is finished without it, and `resume` has everything that it missed."""
    async with real_server(rig) as client:
        session = await begun(client)
        rig.judge.gate.clear()
        body = {"session_id": session.id, "response": GOOD}
        async with client.stream(
            "POST", f"{API}/submit_response/stream", json=body, headers=session.headers
        ) as response:
            assert response.status_code == 200
            await rig.judge.asked.wait()
        # Gone. The session is still busy with it.
        assert (await session.get()).json()["answer_under_way"] is True
        rig.judge.gate.set()
        resumed = await session.resume_when_free()
        assert resumed.json()["turn"] == 1
        assert resumed.json()["feedback"]
        assert resumed.json()["next_question"]["id"].startswith("water-")
    assert len(rig.judge.judged) == 1


async def test_a_reply_that_got_lost_can_be_had_again(rig: TextRig) -> None:
    """As often as wanted, also by another process, and also the last of an interview."""
    async with rig.serving() as client:
        session = await begun(client, time="virtual")
        first = (await session.resume()).json()
        assert first["turn"] == 0
        assert first["replies"][0]["kind"] == "greeting"
        assert first["next_question"] == session.started["question"]
        reply = await session.say(GOOD, elapsed_s=60)
        assert (await session.resume()).json() == (await session.resume()).json() == reply
        await session.say("#hold")
    async with rig.serving() as client:
        session = session.through(client)
        resumed = (await session.resume()).json()
        assert resumed["next_question"] == reply["next_question"]
        assert resumed["replies"]
        last = await session.say("#stop", elapsed_s=5)
        assert last["end_reason"] == "stopped"
        assert (await session.resume()).json() == last
    events = rig.events(session.id)
    assert sum(isinstance(event, InterviewStarted) for event in events) == 1
    assert sum(isinstance(event, SpeechStarted) and event.speech == "question" for event in events) == 2


async def test_a_turn_that_was_cut_off_is_finished_by_the_next_process(
    rig: TextRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is not asked for again and is judged; until then no other answer is taken."""
    monkeypatch.setattr(sessions_module, "_STOP_PATIENCE_S", 0.0)
    async with rig.serving() as client:
        session = await begun(client)
        rig.judge.gate.clear()
        cut_off = asyncio.create_task(session.post("/submit_response", response=GOOD))
        await rig.judge.asked.wait()
    assert (await cut_off).status_code == 503
    rig.judge = HeldJudge()
    async with rig.serving() as client:
        session = session.through(client)
        assert (await session.get()).json()["needs_resume"] is True
        refused = await session.post("/submit_response", response="half of it")
        assert refused.status_code == 409
        assert refused.json()["type"].endswith("/unfinished-turn")
        resumed = (await session.resume()).json()
        assert resumed["turn"] == 1
        assert resumed["feedback"]
        assert resumed["next_question"]["id"].startswith("water-")
        assert (await session.say(GOOD))["turn"] == 2
    events = rig.events(session.id)
    assert [event.turn for event in events if isinstance(event, AnswerTaken)] == [1, 2]
    assert [event.resumed for event in events if isinstance(event, InterviewStarted)] == [False, True]
    assert len(rig.judge.judged) == 2


async def test_what_was_said_before_the_cut_is_not_said_twice(rig: TextRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between feedback and question: the feedback stands in the record once, and `resume` has both."""
    monkeypatch.setattr(sessions_module, "_STOP_PATIENCE_S", 0.0)
    async with rig.serving() as client:
        session = await begun(client)
    rig.overrides["slow_selector_s"] = 60
    async with rig.serving() as client:
        cut_off = asyncio.create_task(session.through(client).post("/submit_response/stream", response=GOOD))
        await until(
            lambda: any(isinstance(event, SpeechStarted) and event.turn == 1 for event in rig.events(session.id))
        )
    await cut_off
    rig.overrides["slow_selector_s"] = 0
    async with rig.serving() as client:
        resumed = (await session.through(client).resume()).json()
    assert resumed["feedback"]
    assert resumed["next_question"]["id"].startswith("water-")
    said = [event.text for event in rig.events(session.id) if isinstance(event, SpeechStarted) and event.turn == 1]
    assert said == [resumed["feedback"], resumed["next_question"]["as_asked"]]
    assert len(rig.judge.judged) == 1


async def test_feedback_that_was_given_and_not_said_is_said(rig: TextRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after the feedback was composed and before it was recorded as said: `resume` has it, and the record."""
    monkeypatch.setattr(sessions_module, "_STOP_PATIENCE_S", 0.0)
    async with rig.serving() as client:
        session = await begun(client)
    rig.overrides["slow_selector_s"] = 60
    with monkeypatch.context() as mute:
        mute.setattr(TextRecord, "said", lambda *_: None)
        async with rig.serving() as client:
            cut_off = asyncio.create_task(session.through(client).post("/submit_response/stream", response=GOOD))
            await until(lambda: any(isinstance(event, FeedbackReady) for event in rig.events(session.id)))
            await asyncio.sleep(0.1)  # Its node's result is saved in a thread, after the event.
        await cut_off
    rig.overrides["slow_selector_s"] = 0
    async with rig.serving() as client:
        resumed = (await session.through(client).resume()).json()
    given = next(event.text for event in rig.events(session.id) if isinstance(event, FeedbackReady))
    assert resumed["feedback"] == given
    said = [event.text for event in rig.events(session.id) if isinstance(event, SpeechStarted) and event.turn == 1]
    assert said == [given, resumed["next_question"]["as_asked"]]
    assert len(rig.judge.judged) == 1


async def test_an_answer_that_was_recorded_and_no_more_is_handed_over(rig: TextRig) -> None:
    """Killed between the record and the graph: `resume` handles the answer as if it had just come."""
    async with rig.serving() as client:
        session = await begun(client, time="virtual")
    at = rig.events(session.id)[-1].at + 30
    words = [Word(text=word, start_at=at, end_at=at, confidence=1.0) for word in GOOD.split()]
    question_id = session.started["question"]["id"]
    rig.append(
        session.id,
        AnswerTaken(at=at, turn=1, question_id=question_id, text=GOOD, words=words, speech_ended_at=at),
    )
    async with rig.serving() as client:
        session = session.through(client)
        refused = await session.post("/submit_response", response="half of it")
        assert refused.json()["type"].endswith("/unfinished-turn")
        resumed = (await session.resume()).json()
        assert resumed["turn"] == 1
        assert resumed["progress"]["time_elapsed_minutes"] == 0.5
    assert [text for _, text in rig.judge.judged] == [GOOD]


async def test_what_was_said_and_not_recorded_is_recorded(rig: TextRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between the checkpoint and the record: the client gets both, and the report counts the question."""
    async with rig.serving() as client:
        session = await begun(client, time="virtual")
        with monkeypatch.context() as forgetful:
            forgetful.setattr(TextRecord, "said", lambda *_: None)
            reply = await session.say(GOOD, elapsed_s=60)
    async with rig.serving() as client:
        session = session.through(client)
        resumed = (await session.resume()).json()
        await session.resume()
    assert resumed["next_question"] == reply["next_question"]
    assert resumed["feedback"] == reply["feedback"]
    asked = [e.question_id for e in rig.events(session.id) if isinstance(e, SpeechStarted) and e.speech == "question"]
    assert asked == [session.started["question"]["id"], reply["next_question"]["id"]]


async def test_virtual_time_survives_a_restart(rig: TextRig) -> None:
    """It goes on where the record left it, however long the process was away."""
    async with rig.serving() as client:
        session = await begun(client, time="virtual")
        await session.say(GOOD, elapsed_s=300)
    async with rig.serving() as client:
        session = session.through(client)
        assert (await session.get()).json()["progress"]["time_elapsed_minutes"] == 5
        reply = await session.say(GOOD, elapsed_s=60)
        assert reply["progress"]["time_elapsed_minutes"] == 6


async def test_a_turn_that_fails_can_be_tried_again(rig: TextRig) -> None:
    """A fault is told and recorded; the next try finishes the turn, and nothing is judged twice."""
    rig.judge.failures = [ZeroDivisionError("a fault")]
    async with rig.serving() as client:
        session = await begun(client)
        failed = await session.post("/submit_response", response=GOOD)
        assert failed.status_code == 500
        assert failed.json()["type"].endswith("/turn-failed")
        resumed = (await session.resume()).json()
        assert resumed["turn"] == 1
        assert resumed["next_question"]["id"].startswith("water-")
    assert len(rig.judge.judged) == 1


async def test_a_turn_that_fails_twice_does_not_hold_the_interview_up(
    rig: TextRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client is told to go on with another answer, and can; the failed one is in the report, not scored."""
    async with rig.serving() as client:
        session = await begun(client)
        with monkeypatch.context() as broken:
            broken.setattr("graph.interview.Interview._stream", _fails)
            events = await session.stream(GOOD)
            assert events[-1][0] == "error"
            assert events[-1][1]["type"].endswith("/turn-failed")
            assert "/resume" in events[-1][1]["detail"]
            failed = await session.resume()
            assert failed.status_code == 500
            assert "another answer" in failed.json()["detail"]
        assert (await session.say(GOOD))["turn"] == 2
        await session.post("/end")
    events_of = rig.events(session.id)
    assert sum(isinstance(event, ProblemNoticed) for event in events_of) == 2
    report = build_report(events_of)
    assert [answer.scores is None for answer in report.answers][-1] is False


async def test_an_interview_can_be_ended_whatever_fails(rig: TextRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to stay."""
    async with rig.serving() as client:
        session = await begun(client)
        monkeypatch.setattr("graph.interview.Interview._stream", _fails)
        ended = await session.post("/end")
    assert ended.status_code == 200
    assert ended.json()["final_report"]["end_reason"] == "stopped"


async def test_an_interview_that_cannot_begin_is_over(rig: TextRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not stay in the list as if somebody were in it."""
    monkeypatch.setattr("graph.interview.Interview._stream", _fails)
    async with rig.serving() as client:
        answer = await client.post(f"{API}/start", json={"candidate_name": "Ada"})
        assert answer.status_code == 500
        listed = (await client.get("/api/v1/interviews")).json()
    assert [each["status"] for each in listed] == ["ended"]


async def _fails(*_: object) -> AsyncIterator[None]:
    raise ZeroDivisionError("a fault of ours")
    yield


async def test_a_turn_can_wait_for_a_person(rig: TextRig) -> None:
    """It is listed with what a person has to know; released, the interview goes on with `resume`."""
    rig.overrides["human_review"] = "all"
    async with rig.serving() as client:
        session = await begun(client)
        reply = await session.say(GOOD)
        assert reply["waits_for_review"] is True
        assert reply["feedback"]
        assert reply["next_question"] is None
        assert reply["continue_interview"] is True
        refused = await session.post("/submit_response", response="more of it")
        assert refused.json()["type"].endswith("/waiting-for-review")
        assert (await session.resume()).json()["waits_for_review"] is True

        waiting = (await client.get("/api/v1/reviews")).json()
        assert [(each["session_id"], each["turn"]) for each in waiting] == [(session.id, 1)]
        assert waiting[0]["answer"] == GOOD
        assert waiting[0]["why"]
        release = f"/api/v1/reviews/{session.id}/1/release"
        assert (await client.post(release, json={"by": " "})).status_code == 422
        assert (await client.post(f"/api/v1/reviews/{session.id}/7/release", json={"by": "G"})).status_code == 404
        released = await client.post(release, json={"by": "Grace", "note": "fine"})
        assert released.json() == {"session_id": session.id, "turn": 1, "by": "Grace", "note": "fine"}
        assert (await client.post(release, json={"by": "Grace"})).status_code == 409
        assert (await client.get("/api/v1/reviews")).json() == []

        resumed = (await session.resume()).json()
        assert resumed["waits_for_review"] is False
        assert resumed["feedback"] == reply["feedback"]
        assert resumed["next_question"]["id"].startswith("water-")
    assert sum(isinstance(event, ReviewReleased) for event in rig.events(session.id)) == 1


async def test_an_interview_of_another_version_hides_none_that_waits(rig: TextRig) -> None:
    """It is listed as unreadable, and whoever looks for turns that wait finds those of the others."""
    rig.overrides["human_review"] = "all"
    async with rig.serving() as client:
        session = await begun(client)
        await session.say(GOOD)
        store = RecordStore(rig.settings.record_path)
        for event in rig.events(session.id)[:2]:
            store.append("newer", event)
        store._connection().execute("INSERT INTO events VALUES ('newer', 9, 2.0, 'sang', '{\"kind\": \"sang\"}')")

        waiting = (await client.get("/api/v1/reviews")).json()
        listed = (await client.get("/api/v1/interviews")).json()

    assert [each["session_id"] for each in waiting] == [session.id]
    assert {each["id"]: each["status"] for each in listed} == {session.id: "running", "newer": "unreadable"}
    store.close()


@pytest.mark.parametrize(
    ("address", "host_token", "bearer", "status"),
    [
        ("127.0.0.1", "", "", 200),
        ("::1", "", "", 200),
        ("192.0.2.7", "", "", 403),
        ("192.0.2.7", "a-token-of-the-host", "", 401),
        ("127.0.0.1", "a-token-of-the-host", "", 401),
        ("192.0.2.7", "a-token-of-the-host", "wrong", 403),
        ("192.0.2.7", "a-token-of-the-host", "a-token-of-the-host", 200),
    ],
)
async def test_only_the_host_releases(rig: TextRig, address: str, host_token: str, bearer: str, status: int) -> None:
    """By the host's token from anywhere, or without one from this machine."""
    rig.overrides["host_token"] = host_token
    transport = httpx.ASGITransport(rig.app(), client=(address, 1))
    headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
    async with httpx.AsyncClient(transport=transport, base_url="http://viva") as client:
        answer = await client.get("/api/v1/reviews", headers=headers)
    assert answer.status_code == status
    assert answer.headers["content-type"] == ("application/json" if status == 200 else "application/problem+json")


async def test_interviews_that_were_left_are_ended(rig: TextRig) -> None:
    """After a day without a word; those that go on, and those by voice, are none of this business."""
    async with rig.serving() as client:
        left, fresh = await begun(client), await begun(client, time="virtual")
    store = RecordStore(rig.settings.record_path)
    created = rig.events(left.id)[0]
    store.append("spoken", created.model_copy(update={"medium": "voice", "room": "r"}))
    later = rig.events(left.id)[-1].at + ABANDONED["text"].quiet_s + 1
    assert end_abandoned(store, "text", {fresh.id}, lambda: later) == 1
    ended = rig.events(left.id)[-1]
    assert isinstance(ended, InterviewEnded)
    assert ended.reason == "candidate_left"
    assert end_abandoned(store, "text", (), lambda: later) == 1
    assert rig.events(fresh.id)[-1].at == rig.events(fresh.id)[-2].at
    store.close()


async def test_a_session_that_is_closed_when_idle_goes_on_later(rig: TextRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tidying up costs nothing but the opening."""
    monkeypatch.setattr(sessions_module, "IDLE_S", -1)
    monkeypatch.setattr(sessions_module, "TIDY_EVERY_S", 0.01)
    async with rig.serving() as client:
        session = await begun(client)
        sessions: Sessions = client._transport.app.state.interview_api.sessions  # type: ignore[attr-defined]
        await sessions.tidy()
        assert sessions._live == {}
        assert (await session.say(GOOD))["turn"] == 1


def test_there_are_no_facts_of_what_is_not_a_session() -> None:
    """An empty record is nobody's."""
    assert read_facts("none", []) is None
