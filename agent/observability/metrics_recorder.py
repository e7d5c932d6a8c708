"""Counts and times an interview, from what the graph tells of it."""

from __future__ import annotations

from typing import Literal

from agent.observability.metrics import Metrics
from domain.verdict import Evaluation
from domain.vocabulary import Medium
from graph.intents import DetectedIntent
from graph.observer import Decision, ModelCall, Recorder
from graph.planning.plan import InterviewPlan
from rag.packs.pack import DIFFICULTIES


class MetricsRecorder(Recorder):
    """Counts and times one interview.

    Args:
        metrics: Where it is added up.
        medium: How the interview is held.
    """

    def __init__(self, metrics: Metrics, medium: Medium) -> None:
        self._metrics = metrics
        self._medium = medium
        self._turn = 0
        self._difficulty = ""
        self._judged = 0

    def interview_started(self, *, resumed: bool) -> None:
        """The interview began, or went on in this process."""
        self._metrics.interviews_started.labels(self._medium, "yes" if resumed else "no").inc()

    def interview_ended(self, reason: str) -> None:
        """The interview is over."""
        self._metrics.interviews_ended.labels(self._medium, reason).inc()

    def turn_voided(self) -> None:
        """A turn was given up; what was judged in it is no score of the candidate's."""
        self._judged = 0
        self._metrics.turns_voided.labels(self._medium).inc()

    def voice_timed(self, stage: str, seconds: float) -> None:
        """A stage of hearing or speaking took this long."""
        self._metrics.voice_seconds.labels(stage).observe(seconds)

    def plan_made(self, plan: InterviewPlan) -> None:
        """Remember where the difficulty starts."""
        self._difficulty = plan.difficulty_curve[0] if plan.difficulty_curve else ""

    def intent_detected(self, intent: DetectedIntent, *, asked: bool) -> None:  # noqa: ARG002 - the base's signature
        """Count the turn, once."""
        if intent.turn != self._turn:
            self._turn = intent.turn
            self._metrics.turns.labels(self._medium, intent.intent).inc()

    def answer_judged(self, turn: int, evaluation: Evaluation) -> None:  # noqa: ARG002 - the base class's signature
        """Count the answer by judge and outcome, and keep in mind that there is a new score."""
        outcome = "not_scored" if evaluation.scores is None else "fallback" if evaluation.fallback else "scored"
        self._metrics.answers.labels(self._medium, evaluation.judge, outcome).inc()
        self._judged += outcome == "scored"

    def supervised(self, turn: int, decision: Decision) -> None:  # noqa: ARG002
        """Observe the smoothed score when there is a new one, and count a step of the difficulty."""
        if self._judged and decision.ema is not None:
            self._judged = 0
            self._metrics.performance.labels(self._medium).observe(decision.ema)
        before, self._difficulty = self._difficulty, decision.difficulty
        if (direction := _direction(before, decision.difficulty)) != "":
            self._metrics.difficulty_changes.labels(self._medium, direction).inc()

    def retrieved(self, turn: int, *, cached: bool, grade: str, attempts: int, latency_ms: float) -> None:  # noqa: ARG002
        """Count and time a retrieval by whether the cache had it."""
        cache_label = "hit" if cached else "miss"
        self._metrics.retrievals.labels(cache_label, grade).inc()
        self._metrics.retrieval_attempts.labels(cache_label).inc(attempts)
        self._metrics.retrieval_seconds.labels(cache_label).observe(latency_ms / 1000)

    def review_requested(self, turn: int, why: str) -> None:  # noqa: ARG002
        """Count a turn that waits for a person."""
        self._metrics.reviews.labels(self._medium).inc()

    def model_called(self, call: ModelCall) -> None:
        """Count and time a model call, and its tokens."""
        of = (call.agent, call.tier, call.model)
        self._metrics.model_calls.labels(*of, "ok" if call.ok else "failed").inc()
        self._metrics.model_seconds.labels(*of).observe(call.seconds)
        self._metrics.model_tokens.labels(*of, "in").inc(call.tokens_in)
        self._metrics.model_tokens.labels(*of, "out").inc(call.tokens_out)

    def gate_failed(self, turn: int, agent: str, check: str) -> None:  # noqa: ARG002
        """Count a refused reply."""
        self._metrics.gate_failures.labels(agent).inc()

    def fell_back(self, turn: int, agent: str, why: str) -> None:  # noqa: ARG002
        """Count a path without a model."""
        self._metrics.fallbacks.labels(agent).inc()

    def stage_timed(self, turn: int, stage: str, seconds: float) -> None:  # noqa: ARG002
        """Time a node."""
        self._metrics.node_seconds.labels(self._medium, stage).observe(seconds)


def _direction(before: str, after: str) -> Literal["up", "down", ""]:
    if before not in DIFFICULTIES or after not in DIFFICULTIES or before == after:
        return ""
    return "up" if DIFFICULTIES.index(after) > DIFFICULTIES.index(before) else "down"
