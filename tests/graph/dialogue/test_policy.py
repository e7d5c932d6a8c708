"""What a turn of the candidate means: what is judged, what is asked for, what is kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.question import KeyPoints, Question
from domain.verdict import AnswerSpan
from graph.dialogue.policy import MOVE, STAY, TELL, Answered, PendingRequest, TurnPlan, read_turn
from graph.dialogue.spoken_words import NOTHING, SpokenWords
from graph.intents import DetectedIntent, Understood

WORDS = "a queue is first in first out next please".split()
KEPT = SpokenWords(words=("queues", "keep", "order"), spans=(AnswerSpan(turn=1, first_word=0, last_word=2),))
QUESTION = Question(
    id="q",
    text="What is a queue?",
    kind="retrieved",
    source="plan",
    topic="t",
    difficulty="easy",
    targets=KeyPoints(points=("first in, first out",)),
    expected_answer="",
    concepts=(),
    minutes=2,
)
LAST = Answered(question=QUESTION, turn=1)
REQUESTS = sorted(STAY | TELL | MOVE | {"stop", "correct_myself"})


def understood(request: str | None, answer: tuple[int, int] | None, confidence: float = 0.95) -> Understood:
    """A detector's finding."""
    return Understood(request=request, confidence=confidence, answer=answer, detector="test")  # type: ignore[arg-type]


def read(words: list[str], found: Understood, **before: object) -> TurnPlan:
    """The turn, as number 2."""
    return read_turn(words, found, turn=2, **before)  # type: ignore[arg-type]


def test_an_answer_is_judged_with_what_was_kept() -> None:
    """Words of an earlier turn and of this one are one answer, each with its place."""
    turn = read(WORDS, understood(None, (0, 6)), kept=KEPT)
    assert turn.request.intent == "answer"
    assert turn.judged.words == (*KEPT.words, *WORDS[:7])
    assert turn.judged.spans == (*KEPT.spans, AnswerSpan(turn=2, first_word=0, last_word=6))
    assert turn.kept == NOTHING


@pytest.mark.parametrize("request_", sorted(STAY))
def test_within_a_question_the_answer_is_kept(request_: str) -> None:
    """A request in mid-answer judges nothing and loses nothing."""
    turn = read(WORDS, understood(request_, (0, 6)), kept=KEPT)
    assert not turn.judged
    assert turn.kept.words == (*KEPT.words, *WORDS[:7])


@pytest.mark.parametrize("request_", sorted(STAY))
def test_an_answer_that_is_said_again_asked_for_nothing(request_: str) -> None:
    """In a rehearsal the same answer was taken for "what do you mean by …?" three times, and not judged."""
    first = read(WORDS, understood(request_, (0, 6)))
    turn = read(WORDS, understood(request_, (0, 6)), kept=first.kept)
    assert turn.request.intent == "answer"
    assert turn.judged.words == tuple(WORDS)
    assert turn.kept == NOTHING


@pytest.mark.parametrize("request_", sorted(TELL | MOVE | {"stop"}))
def test_other_requests_after_an_answer_judge_it(request_: str) -> None:
    """The answer is over, and both are honoured."""
    turn = read(WORDS, understood(request_, (0, 6)), kept=KEPT)
    assert turn.request.intent == request_
    assert turn.judged.words == (*KEPT.words, *WORDS[:7])


@pytest.mark.parametrize("request_", sorted(TELL))
def test_a_question_about_the_interview_keeps_an_unfinished_answer(request_: str) -> None:
    """Asking for the time in between does not end the answer."""
    assert read(WORDS, understood(request_, None), kept=KEPT).kept == KEPT


@pytest.mark.parametrize("request_", sorted(MOVE | {"stop"}))
def test_leaving_a_question_lets_an_unfinished_answer_go(request_: str) -> None:
    """What was only begun before another question was asked for is not judged."""
    turn = read(WORDS, understood(request_, None), kept=KEPT)
    assert not turn.judged
    assert not turn.kept


def test_starting_over_drops_what_was_kept() -> None:
    """Starting over takes back the answer so far, not only this turn's words."""
    found = Understood(request=None, confidence=0.9, answer=(3, 5), withdrawn=True, detector="test")
    assert read(WORDS, found, kept=KEPT).judged.words == tuple(WORDS[3:6])


