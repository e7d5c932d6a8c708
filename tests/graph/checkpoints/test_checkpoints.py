"""What goes into a checkpoint comes out of it as it was, and nothing else does."""

from __future__ import annotations

import asyncio
import enum
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel, TypeAdapter

from graph import build_graph
from graph.checkpoints.errors import CheckpointError
from graph.checkpoints.opening import open_checkpointer, sqlite_checkpointer
from graph.checkpoints.serializer import STATE_MODELS, serializer, types_within
from graph.state import InterviewState
from tests.graph.checkpoints.conversation import CONVERSATION, interview
from tests.graph.checkpoints.states import state_of
from tests.graph.fakes import Rig, spoken


class Leaf(enum.Enum):
    """A kind of tea."""

    GREEN = "green"
    BLACK = "black"


class Sip(BaseModel):
    """The smallest amount."""

    warm: bool


@dataclass
class Cup:
    """Holds sips."""

    sips: dict[str, tuple[Sip, ...]]


class Pot(BaseModel):
    """Holds a cup, perhaps."""

    cup: Annotated[Cup | None, "a note"]
    material: Literal["clay", "glass"]


def test_types_are_found_at_any_depth() -> None:
    """In unions, containers, annotations, models and dataclasses; what the libraries know by themselves is left out."""
    assert types_within(list[Annotated[Pot, 1]], Leaf | None, "text", int) == (Cup, Leaf, Pot, Sip)
    assert types_within(get_type_hints(InterviewState)["messages"]) == ()


def test_the_state_may_hold_all_of_its_own_types() -> None:
    """A model that is added to the state is on the list of what may be brought back, without anybody's doing."""
    assert {"Question", "Evaluation", "Quote", "DetectedIntent"} <= {each.__name__ for each in STATE_MODELS}


@pytest.mark.parametrize("model", STATE_MODELS, ids=lambda model: model.__name__)
def test_every_type_of_the_state_comes_back_as_it_was(model: type, caplog: pytest.LogCaptureFixture) -> None:
    """Equal, of the same type, and without a warning, however much or little is in it."""
    serde = serializer()
    for value in examples(model):
        back = serde.loads_typed(serde.dumps_typed({"value": [value]}))["value"][0]
        assert type(back) is model
        assert back == value
    assert caplog.records == []


def examples(kind: Any) -> list[Any]:
    """A few values of a type; the first has as much in it as there can be, the last as little."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return [inner[0], inner[-1]]
    if origin in (Union, UnionType):
        return [value for each in inner for value in examples(each)]
    if origin is dict:
        return [{examples(inner[0])[0]: examples(inner[1])[0]}, {}]
    if origin in (list, tuple, Sequence):
        values = [examples(each)[0] for each in inner if each is not ...]
        return [tuple(values), ()] if origin is tuple and ... in inner else [origin(values)]
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        fields = {name: examples(field.annotation) for name, field in kind.model_fields.items()}
        return [kind(**{name: values[which] for name, values in fields.items()}) for which in (0, -1)]
    return {str: ["tea", ""], int: [1, 1], float: [0.25, 1.0], bool: [True, False], type(None): [None]}[kind]


def test_what_is_not_of_the_state_is_not_brought_back(caplog: pytest.LogCaptureFixture) -> None:
    """A type that is on no list stays what was written down of it; what cannot be written down is refused."""
    serde = serializer()
    assert serde.loads_typed(serde.dumps_typed(Sip(warm=True))) == {"warm": True}
    assert "Blocked deserialization" in caplog.text
    with pytest.raises(TypeError, match="not msgpack serializable"):
        serde.dumps_typed(object())


async def test_a_whole_interview_comes_back_with_its_types(where: str | Path, caplog: pytest.LogCaptureFixture) -> None:
    """After every turn each key of the state holds exactly what it is annotated with."""
    kinds = {key: TypeAdapter(kind) for key, kind in get_type_hints(InterviewState).items() if key != "messages"}
    async with open_checkpointer(where) as saver:
        held = interview(Rig(), build_graph(None), saver)
        await spoken(held.begin())
        for turn, text in enumerate(CONVERSATION, start=1):
            await spoken(held.answer(text, turn))
            for key, value in (await held.snapshot()).items():
                if key in kinds:
                    kinds[key].validate_python(value, strict=True)
    assert caplog.records == []


async def test_another_process_finds_what_the_first_one_left(where: str | Path) -> None:
    """Opened again, the checkpoints hold the same state."""
    async with open_checkpointer(where) as saver:
        held = interview(Rig(), build_graph(None), saver)
        await spoken(held.begin())
        left = await state_of(held)
    async with open_checkpointer(where) as saver:
        assert await state_of(interview(Rig(), build_graph(None), saver)) == left


async def test_several_may_open_new_checkpoints_at_once(where: str | Path) -> None:
    """Workers that start together do not trip over each other's making of the tables."""

    async def hold(name: str) -> Any:
        async with open_checkpointer(where) as saver:
            config = {"configurable": {"thread_id": name, "checkpoint_ns": ""}}
            graph = build_graph(None).copy({"checkpointer": saver})
            return (await graph.aget_state(config)).values

    assert await asyncio.gather(*map(hold, "abcd")) == [{}] * 4


