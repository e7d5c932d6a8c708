"""A second opinion of a language model where the rules are unsure, and files of labelled utterances."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from graph.intents import IntentDetector, ModelDetector, Understood
from graph.intents import model as second_opinion
from graph.intents.labelled import LabelledError, LabelledUtterance, read_lines
from graph.intents.measuring import measure
from tests.graph.test_with_models import ScriptedModels

WORDS = "it keeps hot data near can we maybe do another".split()


@dataclass
class Rules(IntentDetector):
    """Says what it is told to."""

    found: Understood
    name: str = "rules"
    asked: list[str] = field(default_factory=list)

    async def understand(self, words: Sequence[str], *, question: str = "") -> Understood:
        return self.found


def unsure(confidence: float = 0.5) -> Understood:
    """A request that the rules are not sure of."""
    return Understood(request="skip", confidence=confidence, answer=None, detector="rules")


async def test_the_model_is_asked_where_the_rules_are_unsure() -> None:
    """Its words for the answer are found among those that were said."""
    models = ScriptedModels({"intent": {"answer": "it keeps hot data near", "intent": "easier"}})
    found = await ModelDetector(models, Rules(unsure())).understand(WORDS)
    assert (found.request, found.answer, found.detector) == ("easier", (0, 4), "model")


@pytest.mark.parametrize("confidence", [0.1, 0.95])
async def test_it_is_not_asked_where_the_rules_are_sure(confidence: float) -> None:
    """Neither about what is surely a request, nor about what surely is none."""
    models = ScriptedModels({"intent": {"answer": "", "intent": "stop"}})
    rules = unsure(confidence)
    assert await ModelDetector(models, Rules(rules)).understand(WORDS) == rules
    assert models.asked == []


async def test_a_model_that_hangs_leaves_it_to_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """A candidate does not wait for it."""
    monkeypatch.setattr(second_opinion, "_DEADLINE_S", 0.01)
    assert await ModelDetector(ScriptedModels(hangs=True), Rules(unsure())).understand(WORDS) == unsure()
    await asyncio.sleep(0)


async def test_a_model_that_calls_it_an_answer_makes_it_one() -> None:
    """All of it."""
    models = ScriptedModels({"intent": {"answer": "", "intent": "answer"}})
    found = await ModelDetector(models, Rules(unsure())).understand(WORDS)
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
