"""Every key during an interview."""

from __future__ import annotations

from typing import get_args

import pytest

from agent.phone.keypad import MORE_HELP_WITHIN_S, REQUESTS, SURE_WITHIN_S, Command, Keypad, is_key, pressed
from agent.phone.reception.wording import WORDING
from domain.vocabulary import PhoneKey, Request
from graph.wiring import PATHS

NOW = 1000.0


@pytest.mark.parametrize(
    ("key", "request_", "command"),
    [
        ("1", "repeat", "nothing"),
        ("2", "rephrase", "nothing"),
        ("3", "hint", "nothing"),
        ("4", "skip", "nothing"),
        ("5", "slower", "nothing"),
        ("6", "faster", "nothing"),
        ("7", "time_left", "nothing"),
        ("8", None, "pause"),
        ("9", None, "sure"),
        ("0", None, "help"),
        ("*", None, "finished"),
        ("#", "hold", "nothing"),
    ],
)
def test_each_key_has_its_meaning(key: PhoneKey, request_: Request | None, command: Command) -> None:
    """The table that callers are told."""
    meant = pressed(Keypad(), key, NOW)
    assert (meant.request, meant.command) == (request_, command)


def test_every_request_of_a_key_has_a_path_of_its_own_in_the_graph() -> None:
    """None is lost on its way."""
    assert all(request in PATHS for request in REQUESTS.values())


def test_nine_twice_ends_the_interview() -> None:
    """Once is asked about; too late it is asked again; another key in between takes it back."""
    once = pressed(Keypad(), "9", NOW).keypad
    assert pressed(once, "9", NOW + SURE_WITHIN_S).request == "stop"
    assert pressed(once, "9", NOW + SURE_WITHIN_S + 1).command == "sure"
    assert pressed(pressed(once, "1", NOW + 1).keypad, "9", NOW + 2).command == "sure"


def test_zero_tells_the_most_used_keys_and_once_more_all_of_them() -> None:
    """All keys take long to listen to. After them, and after a while, it begins with the most used ones again."""
    once = pressed(Keypad(), "0", NOW).keypad
    twice = pressed(pressed(once, "1", NOW + 1).keypad, "0", NOW + MORE_HELP_WITHIN_S)
    assert twice.command == "all_help"
    assert pressed(twice.keypad, "0", NOW + MORE_HELP_WITHIN_S + 1).command == "help"
    assert pressed(once, "0", NOW + MORE_HELP_WITHIN_S + 1).command == "help"


def test_eight_pauses_and_the_next_one_goes_on() -> None:
    """Meanwhile no other key does anything."""
    paused = pressed(Keypad(), "8", NOW).keypad
    for key in (key for key in get_args(PhoneKey) if key != "8"):
        meant = pressed(paused, key, NOW + 1)
        assert (meant.request, meant.command) == (None, "nothing")
    assert pressed(paused, "8", NOW + 2).command == "go_on"
    assert not pressed(paused, "8", NOW + 2).keypad.paused


def test_only_keys_of_a_phone_are_keys() -> None:
    """The letters of DTMF are on no phone."""
    assert is_key("0")
    assert is_key("#")
    assert not any(map(is_key, ("A", "10", "", "flash")))


def test_what_is_said_about_the_keys_has_words() -> None:
    """Help, a pause, and the question whether the end is meant."""
    for situation in ("help", "help.all", "paused", "end.sure", "held_too_long", "lost", "keys"):
        assert WORDING.ways(situation)
