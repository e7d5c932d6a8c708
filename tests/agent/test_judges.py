"""Which judge an interview gets, with Ollama there, gone, slow, or without the model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from agent.judges import make_bench, ollama_has
from agent.settings import Settings
from tests.graph.fakes import WordEmbedder
from tests.graph.test_judging import ANSWER, question

Serve = Callable[[asyncio.StreamWriter, str], Awaitable[None]]


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


async def has_qwen(writer: asyncio.StreamWriter, path: str) -> None:
    """Lists one model, and hangs on everything else."""
    if path != "/api/tags":
        await asyncio.sleep(3600)
    body = json.dumps({"models": [{"name": "qwen2.5:7b"}]}).encode()
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    await writer.drain()


async def test_without_ollama_the_built_in_judge_judges() -> None:
    """Nobody at the address is no error."""
    bench = await make_bench(Settings(ollama_url="http://127.0.0.1:9"), WordEmbedder())
    assert bench.name == "built-in"


async def test_ollama_with_the_model_judges() -> None:
    """By default the model is used where it is there; `built-in` never asks for it."""
    async with fake_ollama(has_qwen) as url:
        assert (await make_bench(Settings(ollama_url=url), WordEmbedder())).name == "qwen2.5:7b"
        built_in = await make_bench(Settings(ollama_url=url, judge="built-in"), WordEmbedder())
        assert built_in.name == "built-in"
        assert not await ollama_has(url, "another:1b")


async def test_an_ollama_that_hangs_costs_no_answer() -> None:
    """After the time-out the built-in judge judges, and the evaluation is flagged."""
    async with fake_ollama(has_qwen) as url:
        bench = await make_bench(Settings(ollama_url=url, model_timeout_s=0.2), WordEmbedder())
        evaluation = await bench.evaluate(question(), ANSWER)
    assert evaluation.fallback
    assert evaluation.judge == "built-in"
    assert evaluation.scores is not None


@pytest.mark.parametrize("body", [b"nonsense", b'{"models": 3}', b"[]"])
async def test_an_ollama_that_talks_nonsense_is_no_ollama(body: bytes) -> None:
    """Another program on Ollama's port does not confuse the interview."""

    async def serve(writer: asyncio.StreamWriter, _: str) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()

    async with fake_ollama(serve) as url:
        assert not await ollama_has(url, "qwen2.5:7b")
