"""Two tiers of model: who is asked, what happens when they fail, and that whoever asks never notices more than None."""

from __future__ import annotations

import asyncio
from typing import Any, TypedDict

import httpx
import pytest
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.exceptions import ModelInvalidRequestError, ModelRateLimitError
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.runnables import ConfigurableField
from langgraph.errors import GraphInterrupt
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel

from graph.language_models import Task
from graph.language_models.circuit_breaker import ChatTier
from graph.language_models.pool import TieredModels
from graph.language_models.tasks import FOLLOW_UP, PLAN, SELECTION, PlanReply, QuestionReply, SelectionReply
from tests.graph.fakes import Clock
from tests.graph.language_models.scripted import HANGS, Says, Script, ScriptedChat, Told, of_interview, tiered

QUESTION = {
    "topic": "tea",
    "question": "How is tea made?",
    "answer": "with water",
    "missed": "- It needs heat.",
    "conversation": "",
}
CANDIDATES = {"candidates": "a: A? (easy)", "difficulty": "easy", "topics": "none yet", "trend": "stable"}
GOOD = {"question": "How hot is the water?"}


def chat(script: Script) -> ScriptedChat:
    """A scripted chat model."""
    return ScriptedChat(script=script)


def not_a(reply: QuestionReply) -> str:
    """A gate that wants a question mark."""
    return "" if reply.question.endswith("?") else "it must end with a question mark"


class ServerError(Exception):
    """An error of a provider's own type, with the HTTP status that all of them carry."""

    def __init__(self, status_code: int) -> None:
        self.status_code = status_code
        super().__init__(f"HTTP {status_code}")


ServerError.__module__ = "provider.errors"


async def test_a_task_goes_to_its_tier() -> None:
    """What needs care goes to the complex model, what must be quick to the fast one, and both calls are told."""
    careful, quick = chat({"follow_up": GOOD}), chat({"selection": {"selected_id": "a"}})
    told = Told()
    models = of_interview(tiered(careful, quick), told)

    assert await models.ask(FOLLOW_UP, QUESTION, turn=3) == QuestionReply(question="How hot is the water?")
    assert await models.ask(SELECTION, CANDIDATES, turn=3) == SelectionReply(selected_id="a")

    assert (careful.agents, quick.agents) == (["follow_up"], ["selection"])
    assert [(call.turn, call.agent, call.tier, call.model, call.ok) for call in told.calls] == [
        (3, "follow_up", "complex", "scripted-complex", True),
        (3, "selection", "fast", "scripted-fast", True),
    ]
    assert all(call.tokens_in > 20 and call.tokens_out > 0 for call in told.calls)
    assert told.fallbacks == []


async def test_structured_output_is_bound_for_the_chosen_tier() -> None:
    """The form and the tier both reach the model: asked of the configurable model, only the default would have it."""
    quick = chat({"selection": {"selected_id": "a"}})
    models = of_interview(tiered(chat({}), quick), Told())

    await models.ask(SELECTION, CANDIDATES, turn=1)

    assert {"selection", "fast"} <= set(quick.asked[0].tags)
    assert quick.asked[0].form == SelectionReply.model_json_schema()
    assert "Return JSON with" in quick.asked[0].messages[0].text


async def test_the_chat_model_is_chosen_by_configuration() -> None:
    """The field `model_tier` chooses; without it the complex model speaks."""
    models = tiered(chat({"x": "careful"}), chat({"x": "quick"}))

    careful = await models.chat.ainvoke("?", {"tags": ["x"]})
    quick = await models.chat.ainvoke("?", {"tags": ["x"], "configurable": {"model_tier": "fast"}})

    assert (careful.text, quick.text) == ("careful", "quick")
    assert ConfigurableField(id="model_tier").id in {spec.id for spec in models.chat.config_specs}


