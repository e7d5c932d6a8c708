"""What `viva doctor` says of the phone line."""

from __future__ import annotations

import re
import socket

import pytest

from agent.cli.phone.checks import PACKAGES, examine_phone
from agent.settings import PROJECT_DIR, Settings


def found(**changed: object) -> dict[str, tuple[str, str, str]]:
    """Status, finding and advice of each part of a line with these settings."""
    settings = Settings.model_validate({"phone": True, "phone_port": 26060, **changed})
    return {each.check: (each.status, each.found, each.advice) for each in examine_phone(settings, is_running=False)}


def test_the_packages_are_those_that_are_locked() -> None:
    """Whoever takes another version of one has to look at what the line makes up for."""
    locked = (PROJECT_DIR / "requirements.lock").read_text()
    assert dict(re.findall(rf"(?im)^({'|'.join(PACKAGES)})==(\S+)", locked)) == {
        name.lower(): wanted for name, wanted in PACKAGES.items()
    }


def test_of_a_line_that_is_off_nothing_is_examined() -> None:
    """One line says so."""
    assert list(found(phone=False)) == ["phone line"]


def test_a_line_on_this_machine_is_well() -> None:
    """Its own ports, telephones of this machine, no password needed."""
    assert {status for status, _, _ in found(phone_rtp_ports="28800-28899").values()} == {"ok"}


@pytest.mark.parametrize(
    ("changed", "part", "status", "word"),
    [
        ({"phone_host": "192.0.2.1"}, "phone: address", "problem", "192.0.2.1"),
        ({"phone_rtp_ports": "28800-28803"}, "phone: sound", "problem", "2 calls"),
        ({"phone_rtp_ports": "26000-26199"}, "phone: sound", "problem", "phone_port"),
        ({"phone_host": "0.0.0.0", "phone_advertised": "192.0.2.1"}, "phone: callers", "warning", "anybody"),
    ],
)
def test_what_keeps_telephones_away_or_lets_strangers_in_is_said(
    changed: dict[str, object], part: str, status: str, word: str
) -> None:
    """With what to do about it."""
    is_, says, advice = found(**changed)[part]
    assert (is_, word in says, bool(advice)) == (status, True, True)


def test_ports_of_an_address_of_another_machine_are_not_called_taken() -> None:
    """There is one fault, and it is told once."""
    assert "phone: sound" not in found(phone_host="192.0.2.1")


def test_ports_that_others_have_are_counted() -> None:
    """Only when too few are left for the calls."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1] // 2 * 2
        status, says, _ = found(phone_rtp_ports=f"{port}-{port + 1}", phone_calls_at_once=1)["phone: sound"]
    assert (status, "1 calls" in says) == ("problem", True)
