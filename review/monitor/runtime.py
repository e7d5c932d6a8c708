"""Runtime state: where an interview stands, from its events. Pure."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TypeVar

from domain.events import (
    AnswerJudged,
    AnswerTaken,
    CandidateJoined,
    CandidateLeft,
    Event,
    FeedbackReady,
    FellBack,
    GateFailed,
    IntentDetected,
    InterviewCreated,
    InterviewEnded,
    InterviewStarted,
    ModelCalled,
    PlanMade,
    ProblemNoticed,
    QuestionSelected,
    ReviewReleased,
    ReviewRequested,
    SettingChanged,
    SpeechEnded,
    SpeechStarted,
    StageTimed,
    Supervised,
    TurnVoided,
)
from domain.vocabulary import DIFFICULTIES, Difficulty
from review.monitor.coaching import taken_notes, wished_topics
from review.monitor.latency import turn_latencies
from review.monitor.marks import interview_marks
from review.monitor.models import (
    LastJudgement,
    MonitoredInterview,
    NodeRun,
    OpenQuestion,
    Phase,
    RuntimeState,
    SessionClock,
)
from review.record.reheard import with_better_words
from review.record.store import Stored
from review.record.titles import topic_titles

Of = TypeVar("Of", bound=Event)


def monitored(interview_id: str, stored: Sequence[Stored], *, nodes: Container[str]) -> MonitoredInterview | None:
    """An interview as it stands after these events; None when its first one is not among them.

    Args:
        interview_id: the interview.
        stored: its record from the beginning, in order.
        nodes: names of the graph's nodes, among the stages that are timed.
    """
    events = [one.event for one in stored]
    created = _last(events, InterviewCreated)
    if created is None:
        return None
    return MonitoredInterview(
        interview_id=interview_id,
        candidate_name=created.candidate_name,
        pack_title=created.pack_title,
        created_at=created.at,
        minutes=created.minutes,
        medium=created.medium,
        feedback=created.feedback,
        has_resume=bool(created.resume),
        has_job_description=bool(created.job_description),
        state=runtime_state(created, events, nodes=nodes),
        marks=interview_marks(events),
        latencies=tuple(turn_latencies(events)),
        wishes=tuple(wished_topics(stored)),
        notes=tuple(taken_notes(stored)),
        seq=stored[-1].seq,
    )


def runtime_state(created: InterviewCreated, events: Sequence[Event], *, nodes: Container[str]) -> RuntimeState:
    """Where an interview stands.

    Args:
        created: what was asked for.
        events: all that happened, in order.
        nodes: names of the graph's nodes.
    """
    taken, started, plan = _last(events, AnswerTaken), _last(events, InterviewStarted), _last(events, PlanMade)
    supervised, ended = _supervised(events), _last(events, InterviewEnded)
    turn = taken.turn if taken else 0
    ran = _ran(events, turn, nodes)
    return RuntimeState(
        phase=_phase(events, turn),
        stage=ran[-1].node if ran else "",
        turn=turn,
        intent=next((e.intent for e in reversed(events) if isinstance(e, IntentDetected) and e.turn == turn), ""),
        question=_question(events),
        clock=_clock(created, events),
        questions_done=supervised.question_count if supervised else 0,
        target_questions=plan.target_questions if plan else 0,
        difficulty=_difficulty(created, events),
        ema=supervised.ema if supervised else None,
        judge=started.judge if started else "",
        candidate_here=_candidate_here(created, events),
        waits_for=_waits_for(events, turn),
        nodes=tuple(ran),
        judgement=_judgement(with_better_words(events)),
        problems=sum(_is_problem(event) for event in events),
        end_reason=ended.reason if ended else None,
    )


def _phase(events: Sequence[Event], turn: int) -> Phase:  # noqa: PLR0911 - each way out is a phase
    if _last(events, InterviewEnded):
        return "ended"
    if not _last(events, InterviewStarted):
        return "created"
    if _waits_for(events, turn):
        return "waiting_for_person"
    for event in reversed(events):
        match event:
            case SpeechStarted():
                return "speaking"
            case AnswerTaken():
                return "working"
            case SpeechEnded(speech="question" | "reply"):
                return "listening"
            case SpeechEnded():
                return "working"
            case TurnVoided():
                return "listening"
            case _:
                pass
    return "opening"


def _waits_for(events: Sequence[Event], turn: int) -> str:
    if any(isinstance(event, ReviewReleased) and event.turn == turn for event in events):
        return ""
    wanted = next((e for e in reversed(events) if isinstance(e, ReviewRequested) and e.turn == turn), None)
    return wanted.why or "A person is to look at it." if wanted and not _last(events, InterviewEnded) else ""


def _ran(events: Sequence[Event], turn: int, nodes: Container[str]) -> list[NodeRun]:
    """Nodes that were through since the turn was taken: what is taken up again runs anew."""
    begun = max((i for i, event in enumerate(events) if isinstance(event, AnswerTaken)), default=0)
    return [
        NodeRun(node=event.stage, seconds=event.seconds, at=event.at)
        for event in events[begun:]
        if isinstance(event, StageTimed) and event.turn == turn and event.stage in nodes
    ]


def _question(events: Sequence[Event]) -> OpenQuestion | None:
    asked = next((e for e in reversed(events) if isinstance(e, SpeechStarted) and e.speech == "question"), None)
    if asked is None:
        return None
    chosen = next(
        (e for e in reversed(events) if isinstance(e, QuestionSelected) and e.question_id == asked.question_id), None
    )
    return OpenQuestion(
        question_id=asked.question_id,
        text=chosen.text if chosen else asked.text,
        topic=topic_titles(events).get(chosen.topic, "") if chosen else "",
        kind=chosen.question_kind if chosen else "",
        source=chosen.source if chosen else "",
        difficulty=chosen.difficulty if chosen else "",
    )


def _clock(created: InterviewCreated, events: Sequence[Event]) -> SessionClock:
    """By the supervisor's own account where it has given one: it knows of breaks."""
    begun = next((event.at for event in events if isinstance(event, InterviewStarted)), None)
    ended, supervised = _last(events, InterviewEnded), _supervised(events)
    whole_s = created.minutes * 60.0
    if begun is None:
        return SessionClock(as_of=created.at, elapsed_s=0.0, remaining_s=whole_s, runs=False)
    now = ended.at if ended else events[-1].at
    remaining_s = supervised.remaining_s - (now - supervised.at) if supervised else whole_s - (now - begun)
    return SessionClock(
        as_of=now,
        elapsed_s=round(max(0.0, now - begun), 1),
        remaining_s=round(max(0.0, remaining_s), 1),
        runs=ended is None and created.time == "real",
    )


