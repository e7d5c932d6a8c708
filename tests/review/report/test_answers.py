"""Answers as they stand: over several turns, with parts taken back, corrected, skipped."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.events import (
    AnswerJudged,
    AnswerTaken,
    Event,
    IntentDetected,
    ReviewReleased,
    ReviewRequested,
    TurnVoided,
    VerdictContested,
    Word,
)
from domain.verdict import AnswerSpan
from domain.vocabulary import Intent
from review.report.answer_spans import judged_parts, text_of, words_of
from review.report.answers import GIVEN_UP, asked_back, given_answers, standing_turns
from tests.review.sample_requests import CAUSES, COSTS, KEPT, RIGHT, WRONG, requests_by_text, requests_by_voice, span
from tests.review.script import Script, scores

VOICE = requests_by_voice(1_700_000_000.0)
TEXT = requests_by_text(1_700_000_000.0)
INTENTS: list[Intent] = list(Intent.__args__)  # type: ignore[attr-defined]


def taken(turn: int, text: str, *, words: bool = True, question_id: str = "q", continues: bool = False) -> AnswerTaken:
    """A turn; its words are a second long each, and begin when the turn's number times 100 is on the clock."""
    heard = [
        Word(text=word, start_at=100.0 * turn + place, end_at=100.0 * turn + place + 1, confidence=0.9)
        for place, word in enumerate(text.split())
    ]
    return AnswerTaken(
        at=100.0 * turn + 50,
        turn=turn,
        question_id=question_id,
        text=text,
        words=heard if words else [],
        speech_ended_at=100.0 * turn + 40,
        continues=continues,
    )


def judged(
    turn: int,
    spans: list[AnswerSpan] | None = None,
    *,
    replaces_turn: int | None = None,
    question_id: str = "q",
    overall: float = 5.0,
) -> AnswerJudged:
    """A judgement without verdicts."""
    return AnswerJudged(
        at=100.0 * turn + 60,
        turn=turn,
        question_id=question_id,
        topic="topic",
        difficulty="medium",
        judge="built-in",
        verdicts=[],
        scores=scores(overall),
        spans=spans or [],
        replaces_turn=replaces_turn,
    )


def wants(turn: int, intent: Intent, confidence: float = 0.9) -> IntentDetected:
    """What the candidate wanted with a turn."""
    return IntentDetected(at=100.0 * turn + 51, turn=turn, intent=intent, confidence=confidence)


@pytest.mark.parametrize("events", [VOICE, TEXT])
def test_an_answer_over_two_turns_is_one(events: list[Event]) -> None:
    """What was said before and after a request is one answer, without the request."""
    first = given_answers(events)[0]
    assert first.text == f"{CAUSES} … {COSTS}"
    assert [word.text for word in first.words] == f"{CAUSES} {COSTS}".split()


@pytest.mark.parametrize("events", [VOICE, TEXT])
def test_what_was_taken_back_is_no_part_of_the_answer(events: list[Event]) -> None:
    """Neither the part that was withdrawn nor the request at the end is in the answer."""
    assert given_answers(events)[-1].text == KEPT


@pytest.mark.parametrize("events", [VOICE, TEXT])
def test_a_correction_has_the_place_of_what_it_corrects(events: list[Event]) -> None:
    """The correction stands for its question, and what it corrects is kept with it."""
    answers = given_answers(events)
    assert [answer.turn for answer in answers] == [2, 4, 6, 7]
    assert answers[1].question_id == "ds-search"
    assert answers[1].text in RIGHT
    assert answers[1].corrects is not None
    assert answers[1].corrects.text == WRONG
    assert [turn.turn for turn in standing_turns(events)] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_the_last_of_several_corrections_stands() -> None:
    """Whether each correction names the first answer or the one before it, the last one counts."""
    for second_names in (1, 2):
        events: list[Event] = [
            taken(1, "one"),
            judged(1),
            taken(2, "two"),
            judged(2, replaces_turn=1),
            taken(3, "three"),
            judged(3, replaces_turn=second_names),
        ]
        (answer,) = given_answers(events)
        assert answer.turn == 3
        assert answer.corrects is not None
        assert answer.corrects.corrects is not None
        assert (answer.corrects.turn, answer.corrects.corrects.turn) == (2, 1)


