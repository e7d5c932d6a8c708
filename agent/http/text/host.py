"""Opens interviews over what they share: one compiled graph, one place of checkpoints, one mind.

Importing this module loads LangGraph and what belongs to it, so whoever may not need it imports it late.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from agent.observability.watch import InterviewWatch
from agent.settings import Settings
from domain.events import Event, InterviewCreated
from domain.progress import Setup
from graph import Interview, InterviewContext, InterviewGraph
from graph.checkpoints.errors import CheckpointError
from graph.checkpoints.opening import Checkpointer
from graph.checkpoints.retention import compact
from rag import Pack

_log = logging.getLogger(__name__)

MakeContext = Callable[[Pack, Callable[[Event], None], Callable[[], float]], Awaitable[InterviewContext]]
"""Puts an interview's dependencies together: for its questions, whoever takes its events, and its clock."""
MakeSetup = Callable[[str, InterviewCreated], Setup]
"""What is known of an interview when it begins."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An interview, ready to go on."""

    interview: Interview
    judge: str
    """Which judge is in force."""
    watch: InterviewWatch
    """Counts, and makes spans; is told every event, and closed in a thread."""


class GraphHost:
    """What interviews by text are held with.

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
        session_id: str,
        created: InterviewCreated,
        *,
        emit: Callable[[Event], None],
        clock: Callable[[], float],
    ) -> Opened:
        """The graph's thread of a session, begun or not, with what belongs to it.

        Args:
            session_id: the session.
            created: what was asked for.
            emit: takes what happens, as it happens.
            clock: the session's time.

        Raises:
            LookupError: its question pack is gone.
        """
        pack = self._packs.get(created.pack)
        if pack is None:
            there_is = ", ".join(self._packs)
            raise LookupError(f"The question pack {created.pack!r} of this interview is gone; there is: {there_is}.")
        watch = InterviewWatch(session_id, "text")
        try:
            context = await self._make_context(pack, emit, clock)
        except BaseException:
            await asyncio.to_thread(watch.close)
            raise
        interview = Interview(self._graph, context, self._make_setup(session_id, created))
        return Opened(interview, context.judges.name, watch)

    async def close_session(self, session_id: str) -> None:
        """Remove what is of no use when an interview is over."""
        try:
            await compact(self._checkpointer, session_id)
        except CheckpointError as error:
            # `tidy_checkpoints` tries again, and they are removed with the interview, at the latest.
            _log.warning("old checkpoints of interview %s could not be removed: %s", session_id, error)
