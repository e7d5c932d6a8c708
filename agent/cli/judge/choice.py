"""Judges for work outside an interview: one by its name, or the one that the settings put in force."""

from __future__ import annotations

import time
from typing import Literal

from agent.interviews.language_models import make_judge_panel, make_models
from agent.model_files.prepare import ensure_model
from agent.settings import Settings
from domain.events import nobody
from graph.judging import BuiltInJudge, JudgePanel
from graph.judging.offline.labels import Labeller
from graph.language_models.session import InterviewModels
from rag import MiniLM

JudgeName = Literal["built-in", "model", "auto"]
"""`auto` is the judge that the settings put in force."""


class JudgeChoiceError(ValueError):
    """The judge that was asked for cannot be used; the message says why."""


async def make_named_panel(name: JudgeName, settings: Settings) -> JudgePanel:
    """The judge of a name, with the built-in judge behind a model.

    A panel with a model belongs to the event loop it is made in.

    Raises:
        JudgeChoiceError: a model is asked for, and the settings name none.
        LanguageModelError, ModelError: a model cannot be loaded.
        EncoderError, EmbedderError, OSError: the files of the built-in judge cannot be read.
    """
    chosen = settings if name == "auto" else settings.model_copy(update={"judge": name})
    shared = await make_models(chosen) if chosen.judge != "built-in" else None
    if name == "model" and shared is None:
        raise JudgeChoiceError("The settings name no language model: set complex_model, or take another --judge.")
    built_in = BuiltInJudge(embedder=_embedder(chosen))
    return make_judge_panel(chosen, built_in, InterviewModels(shared, nobody, time.time) if shared else None)


def make_labeller(settings: Settings) -> Labeller:
    """Labels answers beside model answers, as the built-in judge's encoder reads them.

    Raises:
        ModelError, EncoderError, EmbedderError: a model cannot be loaded.
    """
    return Labeller(_embedder(settings))


def _embedder(settings: Settings) -> MiniLM:
    return MiniLM.load(ensure_model(settings.embedder, settings.cache_dir, kind="embedder"))
