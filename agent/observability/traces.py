"""Takes an interview's traces while it goes on, and writes them behind its back."""

from __future__ import annotations

import threading
from collections.abc import Callable

from agent.observability.trace_store import Kind, Trace, TraceError, TraceStore
from graph.observer import ModelCall, Recorder

MOST_WAITING = 5000
"""Traces that are kept while they cannot be written: several hours of interview. Later ones are dropped."""
RETRY_S = 2.0


class TraceWriter:
    """Adds traces to the table in a thread of its own: putting one neither blocks nor fails.

    When the table cannot be written (a full disk), `on_problem` is called once with a sentence, and writing is tried
    again until it succeeds or the writer is closed. What is lost then is lost: the record does not depend on it.

    Args:
        store: The table; the writer closes it at its end.
        on_problem: Called from the writer's thread.
    """

    def __init__(self, store: TraceStore, on_problem: Callable[[str], None]) -> None:
        self._store = store
        self._on_problem = on_problem
        self._waiting: list[Trace] = []
        self._changed = threading.Condition()
        self._closing = False
        self._reported = False
        self._thread = threading.Thread(target=self._run, name="traces", daemon=True)
        self._thread.start()

    def put(self, trace: Trace) -> None:
        """Have a trace written. After the close it is dropped."""
        with self._changed:
            if not self._closing and len(self._waiting) < MOST_WAITING:
                self._waiting.append(trace)
                self._changed.notify()

    def close(self) -> None:
        """Write what is waiting, once, and end the thread. May be called more than once."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            batch, is_last = self._next_batch()
            if not batch:
                break
            try:
                self._store.add(batch)
            except TraceError as error:
                self._report(error)
                if is_last:
                    break
                self._put_back(batch)
        self._store.close()

    def _next_batch(self) -> tuple[list[Trace], bool]:
        """Wait for something to write, and take all there is; and whether there will be nothing more."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            batch, self._waiting = self._waiting, []
            return batch, self._closing

    def _report(self, error: TraceError) -> None:
        if not self._reported:
            self._reported = True
            self._on_problem(str(error))

    def _put_back(self, batch: list[Trace]) -> None:
        """Keep what could not be written, and wait before the next attempt, unless it is to be the last."""
        with self._changed:
            self._waiting = [*batch, *self._waiting][:MOST_WAITING]
            self._changed.wait_for(lambda: self._closing, timeout=RETRY_S)


class TraceRecorder(Recorder):
    """Notes what an interview's nodes, models and retrievals took.

    Args:
        interview_id: The interview.
        put: Takes the traces.
        clock: Seconds since the epoch.
    """

    def __init__(self, interview_id: str, put: Callable[[Trace], None], clock: Callable[[], float]) -> None:
        self._interview_id = interview_id
        self._put = put
        self._clock = clock

    def stage_timed(self, turn: int, stage: str, seconds: float) -> None:
        """A node has ended."""
        self._put(self._ended(turn, "node", stage, seconds))

    def model_called(self, call: ModelCall) -> None:
        """A model has answered, or not."""
        self._put(
            Trace(
                interview_id=self._interview_id,
                turn=call.turn,
                kind="model",
                name=call.agent,
                started_at=self._clock() - call.seconds,
                seconds=call.seconds,
                ok=call.ok,
                tier=call.tier,
                model=call.model,
                tokens_in=call.tokens_in,
                tokens_out=call.tokens_out,
                why=call.why,
            )
        )

    def retrieved(self, turn: int, *, cached: bool, grade: str, attempts: int, latency_ms: float) -> None:
        """The bank was asked."""
        came_of_it = f"{grade}, {'from the cache' if cached else f'{attempts} attempts'}"
        self._put(self._ended(turn, "retrieval", "retrieval", latency_ms / 1000, why=came_of_it))

    def gate_failed(self, turn: int, agent: str, check: str) -> None:
        """A model's reply was refused."""
        self._put(self._ended(turn, "gate", agent, 0.0, ok=False, why=check))

    def fell_back(self, turn: int, agent: str, why: str) -> None:
        """An agent went without its model."""
        self._put(self._ended(turn, "fallback", agent, 0.0, ok=False, why=why))

    def _ended(self, turn: int, kind: Kind, name: str, seconds: float, *, ok: bool = True, why: str = "") -> Trace:
        return Trace(self._interview_id, turn, kind, name, self._clock() - seconds, seconds, ok=ok, why=why)
