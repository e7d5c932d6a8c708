"""The graph's recorder: turns what the graph tells into events of the record."""

from __future__ import annotations

from collections.abc import Callable

from domain.events import (
    AnswerJudged,
    Event,
    FeedbackReady,
    FellBack,
    IntentDetected,
    PlanMade,
    QuestionSelected,
    ReviewRequested,
    SettingChanged,
    StageTimed,
    Supervised,
)
from domain.question import Question
from domain.verdict import Evaluation
from graph import Decision, Recorder
from graph.intents import DetectedIntent
from graph.planning.plan import InterviewPlan
from rag import Pack


class GraphNotes(Recorder):
    """Writes the graph's progress into the record, in the record's own words."""

    def __init__(self, record: Callable[[Event], None], clock: Callable[[], float], pack: Pack | None = None) -> None:
        self._record = record
        self._clock = clock
        self._titles = {topic.id: topic.title for topic in pack.topics} if pack else {}

    def plan_made(self, plan: InterviewPlan) -> None:
        """The plan stands."""
        self._record(
            PlanMade(
                at=self._clock(),
                topics=list(plan.topics),
                topic_titles=[self._titles.get(topic, topic) for topic in plan.topics],
                difficulty_curve=list(plan.difficulty_curve),
                target_questions=len(plan.topics),
                by=plan.made_by,
            )
        )

    def intent_detected(self, intent: DetectedIntent, *, asked: bool) -> None:
        """The words of a turn were understood."""
        self._record(
            IntentDetected(
                at=self._clock(),
                turn=intent.turn,
                intent=intent.intent,
                confidence=intent.confidence,
                detector=intent.detector,
                detail=intent.detail,
                asked=asked,
            )
        )

    def answer_judged(self, turn: int, evaluation: Evaluation) -> None:
        """An answer has verdicts and scores, or the reason why not."""
        self._record(AnswerJudged(at=self._clock(), **{**dict(evaluation), "turn": turn}))

    def feedback_ready(self, turn: int, text: str, structure: str) -> None:
        """The words of the feedback exist."""
        self._record(FeedbackReady(at=self._clock(), turn=turn, text=text, structure=structure))

    def question_selected(self, turn: int, question: Question) -> None:
        """The next question is chosen."""
        self._record(
            QuestionSelected(
                at=self._clock(),
                turn=turn,
                question_id=question.id,
                text=question.text,
                question_kind=question.kind,
                topic=question.topic,
                topic_title=question.topic_title,
                difficulty=question.difficulty,
                source=question.source,
                grade=question.grade or "",
                attempts=question.attempts,
            )
        )

    def supervised(self, turn: int, decision: Decision) -> None:
        """It is decided whether the interview goes on."""
        self._record(
            Supervised(
                at=self._clock(),
                turn=turn,
                goes_on=decision.goes_on,
                end_reason=decision.end_reason,
                question_count=decision.question_count,
                difficulty=decision.difficulty,
                ema=decision.ema,
                remaining_s=decision.remaining_s,
            )
        )

    def setting_changed(self, turn: int, what: str, value: str) -> None:
        """The candidate asked for something to be different."""
        self._record(SettingChanged(at=self._clock(), turn=turn, what=what, value=value))

    def review_requested(self, turn: int, why: str) -> None:
        """The turn waits for a person."""
        self._record(ReviewRequested(at=self._clock(), turn=turn, why=why))

    def fell_back(self, turn: int, agent: str, why: str) -> None:
        """An agent took another path than its own."""
        self._record(FellBack(at=self._clock(), turn=turn, agent=agent, why=why))

    def stage_timed(self, turn: int, stage: str, seconds: float) -> None:
        """A node took this long."""
        self._record(StageTimed(at=self._clock(), turn=turn, stage=stage, seconds=round(seconds, 4)))
