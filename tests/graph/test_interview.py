"""How an interview goes from the greeting to the end, with everything outside it scripted and time standing still."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from domain.events import FeedbackReady
from domain.vocabulary import Request
from graph import InterviewOverError
from graph.checkpoints.serializer import serializer
from tests.examples import examples
from tests.graph.fakes import START, Rig, begun, kinds, spoken


async def test_it_greets_by_name_says_that_it_records_and_asks() -> None:
    """The first words are a greeting with the consent notice, then the first question of the plan."""
    _, says = await begun(Rig())
    assert kinds(says) == ["greeting", "question"]
    assert "Ada" in says[0].text
    assert "recorded" in says[0].text
    assert says[1].question_id.startswith("leaves-")


async def test_an_answer_gets_feedback_then_the_next_question() -> None:
    """Feedback comes first, the question only after the supervisor's decision."""
    rig = Rig()
    interview, _ = await begun(rig)
    rig.notes.events.clear()
    says = await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert kinds(says) == ["feedback", "question"]
    assert rig.notes.told[:2] == ["intent", "judged"]
    assert rig.notes.told[-1] == "supervised"
    assert says[1].question_id.startswith("water-")


async def test_feedback_does_not_wait_for_a_slow_selector() -> None:
    """With the selector held back, feedback is out before a question is even chosen."""
    rig = Rig(slow_selector_s=0.3)
    interview, _ = await begun(rig)
    says = interview.answer("good answer about oxidation of tea", 1)
    first = await anext(aiter(says))
    assert first.kind == "feedback"
    assert rig.notes.told[-1] == "feedback"
    await spoken(says)
    assert rig.notes.told.index("feedback") < rig.notes.told.index("question", 1)


@pytest.mark.slow
@given(
    st.lists(st.sampled_from(["good one here now", "half of it here", "wrong about it all", "no idea"]), max_size=30)
)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
async def test_no_answers_end_an_interview_early(answers: list[str]) -> None:
    """However it goes, it ends only when the questions are done; every question is asked once."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=20)
    for turn, answer in enumerate(answers, start=1):
        if (await interview.progress()).is_over:
            break
        await spoken(interview.answer(answer, turn))
    assert (await interview.progress()).end_reason in (None, "completed")
    asked = [question.question_id for question in rig.notes.questions]
    assert len(asked) == len(set(asked))


SAID = st.one_of(
    st.sampled_from(["good answer here now", "no idea", "okay", "", "yes please", "no"]),
    st.builds(
        lambda before, request, mark: f"{before}#{request}{mark}".strip(),
        st.sampled_from(["", "half of it here and now "]),
        st.sampled_from(sorted(get_args(Request))),
        st.sampled_from(["", "?"]),
    ),
)


@pytest.mark.slow
@given(st.lists(st.tuples(st.floats(5, 600), SAID)))
@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
async def test_the_budget_is_overrun_by_one_answer_at_most(turns: list[tuple[float, str]]) -> None:
    """Whatever is said when the budget is used up, an answer or a request, sure or not: the closing follows it."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=20)
    for number, (seconds, said) in enumerate(turns, start=1):
        assert rig.clock.now - START < 20 * 60, "a turn began after the time was up"
        rig.clock.advance(seconds)
        says = await spoken(interview.answer(said, number))
        if (await interview.progress()).is_over:
            assert says[-1].kind == "closing"
            return


