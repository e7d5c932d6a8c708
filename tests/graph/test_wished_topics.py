"""What whoever watches would like to be asked about next: when it is, when it is not, and that nobody hears of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from domain.events import TopicWishSettled
from domain.topic_wish import TopicWish
from graph import Interview
from graph.checkpoints.serializer import serializer
from tests.graph.exploration.resume import about_resume
from tests.graph.fakes import Rig, begun, kinds, open_question, spoken

GOOD, POOR = "good answer about the oxidation of tea", "it is a matter of taste I would say"
SERVING = TopicWish(number=7, topic="serving", title="Serving")


def settled(rig: Rig) -> list[tuple[int, bool]]:
    """What came of each wish."""
    return [(event.wish, event.asked) for event in rig.notes.of(TopicWishSettled)]


def whys(rig: Rig) -> list[str]:
    """Why nothing came of a wish."""
    return [event.why for event in rig.notes.of(TopicWishSettled)]


@pytest.mark.parametrize("answer", [GOOD, POOR], ids=("a good answer", "one that would be followed up"))
async def test_the_next_question_is_about_it(answer: str) -> None:
    """Before anything that is planned, before a follow-up too; it is settled once, and the plan goes on."""
    rig = Rig()
    interview, _ = await begun(rig)
    planned = (await interview.snapshot())["interview_plan"].topics
    rig.topic_wish = SERVING
    says = await spoken(interview.answer(answer, 1))
    assert kinds(says) == ["feedback", "question"]
    assert (await open_question(interview)).topic == "serving" != planned[1]
    await spoken(interview.answer(GOOD, 2))
    assert settled(rig) == [(7, True)]
    assert (await open_question(interview)).topic == planned[1]


async def test_the_candidate_hears_nothing_of_it() -> None:
    """It is announced like any other topic."""
    rig = Rig(topic_wish=SERVING)
    interview, _ = await begun(rig)
    says = await spoken(interview.answer(GOOD, 1))
    for word in ("coach", "wish", "wants", "asked me", "watch"):
        assert all(word not in say.text.lower() for say in says)
    assert "serving" in says[-1].text.lower()


async def test_it_needs_no_answer() -> None:
    """Whoever lets a question go gets one about it."""
    rig = Rig(topic_wish=SERVING)
    interview, _ = await begun(rig)
    await spoken(interview.answer("#skip", 1))
    assert (await open_question(interview)).topic == "serving"
    assert settled(rig) == [(7, True)]


async def test_what_the_candidate_asks_for_goes_first() -> None:
    """The wish waits for the choice after it; a request about the open question leaves it waiting as well."""
    rig = Rig(topic_wish=SERVING)
    interview, _ = await begun(rig)
    await spoken(interview.answer("#hint", 1))
    await spoken(interview.answer("#change_topic water", 2))
    assert (await open_question(interview)).topic == "water"
    assert settled(rig) == []
    await spoken(interview.answer(GOOD, 3))
    assert (await open_question(interview)).topic == "serving"
    assert settled(rig) == [(7, True)]


async def test_a_topic_that_is_not_there_changes_nothing() -> None:
    """What would have been asked is asked, and the record says why it is that."""
    rig, usual = Rig(topic_wish=TopicWish(number=3, topic="coffee", title="Coffee")), Rig()
    one, other = (await begun(rig))[0], (await begun(usual))[0]
    for turn, answer in enumerate((POOR, GOOD, GOOD), start=1):
        assert await spoken(one.answer(answer, turn)) == await spoken(other.answer(answer, turn))
    assert settled(rig) == [(3, False)]
    assert "no such topic" in whys(rig)[0]


async def test_a_topic_with_nothing_left_is_told_so() -> None:
    """After its last question."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=90)
    asked = []
    for turn in range(1, 8):
        rig.topic_wish = TopicWish(number=turn, topic="serving", title="Serving")
        await spoken(interview.answer(GOOD, turn))
        asked.append((await open_question(interview)).topic == "serving")
    assert settled(rig) == list(enumerate(asked, start=1))
    assert asked == sorted(asked, reverse=True)
    assert True in asked
    assert False in asked
    assert {why for why in whys(rig) if why} == {"Every question about it was asked."}