@pytest.mark.parametrize(
    ("confidence", "asks", "judged"),
    [(0.39, False, True), (0.4, True, False), (0.7, True, False), (0.71, False, False)],
)
def test_how_sure_a_request_has_to_be(confidence: float, asks: bool, judged: bool) -> None:
    """Over 0.7 it is honoured, from 0.4 it is asked about, below it all was an answer."""
    turn = read(WORDS, understood("skip", None, confidence))
    assert turn.asks == asks
    assert bool(turn.judged) == judged
    assert (turn.pending is not None) == asks


@pytest.mark.parametrize("reply", ["yes", "yes please", "Yeah.", "sure, do that", "that's right"])
def test_a_yes_honours_what_was_asked_about(reply: str) -> None:
    """Whatever the detector makes of the yes."""
    pending = PendingRequest(request="skip", detail="", words=KEPT)
    turn = read(reply.split(), understood(None, (0, 0)), pending=pending)
    assert turn.request.intent == "skip"
    assert not turn.judged


@pytest.mark.parametrize("reply", ["no", "No, that was my answer.", "not really"])
def test_a_no_keeps_the_words_as_an_answer(reply: str) -> None:
    """The candidate goes on, and both parts are judged together."""
    pending = PendingRequest(request="skip", detail="", words=KEPT)
    turn = read(reply.split(), understood(None, (0, 0)), pending=pending)
    assert turn.request.intent == "go_on"
    assert turn.kept == KEPT


def test_going_on_without_yes_or_no_is_an_answer() -> None:
    """Then the words that were asked about belong to it."""
    pending = PendingRequest(request="skip", detail="", words=KEPT)
    assert read(WORDS, understood(None, (0, 8)), pending=pending).judged.words == (*KEPT.words, *WORDS)


def test_a_correction_is_judged_in_place_of_the_last_answer() -> None:
    """And an unfinished answer to the open question is kept for later."""
    turn = read(WORDS, understood("correct_myself", (0, 6)), kept=KEPT, last=LAST)
    assert turn.corrects == LAST
    assert turn.judged.words == tuple(WORDS[:7])
    assert turn.kept == KEPT


def test_an_announced_correction_waits_for_its_words() -> None:
    """The next answer is the correction."""
    announced = read(WORDS, understood("correct_myself", None), last=LAST)
    assert announced.corrects == LAST
    assert not announced.judged
    assert read(WORDS, understood(None, (0, 8)), corrects=announced.corrects).corrects == LAST


def test_without_an_earlier_answer_a_correction_is_an_answer() -> None:
    """There is nothing else it could be about."""
    turn = read(WORDS, understood("correct_myself", (0, 6)))
    assert turn.request.intent == "answer"
    assert turn.corrects is None


def test_no_words_are_unintelligible() -> None:
    """Nothing is judged when nothing was understood."""
    assert read([], understood(None, None), kept=KEPT) == TurnPlan(
        request=DetectedIntent(intent="unintelligible", confidence=1.0, turn=2, detector="test"), kept=KEPT
    )


@given(
    request_=st.sampled_from([None, *REQUESTS]),
    confidence=st.floats(0, 1),
    span=st.none() | st.tuples(st.integers(0, 8), st.integers(0, 8)).map(lambda pair: (min(pair), max(pair))),
    kept=st.sampled_from([NOTHING, KEPT]),
    last=st.sampled_from([None, LAST]),
    withdrawn=st.booleans(),
)
def test_words_are_never_judged_twice_and_never_both_judged_and_kept(
    *, request_: str | None, confidence: float, span: tuple[int, int] | None, kept: SpokenWords, last: Answered | None,
    withdrawn: bool,
) -> None:  # fmt: skip
    """Whatever was understood, each word ends in one place at most, and only words that were said are judged."""
    found = Understood(
        request=request_, confidence=confidence, answer=span, withdrawn=withdrawn, detector="test"  # type: ignore[arg-type]
    )  # fmt: skip
    turn = read(WORDS, found, kept=kept, last=last)
    spans = [*turn.judged.spans, *turn.kept.spans]
    assert len(set(spans)) == len(spans)
    assert len(turn.judged.words) == sum(each.last_word - each.first_word + 1 for each in turn.judged.spans)
    assert not (turn.asks and turn.judged)


