"""Which judges an interview has: the built-in one always, a model of Ollama when it is wanted and there."""

from __future__ import annotations

import logging

import httpx
from langchain_ollama import ChatOllama

from agent.settings import Settings
from graph.judging import Bench, BuiltInJudge, ModelJudge
from rag import Embedder

_log = logging.getLogger(__name__)

_REACH_TIMEOUT_S = 2.0


async def make_bench(settings: Settings, embedder: Embedder) -> Bench:
    """The judges by the settings: `auto` takes the model where Ollama answers and has it, else the built-in judge."""
    built_in = BuiltInJudge(embedder)
    if settings.judge == "built-in":
        return Bench(built_in)
    if settings.judge == "auto" and not await ollama_has(settings.ollama_url, settings.ollama_model):
        return Bench(built_in)
    chat = ChatOllama(
        model=settings.ollama_model,
        base_url=settings.ollama_url,
        temperature=0,
        # Thinking models would think aloud for longer than a candidate waits.
        reasoning=False,
        # Its own default is to wait for ever.
        client_kwargs={"timeout": settings.model_timeout_s},
    )
    return Bench(built_in, ModelJudge(chat, settings.ollama_model), settings.model_timeout_s)


async def ollama_has(url: str, model: str) -> bool:
    """True when Ollama answers at this address and has the model."""
    try:
        async with httpx.AsyncClient(timeout=_REACH_TIMEOUT_S) as client:
            reply = await client.get(f"{url}/api/tags")
            reply.raise_for_status()
            names = {str(each.get("name", "")) for each in reply.json().get("models", [])}
    except (httpx.HTTPError, ValueError, AttributeError, TypeError) as error:
        _log.info("no Ollama at %s (%s): the built-in judge judges", url, type(error).__name__)
        return False
    if model in names or f"{model}:latest" in names:
        return True
    _log.warning("Ollama has no model %s (it has: %s); the built-in judge judges", model, ", ".join(sorted(names)))
    return False
