"""The record on disk. The slow tests start processes of their own."""

from __future__ import annotations

import gc
import json
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from domain.events import InterviewEnded, InterviewStarted, ProblemNoticed
from review import InterviewDeletedError, RecordError, RecordStore, Unended, UnreadableError
from tests.review.sample_interview import sample_events

APPENDING = """
import sys
from pathlib import Path
from domain.events import ProblemNoticed
from review import RecordStore
store = RecordStore(Path(sys.argv[1]), busy_timeout_s=30)
print("ready", flush=True)
for number in range(int(sys.argv[2])):
    store.append("shared", ProblemNoticed(at=float(number), what=sys.argv[3], advice=""))
    print(number, flush=True)
print("done", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RecordStore]:
    """An empty record."""
    store = RecordStore(tmp_path / "data" / "record.sqlite", busy_timeout_s=0.05)
    yield store
    store.close()


def sung(store: RecordStore, interview: str, seq: int) -> None:
    """Record what a later version of Viva may know."""
    body = json.dumps({"kind": "candidate_sang", "at": 2.0})
    store._connection().execute("INSERT INTO events VALUES (?, ?, 2.0, 'candidate_sang', ?)", (interview, seq, body))


def noticed(number: int) -> ProblemNoticed:
    """An event that can be told from others."""
    return ProblemNoticed(at=float(number), what=f"number {number}", advice="")


def test_events_come_back_as_they_were_appended(store: RecordStore) -> None:
    """Every kind of event survives the trip to the disk, in order and numbered from 1."""
    events = sample_events(1_700_000_000.0)
    assert [store.append("a", event) for event in events] == list(range(1, len(events) + 1))
    assert [stored.event for stored in store.events("a")] == events


def test_each_interview_counts_for_itself(store: RecordStore) -> None:
    """The numbers of one interview do not depend on another's."""
    assert [store.append(name, noticed(0)) for name in ("a", "b", "a", "b", "b")] == [1, 1, 2, 2, 3]


def test_reading_goes_on_where_it_stopped(store: RecordStore) -> None:
    """`after` leaves out what the reader has seen already."""
    for number in range(5):
        store.append("a", noticed(number))
    assert [stored.seq for stored in store.events("a", after=3)] == [4, 5]
    assert store.events("nobody") == []


def test_threads_share_a_store(store: RecordStore) -> None:
    """Threads that append at once lose no event and take no number twice."""
    patient = RecordStore(store.path, busy_timeout_s=30)
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(lambda number: patient.append("a", noticed(number)), range(80)))
    patient.close()
    assert sorted(numbers) == list(range(1, 81))


def test_a_new_file_may_be_opened_by_many_at_once(tmp_path: Path) -> None:
    """Processes that start together do not trip over who creates the file."""
    path = tmp_path / "record.sqlite"
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(lambda _: RecordStore(path, busy_timeout_s=30), range(8)))
    for one in stores:
        one.append("a", noticed(0))
        one.close()
    assert len(RecordStore(path).events("a")) == 8


def test_a_finished_thread_leaves_no_connection_behind(store: RecordStore) -> None:
    """Web servers start and end threads: each one's connection is closed with it."""
    for _ in range(5):
        thread = threading.Thread(target=store.interviews)
        thread.start()
        thread.join()
    gc.collect()
    assert len(store._connections) == 1


def test_summaries_follow_the_events(store: RecordStore) -> None:
    """Status and score are derived from the events, also after more of them have come."""
    events = sample_events(1_700_000_000.0)
    store.append("a", events[0])
    assert [(one.status, one.overall) for one in store.interviews()] == [("created", None)]
    for event in events[1:30]:
        store.append("a", event)
    running = store.interviews()[0]
    assert (running.status, running.candidate_name, running.pack_title, running.minutes) == (
        "running",
        "Ada",
        "Machine learning",
        10,
    )
    for event in events[30:]:
        store.append("a", event)
    summary = store.interview("a")
    assert summary is not None
    assert (summary.status, summary.overall) == ("ended", 6.2)


def test_interviews_are_listed_newest_first(store: RecordStore) -> None:
    """The list begins with the interview that was created last."""
    for name, start_at in (("old", 100.0), ("new", 300.0), ("middle", 200.0)):
        store.append(name, sample_events(start_at)[0])
    assert [summary.id for summary in store.interviews()] == ["new", "middle", "old"]


def test_an_interview_without_its_first_event_is_listed(store: RecordStore) -> None:
    """A record that lacks the creation is shown with what it has."""
    store.append("a", InterviewEnded(at=5.0, reason="failed"))
    summary = store.interview("a")
    assert summary is not None
    assert (summary.candidate_name, summary.created_at, summary.status) == ("", 5.0, "ended")
    assert store.interview("nobody") is None


def test_deleted_words_are_gone_from_the_disk(store: RecordStore) -> None:
    """After a deletion neither the file nor its log holds what was said."""
    for event in sample_events(1_700_000_000.0):
        store.append("a", event)
    store.append("b", noticed(1))
    store.delete("a")
    assert store.events("a") == []
    assert [summary.id for summary in store.interviews()] == ["b"]
    assert not any(b"dropout" in path.read_bytes() for path in store.path.parent.iterdir())


def test_a_deleted_interview_stays_deleted(store: RecordStore) -> None:
    """A worker that still runs cannot bring a deleted interview back."""
    store.append("a", noticed(1))
    store.delete("a")
    with pytest.raises(InterviewDeletedError, match="a was deleted"):
        store.append("a", noticed(2))
    assert store.events("a") == []


