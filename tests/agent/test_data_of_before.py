"""Data folders of earlier versions: their records open as they did, and their interviews go on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from agent.access import interview_token
from rag.packs.pack import load_packs
from review import RecordStore, build_report, build_transcript
from review.record.store import Stored
from tests.agent.text_rig import GOOD, Session, TextRig

BEFORE = Path(__file__).parent.parent / "data" / "before_0_1"
EXPECTED: dict[str, dict[str, Any]] = json.loads((BEFORE / "expected.json").read_text(encoding="utf-8"))
BY_NAME = {each["candidate"]: interview_id for interview_id, each in EXPECTED.items()}


def data_of_before(name: str, folder: Path) -> Path:
    """A copy of a data folder, which may be written to."""
    return Path(shutil.copytree(BEFORE / name, folder / name))


def events_of(name: str, interview_id: str, folder: Path) -> list[Stored]:
    """The events of an interview in a copy of a data folder."""
    store = RecordStore(data_of_before(name, folder) / "record.sqlite")
    events = store.events(interview_id)
    store.close()
    return events


@pytest.fixture
def rig(tmp_path: Path) -> TextRig:
    """A web process of today with the data of before."""
    return TextRig(data_of_before("text", tmp_path), overrides={"packs_dir": None}, packs=load_packs())


def as_candidate(rig: TextRig, client: Any, name: str) -> Session:
    """The side of a candidate who began with the version of before."""
    interview_id = BY_NAME[name]
    return Session(client, {"session_id": interview_id, "token": interview_token(rig.settings, interview_id)})


@pytest.mark.parametrize("interview_id", EXPECTED)
def test_a_record_of_before_says_what_it_said(interview_id: str, tmp_path: Path) -> None:
    """Transcript, scores, verdicts and the places of quotes are those that the version of before derived."""
    expected = EXPECTED[interview_id]
    events = [stored.event for stored in events_of(expected["folder"], interview_id, tmp_path)]

    transcript, report = build_transcript(events), build_report(events)

    assert [[e.speaker, e.kind, e.text, e.start_s] for e in transcript.entries] == expected["transcript"]
    assert (report.overall_score, report.adjusted_score) == (expected["overall"], expected["adjusted"])
    assert [
        {
            "turn": answer.turn,
            "question": answer.question_id,
            "overall": answer.scores.overall if answer.scores else None,
            "verdicts": [[v.kind, v.status, v.quote.text if v.quote else "", v.start_s] for v in answer.verdicts],
        }
        for answer in report.answers
    ] == expected["answers"]


@pytest.mark.parametrize("folder", ["text", "voice"])
async def test_interviews_of_before_are_listed_and_shown(folder: str, tmp_path: Path) -> None:
    """The pages get the list, the events, the transcript of each, and the report of those that are over."""
    rig = TextRig(data_of_before(folder, tmp_path))
    there = {interview_id: each for interview_id, each in EXPECTED.items() if each["folder"] == folder}
    async with rig.serving() as client:
        listed = {each["id"]: each["status"] for each in (await client.get("/api/interviews")).json()}
        assert listed == {interview_id: each["status"] for interview_id, each in there.items()}
        for interview_id, each in there.items():
            events = (await client.get(f"/api/interviews/{interview_id}/events?scores=true")).json()
            assert len(events) == each["events"]
            report = ("/report", "/report.md") if each["status"] == "ended" else ()
            for part in ("/transcript", "/transcript.md", *report):
                answer = await client.get(f"/api/interviews/{interview_id}{part}")
                assert answer.status_code == 200, answer.text


async def test_an_interview_of_before_takes_the_answer_it_waits_for(rig: TextRig) -> None:
    """It goes on from its checkpoint: the follow-up that was asked is judged, and what was judged before counts."""
    async with rig.serving() as client:
        session = as_candidate(rig, client, "Grace")
        turn = await session.say(GOOD, elapsed_s=30)
        assert turn["turn"] == 2
        assert turn["next_question"]
        report = (await session.post("/end")).json()["final_report"]
    assert [each["question_id"] for each in report["detailed_evaluations"]] == [
        "changing-a-public-api",
        "changing-a-public-api.follow-up-1",
    ]
    assert [each["overall_score"] for each in report["detailed_evaluations"]] == [1.7, 10.0]
    assert [question for question, _ in rig.judge.judged] == ["changing-a-public-api.follow-up-1"]


async def test_a_turn_of_before_that_was_cut_off_is_finished(rig: TextRig, caplog: pytest.LogCaptureFixture) -> None:
    """The process was killed between judgement and question: the question comes, and nothing is judged again."""
    async with rig.serving() as client:
        session = as_candidate(rig, client, "Linus")
        resumed = (await session.resume()).json()
        assert resumed["turn"] == 2
        assert resumed["next_question"]["id"]
        assert rig.judge.judged == []
        assert (await session.say(GOOD, elapsed_s=30))["turn"] == 3
    assert "Blocked deserialization" not in caplog.text
