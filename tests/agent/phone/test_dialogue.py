"""What a reception says and does, whatever the caller does."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.phone.reception.dialogue import (
    MOST_DIGITS,
    MOST_UNCLEAR,
    TRIES,
    Action,
    Admit,
    Await,
    Check,
    HangUp,
    Happened,
    Hush,
    KeyHeard,
    NotAdmitted,
    NothingHeard,
    PinRight,
    PinWrong,
    Reception,
    Rules,
    Speak,
    WordsHeard,
    after,
    opened,
)
from agent.phone.reception.spoken_digits import digits_of, wants_practice
from agent.phone.reception.wording import WORDING
from domain.vocabulary import PhoneKey

RULES = Rules()
PRACTICE = Rules(practice=True)


def typed(keys: str) -> list[Happened]:
    """Somebody types."""
    return [KeyHeard(key) for key in keys]  # type: ignore[arg-type] - keys of a phone


def call(*happened: Happened, rules: Rules = RULES, outbound: bool = False) -> tuple[Reception, list[Action]]:
    """All that is done in a call, and where it is then."""
    reception, first = opened(rules, outbound=outbound)
    done = list(first)
    for each in happened:
        reception, actions = after(reception, each, rules)
        done += actions
    return reception, done


def said(actions: Sequence[Action]) -> list[str]:
    """What was spoken."""
    return [action.situation for action in actions if isinstance(action, Speak)]


def test_whoever_calls_is_greeted_told_of_the_recording_and_asked() -> None:
    """All of it in the first words."""
    _, actions = call()
    assert said(actions) == ["greeting"]
    for situation in ("greeting", "greeting.practice"):
        assert "recorded" in WORDING.say(situation)
        assert "PIN" in WORDING.say(situation)


def test_a_pin_by_keys_ends_with_the_hash_key() -> None:
    """The digits are checked as they were typed, and the greeting stops with the first of them."""
    reception, actions = call(*typed("482913#"))
    assert reception.stage == "checking"
    assert actions[-1] == Check("482913")
    assert Hush() in actions


def test_a_pin_without_a_hash_key_is_complete_after_a_pause() -> None:
    """Not everybody presses it."""
    reception, actions = call(*typed("482913"), NothingHeard())
    assert reception.stage == "checking"
    assert actions[-1] == Check("482913")


def test_a_star_begins_anew() -> None:
    """What was mistyped is forgotten."""
    _, actions = call(*typed("48*482913#"))
    assert actions[-1] == Check("482913")


def test_a_pin_may_be_said_in_pieces() -> None:
    """Each piece is waited after, but less long than after a key."""
    _, actions = call(WordsHeard("four eight two"), WordsHeard("nine, one, three"), NothingHeard())
    assert actions[-1] == Check("482913")
    assert Await(RULES.said_pause_s) in actions


def test_keys_and_words_may_be_mixed() -> None:
    """They are digits of one PIN."""
    _, actions = call(WordsHeard("four eight two"), *typed("913#"))
    assert actions[-1] == Check("482913")


def test_a_right_pin_is_admitted_once() -> None:
    """What happens afterwards changes nothing."""
    reception, actions = call(*typed("482913#"), PinRight(), *typed("1#"), NothingHeard(), WordsHeard("hello"))
    assert reception.stage == "admitting"
    assert [action for action in actions if isinstance(action, Admit)] == [Admit("pin")]


def test_the_third_wrong_pin_ends_the_call() -> None:
    """Each of the others is answered with another try."""
    again: list[Happened] = [*typed("111111#"), PinWrong()]
    reception, actions = call(*again, *again, *again)
    assert reception.stage == "over"
    assert said(actions) == ["greeting", "wrong", "wrong", "wrong.last"]
    assert actions[-1] == HangUp()


def test_whoever_is_barred_is_told_to_call_later() -> None:
    """No more tries are taken."""
    reception, actions = call(*typed("1#"), PinWrong(barred=True))
    assert (reception.stage, said(actions)[-1], actions[-1]) == ("over", "barred", HangUp())


def test_a_right_pin_after_a_wrong_one_counts() -> None:
    """Whoever mistyped gets in."""
    reception, _ = call(*typed("1#"), PinWrong(), *typed("482913#"), PinRight())
    assert reception.stage == "admitting"


def test_a_caller_who_says_nothing_is_asked_again_and_then_told_goodbye() -> None:
    """Three times, counted from the end of what is said."""
    reception, actions = call(*[NothingHeard()] * TRIES)
    assert said(actions) == ["greeting", "still_there", "still_there", "nothing_heard"]
    assert (reception.stage, actions[-1]) == ("over", HangUp())


def test_what_is_no_number_is_asked_for_again() -> None:
    """… but not when it was said while we spoke: it may be an echo."""
    assert said(call(WordsHeard("what is this about"))[1])[-1] == "not_digits"
    assert said(call(WordsHeard("practice interviews", over_us=True))[1]) == ["greeting"]


def test_what_leads_nowhere_ends_after_a_while() -> None:
    """A radio beside the phone talks for ever."""
    radio = [WordsHeard("and now the weather")] * MOST_UNCLEAR
    reception, actions = call(*radio)
    assert (reception.stage, said(actions)[-1], actions[-1]) == ("over", "not_understood", HangUp())


def test_without_a_pin_there_is_an_interview_only_where_the_host_allows_it() -> None:
    """By the hash key alone, or in words."""
    for way in (KeyHeard("#"), WordsHeard("I don't have a PIN"), WordsHeard("I'd just like to practice")):
        assert call(way, rules=PRACTICE)[1][-1] == Admit("practice")
        reception, actions = call(way)
        assert (reception.stage, said(actions)[-1]) == ("asking", "pin_needed")


def test_too_many_digits_are_no_pin() -> None:
    """They are a wrong try, and are looked at by nobody."""
    reception, actions = call(*typed("1" * (MOST_DIGITS + 1)))
    assert said(actions)[-1] == "too_long"
    assert (reception.digits, reception.wrong) == ("", 1)
    assert not any(isinstance(action, Check) for action in actions)


def test_whoever_cannot_be_let_in_hears_why() -> None:
    """All taken, or what the PIN stood for is gone."""
    for why in ("full", "gone", "failed", "booking_gone"):
        reception, actions = call(*typed("482913#"), PinRight(), NotAdmitted(why))
        assert (reception.stage, said(actions)[-1], actions[-1]) == ("over", why, HangUp())


def test_a_pin_that_could_not_be_looked_at_is_neither_right_nor_wrong() -> None:
    """The caller hears that something is wrong here."""
    reception, actions = call(*typed("482913#"), NotAdmitted("failed"))
    assert (reception.stage, reception.wrong) == ("over", 0)
    assert tuple(actions[-2:]) == (Speak("failed"), HangUp())


def test_an_answering_machine_hears_nothing_personal_and_gets_no_interview() -> None:
    """It talks, and presses no key."""
    reception, actions = call(WordsHeard("please leave a message"), *[NothingHeard()] * TRIES, outbound=True)
    assert set(said(actions)) == {"calling"}
    assert "{" not in WORDING.say("calling")
    assert (reception.stage, actions[-1]) == ("over", HangUp())


def test_whoever_is_called_and_presses_a_key_has_their_interview() -> None:
    """Any key."""
    assert call(KeyHeard("5"), outbound=True)[1][-1] == Admit("booking")


KEYS: st.SearchStrategy[PhoneKey] = st.sampled_from(("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "#"))
HAPPENED = st.one_of(
    KEYS.map(KeyHeard),
    st.builds(WordsHeard, st.sampled_from(["four", "one two three", "hello", "no pin", ""]), st.booleans()),
    st.just(NothingHeard()),
    st.just(PinRight()),
    st.builds(PinWrong, st.booleans()),
    st.builds(NotAdmitted, st.sampled_from(["full", "gone"])),
)


@given(st.lists(HAPPENED, max_size=60), st.booleans(), st.booleans())
def test_every_call_comes_to_something(happened: list[Happened], practice: bool, outbound: bool) -> None:
    """Whatever happens: all that is said has words, at most three PINs are looked at, and silence ends each call."""
    rules = Rules(practice=practice)
    reception, actions = call(*happened, *[NothingHeard(), PinWrong()] * (2 * TRIES), rules=rules, outbound=outbound)
    assert reception.stage in ("admitting", "over")
    assert sum(isinstance(action, Check) for action in actions) <= TRIES + 1
    for situation in said(actions):
        assert WORDING.ways(situation)
    assert len([action for action in actions if isinstance(action, HangUp)]) <= 1
    assert "48" not in repr(Check("482913")), "a PIN is in no log by accident"


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("one two three", "123"),
        ("One. Two. Three.", "123"),
        ("1, 2, 3, 4, 5, 6.", "123456"),
        ("482-913", "482913"),
        ("my PIN is four eight two nine one three", "482913"),
        ("double four oh nine", "4409"),
        ("Double 40917.", "440917"),
        ("triple two o seven", "22207"),
        ("twelve thirty-four fifty six", "123456"),
        ("twenty", "20"),
        ("My p-vian is 482913.", "482913"),
        ("three for to one", "3421"),
        ("for to", ""),
        ("what is this about", ""),
        ("I have two questions", ""),
        ("", ""),
    ],
)
def test_digits_are_understood_as_they_are_recognised(text: str, digits: str) -> None:
    """In words, in figures, doubled, and between other words."""
    assert digits_of(text) == digits


def test_nothing_that_we_say_could_be_taken_for_a_pin() -> None:
    """An echo of it is not heard as digits, nor as a wish."""
    for situation, ways in WORDING.situations.items():
        for way in ways:
            assert not digits_of(way), situation


@given(st.text(max_size=400))
def test_whatever_is_recognised_is_digits_or_nothing(text: str) -> None:
    """No text fails, and nothing but digits comes of it."""
    found = digits_of(text)
    assert not found or found.isdigit()
    wants_practice(text)
