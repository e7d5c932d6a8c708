"""Whole interviews through the graph, with everything outside it scripted and time standing still."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from graph import Interview, InterviewOverError, Say, Setup, build_graph, sqlite_checkpointer
from graph.checkpoints import serializer
from graph.context import InterviewContext
from graph.intents import Request
from graph.judging import Bench, Verdict
from graph.judging.verdicts import VerdictStatus
from graph.ownership import OwnershipError, owned
from graph.questions import Question
from graph.state import CLIENT, OWNERS, InterviewState
from graph.wiring import PATHS
from graph.wording import interview_wording
from tests.graph.fakes import START, Rig, ScriptedJudge, kinds, spoken


async def begun(rig: Rig, *, minutes: int = 30, feedback: str = "practice") -> tuple[object, list[Say]]:
    """An interview that has greeted and asked its first question."""
    interview = rig.interview(InMemorySaver(serde=serializer()), minutes=minutes, feedback=feedback)
    return interview, await spoken(interview.begin())


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
    rig.notes.told.clear()
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


async def test_a_weak_answer_is_followed_up_twice_at_most() -> None:
    """Follow-ups stay with the question and ask for what was missed; then the plan goes on."""
    rig = Rig()
    interview, _ = await begun(rig)
    for turn in (1, 2, 3):
        await spoken(interview.answer("nothing that helps with this question", turn))
    chosen = [question.kind for question in rig.notes.questions]
    assert chosen == ["retrieved", "follow_up", "follow_up", "retrieved"]
    follow_up = rig.notes.questions[1]
    assert follow_up.parent == rig.notes.questions[0].id
    assert set(follow_up.targets.points) <= set(rig.notes.questions[0].targets.points)
    assert len({question.id for question in rig.notes.questions}) == 4


async def test_a_short_answer_to_a_follow_up_is_judged_at_once() -> None:
    """What asks for one thing may be answered in two words; nobody waits for the rest of them."""
    rig = Rig()
    interview, opening = await begun(rig)
    assert kinds(await spoken(interview.answer("constant time", 1))) == ["reply"]
    assert rig.judge.judged == []
    await spoken(interview.answer("nothing that helps with this question", 2))
    assert rig.notes.questions[-1].kind == "follow_up"
    assert kinds(await spoken(interview.answer("constant time", 3))) == ["feedback", "question"]
    assert rig.notes.evaluations[-1].scores is not None
    assert opening


async def test_follow_ups_do_not_use_up_the_plan() -> None:
    """A 20-minute interview has five questions of its own, however many follow-ups come between them."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=20)
    turn = 0
    while not await interview.is_over():
        turn += 1
        await spoken(interview.answer("nothing that helps with this question", turn))
    assert await interview.end_reason() == "completed"
    assert sum(question.kind == "retrieved" for question in rig.notes.questions) == 6  # the last was never asked
    assert rig.notes.decisions[-1].question_count == 5
    assert turn == 15


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
        if await interview.is_over():
            break
        await spoken(interview.answer(answer, turn))
    assert await interview.end_reason() in (None, "completed")
    asked = [question.id for question in rig.notes.questions]
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
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
async def test_the_budget_is_overrun_by_one_answer_at_most(turns: list[tuple[float, str]]) -> None:
    """Whatever is said when the budget is used up, an answer or a request, sure or not: the closing follows it."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=20)
    for number, (seconds, said) in enumerate(turns, start=1):
        assert rig.clock.now - START < 20 * 60, "a turn began after the time was up"
        rig.clock.advance(seconds)
        says = await spoken(interview.answer(said, number))
        if await interview.is_over():
            assert says[-1].kind == "closing"
            return


@pytest.mark.parametrize(
    "said", ["#hint", "#repeat", "#time_left", "#go_on", "#hold", "#skip?", "#correct_myself", "okay", ""]
)
async def test_nothing_is_granted_when_the_time_is_used_up(said: str) -> None:
    """A request that would have the question go on is answered with the closing, and nothing is judged or scored."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=20)
    rig.clock.advance(50 * 60)
    assert kinds(await spoken(interview.answer(said, 1))) == ["closing"]
    assert await interview.end_reason() == "time_up"
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
    assert await interview.end_reason() == "time_up"


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
    "how_am_i_doing": ["reply"],
    "time_left": ["reply"],
    "slower": ["reply"],
    "faster": ["reply"],
    "feedback_now": ["reply"],
    "feedback_later": ["reply"],
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
    assert (await interview._state()).get("all_evaluations", []) == []
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


