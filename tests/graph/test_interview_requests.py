"""What a candidate may ask for in an interview, and what becomes of it."""

from __future__ import annotations

from typing import get_args

import pytest

from domain.events import FeedbackReady
from domain.vocabulary import Request
from graph.templates import interview_wording
from graph.wiring import PATHS
from tests.graph.fakes import Rig, begun, kinds, open_question, spoken, tea_pack

REPLIES = {
    "repeat": ["question"],
    "rephrase": ["question"],
    "go_on": ["question"],
    "clarify": ["reply"],
    "hint": ["reply"],
    "hold": ["reply"],
    "skip": ["reply", "question"],
    "change_topic": ["reply", "question"],
    "easier": ["reply", "question"],
    "harder": ["reply", "question"],
    "technical_assessment": ["reply", "question"],
    "about_resume": ["question"],
    "how_am_i_doing": ["reply"],
    "time_left": ["reply"],
    "slower": ["reply"],
    "faster": ["reply"],
    "more_patience": ["reply"],
    "less_patience": ["reply"],
    "feedback_now": ["reply"],
    "feedback_later": ["reply"],
    "feedback_coach": ["reply"],
    "feedback_interviewer": ["reply"],
    "distress": ["reply"],
    "abuse": ["reply"],
    "unintelligible": ["reply"],
    "stop": ["closing"],
}


@pytest.mark.parametrize(("request_", "expected"), REPLIES.items())
async def test_requests_take_their_own_paths_and_are_never_judged(request_: str, expected: list[str]) -> None:
    """A request is honoured, no judge is asked about it, and nothing is counted or scored."""
    rig = Rig()
    interview, opening = await begun(rig)
    says = await spoken(interview.answer(f"#{request_}", 1))
    assert kinds(says) == expected
    assert rig.judge.judged == []
    assert (await interview.snapshot()).get("all_evaluations", []) == []
    if expected == ["question"]:
        assert says[0].text.endswith(opening[1].text.partition(". ")[2])


@pytest.mark.parametrize("request_", [name for name, said in REPLIES.items() if said == ["reply"]])
async def test_after_a_short_reply_the_same_question_is_still_open(request_: str) -> None:
    """What is not about another question costs nothing: the answer that follows is judged against the open one."""
    rig = Rig()
    interview, opening = await begun(rig)
    await spoken(interview.answer(f"#{request_}", 1))
    await spoken(interview.answer("good answer about oxidation of tea", 2))
    assert rig.judge.judged == [(opening[1].question_id, "good answer about oxidation of tea")]


def test_every_request_has_a_path_and_its_words() -> None:
    """None can be detected that nobody honours."""
    assert set(PATHS) == set(get_args(Request))
    assert set(REPLIES) | {"correct_myself"} == set(PATHS)
    wording = interview_wording()
    for request in set(PATHS) - {"hold", "go_on", "distress", "abuse", "unintelligible"}:
        assert wording.ways(f"wish.{request}")


async def test_an_unsure_request_is_asked_about_and_a_yes_honours_it() -> None:
    """Between sure and not, the interviewer asks which was meant."""
    rig = Rig()
    interview, _ = await begun(rig)
    says = await spoken(interview.answer("#skip?", 1))
    assert kinds(says) == ["reply"]
    assert "skip this question" in says[0].text
    assert kinds(await spoken(interview.answer("yes please", 2))) == ["reply", "question"]
    assert rig.judge.judged == []


@pytest.mark.parametrize("request_", ["skip", "stop", "easier", "change_topic", "correct_myself", "feedback_later"])
async def test_what_is_not_sure_is_no_request_before_it_is_confirmed(request_: str) -> None:
    """While the interviewer asks which was meant, nobody else sees a request; a yes makes it one."""
    interview, _ = await begun(Rig())
    await spoken(interview.answer(f"#{request_}?", 1))
    state = await interview.snapshot()
    assert state["active_user_request"] is None
    assert state["pending_request"].request == request_
    await spoken(interview.answer("yes please", 2))
    state = await interview.snapshot()
    assert state["pending_request"] is None
    honoured = "go_on" if request_ == "correct_myself" else request_  # nothing was judged that could be corrected
    assert (state["active_user_request"].intent, state["active_user_request"].confidence) == (honoured, 1.0)


