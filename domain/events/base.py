"""Event base: what every event is made of."""

from __future__ import annotations

from domain.frozen_model import FrozenModel


class BaseEvent(FrozenModel):
    """Something that happened at a time, in seconds since the epoch."""

    at: float
