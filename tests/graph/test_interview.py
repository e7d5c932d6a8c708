"""Whole interviews through the graph, with everything outside it scripted and time standing still."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from graph import Interview, Say, Setup, build_graph, sqlite_checkpointer
from graph.context import InterviewContext
from graph.judging import Bench
from graph.ownership import OwnershipError, owned
from graph.state import CLIENT, OWNERS, InterviewState
from tests.graph.fakes import Rig, ScriptedJudge, kinds, spoken


async def begun(rig: Rig, *, minutes: int = 30, feedback: str = "practice") -> tuple[object, list[Say]]:
    """An interview that has greeted and asked its first question."""
    interview = rig.interview(InMemorySaver(), minutes=minutes, feedback=feedback)
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


async def test_it_closes_when_time_is_up() -> None:
    """With less than two minutes left the next question is not asked; thanks and goodbye instead."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=20)
    rig.clock.advance(18.5 * 60)
    says = await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert kinds(says) == ["feedback", "closing"]
    assert await interview.end_reason() == "time_up"


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("could you repeat the question please", ["question"]),
        ("let me think for a moment", ["reply"]),
        ("let's skip this one", ["reply", "question"]),
        ("let's stop here", ["closing"]),
    ],
)
async def test_requests_take_their_own_paths_and_are_never_judged(request_: str, expected: list[str]) -> None:
    """A request is honoured and no judge is asked about it."""
    rig = Rig()
    interview, opening = await begun(rig)
    says = await spoken(interview.answer(request_, 1))
    assert kinds(says) == expected
    assert rig.judge.judged == []
    if expected == ["question"]:
        assert says[0].text.endswith(opening[1].text.partition(". ")[2])


async def test_after_a_request_the_same_question_is_still_open() -> None:
    """A repeat does not cost the question: the answer that follows is judged against it."""
    rig = Rig()
    interview, opening = await begun(rig)
    await spoken(interview.answer("repeat that please", 1))
    await spoken(interview.answer("good answer about oxidation of tea", 2))
    assert rig.judge.judged[0][0] == opening[1].question_id


async def test_an_exam_only_acknowledges() -> None:
    """Feedback is kept for the report: nothing about the answer is spoken."""
    rig = Rig()
    interview, _ = await begun(rig, feedback="exam")
    says = await spoken(interview.answer("wrong answer about it", 1))
    assert says[0].kind == "feedback"
    assert rig.notes.structures == ["acknowledgement"]


async def test_an_answer_nobody_could_judge_is_outside_the_trend() -> None:
    """Neither "not scored" nor a fallback moves the trajectory."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("um", 1))
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


NODES = ["detect_intent", "evaluate", "give_feedback", "select_question", "supervise", "ask_question"]


@pytest.mark.parametrize("crash_at", NODES)
async def test_a_crash_at_any_node_loses_and_repeats_nothing(
    crash_at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new process on the same checkpoints finishes the turn: judged once, counted once, the question asked once."""

    class Killed(BaseException):
        """What a SIGKILL leaves: nothing is caught, nothing is cleaned up."""

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
    graph = build_graph(InMemorySaver(), node_timeout_s=0.1)
    interview = Interview(graph, rig.context(), Setup("tea-2", "Ada", 30))
    await spoken(interview.begin())
    with pytest.raises(Exception, match=r"(?i)time"):
        await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert "sorry" in (await interview.after_trouble(give_up=False)).text
