from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import av
import httpx
import numpy as np
import pytest
from rich.console import Console

from agent.rehearsal.alignment import Witness, assemble
from agent.rehearsal.checks import UnplayableError, faults_of, recording_length_s
from agent.rehearsal.client import MOST_FAILURES, FollowedRecord, VivaApi, VivaApiError, WantedInterview
from agent.rehearsal.console import print_result
from agent.rehearsal.conversation import SaidLine
from agent.rehearsal.persona import load_persona
from agent.rehearsal.result import RehearsalResult, write_json
from domain.events import AnswerJudged, Event, IntentDetected, InterviewEnded, RecordingStarted, Supervised
from domain.vocabulary import Intent
from review.report.build import build_report
from tests.agent.rehearsal.pieces import judged, sound, taken, whole_interview

STRONG = load_persona("strong")
SILENT = load_persona("silent")


def result(**fields: Any) -> RehearsalResult:
    """A result in which nothing happened."""
    empty: dict[str, Any] = dict.fromkeys(RehearsalResult.model_fields) | {
        "ok": True,
        "faults": [],
        "persona": "strong",
        "pack": "bread",
        "minutes": 5,
        "feedback_mode": "coach",
        "url": "http://viva",
        "interview_id": "i1",
        "started_at": 0.0,
        "turns": [],
        "barge_ins": [],
        "lost": [],
        "problems": [],
        "record": "record.sqlite",
        "heard": "heard.wav",
        "report_url": "http://viva/replay/i1",
    }
    return RehearsalResult.model_validate(empty | fields)


def recorded_from(begun: float) -> list[Event]:
    """An interview from second 0 to 60 whose recording began at this second."""
    return [RecordingStarted(at=begun, path="piece-0.ogg"), *whole_interview(extra=[judged(1, 20.0)])]


def test_a_machine_may_be_slow_to_get_ready_between_recording_and_interview() -> None:
    """What is recorded before the interviewer has everything at hand is no fault, however long it is."""
    for begun in (-0.8, -2.5, -30.0):
        assert faults_of(STRONG, recorded_from(begun), 60.2 - begun) == []
    after_a_crash = [*recorded_from(-2.5)[:-2], RecordingStarted(at=30.0, path="piece-1.ogg"), *whole_interview()[-2:]]
    assert faults_of(STRONG, after_a_crash, 62.5) == []


def test_a_whole_interview_has_no_faults() -> None:
    """It ended as it should, the recording is as long as it was, and an answer has scores."""
    assert faults_of(STRONG, whole_interview(extra=[judged(1, 20.0)]), 60.9) == []
    assert faults_of(STRONG, whole_interview("time_up", extra=[judged(1, 20.0)]), 59.1) == []
    assert faults_of(SILENT, whole_interview("silence"), 60.0) == []


@pytest.mark.parametrize(
    ("events", "recording_s", "sentence"),
    [
        ([], None, "the interview did not end: its record has no end of the interview"),
        (whole_interview("silence"), 60.0, "the interview ended with silence; the persona strong asks for completed"),
        (whole_interview()[:-1], None, "the interview was not recorded: its record has no finished recording"),
        (whole_interview(), 57.5, "the recording is 57.5 s long, and should be 60.0 s"),
        (recorded_from(-5.0), 62.5, "the recording is 62.5 s long, and should be 65.0 s"),
        (recorded_from(5.0), 55.0, "the recording is 55.0 s long, and should be 60.0 s"),
        (recorded_from(0.0), 75.5, "the recording is 75.5 s long, and should be 60.0 s"),
        (whole_interview(), 60.0, "no answer was judged: the record has no scores"),
        (whole_interview(extra=[judged(1, 20.0, scored=False)]), 60.0, "no answer was judged"),
    ],
)
def test_each_fault_gets_its_sentence(events: Any, recording_s: float | None, sentence: str) -> None:
    """The exit code alone does not tell what went wrong."""
    assert any(fault.startswith(sentence) for fault in faults_of(STRONG, events, recording_s))


def asked_for(kind: Intent, *, is_judged: bool = False, at: float = 20.0, turn: int = 2) -> SaidLine:
    """A request from second 20 to 22."""
    return SaidLine(turn, kind, "Please do.", at, at + 2.0, is_judged=is_judged)


