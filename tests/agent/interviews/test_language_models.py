"""Which models and judges an interview gets, with Ollama there, gone, slow, or without the models."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from agent.interviews.language_models import (
    LanguageModelError,
    import_providers,
    load_tier,
    make_judge_panel,
    make_models,
    models_deadline_s,
    ollama_has,
)
from agent.settings import Settings
from graph.judging import BuiltInJudge, JudgePanel
from graph.language_models.tasks import FOLLOW_UP
from tests.graph.fakes import Clock
from tests.graph.judging.test_judging import ANSWER, question
from tests.graph.language_models.scripted import Told, of_interview

Serve = Callable[[asyncio.StreamWriter, str], Awaitable[None]]
NOBODY = "http://127.0.0.1:9"
QUESTION = {
    "topic": "tea",
    "question": "How is tea made?",
    "answer": "with water",
    "missed": "- It needs heat.",
    "conversation": "",
}


@asynccontextmanager
async def fake_ollama(serve: Serve) -> AsyncIterator[str]:
    """An HTTP server on a free port; `serve` answers each request's path."""
    serving: set[asyncio.Task[None]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            await serve(writer, head.split()[1])
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving)


async def send(writer: asyncio.StreamWriter, body: bytes, status: str = "200 OK") -> None:
    """Answer a request."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()


def having(*models: str) -> Serve:
    """Lists these models, and hangs on everything else."""

    async def serve(writer: asyncio.StreamWriter, path: str) -> None:
        if path != "/api/tags":
            await asyncio.sleep(3600)
        await send(writer, json.dumps({"models": [{"name": name} for name in models]}).encode())

    return serve


async def panel(**values: object) -> JudgePanel:
    """The judges of an interview with these settings."""
    settings = Settings.model_validate(values)
    models = await make_models(settings)
    return make_judge_panel(settings, BuiltInJudge(), of_interview(models, Told()) if models else None)


async def test_without_ollama_the_built_in_judge_judges() -> None:
    """Nobody at the address is no error: rules do everything, nothing is flagged, and nothing is told as a failure."""
    settings, told = Settings(ollama_url=NOBODY), Told()
    shared = await make_models(settings)
    assert shared is not None
    assert not shared.available("complex")
    assert not shared.available("fast")
    models = of_interview(shared, told)
    judges = make_judge_panel(settings, BuiltInJudge(), models)
    assert judges.name == "built-in"
    evaluation = await judges.evaluate(question(), ANSWER, turn=1)
    assert (evaluation.judge, evaluation.fallback) == ("built-in", False)
    assert await models.ask(FOLLOW_UP, QUESTION, turn=1) is None
    assert (told.calls, told.fallbacks) == ([], [])


async def test_an_ollama_that_starts_later_serves_the_interview() -> None:
    """Who was away at the opening is looked for again after half a minute, and then plans, words and judges."""
    clock, there, told = Clock(), list[str](), Told()

    async def serve(writer: asyncio.StreamWriter, path: str) -> None:
        message = {"role": "assistant", "content": '{"question": "How hot is the water?"}'}
        reply = {"model": "m", "message": message, "done": True}
        body = {"models": [{"name": name} for name in there]} if path == "/api/tags" else reply
        await send(writer, json.dumps(body).encode())

    async with fake_ollama(serve) as url:
        settings = Settings(ollama_url=url)
        shared = await make_models(settings, clock)
        assert shared is not None
        models = of_interview(shared, told)
        judges = make_judge_panel(settings, BuiltInJudge(), models)
        there += ["qwen2.5:14b", "qwen2.5:7b"]
        clock.advance(29)
        assert await models.ask(FOLLOW_UP, QUESTION, turn=1) is None
        assert judges.name == "built-in"
        clock.advance(2)
        assert await models.ask(FOLLOW_UP, QUESTION, turn=2) is not None
        assert judges.name == "qwen2.5:14b"
        there.clear()
        shared.health.failed("complex")
        shared.health.failed("fast")
        assert (await judges.evaluate(question(), ANSWER, turn=3)).fallback


@pytest.mark.parametrize(("node_s", "models_s"), [(15, 12), (6, 3), (4, 2), (1, 0.5), (0.1, 0.05)])
def test_a_step_always_has_time_to_go_by_rule(node_s: float, models_s: float) -> None:
    """However little time a step has, models do not get all of it."""
    assert models_deadline_s(Settings(node_timeout_s=node_s)) == pytest.approx(models_s)


async def test_no_model_named_is_no_model() -> None:
    """Whoever wants none leaves both settings empty, and nobody is asked."""
    assert await make_models(Settings(complex_model="", fast_model="", judge="model")) is None


@pytest.mark.parametrize(
    ("there", "judge"),
    [
        (["qwen2.5:14b", "qwen2.5:7b"], "qwen2.5:14b"),
        (["qwen2.5:14b"], "qwen2.5:14b"),
        (["qwen2.5:7b"], "qwen2.5:7b"),
        (["qwen2.5:0.5b"], "built-in"),
    ],
)
async def test_the_models_that_are_there_are_used(there: list[str], judge: str) -> None:
    """The complex model judges, the fast one where it is alone, and a model that nobody named never does."""
    async with fake_ollama(having(*there)) as url:
        assert (await panel(ollama_url=url)).name == judge
        assert (await panel(ollama_url=url, judge="built-in")).name == "built-in"


async def test_models_serve_the_graph_where_the_built_in_judge_judges() -> None:
    """Who judges and who words questions are two settings."""
    async with fake_ollama(having("qwen2.5:7b")) as url:
        models = await make_models(Settings(ollama_url=url, judge="built-in"))
    assert models is not None
    assert (models.available("fast"), models.available("complex")) == (True, False)


async def test_an_ollama_that_hangs_costs_no_answer() -> None:
    """After the time-outs the built-in judge judges, and the evaluation is flagged."""
    async with fake_ollama(having("qwen2.5:14b", "qwen2.5:7b")) as url:
        judges = await panel(ollama_url=url, model_timeout_s=0.2)
        evaluation = await judges.evaluate(question(), ANSWER, turn=1)
    assert evaluation.fallback
    assert evaluation.judge == "built-in"
    assert evaluation.scores is not None


async def test_who_insists_on_a_model_has_it_tried_again() -> None:
    """With `judge = "model"` a model that is away is no reason for silence: every answer says that it was away."""
    evaluation = await (await panel(ollama_url=NOBODY, judge="model")).evaluate(question(), ANSWER, turn=1)
    assert (evaluation.judge, evaluation.fallback) == ("built-in", True)


@pytest.mark.parametrize("body", [b"nonsense", b'{"models": 3}', b"[]", b'{"models": [3]}'])
async def test_an_ollama_that_talks_nonsense_is_no_ollama(body: bytes) -> None:
    """Another program on Ollama's port does not confuse the interview."""

    async def serve(writer: asyncio.StreamWriter, _: str) -> None:
        await send(writer, body)

    async with fake_ollama(serve) as url:
        assert not await ollama_has(url, "qwen2.5:7b")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"nonsense", "200 OK"),
        (b"[]", "200 OK"),
        (b'"text"', "200 OK"),
        (b"{}", "200 OK"),
        (b"", "200 OK"),
        (b'{"message": 3}', "200 OK"),
        (b'{"message": {"role": "assistant", "content": 3}, "done": true}', "200 OK"),
        (b'{"error": "no room"}', "500 Internal Server Error"),
        (b'{"error": "no such model"}', "404 Not Found"),
        (b"<html>", "502 Bad Gateway"),
    ],
)
async def test_whatever_a_server_answers_nothing_is_raised(body: bytes, status: str) -> None:
    """A server that lists the model and then answers nonsense gives None, through the real client."""

    async def serve(writer: asyncio.StreamWriter, path: str) -> None:
        if path == "/api/tags":
            await having("qwen2.5:7b")(writer, path)
        else:
            await send(writer, body, status)

    told = Told()
    async with fake_ollama(serve) as url:
        models = await make_models(Settings(ollama_url=url, complex_model="", judge="model"))
        assert models is not None
        assert await of_interview(models, told).ask(FOLLOW_UP, QUESTION, turn=1) is None
    assert told.calls
    assert not any(call.ok for call in told.calls)


@pytest.mark.parametrize(
    ("name", "said"),
    [("mistralai:mistral-small", "langchain-mistralai"), ("somebody:model", "Supported model providers are")],
)
def test_a_model_that_cannot_be_loaded_is_told_with_its_setting(name: str, said: str) -> None:
    """The sentence names the setting and the package to install, or the providers there are."""
    with pytest.raises(LanguageModelError, match="The setting fast_model") as caught:
        load_tier("fast_model", name, Settings())
    assert said in str(caught.value)


def test_providers_are_imported_before_the_first_interview(caplog: pytest.LogCaptureFixture) -> None:
    """A model that cannot be loaded keeps no worker from starting: the interview that wants it will say so."""
    import_providers(Settings(complex_model="ollama:tiny", fast_model="somebody:model"))
    assert "ollama" in sys.modules
    assert "The setting fast_model" in caplog.text


@pytest.mark.parametrize("name", ["qwen2.5", "ollama:", "ollama: x", ":x"])
def test_a_model_without_its_provider_is_refused(name: str) -> None:
    """`provider:model` is what is accepted, and nothing for no model."""
    with pytest.raises(ValueError, match="pattern"):
        Settings(fast_model=name)