@pytest.mark.parametrize("tier", ["complex", "fast"])
async def test_a_single_model_does_the_work_of_both(tier: str) -> None:
    """With one tier only, nothing is told as a fallback: it is how the host wants it."""
    only = chat({"follow_up": GOOD, "selection": {"selected_id": "a"}})
    told = Told()
    shared = tiered(only if tier == "complex" else None, only if tier == "fast" else None)
    models = of_interview(shared, told)

    assert await models.ask(FOLLOW_UP, QUESTION, turn=1)
    assert await models.ask(SELECTION, CANDIDATES, turn=1)
    assert [call.tier for call in told.calls] == [tier, tier]
    assert told.fallbacks == []
    assert shared.available(tier)  # type: ignore[arg-type]
    assert not models.available("fast" if tier == "complex" else "complex")


def test_no_model_at_all_is_no_tiered_models() -> None:
    """Whoever has no model has None instead."""
    with pytest.raises(ValueError, match="at least one tier"):
        TieredModels({})


@pytest.mark.parametrize(
    "fault",
    [
        ConnectionRefusedError("nobody there"),
        httpx.ConnectTimeout("slow"),
        ServerError(500),
        ServerError(404),
        ModelRateLimitError("slow down"),
        ValueError("not what I expected"),
        TypeError("null"),
        KeyError("message"),
        httpx.RemoteProtocolError("half a reply"),
    ],
)
async def test_the_other_tier_takes_over_from_one_that_fails(fault: Exception) -> None:
    """Whatever a provider's client raises, the other model is asked at once, and the failure is told."""
    careful, quick = chat({"follow_up": fault}), chat({"follow_up": GOOD})
    told = Told()
    models = of_interview(tiered(careful, quick), told)

    assert await models.ask(FOLLOW_UP, QUESTION, turn=1)

    assert [(call.tier, call.ok, bool(call.why)) for call in told.calls] == [
        ("complex", False, True),
        ("fast", True, False),
    ]
    assert "fast model is asked" in told.fallbacks[0][2]
    assert not models.available("complex")


@pytest.mark.parametrize(
    ("fault", "calls"),
    [
        (ConnectionResetError(), 2),
        (ServerError(503), 2),
        (ServerError(429), 2),
        (ModelRateLimitError(), 2),
        (ServerError(404), 1),
        (TimeoutError(), 1),
        (ValueError(), 1),
        (ModelInvalidRequestError(), 1),
    ],
)
async def test_only_transient_faults_are_tried_again(fault: Exception, calls: int) -> None:
    """A call that may succeed a moment later is made twice; one that will fail again is not."""
    careful = chat({"follow_up": [fault, fault]})
    models = of_interview(tiered(careful), Told())

    assert await models.ask(FOLLOW_UP, QUESTION, turn=1) is None
    assert len(careful.asked) == calls


async def test_a_transient_fault_costs_nothing_when_the_second_call_succeeds() -> None:
    """The retry is inside the call: neither the health nor the other tier is touched."""
    told = Told()
    models = of_interview(tiered(chat({"follow_up": [ConnectionResetError(), GOOD]}), chat({})), told)

    assert await models.ask(FOLLOW_UP, QUESTION, turn=1)
    assert [call.ok for call in told.calls] == [True]
    assert models.available("complex")


async def test_both_tiers_down_is_none_and_says_so() -> None:
    """With no model left the caller goes by rule, once after trying and afterwards without losing time."""
    careful, quick = chat({"follow_up": ConnectionError()}), chat({"follow_up": ConnectionError()})
    told = Told()
    models = of_interview(tiered(careful, quick), told)

    assert await models.ask(FOLLOW_UP, QUESTION, turn=1) is None
    assert told.fallbacks[-1][2] == "the fast model failed; it goes on by rule"
    asked = len(careful.asked) + len(quick.asked)
    assert await models.ask(FOLLOW_UP, QUESTION, turn=2) is None
    assert told.fallbacks[-1] == (2, "follow_up", "no model is well; it goes on by rule")
    assert len(careful.asked) + len(quick.asked) == asked