def understood(intent: Intent, confidence: float = 0.9, *, replaces: int | None = None) -> list[Event]:
    """An interview whose second turn was understood as something; its first one is an answer that was judged."""
    first: list[Event] = [taken(1, "it rises", 10.0, 12.0), judged(1, 13.0)]
    second: list[Event] = [
        taken(2, "please do", 20.0, 22.0),
        IntentDetected(at=22.5, turn=2, intent=intent, confidence=confidence),
    ]
    correction = judged(2, 23.0)
    assert isinstance(correction, AnswerJudged)
    extra = [correction.model_copy(update={"replaces_turn": replaces})] if replaces else []
    return whole_interview(extra=[*first, *second, *extra])


def test_a_request_that_was_understood_is_no_fault() -> None:
    """Also when it had to be said twice, was cut off by the end, or came with an answer that was judged."""
    assert faults_of(STRONG, understood("hint"), 60.0, [asked_for("hint")]) == []
    lost = asked_for("hint", at=40.0)
    assert faults_of(STRONG, understood("hint"), 60.0, [asked_for("hint"), lost]) == []
    cut_off = dataclasses.replace(asked_for("stop"), whole=False)
    assert faults_of(STRONG, understood("hint"), 60.0, [cut_off]) == []
    judged_too = [*understood("time_left"), judged(2, 23.0)]
    assert faults_of(STRONG, judged_too, 60.0, [asked_for("time_left", is_judged=True)]) == []
    corrected = understood("correct_myself", replaces=1)
    assert faults_of(STRONG, corrected, 60.0, [asked_for("correct_myself", is_judged=True)]) == []


@pytest.mark.parametrize(
    ("events", "said", "sentence"),
    [
        (understood("answer"), asked_for("hint"), '"Please do." was meant as hint and understood as answer'),
        (
            understood("hint", 0.6),
            asked_for("hint"),
            '"Please do." was meant as hint, and the interviewer was not sure',
        ),
        (understood("hint"), asked_for("hint", at=40.0), '"Please do." was meant as hint and is in no turn'),
        (
            understood("easier"),
            asked_for("easier", is_judged=True),
            '"Please do." was meant as easier and understood, but the answer in it was not judged',
        ),
        (
            [*understood("correct_myself"), judged(2, 23.0)],
            asked_for("correct_myself", is_judged=True),
            '"Please do." was meant as correct_myself and understood, but it replaced no earlier answer',
        ),
    ],
)
def test_a_request_that_was_not_understood_fails_the_rehearsal(
    events: list[Event], said: SaidLine, sentence: str
) -> None:
    """The sentence has the words, what they were meant to do, and what became of them."""
    (fault,) = faults_of(STRONG, events, 60.0, [said])
    assert fault.startswith(sentence)


def test_the_table_has_what_was_wanted_and_what_was_understood() -> None:
    """With a question mark where the interviewer was not sure."""
    turns, _ = assemble(understood("skip", 0.6), Witness([asked_for("hint")], [], sound(until=30.0)), zero=0.0)
    console = Console(record=True, width=160)
    print_result(console, result(turns=turns))
    (row,) = [line for line in console.export_text().splitlines() if "hint" in line]
    assert row.split()[:3] == ["2", "hint", "skip?"]


def test_a_recordings_length_is_counted_in_decoded_samples(tmp_path: Path) -> None:
    """A header may promise what is not there."""
    path = tmp_path / "two-seconds.wav"
    with av.open(str(path), "w") as file:
        stream = file.add_stream("pcm_s16le", rate=8000, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 16_000), np.int16), format="s16", layout="mono")
        frame.sample_rate = 8000
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            file.mux(packet)
    assert recording_length_s(path) == pytest.approx(2.0)


@pytest.mark.parametrize("content", [None, b"", b"this is no sound at all"])
def test_a_recording_that_cannot_be_played_is_said(tmp_path: Path, content: bytes | None) -> None:
    """Missing, empty, or something else."""
    path = tmp_path / "recording.ogg"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UnplayableError, match="cannot be decoded"):
        recording_length_s(path)


