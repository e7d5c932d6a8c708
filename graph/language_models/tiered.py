"""Tiered models: the language models of a process, and what each interview has of them."""

from __future__ import annotations

from graph.language_models.pool import ModelPool
from graph.language_models.protocol import ModelObserver
from graph.language_models.session import InterviewModels


class TieredModels(ModelPool):
    """A pool that interviews are given models from. What one may use up, and whom it tells, is its own."""

    def for_interview(self, observer: ModelObserver) -> InterviewModels:
        """These models for one interview, which has its own circuit breaker and its own observer."""
        return InterviewModels(self, observer)
