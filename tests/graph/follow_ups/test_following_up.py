"""Follow-ups and hints as the pack's author worded them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from domain.question import FollowUp, KeyPoints, Question
from domain.verdict import Evaluation, Verdict
from graph.dialogue.spoken_words import SpokenWords
from graph.follow_ups.policy import next_kind
from graph.follow_ups.validators import QUESTION_CHECKS, Worded
from graph.follow_ups.wording import stay, still_open
from graph.judging import JudgePanel
from graph.nodes.evaluate import why_review
from graph.selectors import counted_scores
from graph.validators import faults
from tests.graph.fakes import Rig, ScriptedJudge, open_question, spoken, tea_pack

POINTS = ("Water must boil.", "Leaves steep for three minutes.", "The pot is warmed first.")


def asked(**changes: object) -> Question:
    """A question with a follow-up for each of two of its key points."""
    question = Question(
        id="pot",
        text="How do you make a pot of tea?",
        kind="retrieved",
        source="plan",
        topic="serving",
        topic_title="Serving",
        difficulty="easy",
        targets=KeyPoints(points=POINTS, parts=("situation", "task", "action")),
        expected_answer="",
        concepts=("pots",),
        minutes=2,
        follow_ups=(
            FollowUp(points=POINTS[1:2], text="How long do you leave it?"),
            FollowUp(points=POINTS[2:], text="What do you do with the pot before?"),
        ),
    )
    return question.model_copy(update=changes)


def judged(*missed: str) -> Evaluation:
    """An answer that missed some points and made the others in part."""
    return Evaluation(
        question_id="pot", topic="serving", difficulty="easy", judge="test", scores=None,
        verdicts=tuple(
            Verdict(point=point, status="missing" if point in missed else "partly", probability=1, rule="test")
            for point in POINTS
        ),
    )  # fmt: skip


async def followed(
    question: Question, evaluation: Evaluation, number: int, kind: Literal["follow_up", "clarification"] = "follow_up"
) -> Question:
    """The question on the same matter that comes after an answer."""
    rig = Rig()
    interview = rig.interview(InMemorySaver())
    await spoken(interview.begin())
    state = {"turn": number, "answer": SpokenWords(words=(), spans=())}
    return await stay(kind, evaluation, question, number=number, state=state, context=rig.context())  # type: ignore[arg-type]


async def test_the_packs_own_follow_up_asks_for_what_was_missed() -> None:
    """The first missed point that has one is asked for in the author's words, and is all it is judged by."""
    follow_up = await followed(asked(), judged(*POINTS[1:]), 1)
    assert follow_up.text == "How long do you leave it?"
    assert follow_up.targets.points == POINTS[1:2]
    assert follow_up.targets.parts == ("task",)
    assert follow_up.open_points == POINTS[2:]


async def test_a_second_follow_up_asks_for_something_else() -> None:
    """Who did not know a point when asked for it is not asked for it again, but for another that was missed."""
    first = await followed(asked(), judged(*POINTS[1:]), 1)
    second = await followed(first, judged(POINTS[1]), 2)
    assert second.text == "What do you do with the pot before?"
    assert second.targets.points == POINTS[2:]
    assert second.open_points == ()
    assert still_open(judged(POINTS[2]), second) == ()


FAR, NEAR = "Sugar goes into the cup before anything else.", "The leaves steep for thirty minutes."


def stated(idea: str, *missed: str) -> Evaluation:
    """The same with a misconception in it."""
    verdict = Verdict(point=idea, kind="misconception", status="contradicted", probability=0.9, rule="test")
    before = judged(*missed)
    return before.model_copy(update={"verdicts": (*before.verdicts, verdict)})


def with_ideas(**changes: object) -> Question:
    """The question with two wrong ideas that people have."""
    return asked(targets=KeyPoints(points=POINTS, misconceptions=(FAR, NEAR)), **changes)


