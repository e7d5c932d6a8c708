"""Who said what and when."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.events import (
    AnswerTaken,
    Event,
    InterviewEnded,
    InterviewStarted,
    PlayedWord,
    RecordingFinished,
    RecordingStarted,
    SpeechEnded,
    SpeechStarted,
    UtteranceHeard,
    Word,
)
from review import build_transcript
from tests.review.sample_interview import FOLLOW_UP, sample_events
from tests.review.script import spoken

EVENTS = sample_events(1_700_000_000.0)


def heard(text: str, start_at: float) -> UtteranceHeard:
    """An utterance whose words have times."""
    words = spoken(text.split(), start_at)
    return UtteranceHeard(at=words[-1].end_at, text=text, words=words)


def taken(turn: int, words: list[Word], *, continues: bool = False) -> AnswerTaken:
    """A turn of these words."""
    return AnswerTaken(
        at=words[-1].end_at + 0.5,
        turn=turn,
        question_id="q",
        text=" ".join(word.text for word in words),
        words=words,
        speech_ended_at=words[-1].end_at,
        continues=continues,
    )


def test_an_interview_reads_in_the_order_it_was_heard() -> None:
    """The sample reads as a conversation, requests and crash among it."""
    entries = build_transcript(EVENTS).entries
    assert [(entry.speaker[0], entry.kind, entry.turn) for entry in entries] == [
        ("i", "greeting", 0),
        ("i", "question", 0),
        ("c", "answer", 1),
        ("i", "feedback", 1),
        ("c", "answer", 1),
        ("i", "feedback", 1),
        ("i", "question", 1),
        ("c", "answer", 2),
        ("i", "reply", 2),
        ("c", "answer", 2),
        ("i", "feedback", 2),
        ("i", "question", 2),
        ("c", "repeat", 3),
        ("i", "reply", 3),
        ("c", "answer", 4),
        ("i", "feedback", 4),
        ("i", "question", 4),
        ("c", "answer", 5),
        ("i", "feedback", 5),
        ("i", "closing", 5),
    ]


def test_times_are_seconds_of_the_recording() -> None:
    """Second 0 is the recording's first sample, and words keep their times on its line."""
    transcript = build_transcript(EVENTS)
    finished = next(event for event in EVENTS if isinstance(event, RecordingFinished))
    assert transcript.recorded
    assert transcript.started_at == finished.started_at
    assert transcript.duration_s == finished.duration_s
    utterance = next(event for event in EVENTS if isinstance(event, UtteranceHeard))
    entry = next(entry for entry in transcript.entries if entry.speaker == "candidate")
    expected = [word.start_at - finished.started_at for word in utterance.words]
    assert [word.start_s for word in entry.words] == pytest.approx(expected, abs=0.001)
    assert (entry.start_s, entry.end_s) == (entry.words[0].start_s, entry.words[-1].end_s)


def test_the_line_begins_with_the_first_piece_while_it_is_recorded() -> None:
    """Before the recording is finished its first piece sets second 0, also after a crash."""
    unfinished = [event for event in EVENTS if not isinstance(event, RecordingFinished)]
    assert build_transcript(unfinished).entries == build_transcript(EVENTS).entries


def test_without_a_recording_the_line_begins_with_the_first_event() -> None:
    """Where nothing was recorded, times count from the first event."""
    silent = [event for event in EVENTS if not isinstance(event, (RecordingFinished, RecordingStarted))]
    transcript = build_transcript(silent)
    assert not transcript.recorded
    assert transcript.started_at == EVENTS[0].at
    assert build_transcript([]).entries == []


def test_an_interrupted_sentence_is_what_was_heard_of_it() -> None:
    """Of an interrupted sentence the transcript holds the part that was played."""
    question = next(entry for entry in build_transcript(EVENTS).entries if entry.interrupted and entry.turn == 1)
    cut_off = [entry for entry in build_transcript(EVENTS).entries if entry.interrupted]
    assert question.text == "Good, the two curves are the"
    assert cut_off[1].text == " ".join(FOLLOW_UP.split()[:10])
    assert len(cut_off) == 2


def test_a_sentence_that_nobody_heard_is_left_out() -> None:
    """Speech that was interrupted before its first word is not in the transcript."""
    events: list[Event] = [
        SpeechStarted(at=1.0, speech="feedback", text="Well done.", turn=1),
        SpeechEnded(at=1.1, speech="feedback", heard="", interrupted=True, turn=1),
    ]
    assert build_transcript(events).entries == []


def test_speech_that_a_crash_cut_off_ends_with_the_last_sign_of_life() -> None:
    """A sentence without an end is there, interrupted, until the last event before the new worker's."""
    events: list[Event] = [
        SpeechStarted(at=10.0, speech="question", text="Why?", turn=1, question_id="q"),
        heard("well", 12.0),
        InterviewStarted(at=60.0, judge="built-in", resumed=True),
        InterviewEnded(at=90.0, reason="completed"),
    ]
    entry = build_transcript(events).entries[0]
    assert (entry.text, entry.start_s, entry.interrupted) == ("Why?", 0.0, True)
    assert entry.end_s < 5.0


def test_speech_that_goes_on_is_not_interrupted() -> None:
    """While an interview runs, the sentence that is being spoken is not called interrupted."""
    entry = build_transcript([SpeechStarted(at=10.0, speech="question", text="Why?", turn=1)]).entries[0]
    assert not entry.interrupted


