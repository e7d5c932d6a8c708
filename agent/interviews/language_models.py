"""Language models that the settings name, loaded, looked at, and given to interviews; and the judges they make.

A model is whatever LangChain's `init_chat_model` loads. Ollama's are asked for first whether they are there; of other
providers that shows when they are used.
"""

from __future__ import annotations

import logging
import ssl
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import httpx
from langchain.chat_models import init_chat_model

from agent.settings import Settings
from domain.vocabulary import Tier
from graph.judging import Judge, JudgePanel, ModelJudge
from graph.judging.llm_judge import EVALUATOR
from graph.language_models.circuit_breaker import ChatTier
from graph.language_models.pool import TieredModels
from graph.language_models.session import InterviewModels

_log = logging.getLogger(__name__)

_REACH_TIMEOUT_S = 2.0
_DEADLINE_MARGIN_S = 3.0
"""What is left of a node's time-out when models are given up, to go on by rule."""
_SPARE_MARGIN_S = 1.0
"""What is left of that for the other tier when one hangs."""
_CONTEXT_TOKENS = 8192
"""Ollama's own default cuts off the beginning of a prompt with a long résumé without a word."""
_MOST_TOKENS = 1024
"""Of a reply: a model that does not find an end is stopped."""


class LanguageModelError(RuntimeError):
    """A language model that the settings name cannot be loaded; the message says which and what to do."""


def models_deadline_s(settings: Settings) -> float:
    """Seconds of a node's time that models may take in all. The rest, at most half of it, is for going by rule."""
    return max(settings.node_timeout_s / 2, settings.node_timeout_s - _DEADLINE_MARGIN_S)


async def make_models(settings: Settings, clock: Callable[[], float] = time.monotonic) -> TieredModels | None:
    """The language models of an interview; None when the settings name none: then everything goes by rule.

    They belong to the event loop they are made in. One that does not answer now rests, and whoever wants it after that
    looks again whether it is there: an Ollama that starts later still serves this interview.

    Args:
        settings: they name the models, and limit how long one may take.
        clock: seconds that only grow.

    Raises:
        LanguageModelError: one of them cannot be loaded.
    """
    tiers = {tier: load_tier(f"{tier}_model", name, settings) for tier, name in _named(settings).items()}
    if not tiers:
        return None
    deadline_s = models_deadline_s(settings)
    one_s = max(deadline_s / 2, deadline_s - _SPARE_MARGIN_S)
    models = TieredModels(tiers, clock=clock, timeout_s=min(settings.model_timeout_s, one_s))
    there = await models.check_health()
    _log.info("language models: %s", ", ".join(f"{name} {'answers' if ok else 'away'}" for name, ok in there.items()))
    return models


def import_providers(settings: Settings) -> None:
    """Import what the models of the settings need: half a second that the first interview should not stall for."""
    for tier, name in _named(settings).items():
        try:
            load_tier(f"{tier}_model", name, settings)
        except LanguageModelError as error:
            _log.warning("%s", error)


def _named(settings: Settings) -> dict[Tier, str]:
    named: dict[Tier, str] = {"complex": settings.complex_model, "fast": settings.fast_model}
    return {tier: name for tier, name in named.items() if name}


def make_judge_panel(settings: Settings, built_in: Judge, models: InterviewModels | None) -> JudgePanel:
    """The judges by the settings: `auto` takes a model as soon as one was there, and the built-in judge until then.

    A host who insists on a model judge has every answer say that the built-in judge took over, until one is there.
    """
    deadline_s = models_deadline_s(settings)
    if models is None or settings.judge == "built-in":
        return JudgePanel(built_in, built_in_timeout_s=deadline_s)
    judge = ModelJudge(
        models,
        partial(models.model_of, EVALUATOR.name, EVALUATOR.tier),
        reflection_s=deadline_s / 3,
        insists=settings.judge == "model",
    )
    return JudgePanel(built_in, judge, deadline_s, deadline_s)


def load_tier(setting: str, name: str, settings: Settings) -> ChatTier:
    """The model of a tier, ready to be asked.

    Args:
        setting: the setting that names it, for messages.
        name: provider and model, such as `ollama:qwen2.5:7b`.
        settings: Ollama's address and the time-out.

    Raises:
        LanguageModelError: LangChain knows no such provider, or its package is not installed.
    """
    provider, _, model = name.partition(":")
    options: dict[str, Any] = {"temperature": 0}
    if provider == "ollama":
        options |= {
            "base_url": settings.ollama_url,
            # Thinking models would think aloud for longer than a candidate waits.
            "reasoning": False,
            "num_ctx": _CONTEXT_TOKENS,
            "num_predict": _MOST_TOKENS,
            # Its own default unloads a model while a candidate thinks for five minutes.
            "keep_alive": "30m",
            "client_kwargs": {
                # Its own default is to wait for ever.
                "timeout": settings.model_timeout_s,
                # The address is the setting's: proxies are for the internet.
                "trust_env": False,
                "verify": _trusted(),
                # Nobody closes the client when the interview is over, so it holds no connection between calls.
                "limits": httpx.Limits(max_keepalive_connections=0),
            },
        }
    try:
        chat = init_chat_model(model, model_provider=provider, **options)
    except (ImportError, ValueError) as error:
        said = " ".join(str(error).split())
        raise LanguageModelError(f"The setting {setting} is {name!r}, which cannot be loaded. {said}") from error
    if provider == "ollama":
        return ChatTier(chat, model, partial(ollama_has, settings.ollama_url, model))
    return ChatTier(chat, name)


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates that servers are trusted by: reading them takes 25 ms, and an interview has five clients."""
    return httpx.create_ssl_context(trust_env=False)


async def ollama_has(url: str, model: str) -> bool:
    """True when Ollama answers at this address and has the model."""
    try:
        async with httpx.AsyncClient(timeout=_REACH_TIMEOUT_S, trust_env=False, verify=_trusted()) as client:
            reply = await client.get(f"{url}/api/tags")
        names = names_in(reply)
    except (httpx.HTTPError, ValueError) as error:
        _log.info("no Ollama at %s (%s)", url, type(error).__name__)
        return False
    if is_among(model, names):
        return True
    _log.warning("Ollama has no model %s (it has: %s)", model, ", ".join(sorted(names)) or "none")
    return False


def names_in(reply: httpx.Response) -> frozenset[str]:
    """Names of the models in Ollama's answer to /api/tags.

    Raises:
        httpx.HTTPStatusError: it refused to answer.
        ValueError: it is not Ollama that answered.
    """
    reply.raise_for_status()
    try:
        return frozenset(str(model["name"]) for model in reply.json()["models"])
    except (KeyError, TypeError) as error:
        raise ValueError("this is not how Ollama answers") from error


def is_among(model: str, names: frozenset[str]) -> bool:
    """True when Ollama has a model of this name; a name without a tag means `latest`."""
    return model in names or f"{model}:latest" in names
