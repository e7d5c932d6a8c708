"""Host of interviews: opens each over what all share, one compiled graph, one place of checkpoints, the resources.

Importing this module loads LangGraph and what belongs to it, so whoever may not need it imports it late.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace

from agent.interviews.context import make_context, make_setup
from agent.interviews.driver import Driver
from agent.interviews.past import Past
from agent.interviews.resources import InterviewResources
from agent.interviews.run import InterviewRun
from agent.observability.watch import InterviewWatch
from agent.settings import Settings
from domain.events import Event, InterviewCreated
from domain.progress import Setup
from graph import Interview, InterviewContext, InterviewGraph, build_graph
from graph.checkpoints.errors import CheckpointError
from graph.checkpoints.opening import Checkpointer, open_checkpointer
from graph.checkpoints.retention import compact
from rag import Pack

_log = logging.getLogger(__name__)

MakeContext = Callable[[Pack, Callable[[Event], None], Callable[[], float]], Awaitable[InterviewContext]]
"""Puts an interview's dependencies together: for its questions, whoever takes its events, and its clock."""
MakeSetup = Callable[[str, InterviewCreated], Setup]
"""What is known of an interview when it begins."""


class InterviewHost:
    """What interviews are held with.

    Args:
        settings: the settings in force.
        graph: compiled with the checkpointer that all share.
        checkpointer: whose old checkpoints are removed after an interview.
        packs: the question packs by id.
        make_context: puts an interview's dependencies together.
        make_setup: says what is known when one begins.
    """

    def __init__(
        self,
        settings: Settings,
        graph: InterviewGraph,
        checkpointer: Checkpointer,
        *,
        packs: Mapping[str, Pack],
        make_context: MakeContext,
        make_setup: MakeSetup,
    ) -> None:
        self._settings = settings
        self._graph = graph
        self._checkpointer = checkpointer
        self._packs = packs
        self._make_context = make_context
        self._make_setup = make_setup

    async def open(
        self,
        interview_id: str,
        past: Past,
        driver: Driver,
    ) -> InterviewRun:
        """The run of an interview, begun or not.

        Args:
            interview_id: the interview.
            past: what its record knows; it was created.
            driver: who drives it.

        Raises:
            LookupError: its question pack is gone.
        """
        created = past.created
        assert created is not None, "an interview is created before it is opened"
        pack = self._packs.get(created.pack)
        if pack is None:
            there_is = ", ".join(self._packs)
            raise LookupError(f"The question pack {created.pack!r} of this interview is gone; there is: {there_is}.")
        watch = InterviewWatch(interview_id, created.medium)
        try:
            made = await self._make_context(pack, driver.record, driver.clock)
        except BaseException:
            await asyncio.to_thread(watch.close)
            raise
        context = replace(made, topic_wish=driver.topic_wish, stood_still_s=driver.stood_still_s)
        interview = Interview(self._graph, context, self._make_setup(interview_id, created))
        judges = context.judges
        return InterviewRun(
            interview, driver, past, judge=judges.name, has_model_judge=judges.model is not None, watch=watch
        )

    async def compact(self, interview_id: str) -> None:
        """Remove what is of no use when an interview is over: only its last state is needed."""
        try:
            await compact(self._checkpointer, interview_id)
        except CheckpointError as error:
            # `tidy_checkpoints` tries again, and they are removed with the interview, at the latest.
            _log.warning("old checkpoints of interview %s could not be removed: %s", interview_id, error)


async def open_host(settings: Settings, resources: InterviewResources, opened: AsyncExitStack) -> InterviewHost:
    """Open the checkpoints, and compile the graph.

    Args:
        settings: the settings in force.
        resources: what the process shares.
        opened: closes what is opened here.

    Raises:
        CheckpointError: the checkpoints cannot be opened.
    """
    checkpointer = await opened.enter_async_context(open_checkpointer(settings.checkpoints))
    graph = build_graph(
        checkpointer,
        node_timeout_s=settings.node_timeout_s + settings.slow_selector_s,
        pause_for_review=settings.human_review != "off",
    )

    async def context_for(pack: Pack, emit: Callable[[Event], None], clock: Callable[[], float]) -> InterviewContext:
        return await make_context(settings, resources, pack, emit, clock)

    def setup_for(interview_id: str, created: InterviewCreated) -> Setup:
        return make_setup(interview_id, created, settings)

    return InterviewHost(
        settings, graph, checkpointer, packs=resources.packs, make_context=context_for, make_setup=setup_for
    )
