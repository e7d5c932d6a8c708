"""Models that are slow, hang, or are not there: a node has one deadline for all of them, and no turn fails."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from domain.progress import Setup
from graph import Interview, build_graph
from graph.checkpoints.serializer import serializer
from graph.intents import ModelDetector
from graph.judging import JudgePanel, ModelJudge
from graph.language_models.circuit_breaker import ChatTier
from graph.language_models.deadline import is_time_over, models_within, seconds_left
from graph.language_models.pool import TieredModels
from graph.language_models.session import InterviewModels
from graph.language_models.tasks import FEEDBACK, FOLLOW_UP, QUERY_REFINER, RETRIEVAL_GRADER, SELECTION
from rag.bank.bank import Hit, QuestionBank
from rag.bank.chroma import PackStore
from rag.bank.score_scale import MINILM_SCALE
from rag.packs.pack import BankQuestion
from rag.retrieval.graph import CorrectiveRetrieval
from rag.retrieval.session import SessionQuestions
from tests.graph.fakes import Notes, Rig, ScriptedDetector, ScriptedJudge, kinds, spoken, tea_pack
from tests.graph.language_models.scripted import HANGS, Line, Says, ScriptedChat, Told, of_interview, tiered
from tests.graph.virtual_time import in_virtual_time

QUESTION = {
    "topic": "tea",
    "question": "How is tea made?",
    "answer": "with water",
    "missed": "- It needs heat.",
    "conversation": "",
}
FEEDBACK_VALUES = dict.fromkeys("style band tone question answer good gap outright context conversation".split(), "x")
ANSWER = "half of it is the water and then some more about leaves"
NOTHING = "nothing that helps with this question"


class Always(dict[str, Line]):
    """A script with the same for every agent."""

    def __init__(self, line: Line) -> None:
        super().__init__()
        self.line = line

    def __contains__(self, agent: object) -> bool:
        return True

    def __missing__(self, agent: str) -> Line:
        return self.line


class PoorShelf(QuestionBank):
    """Finds only questions of other topics, near enough that a model is to grade them."""

    def __init__(self) -> None:
        super().__init__(PackStore(Path(), None), Rig().context().embedder, MINILM_SCALE)

    def search(self, query: str, **filters: Any) -> list[Hit]:
        others = [each for each in tea_pack().questions if each.topic != filters["topic"]]
        free = [each for each in others if each.id not in filters["exclude"] and each.difficulty == "medium"]
        return [Hit(question, 1.0) for question in free[: filters["n"]]]

    def remaining(self, **filters: Any) -> list[BankQuestion]:
        return [each for each in tea_pack().questions if each.id not in filters["exclude"]][: filters["n"]]


def now_s() -> float:
    """Virtual seconds."""
    return asyncio.get_running_loop().time()


def models_of(script: Mapping[str, Any]) -> TieredModels:
    """Both tiers with the same script, with the limits that an interview has by default."""
    chat = ScriptedChat(script=script)
    return tiered(chat, chat, clock=now_s, timeout_s=11.0)


def interview_with(shared: TieredModels, rig: Rig, *, searches: bool = False, judges: bool = False) -> Interview:
    """An interview with these models for everything, its nodes having their usual 15 seconds."""
    models = of_interview(shared, rig.notes)
    rig.models, rig.model_feedback = models, True
    context = replace(rig.context(), detector=ModelDetector(models, ScriptedDetector()))  # type: ignore[arg-type]
    if searches:
        retrieval = CorrectiveRetrieval(PoorShelf(), context.embedder, now_s)
        context = replace(context, questions=SessionQuestions(retrieval, {"tea": tea_pack()}, now_s))
    if judges:
        judge = ModelJudge(models, lambda: "scripted", reflection_s=4.0)
        context = replace(context, judges=JudgePanel(ScriptedJudge("built-in"), judge, 12.0))
    setup = Setup("tea-1", "Ada", 60, job_description="Leafworks is hiring a senior engineer who knows about serving.")
    return Interview(build_graph(InMemorySaver(serde=serializer())), context, setup)


@pytest.mark.parametrize("judges", [True, False], ids=["a model judges", "the built-in judge judges"])
@in_virtual_time
async def test_no_turn_fails_in_an_interview_whose_models_hang(judges: bool) -> None:
    """With both tiers hanging and every part asked of models, each turn has its feedback and its question."""
    rig = Rig(notes=(notes := Notes()))
    shared = models_of(Always(HANGS))
    interview = interview_with(shared, rig, searches=True, judges=judges)
    assert kinds(await spoken(interview.begin())) == ["greeting", "question"]
    for turn, said in enumerate([ANSWER, NOTHING, "good answer about heat and more", f"{ANSWER} #skip?"], start=1):
        for tier in ("complex", "fast"):
            shared.health.answered(tier)  # type: ignore[arg-type]  # so that they are asked in every turn
        says = kinds(await spoken(interview.answer(said, turn)))
        assert says == (["reply"] if "#" in said else ["feedback", "question"]), said
    assert kinds(await spoken(interview.answer("#stop", 5)))[-1] == "closing"
    asked = {call.agent for call in notes.calls}
    assert {"context", "intent", *(["evaluator"] if judges else ["feedback", "follow_up", "selection"])} <= asked
    assert {call.why for call in notes.calls} == {"no answer in time"}
    assert all(evaluation.fallback == judges for evaluation in rig.notes.evaluations)


@pytest.mark.parametrize("took_s", [5.5, 11.9, 3600.0])
@in_virtual_time
async def test_all_calls_of_a_node_share_one_deadline(took_s: float) -> None:
    """A grader, a refiner and a chooser of which each is in time, or none, leave a node time to go by rule."""
    replies = {"feedback": "-", "grade": "low"}, {"query": "kettles"}, {"selected_id": "nobody"}
    script = {
        task.name: Says(reply, after_s=took_s)
        for task, reply in zip((RETRIEVAL_GRADER, QUERY_REFINER, SELECTION), replies, strict=True)
    }
    nothing = {agent: ConnectionError() for agent in ("context", "planner")}
    shared = models_of({**script, **nothing})
    rig = Rig(notes=(notes := Notes()))
    interview = interview_with(shared, rig, searches=True)
    saying = interview.begin()
    assert (await anext(saying)).kind == "greeting"
    for tier in ("complex", "fast"):
        shared.health.answered(tier)  # type: ignore[arg-type]
    begun_s = now_s()
    assert [say.kind async for say in saying] == ["question"]
    assert now_s() - begun_s == pytest.approx(12)
    assert sum(call.seconds for call in notes.calls if call.agent in script) == pytest.approx(12)


@in_virtual_time
async def test_feedback_that_hangs_is_composed_in_time() -> None:
    """The sentences of both tiers together have the node's deadline, and then the verdicts say what there is to say."""
    hang = {"feedback": HANGS, "follow_up": {"question": "And why is that so?"}}
    quiet = dict.fromkeys(("context", "planner", "selection", "summary"), "no JSON")
    shared, rig = models_of({**hang, **quiet}), Rig(notes=(notes := Notes()))
    interview = interview_with(shared, rig)
    await spoken(interview.begin())
    begun_s = now_s()
    assert kinds(await spoken(interview.answer(NOTHING, 1))) == ["feedback", "question"]
    assert now_s() - begun_s == pytest.approx(12)
    assert rig.notes.structures[-1] != "model"
    told = [(call.tier, call.seconds, call.why) for call in notes.calls if call.agent == "feedback"]
    assert told == [
        ("fast", pytest.approx(11), "no answer in time"),
        ("complex", pytest.approx(1), "no answer in time"),
    ]


