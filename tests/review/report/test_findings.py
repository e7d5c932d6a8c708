"""Strengths, gaps, titles, and what an honest report says about how an interview went."""

from __future__ import annotations

import json
from typing import Literal

import pytest

from domain.events import (
    AnswerJudged,
    Event,
    FeedbackReady,
    FellBack,
    QuestionSelected,
    ReviewRequested,
    SpeechEnded,
    event_adapter,
)
from review import build_report, build_transcript, markdown
from tests.review.sample_requests import CONSENSUS, FEEDBACK, RIGHT, requests_by_voice, span
from tests.review.script import Script, scores, verdict

Delivery = Literal["heard", "kept"] | None
EVENTS = requests_by_voice(1_700_000_000.0)
REPORT = build_report(EVENTS)


def answered(script: Script, turn: int, text: str, *points: tuple[str, str, str], topic: str = "topic") -> None:
    """An answer with verdicts: point, status, quote."""
    words = script.candidate(text)
    script.taken(turn, f"q{turn}", words)
    verdicts = [verdict(words, point, status, quote) for point, status, quote in points]  # type: ignore[arg-type]
    script.judged(turn, f"q{turn}", verdicts, scores(5.0), topic=topic)


def test_topics_have_titles_for_people() -> None:
    """Each topic that the report names has its pack's title, also one that was only planned or skipped."""
    assert REPORT.topic_titles == {
        "caching": "Caches",
        "search": "Search trees",
        "consensus": "Consensus",
        "retries": "Retries and idempotence",
    }
    named = {*REPORT.topic_scores, *(answer.topic for answer in REPORT.answers)}
    assert named <= set(REPORT.topic_titles)


def test_a_topic_without_a_title_has_its_id_in_words() -> None:
    """Records from before there were titles are readable too."""
    script = Script(0.0)
    script.selected(0, "q", "Why?", topic="cap-theorem")
    assert build_report(script.events).topic_titles == {"cap-theorem": "Cap theorem"}


def test_best_points_are_the_candidates_own_words() -> None:
    """Every strength has a quote that can be played, the surest first, and none from before a correction."""
    assert [finding.quote and finding.quote.text for finding in REPORT.best_points] == [
        "reads are faster",
        "stale data when the source changes",
        "It takes logarithmic time",
        "each step halves what is left",
    ]
    words = [word for entry in build_transcript(EVENTS).entries for word in entry.words]
    for finding in REPORT.best_points:
        assert finding.start_s is not None
        assert finding.end_s is not None
        assert finding.quote is not None
        played = [word.text for word in words if finding.start_s <= word.start_s and word.end_s <= finding.end_s]
        assert " ".join(played).strip(".,") == finding.quote.text


def test_gaps_are_ordered_by_their_gravity() -> None:
    """What was wrong comes before what was half said, and that before what was not said."""
    script = Script(0.0)
    answered(
        script, 1, "it is always fast and never stale", ("a", "missing", ""), ("b", "partly", "always fast"),
        ("c", "contradicted", "never stale"),
    )  # fmt: skip
    assert [finding.point for finding in build_report(script.events).gaps] == ["c", "b", "a"]


def test_a_gap_that_was_closed_later_is_none() -> None:
    """A point that is made in a later answer is a strength and no gap; one missed twice is listed once."""
    script = Script(0.0)
    answered(script, 1, "nothing of it", ("a", "missing", ""), ("b", "missing", ""))
    answered(script, 2, "here it is", ("a", "covered", "here it is"), ("b", "missing", ""))
    report = build_report(script.events)
    assert [finding.point for finding in report.best_points] == ["a"]
    assert [(finding.point, finding.turn) for finding in report.gaps] == [("b", 2)]


def test_the_same_part_of_different_work_is_another_matter() -> None:
    """What was told of one project closes no gap in what was told of another."""
    script = Script(0.0)
    answered(script, 1, "nothing of it", ("how it ended", "missing", ""), topic="project_1")
    answered(script, 2, "here it is", ("how it ended", "covered", "here it is"), topic="project_2")
    report = build_report(script.events)
    assert [(finding.point, finding.topic) for finding in report.gaps] == [("how it ended", "project_1")]
    assert [finding.topic for finding in report.best_points] == ["project_2"]


def test_what_was_wrong_before_a_correction_is_no_gap() -> None:
    """The correction counts: neither gaps nor practice hold what it corrected."""
    points = {finding.point for finding in REPORT.gaps}
    assert "The search takes logarithmic time" not in points
    corrected = REPORT.answers[1]
    assert corrected.answer in RIGHT
    assert corrected.before_correction is not None
    assert corrected.before_correction.scores is not None
    assert corrected.before_correction.scores.overall == 1.6
    assert corrected.before_correction.verdicts[0].start_s is not None
    assert "Before the correction (1.6, outside every average)" in markdown(REPORT)


