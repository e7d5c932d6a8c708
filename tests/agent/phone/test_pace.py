"""The pace of an interview: what a PIN stands for is how fast the interviewer speaks from the first word."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from agent.http.wishes import NewInterview
from agent.interviews.context import make_setup
from agent.interviews.creation import created_as_wished
from agent.packs import packs_in_force
from agent.phone.grants import PinGrant, wish_as_json
from agent.settings import Settings
from domain.vocabulary import FASTEST_PACE, SLOWEST_PACE
from tests.agent.phone.samples import WISH, Pins


@pytest.fixture
def pins(tmp_path: Path) -> Pins:
    """A store of PINs."""
    return Pins(tmp_path)


def test_a_wish_for_a_pace_reaches_the_interview() -> None:
    """From the wish to the record, and from there to what is known when the interview begins."""
    settings = Settings()
    wish = NewInterview(name="Ada", pack="backend", pace=0.85).wish()
    created = created_as_wished(wish, packs_in_force(settings), medium="phone", room="call-1", at=1.0, feedback="coach")
    assert (created.pace, make_setup("tea-1", created, settings).pace) == (0.85, 0.85)


def test_a_pin_keeps_its_pace_and_one_of_before_has_the_usual(pins: Pins) -> None:
    """A wish that was kept when there was no pace can still be read."""
    slow = replace(WISH, pace=0.85)
    pin, _ = pins.store.issue(slow, once=True, valid_from=None, valid_until=None, now=1.0)
    found = pins.check(pin, 2.0)
    assert isinstance(found, PinGrant)
    assert found.wish.pace == 0.85
    before = json.loads(wish_as_json(WISH))
    del before["pace"]
    with sqlite3.connect(pins.path) as kept:
        kept.execute("UPDATE grants SET wish = ?", (json.dumps(before),))
    old = pins.check(pin, 3.0)
    assert isinstance(old, PinGrant)
    assert old.wish == WISH


@pytest.mark.parametrize("pace", [SLOWEST_PACE - 0.1, FASTEST_PACE + 0.1, float("nan")])
def test_a_pace_that_is_hard_to_follow_is_refused(pace: float) -> None:
    """Within the limits that somebody can ask for aloud."""
    with pytest.raises(ValidationError):
        NewInterview(name="Ada", pack="backend", pace=pace)
