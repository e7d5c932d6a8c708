"""No question is asked twice in other words, and none is held back because it is near to another."""

from __future__ import annotations

from dataclasses import replace

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from domain.progress import Setup
from domain.question import Question, QuestionRecord
from graph import Interview, build_graph
from graph.checkpoints.serializer import serializer
from graph.nodes.validate_question import find_fault
from graph.planning.questions import from_bank
from graph.state import InterviewState
from rag.packs.pack import Pack
from tests.graph.fakes import START, PackQuestions, Rig, begun, open_question, spoken, tea_pack

GRADES = next(each for each in tea_pack().questions if each.id == "leaves-grades")


def follow_up(text: str, anchor: str | None, aspect: str | None) -> Question:
    """One on the question about grades."""
    bank = from_bank(GRADES, topic_title="tea", concepts=("grades",), grade="low", attempts=0)
    changes = {"id": "leaves-grades.follow-up-1", "parent": "leaves-grades", "kind": "follow_up", "text": text}
    return bank.model_copy(update={**changes, "anchor": anchor, "aspect": aspect})


def asked(anchor: str | None, aspect: str | None, root: str = "leaves-storage") -> InterviewState:
    """An interview in which somebody was asked about this, under another question of the pack."""
    record = QuestionRecord(
        id=f"{root}.follow-up-1",
        text="What comes to mind when you hear freshness?",
        kind="follow_up",
        topic="leaves",
        difficulty="easy",
        turn=1,
        anchor=anchor,
        aspect=aspect,
    )
    return InterviewState(questions_asked=[record], interview_start_time=START, time_budget_s=1800.0)


@pytest.mark.parametrize(
    ("before", "now", "fault"),
    [
        (("freshness", "anything"), ("freshness", "anything"), "asked before"),
        (("freshness", "anything"), ("freshness", "what was missed"), ""),
        (("freshness", "anything"), ("oxidation", "anything"), ""),
        (("freshness", None), ("freshness", None), ""),
        ((None, "anything"), (None, "anything"), ""),
    ],
)
def test_the_same_about_the_same_is_a_repetition_in_any_words(
    before: tuple[str | None, str | None], now: tuple[str | None, str | None], fault: str
) -> None:
    """Another aspect or another matter passes, and what nobody knows is no reason to hold a question back."""
    question = follow_up("Is there something you would tell a guest there?", *now)
    assert find_fault(question, asked(*before), Rig().context()).partition(":")[0] == fault


def test_a_second_question_on_the_same_matter_is_no_repetition() -> None:
    """Whoever stays with a question may ask about its concept again."""
    question = follow_up("Is there something you would tell a guest there?", "grades", "anything")
    assert not find_fault(question, asked("grades", "anything", root="leaves-grades"), Rig().context())


def one_concept() -> Pack:
    """A small pack in which every question is about one concept."""
    pack = tea_pack()
    return pack.model_copy(
        update={"questions": [each.model_copy(update={"concepts": ["oxidation"]}) for each in pack.questions]}
    )


async def test_a_small_pack_is_not_starved() -> None:
    """Every question of the plan is asked though all share a concept; only the one about it is not repeated."""
    rig, pack = Rig(), one_concept()
    context = replace(rig.context(), pack=pack, questions=PackQuestions(pack))
    interview = Interview(build_graph(InMemorySaver(serde=serializer())), context, Setup("tea-1", "Ada", 48))
    await spoken(interview.begin())
    turn = 0
    while not (await interview.progress()).is_over:
        turn += 1
        await spoken(interview.answer("nothing that helps with this question", turn))
    records = (await interview.snapshot())["questions_asked"]
    assert sum(each.kind == "retrieved" for each in records) == 12
    assert (await interview.progress()).end_reason == "completed"
    about_it = {each.root for each in records if each.kind == "follow_up"}
    assert len(about_it) == 1, "what can you tell me about oxidation? is asked under one question"
    assert "select_question" in rig.notes.fallbacks


async def test_what_was_asked_is_kept_with_what_it_was_about() -> None:
    """A follow-up by rule asks for anything about a concept; a question of a pack says no more than its concept."""
    rig = Rig()
    interview, _ = await begun(rig)
    concept = (await open_question(interview)).concepts[0]
    await spoken(interview.answer("nothing that helps with this question", 1))
    first, second = (await interview.snapshot())["questions_asked"]
    assert (first.anchor, first.aspect) == (concept, None)
    assert second.anchor == first.anchor
    assert second.aspect