@pytest.mark.parametrize("request_", ["hold", "go_on", "distress", "abuse", "unintelligible"])
async def test_what_costs_nothing_is_honoured_without_asking_back(request_: str) -> None:
    """To ask "did you mean that you are nervous?" would sound odd, and the words stay part of the answer."""
    interview, _ = await begun(Rig())
    await spoken(interview.answer(f"good leaves #{request_}?", 1))
    state = await interview.snapshot()
    assert state["active_user_request"].intent == request_
    assert state["pending_request"] is None
    assert state["answer_so_far"].words == ("good", "leaves", f"#{request_}?")


async def test_strong_words_behind_an_answer_are_a_part_of_it() -> None:
    """Who says that "we all felt a bit stupid" is not called to order: the answer is judged, another question comes."""
    rig = Rig()
    interview, opening = await begun(rig)
    said = "good answer about oxidation of tea #abuse"
    assert kinds(await spoken(interview.answer(said, 1)))[-1] == "question"
    assert rig.judge.judged == [(opening[1].question_id, said)]
    assert (await open_question(interview)).id != opening[1].question_id


async def test_hints_go_from_a_name_to_an_explanation_and_end() -> None:
    """Each hint says more, none gives the answer away, and their number is kept with the judgement."""
    rig = Rig()
    interview, _ = await begun(rig)
    texts = [(await spoken(interview.answer("#hint", turn)))[0].text for turn in range(1, 5)]
    assert len(set(texts[:3])) == 3
    await spoken(interview.answer("good answer about oxidation of tea", 5))
    after_hints = rig.notes.evaluations[0]
    assert after_hints.hints == 2
    assert after_hints.scores is not None
    assert after_hints.scores.completeness == 8.0
    await spoken(interview.answer("good answer about water and heat", 6))
    assert rig.notes.evaluations[1].hints == 0


async def test_the_difficulty_that_was_asked_for_holds() -> None:
    """One step, at once, and for what follows; asked for at the end of the scale it stays."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("#easier", 1))
    assert rig.notes.questions[-1].difficulty == "easy"
    assert (await interview.snapshot())["difficulty_level"] == "easy"
    says = await spoken(interview.answer("#easier", 2))
    assert "gentlest" in says[0].text
    assert rig.notes.changed == [("difficulty", "easy")]


async def test_another_topic_is_the_one_that_was_named() -> None:
    """A named topic comes next, however it is called; without a name the next of the plan does."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("#change_topic serving", 1))
    assert rig.notes.questions[-1].topic == "serving"
    await spoken(interview.answer("#change_topic", 2))
    assert rig.notes.questions[-1].topic != "serving"


async def test_the_pace_that_was_asked_for_is_kept() -> None:
    """From the reply on, everything is said more slowly."""
    interview, opening = await begun(Rig())
    assert opening[0].pace == 1.0
    says = await spoken(interview.answer("#slower", 1))
    assert says[0].pace < 1.0
    says = await spoken(interview.answer("good answer about oxidation of tea", 2))
    assert {say.pace for say in says} == {0.85}


async def test_the_patience_that_was_asked_for_is_kept() -> None:
    """One step at a time, to the ends of the scale; the next turns go by it, and the record says when it changed."""
    rig = Rig()
    interview, _ = await begun(rig)
    assert (await interview.expected()).patience == "relaxed"
    for turn, (request, expected) in enumerate(
        [
            ("more_patience", "unhurried"),
            ("more_patience", "unhurried"),
            ("less_patience", "relaxed"),
            ("less_patience", "normal"),
        ],
        start=1,
    ):
        await spoken(interview.answer(f"#{request}", turn))
        assert (await interview.expected()).patience == expected
    assert rig.notes.changed == [("patience", "unhurried"), ("patience", "relaxed"), ("patience", "normal")]


async def test_feedback_can_be_kept_for_the_end_by_asking() -> None:
    """Practice becomes exam, and back."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("#feedback_later", 1))
    await spoken(interview.answer("wrong answer about oxidised leaves", 2))
    await spoken(interview.answer("#feedback_now", 3))
    await spoken(interview.answer("wrong answer about oxidised leaves", 4))
    assert [event.delivery for event in rig.notes.of(FeedbackReady)] == ["kept", "heard", "heard"]
    assert rig.notes.changed == [("feedback", "exam"), ("feedback", "coach")]


async def test_after_three_turns_without_words_it_looks_to_the_microphone() -> None:
    """The first times it asks again; then it is more likely the machine."""
    interview, _ = await begun(Rig())
    said = [(await spoken(interview.answer("", turn)))[0].text for turn in (1, 2, 3)]
    assert "microphone" not in said[0] + said[1]
    assert "microphone" in said[2]


async def test_the_time_left_promises_no_more_questions_than_there_is_time_for() -> None:
    """Four minutes a question, and none is begun in the last two."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=30)
    rig.clock.advance(24 * 60)
    says = await spoken(interview.answer("#time_left", 1))
    assert "6 minutes" in says[0].text
    assert "last question" in says[0].text


