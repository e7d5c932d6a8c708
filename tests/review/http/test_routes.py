"""The HTTP calls that show and delete what was recorded."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from domain.events import Event, InterviewEnded, RecordingFinished, RecordingStarted, event_adapter
from review import RecordError, RecordStore, StereoRecorder, Transcript, interview_dir
from review.audio.finishing import finish_recording
from review.http.routes import routes
from review.record.store import Stored
from review.report.models import Report
from tests.review.sample_interview import sample_events
from tests.review.sounds import decoded, loud_parts, tone

START = 1_700_000_000.0
EVENTS = sample_events(START)
SOUND = bytes(range(256)) * 40


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RecordStore]:
    """A record with a finished interview and one that runs."""
    store = RecordStore(tmp_path / "record.sqlite", busy_timeout_s=0.05)
    add(store, "done", EVENTS)
    add(store, "running", sample_events(START + 1000)[:20])
    yield store
    store.close()


@pytest.fixture
def client(store: RecordStore, tmp_path: Path) -> Iterator[TestClient]:
    """A browser; the finished interview has a recording."""
    folder = interview_dir(tmp_path, "done")
    folder.mkdir(parents=True)
    (folder / "recording.ogg").write_bytes(SOUND)
    app = FastAPI()
    app.include_router(routes(store, tmp_path))
    with TestClient(app) as client:
        yield client


def add(store: RecordStore, interview_id: str, events: list[Event]) -> None:
    """Record events."""
    for event in events:
        store.append(interview_id, event)


def test_interviews_are_listed(client: TestClient) -> None:
    """The list has the fields that the start page shows, newest first."""
    assert client.get("/api/interviews").json() == [
        {
            "id": "running",
            "candidate_name": "Ada",
            "pack_title": "Machine learning",
            "created_at": START + 1000,
            "minutes": 10,
            "status": "running",
            "overall": None,
            "medium": "voice",
            "user_id": "ada",
        },
        {
            "id": "done",
            "candidate_name": "Ada",
            "pack_title": "Machine learning",
            "created_at": START,
            "minutes": 10,
            "status": "ended",
            "overall": 6.2,
            "medium": "voice",
            "user_id": "ada",
        },
    ]


def test_one_interview_tells_whether_it_can_be_heard(client: TestClient) -> None:
    """A single interview has the list's fields, and whether there is a recording."""
    done = client.get("/api/interviews/done").json()
    assert done == client.get("/api/interviews").json()[1] | {"recording": True}
    assert client.get("/api/interviews/running").json()["recording"] is False


def test_events_come_in_order_and_from_a_number_on(client: TestClient) -> None:
    """The events are those of the record; `after` leaves out what was seen."""
    stored = client.get("/api/interviews/done/events").json()
    assert [event_adapter.validate_python(one["event"]) for one in stored] == EVENTS
    assert [one["seq"] for one in stored] == list(range(1, len(EVENTS) + 1))
    later = client.get("/api/interviews/done/events", params={"after": len(EVENTS) - 2}).json()
    assert later == stored[-2:]
    assert client.get("/api/interviews/done/events", params={"after": -1}).status_code == 422


def test_transcript_and_report_are_served(client: TestClient) -> None:
    """Transcript and report have the shapes of their models; a transcript can be read while the interview runs."""
    transcript = Transcript.model_validate(client.get("/api/interviews/done/transcript").json())
    report = Report.model_validate(client.get("/api/interviews/done/report").json())
    assert len(transcript.entries) == 20
    assert report.overall_score == 6.2
    assert client.get("/api/interviews/running/transcript").status_code == 200


def test_exports_have_their_types(client: TestClient) -> None:
    """WebVTT and Markdown are served as what they are."""
    captions = client.get("/api/interviews/done/transcript.vtt")
    page = client.get("/api/interviews/done/report.md")
    assert captions.headers["content-type"].startswith("text/vtt")
    assert captions.text.startswith("WEBVTT\n\n")
    assert page.headers["content-type"].startswith("text/markdown")
    assert page.text.startswith("# Interview")


@pytest.mark.parametrize("what", ["report", "report.md"])
def test_a_running_interview_has_no_report_yet(client: TestClient, what: str) -> None:
    """While an interview runs its report is refused with 409 and a sentence."""
    answer = client.get(f"/api/interviews/running/{what}")
    assert answer.status_code == 409
    assert answer.json()["detail"].startswith("The interview is not over yet.")


