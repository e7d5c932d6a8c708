"""The table of traces: written behind an interview's back, shown on demand, gone with the interview."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from langgraph.checkpoint.memory import InMemorySaver
from prometheus_client import CollectorRegistry
from typer.testing import CliRunner

from agent.cli.app import app
from agent.http.app import make_app
from agent.observability import traces as traces_module
from agent.observability.exporters import Tracing
from agent.observability.keeping import forget_traces, sweeping_traces
from agent.observability.metrics import Metrics
from agent.observability.trace_store import KEEP_S, Trace, TraceError, TraceStore
from agent.observability.traces import MOST_WAITING, TraceRecorder, TraceWriter
from agent.observability.watch import InterviewWatch
from agent.settings import Settings
from domain.events import InterviewCreated, InterviewEnded, InterviewStarted, StageTimed
from graph.observer import ModelCall
from review import RecordError, RecordStore
from tests.agent.watched import ANSWERS, hold

NOW = 1_000_000.0


def trace(interview: str = "9f2c", turn: int = 1, **values: object) -> Trace:
    """A trace of a node, or of what the values say."""
    told = {"kind": "node", "name": "evaluate", "started_at": NOW, "seconds": 0.25, **values}
    return Trace(interview, turn, **told)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> TraceStore:
    """A table of its own."""
    return TraceStore(tmp_path / "data" / "traces.sqlite")


class FullDisk(TraceStore):
    """A table on a disk that is full until somebody makes room."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.full = True
        self.tried = threading.Event()

    def add(self, traces: Sequence[Trace]) -> None:
        self.tried.set()
        if self.full:
            raise TraceError("The disk is full.")
        super().add(traces)


def watch_of(settings: Settings, interview: str = "tea-1") -> InterviewWatch:
    """Watches an interview, with metrics of its own and no tracing."""
    return InterviewWatch(settings, interview, "text", metrics=Metrics(CollectorRegistry()), tracing=Tracing())


async def test_every_node_of_an_interview_is_traced(tmp_path: Path) -> None:
    """Each turn has its nodes, with times that are real although the interview's own time is virtual."""
    settings = Settings(data_dir=tmp_path)
    watch = watch_of(settings)

    await hold(watch.recorder, InMemorySaver())
    watch.close()

    found = TraceStore(settings.traces_path).of_interview("tea-1")
    nodes = Counter(each.name for each in found)
    assert {each.kind for each in found} <= {"node", "retrieval"}
    assert nodes["greet"] == 1
    assert nodes["detect_intent"] == len(ANSWERS)
    assert {each.turn for each in found} == set(range(len(ANSWERS) + 1))
    assert all(each.ok and each.seconds >= 0 and each.started_at > NOW for each in found)


def test_model_calls_gates_and_fallbacks_are_traced_with_their_reasons(store: TraceStore) -> None:
    """What is written is what was told, with the time at which it began."""
    put: list[Trace] = []
    recorder = TraceRecorder("9f2c", put.append, lambda: NOW)

    recorder.model_called(ModelCall(3, "evaluator", "complex", "big:14b", 2.0, False, 900, 80, "no answer in time"))
    recorder.gate_failed(3, "evaluator", "a quote was not said")
    recorder.fell_back(3, "evaluator", "no usable reply")
    recorder.retrieved(3, cached=False, grade="low", attempts=2, latency_ms=20.0)
    store.add(put)

    assert store.of_interview("9f2c") == [
        Trace("9f2c", 3, "model", "evaluator", NOW - 2, 2.0, False, "complex", "big:14b", 900, 80, "no answer in time"),
        Trace("9f2c", 3, "retrieval", "retrieval", NOW - 0.02, 0.02, why="low, 2 attempts"),
        Trace("9f2c", 3, "gate", "evaluator", NOW, 0.0, ok=False, why="a quote was not said"),
        Trace("9f2c", 3, "fallback", "evaluator", NOW, 0.0, ok=False, why="no usable reply"),
    ]
    store.close()


async def test_a_full_disk_stops_no_interview_and_is_told_once(tmp_path: Path) -> None:
    """The interview goes to its end, with one sentence of warning however often writing fails."""
    told: list[str] = []
    writer = TraceWriter(FullDisk(tmp_path / "traces.sqlite"), told.append)

    await hold(TraceRecorder("tea-1", writer.put, lambda: NOW), InMemorySaver())
    writer.close()

    assert told == ["The disk is full."]


