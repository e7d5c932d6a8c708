"""An interview by script that is watched: what the tests of logs, metrics, traces and spans look at."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle

from langgraph.checkpoint.base import BaseCheckpointSaver

from agent.observability import bind
from bench.scripted_chat import Line, Says, ScriptedChat
from domain.events import Event
from domain.progress import Setup
from graph import Interview, build_graph
from graph.language_models.circuit_breaker import ChatTier
from graph.language_models.pool import TieredModels
from graph.language_models.session import InterviewModels
from tests.graph.fakes import Rig, spoken

MARKER = "xylophone"
"""A word that only the candidate says."""
ANSWERS = (
    f"good water is hot because of the {MARKER}",
    f"half of it is the {MARKER} and then some more about water and leaves",
    f"the {MARKER} #hint",
    f"wrong it is always a {MARKER}",
    f"good {MARKER} #easier",
    f"#clarify {MARKER}",
    f"half {MARKER} and leaves",
    "#stop",
)


class Quoting(dict[str, object]):
    """A script with something for every agent: replies of no use, each in another way, that quote what was asked."""

    def __init__(self) -> None:
        super().__init__()
        self._ways: Iterator[Callable[[str], Line]] = cycle(
            (
                lambda asked: ValueError(f"cannot make anything of {asked} {MARKER}"),
                lambda asked: f"no JSON at all: {asked} {MARKER}",
                lambda _: Says('{"topics": "' + MARKER + '", "question": 3, "summary": ["' + MARKER + '"]}'),
            )
        )

    def __contains__(self, agent: object) -> bool:
        return True

    def __missing__(self, agent: str) -> Callable[[str], Line]:
        return next(self._ways)


def quoting_models() -> TieredModels:
    """Models that are of no use, and quote what they were asked while they fail."""
    chat = ScriptedChat(script=Quoting())
    return TieredModels(
        {"complex": ChatTier(chat, "scripted-complex"), "fast": ChatTier(chat, "scripted-fast")},
        timeout_s=5.0,
        retry_wait_s=0.0,
        retry_after_s=0.0,
    )


async def hold(
    emit: Callable[[Event], None], checkpointer: BaseCheckpointSaver[str], *, models: TieredModels | None = None
) -> None:
    """Hold an interview of eight turns, from the greeting to the goodbye."""
    rig = Rig(models=InterviewModels(models, emit, time.time) if models else None, model_feedback=models is not None)
    interview = Interview(build_graph(checkpointer), replace(rig.context(), emit=emit), Setup("tea-1", "Ada", 30))
    with bind(interview_id="tea-1", turn=0):
        await spoken(interview.begin())
    for turn, answer in enumerate(ANSWERS, start=1):
        with bind(interview_id="tea-1", turn=turn):
            rig.clock.advance(30)
            await spoken(interview.answer(answer, turn))
    assert (await interview.progress()).is_over


@contextmanager
def own_logging() -> Iterator[None]:
    """Put everything about logging back afterwards."""
    root = logging.getLogger()
    loggers = [each for each in logging.root.manager.loggerDict.values() if isinstance(each, logging.Logger)]
    handlers, levels = root.handlers[:], {each: each.level for each in [root, *loggers]}
    hooks = sys.excepthook, threading.excepthook
    try:
        yield
    finally:
        root.handlers[:] = handlers
        for each in [root, *logging.root.manager.loggerDict.values()]:
            if isinstance(each, logging.Logger):
                each.setLevel(levels.get(each, logging.NOTSET))
        sys.excepthook, threading.excepthook = hooks
        logging.captureWarnings(capture=False)