@pytest.mark.parametrize(
    "path", ["", "/events", "/transcript", "/transcript.vtt", "/report", "/report.md", "/recording"]
)
@pytest.mark.parametrize("interview_id", ["nobody", "..", "%2e%2e%2fdone", "'; DROP TABLE events; --"])
def test_an_unknown_interview_is_said(client: TestClient, interview_id: str, path: str) -> None:
    """An id that does not exist gets 404 and a sentence, whatever it looks like."""
    answer = client.get(f"/api/interviews/{interview_id}{path}")
    assert answer.status_code in (404, 405)
    if interview_id == "nobody":
        assert answer.json()["detail"].startswith("There is no interview 'nobody' here.")
    assert len(client.get("/api/interviews").json()) == 2


def test_a_recording_can_be_played_from_anywhere(client: TestClient) -> None:
    """The recording is served as OGG, in parts where a player asks for parts."""
    whole = client.get("/api/interviews/done/recording")
    part = client.get("/api/interviews/done/recording", headers={"Range": "bytes=100-199"})
    beyond = client.get("/api/interviews/done/recording", headers={"Range": "bytes=999999-"})
    assert (whole.status_code, whole.headers["content-type"], whole.content) == (200, "audio/ogg", SOUND)
    assert whole.headers["accept-ranges"] == "bytes"
    assert (part.status_code, part.content) == (206, SOUND[100:200])
    assert beyond.status_code == 416


def test_without_a_recording_that_is_said(client: TestClient, store: RecordStore) -> None:
    """No recording, or one whose file is gone, gets 404 and a sentence."""
    add(store, "mute", [EVENTS[0], InterviewEnded(at=START, reason="failed")])
    add(store, "lost", EVENTS)
    for interview_id in ("mute", "lost"):
        answer = client.get(f"/api/interviews/{interview_id}/recording")
        assert answer.status_code == 404
        assert answer.json()["detail"].startswith("There is no recording of this interview")


def test_a_recording_that_is_being_written_is_not_served(store: RecordStore, tmp_path: Path) -> None:
    """While the interview runs, and while its worker finishes the recording, there is nothing to play yet."""
    now = [START + 1100]
    app = FastAPI()
    app.include_router(routes(store, tmp_path, clock=lambda: now[0]))
    client = TestClient(app)
    record(tmp_path, "running", "piece-1.ogg", START + 1003.25)
    add(store, "running", [InterviewEnded(at=START + 1100, reason="stopped")])
    for ended_before_s, recording in ((-1, False), (30, False), (90, True)):
        now[0] = START + 1100 + ended_before_s
        assert client.get("/api/interviews/running").json()["recording"] is recording
    now[0] = START + 1130
    answer = client.get("/api/interviews/running/recording")
    assert answer.status_code == 404
    assert "can be played shortly after the interview" in answer.json()["detail"]
    assert (interview_dir(tmp_path, "running") / "piece-1.ogg").exists()


