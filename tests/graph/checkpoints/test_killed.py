"""A process may be killed at any moment: whoever comes after it goes on as if nothing had happened."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graph.state import WRITES
from tests.graph.checkpoints.conversation import CONVERSATION
from tests.graph.checkpoints.postgres_server import PostgresServer
from tests.graph.checkpoints.processes import Left, Orders, taking_orders

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

Lines = list[dict[str, Any]]
LAST = len(CONVERSATION)
ASKS_AGAIN = "repeat_question"
"""The node that asks the open question again after a break."""


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """The interview as it goes when nobody dies, with the checkpoints as they are after each turn."""

    turns: list[Left]
    files: list[Path]

    def nodes(self, turn: int) -> list[str]:
        """The nodes of a turn, in the order in which they finish."""
        return [line["node"] for line in self.turns[turn].of_kind("finished")]

    def open_question(self, turn: int) -> str:
        """Id of the question that a turn answers; empty for the greeting."""
        return self.turns[turn - 1].state["values"]["current_question"][1]["id"] if turn else ""

    def before(self, turn: int, file: Path) -> str:
        """Checkpoints in which everything before a turn has happened."""
        if turn:
            shutil.copyfile(self.files[turn - 1], file)
        return str(file)


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Orders]:
    """The process that forks others."""
    with taking_orders(tmp_path_factory.mktemp("orders")) as taking:
        yield taking


@pytest.fixture(scope="module")
def undisturbed(orders: Orders, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """One process a turn, each of them ended in peace."""
    folder = tmp_path_factory.mktemp("undisturbed")
    now = folder / "now.sqlite"
    turns, files = [], []
    for turn in range(LAST + 1):
        turns.append(orders.run(str(now), folder / str(turn), turn))
        files.append(folder / f"{turn}.sqlite")
        shutil.copyfile(now, files[turn])
    return Undisturbed(turns, files)


def test_the_conversation_visits_every_node(undisturbed: Undisturbed) -> None:
    """Whoever adds a node adds words that lead to it."""
    visited = {node for turn in range(LAST + 1) for node in undisturbed.nodes(turn)}
    assert visited == set(WRITES)
    assert undisturbed.turns[LAST].state["values"]["stage"] == "complete"
    assert undisturbed.turns[LAST - 1].state["values"]["stage"] == "questioning"


@pytest.mark.parametrize("turn", range(LAST + 1), ids=["greeting", *CONVERSATION])
def test_a_death_at_any_moment_of_a_turn_changes_nothing(
    turn: int, orders: Orders, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """After each node, each of its results that is saved and each checkpoint, on both sides of a fork in the graph."""
    moments = range(len(undisturbed.turns[turn].events()))
    # A turn that goes the way of an earlier one dies once only, in its middle.
    is_known = any(set(undisturbed.nodes(turn)) == set(undisturbed.nodes(earlier)) for earlier in range(turn))
    for moment in [moments[len(moments) // 2]] if is_known else moments:
        where = undisturbed.before(turn, tmp_path / f"{moment}.sqlite")
        folder = tmp_path / str(moment)
        die_and_go_on(orders, undisturbed, where, folder, turn=turn, moment=moment)


@pytest.fixture(scope="module")
def copied(undisturbed: Undisturbed, orders: Orders, postgres: PostgresServer) -> Callable[[int, int], str]:
    """Databases in PostgreSQL that hold everything up to a turn, copies of one that was made once."""
    made: dict[int, str] = {}

    def copy(turn: int, moment: int) -> str:
        if turn not in made:
            made[turn] = f"until_{turn}"
            url = postgres.create(made[turn])
            if turn:
                orders.run(url, undisturbed.files[0].parent / f"postgres-{turn}", turn - 1)
        # A server that does other things as well may take its time.
        return postgres.create(f"copy_{turn}_{moment}", template=made[turn]) + "?connect_timeout=60"

    return copy


@pytest.mark.parametrize("turn", [0, 1, LAST])
def test_it_is_the_same_with_postgres(
    turn: int, orders: Orders, undisturbed: Undisturbed, copied: Callable[[int, int], str], tmp_path: Path
) -> None:
    """The greeting, an answer and the end, killed at every third moment."""
    for moment in range(0, len(undisturbed.turns[turn].events()), 3):
        where = copied(turn, moment)
        die_and_go_on(orders, undisturbed, where, tmp_path / str(moment), turn=turn, moment=moment)


def die_and_go_on(
    orders: Orders, undisturbed: Undisturbed, where: str, folder: Path, *, turn: int, moment: int
) -> None:
    """Let a process die in a turn and another go on from there, and compare with what should be."""
    died = orders.run(where, folder, turn, dies_at=moment)
    last = died.trace[-1]
    assert died.killed, (turn, moment)
    back = orders.run(where, folder, turn, recovers=True)
    until = back.of_kind("over")[0]["turn"]

    assert not back.killed
    assert back.state == undisturbed.turns[until].state, (turn, last)
    expected = [line for each in range(turn, until + 1) for line in undisturbed.turns[each].trace]
    assert_nothing_twice(died.trace, back.trace, expected, but=() if until == turn < LAST else (ASKS_AGAIN,))
    # Who died before the turn was saved leaves nothing of it; the question that is open is then asked again.
    heard, should = asked(back.trace), asked(expected)
    assert should <= heard <= should | {undisturbed.open_question(turn)}, (turn, last)


def assert_nothing_twice(died: Lines, both: Lines, expected: Lines, *, but: Sequence[str]) -> None:
    """What was saved before the death is not done again: no node is run, and no model is asked, a second time."""
    saved = {line["node"] for line in died if line["kind"] == "result"}
    lost = counted(line for line in died if line.get("node") not in saved)
    done = counted(line for line in both if line.get("node") not in but)
    usual = counted(line for line in expected if line.get("node") not in but)
    assert usual <= done <= usual + lost, (died[-1], done - usual - lost, usual - done)


def counted(trace: Iterable[dict[str, Any]]) -> Counter[tuple[Any, ...]]:
    """How often each node was run to its end, and each model asked."""
    keys = {"finished": ("turn", "node"), "model": ("node", "question", "words")}
    return Counter(
        (line["kind"], *(line[name] for name in keys[line["kind"]])) for line in trace if line["kind"] in keys
    )


def asked(trace: Lines) -> set[str]:
    """The questions that the candidate heard."""
    return {line["question"] for line in trace if line["kind"] == "said" and line["said"] == "question"}
