"""What holds for every report, whatever happened in the interview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.events import AnswerJudged, AnswerTaken, Event, IntentDetected, TurnVoided
from review import build_report, build_transcript
from review.report.answers import DIFFICULTY_WEIGHTS
from review.report.models import Report, ReportedAnswer
from tests.examples import examples
from tests.review.sample_requests import requests_by_text, requests_by_voice
from tests.review.script import scores

SAMPLES = {"voice": requests_by_voice(1_700_000_000.0), "text": requests_by_text(1_700_000_000.0)}

SCORE = st.integers(0, 100).map(lambda tenths: tenths / 10)
LEVEL = st.sampled_from([*DIFFICULTY_WEIGHTS])
TOPIC = st.sampled_from(["a", "b", "c"])


@dataclass(frozen=True)
class One:
    """An answer to be judged."""

    score: float | None
    level: str
    topic: str


ONES = st.builds(One, SCORE | st.none(), LEVEL, TOPIC)


def judged(turn: int, one: One, replaces_turn: int | None = None) -> AnswerJudged:
    """The judgement of an answer."""
    return AnswerJudged(
        at=float(turn),
        turn=turn,
        question_id=f"q{turn}",
        topic=one.topic,
        difficulty=one.level,
        judge="built-in",
        verdicts=[],
        scores=None if one.score is None else scores(one.score),
        not_scored="Too short." if one.score is None else "",
        replaces_turn=replaces_turn,
    )


def interview(ones: Sequence[One]) -> list[Event]:
    """One judgement after the other."""
    return [judged(turn, one) for turn, one in enumerate(ones, 1)]


def averages(report: Report) -> dict[str, object]:
    """Everything in a report that is a mean, or follows from one."""
    names = {
        "overall_score", "overall_low", "overall_high", "adjusted_score", "answers_scored", "topic_scores",
        "strengths", "areas_for_improvement",
    }  # fmt: skip
    return report.model_dump(include=names)


@settings(deadline=None)
@given(ones=st.lists(ONES, max_size=8), extra=st.lists(st.tuples(LEVEL, TOPIC), min_size=1, max_size=4), data=st.data())
def test_an_answer_that_is_not_scored_changes_no_average(
    ones: list[One], extra: list[tuple[str, str]], data: st.DataObject
) -> None:
    """Wherever answers that nobody could judge lie between others, every average stays as it was."""
    more = list(ones)
    for level, topic in extra:
        more.insert(data.draw(st.integers(0, len(more))), One(None, level, topic))
    without, with_them = build_report(interview(ones)), build_report(interview(more))
    assert averages(with_them) == averages(without)
    assert with_them.answers_not_scored == without.answers_not_scored + len(extra)


@settings(deadline=None)
@given(ones=st.lists(ONES, max_size=8), data=st.data())
def test_a_turn_that_was_given_up_changes_no_average(ones: list[One], data: st.DataObject) -> None:
    """Whatever was judged in it, the report is that of the other answers, and says how many are not scored."""
    lost = {turn for turn in range(1, len(ones) + 1) if data.draw(st.booleans())}
    events: list[Event] = []
    for event in interview(ones):
        assert isinstance(event, AnswerJudged)
        events += [event, TurnVoided(at=event.at, turn=event.turn)] if event.turn in lost else [event]
    kept = [event for event in interview(ones) if isinstance(event, AnswerJudged) and event.turn not in lost]
    report, without = build_report(events), build_report(kept)
    assert averages(report) == averages(without)
    assert report.difficulty_progression == without.difficulty_progression
    assert report.answers_not_scored == without.answers_not_scored + len(lost)
    assert [note.kind for note in build_transcript(events).notes] == ["voided"] * len(lost)


@settings(deadline=None)
@given(ones=st.lists(ONES, min_size=1, max_size=8), intents=st.data())
def test_a_request_or_a_skipped_question_changes_no_average(ones: list[One], intents: st.DataObject) -> None:
    """Turns in which nothing was judged leave every average as it was."""
    events = interview(ones)
    turn = len(ones) + 1
    wanted = intents.draw(st.sampled_from(["skip", "hint", "repeat", "easier", "stop", "unintelligible"]))
    request: list[Event] = [
        AnswerTaken(at=99.0, turn=turn, question_id="q", text="well", words=[], speech_ended_at=98.0),
        IntentDetected(at=99.1, turn=turn, intent=wanted, confidence=intents.draw(st.floats(0, 1))),
    ]
    assert averages(build_report([*events, *request])) == averages(build_report(events))


@settings(deadline=None)
@given(ones=st.lists(ONES, min_size=1, max_size=8), corrections=st.lists(ONES, min_size=1, max_size=3), data=st.data())
def test_a_replaced_answer_never_counts(ones: list[One], corrections: list[One], data: st.DataObject) -> None:
    """However often an answer is corrected, every average is that of its last form; the rest stays to be read."""
    place = data.draw(st.integers(0, len(ones) - 1))
    events: list[Event] = list(interview(ones))
    named = place + 1
    for number, correction in enumerate(corrections, len(ones) + 1):
        events.append(judged(number, correction, replaces_turn=named))
        named = data.draw(st.sampled_from([place + 1, number]))
    as_if = [*ones[:place], corrections[-1], *ones[place + 1 :]]
    report = build_report(events)
    assert averages(report) == averages(build_report(interview(as_if)))
    assert report.difficulty_progression == [one.level for one in as_if]
    assert len(report.answers) == len(ones)
    assert depth(report.answers[place]) == len(corrections)


@settings(deadline=None)
@given(ones=st.lists(ONES, max_size=10))
def test_scores_lie_where_the_answers_lie(ones: list[One]) -> None:
    """Overall and adjusted score lie between the lowest and the highest score; equal scores give that score."""
    report = build_report(interview(ones))
    scored = [one.score for one in ones if one.score is not None]
    assert (report.overall_score is None) == (report.adjusted_score is None) == (not scored)
    if report.overall_score is None or report.adjusted_score is None:
        return
    assert report.overall_low is not None
    assert report.overall_high is not None
    for score in (report.overall_score, report.adjusted_score):
        assert min(scored) <= score <= max(scored)
    assert report.overall_low <= report.overall_score <= report.overall_high
    assert set(report.topic_scores) == {one.topic for one in ones if one.score is not None}
    assert not set(report.strengths) & set(report.areas_for_improvement)


@settings(deadline=None, max_examples=examples(60))
@given(medium=st.sampled_from(["voice", "text"]), data=st.data())
def test_any_part_of_a_record_can_be_read(medium: str, data: st.DataObject) -> None:
    """Whatever a crash left out, report and transcript are there, and invent neither scores, words nor places."""
    whole = SAMPLES[medium]
    kept = data.draw(st.lists(st.booleans(), min_size=len(whole), max_size=len(whole)))
    events = [event for event, keep in zip(whole, kept, strict=True) if keep]
    report, transcript = build_report(events), build_transcript(events)
    assert report.answers_scored <= sum(1 for event in events if isinstance(event, AnswerJudged) and event.scores)
    assert {note.before_entry for note in transcript.notes} <= set(range(len(transcript.entries) + 1))
    said = {word.text for event in events for word in getattr(event, "words", [])}
    for finding in [*report.best_points, *report.gaps]:
        if finding.quote is not None and finding.start_s is not None:
            assert set(finding.quote.text.split()) <= {word.strip(".,") for word in said}
    assert all(entry.part <= entry.parts for entry in transcript.entries)


def depth(answer: ReportedAnswer) -> int:
    """How many answers before it an answer corrects."""
    return 1 + depth(answer.before_correction) if answer.before_correction else 0
