"""Turns that are taken back, guessed, cut off, or held for a person: nothing is lost, and nothing counts twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import NodeTimeoutError
from langgraph.runtime import Runtime

from domain.progress import Setup
from graph import Interview, InterviewContext, build_graph, sqlite_checkpointer
from graph.checkpoints.serializer import serializer
from graph.node import Node, Update, timed
from graph.state import InterviewState
from graph.wiring import compiled
from tests.graph.fakes import Rig, begun, kinds, spoken
from tests.graph.virtual_time import in_virtual_time


async def test_a_turn_waits_for_a_person_when_that_is_wanted() -> None:
    """Feedback is spoken, the next question waits until the interview is resumed."""
    rig = Rig()
    interview = rig.interview(InMemorySaver(serde=serializer()), review="all")
    await spoken(interview.begin())
    assert kinds(await spoken(interview.answer("good answer about oxidation of tea", 1))) == ["feedback"]
    progress = await interview.progress()
    assert progress.waits_for_review
    assert not progress.cut_off
    assert len(rig.notes.reviews) == 1
    assert kinds(await spoken(interview.resume(released=True))) == ["question"]
    assert not (await interview.progress()).waits_for_review


async def test_a_turn_that_waits_for_a_person_is_not_let_go_by_resuming() -> None:
    """Neither a reload nor another process goes on without a release, and the person is asked for in either."""
    rig = Rig()
    saver = InMemorySaver(serde=serializer())
    interview = rig.interview(saver, review="all")
    await spoken(interview.begin())
    await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert await spoken(interview.resume()) == []
    assert len(rig.notes.reviews) == 1
    revived = rig.interview(saver, review="all")
    assert await spoken(revived.resume()) == []
    assert (await revived.progress()).waits_for_review
    assert len(rig.notes.reviews) == 2
    assert kinds(await spoken(revived.resume(released=True))) == ["question"]


async def test_a_turn_that_nobody_has_to_look_at_is_not_held_up_by_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed in the pause before the decision, it goes on when it is resumed."""
    rig = Rig()
    saver = InMemorySaver(serde=serializer())
    interview = rig.interview(saver, review="flagged")
    await spoken(interview.begin())
    with monkeypatch.context() as crashing:
        crashing.setattr(Interview, "_may_go_on", _dies)
        with pytest.raises(Killed):
            await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert (await interview.progress()).waits_for_review
    assert kinds(await spoken(rig.interview(saver, review="flagged").resume())) == ["question"]
    assert rig.notes.reviews == []


async def _dies(_: Interview) -> bool:
    raise Killed


async def test_only_doubtful_turns_wait_when_only_those_are_to() -> None:
    """A turn that was judged goes on by itself; one that nobody could judge waits."""
    rig = Rig()
    interview = rig.interview(InMemorySaver(serde=serializer()), review="flagged")
    await spoken(interview.begin())
    says = await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert kinds(says) == ["feedback", "question"]
    await spoken(interview.answer("um", 2))
    assert kinds(await spoken(interview.answer("um", 3))) == ["feedback"]
    assert (await interview.progress()).waits_for_review


async def test_going_on_before_the_next_question_makes_one_answer() -> None:
    """Taken back to before the turn, both parts are judged once and counted once."""
    rig = Rig()
    interview, _ = await begun(rig)
    before = (await interview.progress()).checkpoint
    await spoken(interview.answer("nothing that helps with this question", 1))
    await interview.take_back(before)
    await spoken(interview.answer("good answer after all, said in two parts", 2))
    assert rig.notes.decisions[-1].question_count == 1
    assert len(rig.judge.judged) == 2
    assert rig.judge.judged[0][0] == rig.judge.judged[1][0]
    state = await interview.snapshot()
    assert [evaluation.scores.overall for evaluation in state["all_evaluations"]] == [10.0]
    assert (await interview.progress()).turn == 2


class Killed(BaseException):
    """What a SIGKILL leaves: nothing is caught, nothing is cleaned up."""


NODES = [
    "detect_intent", "evaluate", "give_feedback", "select_question", "validate_question", "supervise", "ask_question",
]  # fmt: skip


