"""Speculation on a fork of the thread: the answer seems to be over, so work on it begins, and counts only if it is.

The turn runs on a fork of the interview's thread. The fork is kept in memory, because a guess is worth nothing to
another process: until it is adopted, neither the checkpoints nor the record know of it, and a crash leaves nothing of
it behind. Adopting it makes its newest checkpoint the thread's newest by a single write, emits the events
that it held back, and lets what is still running go on in the thread itself.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph

from domain.events import Event
from domain.say import Say
from graph.checkpoints.queries import head_of
from graph.context import InterviewContext
from graph.state import InterviewState

TAG = "speculation"
"""Tag of the runs of guesses, for whoever traces them."""


class SpeculationError(RuntimeError):
    """The guess cannot become a turn. Hand the answer over as usual."""


class HeadMovedError(SpeculationError):
    """The interview went on since the guess was made, so it is no longer about the present."""


async def speculate(
    graph: CompiledStateGraph[InterviewState, InterviewContext, InterviewState, InterviewState],
    config: RunnableConfig,
    context: InterviewContext,
    update: InterviewState,
    on_first: Callable[[Say], None] | None = None,
) -> Speculation:
    """Begin a turn on a fork of the thread; it runs by itself from here on.

    Args:
        graph: compiled with the interview's checkpointer.
        config: the interview's own, with its thread id and no checkpoint id.
        context: the interview's own; nothing is emitted before the guess is adopted.
        update: what a real turn would hand to the graph: the words, the number of the turn, the message.
        on_first: told the first thing that the turn has to say, as soon as it is known: its sound can be prepared.

    Raises:
        SpeculationError: the interview has not begun.
    """
    saver = graph.checkpointer
    assert isinstance(saver, BaseCheckpointSaver), "an interview is compiled with a checkpointer"
    base = await saver.aget_tuple(config)
    if base is None:
        raise SpeculationError("there is nothing to speculate on: the interview has not begun")
    fork = _Fork(saver, base)
    held = _HeldEvents(context.emit)
    run = graph.copy({"checkpointer": fork}).astream(
        update,
        {**config, "tags": [*(config.get("tags") or ()), TAG]},
        context=dataclasses.replace(context, emit=held),
        stream_mode="custom",
        durability="sync",
    )
    return Speculation(fork, held, run, on_first)


class Speculation:
    """A turn that may become real. Adopt it or drop it; what is neither is dropped with the process."""

    def __init__(
        self, fork: _Fork, held: _HeldEvents, run: AsyncIterator[Any], on_first: Callable[[Say], None] | None = None
    ) -> None:
        self._fork = fork
        self._on_first = on_first
        self._held = held
        self._says: asyncio.Queue[Say | None] = asyncio.Queue()
        self._settled = False
        self._task = asyncio.get_running_loop().create_task(self._follow(run), name="speculation")

    @property
    def has_failed(self) -> bool:
        """Whether it ended with an exception. It can be dropped, and the real turn gets a chance of its own."""
        return self._task.done() and not self._task.cancelled() and self._task.exception() is not None

    async def adopt(self) -> AsyncIterator[Say]:
        """Make it the interview's turn; back comes what a real turn would have said, as soon as it may be heard.

        What is still running goes on, and writes into the thread from now on. Stopping the iterator stops it, as it
        stops a real turn.

        Raises:
            HeadMovedError: the interview went on meanwhile; nothing was emitted, and the guess is dropped.
            SpeculationError: it was adopted or dropped before.
            Exception: what the turn itself failed with, after what it said until then.
        """
        if self._settled:
            raise SpeculationError("this guess was adopted or dropped before")
        self._settled = True
        try:
            await self._fork.adopt()
            self._held.release()  # nothing is awaited in between: who has the turn in the state has it in the record
            while (say := await self._says.get()) is not None:
                yield say
            await self._task
        finally:
            await self._stop()

    async def drop(self) -> None:
        """Stop it and forget it. Nothing happens when it was adopted."""
        if not self._settled:
            self._settled = True
            await self._stop()

    async def _follow(self, run: AsyncIterator[Any]) -> None:
        try:
            async with aclosing(run) as says:  # type: ignore[type-var]
                async for say in says:
                    assert isinstance(say, Say)
                    self._says.put_nowait(say)
                    if self._on_first:
                        self._on_first(say)
                        self._on_first = None
        finally:
            self._says.put_nowait(None)

    async def _stop(self) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])
        if not self._task.cancelled():
            self._task.exception()  # looked at, so that nobody is told that it was not


class _Fork(InMemorySaver):
    """Checkpoints of a guess: in memory until it is adopted, in the thread itself from then on."""

    def __init__(self, thread: BaseCheckpointSaver[str], base: CheckpointTuple) -> None:
        super().__init__(serde=thread.serde)
        self._thread = thread
        self._base = base
        self._adopted = False
        self._passage = asyncio.Lock()
        """Held while something is written, so that nothing is written between what adoption reads and the end of it."""
        self._pending: dict[str, list[Callable[[BaseCheckpointSaver[str]], Any]]] = {}
        """By checkpoint: the results of nodes that it does not hold yet, as they were written."""
        self._thread_id = str(base.config["configurable"]["thread_id"])
        self.put(_parent(base), base.checkpoint, base.metadata, base.checkpoint["channel_versions"])
        for task_id in dict.fromkeys(write[0] for write in base.pending_writes or ()):
            writes = [(channel, value) for task, channel, value in base.pending_writes or () if task == task_id]
            self.put_writes(base.config, writes, task_id)

    def get_next_version(self, current: str | None, channel: None) -> str:
        return self._thread.get_next_version(current, channel)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        async with self._passage:
            if self._adopted:
                return await self._thread.aput(config, checkpoint, metadata, new_versions)
            return self.put(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        async with self._passage:
            if self._adopted:
                await self._thread.aput_writes(config, writes, task_id, task_path)
                return
            self.put_writes(config, writes, task_id, task_path)
            write = partial(_write, config=config, writes=writes, task_id=task_id, task_path=task_path)
            self._pending.setdefault(config["configurable"]["checkpoint_id"], []).append(write)

    async def adopt(self) -> None:
        """Make the newest checkpoint the thread's newest, by one write; everything after it is written there at once.

        It keeps its id, because the results of nodes that have finished since belong to that id. They are written
        first: without the checkpoint they mean nothing, so whenever it is cut off, the thread has its old head or the
        new one.

        Raises:
            HeadMovedError: the thread has another head than the one that was forked.
        """
        async with self._passage:
            base_id = self._base.checkpoint["id"]
            if await head_of(self._thread, self._thread_id) != base_id:
                raise HeadMovedError("the interview went on since this guess was made")
            newest = self.get_tuple({"configurable": {"thread_id": self._thread_id, "checkpoint_ns": ""}})
            assert newest is not None
            newest_id = newest.checkpoint["id"]
            for write in self._pending.get(newest_id, ()):
                await write(self._thread)
            if newest_id != base_id:
                await self._thread.aput(self._base.config, newest.checkpoint, newest.metadata, self._changed(newest))
                # Ids grow with time: had a real turn begun meanwhile, its checkpoint would be newer than this one.
                if await head_of(self._thread, self._thread_id) != newest_id:
                    raise HeadMovedError("the interview went on while this guess was adopted")
            self._adopted = True

    def _changed(self, newest: CheckpointTuple) -> ChannelVersions:
        before = self._base.checkpoint["channel_versions"]
        after = newest.checkpoint["channel_versions"]
        return {channel: version for channel, version in after.items() if before.get(channel) != version}


class _HeldEvents:
    """The events of a guess, in order, held back until they have happened: those of a dropped one never do."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._events: list[Event] | None = []

    def __call__(self, event: Event) -> None:
        """Hold an event back; after the release, pass it on."""
        if self._events is None:
            self._emit(event)
        else:
            self._events.append(event)

    def release(self) -> None:
        """Emit what was held, and hold nothing back from now on."""
        events, self._events = self._events or [], None
        for event in events:
            self._emit(event)


async def _write(
    saver: BaseCheckpointSaver[str],
    *,
    config: RunnableConfig,
    writes: Sequence[tuple[str, Any]],
    task_id: str,
    task_path: str,
) -> None:
    await saver.aput_writes(config, writes, task_id, task_path)


def _parent(base: CheckpointTuple) -> RunnableConfig:
    """Where the forked checkpoint hangs, as `put` wants it."""
    configurable = {**base.config["configurable"], "checkpoint_id": None}
    if base.parent_config is not None:
        configurable["checkpoint_id"] = base.parent_config["configurable"]["checkpoint_id"]
    return {"configurable": configurable}
