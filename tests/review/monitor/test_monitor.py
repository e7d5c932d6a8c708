"""What the monitor shows of an interview, from its events."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.events import (
    AnswerJudged,
    AnswerTaken,
    Event,
    InterviewCreated,
    InterviewEnded,
    InterviewStarted,
    ReviewReleased,
    ReviewRequested,
    SpeechEnded,
    SpeechStarted,
    StageTimed,
    Supervised,
)
from review import Stored
from review.monitor.activity import LONGEST_CHARS, activity_line
from review.monitor.latency import turn_latencies
from review.monitor.marks import interview_marks
from review.monitor.models import MonitoredInterview
from review.monitor.runtime import monitored
from review.record.titles import in_words
from review.report.build import build_report
from tests.review.http.test_visibility import TYPES, filled
from tests.review.sample_interview import sample_events
from tests.review.sample_requests import requests_by_text, requests_by_voice

START = 1_700_000_000.0
NODES = frozenset({"detect_intent", "evaluate", "give_feedback", "select_question", "supervise"})
CREATED = InterviewCreated(
    at=0.0, candidate_name="Ada", pack="tea", pack_title="Tea", minutes=10, feedback="exam", room="r"
)
STARTED = InterviewStarted(at=1.0, judge="built-in")
SAMPLES = (sample_events(START), requests_by_voice(START), requests_by_text(START))


def stored(events: list[Event]) -> list[Stored]:
    """The events as the record gives them."""
    return [Stored(seq, event) for seq, event in enumerate(events, start=1)]


def shown(events: list[Event]) -> MonitoredInterview:
    """An interview as it is shown after these events."""
    now = monitored("a", stored(events), nodes=NODES)
    assert now is not None
    return now


def taken(turn: int, at: float, *, continues: bool = False) -> AnswerTaken:
    """An answer that counted as over half a second after its last word."""
    return AnswerTaken(
        at=at + 0.5, turn=turn, question_id="q", text="It is tea.", words=[], speech_ended_at=at, continues=continues
    )


def speech(kind: str, turn: int, at: float) -> SpeechStarted:
    """The interviewer begins to speak."""
    return SpeechStarted.model_validate({"at": at, "speech": kind, "text": "Well.", "turn": turn, "question_id": "q"})


def over(kind: str, turn: int, at: float) -> SpeechEnded:
    """The interviewer falls silent."""
    return SpeechEnded.model_validate(
        {"at": at, "speech": kind, "heard": "Well.", "interrupted": False, "turn": turn, "question_id": "q"}
    )


@pytest.mark.parametrize("events", SAMPLES, ids=("voice", "requests", "text"))
def test_each_event_has_a_line_of_its_own(events: list[Event]) -> None:
    """With who did it and words for people: never the kind alone, and never a document."""
    for one in stored(events):
        line = activity_line(one)
        assert (line.seq, line.at, line.kind) == (one.seq, one.event.at, one.event.kind)
        assert line.node
        assert 0 < len(line.text) <= LONGEST_CHARS
        assert "\n" not in line.text


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_every_kind_of_event_has_words_of_its_own(kind: type[Any]) -> None:
    """None is left to its bare name, so that whoever adds one decides how it is shown."""
    line = activity_line(Stored(1, filled(kind)))
    assert line.text != in_words(line.kind)
    assert len(line.text) > 3


def test_a_resume_is_in_no_line() -> None:
    """It is told that there is one."""
    created = CREATED.model_copy(update={"resume": "Bred zebra finches.", "job_description": "Finches wanted."})
    now = shown([created])
    assert "finches" not in (now.model_dump_json() + activity_line(Stored(1, created)).text).lower()
    assert (now.has_resume, now.has_job_description) == (True, True)


def test_the_phase_follows_what_happens() -> None:
    """From the wish to the goodbye, and through a turn that waits for a person."""
    course: list[tuple[Event, str]] = [
        (CREATED, "created"),
        (STARTED, "opening"),
        (speech("question", 0, 2.0), "speaking"),
        (over("question", 0, 3.0), "listening"),
        (taken(1, 9.0), "working"),
        (speech("feedback", 1, 10.0), "speaking"),
        (over("feedback", 1, 11.0), "working"),
        (ReviewRequested(at=11.0, turn=1, why="The judges differ."), "waiting_for_person"),
        (ReviewReleased(at=12.0, turn=1, by="Grace"), "working"),
        (speech("question", 1, 12.5), "speaking"),
        (over("question", 1, 13.0), "listening"),
        (InterviewEnded(at=14.0, reason="stopped"), "ended"),
    ]
    events: list[Event] = []
    for event, phase in course:
        events.append(event)
        assert shown(events).state.phase == phase, event.kind


def test_only_nodes_of_this_turn_are_lit() -> None:
    """Those of a turn before are dark again, and stages of the voice never shine."""
    events: list[Event] = [
        CREATED,
        STARTED,
        taken(1, 2.0),
        StageTimed(at=2.6, turn=1, stage="evaluate", seconds=0.1),
        taken(2, 5.0),
        StageTimed(at=5.6, turn=2, stage="detect_intent", seconds=0.01),
        StageTimed(at=5.7, turn=2, stage="e2e_latency", seconds=1.0),
    ]
    state = shown(events).state
    assert [(run.node, run.seconds) for run in state.nodes] == [("detect_intent", 0.01)]
    assert state.stage == "detect_intent"


def test_a_turn_that_is_taken_up_again_is_waited_for_anew() -> None:
    """What was said to its first part is no answer to the whole."""
    events: list[Event] = [
        CREATED,
        taken(1, 2.0),
        speech("feedback", 1, 3.0),
        taken(1, 6.0, continues=True),
        speech("acknowledgement", 1, 7.5),
        speech("question", 1, 9.0),
    ]
    (latency,) = turn_latencies(events)
    assert (latency.over_s, latency.first_sound_s, latency.first_sound) == (0.5, 1.5, "acknowledgement")
    assert latency.question_s == 3.0


def test_waiting_is_what_the_report_says_it_was() -> None:
    """One figure, wherever it is read."""
    events = sample_events(START)
    waited = {answer.turn: answer.waiting_s for answer in build_report(events).answers}
    latencies = {each.turn: each.first_sound_s for each in turn_latencies(events)}
    assert waited
    assert {turn: latencies[turn] for turn in waited} == waited


def test_marks_are_those_of_the_report() -> None:
    """The same answers, with the same scores."""
    events = sample_events(START)
    report = build_report(events)
    marks = interview_marks(events)
    assert [(mark.turn, mark.overall) for mark in marks.answers] == [
        (answer.turn, answer.scores.overall if answer.scores else None) for answer in report.answers
    ]
    assert all(mark.not_scored for mark in marks.answers if mark.overall is None)


def test_an_answer_that_nobody_scored_has_no_part_in_the_means() -> None:
    """No score is not a zero."""
    judged = AnswerJudged(
        at=3.0, turn=1, question_id="q", topic="tea", difficulty="easy", judge="x", verdicts=(), scores=None,
        not_scored="Too short to be judged.",
    )  # fmt: skip
    marks = interview_marks([CREATED, taken(1, 2.0), judged])
    assert [mark.not_scored for mark in marks.answers] == ["Too short to be judged."]
    assert (marks.technical_accuracy, marks.combined) == (None, None)


def test_time_is_counted_by_the_supervisor_once_it_has_spoken() -> None:
    """It knows of breaks; before it, by the minutes that were asked for; after the end it stands still."""
    begun: list[Event] = [CREATED, STARTED, taken(1, 61.0)]
    clock = shown(begun).state.clock
    assert (clock.elapsed_s, clock.remaining_s, clock.runs) == (60.5, 539.5, True)
    decided = Supervised(at=62.0, turn=1, goes_on=True, question_count=1, difficulty="hard", ema=7.5, remaining_s=300.0)
    state = shown([*begun, decided, over("question", 1, 72.0)]).state
    assert (state.clock.remaining_s, state.difficulty, state.ema, state.questions_done) == (290.0, "hard", 7.5, 1)
    ended = shown([*begun, InterviewEnded(at=100.0, reason="stopped")]).state
    assert (ended.clock.runs, ended.end_reason) == (False, "stopped")


@given(st.sampled_from(SAMPLES), st.data())
def test_it_can_be_shown_at_any_moment(events: list[Event], data: st.DataObject) -> None:
    """However far the record is; nothing has been counted that has not happened."""
    length = data.draw(st.integers(1, len(events)))
    now = shown(events[:length])
    assert now.seq == length
    assert now.state.clock.elapsed_s >= 0
    assert (now.state.phase == "ended") == any(isinstance(event, InterviewEnded) for event in events[:length])
    assert len(now.latencies) == len({e.turn for e in events[:length] if isinstance(e, AnswerTaken)})