def test_a_late_end_finds_its_own_beginning() -> None:
    """When the end of one sentence is recorded after the beginning of the next, each keeps its own times."""
    events: list[Event] = [
        SpeechStarted(at=0.0, speech="feedback", text="Good.", turn=1),
        SpeechStarted(at=2.0, speech="question", text="Why?", turn=1, question_id="q"),
        SpeechEnded(at=2.1, speech="feedback", heard="Good.", interrupted=False, turn=1),
        SpeechEnded(at=3.0, speech="question", heard="Why?", interrupted=False, turn=1, question_id="q"),
    ]
    entries = build_transcript(events).entries
    assert [(entry.text, entry.start_s, entry.end_s) for entry in entries] == [("Good.", 0.0, 2.1), ("Why?", 2.0, 3.0)]


def test_a_continued_turn_keeps_its_words_once() -> None:
    """The words of a turn that was replaced are in the transcript once, in the turn that replaced it."""
    first, second = heard("the first part", 0.0), heard("and the second", 10.0)
    events: list[Event] = [
        first,
        taken(1, list(first.words)),
        second,
        taken(2, [*first.words, *second.words], continues=True),
    ]
    entries = build_transcript(events).entries
    assert [(entry.text, entry.turn) for entry in entries] == [("the first part and the second", 2)]


def test_what_was_said_outside_any_turn_is_kept() -> None:
    """An utterance that belongs to no turn is in the transcript as such."""
    entry = build_transcript([heard("hello is this on", 3.0)]).entries[0]
    assert (entry.kind, entry.turn, entry.question_id) == ("utterance", None, "")


def test_a_turn_without_utterances_is_kept() -> None:
    """A turn of which the recogniser reported no utterance is shown with its own words."""
    words = spoken("a typed answer".split(), 4.0)
    entry = build_transcript([taken(1, words)]).entries[0]
    assert (entry.text, entry.turn, len(entry.words)) == ("a typed answer", 1, 3)


def test_words_without_times_still_find_their_turn() -> None:
    """Where the recogniser gave no word times, text and order tell which turn an utterance belongs to."""
    plain = UtteranceHeard(at=5.0, text="no times here", words=[])
    answer = AnswerTaken(at=6.0, turn=3, question_id="q", text="no times here", words=[], speech_ended_at=5.0)
    entries = build_transcript([plain, answer]).entries
    assert [(entry.turn, entry.text, entry.words) for entry in entries] == [(3, "no times here", [])]


@settings(deadline=None)
@given(kept=st.lists(st.booleans(), min_size=len(EVENTS), max_size=len(EVENTS)))
def test_whatever_is_missing_nothing_said_is_lost(kept: list[bool]) -> None:
    """From any part of a record comes a transcript in time order that holds every recognised word exactly once."""
    events = [event for event, keep in zip(EVENTS, kept, strict=True) if keep]
    entries = build_transcript(events).entries
    assert all(before.start_s <= after.start_s for before, after in pairwise(entries))
    assert all(0 <= entry.start_s <= entry.end_s for entry in entries)
    utterances = [word.text for event in events if isinstance(event, UtteranceHeard) for word in event.words]
    said = [word.text for entry in entries for word in entry.words]
    if not any(isinstance(event, AnswerTaken) for event in events):
        assert said == utterances
    for text in set(utterances):
        assert said.count(text) >= utterances.count(text)


def test_the_interviewers_words_have_their_times_where_the_voice_told_them() -> None:
    """On the recording's time line; feedback of two sentences is one entry with the words of both."""
    words = [
        PlayedWord(text=text, start_at=10.0 + n, end_at=10.5 + n) for n, text in enumerate(["Good.", "Thank", "you."])
    ]
    events: list[Event] = [
        SpeechStarted(at=10.0, speech="feedback", text="Good.", turn=1),
        SpeechEnded(at=11.0, speech="feedback", heard="Good.", interrupted=False, turn=1, words=words[:1]),
        SpeechStarted(at=11.0, speech="feedback", text="Thank you.", turn=1),
        SpeechEnded(at=13.0, speech="feedback", heard="Thank you.", interrupted=False, turn=1, words=words[1:]),
    ]
    (entry,) = build_transcript(events).entries
    assert [(word.text, word.start_s, word.end_s) for word in entry.words] == [
        ("Good.", 0.0, 0.5), ("Thank", 1.0, 1.5), ("you.", 2.0, 2.5),
    ]  # fmt: skip


def test_feedback_of_which_only_a_part_has_times_has_none() -> None:
    """Else the rest of it would not be shown."""
    word = PlayedWord(text="Good.", start_at=10.0, end_at=10.5)
    events: list[Event] = [
        SpeechStarted(at=10.0, speech="feedback", text="Good.", turn=1),
        SpeechEnded(at=11.0, speech="feedback", heard="Good.", interrupted=False, turn=1, words=[word]),
        SpeechStarted(at=11.0, speech="feedback", text="Thank you.", turn=1),
        SpeechEnded(at=13.0, speech="feedback", heard="Thank you.", interrupted=False, turn=1),
    ]
    (entry,) = build_transcript(events).entries
    assert (entry.text, entry.words) == ("Good. Thank you.", [])
