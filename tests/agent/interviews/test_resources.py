"""Resources: speech and the rest are loaded side by side, and what fails is told as it is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import speech
from agent.interviews import resources
from agent.model_files.prepare import ModelPaths
from agent.settings import Settings
from rag import BankError
from speech import SpeechModelError

PATIENCE_S = 20.0


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    """Loads resources with two scripted loaders, for speech and for the rest."""
    paths = ModelPaths(tmp_path, tmp_path, tmp_path, tmp_path)
    monkeypatch.setattr(resources, "ensure_models", lambda _settings: paths)

    def loading(speak: Callable[[], Any], think: Callable[[], Any]) -> Any:
        monkeypatch.setattr(speech, "load_speech_models", lambda *_, **__: speak())
        monkeypatch.setattr(resources, "_load_interview_resources", lambda _settings: think())
        return resources._load_voice_resources(Settings(data_dir=tmp_path))

    return loading


def failing(error: Exception) -> Callable[[], Any]:
    """A loader that cannot."""

    def fail() -> Any:
        raise error

    return fail


def test_speech_and_the_rest_are_loaded_side_by_side(load: Callable[..., Any]) -> None:
    """Each can wait for the other: neither begins only when the other is done."""
    meeting = threading.Barrier(2)

    loaded = load(lambda: meeting.wait(PATIENCE_S) >= 0, lambda: meeting.wait(PATIENCE_S) >= 0)

    assert (loaded.speech, loaded.interview) == (True, True)


def test_what_fails_is_told_as_it_is(load: Callable[..., Any]) -> None:
    """A thread in between changes no error; when both fail, the missing voice is told first."""
    no_voice, no_bank = SpeechModelError(Path("/voice"), "a voice", "it is missing"), BankError("the disk is full")

    for speak, think, expected in (
        (failing(no_voice), lambda: True, no_voice),
        (lambda: True, failing(no_bank), no_bank),
        (failing(no_voice), failing(no_bank), no_voice),
    ):
        with pytest.raises(type(expected)) as caught:
            load(speak, think)
        assert caught.value is expected