def test_practice_names_skipped_questions_last() -> None:
    """The weakest topic comes first; a topic of which nothing was scored comes last, with what was skipped in it."""
    assert [(practice.topic, practice.score) for practice in REPORT.practise_next] == [
        ("caching", 7.0),
        ("retries", None),
        ("consensus", None),
    ]
    assert REPORT.practise_next[-1].skipped == [CONSENSUS]


def test_the_answer_tells_how_it_came_about() -> None:
    """Hints, parts and a person's review are with the answer, and on the Markdown page."""
    first = REPORT.answers[0]
    assert first.hints == 1
    assert [(part.turn, part.start_s) for part in first.parts] == [(1, 10.215), (2, 22.09)]
    assert (first.start_s, first.thinking_s) == (10.215, 1.5)
    assert first.review is not None
    assert (first.review.by, first.review.released, first.review.note) == ("Grace", True, "The verdicts fit.")
    page = markdown(REPORT)
    assert "Given over 2 turns. After 1 hint. Grace looked at this answer" in page
    assert "Retries and idempotence: 5.0" not in page
    assert "the built-in judge took over: the score is outside every average" in page
    assert "Consensus, skipped: What does a leader" in page


def test_feedback_that_was_spoken_in_sentences_is_one() -> None:
    """Feedback that was spoken sentence by sentence is whole in the report and one entry of the transcript."""
    whole = " ".join(FEEDBACK)
    assert (REPORT.answers[0].feedback, REPORT.answers[0].feedback_heard) == (whole, whole)
    entries = build_transcript(EVENTS).entries
    assert next(entry.text for entry in entries if entry.kind == "feedback") == whole


@pytest.mark.parametrize(
    ("kept", "heard", "thanks"),
    [("kept", "heard", "acknowledgement"), ("kept", "heard", "thanks"), (None, None, "acknowledgement")],
)
def test_thanks_are_no_feedback(kept: Delivery, heard: Delivery, thanks: str) -> None:
    """In an exam the candidate hears thanks; the report holds the feedback, and that it was kept for it.

    An old record does not say which was which: there the structure of the thanks tells.
    """
    script = Script(0.0)
    answered(script, 1, "an answer")
    script.add(FeedbackReady(at=1.0, turn=1, text="Mention recall.", structure="gap", delivery=kept))
    script.add(FeedbackReady(at=1.0, turn=1, text="Thank you.", structure=thanks, delivery=heard))
    script.add(SpeechEnded(at=2.0, speech="feedback", heard="Thank you.", interrupted=False, turn=1))
    answer = build_report(script.events).answers[0]
    assert (answer.feedback, answer.feedback_heard) == ("Mention recall.", "")


def test_a_difficulty_that_was_asked_for_is_told_so() -> None:
    """The notes tell a change that the candidate asked for from one that the answers brought about."""
    went_up, went_down, skipped, stood_in, corrected = REPORT.performance_notes
    assert went_up == "The difficulty went up from medium to hard at question 3."
    assert went_down == "The difficulty went down from hard to medium at question 5, as the candidate asked."
    assert stood_in == "1 answer was judged by the built-in judge in place of a model, and outside every average."
    assert skipped == "1 question was skipped and outside every average."
    assert corrected.startswith("1 answer was corrected by the candidate: the correction counts")


def test_the_sample_is_told_with_its_caveats() -> None:
    """Help, wishes, fallbacks and an early end stand beside the scores."""
    told = " ".join(REPORT.caveats)
    assert "For 1 of 3 answers the model judge failed" in told
    assert "1 answer was given after a hint: each hint takes a tenth off completeness" in told
    assert "because the candidate asked for it" in told
    assert "went on by its rules or a spare: question selector." in told
    assert "ended the interview early" in told
    assert "held by text" not in told


def test_where_a_judge_stood_in_every_time_the_report_says_why_there_is_no_overall_score() -> None:
    """Nobody reads that no answer was scored beside answers that show a score."""
    script = Script(0.0)
    answered(script, 1, "an answer")
    events = [
        event.model_copy(update={"fallback": True}) if isinstance(event, AnswerJudged) else event
        for event in script.events
    ]
    report = build_report(events)
    assert report.answers[0].scores is not None
    assert report.overall_score is None
    told = " ".join(report.caveats)
    assert "No answer was scored" not in told
    assert "Every score is of the judge that stood in for a model that failed." in told
    assert "That is not a low score." in told