async def test_a_model_that_hangs_is_given_up_and_left_alone() -> None:
    """The time-out ends the call, the other tier answers, and the hanging one is not asked again for a while."""
    clock, told = Clock(), Told()
    careful, quick = chat({"follow_up": [HANGS, GOOD]}), chat({"follow_up": GOOD})
    models = of_interview(tiered(careful, quick, clock=clock, timeout_s=1), told)

    assert await models.ask(FOLLOW_UP, QUESTION, turn=1)
    assert told.calls[0].why == "no answer in time"
    clock.advance(29)
    await models.ask(FOLLOW_UP, QUESTION, turn=2)
    assert len(careful.asked) == 1
    clock.advance(2)
    await models.ask(FOLLOW_UP, QUESTION, turn=3)
    assert len(careful.asked) == 2
    assert models.available("complex")


async def test_a_rested_model_is_looked_at_before_it_is_asked() -> None:
    """While the probe says that it is not there, no call is wasted on it; then it is used again."""
    clock, there = Clock(), False
    careful, quick = chat({"follow_up": [ConnectionError(), ConnectionError(), GOOD]}), chat({"follow_up": GOOD})

    async def probe() -> bool:
        return there

    shared = TieredModels(
        {"complex": ChatTier(careful, "careful", probe), "fast": ChatTier(quick, "quick")},
        clock=clock, retry_after_s=10, retry_wait_s=0,
    )  # fmt: skip
    models = of_interview(shared, Told())
    await models.ask(FOLLOW_UP, QUESTION, turn=1)
    clock.advance(11)
    await models.ask(FOLLOW_UP, QUESTION, turn=2)
    assert (len(careful.asked), models.available("complex")) == (2, False)

    there = True
    clock.advance(11)
    await models.ask(FOLLOW_UP, QUESTION, turn=3)
    assert (len(careful.asked), models.available("complex")) == (3, True)


async def test_health_is_looked_at_when_asked_to() -> None:
    """At the start of an interview a model that is not there is known before anything is asked."""

    async def gone() -> bool:
        return False

    shared = TieredModels({"complex": ChatTier(chat({}), "careful", gone), "fast": ChatTier(chat({}), "quick")})

    assert await shared.check_health() == {"careful": False, "quick": True}
    assert (shared.available("complex"), shared.available("fast")) == (False, True)
    assert shared.name_of("complex") == "quick"


async def test_health_is_shared_by_interviews_and_breakers_are_not() -> None:
    """What one interview learns of a model holds for the next; what it used up does not."""
    careful = chat({"follow_up": [{"question": "No."}, GOOD], "selection": {"selected_id": "a"}})
    shared = tiered(careful, chat({"selection": ConnectionError()}))
    first, second = of_interview(shared, Told()), of_interview(shared, Told())

    await first.ask(FOLLOW_UP, QUESTION, turn=1, check=not_a)
    await first.ask(SELECTION, CANDIDATES, turn=1)
    assert not second.available("fast")
    assert first._worded_anew
    assert not second._worded_anew


async def test_a_request_that_is_refused_does_not_blame_the_model() -> None:
    """A prompt that is too long for a model says nothing about its next one."""
    models = of_interview(tiered(chat({"follow_up": ServerError(400)})), Told())

    assert await models.ask(FOLLOW_UP, QUESTION, turn=1) is None
    assert models.available("complex")


async def test_a_refused_reply_is_worded_anew_once_a_turn() -> None:
    """The model is told why, its second try is taken if it passes, and the gate's refusal is told."""
    careful = chat({"follow_up": [{"question": "Hot."}, GOOD, {"question": "Hot."}, {"question": "Still hot."}]})
    told = Told()
    models = of_interview(tiered(careful), told)

    assert await models.ask(FOLLOW_UP, QUESTION, turn=1, check=not_a) == QuestionReply(**GOOD)
    assert "it must end with a question mark" in careful.asked[1].last
    assert "Hot." in careful.asked[1].messages[-2].text
    assert [call.ok for call in told.calls] == [False, True]

    assert await models.ask(FOLLOW_UP, QUESTION, turn=2, check=not_a) is None
    assert len(careful.asked) == 4
    assert [refused[:2] for refused in told.refused] == [(1, "follow_up"), (2, "follow_up"), (2, "follow_up")]


