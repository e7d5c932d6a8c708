"""What tests of the agent share: a real livekit-server, and a real Ollama with a very small model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent.interviews import profiles as profiles_module
from agent.settings import Settings
from tests.agent.livekit_server import running_livekit
from tests.agent.ollama_server import OllamaServer, running_ollama
from tests.rag.fakes import HashedWords


@pytest.fixture
def profiles_by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Profiles are embedded by the words that they share; no model is loaded."""
    monkeypatch.setattr(profiles_module, "profile_embedder", lambda _: HashedWords())


@pytest.fixture(scope="module")
def livekit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A running livekit-server; mark such tests slow."""
    with running_livekit(tmp_path_factory.mktemp("livekit")) as settings:
        yield settings


@pytest.fixture(scope="session")
def ollama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OllamaServer]:
    """A running Ollama with the model of the tests; mark such tests slow. Whoever kills it starts it again."""
    with running_ollama(tmp_path_factory.mktemp("ollama")) as server:
        yield server