def test_many_players_do_not_join_twice(client: TestClient, store: RecordStore, tmp_path: Path) -> None:
    """Requests that come at once wait for one joining, and all of them get the recording."""
    record(tmp_path, "crashed", "a.ogg", START)
    ended = InterviewEnded(at=START + 4, reason="failed")
    add(store, "crashed", [EVENTS[0], RecordingStarted(at=START, path="a.ogg"), ended])
    codes: list[int] = []
    threads = [
        threading.Thread(target=lambda: codes.append(client.get("/api/interviews/crashed/recording").status_code))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == [200] * 4
    assert sum(isinstance(one.event, RecordingFinished) for one in store.events("crashed")) == 1


class _JoinedMeanwhile(RecordStore):
    """A record whose pieces are joined by somebody else right after the first reading of its events."""

    folder: Path | None = None

    def events(self, interview_id: str, after: int = 0) -> list[Stored]:
        stored = super().events(interview_id, after)
        if self.folder is not None:
            folder, self.folder = self.folder, None
            finish_recording(self, interview_id, folder)
        return stored


@pytest.mark.parametrize("path", ["/recording", ""])
def test_pieces_that_go_while_a_request_reads_the_record_are_found_joined(tmp_path: Path, path: str) -> None:
    """A request that read of pieces, and comes to them after another joined them, gets the joined recording."""
    store = _JoinedMeanwhile(tmp_path / "crash.sqlite")
    app = FastAPI()
    app.include_router(routes(store, tmp_path))
    record(tmp_path, "crashed", "a.ogg", START)
    ended = InterviewEnded(at=START + 4, reason="failed")
    add(store, "crashed", [EVENTS[0], RecordingStarted(at=START, path="a.ogg"), ended])
    store.folder = interview_dir(tmp_path, "crashed")
    answer = TestClient(app).get(f"/api/interviews/crashed{path}")
    assert answer.status_code == 200
    assert path or answer.json()["recording"]


def test_pieces_that_a_crash_left_are_joined_when_they_are_asked_for(
    client: TestClient, store: RecordStore, tmp_path: Path
) -> None:
    """When the worker died before it joined the pieces, the first who listens gets them joined."""
    record(tmp_path, "crashed", "a.ogg", START)
    record(tmp_path, "crashed", "b.ogg", START + 3)
    add(store, "crashed", [EVENTS[0], RecordingStarted(at=START, path="a.ogg")])
    add(store, "crashed", [RecordingStarted(at=START + 3, path="b.ogg"), InterviewEnded(at=START + 4, reason="failed")])
    assert client.get("/api/interviews/crashed").json()["recording"] is True
    first = client.get("/api/interviews/crashed/recording")
    second = client.get("/api/interviews/crashed/recording")
    folder = interview_dir(tmp_path, "crashed")
    finished = [one.event for one in store.events("crashed") if isinstance(one.event, RecordingFinished)]
    assert (first.status_code, second.content == first.content, len(finished)) == (200, True, 1)
    assert len(loud_parts(decoded(folder / "recording.ogg")[0])) == 2
    assert [path.name for path in folder.iterdir()] == ["recording.ogg"]


def test_pieces_that_nobody_can_read_are_said(client: TestClient, store: RecordStore, tmp_path: Path) -> None:
    """When no piece can be read the listener gets 404 and a sentence, and the piece is kept."""
    folder = interview_dir(tmp_path, "broken")
    folder.mkdir(parents=True)
    (folder / "a.ogg").write_bytes(b"noise")
    ended = InterviewEnded(at=START + 4, reason="failed")
    add(store, "broken", [EVENTS[0], RecordingStarted(at=START, path="a.ogg"), ended])
    answer = client.get("/api/interviews/broken/recording")
    assert answer.status_code == 404
    assert answer.json()["detail"].startswith("There is no recording that can be played: a.ogg.")
    assert (folder / "a.ogg").exists()


def test_a_deleted_interview_is_gone(client: TestClient, store: RecordStore, tmp_path: Path) -> None:
    """Deleting removes the record and the recording, and only of this interview."""
    assert client.delete("/api/interviews/done").status_code == 204
    assert client.get("/api/interviews/done").status_code == 404
    assert client.delete("/api/interviews/done").status_code == 404
    assert not interview_dir(tmp_path, "done").exists()
    assert [one["id"] for one in client.get("/api/interviews").json()] == ["running"]
    assert store.events("done") == []


@pytest.mark.parametrize("events", [EVENTS, EVENTS[:20]], ids=["ended", "running"])
def test_an_interview_of_another_version_is_listed_and_can_be_deleted(
    client: TestClient, store: RecordStore, events: list[Event]
) -> None:
    """It is told from the others, hides none of them, and goes though nobody could end it; what runs still stays."""
    add(store, "newer", events)
    store._connection().execute("INSERT INTO events VALUES ('newer', 1000, 2.0, 'sang', '{\"kind\": \"sang\"}')")

    listed = {one["id"]: one["status"] for one in client.get("/api/interviews").json()}

    assert listed == {"running": "running", "done": "ended", "newer": "unreadable"}
    assert client.delete("/api/interviews/newer").status_code == 204
    assert client.delete("/api/interviews/running").status_code == 409
    assert {one["id"] for one in client.get("/api/interviews").json()} == {"running", "done"}


def test_a_recording_that_cannot_be_deleted_keeps_the_interview(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the files cannot be removed that is said, and the interview stays listed so that it can be tried again."""

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(shutil, "rmtree", refuse)
    answer = client.delete("/api/interviews/done")
    assert answer.status_code == 503
    assert "could not be deleted (Permission denied)" in answer.json()["detail"]
    assert client.get("/api/interviews/done").status_code == 200


def test_a_record_that_fails_is_said(client: TestClient, store: RecordStore) -> None:
    """A record that cannot be read is the application's to answer for, with the record's own sentence."""
    store._connection().execute("INSERT INTO events VALUES ('odd', 1, 2.0, 'sang', '{\"kind\": \"sang\"}')")
    with pytest.raises(RecordError, match="Another version of Viva"):
        client.get("/api/interviews/odd/transcript")


@pytest.mark.parametrize("interview_id", ["", ".", "..", "a/b", "../a"])
def test_an_id_cannot_lead_out_of_the_folder(tmp_path: Path, interview_id: str) -> None:
    """A folder is only made of plain names."""
    with pytest.raises(ValueError, match="not a plain name"):
        interview_dir(tmp_path, interview_id)


def record(data_dir: Path, interview_id: str, name: str, started_at: float) -> None:
    """Leave a piece of one second."""
    now = [started_at]
    recorder = StereoRecorder(interview_dir(data_dir, interview_id) / name, clock=lambda: now[0])
    recorder.write("candidate", tone(1.0), started_at)
    now[0] += 1.0
    recorder.close()
