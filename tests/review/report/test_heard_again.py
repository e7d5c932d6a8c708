"""Answers that were decoded again after they were judged: the better words are shown, and what they changed."""

from __future__ import annotations

from domain.events import AnswerJudged, AnswerReheard, AnswerTaken, Event, UtteranceHeard, event_adapter
from domain.verdict import Evaluation
from review import build_report, build_transcript, markdown
from review.http.visibility import before_the_end
from review.record.summary import summarize
from tests.review.sample_interview import sample_events
from tests.review.script import scores, spoken, verdict

SAMPLE = sample_events(1_700_000_000.0)
FIRST = next(event for event in SAMPLE if isinstance(event, AnswerJudged) and event.scores and not event.replaces_turn)
TAKEN = next(event for event in reversed(SAMPLE) if isinstance(event, AnswerTaken) and event.turn == FIRST.turn)
BETTER = "Whoever heard this well hears many other words altogether"


def reheard(turn: int = FIRST.turn, overall: float = 9.0) -> AnswerReheard:
    """The first answer, with other words and nothing but its first point covered."""
    begins_at, lasts_s = TAKEN.words[0].start_at, TAKEN.words[-1].end_at - TAKEN.words[0].start_at
    said = BETTER.split()
    words = [
        word.model_copy(update={"start_at": begins_at + lasts_s * at / len(said)})
        for at, word in enumerate(spoken(said, begins_at))
    ]
    words = [word.model_copy(update={"end_at": word.start_at + 0.1}) for word in words]
    judged = Evaluation(
        **FIRST.model_dump(include={"question_id", "topic", "difficulty", "judge"}),
        turn=turn,
        verdicts=(verdict(words, FIRST.verdicts[0].point, "contradicted", "other words"),),
        scores=scores(overall),
    )
    return AnswerReheard(at=TAKEN.at + 3.0, turn=turn, text=BETTER, words=words, judged=judged)


def with_event(event: Event) -> list[Event]:
    """The sample with one more event, where its time puts it."""
    return sorted([*SAMPLE, event], key=lambda each: each.at)


def test_report_and_transcript_have_the_better_words_once() -> None:
    """What was heard at first is in neither, but for the place that says so."""
    events = with_event(reheard())
    report = build_report(events)
    answer = next(answer for answer in report.answers if answer.turn == FIRST.turn)
    assert answer.answer == BETTER
    assert answer.verdicts[0].start_s is not None
    assert answer.heard_again is not None
    assert answer.heard_again.first_heard == TAKEN.text
    said = [entry.text for entry in build_transcript(events).entries if entry.speaker == "candidate"]
    first = [entry.text for entry in build_transcript(SAMPLE).entries if entry.answer_turn == FIRST.turn]
    assert " ".join(said).count(BETTER) == 1
    assert not set(first) & set(said)
    assert BETTER in markdown(report)


def test_the_report_says_which_verdicts_changed() -> None:
    """Point by point, and a caveat says that what was said aloud rests on the first words."""
    report = build_report(with_event(reheard()))
    answer = next(answer for answer in report.answers if answer.turn == FIRST.turn)
    assert answer.heard_again is not None
    changed = {each.point: (each.first, each.now) for each in answer.heard_again.changed}
    assert changed[FIRST.verdicts[0].point] == (FIRST.verdicts[0].status, "contradicted")

    assert any("decoded again" in caveat for caveat in report.caveats)
    assert not any("decoded again" in caveat for caveat in build_report(SAMPLE).caveats)


def test_scores_follow_the_better_words() -> None:
    """In the report and in the list of interviews."""
    before, after = build_report(SAMPLE), build_report(with_event(reheard(overall=10.0)))
    assert before.overall_score is not None
    assert after.overall_score is not None
    assert after.overall_score > before.overall_score
    assert summarize("i", with_event(reheard(overall=10.0))).overall == after.overall_score


def test_a_turn_that_nobody_knows_changes_nothing_and_a_crash_in_between_leaves_what_was_heard_first() -> None:
    """The second decode is one event: it is there whole, or not at all."""
    assert build_report(with_event(reheard(turn=99))).answers == build_report(SAMPLE).answers
    assert build_transcript(with_event(reheard(turn=99))).entries == build_transcript(SAMPLE).entries
    assert all(answer.heard_again is None for answer in build_report(SAMPLE).answers)


def test_the_record_keeps_both() -> None:
    """The events as they were written are read back as they were; nothing is overwritten."""
    events = with_event(reheard())
    assert [event_adapter.validate_json(event.model_dump_json()) for event in events] == events
    assert TAKEN in events
    assert any(isinstance(event, UtteranceHeard) and event.text in TAKEN.text for event in events)


def test_how_it_was_judged_is_not_told_before_the_end() -> None:
    """The words are, like all words."""
    told = before_the_end(reheard())
    assert isinstance(told, AnswerReheard)
    assert told.text == BETTER
    assert (told.judged.verdicts, told.judged.scores) == ((), None)
