"""On which terms models are asked: when every call must be over, and who is told of it.

They hold for one run of a node and are kept where LangGraph keeps its configuration too, in a context variable. So they
are the same for whoever asks there: the node, a judge, a detector, or a search that is a graph of its own.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from graph.language_models.protocol import ModelObserver


@dataclass(frozen=True, slots=True)
class _Terms:
    until_s: float = math.inf
    """By the event loop's clock."""
    observer: ModelObserver | None = None


_NONE = _Terms()
_terms: ContextVar[_Terms] = ContextVar("terms on which language models are asked", default=_NONE)


@contextmanager
def models_within(seconds: float, observer: ModelObserver | None = None) -> Iterator[None]:
    """Give models so many seconds in all, for every call inside. A deadline around this one that is sooner still holds.

    Args:
        seconds: from now on. What is left of them bounds each call; when nothing is, no model is asked any more.
        observer: is told of the calls; without one, whoever is told around this.
    """
    around, now_s = _terms.get(), asyncio.get_running_loop().time()
    inside = _Terms(min(around.until_s, now_s + seconds), observer or around.observer)
    token = _terms.set(inside)
    try:
        yield
    finally:
        _terms.reset(token)


def seconds_left(at_most: float) -> float:
    """How long a model may be waited for now; zero when the time is over."""
    return max(0.0, min(at_most, _terms.get().until_s - asyncio.get_running_loop().time()))


def is_time_over() -> bool:
    """True when nothing is left for models."""
    return seconds_left(1.0) == 0.0


def bound_observer() -> ModelObserver | None:
    """Who is told of calls that are made here; None where nobody was named."""
    return _terms.get().observer