@pytest.mark.parametrize("request_", ["hint", "repeat", "hold", "clarify", "distress"])
async def test_a_request_in_mid_answer_keeps_what_was_said(request_: str) -> None:
    """The answer so far is judged together with what follows, and its words can be found in both turns."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer(f"good first part of it #{request_}", 1))
    assert rig.judge.judged == []
    await spoken(interview.answer("and the second part", 2))
    assert rig.judge.judged[0][1] == "good first part of it and the second part"
    spans = [(span.turn, span.first_word, span.last_word) for span in rig.notes.evaluations[0].spans]
    assert spans == [(1, 0, 4), (2, 0, 3)]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("time_left", ["feedback", "reply", "question"]),
        ("slower", ["feedback", "reply", "question"]),
        ("feedback_later", ["feedback", "reply", "question"]),
        ("skip", ["feedback", "question"]),
        ("easier", ["feedback", "question"]),
        ("stop", ["feedback", "closing"]),
    ],
)
async def test_an_answer_that_ends_with_a_request_is_judged_and_the_request_honoured(
    request_: str, expected: list[str]
) -> None:
    """Both are heard: only the answer is judged, and what was asked for happens."""
    rig = Rig()
    interview, _ = await begun(rig)
    says = await spoken(interview.answer(f"half an answer about oxidised leaves #{request_}", 1))
    assert kinds(says) == expected
    assert [text for _, text in rig.judge.judged] == ["half an answer about oxidised leaves"]
    if request_ in ("skip", "easier"):
        assert rig.notes.questions[-1].kind == "retrieved"
    if request_ == "easier":
        assert rig.notes.questions[-1].difficulty == "easy"


async def test_an_unsure_request_is_asked_about_and_a_yes_honours_it() -> None:
    """Between sure and not, the interviewer asks which was meant."""
    rig = Rig()
    interview, _ = await begun(rig)
    says = await spoken(interview.answer("#skip?", 1))
    assert kinds(says) == ["reply"]
    assert "skip this question" in says[0].text
    assert kinds(await spoken(interview.answer("yes please", 2))) == ["reply", "question"]
    assert rig.judge.judged == []


async def test_an_unsure_request_that_was_an_answer_is_judged_with_what_follows() -> None:
    """A no gives the floor back, and nothing that was said is lost."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("good leaves can #skip? oxidation", 1))
    assert kinds(await spoken(interview.answer("no", 2))) == ["reply"]
    await spoken(interview.answer("and they stay green", 3))
    assert [text for _, text in rig.judge.judged] == ["good leaves can #skip? oxidation and they stay green"]


async def test_a_correction_replaces_the_earlier_answer() -> None:
    """The earlier score leaves the trend, the correction is judged by the earlier question, the open one is asked."""
    rig = Rig()
    interview, opening = await begun(rig)
    said = await spoken(interview.answer("half an answer about oxidised leaves #skip", 1))
    says = await spoken(interview.answer("#correct_myself good answer about green leaves", 2))
    assert kinds(says) == ["feedback", "question"]
    assert says[1].question_id == said[-1].question_id
    assert rig.judge.judged[1] == (opening[1].question_id, "good answer about green leaves")
    state = await interview._state()
    assert state["performance_trajectory"] == [10.0]
    assert state["question_count"] == 1
    assert rig.notes.evaluations[1].replaces_turn == 1
    await spoken(interview.answer("good answer to the open question", 3))
    assert rig.judge.judged[2][0] == said[-1].question_id


async def test_a_correction_may_be_announced_first() -> None:
    """The interviewer asks what it should be; the next words are the correction."""
    rig = Rig()
    interview, opening = await begun(rig)
    await spoken(interview.answer("half an answer about oxidised leaves #skip", 1))
    assert kinds(await spoken(interview.answer("#correct_myself", 2))) == ["reply"]
    await spoken(interview.answer("good answer about green leaves", 3))
    assert rig.judge.judged[1] == (opening[1].question_id, "good answer about green leaves")


async def test_words_that_were_scrapped_are_judged_by_nobody() -> None:
    """A candidate who starts over is judged by what they said after it."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("wrong from the start SCRAP good answer about green leaves", 1))
    assert [text for _, text in rig.judge.judged] == ["good answer about green leaves"]
    assert rig.notes.evaluations[0].spans[0].first_word == 5


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
    assert (await interview._state())["difficulty_level"] == "easy"
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


async def test_feedback_can_be_kept_for_the_end_by_asking() -> None:
    """Practice becomes exam, and back."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("#feedback_later", 1))
    await spoken(interview.answer("wrong answer about oxidised leaves", 2))
    await spoken(interview.answer("#feedback_now", 3))
    await spoken(interview.answer("wrong answer about oxidised leaves", 4))
    assert rig.notes.structures[1] == "acknowledgement"
    assert rig.notes.structures[-1] != "acknowledgement"


