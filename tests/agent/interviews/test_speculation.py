"""Work that begins before it is known that the answer is over."""

from __future__ import annotations

import asyncio

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from agent.interviews.speculation import Speculator
from domain.say import Say
from graph import Interview
from graph.checkpoints.serializer import serializer
from tests.graph.fakes import Rig, kinds, spoken

GOOD = "good answer about oxidation of tea"
LONGER = GOOD + " and of the leaves"


class Table:
    """An interview whose first question was asked, and guesses about the answer."""

    def __init__(self, rig: Rig, interview: Interview) -> None:
        self.rig = rig
        self.interview = interview
        self.prepared: list[Say] = []
        self.speculator = Speculator(interview, self._prepare)
        self._prepared = asyncio.Event()

    def _prepare(self, say: Say) -> None:
        self.prepared.append(say)
        self._prepared.set()

    @property
    def judged(self) -> list[str]:
        """Every text that the judge was given."""
        return [text for _, text in self.rig.judge.judged]

    async def until_prepared(self) -> None:
        """Wait until a guess has something to say."""
        await self._prepared.wait()


@pytest.fixture
async def table() -> Table:
    """Nothing was answered yet."""
    rig = Rig()
    interview = rig.interview(InMemorySaver(serde=serializer()))
    await spoken(interview.begin())
    return Table(rig, interview)


async def test_a_right_guess_is_the_turn(table: Table) -> None:
    """What was worked out ahead is said, and nothing is judged twice."""
    table.speculator.start(GOOD, 1)
    await table.until_prepared()
    says = await spoken(table.speculator.adopt_or_answer(GOOD, 1))
    assert kinds(says) == ["feedback", "question"]
    assert table.prepared == says[:1]
    assert table.judged == [GOOD]
    assert (await table.interview.progress()).turn == 1


async def test_a_wrong_guess_leaves_nothing_behind(table: Table) -> None:
    """Whoever goes on is judged by all of their words, and the interview never knew of the first half."""
    table.speculator.start(GOOD, 1)
    await table.until_prepared()
    before = (await table.interview.progress()).checkpoint
    table.speculator.start(LONGER, 1)
    says = await spoken(table.speculator.adopt_or_answer(LONGER, 1))
    assert kinds(says) == ["feedback", "question"]
    assert table.judged == [GOOD, LONGER]
    assert len(table.rig.notes.evaluations) == 1
    assert (await table.interview.progress()).checkpoint != before


async def test_the_same_words_are_guessed_once(table: Table) -> None:
    """LiveKit asks more than once in a silence; that starts no second piece of work."""
    table.speculator.start(GOOD, 1)
    table.speculator.start(GOOD, 1)
    await spoken(table.speculator.adopt_or_answer(GOOD, 1))
    assert table.judged == [GOOD]


async def test_a_guess_that_is_forgotten_changed_nothing(table: Table) -> None:
    """After it the interview stands where it stood, and the question that was chosen ahead can be chosen again."""
    before = (await table.interview.progress()).checkpoint
    table.speculator.start(GOOD, 1)
    await table.until_prepared()
    await table.speculator.forget()
    assert (await table.interview.progress()).checkpoint == before
    assert kinds(await spoken(table.speculator.adopt_or_answer(GOOD, 1))) == ["feedback", "question"]


async def test_without_a_guess_the_turn_is_worked_on_now(table: Table) -> None:
    """An answer that nobody guessed is an ordinary turn."""
    assert kinds(await spoken(table.speculator.adopt_or_answer(GOOD, 1))) == ["feedback", "question"]


async def test_a_guess_on_an_old_state_is_worked_on_anew(table: Table) -> None:
    """When the interview went on in the meantime, the words are judged by the question that is open now."""
    table.speculator.start(GOOD, 2)
    await table.until_prepared()
    await spoken(table.interview.answer("half an answer", 1))
    open_question = (await table.interview.progress()).question_id
    says = await spoken(table.speculator.adopt_or_answer(GOOD, 2))
    assert says[0].kind == "feedback"
    question, words = table.rig.judge.judged[-1]
    assert question == open_question
    assert words.endswith(GOOD)
    assert (await table.interview.progress()).turn == 2
