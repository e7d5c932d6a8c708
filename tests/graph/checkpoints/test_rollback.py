"""A turn that failed is left: what it did did not happen."""

from __future__ import annotations

from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from graph import Interview, sqlite_checkpointer
from graph.checkpoints.serializer import serializer
from graph.state import InterviewState
from tests.graph.fakes import Faults, Rig, kinds, spoken

GOOD = "good answer about oxidation of tea"
BEFORE_THE_QUESTION = (
    "detect_intent", "evaluate", "give_feedback", "select_question", "validate_question", "supervise", "ask_question",
)  # fmt: skip


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Faults:
    """What fails."""
    return Faults(monkeypatch)


def memory() -> InMemorySaver:
    """A place for checkpoints."""
    return InMemorySaver(serde=serializer())


async def fails(interview: Interview, faults: Faults, node: str, turn: int) -> None:
    """Answer, and have this node fail."""
    faults.nodes.add(node)
    with pytest.raises(ZeroDivisionError):
        await spoken(interview.answer(GOOD, turn))
    faults.nodes.clear()


async def state_of(interview: Interview) -> InterviewState:
    """All that the graph knows, but for the number of the turn."""
    state = dict(await interview.snapshot())
    del state["turn"]
    return state  # type: ignore[return-value]


@pytest.mark.parametrize("node", BEFORE_THE_QUESTION)
async def test_a_turn_that_is_given_up_leaves_nothing_but_its_number(faults: Faults, node: str) -> None:
    """Wherever it failed, the state is that of before, the question that was heard is open, and its number is used."""
    rig = Rig()
    interview = rig.interview(memory())
    await spoken(interview.begin())
    await spoken(interview.answer(GOOD, 1))
    before, heard = await state_of(interview), (await interview.progress()).question_id
    await fails(interview, faults, node, 2)
    assert await interview.give_up_turn(2) == 2
    assert await state_of(interview) == before
    progress = await interview.progress()
    assert (progress.turn, progress.cut_off) == (2, False)
    assert progress.question is not None
    assert progress.question.id == heard
    assert await interview.give_up_turn(2) is None
    assert kinds(await spoken(interview.answer(GOOD, 3))) == ["feedback", "question"]
    assert rig.judge.judged[-1] == (heard, GOOD)
    assert len((await interview.snapshot())["all_evaluations"]) == 2


async def test_questions_of_a_turn_that_is_given_up_may_come_again(faults: Faults) -> None:
    """Only those that were asked count as chosen."""
    rig = Rig()
    interview = rig.interview(memory())
    (_, first) = await spoken(interview.begin())
    await fails(interview, faults, "validate_question", 1)
    await interview.give_up_turn(1)
    assert interview._context.questions.rewound == [[first.question_id]]  # type: ignore[attr-defined]


async def test_a_turn_that_was_said_and_decided_stands(faults: Faults) -> None:
    """When only the summary fails, the next question was asked: it stays open, and the answer is judged once."""
    rig = Rig()
    interview = rig.interview(memory())
    await spoken(interview.begin())
    await fails(interview, faults, "maybe_summarize", 1)
    asked = (await interview.progress()).question_id
    assert await interview.give_up_turn(1) is None
    progress = await interview.progress()
    assert (progress.turn, progress.cut_off, progress.questions_done) == (1, False, 1)
    assert progress.question is not None
    assert progress.question.id == asked
    await spoken(interview.answer(GOOD, 2))
    assert [question for question, _ in rig.judge.judged][-1] == asked


async def test_a_question_that_cannot_be_asked_again_costs_no_answer(faults: Faults) -> None:
    """What fails after a break is no turn of the candidate's: the answer before it stays."""
    interview = Rig().interview(memory())
    await spoken(interview.begin())
    await spoken(interview.answer(GOOD, 1))
    before = await interview.snapshot()
    faults.nodes.add("repeat_question")
    with pytest.raises(ZeroDivisionError):
        await spoken(interview.resume())
    assert await interview.give_up_turn(1) is None
    assert await interview.snapshot() == before
    assert not (await interview.progress()).cut_off


async def test_an_interview_that_never_began_has_nothing_to_give_up(faults: Faults) -> None:
    """There is no earlier state, with or without a checkpoint."""
    interview = Rig().interview(memory())
    assert await interview.give_up_turn(0) is None
    faults.nodes.add("greet")
    with pytest.raises(ZeroDivisionError):
        await spoken(interview.begin())
    assert await interview.give_up_turn(0) is None
    assert (await interview.after_trouble(give_up=False)).kind == "closing"


async def test_another_process_can_give_a_turn_up(faults: Faults, tmp_path: Path) -> None:
    """It finds the way back in the checkpoints, also when it does not know the number of the turn."""
    async with sqlite_checkpointer(tmp_path / "c.sqlite") as saver:
        interview = Rig().interview(saver)
        await spoken(interview.begin())
        heard = (await interview.progress()).question_id
        await fails(interview, faults, "supervise", 1)
    async with sqlite_checkpointer(tmp_path / "c.sqlite") as saver:
        revived = Rig().interview(saver)
        assert await revived.give_up_turn(0) == 1
        assert (await revived.progress()).question_id == heard
