"""Watch of one interview: its metrics and spans. Whoever drives an interview opens one, and tells it every event."""

from __future__ import annotations

import time
from collections.abc import Callable

from agent.observability.exporters import Tracing, process_tracing
from agent.observability.metrics import Metrics, process_metrics
from agent.observability.metrics_recorder import MetricsRecorder
from domain.events import Event
from domain.vocabulary import Medium


class InterviewWatch:
    """Watches one interview, from its driver's `start` to its close.

    `event` is a listener of everything that is put into the record. It neither blocks nor raises.

    Args:
        interview_id: The interview.
        medium: How it is held.
        clock: Seconds since the epoch, also when the interview's own time is virtual.
        metrics: Where it is counted; the process's metrics by default.
        tracing: Where spans go; what the environment asks for by default.
    """

    def __init__(
        self,
        interview_id: str,
        medium: Medium,
        *,
        clock: Callable[[], float] = time.time,
        metrics: Metrics | None = None,
        tracing: Tracing | None = None,
    ) -> None:
        self._tracing = tracing or process_tracing()
        self._listeners: tuple[Callable[[Event], None], ...] = (
            MetricsRecorder(metrics or process_metrics(), medium).event,
        )
        self._close_spans: Callable[[], None] = lambda: None
        if tracer := self._tracing.tracer:
            from agent.observability.spans import SpanRecorder  # noqa: PLC0415 - only where OpenTelemetry is on

            spans = SpanRecorder(tracer, {"session.id": interview_id, "viva.medium": medium}, clock)
            self._listeners = (*self._listeners, spans.event)
            self._close_spans = spans.close

    def event(self, event: Event) -> None:
        """Tell everyone who watches."""
        for listener in self._listeners:
            listener(event)

    def close(self) -> None:
        """Send what is waiting. Takes up to some seconds when the network fails: call it in a thread."""
        self._close_spans()
        self._tracing.flush()
