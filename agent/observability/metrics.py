"""Metrics of interviews for Prometheus. `docs/observability.md` lists every name.

Each metric has labels, also where one would do without: in Prometheus' multi-process mode a metric without labels opens
its file when the module is imported, before LiveKit clears the folder, and is lost.
"""

from __future__ import annotations

from functools import cache

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram

VOICE_STAGES = frozenset({"transcription_delay", "end_of_turn_delay", "llm_node_ttft", "tts_node_ttfb", "e2e_latency"})
"""Stages of hearing and speaking, as LiveKit names them; every other stage that is timed is a node of the graph."""

_NODE_BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30)
_MODEL_BUCKETS_S = (0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 12, 15, 30)
_RETRIEVAL_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.03, 0.1, 0.3, 1, 3, 10)
_VOICE_BUCKETS_S = (0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10)
_SCORE_BUCKETS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)


class Metrics:
    """All metrics of a process.

    Args:
        registry: Where they are read from; Prometheus' own by default, which also has those of LiveKit and Python.
    """

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        def counter(name: str, what: str, *labels: str) -> Counter:
            return Counter(f"viva_{name}", what, labels, registry=registry)

        def histogram(name: str, what: str, *labels: str, buckets: tuple[float, ...]) -> Histogram:
            return Histogram(f"viva_{name}", what, labels, registry=registry, buckets=buckets)

        self.interviews_started = counter("interviews_started", "Interviews begun or resumed", "medium", "resumed")
        self.interviews_ended = counter("interviews_ended", "Interviews that ended", "medium", "reason")
        self.turns = counter("turns", "Turns of candidates", "medium", "intent")
        self.turns_voided = counter("turns_voided", "Turns that failed and were given up", "medium")
        self.answers = counter("answers", "Answers by who judged them and how that went", "medium", "judge", "outcome")
        self.node_seconds = histogram(
            "node_duration_seconds", "Time a node took", "medium", "node", buckets=_NODE_BUCKETS_S
        )
        self.voice_seconds = histogram(
            "voice_latency_seconds", "Time a stage of hearing or speaking took", "stage", buckets=_VOICE_BUCKETS_S
        )
        self.model_calls = counter("model_calls", "Calls of language models", "agent", "tier", "model", "outcome")
        self.model_seconds = histogram(
            "model_call_duration_seconds", "Time a call took", "agent", "tier", "model", buckets=_MODEL_BUCKETS_S
        )
        self.model_tokens = counter("model_tokens", "Tokens sent and received", "agent", "tier", "model", "direction")
        self.gate_failures = counter("gate_failures", "Replies of models that were refused", "agent")
        self.fallbacks = counter("fallbacks", "Times that an agent went without its model", "agent")
        self.retrievals = counter("retrievals", "Questions asked of the bank", "cache", "grade")
        self.retrieval_attempts = counter("retrieval_attempts", "Searches made for them", "cache")
        self.retrieval_seconds = histogram(
            "retrieval_duration_seconds", "Time a retrieval took", "cache", buckets=_RETRIEVAL_BUCKETS_S
        )
        self.difficulty_changes = counter("difficulty_changes", "Steps of the difficulty", "medium", "direction")
        self.performance = histogram(
            "performance_ema", "Smoothed score of a candidate after an answer", "medium", buckets=_SCORE_BUCKETS
        )
        self.reviews = counter("review_requests", "Turns that waited for a person", "medium")


@cache
def process_metrics() -> Metrics:
    """The metrics of this process."""
    return Metrics()