def test_json_is_written_whole_and_leaves_no_draft(tmp_path: Path) -> None:
    """What reads it never sees half of it, and an older file is replaced."""
    path = tmp_path / "out" / "rehearsal.json"
    for minutes in (5, 6):
        write_json(result(minutes=minutes), path)
    assert json.loads(path.read_text(encoding="utf-8"))["minutes"] == 6
    assert [found.name for found in path.parent.iterdir()] == ["rehearsal.json"]


def test_the_table_says_what_failed_and_where_everything_is() -> None:
    """A person needs no JSON."""
    console = Console(record=True, width=160)
    print_result(console, result(ok=False, faults=["the interview did not end"], latency_p50_s=1.234))
    text = console.export_text()
    assert "Failed: the interview did not end" in text
    assert "p50 1.23 s, p95 -" in text
    assert "http://viva/replay/i1" in text
    assert "Passed" not in text


def api(answer: httpx.Response | Exception) -> VivaApi:
    """A Viva that always answers the same."""

    def handle(_request: httpx.Request) -> httpx.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    return VivaApi("http://viva/", transport=httpx.MockTransport(handle))


WANTED = WantedInterview("Robin", "bread", 5, "coach")


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (httpx.Response(422, json={"detail": "There is no pack 'bread'."}), "There is no pack 'bread'."),
        (httpx.Response(500, text="oh dear"), "Viva answered 500: oh dear"),
        (httpx.Response(201, json={"id": 3}), "answered in another shape"),
        (httpx.ConnectError("refused"), "http://viva does not answer"),
    ],
)
async def test_a_viva_that_refuses_is_quoted(answer: httpx.Response | Exception, sentence: str) -> None:
    """The sentence of the API reaches the person who rehearses."""
    async with api(answer) as viva:
        with pytest.raises(VivaApiError, match="could not create the interview") as caught:
            await viva.create(WANTED)
    assert sentence in str(caught.value)


async def test_a_report_is_not_there_while_the_interview_runs() -> None:
    """409 is an answer, not a fault."""
    async with api(httpx.Response(409, json={"detail": "It is still going on."})) as viva:
        assert await viva.report("i1") is None
    report = build_report(whole_interview(extra=[judged(1, 20.0)]))
    async with api(httpx.Response(200, json=report.model_dump(mode="json"))) as viva:
        assert await viva.report("i1") == report


async def test_the_record_is_read_from_where_it_was_read_to() -> None:
    """Each look asks only for what is new, and waiting ends with the event."""
    asked: list[str] = []

    def handle(request: httpx.Request) -> httpx.Response:
        after = int(request.url.params["after"])
        asked.append(str(after))
        ended = InterviewEnded(at=1.0, reason="completed").model_dump()
        started = {"kind": "interview_started", "at": 0.0, "judge": "built-in"}
        event = started if after == 0 else ended
        return httpx.Response(200, json=[{"seq": after + 1, "event": event}])

    async with VivaApi("http://viva", transport=httpx.MockTransport(handle)) as viva:
        record = FollowedRecord(viva, "i1")
        await record.look()
        await record.wait_for("interview_ended")
    assert asked == ["0", "1"]
    assert [event.kind for event in record.events] == ["interview_started", "interview_ended"]


async def test_the_record_is_read_once_more_at_the_end() -> None:
    """What was not told while the interview ran is in the record that is checked."""
    told = Supervised(at=1.0, turn=1, goes_on=True, question_count=1, difficulty="easy", ema=None, remaining_s=60.0)
    whole = told.model_copy(update={"difficulty": "hard", "ema": 7.5})
    answers = [told, whole]

    def handle(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=[{"seq": 1, "event": answers.pop(0).model_dump()}])

    async with VivaApi("http://viva", transport=httpx.MockTransport(handle)) as viva:
        record = FollowedRecord(viva, "i1")
        await record.look()
        await record.look_again()
    assert record.events == [whole]


async def test_a_web_process_may_be_gone_for_a_while() -> None:
    """A restart in the middle of an interview does not end the rehearsal; silence for long does."""
    async with api(httpx.ConnectError("refused")) as viva:
        record = FollowedRecord(viva, "i1")
        for _ in range(MOST_FAILURES):
            await record.look()
        with pytest.raises(VivaApiError):
            await record.look()
