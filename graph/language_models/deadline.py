"""Deadline of model calls: when every one must be over, and who is told of it.

They hold for one run of a node and are kept where LangGraph keeps its configuration too, in a context variable. So they
are the same for whoever asks there: the node, a judge, a detector, or a search that is a graph of its own.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from domain.events import Event

Emit = Callable[[Event], None]
"""Takes the events of calls."""


@dataclass(frozen=True, slots=True)
class _Terms:
    until_s: float = math.inf
    """By the event loop's clock."""
    emit: Emit | None = None


_NONE = _Terms()
_terms: ContextVar[_Terms] = ContextVar("terms on which language models are asked", default=_NONE)


@contextmanager
def models_within(seconds: float, emit: Emit | None = None) -> Iterator[None]:
    """Give models so many seconds in all, for every call inside. A deadline around this one that is sooner still holds.

    Args:
        seconds: from now on. What is left of them bounds each call; when nothing is, no model is asked any more.
        emit: takes the events of the calls; without one, whoever takes them around this.
    """
    around, now_s = _terms.get(), asyncio.get_running_loop().time()
    inside = _Terms(min(around.until_s, now_s + seconds), emit or around.emit)
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


def bound_emit() -> Emit | None:
    """Who takes the events of calls that are made here; None where nobody was named."""
    return _terms.get().emit
