"""Writing events without making anyone wait."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from domain.events import Event, ProblemNoticed
from review import RecordError, RecordStore, RecordWriter


class ScriptedStore(RecordStore):
    """A record that waits until it may write, and fails while it is told to."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.gate = threading.Event()
        self.gate.set()
        self.full = threading.Event()
        self.tried = threading.Event()

    def append(self, interview_id: str, event: Event) -> int:
        """Write, or fail like a full disk."""
        self.gate.wait()
        self.tried.set()
        if self.full.is_set():
            raise RecordError("The record could not be written: the disk is full. Free some space.")
        return super().append(interview_id, event)


@pytest.fixture
def store(tmp_path: Path) -> ScriptedStore:
    """A record that can be made to fail."""
    return ScriptedStore(tmp_path / "record.sqlite")


def noticed(number: int) -> ProblemNoticed:
    """An event that can be told from others."""
    return ProblemNoticed(at=float(number), what=str(number), advice="")


def written(store: RecordStore) -> list[float]:
    """The times of the events in the record, which are their numbers here."""
    return [stored.event.at for stored in store.events("a")]


async def test_events_are_written_in_order(store: ScriptedStore) -> None:
    """After a flush every event that was put is in the record, in the order it was put."""
    writer = RecordWriter(store, "a")
    for number in range(200):
        writer.put(noticed(number))
    assert await writer.flush()
    assert written(store) == list(range(200))
    assert writer.close() == 0


def test_putting_does_not_wait_for_the_disk(store: ScriptedStore) -> None:
    """While the disk stands still, events are taken without waiting; closing writes them."""
    store.gate.clear()
    writer = RecordWriter(store, "a")
    for number in range(100):
        writer.put(noticed(number))
    assert written(store) == []
    store.gate.set()
    assert writer.close() == 0
    assert written(store) == list(range(100))


async def test_a_full_disk_is_reported_once_and_loses_nothing(store: ScriptedStore) -> None:
    """While the record cannot be written one sentence is said; afterwards all events are there, in order."""
    problems: list[str] = []
    writer = RecordWriter(store, "a", on_problem=problems.append)
    store.full.set()
    for number in range(3):
        writer.put(noticed(number))
        assert not await writer.flush()
    store.full.clear()
    writer.put(noticed(3))
    assert writer.close() == 0
    assert written(store) == [0, 1, 2, 3]
    assert problems == ["The record could not be written: the disk is full. Free some space."]


def test_what_could_not_be_written_is_counted(store: ScriptedStore) -> None:
    """A writer that is closed while the disk is full says how many events are lost, and ends."""
    problems: list[str] = []
    store.full.set()
    writer = RecordWriter(store, "a", on_problem=problems.append)
    writer.put(noticed(0))
    writer.put(noticed(1))
    store.tried.wait()
    assert writer.close(timeout_s=0.0) == 2
    assert "2 events of interview a could not be written and are lost" in problems[-1]


async def test_a_deleted_interview_ends_the_writing(store: ScriptedStore) -> None:
    """When the interview is deleted meanwhile, its further events are dropped, and that is said once."""
    problems: list[str] = []
    writer = RecordWriter(store, "a", on_problem=problems.append)
    writer.put(noticed(0))
    assert await writer.flush()
    store.delete("a")
    writer.put(noticed(1))
    writer.put(noticed(2))
    assert await writer.flush()
    assert writer.close() == 0
    assert written(store) == []
    assert len(problems) == 1
    assert "was deleted" in problems[0]


def test_a_closed_writer_takes_nothing(store: ScriptedStore) -> None:
    """Closing twice is harmless; putting afterwards is an error that says so, not a lost event."""
    writer = RecordWriter(store, "a")
    writer.close()
    assert writer.close() == 0
    with pytest.raises(RuntimeError, match="interview a is closed"):
        writer.put(noticed(0))
