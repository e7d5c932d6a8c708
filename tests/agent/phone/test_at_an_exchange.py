"""The line as an extension of a real exchange (Kamailio), with a real telephone as another."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from agent.phone.line.line import Line
from agent.phone.line.setting_values import parse_accounts
from agent.settings import Settings
from bench.phone.baresip import baresip
from bench.phone.wav import write_wav
from tests.agent.phone.interviewer import RATE_HZ, interviewing
from tests.agent.phone.kamailio import PASSWORD, Kamailio, kamailio
from tests.agent.phone.lines import line_options, running_line, until
from tests.agent.phone.sounds import alikeness, murmur

pytestmark = [pytest.mark.slow, pytest.mark.spoken, pytest.mark.timeout(240)]

VOICE = murmur(8, RATE_HZ, seed=1)
CALLER = murmur(8, 8000, seed=2)


def telephone(folder: Path, exchange: Kamailio, *, more: str = "") -> object:
    """A telephone that is registered as `anna`."""
    folder.mkdir(parents=True, exist_ok=True)
    return baresip(
        folder,
        write_wav(folder / "says.wav", np.tile(CALLER, 8), 8000),
        codec="PCMU/8000",
        address=f"sip:anna@127.0.0.1:{exchange.port}",
        account=f";auth_pass={PASSWORD};regint=60{more}",
    )


def registered(line: Line) -> bool:
    """Whether all accounts of a line are registered."""
    return all(each.state == "registered" for each in line.registrars)


async def test_calls_go_both_ways_through_an_exchange(livekit: Settings, tmp_path: Path) -> None:
    """Registered with a password, called and calling through two Record-Routes; either end can hang up."""
    with kamailio(tmp_path / "exchange") as exchange:
        accounts = parse_accounts(f"sip:viva:{PASSWORD}@127.0.0.1:{exchange.port}")
        options = line_options(livekit, accounts=accounts)
        async with (
            running_line(livekit, options) as line,
            interviewing(livekit, VOICE) as interviewers,
            telephone(tmp_path / "phone", exchange, more=";answermode=auto") as phone,
        ):
            await until(lambda: registered(line))
            await phone.registered()

            await phone.command("dial", f"sip:viva@127.0.0.1:{exchange.port}")
            (talk,) = await interviewers.first()
            before = len(talk.sound)
            await until(lambda: len(talk.sound) > before + 2 * RATE_HZ)
            incoming = await asyncio.to_thread(alikeness, talk.sound[before:], CALLER, RATE_HZ, 8000)
            await talk.leave(is_over=True)  # our BYE finds its way through both
            await phone.event("CALL_CLOSED")
            await until(lambda: not line.exchange.held)
            await until(lambda: len(line.transport.client) == 0)

            placed = await line.place_call("anna", "viva", booking="b1")
            talk = (await interviewers.first(2))[1]
            before = len(talk.sound)
            await until(lambda: len(talk.sound) > before + 2 * RATE_HZ)
            outgoing = await asyncio.to_thread(alikeness, talk.sound[before:], CALLER, RATE_HZ, 8000)
            await phone.command("hold")
            await until(lambda: talk.caller is not None and talk.caller.attributes.get("viva.hold") == "1")
            await phone.command("resume")
            await until(lambda: talk.caller is not None and not talk.caller.attributes.get("viva.hold"))
            await phone.command("sndcode", "7")
            await until(lambda: talk.keys == ["7"])
            await phone.command("hangup")
            await until(lambda: not line.exchange.held)
            status = line.status()

        assert placed.outcome == "answered"
        assert min(incoming, outgoing) > 0.8
        assert [each.state for each in status.registrations] == ["registered"]
        assert line.exchange.ports.in_use == 0


async def test_calls_that_fail_say_why(livekit: Settings, tmp_path: Path) -> None:
    """Busy, no such number, declined, nobody there, a wrong password: each has a sentence and leaves nothing."""
    with kamailio(tmp_path / "exchange") as exchange:
        right = f"sip:viva:{PASSWORD}@127.0.0.1:{exchange.port}"
        options = line_options(livekit, accounts=parse_accounts(f"{right}, sip:other:wrong@127.0.0.1:{exchange.port}"))
        async with running_line(livekit, options) as line, telephone(tmp_path / "phone", exchange) as phone:
            await phone.registered()
            line._outgoing._ring_s = 1.5
            found = {number: await line.place_call(number) for number in ("busy", "nobody", "anna", "a b")}
            ringing = asyncio.create_task(line.place_call("anna"))
            await until(lambda: sum(event.get("type") == "CALL_INCOMING" for event in phone.events) == 2)
            await phone.command("hangup")
            found["declined"] = await ringing
            found["wrong password"] = await line.place_call("anna", "other")
            found["wrong account"] = await line.place_call("anna", "third")

            assert {name: placed.outcome for name, placed in found.items()} == {
                "busy": "busy",
                "nobody": "unknown-number",
                "anna": "no-answer",
                "a b": "unknown-number",
                "declined": "busy",
                "wrong password": "not-allowed",
                "wrong account": "failed",
            }
            assert all(PASSWORD not in placed.sentence and placed.sentence.endswith(".") for placed in found.values())
            assert line.exchange.ports.in_use == 0
            assert line.exchange.held == {}
            assert [each.state for each in line.registrars] == ["registered", "failed"]


async def test_an_exchange_that_was_away_is_registered_at_again(livekit: Settings, tmp_path: Path) -> None:
    """Registrations are refreshed, and begun again when the exchange is back."""
    with kamailio(tmp_path / "exchange", expires=2) as exchange:
        accounts = parse_accounts(f"sip:viva:{PASSWORD}@127.0.0.1:{exchange.port}")
        async with running_line(livekit, line_options(livekit, accounts=accounts)) as line:
            (registrar,) = line.registrars
            registrar.pause = lambda _tries, _status, _rng: 0.2
            await until(lambda: registered(line))
            first = registrar._registration
            await asyncio.sleep(3)
            refreshed = registrar._registration is first and registered(line)
            exchange.stop()
            await until(lambda: registrar.state == "failed")
            told = registrar.detail
            exchange.start()
            await until(lambda: registered(line))

    assert refreshed
    assert told