@in_virtual_time
async def test_the_next_turn_does_not_wait_for_models_that_hung() -> None:
    """Both tiers rest after the first turn, and the next one goes by rule at once."""
    shared = models_of(Always(HANGS))
    interview = interview_with(shared, Rig(), searches=True, judges=True)
    await spoken(interview.begin())
    assert not shared.available("complex")
    assert not shared.available("fast")
    begun_s = now_s()
    await spoken(interview.answer(ANSWER, 1))
    assert now_s() == begun_s


@in_virtual_time
async def test_our_own_deadline_is_a_fault_of_the_tier_it_ends() -> None:
    """Also of the second tier, which only had what the first left of the time: both rest, and the record says why."""
    shared, rig = models_of(Always(HANGS)), Rig(notes=(notes := Notes()))
    rig.models = of_interview(shared, notes)
    assert await rig.context().ask(FOLLOW_UP, QUESTION, turn=1) is None
    assert [(call.tier, call.seconds, call.why) for call in notes.calls] == [
        ("complex", 11, "no answer in time"),
        ("fast", 1, "no answer in time"),
    ]
    assert not shared.available("complex")
    assert not shared.available("fast")


@in_virtual_time
async def test_who_is_interrupted_blames_no_model() -> None:
    """A candidate who speaks, or leaves, ends the waiting; that says nothing about the model, which stays well."""
    shared, rig = models_of(Always(HANGS)), Rig(notes=(notes := Notes()))
    interview = interview_with(shared, rig, judges=True)
    turn = asyncio.ensure_future(spoken(interview.begin()))
    await asyncio.sleep(5)
    turn.cancel()
    await asyncio.wait([turn])
    await asyncio.sleep(0.1)
    assert [(call.agent, call.why) for call in notes.calls] == [("context", "nobody waited for its end")]
    assert shared.available("complex")
    assert shared.available("fast")


