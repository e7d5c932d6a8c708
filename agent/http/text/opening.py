"""Loads what interviews by text are held with: models, bank, checkpoints, the compiled graph. It takes seconds."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import AsyncExitStack

from agent.http.text.host import GraphHost
from agent.interviews.context import make_context, make_setup
from agent.interviews.resources import load_mind
from agent.model_files.prepare import ModelError
from agent.settings import Settings
from domain.events import Event, InterviewCreated
from domain.progress import Setup
from graph import InterviewContext, build_graph
from graph.checkpoints.errors import CheckpointError
from graph.checkpoints.opening import open_checkpointer
from rag import BankError, EmbedderError, Pack, PackError

EXPECTED = (ModelError, EmbedderError, PackError, BankError, CheckpointError, OSError, sqlite3.Error)
"""What can be wrong with a machine when interviews are made ready; each has a sentence that says what to do."""


async def open_host(settings: Settings, opened: AsyncExitStack) -> GraphHost:
    """Load the models and open the checkpoints, without holding up anything else meanwhile.

    Args:
        settings: the settings in force.
        opened: closes what is opened here.

    Raises:
        ModelError, EmbedderError, PackError, BankError, CheckpointError: one of `EXPECTED`.
    """
    mind = await asyncio.to_thread(load_mind, settings)
    checkpointer = await opened.enter_async_context(open_checkpointer(settings.checkpoints))
    graph = build_graph(
        checkpointer,
        node_timeout_s=settings.node_timeout_s + settings.slow_selector_s,
        pause_for_review=settings.human_review != "off",
    )

    async def context_for(pack: Pack, emit: Callable[[Event], None], clock: Callable[[], float]) -> InterviewContext:
        return await make_context(settings, mind, pack, emit, clock)

    def setup_for(session_id: str, created: InterviewCreated) -> Setup:
        return make_setup(session_id, created, settings)

    return GraphHost(settings, graph, checkpointer, packs=mind.packs, make_context=context_for, make_setup=setup_for)