@pytest.mark.parametrize("request_", ["easier", "harder", "change_topic", "technical_assessment"])
async def test_asking_for_another_question_ends_nothing(request_: str) -> None:
    """With the plan done and little time left, whoever asks for another question gets one; a skip is the end."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=20)
    rig.clock.advance(17.5 * 60)
    for turn in range(1, 5):
        await spoken(interview.answer("#skip", turn))
    assert kinds(await spoken(interview.answer(f"#{request_}", 5))) == ["reply", "question"]
    assert kinds(await spoken(interview.answer("#skip", 6))) == ["reply", "closing"]


async def test_questions_about_stories_are_not_called_technical() -> None:
    """Who asks for technical questions in a behavioural interview hears where they are, and goes on."""
    stories = Rig(pack=tea_pack().model_copy(update={"technical": False}))
    interview, _ = await begun(stories)
    says = await spoken(interview.answer("#technical_assessment", 1))
    assert says[0].text in interview_wording().ways("technical_assessment.elsewhere")
    assert kinds(says) == ["reply", "question"]


async def test_a_topic_it_does_not_have_is_not_promised() -> None:
    """It says so and goes on with one it has."""
    interview, _ = await begun(Rig())
    says = await spoken(interview.answer("#change_topic spaceships", 1))
    assert says[0].text in interview_wording().ways("change_topic.unknown")
    assert kinds(says) == ["reply", "question"]


async def test_an_easier_question_is_called_so_only_when_it_is() -> None:
    """One of the same difficulty is introduced like any other."""
    rig = Rig()
    interview, _ = await begun(rig)
    easier = {way.partition("{")[0] for way in interview_wording().ways("topic.easier")}
    for turn in range(1, 4):
        before = rig.notes.questions[-1].difficulty
        await spoken(interview.answer("#easier", turn))
        asked = await open_question(interview)
        claimed = any(asked.lead_in.startswith(way) for way in easier)
        assert claimed == (before != "easy" and asked.difficulty == "easy")


async def test_the_plan_goes_on_as_easy_as_was_asked_for() -> None:
    """The question after the next does not jump back to the plan's difficulty."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=48)
    await spoken(interview.answer("#easier", 1))
    for turn in (2, 3):
        await spoken(interview.answer("good answer about oxidation of tea", turn))
    assert {decision.difficulty for decision in rig.notes.decisions} == {"easy"}


async def test_whoever_does_well_everywhere_is_not_sent_looking_for_gaps() -> None:
    """The lesser of two very good topics is no gap."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("good answer about oxidation of tea", 1))
    await spoken(interview.answer("good answer about oxidation of tea", 2))
    says = await spoken(interview.answer("#how_am_i_doing", 3))
    assert any(says[0].text.startswith(way.partition("{")[0]) for way in interview_wording().ways("doing.well"))


async def test_a_hint_does_not_only_name_what_the_question_names() -> None:
    """It says where to begin instead."""
    rig = Rig()
    interview, _ = await begun(rig)
    question = await open_question(interview)
    says = await spoken(interview.answer("#hint", 1))
    concept = question.concepts[0]
    assert concept in question.text
    assert says[0].text in {way.format(concept=concept) for way in interview_wording().ways("hint.begin")}


@pytest.mark.parametrize(("term", "situation"), [("{concept}", "clarify.asked"), ("the budget", "clarify.open")])
async def test_what_is_asked_for_is_not_explained(term: str, situation: str) -> None:
    """A term that is the question itself is handed back; anything else unknown is the candidate's to assume."""
    rig = Rig()
    interview, _ = await begun(rig)
    concept = (await open_question(interview)).concepts[0]
    says = await spoken(interview.answer(f"#clarify {term.format(concept=concept)}", 1))
    ways = {way.format(term=concept, concept=concept) for way in interview_wording().ways(situation)}
    assert says[0].text in ways
