"""Interviews by text over HTTP: from the first question to the report."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from domain.events import AnswerTaken, InterviewCreated, InterviewEnded, InterviewStarted, SpeechStarted
from review import build_transcript
from tests.agent.text_rig import API, GOOD, Session, TextRig, begun

SCORE_LIKE = re.compile(
    r"score|accuracy|completeness|depth|clarity|verdict|evaluation|overall|\bema\b|trajectory|_points?\b"
)


@pytest.fixture
def rig(tmp_path: Path) -> TextRig:
    """A web process with a scripted judge."""
    return TextRig(tmp_path)


def score_like_keys(value: Any) -> list[str]:
    """Every key in a JSON value, at any depth, that sounds like a score."""
    match value:
        case dict():
            here = [key for key in value if SCORE_LIKE.search(key)]
            return here + [key for each in value.values() for key in score_like_keys(each)]
        case list():
            return [key for each in value for key in score_like_keys(each)]
        case _:
            return []


async def to_its_end(session: Session, response: str = GOOD) -> dict[str, Any]:
    """Answer until the interview is over."""
    reply: dict[str, Any] = {"continue_interview": True}
    while reply["continue_interview"]:
        reply = await session.say(response)
    return reply


async def test_it_greets_and_asks_the_first_question(rig: TextRig) -> None:
    """What comes back is all that is needed to go on, and the token is the session's."""
    async with rig.serving() as client:
        session = await begun(client, pack="tea", time_budget_minutes=30)
    started = session.started
    assert "Ada" in started["greeting"]
    assert started["question"]["id"].startswith("leaves-")
    assert started["question"]["topic"] == "leaves"
    assert started["question"]["estimated_time_minutes"] > 0
    assert started["question"]["text"] in started["question"]["as_asked"]
    assert started["time_budget_minutes"] == 30
    assert started["target_questions"] == 7
    assert started["report_url"] == f"{API}/{session.id}/report"


async def test_the_first_seed_of_a_request_is_enough(rig: TextRig) -> None:
    """A body with `user_id` and nothing of Viva's own begins an interview with the first pack."""
    async with rig.serving() as client:
        body = {"user_id": "ada", "difficulty": "easy", "focus_topics": ["Serving"], "time_budget_minutes": 20}
        answer = await client.post(f"{API}/start", json=body)
    assert answer.status_code == 201
    created = rig.events(answer.json()["session_id"])[0]
    assert isinstance(created, InterviewCreated)
    assert (created.candidate_name, created.pack, created.minutes) == ("ada", "tea", 20)
    assert (created.difficulty, created.focus_topics, created.medium, created.room) == ("easy", ["serving"], "text", "")


async def test_an_answer_gets_feedback_and_the_next_question(rig: TextRig) -> None:
    """The reply has what was said, what is asked now, and how far the interview is."""
    async with rig.serving() as client:
        session = await begun(client)
        reply = await session.say(GOOD)
    assert reply["turn"] == 1
    assert reply["feedback"]
    assert reply["next_question"]["id"].startswith("water-")
    assert reply["continue_interview"] is True
    assert reply["end_reason"] is None
    assert reply["progress"]["questions_completed"] == 1
    assert reply["progress"]["target_questions"] == 7
    assert reply["progress"]["time_remaining_minutes"] <= 30


async def test_a_request_is_honoured_and_the_question_stays_open(rig: TextRig) -> None:
    """To wait is granted with a reply; nothing is judged and the same question is still there."""
    async with rig.serving() as client:
        session = await begun(client)
        reply = await session.say("#hold")
    assert [each["kind"] for each in reply["replies"]] == ["reply"]
    assert reply["feedback"] == ""
    assert reply["next_question"]["id"] == session.started["question"]["id"]
    assert rig.judge.judged == []


async def test_no_score_is_told_before_the_end(rig: TextRig) -> None:
    """No response, no event and no list has anything that sounds like a score until the interview is over."""
    async with rig.serving() as client:
        session = await begun(client, time_budget_minutes=20)
        for response in (GOOD, "half of it", "wrong about it", "#hold", "#how_am_i_doing", "nothing"):
            await session.stream(response)
            await session.get()
            session.heard.append((await session.get("/report")).json())
            await session.resume()
        listed = (await client.get("/api/v1/interviews")).json()
        assert [each["overall"] for each in listed] == [None]
        assert len(session.heard) > 20
        assert score_like_keys(session.heard) == []
        ended = await session.post("/end")
        assert score_like_keys(ended.json())
        assert (await client.get("/api/v1/interviews")).json()[0]["overall"] is not None


