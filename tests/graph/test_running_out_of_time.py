"""Steps that run out of time: they go by rule, the answer counts as far as it could be judged, and the turn stands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langgraph.checkpoint.memory import InMemorySaver

from domain.progress import Setup
from domain.question import Question
from domain.say import Say
from domain.topic_wish import TopicWish
from domain.verdict import Unjudged, Verdict
from graph import Interview, InterviewContext, build_graph
from graph.by_rule import PackInOrder, SharedWords, by_rule
from graph.checkpoints.serializer import serializer
from graph.in_time import OutOfTimeError, in_time
from graph.intents import ModelDetector, Understood
from graph.judging import JudgePanel, ModelJudge
from graph.templates import feedback_wording
from rag.packs.pack import BankQuestion, Concept
from rag.retrieval.graph import Helpers, RetrievalRequest
from rag.retrieval.session import Choose, Found
from tests.graph.fakes import Notes, PackQuestions, Rig, ScriptedDetector, ScriptedJudge, kinds, spoken, tea_pack
from tests.graph.language_models.scripted import ScriptedChat, of_interview, tiered
from tests.graph.virtual_time import in_virtual_time

Chunks = AsyncIterator[ChatGenerationChunk]
ANSWER = "half of it is the water and then some more about leaves"
NODE_S = 15.0


async def does_not_let_go() -> None:
    """An hour, for whoever cancels it too."""
    loop = asyncio.get_running_loop()
    until = loop.time() + 3600
    while loop.time() < until:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(until - loop.time())


class DeafChat(ScriptedChat):
    """A model whose client waits on when it is cancelled."""

    async def _agenerate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        await does_not_let_go()
        return await super()._agenerate(messages, *args, **kwargs)

    async def _astream(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Chunks:
        await does_not_let_go()
        async for chunk in super()._astream(messages, *args, **kwargs):
            yield chunk


class DeafJudge(ScriptedJudge):
    """A judge that waits on when it is cancelled."""

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        await does_not_let_go()
        return ()


class DeafDetector(ScriptedDetector):
    """A detector that waits on when it is cancelled."""

    async def understand(self, words: Sequence[str], *, turn: int, question: str = "") -> Understood:
        await does_not_let_go()
        return await super().understand(words, turn=turn, question=question)


class DeafSearch(PackQuestions):
    """A question bank that answers nobody after the first question."""

    def __init__(self) -> None:
        super().__init__(tea_pack())
        self.asked = 0

    async def next_question(
        self, session: str, request: RetrievalRequest, choose: Choose, helpers: Helpers | None = None
    ) -> Found:
        self.asked += 1
        if self.asked > 1:
            await does_not_let_go()
        return await super().next_question(session, request, choose, helpers)

    async def concept(self, session: str, pack: str, name_or_id: str) -> Concept | None:
        await does_not_let_go()
        return None


async def no_wish_comes() -> TopicWish | None:
    """A record that cannot be read."""
    await does_not_let_go()
    return None


def interview_of(context: InterviewContext, **wanted: Any) -> Interview:
    """An interview whose steps have their usual time."""
    graph = build_graph(InMemorySaver(serde=serializer()), node_timeout_s=NODE_S)
    return Interview(graph, context, Setup("tea-1", "Ada", 60, **wanted))


async def one_turn(interview: Interview, said: str) -> tuple[list[Say], float]:
    """What a turn has to say, and how long it takes."""
    loop = asyncio.get_running_loop()
    begun_s = loop.time()
    return await spoken(interview.answer(said, 1)), loop.time() - begun_s


SLOW: dict[str, Callable[[InterviewContext], InterviewContext]] = {
    "detect_intent": lambda context: replace(context, detector=DeafDetector()),
    "evaluate": lambda context: replace(context, judges=JudgePanel(DeafJudge("deaf"), built_in_timeout_s=3600)),
    "select_question": lambda context: replace(context, questions=DeafSearch()),
}


@pytest.mark.parametrize("node", SLOW)
@in_virtual_time
async def test_a_step_that_takes_too_long_goes_by_rule(node: str) -> None:
    """Whatever it waited for never lets go: the answer is recorded, feedback is given, and the next question asked."""
    rig = Rig(notes=(notes := Notes()))
    interview = interview_of(SLOW[node](rig.context()))
    await spoken(interview.begin())
    says, took_s = await one_turn(interview, "good answer about oxidation of tea")
    assert kinds(says) == ["feedback", "question"]
    assert NODE_S <= took_s <= NODE_S + 3
    assert notes.fallbacks == [node]
    state = await interview.snapshot()
    assert [each.turn for each in state["all_evaluations"]] == [1]
    assert not (await interview.progress()).cut_off


@in_virtual_time
async def test_a_wish_that_cannot_be_read_keeps_nobody_waiting_and_the_intent_is_told_once() -> None:
    """What was understood goes into the record when the step is over, and a step that is left was not over."""
    rig = Rig(notes=(notes := Notes()))
    interview = interview_of(replace(rig.context(), topic_wish=no_wish_comes))
    await spoken(interview.begin())
    says, _ = await one_turn(interview, "good answer about oxidation of tea")
    assert kinds(says) == ["feedback", "question"]
    assert notes.told.count("intent") == 1


@in_virtual_time
async def test_an_answer_that_nobody_judged_in_time_has_no_score_and_is_not_called_short() -> None:
    """Nobody is told that they said too little when it was the judge who was too slow."""
    rig = Rig(notes=(notes := Notes()))
    interview = interview_of(SLOW["evaluate"](rig.context()), feedback="interviewer")
    await spoken(interview.begin())
    says, _ = await one_turn(interview, "good answer about oxidation of tea")
    assert [(each.scores, each.unjudged) for each in notes.evaluations] == [(None, Unjudged.NO_TIME)]
    wording = feedback_wording()
    too_short = {*wording.ways("unscored"), *wording.ways("room")}
    assert any(way in says[0].text for way in wording.ways("unclear"))
    assert not any(way in says[0].text for way in too_short)


@pytest.mark.parametrize("judges", [True, False], ids=["a model judges", "the built-in judge judges"])
@in_virtual_time
async def test_no_turn_fails_whose_models_do_not_let_go(judges: bool) -> None:
    """A client that ignores being cancelled holds nobody: rules word and choose, and the built-in judge judges."""
    rig = Rig(notes=(notes := Notes()))
    chat = DeafChat(script={})
    shared = tiered(chat, chat, clock=asyncio.get_running_loop().time, timeout_s=11.0)
    rig.models, rig.model_feedback = (models := of_interview(shared, notes)), True
    context = replace(rig.context(), detector=ModelDetector(models, ScriptedDetector()))  # type: ignore[arg-type]
    if judges:
        judge = ModelJudge(models, lambda: "scripted", reflection_s=4.0)
        context = replace(context, judges=JudgePanel(ScriptedJudge("built-in"), judge, 12.0))
    interview = interview_of(context)
    assert kinds(await spoken(interview.begin())) == ["greeting", "question"]
    says, took_s = await one_turn(interview, ANSWER)
    assert kinds(says) == ["feedback", "question"]
    assert took_s <= 3 * (NODE_S + 3)
    (evaluation,) = notes.evaluations
    assert evaluation.scores is not None
    assert (evaluation.judge, evaluation.fallback) == ("built-in" if judges else "scripted", judges)


class Interrupted(ScriptedChat):
    """Words one sentence of feedback, and then waits on when it is cancelled."""

    async def _astream(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Chunks:
        async for chunk in super()._astream(messages, *args, **kwargs):
            yield chunk
        await does_not_let_go()


@in_virtual_time
async def test_feedback_that_was_begun_is_not_begun_again() -> None:
    """What a model had worded when its time ran out stands; no second wording is heard behind it."""
    rig = Rig(notes=(notes := Notes()))
    begun = "You said half of it is the water, and I can follow that. And there"
    quiet = dict.fromkeys(("context", "planner", "selection", "follow_up", "summary", "metrics_feedback"), "no JSON")
    chat = Interrupted(script={**quiet, "feedback": begun})
    shared = tiered(chat, chat, clock=asyncio.get_running_loop().time, timeout_s=3600.0)
    rig.models, rig.model_feedback = of_interview(shared, notes), True
    interview = interview_of(replace(rig.context(), model_deadline_s=3600.0), feedback="interviewer")
    await spoken(interview.begin())
    says, _ = await one_turn(interview, ANSWER)
    assert [say.text for say in says if say.kind == "feedback"] == [begun.partition(". ")[0] + "."]


@in_virtual_time
async def test_time_limits_hold_for_work_that_does_not_let_go() -> None:
    """Who is late is left behind, and what it raises afterwards concerns nobody."""

    async def fails_late() -> None:
        await does_not_let_go()
        raise ValueError

    loop = asyncio.get_running_loop()
    with pytest.raises(OutOfTimeError):
        await in_time(fails_late(), 2)
    assert loop.time() == 2

    async def fails() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        await in_time(fails(), 2)


def test_the_rules_choose_from_the_pack_what_fits_best() -> None:
    """As hard as wanted and of the topic, then of the topic, then any that has time; nothing where none is left."""
    pack = tea_pack()
    topic = pack.topics[1]

    async def first(candidates: Sequence[BankQuestion]) -> BankQuestion | None:
        return candidates[0]

    def chosen(exclude: Collection[str]) -> BankQuestion | None:
        request = RetrievalRequest(
            pack=pack.id, topic=topic.id, topic_title=topic.title, difficulty="hard", exclude=frozenset(exclude)
        )
        return asyncio.run(_question(PackInOrder(pack).next_question("tea-1", request, first)))

    best = chosen(())
    assert best is not None
    assert (best.topic, best.difficulty) == (topic.id, "hard")
    hard = [each.id for each in pack.questions if each.topic == topic.id and each.difficulty == "hard"]
    second = chosen(hard)
    assert second is not None
    assert second.topic == topic.id
    of_topic = [each.id for each in pack.questions if each.topic == topic.id]
    other = chosen(of_topic)
    assert other is not None
    assert other.topic != topic.id
    assert chosen([each.id for each in pack.questions]) is None


async def _question(found: Awaitable[Found]) -> BankQuestion | None:
    return (await found).question


def test_the_rules_compare_meanings_by_shared_words() -> None:
    """The text that shares most words is nearest, and the same text is the same."""
    rows = SharedWords().embed(["green tea leaves", "leaves of green tea", "hot water", "green tea leaves"])
    cosines = rows @ rows[0]
    assert cosines[3] == pytest.approx(1)
    assert cosines[1] > cosines[2]
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert SharedWords().embed([]).shape[0] == 0


def test_nothing_that_can_wait_is_left_by_rule() -> None:
    """No model is asked, and what was put there to show slowness is gone."""
    context = by_rule(Rig(slow_selector_s=5.0, model_feedback=True).context())
    assert (context.models, context.model_feedback, context.slow_selector_s) == (None, False, 0.0)
