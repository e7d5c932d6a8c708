"""The next topic of an interview is at hand when its turn comes."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from domain.events import Retrieved
from domain.progress import Setup
from domain.vocabulary import Grade
from graph import Interview, build_graph
from graph.checkpoints.serializer import serializer
from rag.retrieval.session import SessionQuestions
from tests.graph.fakes import Rig, begun, spoken, tea_pack
from tests.rag.fakes import ShelfRetrieval


@pytest.mark.parametrize("grade", ["high", "medium", "low"])
async def test_the_next_topic_is_at_hand_however_poorly_it_was_found(grade: Grade) -> None:
    """A batch that is good for five minutes only is searched for again during the answer before its question."""
    rig = Rig()
    shelf = ShelfRetrieval(tea_pack().questions, rig.clock, grade=grade)  # type: ignore[arg-type]
    questions = SessionQuestions(shelf, {"tea": tea_pack()}, rig.clock)
    context = replace(rig.context(), questions=questions)
    interview = Interview(build_graph(InMemorySaver(serde=serializer())), context, Setup("tea-1", "Ada", 30))
    await spoken(interview.begin())
    await interview.look_ahead()
    for turn in (1, 2):  # after a third one so good the next is harder
        rig.clock.advance(220)
        await spoken(interview.answer("good answer about oxidation of tea", turn))
        await asyncio.sleep(0.05)  # the candidate thinks
    assert [found.cached for found in rig.notes.of(Retrieved)] == [False, True, True]
    interview.forget()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_what_is_searched_for_ahead_is_what_will_be_asked_for() -> None:
    """The next topic of the plan, at the difficulty that is then in force, also before a follow-up."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=20)
    ahead = interview._context.questions.prewarmed
    assert ahead == [], "whoever begins an interview looks ahead"
    for turn, said in enumerate(["good answer about tea", "#easier", "nothing that helps with this question"], start=1):
        await spoken(interview.answer(said, turn))
    assert [question.topic for question in rig.notes.questions] == ["leaves", "water", "serving", "serving"]
    assert [(each.topic, each.difficulty) for each in ahead] == [
        ("serving", "medium"),
        ("leaves", "medium"),
        ("leaves", "medium"),
    ]
    await spoken(interview.answer("#skip", 4))
    asked = rig.notes.questions[-1]
    assert (asked.topic, asked.difficulty) == ("leaves", "medium")


async def test_nothing_is_searched_for_behind_the_last_question_of_the_plan() -> None:
    """After it the interview ends."""
    interview, _ = await begun(Rig(), minutes=20)
    for turn in range(1, 5):
        await spoken(interview.answer("good answer about oxidation of tea", turn))
    assert len(interview._context.questions.prewarmed) == 3