def test_a_full_disk_is_said(store: RecordStore) -> None:
    """A full disk gives a sentence that says so; the event is not half written, and fits once there is space."""
    store.append("a", noticed(1))
    connection = store._connection()
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count={pages}")
    long = ProblemNoticed(at=1.0, what="x" * 100_000, advice="")
    with pytest.raises(RecordError, match=r"disk is full\. Free some space"):
        store.append("a", long)
    connection.execute("PRAGMA max_page_count=100000")
    assert store.append("a", long) == 2


def test_a_locked_record_is_said(store: RecordStore) -> None:
    """When another program holds the file, the sentence says so and what to close; reading goes on."""
    store.append("a", noticed(1))
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(RecordError, match="another program holds it locked"):
        store.append("a", noticed(2))
    with pytest.raises(RecordError, match="another program holds it locked"):
        store.delete("a")
    assert len(store.events("a")) == 1
    other.execute("ROLLBACK")
    other.close()
    assert store.append("a", noticed(2)) == 2


def test_another_file_is_not_taken_for_a_record(tmp_path: Path) -> None:
    """A file that is no database is refused by name and left as it is."""
    path = tmp_path / "record.sqlite"
    path.write_text("My diary. " * 500)
    with pytest.raises(RecordError, match=r"record\.sqlite could not be opened: it is not a record of Viva's"):
        RecordStore(path)
    assert path.read_text().startswith("My diary.")


@pytest.mark.parametrize("place", ["file/record.sqlite", "folder"])
def test_an_impossible_place_is_said(tmp_path: Path, place: str) -> None:
    """A place where no file can be opened is named, with what to do."""
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "folder").mkdir()
    with pytest.raises(RecordError, match=r"could not be opened: .+\. (Choose|Give) .+\."):
        RecordStore(tmp_path / place)


def test_a_read_only_record_is_said(store: RecordStore) -> None:
    """A record that may only be read gives a sentence when something is to be written."""
    store._connection().execute("PRAGMA query_only=ON")
    with pytest.raises(RecordError, match=r"may not be written\. Give Viva's user the right"):
        store.append("a", noticed(1))


def test_an_event_of_another_version_is_named(store: RecordStore) -> None:
    """An event that cannot be read is named with its number, and nothing is made up in its place."""
    store.append("a", noticed(1))
    sung(store, "a", 2)
    with pytest.raises(RecordError, match=r"Event 2 of interview a .* Another version of Viva"):
        store.events("a")


def test_what_cannot_be_read_is_listed_and_hides_nothing_else(store: RecordStore) -> None:
    """One event of another version makes one interview unreadable, with what its first event says of it."""
    for event in sample_events(100.0):
        store.append("fine", event)
        store.append("newer", event)
    sung(store, "newer", 1000)
    sung(store, "strange", 1)

    listed = {one.id: one for one in store.interviews()}

    assert listed["fine"] == store.interview("fine")
    assert (listed["newer"].status, listed["newer"].candidate_name, listed["newer"].overall) == (
        "unreadable",
        "Ada",
        None,
    )
    assert (listed["strange"].status, listed["strange"].candidate_name) == ("unreadable", "")
    assert store.fault("fine") == ""
    assert store.fault("newer").startswith("Event 1000 of interview newer")
    with pytest.raises(UnreadableError):
        store.interview("newer")


def test_what_has_not_ended_is_found_without_reading_it(store: RecordStore) -> None:
    """How far it is, by which medium, in which time, and when something last happened: by kinds and times alone."""
    created = sample_events(100.0)[0]
    store.append("asked for", created)
    store.append("typed", created.model_copy(update={"medium": "text", "time": "virtual"}))
    store.append("typed", InterviewStarted(at=200.0, judge="built-in"))
    sung(store, "typed", 3)
    for event in sample_events(100.0):
        store.append("over", event)

    found = {one.id: one for one in store.unended()}

    assert found == {
        "asked for": Unended("asked for", "created", "voice", is_virtual=False, last_at=100.0),
        "typed": Unended("typed", "running", "text", is_virtual=True, last_at=2.0),
    }


@pytest.mark.slow
def test_processes_share_a_record(tmp_path: Path) -> None:
    """Three processes that append at once lose no event and take no number twice."""
    path = tmp_path / "record.sqlite"
    processes = [_appending(path, 200, name) for name in ("x", "y", "z")]
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    stored = RecordStore(path).events("shared")
    assert [one.seq for one in stored] == list(range(1, 601))
    assert sorted(one.event.what for one in stored if isinstance(one.event, ProblemNoticed)) == sorted("xyz" * 200)


@pytest.mark.slow
def test_a_killed_process_leaves_what_it_appended(tmp_path: Path) -> None:
    """After SIGKILL every event that was appended is there."""
    path = tmp_path / "record.sqlite"
    process = _appending(path, 1_000_000, "x")
    assert process.stdout is not None
    appended = -1
    while appended < 50:
        line = process.stdout.readline().strip()
        appended = int(line) if line.isdigit() else appended
    process.kill()
    rest = [line for line in process.communicate()[0].split() if line.isdigit()]
    appended = int(rest[-1]) if rest else appended
    assert len(RecordStore(path).events("shared")) > appended


def _appending(path: Path, events: int, name: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", APPENDING, str(path), str(events), name]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