def test_sqlites_full_disk_is_told_with_what_it_means(store: TraceStore) -> None:
    """What was written before stays, and the sentence says that interviews do not depend on it."""
    store.add([trace()])
    assert store._open is not None
    store._open.execute("PRAGMA max_page_count = 12")

    with pytest.raises(TraceError, match=r"cannot be written \(database or disk is full\)\. Interviews go on"):
        store.add([trace(why="x" * 5000) for _ in range(20)])

    assert store.of_interview("9f2c") == [trace()]
    store.close()


def test_what_waited_for_the_disk_is_written_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is lost when there is room again before the interview ends."""
    monkeypatch.setattr(traces_module, "RETRY_S", 0.01)
    store = FullDisk(tmp_path / "traces.sqlite")
    writer = TraceWriter(store, lambda _: None)
    for turn in range(20):
        writer.put(trace(turn=turn))
    assert store.tried.wait(5)
    store.full = False
    writer.close()

    assert [each.turn for each in TraceStore(store.path).of_interview("9f2c")] == list(range(20))


def test_memory_is_bounded_while_the_disk_is_full(tmp_path: Path) -> None:
    """An interview of any length keeps only so many traces."""
    store = FullDisk(tmp_path / "traces.sqlite")
    writer = TraceWriter(store, lambda _: None)
    writer.put(trace())
    assert store.tried.wait(5)
    for _ in range(MOST_WAITING + 100):
        writer.put(trace())
    store.full = False
    writer.close()

    assert len(TraceStore(store.path).of_interview("9f2c")) <= MOST_WAITING


def test_after_the_close_traces_are_dropped(tmp_path: Path) -> None:
    """What is told too late raises nothing, and closing twice does neither."""
    writer = TraceWriter(TraceStore(tmp_path / "traces.sqlite"), lambda _: None)
    writer.close()
    writer.put(trace())
    writer.close()


def test_a_file_that_is_no_table_is_told_with_what_to_do(tmp_path: Path) -> None:
    """Reading says why and what that means; nothing else depends on the file."""
    path = tmp_path / "traces.sqlite"
    path.write_text("nonsense " * 200)

    with pytest.raises(TraceError, match=r"cannot be read \(file is not a database\)\. Interviews go on"):
        TraceStore(path).of_interview("9f2c")


def test_a_deleted_interviews_traces_are_gone_and_stay_gone(store: TraceStore) -> None:
    """Also from the file's free pages, and when its writer is late; other interviews keep theirs."""
    store.add([trace(why="the secret sentence"), trace("other")])

    store.delete("9f2c", at=NOW)
    store.add([trace(), trace("other")])

    assert store.of_interview("9f2c") == []
    assert len(store.of_interview("other")) == 2
    store.close()
    assert b"the secret sentence" not in b"".join(path.read_bytes() for path in store.path.parent.iterdir())


async def test_traces_are_swept_after_thirty_days(store: TraceStore) -> None:
    """At the web process's start and once a day; a file that was never made is not made for it."""
    store.add([trace(started_at=NOW - KEEP_S - 1), trace("young", started_at=NOW - KEEP_S + 1)])
    swept = threading.Event()

    class Watched(TraceStore):
        def sweep(self, *, before: float) -> int:
            removed = super().sweep(before=before)
            swept.set()
            return removed

    async with sweeping_traces(Watched(store.path), lambda: NOW):
        assert await asyncio.to_thread(swept.wait, 5)

    assert store.of_interview("9f2c") == []
    assert len(store.of_interview("young")) == 1
    store.close()
    assert TraceStore(store.path.with_name("none.sqlite")).sweep(before=NOW) == 0
    assert not store.path.with_name("none.sqlite").exists()


def test_deleting_an_interview_deletes_its_traces(tmp_path: Path) -> None:
    """The delete button of the start page is enough."""
    settings = Settings(data_dir=tmp_path)
    record, store = RecordStore(settings.record_path), TraceStore(settings.traces_path)
    record.append(
        "9f2c",
        InterviewCreated(
            at=NOW, candidate_name="Ada", pack="tea", pack_title="Tea", minutes=20, feedback="practice", room="r"
        ),
    )
    store.add([trace()])

    with TestClient(make_app(settings), client=("127.0.0.1", 50000)) as web:
        assert web.delete("/api/interviews/9f2c").status_code == 204

    assert store.of_interview("9f2c") == []
    assert record.events("9f2c") == []
    store.close()
    record.close()


