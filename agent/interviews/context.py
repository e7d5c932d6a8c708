"""Context of one interview: its dependencies, put together from what the process shares."""

from __future__ import annotations

from collections.abc import Callable

from agent.interviews.language_models import make_judge_panel, make_models, models_deadline_s
from agent.interviews.resources import InterviewResources
from agent.settings import Settings
from domain.events import Event, InterviewCreated
from domain.progress import Setup
from graph import InterviewContext
from graph.intents import ModelDetector
from graph.language_models.session import InterviewModels
from rag import Pack


async def make_context(
    settings: Settings,
    resources: InterviewResources,
    pack: Pack,
    emit: Callable[[Event], None],
    clock: Callable[[], float],
) -> InterviewContext:
    """Everything an interview's nodes work with. Models are used where the settings name some, as far as they answer.

    Args:
        settings: the settings in force.
        resources: what the process shares.
        pack: the questions of this interview.
        emit: takes what happens.
        clock: seconds since the epoch.
    """
    shared = await make_models(settings)
    models = InterviewModels(shared, emit, clock) if shared else None
    return InterviewContext(
        pack=pack,
        questions=resources.questions,
        embedder=resources.embedder,
        detector=ModelDetector(models, resources.detector) if models and settings.model_intents else resources.detector,
        judges=make_judge_panel(settings, resources.judge, models),
        clock=clock,
        emit=emit,
        models=models,
        model_deadline_s=models_deadline_s(settings),
        model_feedback=settings.model_feedback,
        patience=settings.patience,
        slow_selector_s=settings.slow_selector_s,
    )


def make_setup(interview_id: str, created: InterviewCreated, settings: Settings) -> Setup:
    """What is known of an interview when it begins, from the record of its creation."""
    return Setup(
        interview_id=interview_id,
        candidate_name=created.candidate_name,
        minutes=created.minutes,
        feedback=created.feedback,
        medium=created.medium,
        difficulty=created.difficulty,
        pace=created.pace,
        focus_topics=tuple(created.focus_topics),
        resume=created.resume,
        job_description=created.job_description,
        mode=created.mode or settings.mode,
        profile=created.profile,
        user_id=created.whose,
        known=created.known,
        asked_before=tuple(created.asked_before),
        seed=created.seed,
        review=settings.human_review,
    )
