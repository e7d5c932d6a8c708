"""An interview by text: nothing sounds, so there are no times, no shares of talk, and nothing to play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from review import RecordStore, build_report, build_transcript, markdown
from review.http.routes import routes
from tests.review.sample_requests import CACHING, CAUSES, FEEDBACK, requests_by_text, requests_by_voice

EVENTS = requests_by_text(1_700_000_000.0)
REPORT = build_report(EVENTS)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A browser; one interview by text has ended, another runs."""
    store = RecordStore(tmp_path / "record.sqlite")
    for event in EVENTS:
        store.append("done", event)
    for event in EVENTS[:20]:
        store.append("running", event)
    app = FastAPI()
    app.include_router(routes(store, tmp_path))
    with TestClient(app) as client:
        yield client
    store.close()


def test_the_conversation_is_in_the_order_of_the_record() -> None:
    """Messages that have the same time, because nothing takes any, are in the order in which they were written."""
    by_text, by_voice = build_transcript(EVENTS), build_transcript(requests_by_voice(1_700_000_000.0))
    assert by_text.medium == "text"
    assert [entry.text for entry in by_text.entries] == [entry.text for entry in by_voice.entries]
    assert not any(entry.interrupted for entry in by_text.entries)


def test_a_message_without_an_end_is_whole() -> None:
    """What was written is there at once: nothing of it is cut off, in whatever state the record was left."""
    cut = [event for event in EVENTS if event.kind != "speech_ended"]
    assert build_transcript(cut).entries == build_transcript(EVENTS).entries


def test_notes_stand_where_they_belong() -> None:
    """The plan comes first, and a change of a setting before what was written after it."""
    transcript = build_transcript(EVENTS)
    plan, asked, looked, difficulty, pace = transcript.notes
    assert (plan.kind, plan.before_entry) == ("plan", 0)
    assert plan.text == (
        "Planned: 5 questions. 2x Caches (medium, then hard); Search trees (medium); Consensus (hard); "
        "Retries and idempotence (hard)."
    )
    assert asked.text == "A person was asked to look at this turn: Every turn of this interview is looked at."
    assert looked.text == "Grace looked at this turn and let the interview go on: “The verdicts fit.”"
    assert difficulty.text == "The candidate asked for another difficulty: medium from here on."
    assert pace.text == "The interviewer speaks at 85% of the usual speed from here on, as the candidate asked."
    assert transcript.entries[difficulty.before_entry].text == "Then the next one is easier."


def test_nothing_has_a_time() -> None:
    """No quote, answer, finding, pause or share of talk has seconds that mean nothing."""
    assert (REPORT.medium, REPORT.recorded, REPORT.talk_share) == ("text", False, None)
    for answer in REPORT.answers:
        assert (answer.start_s, answer.end_s, answer.thinking_s, answer.waiting_s) == (None,) * 4
        assert all(part.start_s is None for part in answer.parts)
        assert all(verdict.start_s is None for verdict in answer.verdicts)
    assert all(finding.start_s is None for finding in [*REPORT.best_points, *REPORT.gaps])
    assert any("held by text" in caveat for caveat in REPORT.caveats)


def test_all_the_rest_is_as_in_an_interview_by_voice() -> None:
    """Scores, topics, answers and findings do not depend on how the same words came in."""
    by_voice = build_report(requests_by_voice(1_700_000_000.0))
    same = ("overall_score", "adjusted_score", "topic_scores", "questions_asked", "performance_notes", "strengths")
    for name in same:
        assert getattr(REPORT, name) == getattr(by_voice, name), name
    assert [answer.answer for answer in REPORT.answers] == [answer.answer for answer in by_voice.answers]
    assert [finding.quote for finding in REPORT.gaps] == [finding.quote for finding in by_voice.gaps]
    assert REPORT.answers[0].feedback_heard == " ".join(FEEDBACK)


def test_a_question_that_was_answered_was_asked() -> None:
    """Also where the record does not say that a question was written, its answer shows that it was read."""
    silent = [event for event in EVENTS if event.kind not in ("speech_started", "speech_ended")]
    assert build_report(silent).questions_asked == REPORT.questions_asked


def test_the_pages_are_told_that_it_is_text(client: TestClient) -> None:
    """Lists and details say by which medium an interview is held; nothing of it can be played."""
    assert [one["medium"] for one in client.get("/api/interviews").json()] == ["text", "text"]
    done = client.get("/api/interviews/done").json()
    assert (done["medium"], done["recording"], done["overall"]) == ("text", False, 8.0)
    assert client.get("/api/interviews/done/report").json()["medium"] == "text"
    assert client.get("/api/interviews/done/transcript").json()["medium"] == "text"


def test_a_score_is_not_listed_before_the_end(client: TestClient) -> None:
    """While an interview runs its list entry has no score, though an answer is scored already."""
    assert client.get("/api/interviews/running").json()["overall"] is None


@pytest.mark.parametrize("what", ["recording", "transcript.vtt"])
def test_there_is_nothing_to_hear_and_the_answer_says_why(client: TestClient, what: str) -> None:
    """Sound and captions do not exist; the sentence says where the words are."""
    answer = client.get(f"/api/interviews/done/{what}")
    assert answer.status_code == 404
    assert "held by text" in answer.json()["detail"]
    assert "transcript.md" in answer.json()["detail"]


def test_the_conversation_can_be_kept(client: TestClient) -> None:
    """As Markdown the conversation has its speakers and notes, and no times."""
    page = client.get("/api/interviews/done/transcript.md")
    assert page.headers["content-type"].startswith("text/markdown")
    assert f"**Interviewer**: {CACHING}" in page.text
    assert f"**Ada**: {CAUSES}" in page.text
    assert "_Planned: 5 questions." in page.text
    assert "00:0" not in page.text
    assert "00:0" not in markdown(REPORT)
    assert "5 questions, by text." in markdown(REPORT)