@pytest.mark.parametrize(
    "said",
    ["#hint", "#repeat", "#time_left", "#go_on", "#hold", "#skip?", "#correct_myself", "#about_resume", "okay", ""],
)
async def test_nothing_is_granted_when_the_time_is_used_up(said: str) -> None:
    """A request that would have the question go on is answered with the closing, and nothing is judged or scored."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=20)
    rig.clock.advance(50 * 60)
    assert kinds(await spoken(interview.answer(said, 1))) == ["closing"]
    assert (await interview.progress()).end_reason == "time_up"
    assert rig.judge.judged == []


@pytest.mark.parametrize(
    "said", ["#hint", "and more of it #hold", "and more of it #time_left", "and more #skip?", "#repeat?"]
)
async def test_an_answer_so_far_is_judged_when_the_time_is_used_up(said: str) -> None:
    """Nobody waits for the rest of it any more, and nothing that was said of it is lost."""
    rig = Rig()
    interview, opening = await begun(rig, minutes=20)
    rig.clock.advance(19 * 60)
    await spoken(interview.answer("good first part about oxidation #hint", 1))
    rig.clock.advance(2 * 60)
    assert kinds(await spoken(interview.answer(said, 2))) == ["feedback", "closing"]
    more = said.partition("#")[0].strip()
    assert rig.judge.judged == [(opening[1].question_id, f"good first part about oxidation {more}".strip())]


async def test_it_closes_when_time_is_up() -> None:
    """With less than two minutes left the next question is not asked; thanks and goodbye instead."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=20)
    rig.clock.advance(18.5 * 60)
    says = await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert kinds(says) == ["feedback", "closing"]
    assert (await interview.progress()).end_reason == "time_up"


async def test_it_can_be_ended_without_a_voice() -> None:
    """The end by a button or a request closes like the end by voice, and counts no turn as judged."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert kinds(await spoken(interview.end())) == ["closing"]
    assert (await interview.progress()).end_reason == "stopped"
    assert len((await interview.snapshot())["all_evaluations"]) == 1
    assert await spoken(interview.end()) == []


async def test_a_pack_that_runs_out_ends_the_interview_as_completed() -> None:
    """With every question asked, it thanks and closes; nothing fails."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=48)
    for turn in range(1, 30):
        if (await interview.progress()).is_over:
            break
        await spoken(interview.answer("#skip", turn))
    assert (await interview.progress()).end_reason == "completed"


async def test_a_job_description_puts_its_topics_in_front() -> None:
    """What is asked for comes first, and the greeting names the role."""
    rig = Rig()
    interview = rig.interview(
        InMemorySaver(serde=serializer()),
        job_description="Leafworks is hiring a senior data engineer who knows about serving and milk.",
    )
    says = await spoken(interview.begin())
    assert "senior data engineer at Leafworks" in says[0].text
    assert rig.notes.questions[0].topic == "serving"
    role = (await interview.snapshot())["role_context"]
    assert (role.role, role.company) == ("senior data engineer", "Leafworks")


async def test_an_exam_only_acknowledges() -> None:
    """Feedback is kept for the report: nothing about the answer is spoken."""
    rig = Rig()
    interview, _ = await begun(rig, feedback="exam")
    says = await spoken(interview.answer("wrong answer about oxidised leaves", 1))
    assert says[0].kind == "feedback"
    kept, heard = rig.notes.of(FeedbackReady)
    assert (kept.delivery, heard.delivery) == ("kept", "heard"), "what was not said is kept for the report"
    assert heard.text == says[0].text
    assert kept.text != heard.text


async def test_an_answer_after_the_end_changes_nothing() -> None:
    """What is over is not opened again."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("#stop", 1))
    with pytest.raises(InterviewOverError):
        await spoken(interview.answer("good answer about oxidation of tea", 2))
    assert (await interview.progress()).is_over
    assert rig.judge.judged == []


async def test_what_is_over_stays_over_after_a_crash() -> None:
    """Whoever comes after a worker that died in the closing says goodbye once more, and changes nothing."""
    rig = Rig()
    saver = InMemorySaver(serde=serializer())
    interview = rig.interview(saver)
    await spoken(interview.begin())
    await spoken(interview.answer("#slower", 1))
    goodbye = await spoken(interview.answer("#stop", 2))
    before = await interview.snapshot()
    revived = rig.interview(saver)
    assert await spoken(revived.resume()) == goodbye
    assert await spoken(revived.resume()) == goodbye
    assert await revived.snapshot() == before
    assert (await revived.progress()).end_reason == "stopped"


async def test_what_is_done_to_a_snapshot_changes_nothing() -> None:
    """Whoever looks at the state gets a copy of it."""
    interview, _ = await begun(Rig())
    before = await interview.snapshot()
    looked_at = await interview.snapshot()
    looked_at["turn"] = 7
    looked_at["questions_asked"].clear()
    assert await interview.snapshot() == before
