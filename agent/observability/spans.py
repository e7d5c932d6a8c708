"""Spans for OpenTelemetry: one trace for each turn, in it its nodes, model calls and retrievals.

Spans are made when the turn is over, from its events, with the times at which things really began and ended.
They hold names and numbers, never words. Model calls have the attributes of OpenTelemetry's conventions for
generative models, so that tools show tokens and models without being told how.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from opentelemetry.context import Context
from opentelemetry.trace import NonRecordingSpan, SpanContext, SpanKind, StatusCode, Tracer, set_span_in_context

from agent.observability.metrics import VOICE_STAGES
from domain.events import (
    Event,
    FellBack,
    GateFailed,
    IntentDetected,
    ModelCalled,
    Retrieved,
    StageTimed,
    Supervised,
)

Attributes = dict[str, str | int | float | bool]
_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class _Part:
    """Something that was done in a turn."""

    name: str
    started_at: float
    ended_at: float
    attributes: Attributes
    ok: bool = True
    kind: SpanKind = SpanKind.INTERNAL


@dataclass(slots=True)
class _Turn:
    """What is known of a turn whose spans are not made yet."""

    parts: list[_Part] = field(default_factory=list)
    attributes: Attributes = field(default_factory=dict)
    gate_failures: int = 0
    fallbacks: int = 0


class SpanRecorder:
    """A listener that makes the spans of one interview.

    Args:
        tracer: Where they are made.
        about: Attributes of every turn: which interview it is of.
        clock: Seconds since the epoch.
    """

    def __init__(self, tracer: Tracer, about: Attributes, clock: Callable[[], float]) -> None:
        self._tracer = tracer
        self._about = about
        self._clock = clock
        self._open: dict[int, _Turn] = {}
        self._made: dict[int, SpanContext] = {}

    def close(self) -> None:
        """Make the spans of the last turn."""
        for number in sorted(self._open):
            self._make(number, self._open.pop(number))

    def event(self, event: Event) -> None:
        """Take what belongs to a turn. Reasons are left out: they may quote words."""
        match event:
            case IntentDetected():
                self._turn(event.turn).attributes["viva.intent"] = event.intent
            case Supervised():
                self._supervised(event)
            case StageTimed() if event.stage not in VOICE_STAGES:  # LiveKit has spans of its own for those
                self._ended(event.turn, event.stage, event.seconds, {"viva.node": event.stage})
            case Retrieved():
                found: Attributes = {
                    "viva.cached": event.cached,
                    "viva.grade": event.grade,
                    "viva.attempts": event.attempts,
                }
                self._ended(event.turn, "retrieval", event.seconds, found)
            case ModelCalled():
                self._model_called(event)
            case GateFailed():
                self._turn(event.turn).gate_failures += 1
            case FellBack():
                self._turn(event.turn).fallbacks += 1
            case _:
                pass

    def _supervised(self, event: Supervised) -> None:
        decided: Attributes = {
            "viva.goes_on": event.goes_on,
            "viva.difficulty": event.difficulty,
            "viva.question_count": event.question_count,
        }
        if event.ema is not None:
            decided["viva.ema"] = event.ema
        self._turn(event.turn).attributes |= decided

    def _model_called(self, call: ModelCalled) -> None:
        about: Attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": call.model,
            "gen_ai.agent.name": call.agent,
            "gen_ai.usage.input_tokens": call.tokens_in,
            "gen_ai.usage.output_tokens": call.tokens_out,
            "viva.tier": call.tier,
        }
        self._ended(call.turn, f"chat {call.model}", call.seconds, about, ok=call.ok, kind=SpanKind.CLIENT)

    def _turn(self, number: int) -> _Turn:
        """The turn, open; those before it are over when a later one begins."""
        if number not in self._open and number not in self._made:
            for earlier in sorted(each for each in self._open if each < number):
                self._make(earlier, self._open.pop(earlier))
        return self._open.setdefault(number, _Turn())

    def _ended(
        self,
        turn: int,
        name: str,
        seconds: float,
        attributes: Attributes,
        *,
        ok: bool = True,
        kind: SpanKind = SpanKind.INTERNAL,
    ) -> None:
        now = self._clock()
        self._turn(turn).parts.append(_Part(name, now - seconds, now, attributes, ok, kind))

    def _make(self, number: int, turn: _Turn) -> None:
        if not turn.parts:
            return
        if number in self._made:  # told after the turn was over: it belongs to the turn's trace all the same
            self._make_parts(turn, set_span_in_context(NonRecordingSpan(self._made[number])))
            return
        counts = {"viva.gate_failures": turn.gate_failures, "viva.fallbacks": turn.fallbacks}
        span = self._tracer.start_span(
            "turn",
            context=Context(),
            start_time=_ns(min(part.started_at for part in turn.parts)),
            attributes={**self._about, "viva.turn": number, **turn.attributes, **counts},
        )
        self._made[number] = span.get_span_context()
        self._make_parts(turn, set_span_in_context(span, Context()))
        span.end(_ns(max(part.ended_at for part in turn.parts)))

    def _make_parts(self, turn: _Turn, parent: Context) -> None:
        for part in turn.parts:
            attributes: dict[str, Any] = {**self._about, **part.attributes}
            span = self._tracer.start_span(
                part.name, parent, kind=part.kind, attributes=attributes, start_time=_ns(part.started_at)
            )
            if not part.ok:
                span.set_status(StatusCode.ERROR)
            span.end(_ns(part.ended_at))


def _ns(seconds: float) -> int:
    return int(seconds * _NS)
