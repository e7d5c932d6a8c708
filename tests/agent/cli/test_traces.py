"""Traces of an interview: read from its record, shown on demand, gone with the interview."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from langgraph.checkpoint.memory import InMemorySaver
from typer.testing import CliRunner

from agent.cli.app import app
from agent.cli.traces import Trace, traces_of
from agent.http.app import make_app, remove_old_traces
from agent.settings import Settings
from domain.events import (
    Event,
    FellBack,
    GateFailed,
    InterviewCreated,
    ModelCalled,
    Retrieved,
    StageTimed,
)
from review import RecordStore, RecordWriter, build_report, build_transcript
from tests.agent.observability.watched import ANSWERS, MARKER, hold, quoting_models

NOW = 1_000_000.0


def created(**values: object) -> InterviewCreated:
    """Somebody asks for an interview."""
    wanted = {"candidate_name": "Ada", "pack": "tea", "pack_title": "Tea", "minutes": 20, "feedback": "coach"}
    return InterviewCreated(at=NOW, room="r", **wanted, **values)  # type: ignore[arg-type]


def called(**values: object) -> ModelCalled:
    """A call of the evaluator's model."""
    told = {"turn": 3, "agent": "evaluator", "tier": "complex", "model": "big:14b", "seconds": 2.0, "ok": True}
    return ModelCalled(at=NOW, **{**told, **values})  # type: ignore[arg-type]


def recorded(settings: Settings, interview_id: str, events: Sequence[Event]) -> None:
    """Put events into the record."""
    store = RecordStore(settings.record_path)
    for event in events:
        store.append(interview_id, event)
    store.close()


async def test_the_record_has_every_node_call_and_refusal_of_an_interview(tmp_path: Path) -> None:
    """Whoever writes the record needs nothing else to tell later what each turn took and why it went as it did."""
    store = RecordStore(tmp_path / "record.sqlite")
    writer = RecordWriter(store, "tea-1")

    await hold(writer.put, InMemorySaver(), models=quoting_models())
    assert await writer.flush()
    await asyncio.to_thread(writer.close)

    found = traces_of("tea-1", [stored.event for stored in store.events("tea-1")])
    nodes = Counter(each.name for each in found if each.kind == "node")
    assert nodes["greet"] == 1
    assert nodes["detect_intent"] == len(ANSWERS)
    assert {each.kind for each in found} >= {"node", "model", "retrieval", "fallback"}
    assert {each.turn for each in found} == set(range(len(ANSWERS) + 1))
    assert all(each.seconds >= 0 for each in found)
    store.close()


def test_calls_gates_and_fallbacks_are_traced_with_their_reasons() -> None:
    """What was told is shown, with the time at which it began, and the earliest first."""
    events: list[Event] = [
        called(ok=False, tokens_in=900, tokens_out=80, why="no answer in time"),
        GateFailed(at=NOW, turn=3, agent="evaluator", check="a quote was not said"),
        FellBack(at=NOW, turn=3, agent="evaluator", why="no usable reply"),
        Retrieved(at=NOW, turn=3, cached=False, grade="low", attempts=2, seconds=0.5),
        StageTimed(at=NOW, turn=3, stage="e2e_latency", seconds=1.5),
    ]

    assert traces_of("9f2c", events) == [
        Trace("9f2c", 3, "model", "evaluator", NOW - 2, 2.0, False, "complex", "big:14b", 900, 80, "no answer in time"),
        Trace("9f2c", 3, "retrieval", "retrieval", NOW - 0.5, 0.5, why="low, 2 attempts"),
        Trace("9f2c", 3, "gate", "evaluator", NOW, 0.0, ok=False, why="a quote was not said"),
        Trace("9f2c", 3, "fallback", "evaluator", NOW, 0.0, ok=False, why="no usable reply"),
    ]


async def test_what_only_traces_need_changes_neither_transcript_nor_report() -> None:
    """Calls, refusals and searches are in the record for whoever runs Viva, and for nobody else."""
    events: list[Event] = [created()]
    await hold(events.append, InMemorySaver(), models=quoting_models())
    without = [event for event in events if not isinstance(event, ModelCalled | GateFailed | Retrieved)]

    assert len(without) < len(events)
    assert build_transcript(without) == build_transcript(events)
    assert build_report(without) == build_report(events)