@pytest.mark.parametrize("crash_at", NODES)
async def test_a_crash_at_any_node_loses_and_repeats_nothing(
    crash_at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new process on the same checkpoints finishes the turn: judged once, counted once, the question asked once."""
    rig = Rig()
    path = tmp_path / "checkpoints.sqlite"
    async with sqlite_checkpointer(path) as saver:
        interview = rig.interview(saver)
        await spoken(interview.begin())
        crashing = True

        def after_node(node: str) -> None:
            if crashing and node == crash_at:
                raise Killed

        monkeypatch.setattr(rig.notes, "after_node", after_node)
        with pytest.raises(Killed):
            await spoken(interview.answer("good answer about oxidation of tea", 1))
        crashing = False
    async with sqlite_checkpointer(path) as saver:
        revived = rig.interview(saver)
        assert await revived.has_begun()
        says = await spoken(revived.resume())
        assert says[-1].kind == "question"
        assert (await revived.snapshot())["question_count"] == 1
        assert len((await revived.snapshot())["all_evaluations"]) == 1
        assert len((await revived.snapshot())["questions_asked"]) == 2
        finished_before = NODES.index(crash_at) > NODES.index("evaluate")
        assert len(rig.judge.judged) == (1 if finished_before or crash_at == "detect_intent" else 2)


async def test_a_crash_between_turns_asks_the_open_question_again(tmp_path: Path) -> None:
    """With no turn cut off, the candidate hears an apology and the question that is open."""
    rig = Rig()
    async with sqlite_checkpointer(tmp_path / "c.sqlite") as saver:
        opening = await spoken(rig.interview(saver).begin())
    async with sqlite_checkpointer(tmp_path / "c.sqlite") as saver:
        revived = rig.interview(saver)
        says = await spoken(revived.resume())
        assert kinds(says) == ["question"]
        assert says[0].text.endswith(opening[1].text.partition(". ")[2])
        assert kinds(await spoken(revived.answer("good answer about tea and oxidation", 1))) == ["feedback", "question"]


@in_virtual_time
async def test_a_step_that_hangs_by_rule_too_fails_the_turn_and_not_the_interview() -> None:
    """It is stopped, and the question that was open can be asked again."""

    async def hanging(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
        await asyncio.sleep(3600)
        return {}

    def with_a_fault(name: str, node: Node, timeout_s: float | None) -> Node:
        return timed(name, hanging if name == "evaluate" else node, timeout_s)  # type: ignore[arg-type]

    rig = Rig()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("graph.wiring.timed", with_a_fault)
        patched.setattr("graph.wiring.compiled", compiled.__wrapped__)
        graph = build_graph(InMemorySaver(serde=serializer()))
    interview = Interview(graph, rig.context(), Setup("tea-2", "Ada", 30))
    await spoken(interview.begin())
    with pytest.raises(NodeTimeoutError):
        await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert "sorry" in (await interview.after_trouble(give_up=False)).text


@pytest.mark.parametrize("crash_at", ["supervise", "close_interview", "maybe_summarize"])
async def test_a_crash_at_the_end_says_goodbye_once(crash_at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the dead worker had done of its last turn, its successor says one closing, for the same reason."""
    rig = Rig()
    interview, _ = await begun(rig)
    rig.clock.advance(29 * 60)
    with monkeypatch.context() as crashing:
        crashing.setattr(rig.notes, "after_node", _dying_at(crash_at))
        with pytest.raises(Killed):
            await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert kinds(await spoken(interview.resume())) == ["closing"]
    assert (await interview.progress()).end_reason == "time_up"
    assert kinds(await spoken(interview.resume())) == ["closing"]


def _dying_at(last: str) -> Callable[[str], None]:
    def after_node(node: str) -> None:
        if node == last:
            raise Killed

    return after_node


async def test_a_doubtful_turn_that_was_cut_off_still_waits_for_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash before the pause does not lose the request for a review, nor does it let the turn through."""
    rig = Rig()
    saver = InMemorySaver(serde=serializer())
    interview = rig.interview(saver, review="flagged")
    await spoken(interview.begin())
    fails = True

    def after_node(node: str) -> None:
        if fails and node == "evaluate":
            raise Killed

    monkeypatch.setattr(rig.notes, "after_node", after_node)
    await spoken(interview.answer("um", 1))
    with pytest.raises(Killed):
        await spoken(interview.answer("um", 2))
    fails = False
    assert kinds(await spoken(interview.resume())) == ["feedback"]
    assert len(rig.notes.reviews) == 1
    assert (await interview.progress()).waits_for_review
    assert kinds(await spoken(interview.resume(released=True))) == ["question"]


async def test_a_guess_becomes_the_turn_or_nothing() -> None:
    """Adopted it counts once; dropped it never was, and its question may come again."""
    rig = Rig()
    interview, _ = await begun(rig)
    dropped = await interview.speculate("good answer about oxidation of tea", 1)
    await interview.drop(dropped)
    assert (await interview.progress()).turn == 0
    guess = await interview.speculate("good answer about oxidation of tea", 1)
    assert kinds(await spoken(interview.adopt(guess))) == ["feedback", "question"]
    assert (await interview.snapshot())["question_count"] == 1
    assert rig.notes.told.count("judged") == 1


async def test_an_answer_that_was_stopped_on_its_way_in_has_not_arrived() -> None:
    """Its input is saved, and not which node comes first: going on from there would judge nobody and end the turn."""
    rig = Rig()
    interview = rig.interview(InMemorySaver(serde=serializer()))
    await spoken(interview.begin())
    before = await interview.progress()
    arriving = asyncio.create_task(spoken(interview.answer("good answer about oxidation of tea", 1)))
    while not (await interview._graph.aget_state(interview._config)).tasks:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0)
    arriving.cancel()
    await asyncio.gather(arriving, return_exceptions=True)
    progress = await interview.progress()
    assert (progress.turn, progress.cut_off, progress.checkpoint) == (0, False, before.checkpoint)
    assert kinds(await spoken(interview.answer("good answer about oxidation of tea", 1))) == ["feedback", "question"]
    assert len(rig.judge.judged) == 1
