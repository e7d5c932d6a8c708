"""Interviews by text with the real models, over real HTTP, in processes of their own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from agent.cli.text_interview.client import LostError, Received, TextClient
from agent.http.text.schemas import StartRequest
from agent.processes.ports import free_ports_settings
from agent.settings import PROJECT_DIR, Settings
from domain.events import AnswerJudged, AnswerTaken, InterviewStarted, QuestionSelected, SpeechStarted
from rag.packs.pack import load_packs
from review import RecordStore
from tests.agent.one_pack import backend_alone
from tests.agent.web_process import environment, web_process

pytestmark = pytest.mark.slow


def until_killed(events: Iterator[Received], process: subprocess.Popen[bytes]) -> Iterator[Received]:
    """The events of a turn in whose middle the web process is killed: as soon as there is feedback."""
    try:
        for event in events:
            yield event
            if event.name == "feedback_token":
                process.send_signal(signal.SIGKILL)
    except LostError:
        return
    pytest.fail("the turn came to its end although its process was killed")


def test_half_an_hour_of_virtual_time_by_script(tmp_path: Path) -> None:
    """One command starts Viva, is interviewed, and writes it all down: feedback streams before a question is chosen."""
    pack = load_packs()["backend"]
    script, out = tmp_path / "script.json", tmp_path / "out.json"
    answers = [{"question": each.id, "response": each.model_answer, "after_s": 150} for each in pack.questions]
    turns = [{"response": "Sorry, could you repeat the question please?", "after_s": 5}, *answers]
    script.write_text(json.dumps({"turns": turns, "otherwise": "I would have to look that up.", "after_s": 60}))
    settings = Settings(data_dir=tmp_path / "data", slow_selector_s=0.4, judge="built-in")
    command = [sys.executable, "-m", "agent.cli", "interview", "--text", "--virtual", "--pack", "backend"]
    options = ["--minutes", "30", "--name", "Ada", "--script", str(script), "--json", str(out)]

    done = subprocess.run(
        [*command, *options], env=environment(settings), cwd=PROJECT_DIR, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    held = json.loads(out.read_text(encoding="utf-8"))
    assert held["target_questions"] == 7
    first = held["turns"][0]["reply"]
    assert first["next_question"]["id"] == held["first_question"]["id"]
    assert first["feedback"] == ""
    judged = [turn for turn in held["turns"] if any(each["name"] == "feedback_token" for each in turn["events"])]
    assert len(judged) >= 7
    chosen = [turn for turn in judged if any(each["name"] == "question_selected" for each in turn["events"])]
    assert chosen
    for turn in chosen:
        names = [event["name"] for event in turn["events"]]
        assert names.index("feedback_complete") < names.index("question_selected")
        assert names[-1] == "turn_complete"
    report = held["report"]
    assert report["end_reason"] in ("completed", "time_up")
    assert 15 < report["time_taken_minutes"] <= 30 + 2.5
    assert report["overall_score"] > 6
    assert report["questions_asked"] >= 7
    assert len({turn["question"]["id"] for turn in held["turns"][1:]}) == len(held["turns"]) - 1


def test_a_killed_web_process_loses_nothing(tmp_path: Path) -> None:
    """SIGKILL between feedback and question; the next process finishes the turn with what was judged before."""
    packs = backend_alone(tmp_path)
    settings = free_ports_settings(tmp_path / "data", slow_selector_s=2, judge="built-in", packs_dir=packs)
    pack = load_packs()["backend"]
    with TextClient(settings.web_url) as client:
        with web_process(settings) as process:
            started = client.start(StartRequest(candidate_name="Ada", pack="backend", time="virtual"))
            answer = next(each.model_answer for each in pack.questions if each.id == started.question.id)
            got = list(until_killed(client.submit(answer, 90), process))
        assert got[-1].name in ("feedback_token", "feedback_complete")
        with web_process(settings):
            state = httpx.get(
                f"{settings.web_url}/api/v1/interview/{started.session_id}",
                headers={"Authorization": f"Bearer {started.token}"},
                timeout=60,
            ).json()
            assert state["needs_resume"] is True
            resumed = client.resume()
            report = client.end().final_report
    assert resumed.turn == 1
    assert resumed.feedback == " ".join(event.data["text"] for event in got if event.name == "feedback_token")
    assert resumed.next_question is not None
    assert resumed.progress.time_elapsed_minutes == 1.5
    assert [each.turn for each in report.detailed_evaluations] == [1]

    store = RecordStore(settings.record_path)
    events = [stored.event for stored in store.events(started.session_id)]
    store.close()
    assert sum(isinstance(event, AnswerTaken) for event in events) == 1
    assert sum(isinstance(event, AnswerJudged) for event in events) == 1
    assert [event.resumed for event in events if isinstance(event, InterviewStarted)] == [False, True]
    said = [event.speech for event in events if isinstance(event, SpeechStarted)]
    assert said == ["greeting", "question", "feedback", "question", "closing"]
    chosen = [event.question_id for event in events if isinstance(event, QuestionSelected)]
    assert len(chosen) == len(set(chosen))