def _difficulty(created: InterviewCreated, events: Sequence[Event]) -> Difficulty:
    """The supervisor's last word or the candidate's last wish, whichever came later."""
    for event in reversed(events):
        if isinstance(event, Supervised) and event.difficulty:
            return event.difficulty
        if isinstance(event, SettingChanged) and event.what == "difficulty":
            return next((each for each in DIFFICULTIES if each == event.value), created.difficulty)
    return created.difficulty


def _candidate_here(created: InterviewCreated, events: Sequence[Event]) -> bool | None:
    if created.medium == "text":
        return None
    if _last(events, InterviewEnded):
        return False
    came = next((event for event in reversed(events) if isinstance(event, CandidateJoined | CandidateLeft)), None)
    return isinstance(came, CandidateJoined)


def _judgement(events: Sequence[Event]) -> LastJudgement | None:
    judged = _last(events, AnswerJudged)
    if judged is None:
        return None
    written = [event for event in events if isinstance(event, FeedbackReady) and event.turn == judged.turn]
    # Of an exam's two, what is kept and the thanks that are heard instead, the first is about the answer.
    kept = [event for event in written if event.delivery == "kept"] or written[-1:]
    return LastJudgement(
        turn=judged.turn,
        judge=judged.judge,
        fallback=judged.fallback,
        verdicts=judged.verdicts,
        scores=judged.scores,
        not_scored=judged.not_scored,
        feedback=kept[-1].text if kept else "",
    )


def _supervised(events: Sequence[Event]) -> Supervised | None:
    """The last decision that stands."""
    voided = {event.turn for event in events if isinstance(event, TurnVoided)}
    return next((e for e in reversed(events) if isinstance(e, Supervised) and e.turn not in voided), None)


def _is_problem(event: Event) -> bool:
    if isinstance(event, ModelCalled):
        return not event.ok
    return isinstance(event, ProblemNoticed | GateFailed | FellBack | TurnVoided)


def _last(events: Sequence[Event], kind: type[Of]) -> Of | None:
    return next((event for event in reversed(events) if isinstance(event, kind)), None)