def test_a_review_that_nobody_made_is_said() -> None:
    """When a person was to look at an answer and has not, the report says so."""
    script = Script(0.0)
    answered(script, 1, "an answer")
    script.add(ReviewRequested(at=3.0, turn=1, why="The judge failed."))
    report = build_report(script.events)
    assert "A person was to look at 1 answer, and nobody has done so." in report.caveats
    assert report.answers[0].review is not None
    assert not report.answers[0].review.released
    assert "(The judge failed.), and nobody has done so." in markdown(report)


def test_repeated_fallbacks_are_counted() -> None:
    """Each agent that went on without its model is named once, with how often."""
    events: list[Event] = [FellBack(at=float(turn), turn=turn, agent="feedback", why="late") for turn in (1, 2)]
    assert any(caveat.endswith("a spare: feedback (2 times).") for caveat in build_report(events).caveats)


@pytest.mark.parametrize(
    ("what", "value", "sentence"),
    [
        ("feedback_mode", "exam", "From here on feedback is kept for the report, as the candidate asked."),
        ("feedback", "practice", "From here on feedback gives nothing away, as the candidate asked."),
        ("feedback", "interviewer", "From here on feedback gives nothing away, as the candidate asked."),
        ("feedback", "coach", "From here on feedback says what was missing, as the candidate asked."),
        ("mode", "plan", "The candidate asked for a technical assessment: questions come from the plan from here on."),
        ("difficulty", "easy", "The candidate asked for another difficulty: easy from here on."),
        ("pace", 0.85, "The interviewer speaks at 85% of the usual speed from here on, as the candidate asked."),
        ("pace", "1.15", "The interviewer speaks at 115% of the usual speed from here on, as the candidate asked."),
    ],
)
def test_every_change_of_a_setting_has_a_sentence(what: str, value: str | float, sentence: str) -> None:
    """The transcript tells in words what the candidate asked to be different, also from the names of old records."""
    change = {"kind": "setting_changed", "at": 1.0, "turn": 1, "what": what, "value": value}
    (note,) = build_transcript([event_adapter.validate_json(json.dumps(change))]).notes
    assert (note.kind, note.text, note.before_entry) == ("setting", sentence, 0)


def test_words_that_are_not_judged_are_marked() -> None:
    """In an answer the request and what was taken back are marked; the parts of an answer know of each other."""
    entries = [entry for entry in build_transcript(EVENTS).entries if entry.speaker == "candidate"]
    marked = {entry.turn: " ".join(word.text for word in entry.words if word.left_out) for entry in entries}
    assert marked == {
        1: "Could I have a hint?",
        2: "",
        3: "",
        4: "I want to correct my last answer.",
        5: "",
        6: "",
        7: "You can always try again. No, scrap that. Can we have something easier?",
        8: "",
    }
    assert [(entry.answer_turn, entry.part, entry.parts) for entry in entries[:3]] == [(2, 1, 2), (2, 2, 2), (3, 0, 0)]
    assert [entry.turn for entry in entries if entry.unsure] == [5]


def test_words_are_marked_in_each_utterance_of_a_turn() -> None:
    """Where a turn was recognised in pieces with the interviewer's voice between them, each has its own marks."""
    script = Script(0.0)
    first = script.candidate("it is a stack")
    script.wait(1.0)
    script.interviewer("reply", "Go on.", 0)
    script.wait(1.0)
    second = script.candidate("no scrap that it is a queue")
    script.taken(1, "q", [*first, *second])
    script.judged(1, "q", [], scores(5.0), spans=[span(1, 7, 10)])
    entries = [entry for entry in build_transcript(script.events).entries if entry.speaker == "candidate"]
    assert [[word.left_out for word in entry.words] for entry in entries] == [[True] * 4, [True] * 3 + [False] * 4]


def test_questions_of_an_unknown_topic_are_in_no_topic() -> None:
    """An answer whose topic nobody knows counts overall, and for no topic."""
    script = Script(0.0)
    answered(script, 1, "an answer", topic="unknown")
    answered(script, 2, "an answer", topic="caching")
    report = build_report(script.events)
    assert (report.answers_scored, report.topic_scores) == (2, {"caching": 5.0})


def test_a_title_comes_from_the_question() -> None:
    """The title that a question brings is kept when a later event names only the topic's id."""
    script = Script(0.0)
    script.selected(0, "q1", "Why?", topic="caching", topic_title="Caches")
    script.selected(1, "q2", "How?", topic="caching")
    assert isinstance(script.events[0], QuestionSelected)
    assert build_report(script.events).topic_titles == {"caching": "Caches"}
