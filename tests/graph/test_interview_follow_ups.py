"""When the next question stays with the one before, and what it asks for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.question import Question
from domain.verdict import Verdict
from domain.vocabulary import VerdictStatus
from graph.templates import interview_wording
from tests.graph.fakes import Rig, begun, kinds, open_question, spoken


async def test_a_weak_answer_is_followed_up_twice_at_most() -> None:
    """Follow-ups stay with the question and ask for what was missed; then the plan goes on."""
    rig = Rig()
    interview, _ = await begun(rig)
    first = await open_question(interview)
    await spoken(interview.answer("nothing that helps with this question", 1))
    follow_up = await open_question(interview)
    for turn in (2, 3):
        await spoken(interview.answer("nothing that helps with this question", turn))
    chosen = [question.question_kind for question in rig.notes.questions]
    assert chosen == ["retrieved", "follow_up", "follow_up", "retrieved"]
    assert follow_up.parent == first.id
    assert set(follow_up.targets.points) <= set(first.targets.points)
    assert len({question.question_id for question in rig.notes.questions}) == 4


async def test_a_short_answer_to_a_follow_up_is_judged_at_once() -> None:
    """What asks for one thing may be answered in two words; nobody waits for the rest of them."""
    rig = Rig()
    interview, opening = await begun(rig)
    assert kinds(await spoken(interview.answer("constant time", 1))) == ["reply"]
    assert rig.judge.judged == []
    await spoken(interview.answer("nothing that helps with this question", 2))
    assert rig.notes.questions[-1].question_kind == "follow_up"
    assert kinds(await spoken(interview.answer("constant time", 3))) == ["feedback", "question"]
    assert rig.notes.evaluations[-1].scores is not None
    assert opening


async def test_follow_ups_do_not_use_up_the_plan() -> None:
    """An interview has its twelve questions when there is time for them, however many follow-ups come between them."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=20)
    turn = 0
    while not (await interview.progress()).is_over:
        turn += 1
        await spoken(interview.answer("nothing that helps with this question", turn))
    assert (await interview.progress()).end_reason == "completed"
    chosen = [question.question_kind for question in rig.notes.questions]
    assert chosen.count("retrieved") == 13  # the last was never asked
    assert rig.notes.decisions[-1].question_count == 12
    assert turn >= 24


async def test_a_follow_up_is_repeated_without_its_lead_in() -> None:
    """What was said before the question belongs to its first time only."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("nothing that helps with this question", 1))
    question = await open_question(interview)
    says = await spoken(interview.answer("#repeat", 2))
    assert question.lead_in or "?" in question.text
    assert question.text.count(".") == 0
    assert says[0].text.endswith(question.text)


async def test_a_follow_up_that_was_asked_before_gives_way_to_the_plan() -> None:
    """The same words twice help nobody: the next topic comes instead, and the record says why."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=48)
    for turn in range(1, 9):
        await spoken(interview.answer("nothing that helps with this question", turn))
    texts = [question.text for question in rig.notes.questions if question.question_kind == "follow_up"]
    asked = [record.text for record in (await interview.snapshot())["questions_asked"]]
    assert len(set(asked)) == len(asked)
    assert ("select_question" in rig.notes.fallbacks) == (len(set(texts)) < len(texts))


async def test_not_knowing_is_not_followed_up() -> None:
    """Whoever says that they do not know is asked something else."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("i don't know", 1))
    assert [question.question_kind for question in rig.notes.questions] == ["retrieved", "retrieved"]


@pytest.mark.parametrize(("said", "situation"), [("missing", "follow_up.open"), ("covered", "follow_up.named")])
async def test_a_follow_up_asks_for_more_only_where_something_was_said(
    said: VerdictStatus, situation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not begun cannot be gone into deeper."""
    rig = Rig()
    verdicts = rig.judge.verdicts

    async def one_by_itself(question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        first, *others = await verdicts(question, words)
        return (first.model_copy(update={"status": said}), *others)

    monkeypatch.setattr(rig.judge, "verdicts", one_by_itself)
    interview, _ = await begun(rig)
    (concept,) = (await open_question(interview)).concepts
    await spoken(interview.answer("nothing that helps with this question", 1))
    assert (await open_question(interview)).spoken in {
        way.format(concept=concept) for way in interview_wording().ways(situation)
    }
