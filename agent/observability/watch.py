"""Everything that watches one interview: metrics, traces, spans. Whoever drives an interview opens one of these."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from agent.observability.exporters import Tracing, process_tracing
from agent.observability.metrics import Metrics, process_metrics
from agent.observability.metrics_recorder import MetricsRecorder
from agent.observability.trace_store import TraceStore
from agent.observability.traces import TraceRecorder, TraceWriter
from agent.settings import Settings
from domain.events import Event, InterviewEnded, InterviewStarted, StageTimed, TurnVoided
from domain.vocabulary import Medium
from graph.observer import Recorder, Recorders

_log = logging.getLogger(__name__)

VOICE_STAGES = frozenset({"transcription_delay", "end_of_turn_delay", "llm_node_ttft", "tts_node_ttfb", "e2e_latency"})
"""Stages of hearing and speaking, as LiveKit names them; every other stage of the record is a node of the graph."""


class InterviewWatch:
    """Watches one interview, from its driver's `start` to its close.

    Its `recorder` goes into the interview's context beside the one that writes the record; `event` is called with
    everything that is put into the record. Neither blocks nor raises.

    Args:
        settings: The settings in force.
        interview_id: The interview.
        medium: How it is held.
        clock: Seconds since the epoch, also when the interview's own time is virtual.
        metrics: Where it is counted; the process's metrics by default.
        tracing: Where spans go; what the environment asks for by default.
    """

    def __init__(
        self,
        settings: Settings,
        interview_id: str,
        medium: Medium,
        *,
        clock: Callable[[], float] = time.time,
        metrics: Metrics | None = None,
        tracing: Tracing | None = None,
    ) -> None:
        self._tracing = tracing or process_tracing()
        self._metrics = MetricsRecorder(metrics or process_metrics(), medium)
        self._writer = TraceWriter(TraceStore(settings.traces_path), on_problem=_log.warning)
        recorders: list[Recorder] = [self._metrics, TraceRecorder(interview_id, self._writer.put, clock)]
        self._close_spans: Callable[[], None] = lambda: None
        if tracer := self._tracing.tracer:
            from agent.observability.spans import SpanRecorder  # noqa: PLC0415 - only where OpenTelemetry is on

            spans = SpanRecorder(tracer, {"session.id": interview_id, "viva.medium": medium}, clock)
            recorders.append(spans)
            self._close_spans = spans.close
        self.recorder: Recorder = Recorders(*recorders)

    def event(self, event: Event) -> None:
        """Take from the record what the graph does not tell: beginning and end, turns given up, times of hearing."""
        if isinstance(event, InterviewStarted):
            self._metrics.interview_started(resumed=event.resumed)
        elif isinstance(event, InterviewEnded):
            self._metrics.interview_ended(event.reason)
        elif isinstance(event, TurnVoided):
            self._metrics.turn_voided()
        elif isinstance(event, StageTimed) and event.stage in VOICE_STAGES:
            self._metrics.voice_timed(event.stage, event.seconds)

    def close(self) -> None:
        """Write and send what is waiting. Takes up to some seconds when disk or network fail: call it in a thread."""
        self._close_spans()
        self._writer.close()
        self._tracing.flush()