@pytest.mark.parametrize("agent", ["intent", "reflection"])
@in_virtual_time
async def test_whoever_has_less_patience_than_a_node_waits_once(agent: str) -> None:
    """A detector or a reviewer that gave up on a tier is not kept waiting by it in the next turn."""
    covered = {"verdicts": [{"point": n, "quote": "half of it is the water", "status": "covered"} for n in range(1, 9)]}
    script: dict[str, Line] = {"evaluator": covered, "intent": {"request_words": "", "intent": "answer", "detail": ""}}
    shared = models_of({**Always("no JSON"), **script, agent: HANGS, "feedback": "-", **_useless()})
    interview = interview_with(shared, Rig(), judges=True)
    await spoken(interview.begin())
    said = f"{ANSWER} #skip?" if agent == "intent" else ANSWER
    begun_s = now_s()
    await spoken(interview.answer(said, 1))
    assert now_s() - begun_s == pytest.approx(2 if agent == "intent" else 4)
    assert not shared.available("fast")


def _useless() -> dict[str, Line]:
    """Replies that every agent refuses, at once."""
    return dict.fromkeys(
        ("context", "planner", "selection", "follow_up", "clarification", "summary", "metrics_feedback"), "no JSON"
    )


def models_of_one(told: Told, line: Line) -> InterviewModels:
    """The models of an interview of which one tier does everything."""
    return of_interview(tiered(ScriptedChat(script=Always(line)), clock=now_s), told)


@in_virtual_time
async def test_when_nothing_is_left_no_model_is_asked() -> None:
    """A call that could not be waited for is not made: it is no model, at once, and no fault of any."""
    told = Told()
    models = models_of_one(told, HANGS)
    with models_within(3, told):
        assert await models.ask(FOLLOW_UP, QUESTION, turn=1) is None
        assert now_s() == 3
        models._shared.health.answered("complex")
        assert await models.ask(FOLLOW_UP, QUESTION, turn=1) is None
        assert [sentence async for sentence in models.sentences(FEEDBACK, FEEDBACK_VALUES, turn=1)] == []
        assert now_s() == 3
    assert len(told.calls) == 1
    assert told.fallbacks[-1] == (1, "feedback", "no time is left for models; it goes on by rule")
    assert models.available("complex")


@in_virtual_time
async def test_a_second_wording_has_what_the_first_left() -> None:
    """A reply that is refused when the time is over is not asked for again."""
    told = Told()
    models = models_of_one(told, Says({"question": "No."}, after_s=3))
    with models_within(4):
        assert await models.ask(FOLLOW_UP, QUESTION, turn=1, check=lambda _: "it must ask") is None
    assert (now_s(), [call.seconds for call in told.calls]) == (4, [3, 1])


@in_virtual_time
async def test_looking_for_a_model_is_part_of_the_time() -> None:
    """A server that takes the connection and says nothing holds nobody longer than the deadline."""

    async def probe() -> bool:
        await asyncio.sleep(3600)
        return True

    chat = ScriptedChat(script=Always(HANGS))
    shared = TieredModels({"fast": ChatTier(chat, "quick", probe)}, clock=now_s)
    await shared.check_health()
    await asyncio.sleep(60)
    begun_s = now_s()
    with models_within(2):
        assert await of_interview(shared, Told()).ask(FOLLOW_UP, QUESTION, turn=1) is None
    assert now_s() - begun_s == 2
    assert chat.asked == []


@in_virtual_time
async def test_the_sooner_deadline_holds() -> None:
    """Whoever has less patience than the node has it inside only; more patience than the node has is not to be had."""
    with models_within(10):
        with models_within(3):
            assert seconds_left(60) == 3
        with models_within(30):
            assert (seconds_left(60), seconds_left(2)) == (10, 2)
            await asyncio.sleep(11)
            assert is_time_over()
    assert seconds_left(60) == 60