def test_a_correction_that_was_taken_back_corrects_nothing() -> None:
    """When the candidate goes on and the turn is judged anew as something else, the earlier answer stands again."""
    events: list[Event] = [
        taken(1, "one", question_id="a"),
        judged(1, question_id="a"),
        taken(2, "no, two", question_id="b"),
        judged(2, question_id="a", replaces_turn=1),
        taken(3, "no, two and more", question_id="b", continues=True),
        judged(3, question_id="b"),
    ]
    assert [(answer.turn, answer.corrects) for answer in given_answers(events)] == [(1, None), (3, None)]


def test_a_correction_of_nothing_is_an_answer() -> None:
    """A judgement that replaces a turn nobody knows stands for itself."""
    events: list[Event] = [taken(2, "two"), judged(2, replaces_turn=1)]
    assert [(answer.turn, answer.corrects) for answer in given_answers(events)] == [(2, None)]


@pytest.mark.parametrize("intent", INTENTS)
def test_only_answers_and_skipped_questions_are_answers(intent: Intent) -> None:
    """A turn that was nothing but a request is no answer of the report."""
    answers = given_answers([taken(1, "some words"), wants(1, intent)])
    assert bool(answers) == (intent in ("answer", "skip"))


def test_a_request_with_an_answer_before_it_is_an_answer() -> None:
    """An answer that ends with a request is reported for what was judged of it."""
    (answer,) = given_answers([taken(1, "so it goes next please"), wants(1, "skip"), judged(1, [span(1, 0, 2)])])
    assert (answer.text, answer.skipped) == ("so it goes", False)


def test_a_request_that_was_not_sure_skips_nothing() -> None:
    """While the interviewer only asks whether the candidate wants to skip, nothing is skipped."""
    events: list[Event] = [taken(1, "I would pass"), wants(1, "skip", 0.55)]
    assert given_answers(events) == []
    confirmed = given_answers([*events, taken(2, "yes"), wants(2, "skip", 1.0)])
    assert [(answer.turn, answer.skipped) for answer in confirmed] == [(2, True)]


@pytest.mark.parametrize("intent", INTENTS)
@pytest.mark.parametrize(("confidence", "asked"), [(0.7, True), (0.71, False)])
def test_an_old_record_tells_what_was_asked_about(intent: Intent, confidence: float, asked: bool) -> None:
    """Where the event does not say it, an unsure request was asked about, but for those that cost nothing."""
    harmless = {"answer", "hold", "go_on", "distress", "abuse", "unintelligible"}
    old = IntentDetected(at=1.0, turn=1, intent=intent, confidence=confidence)
    assert asked_back(old) == (asked and intent not in harmless)


@given(st.sampled_from(INTENTS), st.floats(0, 1), st.booleans())
def test_what_was_decided_is_not_derived(intent: Intent, confidence: float, asked: bool) -> None:
    """Where the event says whether the interviewer asked, neither the confidence nor the intent counts."""
    assert asked_back(IntentDetected(at=1.0, turn=1, intent=intent, confidence=confidence, asked=asked)) == asked


def test_a_turn_that_went_into_a_later_answer_is_no_answer_of_its_own() -> None:
    """A turn of which a crash lost what the candidate wanted is not counted beside the answer that holds its words."""
    events: list[Event] = [taken(1, "first part"), taken(2, "second part"), judged(2, [span(1, 0, 1), span(2, 0, 1)])]
    assert [(answer.turn, answer.text) for answer in given_answers(events)] == [(2, "first part second part")]


def test_a_span_that_leads_nowhere_places_no_word() -> None:
    """When the record does not hold all the judged words, none is counted: a quote never points to other words."""
    for wrong in (span(9, 0, 1), span(1, 0, 7), span(1, 1, 0), span(1, -1, 0)):
        (answer,) = given_answers([taken(1, "one two"), judged(1, [wrong])])
        assert (answer.text, list(answer.words)) == ("", [])


def test_spans_count_the_words_of_a_turn_without_word_times() -> None:
    """Where a turn came without recognised words, its text is cut at the same places."""
    (answer,) = given_answers([taken(1, "one two three", words=False), judged(1, [span(1, 1, 2)])])
    assert (answer.text, list(answer.words)) == ("two three", [])