async def test_it_ends_by_itself_and_reports(rig: TextRig) -> None:
    """After twelve questions comes a closing; the report has every answer and the fields that clients know."""
    async with rig.serving() as client:
        session = await begun(client, time_budget_minutes=20)
        last = await to_its_end(session)
        assert last["end_reason"] == "completed"
        assert last["next_question"] is None
        assert last["replies"][-1]["kind"] == "closing"
        report = (await session.get("/report")).json()
        state = (await session.get()).json()
    assert report["overall_score"] == report["adjusted_score"] == 10.0
    assert report["questions_asked"] == len(report["detailed_evaluations"]) == 12
    assert report["difficulty_progression"][0] == "medium"
    assert set(report["topic_scores"]) == {"leaves", "water", "serving"}
    assert report["strengths"]
    assert report["areas_for_improvement"] == []
    assert report["fallback_count"] == 0
    assert report["detailed_evaluations"][0]["overall_score"] == 10.0
    assert report["time_taken_minutes"] >= 0
    assert state["status"] == "ended"
    assert state["progress"]["questions_completed"] == 12


async def test_ending_gives_a_goodbye_and_the_report(rig: TextRig) -> None:
    """Whoever stops gets both; asked again, the same; the interview stays as it is."""
    async with rig.serving() as client:
        session = await begun(client)
        await session.say(GOOD)
        ended = (await session.post("/end")).json()
        again = (await session.post("/end")).json()
    assert ended["closing"]
    assert ended["final_report"]["end_reason"] == "stopped"
    assert again == ended
    assert sum(isinstance(event, InterviewEnded) for event in rig.events(session.id)) == 1


async def test_there_is_no_report_while_it_goes_on(rig: TextRig) -> None:
    """The problem says how to get one."""
    async with rig.serving() as client:
        session = await begun(client)
        refused = await session.get("/report")
    assert refused.status_code == 409
    assert refused.json()["type"].endswith("/not-over")


async def test_the_record_is_that_of_a_spoken_interview(rig: TextRig) -> None:
    """Transcript and report are derived from the same events; words have the time of their arrival."""
    async with rig.serving() as client:
        session = await begun(client)
        await session.say(GOOD)
        await session.post("/end")
    events = rig.events(session.id)
    assert isinstance(events[0], InterviewCreated)
    assert isinstance(events[1], InterviewStarted)
    assert events[1].judge == "scripted"
    taken = next(event for event in events if isinstance(event, AnswerTaken))
    assert taken.question_id == session.started["question"]["id"]
    assert {(word.start_at, word.end_at) for word in taken.words} == {(taken.at, taken.at)}
    kinds = [entry.kind for entry in build_transcript(events).entries]
    assert kinds == ["greeting", "question", "answer", "feedback", "question", "closing"]


async def test_an_exam_keeps_its_feedback(rig: TextRig) -> None:
    """Only an acknowledgement is said, and the events have no more than that."""
    async with rig.serving() as client:
        session = await begun(client, feedback="exam")
        events = await session.stream("half of what oxidised leaves are about")
    told = dict(events)
    assert told["feedback_complete"]["text"] == told["turn_complete"]["feedback"]
    assert len(told["feedback_complete"]["text"].split()) < 8


async def test_what_was_chosen_is_listed(rig: TextRig) -> None:
    """Interviews by text are in the host's list with those by voice."""
    async with rig.serving() as client:
        session = await begun(client)
        for path in ("/api/v1/interviews", "/api/interviews"):
            listed = (await client.get(path)).json()
            assert [(each["id"], each["status"]) for each in listed] == [(session.id, "running")]


async def test_virtual_time_passes_only_by_what_the_client_says(rig: TextRig) -> None:
    """Half an hour is over in a moment, and closes the interview in time."""
    async with rig.serving() as client:
        session = await begun(client, time="virtual", time_budget_minutes=30)
        first = await session.say(GOOD, elapsed_s=600)
        assert first["progress"]["time_elapsed_minutes"] == 10
        assert first["progress"]["time_remaining_minutes"] == 20
        hold = await session.say("#hold")
        assert hold["progress"] == first["progress"]
        last = await session.say(GOOD, elapsed_s=18.5 * 60)
        report = (await session.get("/report")).json()
    assert last["end_reason"] == "time_up"
    assert report["time_taken_minutes"] == 28.5
    questions = [event for event in rig.events(session.id) if isinstance(event, SpeechStarted)]
    assert questions[0].at == rig.events(session.id)[0].at


async def test_the_state_can_be_asked_for(rig: TextRig) -> None:
    """How far it is, and the question as it was asked."""
    async with rig.serving() as client:
        session = await begun(client)
        state = (await session.get()).json()
    assert state["status"] == "open"
    assert state["question"] == session.started["question"]
    assert state["turn"] == 0
    assert state["answer_under_way"] is state["needs_resume"] is state["waits_for_review"] is False