async def test_a_clarification_is_judged_by_the_key_point_that_the_misconception_contradicts() -> None:
    """It is the one that is about the same, and no point that happened to be missed."""
    clarification = await followed(with_ideas(), stated(NEAR, POINTS[0], POINTS[2]), 1, "clarification")
    assert clarification.targets.points == POINTS[1:2]
    assert clarification.open_points == (POINTS[0], POINTS[2])
    assert not clarification.asks_back


@pytest.mark.parametrize("missed", [POINTS[2:], ()])
async def test_a_clarification_of_nothing_in_the_rubric_carries_only_the_misconception(missed: tuple[str, ...]) -> None:
    """Nobody is judged by a point that was not asked for, and what was missed is not taken for asked."""
    clarification = await followed(with_ideas(), stated(FAR, *missed), 1, "clarification")
    assert clarification.targets == KeyPoints(points=(), misconceptions=(FAR,))
    assert clarification.open_points == missed
    assert clarification.asks_back


async def test_a_contradicted_key_point_is_what_its_clarification_asks_for() -> None:
    """There the key point itself was contradicted."""
    wrong = Verdict(point=POINTS[2], status="contradicted", probability=1, rule="test")
    evaluation = judged().model_copy(update={"verdicts": (*judged().verdicts[:2], wrong)})
    assert (await followed(with_ideas(), evaluation, 1, "clarification")).targets.points == POINTS[2:]


