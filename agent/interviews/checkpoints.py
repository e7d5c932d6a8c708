"""Checkpoint retention: all of them until the interview is over, its newest until it is deleted.

What works on them takes a second to import and 50 MB, so it is loaded when there is something to work on.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from agent.settings import Settings
from review import RecordError, RecordStore

if TYPE_CHECKING:
    from graph.checkpoints.opening import Checkpointer

_log = logging.getLogger(__name__)


def forget_checkpoints(settings: Settings) -> Callable[[str], None]:
    """What has to be called with an interview's id when the interview is deleted; not within an event loop.

    The function raises RecordError when the checkpoints cannot be removed: then the interview is not to be deleted
    either, so that somebody sees it and tries again.
    """

    async def forget_one(interview_id: str) -> None:
        async with _opened(settings) as saver:
            from graph.checkpoints.retention import forget  # noqa: PLC0415 - loaded by the line before

            await forget(saver, interview_id)

    def forget(interview_id: str) -> None:
        if not _has_any(settings):
            return
        try:
            asyncio.run(forget_one(interview_id))
        except RecordError as error:
            raise RecordError(f"{error} The interview stays in the list: mend that, and delete it again.") from error

    return forget


async def tidy_checkpoints(settings: Settings, store: RecordStore) -> None:
    """Remove what was left: of interviews that were deleted, and of those that ended without being compacted.

    Only what the record says was deleted is removed. A database may hold the checkpoints of others, too, of whom this
    record knows nothing.

    Raises:
        RecordError: the record could not be read, or the checkpoints could not be removed.
    """
    if not _has_any(settings):
        return

    async def over(interviews: Collection[str]) -> Collection[str]:
        return await asyncio.to_thread(lambda: [each for each in interviews if store.status(each) == "ended"])

    async def still_there(interviews: Collection[str]) -> Collection[str]:
        return set(interviews) - await asyncio.to_thread(store.deleted)

    async with _opened(settings) as saver:
        from graph.checkpoints.retention import compact_all, sweep  # noqa: PLC0415 - loaded by the line before

        removed = await sweep(saver, still_there) + await compact_all(saver, over)
    if removed.checkpoints:
        _log.info("removed %d old checkpoints, all of %d deleted interviews", removed.checkpoints, removed.threads)


def _has_any(settings: Settings) -> bool:
    return bool(settings.checkpoint_url) or settings.checkpoint_path.exists()


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[Checkpointer]:
    """The place of the checkpoints, opened for a moment; what is wrong with it is said as the record says it."""
    await asyncio.to_thread(importlib.import_module, "graph.checkpoints.retention")
    from graph.checkpoints.errors import CheckpointError  # noqa: PLC0415 - loaded by the line before
    from graph.checkpoints.opening import open_checkpointer  # noqa: PLC0415 - loaded by the line before

    try:
        async with open_checkpointer(settings.checkpoints) as saver:
            yield saver
    except CheckpointError as error:
        raise RecordError(str(error)) from error
