"""What tests of several rooms share: settings of their own, the real models, and a whole Viva on ports of its own."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import hypothesis
import pytest

from agent.models import ModelPaths, ensure_models
from agent.processes import Stack, free_ports_settings, running_stack
from agent.settings import CONFIG_VARIABLE, ENV_PREFIX, Settings

# A busy machine is no reason to fail: the number of examples bounds a test's time, and pytest's own limit ends it.
hypothesis.settings.register_profile("viva", deadline=None)
hypothesis.settings.load_profile("viva")


@pytest.fixture(scope="session", autouse=True)
def _only_default_settings() -> Iterator[None]:
    """Keep the settings of whoever runs the tests out of them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(ENV_PREFIX)]:
            patch.delenv(name)
        patch.setenv(CONFIG_VARIABLE, "")
        yield


@pytest.fixture(scope="session")
def model_paths() -> ModelPaths:
    """The real models, verified and ready to load; they take seconds to load, so mark such tests slow."""
    return ensure_models(Settings())


@pytest.fixture
async def stack(tmp_path: Path) -> AsyncIterator[Stack]:
    """livekit-server, worker and web, all ready, on free ports and an empty data folder; mark such tests slow.

    It starts anew for each test, which takes about ten seconds, because its processes are followed by the test's own
    event loop. Tests that need several interviews hold them in one test or use `running_stack` themselves.
    """
    async with running_stack(free_ports_settings(tmp_path / "data")) as running:
        yield running
