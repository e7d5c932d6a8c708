"""A second opinion of a language model where the rules are unsure, and files of labelled utterances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from domain.progress import Setup
from graph import Interview, build_graph
from graph.checkpoints.serializer import serializer
from graph.intents import ModelDetector, RuleDetector, Understood
from graph.intents.evaluation.labelled import LabelledError, LabelledUtterance, read_lines
from graph.intents.evaluation.metrics import measure
from tests.graph.fakes import Notes, Rig, spoken
from tests.graph.language_models.scripted import ScriptedChat, of_interview, tiered
from tests.graph.language_models.test_with_models import ScriptedModels

WORDS = "it keeps hot data near can we maybe do another".split()


class Rules(RuleDetector):
    """Says what it is told to."""

    def __init__(self, found: Understood) -> None:
        self.found = found

    async def understand(self, words: Sequence[str], *, turn: int = 0, question: str = "") -> Understood:
        return self.found


UNSURE = Understood(request="skip", confidence=0.5, answer=None, detector="rules")


def models(**reply: str) -> ScriptedModels:
    """A model that makes this of every utterance."""
    return ScriptedModels({"intent": {"request_words": "", "detail": "", **reply}})


async def test_the_model_is_asked_where_the_rules_are_unsure() -> None:
    """When both see the same request it is sure."""
    asked = models(intent="skip", request_words="do another")
    found = await ModelDetector(asked, Rules(UNSURE)).understand(WORDS, turn=1)
    assert (found.request, found.detector) == ("skip", "model")
    assert found.confidence > 0.9


async def test_it_is_not_asked_where_the_rules_are_sure() -> None:
    """Rules that are sure are as good, and faster."""
    sure = UNSURE.model_copy(update={"confidence": 0.95})
    asked = models(intent="stop")
    assert await ModelDetector(asked, Rules(sure)).understand(WORDS, turn=1) == sure
    assert asked.asked == []


async def test_a_request_in_words_that_were_not_said_is_refused() -> None:
    """What a model invents is not honoured."""
    asked = models(intent="stop", request_words="please end the interview")
    assert await ModelDetector(asked, Rules(UNSURE)).understand(WORDS, turn=1) == UNSURE


async def test_a_model_that_hangs_leaves_it_to_the_rules() -> None:
    """A candidate does not wait for it."""
    slow = ScriptedModels(hangs=True)
    assert await ModelDetector(slow, Rules(UNSURE), deadline_s=0.01).understand(WORDS, turn=1) == UNSURE


async def test_the_model_is_told_the_turn() -> None:
    """Calls are numbered by turns, also after a resume: the retries of an agent are counted by them."""
    rig = Rig(notes=(notes := Notes()))
    unsure = ScriptedChat(
        script={**dict.fromkeys(("planner", "selection", "follow_up"), "no JSON"), "intent": "no JSON"}
    )
    models = of_interview(tiered(unsure, unsure), notes)
    rig.models = models
    context = replace(rig.context(), detector=ModelDetector(models, Rules(UNSURE)))
    interview = Interview(build_graph(InMemorySaver(serde=serializer())), context, Setup("tea-1", "Ada", 30))
    await spoken(interview.begin())
    await spoken(interview.answer(" ".join(WORDS), 7))
    assert [call.turn for call in notes.calls if call.agent == "intent"] == [7, 7]


async def test_a_model_that_calls_it_an_answer_makes_it_one() -> None:
    """All of it."""
    found = await ModelDetector(models(intent="answer"), Rules(UNSURE)).understand(WORDS, turn=1)
    assert (found.request, found.answer) == (None, (0, len(WORDS) - 1))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"not json", "line 2: this is not JSON"),
        (b'{"question": "q"}', "line 2: text"),
        (b'{"text": "a", "intent": "dance"}', "line 2: intent"),
        (b'{"text": "\xff"}', "line 2: this is not UTF-8"),
        (b"[1]", "line 2"),
    ],
)
def test_a_line_that_is_no_utterance_is_named(line: bytes, told: str) -> None:
    """The message says where and what."""
    with pytest.raises(LabelledError, match=told):
        list(read_lines([b'{"text": "fine"}', line], "FILE"))


def test_figures_are_those_of_the_definitions() -> None:
    """Precision, recall and F1 on a case that can be counted by hand; mixed lines by the words of their answers."""
    said = [
        LabelledUtterance(text="skip", intent="skip"),
        LabelledUtterance(text="skip this", intent="skip"),
        LabelledUtterance(text="a b c d next", intent="skip", answer="a b c d"),
        LabelledUtterance(text="a queue", intent="answer"),
    ]
    skip = Understood(request="skip", confidence=0.9, answer=None, detector="t")
    answer = Understood(request=None, confidence=0.9, answer=(0, 1), detector="t")
    both = Understood(request="skip", confidence=0.9, answer=(0, 3), detector="t")
    measured = measure(said, [skip, answer, both, answer])
    assert measured is not None
    by_name = {each.intent: each for each in measured.intents}
    assert (by_name["skip"].precision, by_name["skip"].recall) == (1.0, 2 / 3)
    assert (by_name["answer"].precision, by_name["answer"].recall) == (0.5, 1.0)
    assert (measured.accuracy, measured.mixed, measured.spans_found) == (0.75, 1, 1.0)
    assert measure([LabelledUtterance(text="a")], [answer]) is None