def test_deleting_an_interview_deletes_its_traces(tmp_path: Path) -> None:
    """The delete button of the start page is enough: no word that a reason quotes is left in any file."""
    settings = Settings(data_dir=tmp_path)
    recorded(settings, "9f2c", [created(), called(ok=False, why=f"refused: {MARKER}")])

    with TestClient(make_app(settings), client=("127.0.0.1", 50000)) as web:
        assert web.delete("/api/interviews/9f2c").status_code == 204

    assert MARKER.encode() not in b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_the_traces_of_earlier_versions_are_removed(tmp_path: Path) -> None:
    """Their reasons quote candidates, and nobody deletes them with an interview any more."""
    old = [tmp_path / f"traces.sqlite{end}" for end in ("", "-wal", "-shm")]
    for path in old:
        path.write_text(f"an old reason: {MARKER}")

    with TestClient(make_app(Settings(data_dir=tmp_path)), client=("127.0.0.1", 50000)) as web:
        assert web.get("/api/interviews").status_code == 200

    assert not [path for path in old if path.exists()]
    assert (tmp_path / "record.sqlite").exists()


def test_traces_of_earlier_versions_that_cannot_be_removed_are_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The start goes on, and the log names the file for whoever has to remove it."""
    (tmp_path / "traces.sqlite").mkdir()

    with caplog.at_level(logging.WARNING):
        remove_old_traces(tmp_path)

    assert "traces.sqlite is of no use any more, may quote candidates" in caplog.text


@pytest.fixture
def traced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A record with the interview `9f2c` in real time, and `5d0c` in virtual time."""
    monkeypatch.setenv("VIVA_DATA_DIR", str(tmp_path))
    settings = Settings()
    nodes: list[Event] = []
    for turn in range(1, 15):
        nodes += [
            StageTimed(at=NOW + 0.010, turn=turn, stage="detect_intent", seconds=0.010),
            StageTimed(at=NOW + 1.210, turn=turn, stage="evaluate", seconds=1.2),
        ]
    troubles = [called(turn=2, seconds=1.1, tokens_in=900), FellBack(at=NOW, turn=3, agent="evaluator", why="too late")]
    recorded(settings, "9f2c", [created(), *nodes, *troubles])
    recorded(settings, "5d0c", [created(time="virtual"), *nodes])
    return settings


def test_the_listing_shows_nodes_turns_models_and_troubles(traced: Settings) -> None:
    """Milliseconds of every node in every turn, in tables that fit a terminal."""
    result = CliRunner().invoke(app, ["traces", "9f2c"], env={"COLUMNS": "100"})

    assert result.exit_code == 0
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["evaluate", *["1200"] * 12] in rows
    assert ["evaluate", "1200", "1200"] in rows
    assert ["whole", "turn", "1210", "1210"] in rows
    assert ["evaluator", "complex", "big:14b", "1", "0", "1100", "900", "0"] in rows
    assert "too late" in result.stdout


def test_where_time_stands_still_no_turn_is_added_up(traced: Settings) -> None:
    """In virtual time nobody knows which nodes ran side by side."""
    result = CliRunner().invoke(app, ["traces", "5d0c"], env={"COLUMNS": "100"})

    assert "evaluate" in result.stdout
    assert "whole turn" not in result.stdout


def test_the_listing_as_json_has_every_trace(traced: Settings) -> None:
    """For machines, all fields."""
    result = CliRunner().invoke(app, ["traces", "9f2c", "--json"])

    told = json.loads(result.stdout)
    assert len(told) == 30
    assert told[0]["interview_id"] == "9f2c"
    assert set(told[0]) == {field for field in Trace.__dataclass_fields__}  # noqa: C416


def test_an_interview_without_traces_is_told(traced: Settings) -> None:
    """A mistyped id gives a sentence and exit code 1."""
    result = CliRunner().invoke(app, ["traces", "nobody"])

    assert result.exit_code == 1
    assert "There are no traces of interview 'nobody'" in result.stderr


def test_without_a_record_there_are_no_traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking makes no file."""
    monkeypatch.setenv("VIVA_DATA_DIR", str(tmp_path))

    assert CliRunner().invoke(app, ["traces", "9f2c"]).exit_code == 1
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_record_is_told_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading says why, and what can be done."""
    monkeypatch.setenv("VIVA_DATA_DIR", str(tmp_path))
    Settings().record_path.write_text("nonsense " * 200)

    result = CliRunner().invoke(app, ["traces", "9f2c"])

    assert result.exit_code == 1
    assert "not a record of Viva's" in result.stderr