async def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    """The sentence names the file and what to do; the file stays as it is."""
    path = tmp_path / "checkpoints.sqlite"
    path.write_text("I am a letter.\n" * 100)
    with pytest.raises(CheckpointError, match=r"checkpoints\.sqlite cannot be opened .* it is no SQLite file"):
        async with open_checkpointer(path):
            pass
    assert path.read_text().startswith("I am a letter.")


async def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A file where the folder should be, for one."""
    (tmp_path / "data").write_text("")
    with pytest.raises(CheckpointError, match="may write to the file and its folder"):
        async with open_checkpointer(tmp_path / "data" / "checkpoints.sqlite"):
            pass


async def test_a_file_that_another_program_holds_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After waiting in vain."""
    monkeypatch.setattr("graph.checkpoints.opening._BUSY_TIMEOUT_S", 0.1)
    path = tmp_path / "checkpoints.sqlite"
    with sqlite3.connect(path) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(CheckpointError, match="another program holds it"):
            async with open_checkpointer(path):
                pass
    holder.close()


TEA_WRITTEN: RunnableConfig = {"configurable": {"thread_id": "tea", "checkpoint_ns": "", "checkpoint_id": "1"}}
TEA: RunnableConfig = {"configurable": {"thread_id": "tea", "checkpoint_ns": ""}}


def is_free(path: Path) -> bool:
    """Whether another process could write to the file at once."""
    with closing(sqlite3.connect(path, timeout=0)) as other:
        try:
            other.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
    return True


async def test_a_write_that_is_cancelled_is_done_all_the_same(tmp_path: Path) -> None:
    """Whoever is interrupted while writing leaves a file behind that others can write to, with the write in it."""
    path = tmp_path / "checkpoints.sqlite"
    async with sqlite_checkpointer(path) as saver:
        for write in (saver.aput(TEA, empty_checkpoint(), {}, {}), saver.aput_writes(TEA_WRITTEN, [("leaf", 1)], "t")):
            writing = asyncio.ensure_future(write)
            while not saver.lock.locked():  # noqa: ASYNC110
                await asyncio.sleep(0)
            writing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await writing
            assert is_free(path)
        with closing(sqlite3.connect(path)) as other:
            counts = other.execute("SELECT (SELECT count(*) FROM checkpoints), (SELECT count(*) FROM writes)")
            assert counts.fetchone() == (1, 1)


async def test_a_file_that_is_closed_under_a_write_is_let_go_of(tmp_path: Path) -> None:
    """What LangGraph still writes about a turn that was stopped is finished first, and no lock outlives it."""
    path = tmp_path / "checkpoints.sqlite"
    async with sqlite_checkpointer(path) as saver:
        writing = asyncio.ensure_future(saver.aput_writes(TEA_WRITTEN, [("leaf", 1)], "t"))
        while not saver.conn.in_transaction:  # noqa: ASYNC110
            await asyncio.sleep(0)
    assert is_free(path)
    await writing


async def test_a_file_is_opened_while_somebody_writes(tmp_path: Path) -> None:
    """An interview that goes on elsewhere does not wait for it: opening what is there already takes no lock."""
    path = tmp_path / "checkpoints.sqlite"
    async with sqlite_checkpointer(path) as saver:
        await saver.aput(TEA, empty_checkpoint(), {}, {})
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        async with sqlite_checkpointer(path) as saver:
            assert await saver.aget_tuple(TEA) is not None


async def test_the_serializer_is_the_same_everywhere() -> None:
    """A fork in memory refuses what the checkpoints on disk would refuse."""
    assert InMemorySaver(serde=serializer()).serde.dumps_typed(1) == serializer().dumps_typed(1)
