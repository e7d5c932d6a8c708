"""The whole way to a real Ollama: forms, streams, time-outs, and a server that dies and comes back.

The model is far too small to say anything sensible, and nothing here asks that of it.
"""

from __future__ import annotations

import pytest

from agent.interviews.language_models import load_tier, make_judge_panel, make_models
from graph.judging import BuiltInJudge
from graph.language_models import LanguageModels, TextTask, prompts
from graph.language_models.pool import TieredModels
from graph.language_models.session import InterviewModels
from graph.language_models.tasks import SELECTION, SelectionReply
from tests.agent.ollama_server import NAME, OllamaServer
from tests.graph.fakes import Clock
from tests.graph.judging.test_judging import ANSWER, question
from tests.graph.language_models.scripted import Told, of_interview

pytestmark = pytest.mark.slow

CANDIDATES = {
    "candidates": "q-1: What is an index? (easy)\nq-2: When does an index slow a database down? (medium)",
    "difficulty": "medium",
    "topics": "none yet",
    "trend": "stable",
}
SEA = TextTask("feedback", "fast", "sea-of-the-tests")
_SEA_PROMPT = """\
## system
You are a friendly teacher. Answer in plain English.

## human
Write five short sentences about {what}.
"""


@pytest.fixture(autouse=True)
def _sea(monkeypatch: pytest.MonkeyPatch) -> None:
    """A prompt that is short enough for a slow machine, and makes even this model write several sentences."""
    load = prompts.load_prompt
    monkeypatch.setattr(prompts, "load_prompt", lambda name: _SEA_PROMPT if name == SEA.prompt else load(name))


async def interview_models(server: OllamaServer, told: Told, **values: object) -> InterviewModels:
    """The models of an interview with this server."""
    models = await make_models(server.settings(**values))
    assert models is not None
    return of_interview(models, told)


async def choose(models: LanguageModels, turn: int = 1) -> SelectionReply | None:
    """A question of the two, refused when it is another."""

    def is_one_of_them(reply: SelectionReply) -> str:
        return "" if reply.selected_id in {"q-1", "q-2"} else "selected_id must be one of q-1, q-2"

    return await models.ask(SELECTION, CANDIDATES, turn=turn, check=is_one_of_them)


async def test_a_reply_comes_in_its_form_or_the_fallback_is_told(ollama: OllamaServer) -> None:
    """Ollama keeps to the schema; whether the model kept to the list is the gate's matter. Tokens are counted."""
    told = Told()
    reply = await choose(await interview_models(ollama, told))

    assert [call.model for call in told.calls] == [NAME] * len(told.calls)
    assert all(call.tokens_in > 100 and call.tokens_out > 0 for call in told.calls)
    assert not any(call.why.startswith("unreadable") for call in told.calls)
    assert (reply is None) == bool(told.fallbacks)


async def test_sentences_come_while_the_model_writes(ollama: OllamaServer) -> None:
    """The first sentence is there long before the text is over, and whoever has heard enough stops the model."""
    told = Told()
    models = await interview_models(ollama, told)
    sentences = models.sentences(SEA, {"what": "the sea"}, turn=1)

    first = await anext(sentences)
    assert told.calls == []
    assert first
    assert "<|im_" not in first
    await sentences.aclose()  # type: ignore[attr-defined]
    assert len(told.calls) == 1


async def test_a_call_that_takes_too_long_is_given_up(ollama: OllamaServer) -> None:
    """The time-out fires on a model that is at work, and nothing is raised."""
    told = Told()
    models = await interview_models(ollama, told, model_timeout_s=0.05)

    assert await choose(models) is None
    assert {call.why for call in told.calls} == {"no answer in time"}
    assert not models.available("fast")


async def test_a_real_model_judges_or_the_built_in_judge_does(ollama: OllamaServer) -> None:
    """Judging ends in the time that a step has, with quotes that were said, whoever gave the verdicts."""
    settings = ollama.settings(judge="model", node_timeout_s=8)
    models = await make_models(settings)
    assert models is not None
    told = Told()

    evaluation = await make_judge_panel(settings, BuiltInJudge(), of_interview(models, told)).evaluate(
        question(), ANSWER, turn=1
    )

    assert evaluation.judge == ("built-in" if evaluation.fallback else NAME)
    quotes = [verdict.quote for verdict in evaluation.verdicts if verdict.quote]
    assert all(" ".join(ANSWER[quote.first_word : quote.last_word + 1]) == quote.text for quote in quotes)
    assert {call.agent for call in told.calls} <= {"evaluator", "reflection"}


async def test_a_server_that_dies_and_comes_back(ollama: OllamaServer) -> None:
    """Killed in the middle of a sentence it ends the text and is left alone; started again it is used again."""
    told, clock = Told(), Clock()
    tier = load_tier("fast_model", f"ollama:{NAME}", ollama.settings())
    shared = TieredModels({"fast": tier}, clock=clock, timeout_s=300, retry_wait_s=0)
    models = of_interview(shared, told)

    said = []
    async for sentence in models.sentences(SEA, {"what": "the sea"}, turn=1):
        said.append(sentence)
        ollama.kill()
    assert said
    assert (told.calls[-1].ok, told.fallbacks[-1][2]) == (False, "the fast model failed; it goes on by rule")
    assert not models.available("fast")

    assert await choose(models, turn=2) is None
    clock.advance(60)
    assert await choose(models, turn=3) is None
    assert len(told.calls) == 1, "a server that is away is looked at, not asked"

    ollama.start()
    clock.advance(60)
    await choose(models, turn=4)
    assert len(told.calls) > 1
    assert models.available("fast")