async def test_after_three_turns_without_words_it_looks_to_the_microphone() -> None:
    """The first times it asks again; then it is more likely the machine."""
    interview, _ = await begun(Rig())
    said = [(await spoken(interview.answer("", turn)))[0].text for turn in (1, 2, 3)]
    assert "microphone" not in said[0] + said[1]
    assert "microphone" in said[2]


async def test_it_can_be_ended_without_a_voice() -> None:
    """The end by a button or a request closes like the end by voice, and counts no turn as judged."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert kinds(await spoken(interview.end())) == ["closing"]
    assert await interview.end_reason() == "stopped"
    assert len((await interview._state())["all_evaluations"]) == 1
    assert await spoken(interview.end()) == []


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


async def test_a_pack_that_runs_out_ends_the_interview_as_completed() -> None:
    """With every question asked, it thanks and closes; nothing fails."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=48)
    for turn in range(1, 30):
        if await interview.is_over():
            break
        await spoken(interview.answer("#skip", turn))
    assert await interview.end_reason() == "completed"


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
    role = (await interview._state())["role_context"]
    assert (role.role, role.company) == ("senior data engineer", "Leafworks")


async def test_an_exam_only_acknowledges() -> None:
    """Feedback is kept for the report: nothing about the answer is spoken."""
    rig = Rig()
    interview, _ = await begun(rig, feedback="exam")
    says = await spoken(interview.answer("wrong answer about oxidised leaves", 1))
    assert says[0].kind == "feedback"
    assert rig.notes.structures[-1] == "acknowledgement"
    assert len(rig.notes.structures) == 2, "what was not said is kept for the report"


async def test_an_answer_nobody_could_judge_is_outside_the_trend() -> None:
    """Neither "not scored" nor a fallback moves the trajectory."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("um", 1))
    await spoken(interview.answer("um", 2))
    assert rig.notes.evaluations[0].scores is None
    assert rig.notes.decisions[-1].ema is None


async def test_fallback_scores_are_outside_the_trend() -> None:
    """A model that failed has its answer judged, flagged, and kept out of the smoothed score."""

    class Broken(ScriptedJudge):
        async def verdicts(self, question: object, words: object) -> tuple[()]:
            raise TimeoutError

    rig = Rig(bench=Bench(ScriptedJudge("built-in"), Broken("model")))
    interview, _ = await begun(rig)
    await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert rig.notes.evaluations[0].fallback
    assert rig.notes.decisions[-1].ema is None


async def test_going_on_before_the_next_question_makes_one_answer() -> None:
    """Taken back to before the turn, both parts are judged once and counted once."""
    rig = Rig()
    interview, _ = await begun(rig)
    before = await interview.checkpoint()
    await spoken(interview.answer("nothing that helps with this question", 1))
    await interview.take_back(before)
    await spoken(interview.answer("good answer after all, said in two parts", 2))
    assert rig.notes.decisions[-1].question_count == 1
    assert len(rig.judge.judged) == 2
    assert rig.judge.judged[0][0] == rig.judge.judged[1][0]
    state = await interview._state()
    assert [evaluation.scores.overall for evaluation in state["all_evaluations"]] == [10.0]
    assert await interview.turn() == 2


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

        def stage_timed(turn: int, stage: str, seconds: float) -> None:
            if crashing and stage == crash_at:
                raise Killed

        monkeypatch.setattr(rig.notes, "stage_timed", stage_timed)
        with pytest.raises(Killed):
            await spoken(interview.answer("good answer about oxidation of tea", 1))
        crashing = False
    async with sqlite_checkpointer(path) as saver:
        revived = rig.interview(saver)
        assert await revived.has_begun()
        says = await spoken(revived.resume())
        assert says[-1].kind == "question"
        assert (await revived._state())["question_count"] == 1
        assert len((await revived._state())["all_evaluations"]) == 1
        assert len((await revived._state())["questions_asked"]) == 2
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


async def test_a_node_that_writes_what_it_does_not_own_fails_at_once() -> None:
    """The ownership map is enforced on every return."""

    async def greedy(state: InterviewState, runtime: object) -> dict[str, object]:
        return {"difficulty_level": "easy"}

    class Runtime:
        context: InterviewContext = Rig().context()

    with pytest.raises(OwnershipError, match="difficulty_level"):
        await owned("give_feedback", greedy)(InterviewState(), Runtime())  # type: ignore[arg-type]


def test_every_key_of_the_state_has_an_owner() -> None:
    """No key is nobody's, and the two parallel branches share none."""
    owned_keys = CLIENT.union(*OWNERS.values())
    assert set(InterviewState.__annotations__) == owned_keys
    assert not OWNERS["give_feedback"] & OWNERS["select_question"]


