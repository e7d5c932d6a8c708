"""The typed events of an interview: the only truth about what happened in it.

Events are appended while the interview runs and are never changed. Everything that people see afterwards
(transcript, report, replay) is derived from them. Every `at` and every `*_at` is in seconds since the epoch,
read from the clock of the process that saw it happen.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, TypeAdapter

from domain.events.answers import (
    AnswerJudged,
    AnswerMeasured,
    AnswerReheard,
    AnswerTaken,
    FeedbackReady,
    IntentDetected,
    PauseWeighed,
    TurnVoided,
)
from domain.events.audio import (
    ListeningSignalled,
    PlayedWord,
    RecordingFinished,
    RecordingStarted,
    SpeechEnded,
    SpeechStarted,
    UtteranceHeard,
    Word,
    heard_unsurely,
)
from domain.events.call import CallBegan, CallEnded, HoldBegan, HoldEnded, KeyPressed
from domain.events.course import PlanMade, QuestionSelected, SettingChanged, Supervised
from domain.events.human_review import (
    NoteTaken,
    ReviewReleased,
    ReviewRequested,
    TopicWished,
    TopicWishSettled,
    VerdictContested,
)
from domain.events.life import CandidateJoined, CandidateLeft, InterviewCreated, InterviewEnded, InterviewStarted
from domain.events.operation import FellBack, GateFailed, ModelCalled, ProblemNoticed, Retrieved, StageTimed

__all__ = [
    "AnswerJudged",
    "AnswerMeasured",
    "AnswerReheard",
    "AnswerTaken",
    "CallBegan",
    "CallEnded",
    "CandidateJoined",
    "CandidateLeft",
    "Event",
    "FeedbackReady",
    "FellBack",
    "GateFailed",
    "HoldBegan",
    "HoldEnded",
    "IntentDetected",
    "InterviewCreated",
    "InterviewEnded",
    "InterviewStarted",
    "KeyPressed",
    "ListeningSignalled",
    "ModelCalled",
    "NoteTaken",
    "PauseWeighed",
    "PlanMade",
    "PlayedWord",
    "ProblemNoticed",
    "QuestionSelected",
    "RecordingFinished",
    "RecordingStarted",
    "Retrieved",
    "ReviewReleased",
    "ReviewRequested",
    "SettingChanged",
    "SpeechEnded",
    "SpeechStarted",
    "StageTimed",
    "Supervised",
    "TopicWishSettled",
    "TopicWished",
    "TurnVoided",
    "UtteranceHeard",
    "VerdictContested",
    "Word",
    "event_adapter",
    "heard_unsurely",
    "nobody",
]

Event = Annotated[
    InterviewCreated
    | InterviewStarted
    | CandidateJoined
    | CandidateLeft
    | CallBegan
    | CallEnded
    | KeyPressed
    | HoldBegan
    | HoldEnded
    | RecordingStarted
    | RecordingFinished
    | SpeechStarted
    | SpeechEnded
    | UtteranceHeard
    | PauseWeighed
    | ListeningSignalled
    | AnswerTaken
    | IntentDetected
    | AnswerJudged
    | AnswerMeasured
    | AnswerReheard
    | VerdictContested
    | FeedbackReady
    | QuestionSelected
    | Supervised
    | PlanMade
    | SettingChanged
    | ReviewRequested
    | ReviewReleased
    | TopicWished
    | TopicWishSettled
    | NoteTaken
    | TurnVoided
    | FellBack
    | ModelCalled
    | GateFailed
    | Retrieved
    | StageTimed
    | ProblemNoticed
    | InterviewEnded,
    Field(discriminator="kind"),
]

event_adapter: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads an event from JSON or a dict: `event_adapter.validate_json(text)`."""


def nobody(_: Event) -> None:
    """The listener where nobody listens."""
