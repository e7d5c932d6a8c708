"""`viva call` and `viva booking`: calls booked, listed and cancelled on the command line."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli.app import app
from agent.phone.bookings import BookingStore
from agent.phone.pins import open_pins
from agent.settings import Settings


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A folder that the commands use."""
    monkeypatch.setenv("VIVA_DATA_DIR", str(tmp_path))
    return Settings(data_dir=tmp_path)


def run(*arguments: str) -> tuple[int, str]:
    """Exit code and output of a command."""
    done = CliRunner().invoke(app, arguments)
    return done.exit_code, done.output


def test_a_call_is_booked_with_a_pin_for_calling_back(settings: Settings) -> None:
    """Which stands for the same interview; that the line is off is said."""
    code, said = run("call", "030 12-34", "--at", "+1h", "--name", "Ada", "--pack", "backend", "--minutes", "10")
    assert code == 0, said
    assert "Set phone = true" in said
    ((booking, grant),) = BookingStore(settings.phone_path).bookings()
    assert (booking.number, booking.state) == ("0301234", "waiting")
    assert booking.at - time.time() == pytest.approx(3600, abs=60)
    pin = said.split("PIN ")[1][:6]
    found = open_pins(settings).of_pin(pin)
    assert grant is not None
    assert found == grant
    assert (grant.wish.candidate_name, grant.wish.minutes) == ("Ada", 10)
    assert grant.valid_until == booking.at + 24 * 3600
    assert "0301234" in run("booking", "list")[1]


def test_a_call_is_booked_for_what_a_pin_stands_for(settings: Settings) -> None:
    """No second PIN is made; a wrong one books nothing."""
    made = json.loads(run("pin", "new", "--name", "Grace", "--json")[1])
    booked = json.loads(run("call", "12", "--at", "+1h", "--pin", made["pin"], "--json")[1])
    assert (booked["pin_id"], booked["candidate_name"], booked["state"]) == (made["id"], "Grace", "waiting")
    assert "pin" not in booked
    listed = json.loads(run("booking", "list", "--json")[1])
    assert listed == [booked]
    assert len(open_pins(settings).grants(time.time())) == 1
    assert run("call", "12", "--at", "+1h", "--pin", "12")[0] == 2
    assert run("call", "12", "--at", "+8d", "--pin", made["pin"])[0] == 2


def test_a_booking_is_cancelled(settings: Settings) -> None:
    """By its id; its PIN counts on, until it is revoked."""
    booked = json.loads(run("call", "12", "--at", "+1h", "--json")[1])
    assert run("booking", "cancel", booked["id"])[0] == 0
    code, said = run("booking", "cancel", booked["id"])
    assert (code, "viva booking list" in said) == (1, True)
    assert json.loads(run("booking", "list", "--json")[1])[0]["state"] == "cancelled"
    assert open_pins(settings).of_pin(booked["pin"]) is not None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["12", "--at", "2020-01-01"], "has passed"),
        (["12", "--at", "soon"], "08:30"),
        (["sip:a@b", "--at", "+1h"], "digits"),
        (["12", "--at", "+1h", "--pack", "nonsense"], "backend"),
    ],
)
def test_what_cannot_be_booked_is_said(settings: Settings, arguments: list[str], says: str) -> None:
    """And neither a booking nor a PIN is left."""
    code, said = run("call", *arguments)
    assert (code, says in said) == (2, True), said
    assert BookingStore(settings.phone_path).bookings() == []
    assert open_pins(settings).grants(time.time()) == []