async def test_a_slow_node_fails_the_turn_and_not_the_interview() -> None:
    """A node that hangs is stopped; the question that was open can be asked again."""

    class Hanging(ScriptedJudge):
        async def verdicts(self, question: object, words: object) -> tuple[()]:
            await asyncio.sleep(3600)
            return ()

    rig = Rig(judge=Hanging())
    graph = build_graph(InMemorySaver(serde=serializer()), node_timeout_s=0.1)
    interview = Interview(graph, rig.context(), Setup("tea-2", "Ada", 30))
    await spoken(interview.begin())
    with pytest.raises(Exception, match=r"(?i)time"):
        await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert "sorry" in (await interview.after_trouble(give_up=False)).text


async def test_an_answer_after_the_end_changes_nothing() -> None:
    """What is over is not opened again."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("#stop", 1))
    with pytest.raises(InterviewOverError):
        await spoken(interview.answer("good answer about oxidation of tea", 2))
    assert await interview.is_over()
    assert rig.judge.judged == []


async def test_what_is_over_stays_over_after_a_crash() -> None:
    """Whoever comes after a worker that died in the closing says goodbye once more, and changes nothing."""
    rig = Rig()
    saver = InMemorySaver(serde=serializer())
    interview = rig.interview(saver)
    await spoken(interview.begin())
    await spoken(interview.answer("#slower", 1))
    goodbye = await spoken(interview.answer("#stop", 2))
    before = await interview._state()
    revived = rig.interview(saver)
    assert await spoken(revived.resume()) == goodbye
    assert await spoken(revived.resume()) == goodbye
    assert await revived._state() == before
    assert (await revived.progress()).end_reason == "stopped"


@pytest.mark.parametrize("crash_at", ["supervise", "close_interview", "maybe_summarize"])
async def test_a_crash_at_the_end_says_goodbye_once(crash_at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the dead worker had done of its last turn, its successor says one closing, for the same reason."""
    rig = Rig()
    interview, _ = await begun(rig)
    rig.clock.advance(29 * 60)
    with monkeypatch.context() as crashing:
        crashing.setattr(rig.notes, "stage_timed", _dying_at(crash_at))
        with pytest.raises(Killed):
            await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert kinds(await spoken(interview.resume())) == ["closing"]
    assert await interview.end_reason() == "time_up"
    assert kinds(await spoken(interview.resume())) == ["closing"]


def _dying_at(node: str) -> Callable[[int, str, float], None]:
    def stage_timed(turn: int, stage: str, seconds: float) -> None:
        if stage == node:
            raise Killed

    return stage_timed


async def test_a_doubtful_turn_that_was_cut_off_still_waits_for_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash before the pause does not lose the request for a review, nor does it let the turn through."""
    rig = Rig()
    saver = InMemorySaver(serde=serializer())
    interview = rig.interview(saver, review="flagged")
    await spoken(interview.begin())
    fails = True

    def stage_timed(turn: int, stage: str, seconds: float) -> None:
        if fails and stage == "evaluate":
            raise Killed

    monkeypatch.setattr(rig.notes, "stage_timed", stage_timed)
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
    assert await interview.turn() == 0
    guess = await interview.speculate("good answer about oxidation of tea", 1)
    assert kinds(await spoken(interview.adopt(guess))) == ["feedback", "question"]
    assert (await interview._state())["question_count"] == 1
    assert rig.notes.told.count("judged") == 1


async def test_a_correction_nobody_can_judge_takes_no_score_away() -> None:
    """What was judged before still stands."""
    interview, _ = await begun(Rig())
    await spoken(interview.answer("good answer about green leaves #skip", 1))
    await spoken(interview.answer("#correct_myself um", 2))
    assert (await interview._state())["performance_trajectory"] == [10.0]


async def test_the_time_left_promises_no_more_questions_than_there_is_time_for() -> None:
    """Four minutes a question, and none is begun in the last two."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=30)
    rig.clock.advance(24 * 60)
    says = await spoken(interview.answer("#time_left", 1))
    assert "6 minutes" in says[0].text
    assert "last question" in says[0].text


