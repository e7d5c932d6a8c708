"""Activity: each event of an interview as a line for whoever watches, with the node or part that did it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

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
from domain.vocabulary import DifficultyReason
from review.monitor.models import ActivityLine
from review.record import call_words
from review.record.store import Stored
from review.record.titles import in_words

LONGEST_CHARS = 300
"""Of a line; the rest of a long answer is in the transcript."""

_NODES: dict[type[Event], str] = {
    IntentDetected: "detect_intent",
    AnswerJudged: "evaluate",
    AnswerMeasured: "combine_metrics",
    FeedbackReady: "give_feedback",
    QuestionSelected: "select_question",
    Retrieved: "select_question",
    Supervised: "supervise",
    ReviewRequested: "supervise",
    PlanMade: "create_plan",
    CandidateJoined: "candidate",
    CandidateLeft: "candidate",
    AnswerTaken: "candidate",
    UtteranceHeard: "hearing",
    AnswerReheard: "hearing",
    PauseWeighed: "endpointing",
    ListeningSignalled: "voice",
    SpeechStarted: "voice",
    SpeechEnded: "voice",
    CallBegan: "candidate",
    CallEnded: "candidate",
    KeyPressed: "candidate",
    HoldBegan: "candidate",
    HoldEnded: "candidate",
    RecordingStarted: "recording",
    RecordingFinished: "recording",
    TopicWishSettled: "ask_question",
    ReviewReleased: "person",
    TopicWished: "person",
    NoteTaken: "person",
    VerdictContested: "person",
}

_MOVED_BY: dict[DifficultyReason, str] = {
    "low_scores": "easier because of the scores",
    "high_scores": "harder because of the scores",
    "plan": "as planned",
    "request": "as the candidate asked",
}


def activity_line(stored: Stored) -> ActivityLine:
    """The line of an event."""
    event, text = stored.event, " ".join(_text(stored.event).split())
    if len(text) > LONGEST_CHARS:
        text = text[: LONGEST_CHARS - 1].rstrip() + "…"
    return ActivityLine(seq=stored.seq, at=event.at, node=_node(event), kind=event.kind, text=text)


def _node(event: Event) -> str:
    match event:
        case StageTimed():
            return event.stage
        case ModelCalled() | GateFailed() | FellBack():
            return event.agent
        case _:
            return _NODES.get(type(event), "interview")


def _text(event: Event) -> str:  # noqa: PLR0911 - a line for each kind of event
    match event:
        case InterviewCreated():
            return f"{event.candidate_name} asked for {event.minutes} minutes of {event.pack_title}, {event.feedback}"
        case InterviewStarted():
            return f"{'Goes on after a break' if event.resumed else 'Begins'}; judge: {event.judge}"
        case CandidateJoined():
            return "Came into the room"
        case CandidateLeft():
            return "Left the room"
        case SpeechStarted():
            return f"{in_words(event.speech)}: {event.text}"
        case SpeechEnded():
            return f"{in_words(event.speech)} {'interrupted' if event.interrupted else 'over'}"
        case UtteranceHeard():
            return event.text
        case ListeningSignalled():
            return event.sound
        case InterviewEnded():
            return f"Over: {in_words(event.reason).lower()}"
        case _:
            return _text_of_turn(event)


def _text_of_turn(event: Event) -> str:  # noqa: PLR0911 - as above
    match event:
        case PauseWeighed():
            return f"{_seconds(event.silent_s)} silent, waits {_seconds(event.wait_s)} ({event.ending})"
        case AnswerTaken() if event.pressed and not event.words:
            return f"Turn {event.turn} by a key"
        case AnswerTaken():
            whole = "again, with more" if event.continues else "said"
            return f"Turn {event.turn} {whole}, {len(event.text.split())} words: {event.text}"
        case IntentDetected():
            asked = ", asks whether it was meant" if event.asked else ""
            return f"{in_words(event.intent)} ({event.confidence:.0%}, {event.detector or 'unknown'}){asked}"
        case AnswerJudged():
            return _judged(event)
        case AnswerMeasured():
            return _measured(event)
        case AnswerReheard():
            return f"Turn {event.turn} again, {len(event.text.split())} words: {_judged(event.judged)}"
        case FeedbackReady():
            return f"{in_words(event.delivery or 'ready')}: {event.text}"
        case _:
            return _text_of_course(event)


def _text_of_course(event: Event) -> str:  # noqa: PLR0911 - as above
    match event:
        case QuestionSelected():
            how = f", {event.grade} fit" if event.grade else ""
            return f"{in_words(event.question_kind)}, {event.difficulty} ({event.source}{how}): {event.text}"
        case Supervised():
            trend = "" if event.ema is None else f", average {event.ema:.1f}"
            goes = "Goes on" if event.goes_on else f"Ends: {in_words(event.end_reason).lower()}"
            left = f"{event.remaining_s / 60:.0f} min left"
            why = f" ({_MOVED_BY[event.difficulty_reason]})" if event.difficulty_reason else ""
            return f"{goes}; {event.question_count} done, {event.difficulty}{why}{trend}, {left}"
        case PlanMade():
            topics = event.topic_titles or event.topics
            return f"{event.target_questions} questions by {event.by}: {', '.join(topics)}"
        case SettingChanged():
            return f"{in_words(event.what)} is now {event.value}"
        case TurnVoided():
            return f"Turn {event.turn} failed and was given up"
        case RecordingStarted() | RecordingFinished():
            return "Began" if isinstance(event, RecordingStarted) else "Whole"
        case _:
            return _text_of_work(event)


def _text_of_work(event: Event) -> str:  # noqa: PLR0911 - as above
    match event:
        case StageTimed():
            return f"Took {_seconds(event.seconds)}"
        case ModelCalled():
            came = "answered" if event.ok else "was of no use"
            return f"{event.model} {came} in {_seconds(event.seconds)}{_why(event.why)}"
        case GateFailed():
            return f"Refused: {event.check}"
        case FellBack():
            return f"Went on without its model{_why(event.why)}"
        case Retrieved():
            searches = f"{event.attempts} search{'' if event.attempts == 1 else 'es'}"
            return f"{in_words(event.grade)} fit, {'at hand' if event.cached else searches}, {_seconds(event.seconds)}"
        case ProblemNoticed():
            return f"{event.what} {event.advice}"
        case _:
            return _text_of_people(event)


def _text_of_people(event: Event) -> str:  # noqa: PLR0911 - as above
    match event:
        case ReviewRequested():
            return f"Waits for a person: {event.why}"
        case ReviewReleased():
            return f"{event.by} lets it go on{_why(event.note)}"
        case TopicWished():
            return f"{event.by or 'Somebody'} would like {event.title} to be asked about next"
        case TopicWishSettled():
            return "This is what was wished for" if event.asked else f"Not what was wished for{_why(event.why)}"
        case NoteTaken():
            about = f"turn {event.turn}" if event.turn else "the interview"
            return f"{event.by} notes about {about}{_why(event.note)}"
        case VerdictContested():
            return f"{event.by or 'Somebody'} contests turn {event.turn}{_why(event.note)}"
        case _:
            return _text_of_call(event)


def _text_of_call(event: Event) -> str:
    match event:
        case CallBegan():
            return call_words.call_began(event)
        case CallEnded():
            return call_words.call_ended(event)
        case KeyPressed():
            return call_words.key_pressed(event)
        case HoldBegan() | HoldEnded():
            return "On hold" if isinstance(event, HoldBegan) else "Back from hold"
        case _:
            return in_words(event.kind)


def _measured(event: AnswerMeasured) -> str:
    if event.metrics is None:
        return "Metrics put together"
    if event.metrics.worded_by != "rules":
        return "Feedback on the metrics worded by a model"
    depth, clarity = event.metrics.reasoning_depth, event.metrics.communication_clarity
    return f"Reasoning depth {depth:.1f}, communication clarity {clarity:.1f}"


def _judged(evaluation: Evaluation) -> str:
    counted = [f"{number} {status}" for status, number in _statuses(evaluation) if number]
    verdicts = ", ".join(counted) or "no verdict"
    if evaluation.scores is None:
        return f"{verdicts}; not scored{_why(evaluation.not_scored)}"
    return f"{evaluation.scores.overall:.1f} of 10 by {evaluation.judge}: {verdicts}"


def _statuses(evaluation: Evaluation) -> Sequence[tuple[str, int]]:
    found = [verdict.status for verdict in evaluation.verdicts]
    return [(status, found.count(status)) for status in ("covered", "partly", "missing", "contradicted")]


def _seconds(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _why(reason: str) -> str:
    return f": {reason}" if reason else ""