async def test_without_time_the_interview_ends_and_nothing_came_of_it() -> None:
    """No question is begun for it with less than two minutes left."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=10)
    rig.clock.advance(9 * 60)
    rig.topic_wish = SERVING
    assert kinds(await spoken(interview.answer(GOOD, 1)))[-1] == "closing"
    assert settled(rig) == []


async def test_a_plan_that_is_done_goes_on_for_it() -> None:
    """There is time for no more than that, and somebody would like to hear it."""
    rig = Rig()
    interview, _ = await begun(rig)
    turn = 0
    rig.clock.advance(27.5 * 60)
    while (await interview.progress()).questions_done < (await interview.progress()).target_questions - 1:
        turn += 1
        await spoken(interview.answer(GOOD, turn))
    rig.topic_wish = SERVING
    assert kinds(await spoken(interview.answer(GOOD, turn + 1)))[-1] == "question"
    assert (await open_question(interview)).topic == "serving"
    assert kinds(await spoken(interview.answer(GOOD, turn + 2)))[-1] == "closing"


async def test_something_in_the_resume_is_asked_about_in_any_mode() -> None:
    """Once; the mode stays what it is."""
    rig = Rig(topic_wish=TopicWish(number=5, topic="project_2", title="Order Portal"))
    interview = about_resume(rig, mode="plan")
    await spoken(interview.begin())
    await spoken(interview.answer(GOOD, 1))
    question = await open_question(interview)
    assert (question.source, question.anchor) == ("resume", "project_2")
    await spoken(interview.answer(GOOD, 2))
    assert (await open_question(interview)).source == "plan"
    assert (await interview.snapshot())["mode"] == "plan"
    assert settled(rig) == [(5, True)]


async def test_a_topic_of_the_pack_is_asked_about_in_an_interview_about_a_resume() -> None:
    """And then it goes on about the résumé."""
    rig = Rig(topic_wish=SERVING)
    interview = about_resume(rig)
    await spoken(interview.begin())
    await spoken(interview.answer(GOOD, 1))
    assert (await open_question(interview)).topic == "serving"
    await spoken(interview.answer(GOOD, 2))
    assert (await open_question(interview)).source == "resume"


async def test_what_is_read_in_another_order_is_found_by_its_name() -> None:
    """Whoever watches may have read the résumé by rule, and the interview by a model."""
    rig = Rig(topic_wish=TopicWish(number=5, topic="project_9", title="Order Portal"))
    interview = about_resume(rig)
    await spoken(interview.begin())
    await spoken(interview.answer(GOOD, 1))
    assert (await open_question(interview)).anchor == "project_2"


async def test_an_answer_that_goes_on_takes_it_along() -> None:
    """The turn was not over: what came of the wish in it did not happen, and the longer turn honours it again."""
    rig = Rig(topic_wish=SERVING)
    interview, _ = await begun(rig)
    before = (await interview.progress()).checkpoint
    await spoken(interview.answer(GOOD, 1))
    await interview.take_back(before)
    await spoken(interview.answer(f"{GOOD} and more of it", 2))
    assert (await open_question(interview)).topic == "serving"
    assert settled(rig) == [(7, True), (7, True)]


async def test_a_wish_survives_the_process() -> None:
    """One that was settled is not honoured again by whoever goes on."""
    saver, rig = InMemorySaver(serde=serializer()), Rig(topic_wish=SERVING)
    interview = rig.interview(saver)
    await spoken(interview.begin())
    await spoken(interview.answer(GOOD, 1))
    again = Rig(topic_wish=SERVING)
    resumed: Interview = again.interview(saver)
    await spoken(resumed.answer(GOOD, 2))
    assert settled(again) == []


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["leaves", "water", "serving", "coffee", "project_1", ""]),
            st.sampled_from([GOOD, POOR, "#skip", "#hint", "#easier", "#change_topic water", "#about_resume"]),
        ),
        max_size=6,
    )
)
@settings(max_examples=25)
async def test_every_wish_comes_to_something_once(course: list[tuple[str, str]]) -> None:
    """In any order of wishes and words: none is settled twice, and one that is asked about is what is asked."""
    rig = Rig()
    interview = about_resume(rig, mode="plan")
    await spoken(interview.begin())
    for turn, (topic, words) in enumerate(course, start=1):
        if topic:
            rig.topic_wish = TopicWish(number=turn, topic=topic, title=topic)
        told = len(rig.notes.of(TopicWishSettled))
        says = await spoken(interview.answer(words, turn))
        for event in rig.notes.of(TopicWishSettled)[told:]:
            assert kinds(says)[-1] == "question"
            assert rig.topic_wish is not None
            assert event.wish == rig.topic_wish.number
            assert not event.asked or (await open_question(interview)).topic == rig.topic_wish.topic
            assert event.asked != bool(event.why)
    numbers = [number for number, _ in settled(rig)]
    assert numbers == sorted(set(numbers))