async def test_a_follow_up_is_repeated_without_its_lead_in() -> None:
    """What was said before the question belongs to its first time only."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("nothing that helps with this question", 1))
    says = await spoken(interview.answer("#repeat", 2))
    assert rig.notes.questions[-1].lead_in or "?" in rig.notes.questions[-1].text
    assert rig.notes.questions[-1].text.count(".") == 0
    assert says[0].text.endswith(rig.notes.questions[-1].text)


async def test_a_follow_up_that_was_asked_before_gives_way_to_the_plan() -> None:
    """The same words twice help nobody: the next topic comes instead, and the record says why."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=48)
    for turn in range(1, 9):
        await spoken(interview.answer("nothing that helps with this question", turn))
    texts = [question.text for question in rig.notes.questions if question.kind == "follow_up"]
    asked = [record.text for record in (await interview._state())["questions_asked"]]
    assert len(set(asked)) == len(asked)
    assert ("select_question" in rig.notes.fallbacks) == (len(set(texts)) < len(texts))


async def test_a_word_or_two_is_no_answer_yet() -> None:
    """Whoever says "okay" goes on with the question; what follows is judged with it, however short it is."""
    rig = Rig()
    interview, opening = await begun(rig)
    assert kinds(await spoken(interview.answer("okay", 1))) == ["reply"]
    assert rig.judge.judged == []
    await spoken(interview.answer("good answer about oxidation of tea", 2))
    assert rig.judge.judged == [(opening[1].question_id, "okay good answer about oxidation of tea")]
    await spoken(interview.answer("okay", 3))
    assert kinds(await spoken(interview.answer("okay", 4))) == ["feedback", "question"]


async def test_not_knowing_is_not_followed_up() -> None:
    """Whoever says that they do not know is asked something else."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("i don't know", 1))
    assert [question.kind for question in rig.notes.questions] == ["retrieved", "retrieved"]


@pytest.mark.parametrize("request_", ["easier", "harder", "change_topic", "technical_assessment"])
async def test_asking_for_another_question_ends_nothing(request_: str) -> None:
    """With the plan done and time left, whoever asks for another question gets one; a skip is the end."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=20)
    for turn in range(1, 5):
        await spoken(interview.answer("#skip", turn))
    assert kinds(await spoken(interview.answer(f"#{request_}", 5))) == ["reply", "question"]
    assert kinds(await spoken(interview.answer("#skip", 6))) == ["reply", "closing"]


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
        asked = rig.notes.questions[-1]
        claimed = any(asked.lead_in.startswith(way) for way in easier)
        assert claimed == (before != "easy" and asked.difficulty == "easy")


async def test_the_plan_goes_on_as_easy_as_was_asked_for() -> None:
    """The question after the next does not jump back to the plan's difficulty."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=48)
    await spoken(interview.answer("#easier", 1))
    for turn in range(2, 5):
        await spoken(interview.answer("good answer about oxidation of tea", turn))
    assert {decision.difficulty for decision in rig.notes.decisions} == {"easy"}


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
    await spoken(interview.answer("nothing that helps with this question", 1))
    (concept,) = rig.notes.questions[0].concepts
    assert rig.notes.questions[1].spoken in {way.format(concept=concept) for way in interview_wording().ways(situation)}


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
    says = await spoken(interview.answer("#hint", 1))
    concept = rig.notes.questions[0].concepts[0]
    assert concept in rig.notes.questions[0].text
    assert says[0].text in {way.format(concept=concept) for way in interview_wording().ways("hint.begin")}


@pytest.mark.parametrize(("term", "situation"), [("{concept}", "clarify.asked"), ("the budget", "clarify.open")])
async def test_what_is_asked_for_is_not_explained(term: str, situation: str) -> None:
    """A term that is the question itself is handed back; anything else unknown is the candidate's to assume."""
    rig = Rig()
    interview, _ = await begun(rig)
    concept = rig.notes.questions[0].concepts[0]
    says = await spoken(interview.answer(f"#clarify {term.format(concept=concept)}", 1))
    ways = {way.format(term=concept, concept=concept) for way in interview_wording().ways(situation)}
    assert says[0].text in ways
