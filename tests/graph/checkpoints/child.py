"""A process that holds an interview and kills itself in the middle of it, on order.

It is started once, imports everything, and forks itself for each order, so that an order costs no start of Python.
Orders come as lines of JSON and each is answered by a line when the forked process has ended. Until the fork there is
one thread only, and no event loop.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langgraph.config import get_config
from pydantic import BaseModel

from domain.events import Event, StageTimed
from domain.question import Question
from domain.say import Say
from domain.verdict import Verdict
from graph import InterviewGraph, build_graph
from graph.checkpoints.opening import Checkpointer, open_checkpointer
from tests.graph.checkpoints.conversation import CONVERSATION, interview
from tests.graph.checkpoints.states import state_of
from tests.graph.fakes import Notes, Rig, ScriptedJudge


class Order(BaseModel):
    """What one forked process has to do."""

    where: str
    """File or address of the checkpoints."""
    folder: Path
    """Where it leaves its traces."""
    until: int
    """The last turn that it holds. It goes on from where the checkpoints say that the interview stands."""
    recovers: bool = False
    """It comes after one that died, so it resumes before anything else. When no turn was cut off, the open question is
    asked again, and it holds one turn more, which shows that this left nothing behind."""
    dies_at: int | None = None
    """Number of the event, counted from 0, after which it kills itself."""


class Trace:
    """What happens, line by line in a file, so that whoever comes after a death finds it; and the death itself."""

    def __init__(self, order: Order) -> None:
        self._file = (order.folder / "trace").open("a", encoding="utf-8", buffering=1)
        self._dies_at = order.dies_at
        self._events = 0

    def note(self, kind: str, **values: Any) -> None:
        """Write down what happened."""
        self._file.write(json.dumps({"kind": kind, **values}) + "\n")

    def event(self, kind: str, **values: Any) -> None:
        """Write down what happened, and die if this is the moment."""
        self.note(kind, event=self._events, **values)
        if self._events == self._dies_at:
            os.kill(os.getpid(), signal.SIGKILL)
        self._events += 1


class TracedJudge(ScriptedJudge):
    """Leaves a line for each answer it has judged, with the node that asked it to."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace = trace

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        found = await super().verdicts(question, words)
        node = get_config()["metadata"]["langgraph_node"]
        self._trace.note("model", node=node, question=question.id, words=" ".join(words))
        return found


class TracedNotes(Notes):
    """Leaves a line for every node that has finished."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace = trace

    def __call__(self, event: Event) -> None:
        super().__call__(event)
        if isinstance(event, StageTimed):
            self._trace.event("finished", turn=event.turn, node=event.stage)


def trace_writes(saver: Checkpointer, trace: Trace) -> None:
    """Let every write of the saver be an event once it is committed."""
    put, put_writes = saver.aput, saver.aput_writes

    async def aput(config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        done = await put(config, checkpoint, metadata, new_versions)
        trace.event("checkpoint", step=metadata["step"])
        return done

    async def aput_writes(config: Any, writes: Any, task_id: str, task_path: str = "") -> None:
        await put_writes(config, writes, task_id, task_path)
        trace.event("result", node=task_path.rpartition(", ")[2])

    saver.aput, saver.aput_writes = aput, aput_writes  # type: ignore[method-assign,assignment]


async def hold(order: Order, graph: InterviewGraph) -> None:
    """Go on with the interview until its last turn is over, and leave its state."""
    trace = Trace(order)
    async with open_checkpointer(order.where if "://" in order.where else Path(order.where)) as saver:
        trace_writes(saver, trace)
        held = interview(Rig(notes=TracedNotes(trace), judge=TracedJudge(trace)), graph, saver)
        until = order.until
        if not await held.has_begun():
            await say(held.begin(), trace)
        elif order.recovers:
            progress = await held.progress()
            if not progress.cut_off:
                until = min(until + 1, len(CONVERSATION))
            await say(held.resume(), trace)
        for turn in range((await held.progress()).turn + 1, until + 1):
            await say(held.answer(CONVERSATION[turn - 1], turn), trace)
        trace.note("over", turn=until)
        (order.folder / "state").write_text(json.dumps(await state_of(held)), encoding="utf-8")


async def say(says: Any, trace: Trace) -> None:
    """Leave a line for everything that was said."""
    async for each in says:
        assert isinstance(each, Say)
        trace.note("said", said=each.kind, question=each.question_id, text=each.text)


def main() -> None:
    """Fork for each order, and tell how the forked process ended."""
    graph = build_graph(None)
    interview(Rig(), graph, None)  # what is read once for all interviews is read before the first fork
    gc.collect()
    gc.freeze()
    assert threading.active_count() == 1, "a process with threads cannot be forked"
    for line in sys.stdin:
        order = Order.model_validate_json(line)
        if (child := os.fork()) == 0:
            status = 1
            try:
                asyncio.run(hold(order, graph))
                status = 0
            except Exception:  # noqa: BLE001 (whoever gave the order shows it)
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(status)
        _, status = os.waitpid(child, 0)
        ended = {
            "killed": os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL,
            "failed": not os.WIFSIGNALED(status) and os.WEXITSTATUS(status) != 0,
        }
        sys.stdout.write(json.dumps(ended) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