def test_a_yes_judges_the_answer_that_came_with_the_request() -> None:
    """Nothing of an answer is lost because the interviewer had to ask back."""
    asked = read(WORDS, understood("change_topic", (0, 6), 0.5), kept=KEPT)
    turn = read(["yes"], understood(None, (0, 0)), kept=asked.kept, pending=asked.pending)
    assert turn.request.intent == "change_topic"
    assert turn.judged.words == (*KEPT.words, *WORDS[:7])


def test_asking_again_for_what_was_doubtful_is_a_yes() -> None:
    """Whoever says "a hint would be great" when asked whether they want one gets it, and their words are no answer."""
    pending = PendingRequest(request="hint", detail="", words=KEPT)
    turn = read(WORDS, understood("hint", None, confidence=0.6), pending=pending)
    assert (turn.request.intent, turn.asks) == ("hint", False)
    assert not turn.kept
    assert not turn.judged


def test_an_answer_that_was_asked_about_and_is_said_again_is_an_answer() -> None:
    """It is judged once, and nobody is asked about the same words twice: this once went round for seven turns."""
    said = "The loop shines when requests mostly wait, for a database.".split()
    again = "The loop shines when request mostly wait for a database.".split()
    asked = read(said, understood("clarify", (0, 5), 0.575))
    assert asked.asks
    turn = read(again, understood("clarify", (0, 5), 0.512), kept=asked.kept, pending=asked.pending)
    assert (turn.request.intent, turn.asks, turn.pending) == ("answer", False, None)
    assert turn.judged.words == tuple(again)


def test_whoever_was_asked_about_one_request_is_not_asked_about_another() -> None:
    """A long reply of which nothing is sure goes on with the answer that was asked about."""
    pending = PendingRequest(request="hint", detail="", words=KEPT)
    turn = read(WORDS, understood("skip", (0, 5), 0.6), pending=pending)
    assert (turn.request.intent, turn.asks) == ("answer", False)
    assert turn.judged.words == (*KEPT.words, *WORDS)


def test_a_short_request_that_is_made_again_is_granted() -> None:
    """Said twice, "is it about idempotency" is no answer."""
    words = "is it about idempotency".split()
    asked = read(words, understood("clarify", None, 0.6))
    turn = read(words, understood("clarify", None, 0.6), pending=asked.pending)
    assert turn.request.intent == "clarify"
    assert not turn.judged


@pytest.mark.parametrize("reply", ["no", "no i want to go on", "a queue keeps order"])
def test_a_lone_word_that_was_asked_about_is_no_part_of_an_answer(reply: str) -> None:
    """Whoever said "stop", and did not mean the interview, has said nothing yet that could be judged."""
    lone = SpokenWords(words=("stop",), spans=(AnswerSpan(turn=1, first_word=0, last_word=0),))
    pending = PendingRequest(request="stop", detail="", words=lone)
    words = reply.split()
    turn = read(words, understood(None, (0, len(words) - 1)), pending=pending)
    assert not turn.kept
    assert "stop" not in turn.judged.words


@pytest.mark.parametrize(
    "announced",
    [
        "scrap that last answer what i should have said is",
        "i also want to scrap that what i meant is",
        "i correct that",
    ],
)
def test_what_was_taken_back_is_not_judged_whatever_the_new_answer_is_about(announced: str) -> None:
    """An answer about adding fields adds nothing to the one before."""
    last = LAST.model_copy(update={"said": KEPT})
    answer = "mostly by only adding things and also by asking".split()
    words = [*announced.split(), *answer]
    at = (len(words) - len(answer), len(words) - 1)
    assert read(words, understood("correct_myself", at), last=last).judged.words == tuple(answer)


@pytest.mark.parametrize(("verb", "judged"), [("add that", (*KEPT.words, "order", "matters")), ("correct", None)])
def test_what_is_added_to_an_answer_is_judged_with_it(verb: str, judged: tuple[str, ...] | None) -> None:
    """Whoever adds takes nothing back; whoever corrects does. It makes no difference whether it was announced."""
    last = LAST.model_copy(update={"said": KEPT})
    words = f"i want to {verb} order matters".split()
    at = (len(words) - 2, len(words) - 1)
    assert read(words, understood("correct_myself", at), last=last).judged.words == (judged or ("order", "matters"))
    announced = read(words[:-2], understood("correct_myself", None), last=last)
    given_then = read(["order", "matters"], understood(None, (0, 1)), corrects=announced.corrects)
    assert given_then.judged.words == (judged or ("order", "matters"))