class Hears(ScriptedJudge):
    """Hears a misconception in every answer that has a word."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self._word = word

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        wrong = question.targets.misconceptions[:1] if self._word in words else ()
        ideas = [
            Verdict(point=each, kind="misconception", status="contradicted", probability=0.9, rule="scripted")
            for each in wrong
        ]
        return (*await super().verdicts(question, words), *ideas)


@pytest.mark.parametrize(("answer", "again"), [("I stay with sugar there", True), ("I take that back now", False)])
async def test_who_is_asked_back_is_in_no_average_and_no_trend(answer: str, again: bool) -> None:
    """Whether it is said again is on record; there is no score, no review, and what is open is asked for."""
    rig = Rig(judge=Hears("sugar"))
    interview = rig.interview(InMemorySaver())
    await spoken(interview.begin())
    await spoken(interview.answer("half of it is sugar first", 1))
    back = (await open_question(interview)).model_copy(
        update={"targets": KeyPoints(points=(), misconceptions=(FAR,)), "open_points": (POINTS[0],)}
    )
    evaluation = await JudgePanel(rig.judge).evaluate(back, answer.split())
    assert evaluation.asked_back
    assert [verdict.point for verdict in evaluation.verdicts] == ([FAR] if again else [])
    assert (evaluation.scores, evaluation.fallback) == (None, False)
    assert ("was said again" in evaluation.not_scored) == again
    assert counted_scores([evaluation]) == []
    assert why_review(evaluation) == ""
    assert next_kind(evaluation, follow_ups=1, remaining_s=900, askable=True) == "follow_up"
    assert next_kind(evaluation, follow_ups=1, remaining_s=900, askable=False) == "retrieved"
    follow_up = await followed(back, evaluation, 2)
    assert follow_up.targets.points == (POINTS[0],)


async def test_a_misconception_that_is_taken_back_costs_nothing() -> None:
    """Through a whole turn: the question back has its own rubric, no score follows, and what was missed is asked."""
    rig = Rig(judge=Hears("sugar"))
    interview = rig.interview(InMemorySaver())
    await spoken(interview.begin())
    await spoken(interview.answer("nothing comes before sugar I say", 1))
    back = await open_question(interview)
    assert (back.kind, back.asks_back) == ("clarification", True)
    await spoken(interview.answer("I take that back now", 2))
    state = await interview.snapshot()
    assert state["all_evaluations"][-1].asked_back
    assert rig.notes.decisions[-1].ema == rig.notes.decisions[-2].ema
    assert rig.notes.questions[-1].question_kind == "follow_up"
    assert set((await open_question(interview)).targets.points) <= set(state["all_evaluations"][0].missed)


@pytest.mark.parametrize(("askable", "kind"), [(True, "follow_up"), (False, "retrieved")])
def test_there_is_no_follow_up_when_all_was_asked_for(askable: bool, kind: str) -> None:
    """With every missed point asked for once, the interview goes on with its plan."""
    evaluation = judged(POINTS[0]).model_copy(
        update={"scores": dict.fromkeys(("technical_accuracy", "completeness", "depth", "clarity", "overall"), 3.0)}
    )
    scored = Evaluation.model_validate(
        evaluation.model_dump(exclude={"scores"}) | {"scores": {**evaluation.scores, "low": 2, "high": 4}}  # type: ignore[dict-item]
    )
    assert next_kind(scored, follow_ups=1, remaining_s=900, askable=askable) == kind


async def test_hints_are_the_packs_ladder() -> None:
    """A nudge, a narrower question, an example; after that the interviewer can say no more."""
    rig = Rig()
    pack = tea_pack()
    ladder = ["Think of the pot.", "What happens to a cold pot?", "Imagine pouring into iced glass."]
    questions = [each.model_copy(update={"hints": ladder}) for each in pack.questions]
    interview = rig.interview(InMemorySaver())
    interview._context.questions._pack = pack.model_copy(update={"questions": questions})  # type: ignore[attr-defined]
    await spoken(interview.begin())
    texts = [(await spoken(interview.answer("#hint", turn)))[0].text for turn in range(1, 5)]
    assert texts[:3] == ladder
    assert texts[3] not in ladder


MISSED = ("Every write has to update the index.",)


@pytest.mark.parametrize(
    ("text", "checks"),
    [
        ("Tell me about writes.", ["asks"]),
        ("What happens? And why?", ["one thing"]),
        (f"What {'really ' * 40}happens?", ["by ear"]),
        ("What does `get` do?", ["speakable"]),
        ("What does dict.get() return?", ["speakable"]),
        ("When is it O(n^2) in practice?", ["speakable"]),
        ("1) Where would you begin?", ["speakable"]),
        ("- Where would you begin?", ["speakable"]),
        ("What is a_b for?", ["speakable"]),
        ("What is behind https://example.org?", ["speakable"]),
        ("What comes next \U0001f600?", ["speakable"]),
        ("Great job, what comes next?", ["no judgement"]),
        ("That's not quite right. What comes next?", ["no judgement"]),
        ("Good point. What comes next?", ["no judgement"]),
        ("You were wrong about reads, what comes next?", ["no judgement"]),
        ("No, what comes next?", ["no judgement"]),
        ("That was a 7 out of 10, what comes next?", ["no judgement"]),
        ("Did you know that every write has to update the index as well?", ["gives nothing away"]),
        (
            "**Great job!** 1) Explain O(n^2) vs `dict.get()` - what's wrong answer here?",
            ["speakable", "no judgement"],
        ),
    ],
)
def test_each_check_of_a_worded_question_refuses_by_its_name(text: str, checks: list[str]) -> None:
    """One question that a voice can read out, without praise or blame, and without the answer in it."""
    assert [fault.check for fault in faults(QUESTION_CHECKS, Worded(text, MISSED))] == checks


@pytest.mark.parametrize(
    "text",
    [
        "You said reads get faster. What happens when a lot of new rows are written to that table?",
        "What happens to the index when rows are written?",
        "Would you say that it is true in every case?",
        "How would you do that in C++ or C#, at 50% load, with a well-known client/server set-up?",
        "What's the right way to tell whether it went wrong?",
        "You've named one cost \u2013 is there another, e.g. for Node.js?",
        "How does a good index differ (say, on dates) from the others?",
    ],
)
def test_a_natural_spoken_question_passes(text: str) -> None:
    """What people say aloud is not refused."""
    assert faults(QUESTION_CHECKS, Worded(text, MISSED)) == []
