"""What `viva doctor` says of the phone line."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from pathlib import Path

import pytest

from agent.cli.check_result import CheckResult
from agent.cli.phone.checks import PACKAGES, examine_phone
from agent.phone.line.registrar import fault_of
from agent.phone.line.setting_values import parse_accounts
from agent.phone.line.status import LineStatus, RegistrationStatus
from agent.phone.line.status_socket import telling_status
from agent.phone.pins import open_pins
from agent.settings import PROJECT_DIR, Settings
from tests.agent.phone.samples import WISH


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


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"phone_advertised": "203.0.113.7"}, "this machine only"),
        ({"phone_host": "0.0.0.0", "phone_advertised": "127.0.0.1"}, "itself"),
        ({"phone_host": "0.0.0.0", "phone_advertised": "224.0.0.1"}, "no telephone reaches"),
    ],
)
def test_an_address_that_no_telephone_reaches_is_a_problem(changed: dict[str, object], word: str) -> None:
    """A router's outer address is none, as long as the line listens where the router can pass calls on to."""
    status, says, advice = found(**changed)["phone: address"]
    assert (status, word in says, bool(advice)) == ("problem", True, True)
    assert found(phone_host="0.0.0.0", phone_advertised="203.0.113.7")["phone: address"][0] == "ok"


def test_pins_that_cannot_be_read_are_a_problem(tmp_path: Path) -> None:
    """None yet is well; a file that is no database is not, and what to do is said."""
    assert found(data_dir=tmp_path)["phone: PINs"][0] == "ok"
    (tmp_path / "phone.sqlite").write_bytes(b"not a database, but text that is longer than its header " * 4)
    status, says, advice = found(data_dir=tmp_path)["phone: PINs"]
    assert (status, says, "Move it away" in advice) == ("problem", "they cannot be used", True)


def test_pins_that_count_are_counted(tmp_path: Path) -> None:
    """Of those that are kept."""
    settings = Settings(data_dir=tmp_path)
    open_pins(settings).issue(WISH, once=True, valid_from=None, valid_until=None, now=time.time())
    assert found(data_dir=tmp_path)["phone: PINs"][1] == "1 count, of 1 that are kept"


def test_a_pbx_elsewhere_is_not_reached_from_this_machine_only() -> None:
    """Who names an account and leaves phone_host as it is finds out why nothing registers."""
    status, says, advice = found(phone_accounts="sip:200:secret@192.0.2.5")["phone: account"]
    assert (status, "192.0.2.5" in says, "phone_host" in advice, "secret" in says) == ("problem", True, True, False)
    assert found(phone_accounts="sip:200:secret@127.0.0.1:26070")["phone: account"][0] == "ok"


def test_a_registration_that_failed_is_told_by_the_running_line(tmp_path: Path) -> None:
    """In the words that `viva phone status` has; where Viva runs without its line, that is told."""
    settings = Settings(data_dir=tmp_path, phone=True, phone_accounts="sip:200:secret@127.0.0.1:26070")
    why = fault_of(401, "Unauthorized", parse_accounts(settings.phone_accounts)[0])
    failed = RegistrationStatus(address="sip:200@127.0.0.1", state="failed", detail=why)
    line = LineStatus(address="", calls_at_once=4, calls=(), registrations=(failed,), refused=0, passed_over=0, junk=0)

    async def examined() -> CheckResult:
        async with telling_status(lambda: line, settings):
            results = await asyncio.to_thread(lambda: list(examine_phone(settings, is_running=True)))
        return results[-1]

    told = asyncio.run(examined())
    assert (told.check, told.status) == ("phone: account", "warning")
    assert told.advice == "The PBX does not accept its name or password (401): check phone_accounts."
    assert list(examine_phone(settings, is_running=True))[-1].found == "Viva runs without the line"


@pytest.mark.parametrize("status", [401, 403, 404, 407, 408, 423, 500, 503])
def test_every_failed_registration_has_a_sentence_without_the_password(status: int) -> None:
    """With what to look at, wherever that is known."""
    (account,) = parse_accounts("sip:200:secret@192.0.2.5")
    told = fault_of(status, "Reason", account)
    assert "secret" not in told
    assert len(told.split()) >= 4