async def test_the_breaker_counts_by_agent_and_turn() -> None:
    """Another agent in the same turn still has its try; the same agent has none left until the next turn."""
    bad = {"question": "Hot."}
    careful = chat({"follow_up": bad, "clarification": bad})
    models = of_interview(tiered(careful), Told())
    clarify = Task("clarification", "complex", "follow_up", QuestionReply)

    await models.ask(FOLLOW_UP, QUESTION, turn=1, check=not_a)
    await models.ask(FOLLOW_UP, QUESTION, turn=1, check=not_a)
    await models.ask(clarify, QUESTION, turn=1, check=not_a)
    await models.ask(FOLLOW_UP, QUESTION, turn=2, check=not_a)

    assert careful.agents == ["follow_up"] * 3 + ["clarification"] * 2 + ["follow_up"] * 2


async def test_a_bad_reply_does_not_make_a_model_ill() -> None:
    """Nonsense is a matter of the breaker, not of health, and the other tier is not asked for it."""
    careful, quick = chat({"follow_up": "I like tea."}), chat({})
    told = Told()
    models = of_interview(tiered(careful, quick), told)

    assert await models.ask(FOLLOW_UP, QUESTION, turn=1) is None
    assert (len(careful.asked), quick.asked, models.available("complex")) == (2, [], True)
    assert [call.why.partition(":")[0] for call in told.calls] == ["unreadable", "unreadable"]
    assert "there is no JSON in it" in careful.asked[1].last


async def test_the_lenient_parser_saves_a_call_and_is_told() -> None:
    """A reply in a code fence with a comma too many is read without asking again."""
    careful = chat({"planner": 'Sure!\n```json\n{"reason": "r", "topics": ["a", "b",],}\n```'})
    told = Told()
    values = {"topics": "a: A", "focus": "none", "role": "not known", "difficulty": "easy", "questions": "2"}
    reply = await of_interview(tiered(careful), told).ask(PLAN, values, turn=0)

    assert reply == PlanReply(reason="r", topics=["a", "b"])
    assert len(careful.asked) == 1
    assert [why for _, _, why in told.fallbacks] == ["the lenient parser read the reply"]


async def test_a_copied_example_is_worded_anew() -> None:
    """A question about indexes that only the prompt talks of is never asked."""
    example = "You said reads get faster. What happens when a lot of new rows are written to that table?"
    told = Told()
    models = of_interview(tiered(chat({"follow_up": [{"question": example}, GOOD]})), told)

    assert await models.ask(FOLLOW_UP, QUESTION, turn=1) == QuestionReply(**GOOD)
    assert told.refused == [(1, "follow_up", "own words: it is copied from the instructions")]


async def test_a_reply_that_was_cut_off_is_not_taken_for_whole() -> None:
    """Half a question is no question, even where a parser would close its brackets."""
    cut = Says('{"question": "How hot', done_reason="length")
    models = of_interview(tiered(chat({"follow_up": [cut, GOOD]})), Told())

    assert await models.ask(FOLLOW_UP, QUESTION, turn=1) == QuestionReply(**GOOD)


async def test_a_model_without_structured_output_is_read_leniently() -> None:
    """The prompt spells the form out, so a model that knows no schemas can be used as well."""
    plain = FakeListChatModel(responses=['{"question": "How hot?"}'])
    models = of_interview(TieredModels({"fast": ChatTier(plain, "plain")}), Told())

    assert await models.ask(FOLLOW_UP, QUESTION, turn=1) == QuestionReply(question="How hot?")


