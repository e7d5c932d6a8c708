"""Visibility: what only the host sees until an interview has ended: how answers were judged, and documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.events import (
    AnswerJudged,
    AnswerMeasured,
    AnswerReheard,
    AnswerTaken,
    CallBegan,
    CallEnded,
    CandidateJoined,
    CandidateLeft,
    Event,
    FeedbackReady,
    FellBack,
    GateFailed,
    HoldBegan,
    HoldEnded,
    IntentDetected,
    InterviewCreated,
    InterviewEnded,
    InterviewStarted,
    KeyPressed,
    ListeningSignalled,
    ModelCalled,
    NoteTaken,
    PauseWeighed,
    PlanMade,
    ProblemNoticed,
    QuestionSelected,
    RecordingFinished,
    RecordingStarted,
    Retrieved,
    ReviewReleased,
    ReviewRequested,
    SettingChanged,
    SpeechEnded,
    SpeechStarted,
    StageTimed,
    Supervised,
    TopicWished,
    TopicWishSettled,
    TurnVoided,
    UtteranceHeard,
    VerdictContested,
)
from domain.verdict import Evaluation

TOLD: tuple[type[Event], ...] = (
    InterviewStarted,
    CandidateJoined,
    CandidateLeft,
    CallBegan,
    CallEnded,
    KeyPressed,
    HoldBegan,
    HoldEnded,
    RecordingStarted,
    RecordingFinished,
    SpeechStarted,
    SpeechEnded,
    UtteranceHeard,
    PauseWeighed,
    ListeningSignalled,
    AnswerTaken,
    IntentDetected,
    QuestionSelected,
    PlanMade,
    SettingChanged,
    Retrieved,
    StageTimed,
    ProblemNoticed,
    TurnVoided,
    InterviewEnded,
)
"""Events that say nothing about how good an answer was."""

BLANKED: Mapping[type[Event], Mapping[str, Any]] = {
    # An address or a telephone number is in it; whoever watches an interview has no use for them.
    InterviewCreated: {"resume": "", "job_description": "", "profile": None, "asked_before": []},
    AnswerJudged: {
        "verdicts": (),
        "scores": None,
        "not_scored": "",
        "fallback": False,
        "drift": False,
        "second_judge": "",
        "second_verdicts": (),
        "metrics": None,
    },
    AnswerMeasured: {"metrics": None},
    AnswerReheard: {
        "judged": Evaluation(question_id="", topic="", difficulty="medium", judge="", verdicts=(), scores=None)
    },
    VerdictContested: {
        "note": "",
        "points": [],
        "verdicts": (),
        "scores": None,
        "not_scored": "",
        "fallback": False,
    },
    # What is spoken of it is in the speech; in an exam the rest is kept for the report.
    FeedbackReady: {"text": "", "structure": ""},
    # The difficulty follows the scores.
    Supervised: {"difficulty": "", "difficulty_reason": "", "ema": None},
    ReviewRequested: {"why": ""},
    ReviewReleased: {"note": ""},
    # Who watches, and what for, is not the candidate's to know while they answer.
    TopicWished: {"topic": "", "title": "", "by": ""},
    TopicWishSettled: {"wish": 0, "asked": False, "why": ""},
    NoteTaken: {"turn": 0, "by": "", "note": ""},
    # They may quote what a model wrote about the answer, and the more it found, the more it wrote.
    FellBack: {"why": ""},
    GateFailed: {"check": ""},
    ModelCalled: {"tokens_in": 0, "tokens_out": 0, "why": ""},
}
"""Events that do, and what stands in the place of what they say."""


def before_the_end(event: Event) -> Event:
    """The event as it may be told while the interview has not ended.

    An event that is in neither list fails here, because nobody has decided about it.
    """
    return event if isinstance(event, TOLD) else event.model_copy(update=BLANKED[type(event)])
