"""What tests of several rooms share: settings of their own, and the real models."""

from __future__ import annotations

import faulthandler
import gc
import os
from collections.abc import Generator, Iterator

import hypothesis
import pytest

from agent.model_files.prepare import ModelPaths, ensure_models
from agent.settings import CONFIG_VARIABLE, ENV_PREFIX, Settings
from tests.examples import QUICK

# A busy machine is no reason to fail: the number of examples bounds a test's time, and pytest's own limit ends it.
hypothesis.settings.register_profile("viva", deadline=None)
hypothesis.settings.load_profile("viva")
# What `make check` runs with: somebody waits for it. `make test` tries four times as many examples.
hypothesis.settings.register_profile("quick", deadline=None, max_examples=QUICK)

ENDS_WITHIN_S = 300


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while all is imported, which is a sixth of the time, nor in what was imported afterwards."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests measured with `record_property("figure", ...)`: numbers for a reader, no gates."""
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    properties = [found for report in reports if report.when == "call" for found in report.user_properties]
    if figures := [str(value) for name, value in properties if name == "figure"]:
        terminalreporter.section("figures")
        terminalreporter.write_line("\n".join(figures))


def pytest_unconfigure() -> None:
    """End the process even when a test left a thread behind: after five minutes it fails, and shows where each is."""
    faulthandler.dump_traceback_later(ENDS_WITHIN_S, exit=True)


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
