"""Metrics recorder: a listener that counts and times an interview, from its events."""

from __future__ import annotations

from typing import Literal

from agent.observability.metrics import VOICE_STAGES, Metrics
from domain.events import (
    AnswerJudged,
    Event,
    FellBack,
    GateFailed,
    IntentDetected,
    InterviewEnded,
    InterviewStarted,
    ModelCalled,
    PlanMade,
    Retrieved,
    ReviewRequested,
    StageTimed,
    Supervised,
    TurnVoided,
)
from domain.vocabulary import DIFFICULTIES, Difficulty, Medium


class MetricsRecorder:
    """Counts and times one interview.

    Args:
        metrics: Where it is added up.
        medium: How the interview is held.
    """

    def __init__(self, metrics: Metrics, medium: Medium) -> None:
        self._metrics = metrics
        self._medium = medium
        self._turn = 0
        self._difficulty: Difficulty | Literal[""] = ""
        self._judged = 0

    def event(self, event: Event) -> None:
        """Take what is counted or timed, and what later counts depend on."""
        match event:
            case StageTimed() | ModelCalled() | Retrieved():
                self._time(event)
            case PlanMade():
                self._difficulty = next(iter(event.difficulty_curve), "")
            case IntentDetected() if event.turn != self._turn:  # a turn that is finished after a crash is told twice
                self._turn = event.turn
                self._metrics.turns.labels(self._medium, event.intent).inc()
            case AnswerJudged():
                self._judged_answer(event)
            case Supervised():
                self._supervised(event)
            case TurnVoided():
                self._judged = 0  # what was judged in it is no score of the candidate's
                self._metrics.turns_voided.labels(self._medium).inc()
            case _:
                self._count(event)

    def _count(self, event: Event) -> None:
        match event:
            case InterviewStarted():
                self._metrics.interviews_started.labels(self._medium, "yes" if event.resumed else "no").inc()
            case InterviewEnded():
                self._metrics.interviews_ended.labels(self._medium, event.reason).inc()
            case ReviewRequested():
                self._metrics.reviews.labels(self._medium).inc()
            case GateFailed():
                self._metrics.gate_failures.labels(event.agent).inc()
            case FellBack():
                self._metrics.fallbacks.labels(event.agent).inc()
            case _:
                pass

    def _time(self, event: StageTimed | ModelCalled | Retrieved) -> None:
        match event:
            case StageTimed() if event.stage in VOICE_STAGES:
                self._metrics.voice_seconds.labels(event.stage).observe(event.seconds)
            case StageTimed():
                self._metrics.node_seconds.labels(self._medium, event.stage).observe(event.seconds)
            case ModelCalled():
                of = (event.agent, event.tier, event.model)
                self._metrics.model_calls.labels(*of, "ok" if event.ok else "failed").inc()
                self._metrics.model_seconds.labels(*of).observe(event.seconds)
                self._metrics.model_tokens.labels(*of, "in").inc(event.tokens_in)
                self._metrics.model_tokens.labels(*of, "out").inc(event.tokens_out)
            case Retrieved():
                cache_label = "hit" if event.cached else "miss"
                self._metrics.retrievals.labels(cache_label, event.grade).inc()
                self._metrics.retrieval_attempts.labels(cache_label).inc(event.attempts)
                self._metrics.retrieval_seconds.labels(cache_label).observe(event.seconds)

    def _judged_answer(self, event: AnswerJudged) -> None:
        """Count the answer by judge and outcome, and keep in mind that there is a new score."""
        outcome = "not_scored" if event.scores is None else "fallback" if event.fallback else "scored"
        self._metrics.answers.labels(self._medium, event.judge, outcome).inc()
        self._judged += outcome == "scored"

    def _supervised(self, event: Supervised) -> None:
        """Observe the smoothed score when there is a new one, and count a step of the difficulty."""
        if self._judged and event.ema is not None:
            self._judged = 0
            self._metrics.performance.labels(self._medium).observe(event.ema)
        before, self._difficulty = self._difficulty, event.difficulty
        if (direction := _direction(before, event.difficulty)) != "":
            self._metrics.difficulty_changes.labels(self._medium, direction).inc()


def _direction(before: Difficulty | Literal[""], after: Difficulty | Literal[""]) -> Literal["up", "down", ""]:
    if not before or not after or before == after:
        return ""
    return "up" if DIFFICULTIES.index(after) > DIFFICULTIES.index(before) else "down"