async def test_cancellation_passes_through_and_is_told() -> None:
    """Whoever gives up waiting is not held by a model, and the model is not taken to be ill."""
    told = Told()
    models = of_interview(tiered(chat({"follow_up": HANGS})), told)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02):
            await models.ask(FOLLOW_UP, QUESTION, turn=1)
    assert [call.why for call in told.calls] == ["nobody waited for its end"]
    assert models.available("complex")


@pytest.mark.parametrize("error", [GraphInterrupt(), AssertionError("ours"), NameError("ours")])
async def test_what_is_no_fault_of_a_model_is_not_hidden(error: Exception) -> None:
    """LangGraph's own signals and faults of ours reach whoever they are meant for."""
    models = of_interview(tiered(chat({"follow_up": error})), Told())

    with pytest.raises(type(error)):
        await models.ask(FOLLOW_UP, QUESTION, turn=1)


async def test_an_error_of_the_gate_is_not_taken_for_the_models() -> None:
    """A gate that breaks is our fault and says so."""

    def breaks(_: QuestionReply) -> str:
        raise ValueError("the gate is broken")

    with pytest.raises(ValueError, match="the gate is broken"):
        await of_interview(tiered(chat({"follow_up": GOOD})), Told()).ask(FOLLOW_UP, QUESTION, turn=1, check=breaks)


async def test_the_graphs_configuration_reaches_the_model() -> None:
    """Inside a node, callbacks, thread id and metadata of the graph go along, with the agent and the tier added."""

    class State(TypedDict):
        said: str

    class Listener(AsyncCallbackHandler):
        def __init__(self) -> None:
            self.heard: list[tuple[list[str], dict[str, Any]]] = []

        async def on_chat_model_start(self, serialized: Any, messages: Any, **told: Any) -> None:
            self.heard.append((told["tags"], told["metadata"]))

    models = of_interview(tiered(chat({"follow_up": GOOD})), Told())

    async def node(_: State) -> State:
        reply = await models.ask(FOLLOW_UP, QUESTION, turn=7)
        return {"said": reply.question if reply else ""}

    graph = StateGraph(State).add_node("ask", node).add_edge(START, "ask").add_edge("ask", END).compile()
    listener = Listener()
    done = await graph.ainvoke(
        {"said": ""},
        {"callbacks": [listener], "configurable": {"thread_id": "tea-1"}, "metadata": {"interview": "tea-1"}},
    )

    assert done["said"] == GOOD["question"]
    tags, metadata = listener.heard[0]
    assert {"follow_up", "complex"} <= set(tags)
    assert metadata["interview"] == "tea-1"
    assert metadata["langgraph_node"] == "ask"
    assert (metadata["agent"], metadata["turn"]) == ("follow_up", 7)


async def test_a_task_may_be_asked_many_times_at_once() -> None:
    """Parallel nodes share the models, and nothing of one call gets into another."""
    models = of_interview(tiered(chat({"follow_up": lambda asked: {"question": f"{asked.split()[1]}?"}})), Told())

    replies = await asyncio.gather(*(models.ask(FOLLOW_UP, {**QUESTION, "topic": f"t{n}"}, turn=1) for n in range(20)))

    assert [reply.question for reply in replies if reply] == [f"t{n}?" for n in range(20)]


async def test_the_model_behind_a_reply_is_known() -> None:
    """The record can say who judged: the model that would be asked, then the one that really answered."""
    models = of_interview(tiered(chat({"follow_up": ConnectionError()}), chat({"follow_up": GOOD})), Told())

    assert models.model_of("follow_up", "complex") == "scripted-complex"
    await models.ask(FOLLOW_UP, QUESTION, turn=1)
    assert models.model_of("follow_up", "complex") == "scripted-fast"


def test_tasks_can_be_told_apart() -> None:
    """Tasks are values: two with the same parts share a chain, two with different forms do not."""

    class Other(BaseModel):
        question: str

    assert Task("a", "fast", "follow_up", QuestionReply) == Task("a", "fast", "follow_up", QuestionReply)
    assert Task("a", "fast", "follow_up", Other) != Task("a", "fast", "follow_up", QuestionReply)