def test_an_interview_whose_traces_cannot_be_deleted_stays_listed(tmp_path: Path) -> None:
    """So that somebody sees it and tries again."""
    path = tmp_path / "traces.sqlite"
    path.write_text("nonsense " * 200)

    with pytest.raises(RecordError, match="cannot be deleted"):
        forget_traces(TraceStore(path))("9f2c")


def test_two_processes_may_write_at_once(store: TraceStore) -> None:
    """Writers wait for each other instead of failing."""
    store.add([trace()])
    other = sqlite3.connect(store.path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    writing = threading.Thread(target=store.add, args=([trace()],))
    writing.start()
    other.execute("COMMIT")
    writing.join()
    other.close()

    assert len(store.of_interview("9f2c")) == 2
    store.close()


def test_beginning_end_and_voice_are_taken_from_the_record(tmp_path: Path) -> None:
    """What the graph does not tell is counted from the events, and a node of the graph is not counted twice."""
    registry = CollectorRegistry()
    watch = InterviewWatch(Settings(data_dir=tmp_path), "9f2c", "voice", metrics=Metrics(registry), tracing=Tracing())
    watch.event(InterviewStarted(at=NOW, judge="built-in", resumed=True))
    watch.event(StageTimed(at=NOW, turn=1, stage="e2e_latency", seconds=1.5))
    watch.event(StageTimed(at=NOW, turn=1, stage="evaluate", seconds=1.5))
    watch.event(InterviewEnded(at=NOW, reason="time_up"))
    watch.close()

    def value(name: str, **labels: str) -> float | None:
        return registry.get_sample_value(f"viva_{name}", labels)

    assert value("interviews_started_total", medium="voice", resumed="yes") == 1
    assert value("interviews_ended_total", medium="voice", reason="time_up") == 1
    assert value("voice_latency_seconds_sum", stage="e2e_latency") == 1.5
    assert value("voice_latency_seconds_count", stage="evaluate") is None


@pytest.fixture
def traced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TraceStore:
    """The table that `viva traces` reads, with an interview in it."""
    monkeypatch.setenv("VIVA_DATA_DIR", str(tmp_path))
    store = TraceStore(Settings().traces_path)
    store.add(
        [
            *(trace(turn=turn, name="detect_intent", seconds=0.010) for turn in range(1, 15)),
            *(trace(turn=turn, name="evaluate", started_at=NOW + 0.010, seconds=1.2) for turn in range(1, 15)),
            trace(turn=2, kind="model", name="evaluator", tier="complex", model="big:14b", tokens_in=900, seconds=1.1),
            trace(turn=3, kind="fallback", name="evaluator", ok=False, why="no answer in time"),
        ]
    )
    store.close()
    return store


def test_the_listing_shows_nodes_turns_models_and_troubles(traced: TraceStore) -> None:
    """Milliseconds of every node in every turn, in tables that fit a terminal."""
    result = CliRunner().invoke(app, ["traces", "9f2c"], env={"COLUMNS": "100"})

    assert result.exit_code == 0
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["evaluate", *["1200"] * 12] in rows
    assert ["evaluate", "1200", "1200"] in rows
    assert ["whole", "turn", "1210", "1210"] in rows
    assert ["evaluator", "complex", "big:14b", "1", "0", "1100", "900", "0"] in rows
    assert "no answer in time" in result.stdout


def test_the_listing_as_json_has_every_trace(traced: TraceStore) -> None:
    """For machines, all fields."""
    result = CliRunner().invoke(app, ["traces", "9f2c", "--json"])

    told = json.loads(result.stdout)
    assert len(told) == 30
    assert told[0]["interview_id"] == "9f2c"
    assert set(told[0]) == {field for field in Trace.__dataclass_fields__}  # noqa: C416


def test_an_interview_without_traces_is_told(traced: TraceStore) -> None:
    """A mistyped id gives a sentence and exit code 1."""
    result = CliRunner().invoke(app, ["traces", "nobody"])

    assert result.exit_code == 1
    assert "There are no traces of interview 'nobody'" in result.stderr
