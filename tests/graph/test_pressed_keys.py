"""What a key of the phone asks for goes the way of the same request said aloud, and nobody has said it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from langchain_core.messages import HumanMessage

from domain.events import IntentDetected
from domain.vocabulary import Request
from graph.dialogue.policy import KEYPAD, as_pressed, read_turn
from tests.graph.fakes import Rig, begun, kinds, spoken

KEYS: tuple[Request, ...] = ("repeat", "rephrase", "hint", "skip", "slower", "faster", "time_left", "hold", "stop")


@pytest.mark.parametrize("request_", KEYS)
async def test_a_key_is_answered_like_the_spoken_request(request_: Request) -> None:
    """The same kinds of speech, and the same words."""
    said, _ = await begun(Rig())
    pressed, _ = await begun(Rig())
    assert await spoken(pressed.answer("", 1, request_)) == await spoken(said.answer(f"#{request_}", 1))


@pytest.mark.parametrize("request_", KEYS)
async def test_a_key_puts_no_words_into_the_candidates_mouth(request_: Request) -> None:
    """No message, nothing judged, and the record says that it was the keypad, for certain."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("", 1, request_))
    state = await interview.snapshot()
    assert not any(isinstance(message, HumanMessage) for message in state["messages"])
    assert rig.judge.judged == []
    (intent,) = [event for event in rig.notes.events if isinstance(event, IntentDetected)]
    assert (intent.intent, intent.detector, intent.confidence, intent.asked) == (request_, KEYPAD, 1.0, False)


@pytest.mark.parametrize("request_", ["repeat", "rephrase", "hint", "slower", "faster", "time_left", "hold"])
async def test_an_answer_goes_on_after_a_key_that_was_pressed_in_the_middle_of_it(request_: Request) -> None:
    """What was said before is judged with what follows, also where the spoken request would have ended the answer."""
    rig = Rig()
    interview, opening = await begun(rig)
    await spoken(interview.answer("good leaves", 1, request_))
    assert rig.judge.judged == []
    await spoken(interview.answer("and hot water", 2))
    assert rig.judge.judged == [(opening[1].question_id, "good leaves and hot water")]


@pytest.mark.parametrize("request_", ["skip", "stop"])
async def test_an_answer_before_a_key_that_leads_away_is_judged_as_it_is(request_: Request) -> None:
    """As before the same request in words."""
    rig = Rig()
    interview, opening = await begun(rig)
    says = await spoken(interview.answer("good answer about oxidation of tea", 1, request_))
    assert rig.judge.judged == [(opening[1].question_id, "good answer about oxidation of tea")]
    assert kinds(says)[-1] == ("closing" if request_ == "stop" else "question")


async def test_a_key_holds_for_one_turn() -> None:
    """What is said next is an answer again."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("", 1, "hint"))
    await spoken(interview.answer("good answer about oxidation of tea", 2))
    assert len(rig.judge.judged) == 1


async def test_the_key_of_a_request_that_was_asked_about_is_a_yes() -> None:
    """To "would you like to skip this question?" four is an answer."""
    interview, _ = await begun(Rig())
    await spoken(interview.answer("#skip?", 1))
    assert kinds(await spoken(interview.answer("", 2, "skip"))) == ["reply", "question"]


def test_a_key_without_words_keeps_what_was_said_before() -> None:
    """An answer in pieces survives any number of keys."""
    first = read_turn(["good", "leaves"], as_pressed("hint", ["good", "leaves"]), turn=1)
    then = read_turn([], as_pressed("slower", []), turn=2, kept=first.kept)
    assert then.kept.words == ("good", "leaves")


async def test_time_that_an_interview_stood_still_is_not_lost() -> None:
    """A hold, or a lost line, takes nothing off the time budget."""
    rig = Rig()
    interview, _ = await begun(rig)
    before = await interview.progress()
    rig.clock.now += 600.0
    stood_still = replace(interview._context, stood_still_s=lambda: 600.0)
    interview._context = stood_still
    after = await interview.progress()
    assert after.remaining_s == pytest.approx(before.remaining_s)
