"""Every gate refuses by the name of a check, in the graph's nodes as in judging."""

from __future__ import annotations

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from graph.intents.llm_detector import IntentReply, request_checks
from graph.language_models.retrieval import query_checks
from graph.language_models.tasks import PlanReply, QueryReply, SelectionReply, SummaryReply
from graph.nodes.create_plan import plan_checks
from graph.nodes.maybe_summarize import SUMMARY_CHECKS
from graph.nodes.select_question import selection_checks
from graph.nodes.validate_question import find_fault
from graph.validators import first_fault
from tests.graph.fakes import Rig, spoken


def test_a_choice_of_a_question_is_one_of_the_candidates() -> None:
    """The model is told which they are."""
    checks = selection_checks(("a", "b"))
    assert first_fault(checks, SelectionReply(selected_id="b")) == ""
    assert first_fault(checks, SelectionReply(selected_id="c")) == (
        "one of the candidates: selected_id must be one of a, b"
    )


@pytest.mark.parametrize(
    ("topics", "name"), [(["a", "b"], ""), (["a", "x"], "topics of the pack"), (["", "a"], "topics of the pack"),
                         (["a"], "enough topics")],
)  # fmt: skip
def test_a_plan_has_topics_of_the_pack_and_enough_of_them(topics: list[str], name: str) -> None:
    """A name that is empty is no topic either."""
    fault = first_fault(plan_checks(frozenset("ab"), 2), PlanReply(reason="", topics=topics))
    assert fault.partition(":")[0] == name


def test_a_summary_is_short_enough() -> None:
    """What is longer would push the recent turns out of the prompt."""
    assert first_fault(SUMMARY_CHECKS, SummaryReply(summary="All of it was said.")) == ""
    assert first_fault(SUMMARY_CHECKS, SummaryReply(summary="word " * 2000)).startswith("short enough: ")


def test_a_search_is_worded_in_new_words() -> None:
    """Capitals are no other words."""
    checks = query_checks(("Stale data",))
    assert first_fault(checks, QueryReply(query="when to empty a cache")) == ""
    assert first_fault(checks, QueryReply(query="stale DATA")).startswith("new words: ")


@pytest.mark.parametrize(
    ("words", "intent", "name"),
    [
        ("say it again", "repeat", ""),
        ("", "answer", ""),
        ("", "repeat", "has words"),
        ("goodbye for now", "stop", "was said"),
    ],
)
def test_a_request_that_a_model_sees_has_words_that_were_said(words: str, intent: str, name: str) -> None:
    """Words that were not said ask for nothing."""
    reply = IntentReply(request_words=words, intent=intent, detail="")  # type: ignore[arg-type]
    fault = first_fault(request_checks("could you say it again".split()), reply)
    assert fault.partition(":")[0] == name


async def test_a_question_is_looked_at_once_more_before_it_is_asked() -> None:
    """One that cannot be understood, has no time left, or was asked in this interview is refused by that name."""
    rig = Rig()
    interview = rig.interview(InMemorySaver())
    await spoken(interview.begin())
    state, context = await interview.snapshot(), rig.context()
    asked = state["current_question"]
    other = asked.model_copy(update={"id": "other", "text": "Who invented the samovar, and where was that?"})
    proposed = {
        "": other,
        "no text": other.model_copy(update={"text": "Well then?"}),
        "no time": other.model_copy(update={"minutes": 90.0}),
        "asked before": asked,
    }
    assert [find_fault(each, state, context).partition(":")[0] for each in proposed.values()] == list(proposed)