def test_a_review_belongs_to_its_turn() -> None:
    """Who looked at a turn is known with its answer."""
    events: list[Event] = [
        taken(1, "one"),
        judged(1),
        ReviewRequested(at=170.0, turn=1, why="The judge failed."),
        ReviewReleased(at=180.0, turn=1, by="Grace", note="Fine."),
        taken(2, "two"),
        judged(2),
    ]
    first, second = given_answers(events)
    assert first.review_requested is not None
    assert first.review_released is not None
    assert (first.review_released.by, second.review_requested) == ("Grace", None)


def test_a_turn_that_was_taken_back_takes_its_words_with_it() -> None:
    """An answer that goes on holds the earlier turns' words and its own, once."""
    script = Script(0.0)
    hint, part, whole = "reads are fast give me a hint", "stale data", "stale data and memory"
    script.add(taken(1, hint))
    script.add(wants(1, "hint"))
    script.add(taken(2, part))
    script.add(judged(2, [span(1, 0, 2), span(2, 0, 1)]))
    script.add(taken(3, whole, continues=True))
    script.add(judged(3, [span(1, 0, 2), span(3, 0, 3)], overall=8.0))
    (answer,) = given_answers(script.events)
    assert (answer.text, answer.scores and answer.scores.overall) == (f"reads are fast … {whole}", 8.0)


@settings(deadline=None)
@given(
    texts=st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=6), min_size=1, max_size=4),
    data=st.data(),
)
def test_the_words_of_an_answer_are_those_of_its_spans(texts: list[list[str]], data: st.DataObject) -> None:
    """Whatever the spans, the verdicts' word numbers count exactly the words at their places, and the text has them."""
    turns = {turn: taken(turn, " ".join(words)) for turn, words in enumerate(texts, 1)}
    spans = []
    for turn, words in enumerate(texts, 1):
        first = data.draw(st.integers(0, len(words) - 1))
        spans.append(span(turn, first, data.draw(st.integers(first, len(words) - 1))))
    parts = judged_parts(judged(len(texts), spans), turns)
    expected = [turns[one.turn].words[place] for one in spans for place in range(one.first_word, one.last_word + 1)]
    assert list(words_of(parts)) == expected
    assert [word for word in text_of(parts).split() if word != "…"] == [word.text for word in expected]


def voided(turn: int) -> TurnVoided:
    """A turn that was given up, after it was judged."""
    return TurnVoided(at=100.0 * turn + 70, turn=turn)


def test_a_turn_that_was_given_up_is_named_and_not_scored() -> None:
    """The answer stays beside the one given in its place, without scores, also when a verdict is contested."""
    contested = VerdictContested(
        at=900.0, turn=1, question_id="q", note="no", judge="person", verdicts=[], scores=scores(9.0)
    )
    events: list[Event] = [taken(1, "one"), judged(1), voided(1), taken(2, "two"), judged(2), contested]
    first, second = given_answers(events)
    assert (first.text, first.scores, first.counts, first.voided) == ("one", None, False, True)
    assert first.judged is not None
    assert first.judged.not_scored == GIVEN_UP
    assert (second.text, second.counts) == ("two", True)


@pytest.mark.parametrize("intent", ["answer", "skip"])
def test_a_turn_that_was_given_up_before_it_was_judged_is_no_skipped_question(intent: Intent) -> None:
    """An answer is named; a wish to skip was not granted, so nothing was skipped."""
    given_up = given_answers([taken(1, "one"), wants(1, intent), voided(1)])
    assert [(answer.turn, answer.skipped) for answer in given_up] == ([(1, False)] if intent == "answer" else [])


def test_a_correction_that_was_given_up_corrects_nothing() -> None:
    """The earlier answer counts again."""
    events: list[Event] = [taken(1, "one"), judged(1), taken(2, "two"), judged(2, replaces_turn=1), voided(2)]
    first, second = given_answers(events)
    assert (first.turn, first.counts) == (1, True)
    assert (second.turn, second.counts, second.corrects) == (2, False, None)


def test_words_that_continue_a_turn_that_was_given_up_replace_it() -> None:
    """A candidate who goes on before the question is asked again is judged by all their words."""
    events: list[Event] = [
        taken(1, "one"), judged(1), voided(1), taken(2, "one two", continues=True), judged(2),
    ]  # fmt: skip
    (answer,) = given_answers(events)
    assert (answer.turn, answer.counts) == (2, True)
