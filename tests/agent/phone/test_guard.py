"""The guard layer: what aiosipua leaves out or does wrong is right on the line."""

from __future__ import annotations

import asyncio
import hashlib
import random
import re

import pytest
from aiosipua.message import SipMessage, SipRequest, SipResponse

from agent.phone.line import transactions
from agent.phone.line.setting_values import parse_accounts, parse_networks
from agent.phone.line.transport import parse_datagram
from agent.phone.line.user_agent import info_digit
from tests.agent.phone.lines import until
from tests.agent.phone.messages import OFFER, request
from tests.agent.phone.sockets import Desk, desk


def statuses(messages: list[SipRequest | SipResponse]) -> list[int]:
    """Codes of the answers among messages."""
    return [each.status_code for each in messages if isinstance(each, SipResponse)]


async def called(line: Desk, *, call_id: str = "c1", headers: tuple[str, ...] = (), offer: str = OFFER) -> SipResponse:
    """A call that was picked up and confirmed; the 200."""
    line.put(request("INVITE", call_id=call_id, branch=call_id, headers=headers, body=offer))
    answer = await line.answered(200)
    line.put(request("ACK", call_id=call_id, branch=f"a{call_id}", to_tag=tag_of(answer)))
    return answer


def tag_of(answer: SipResponse) -> str:
    """Our tag in an answer."""
    to = answer.to_addr
    assert to is not None
    return to.tag or ""


async def test_a_repeated_request_gets_the_same_answer_and_no_second_call() -> None:
    """While it rings and after it was picked up, whoever asks again is answered as before (RFC 3261, 17.2)."""
    async with desk() as line:
        invite = request("INVITE", body=OFFER)
        assert statuses(line.put(invite)) == [100]
        await line.answered(180)
        assert statuses(line.put(invite)) == [180]
        first = await line.answered(200)
        (again,) = line.put(invite)
        assert (len(line.line.exchange.held), bytes(again)) == (1, bytes(first))


async def test_answers_have_what_proxies_need() -> None:
    """Record-Route is copied in its order, and Allow is there (RFC 3261, 12.1.1); our BYE goes by that route."""
    routes = ("Record-Route: <sip:10.0.0.2;lr>", "Record-Route: <sip:10.0.0.1;lr>")
    async with desk() as line:
        answer = await called(line, headers=routes)
        (held,) = line.line.exchange.held.values()
        held.ended.set()
        await until(lambda: not line.line.exchange.held)
        (bye,) = [each for each in line.sent() if isinstance(each, SipRequest)]

    assert answer.headers.get("record-route") == ["<sip:10.0.0.2;lr>", "<sip:10.0.0.1;lr>"]
    assert "INFO" in ", ".join(answer.headers.get("allow"))
    assert (bye.method, bye.headers.get("route")) == ("BYE", ["<sip:10.0.0.2;lr>", "<sip:10.0.0.1;lr>"])
    assert bye.uri == "sip:anna@127.0.0.1:5070"


@pytest.mark.parametrize(
    ("invite", "status"),
    [
        (request("INVITE", body=OFFER, to_tag="unknown"), 481),
        (request("INVITE", body=OFFER, headers=("Require: 100rel, timer",)), 420),
        (request("INVITE", body=OFFER.replace("RTP/AVP", "RTP/SAVP")), 488),
        (request("INVITE", body=OFFER.replace(" 0 8 9 96", " 18 96")), 488),
        (request("INVITE", body=OFFER.replace("IP4 127.0.0.1", "IP4 example.com")), 488),
        (request("INVITE", body=OFFER.replace("40000", "99999")), 488),
        (request("INVITE"), 488),
        (request("REFER"), 405),
        (request("BYE", to_tag="x"), 481),
        (request("INFO", to_tag="x"), 481),
        (request("OPTIONS"), 200),
    ],
    ids=["To-tag", "Require", "SAVP", "codec", "name", "port", "no offer", "REFER", "BYE", "INFO", "OPTIONS"],
)
async def test_what_cannot_be_is_refused_and_leaves_nothing(invite: bytes, status: int) -> None:
    """Each with the code that fits; scanners never confirm a refusal, and nothing of it is kept."""
    async with desk() as line:
        found = line.put(invite)
        assert statuses(found) == [status]
        assert (line.line.exchange.held, line.line.agent.active_calls) == ({}, {})
        if status == 420:
            assert found[0].headers.get("unsupported") == ["100rel"]


async def test_callers_are_let_in_by_network_password_and_number_of_calls() -> None:
    """Strangers get 403, users a challenge that only their password answers, once; too many are not even answered."""
    users = {"anna": "tea:time"}
    async with desk(users=users, invites_per_s=4.0) as line:
        (challenge,) = line.put(request("INVITE", body=OFFER))
        nonce = re.search(r'nonce="([^"]+)"', challenge.headers.get("www-authenticate")[0])
        assert nonce is not None

        def answer(password: str) -> str:
            def md5(text: str) -> str:
                return hashlib.md5(text.encode()).hexdigest()

            secret = md5(
                f"{md5(f'anna:viva:{password}')}:{nonce[1]}:00000001:x:auth:{md5('INVITE:sip:viva@127.0.0.1')}"
            )
            return (
                f'Authorization: Digest username="anna", realm="viva", nonce="{nonce[1]}", uri="sip:viva@127.0.0.1", '
                f'qop=auth, nc=00000001, cnonce="x", response="{secret}"'
            )

        wrong = line.put(request("INVITE", branch="w", headers=(answer("coffee"),), body=OFFER))
        right = line.put(request("INVITE", branch="r", headers=(answer("tea:time"),), body=OFFER))
        again = line.put(request("INVITE", call_id="c2", branch="a", headers=(answer("tea:time"),), body=OFFER))
        one_too_many = line.put(request("INVITE", call_id="c3", branch="m", body=OFFER))
        passed_over = line.line.screening.passed_over

    assert (statuses(wrong), statuses(right)[:1], statuses(again)) == ([401], [100], [401])
    assert (one_too_many, passed_over) == ([], 1)
    async with desk(networks=parse_networks("10.0.0.0/8")) as line:
        assert statuses(line.put(request("INVITE", body=OFFER))) == [403]


async def test_keys_come_once_by_info_and_by_rtp() -> None:
    """INFO in both of its forms; a telephone that tells in both ways presses once."""
    async with desk() as line:
        answer = await called(line)
        await until(lambda: bool(line.rooms))
        (held,) = line.line.exchange.held.values()
        for number, (kind, body) in enumerate(
            [
                ("application/dtmf-relay", "Signal=5\r\nDuration=160\r\n"),
                ("application/dtmf", "#"),
                ("text/plain", "7"),
            ],
            2,
        ):
            info = request("INFO", branch=f"i{number}", cseq=number, to_tag=tag_of(answer), body=body, kind=kind)
            assert statuses(line.put(info)) == [200]
        assert held.call is not None
        held.call.press("#", "RTP")
        held.call.press("#", "RTP")
        assert line.rooms[0].keys == ["5", "#", "#"]


async def test_hold_and_a_new_place_are_agreed_on() -> None:
    """A re-INVITE that puts on hold is answered so; one that cannot be agreed to leaves the call as it is."""
    async with desk() as line:
        answer = await called(line)
        tag = tag_of(answer)
        hold = OFFER.replace("sendrecv", "sendonly").replace("40000", "40002")
        (held,) = line.put(request("INVITE", branch="h", cseq=2, to_tag=tag, body=hold))
        status = next(iter(line.line.exchange.held.values())).call.status  # type: ignore[union-attr]
        line.put(request("ACK", branch="ha", cseq=2, to_tag=tag))
        codec = OFFER.replace(" 0 8 9 96", " 18 96")
        refused = line.put(request("INVITE", branch="x", cseq=3, to_tag=tag, body=codec))
        (bare,) = line.put(request("INVITE", branch="e", cseq=4, to_tag=tag))

    assert "a=recvonly" in held.text
    assert "telephone-event" in answer.text
    assert "m=audio" in answer.text
    assert " 96" in answer.text
    assert "a=ptime:20" in answer.text
    assert status.is_on_hold
    assert (statuses(refused), bare.text) == ([488], held.text)


async def test_a_bye_is_sent_again_until_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """As is every request of ours; one that nobody answers is given up after 64 times the first pause."""
    monkeypatch.setattr(transactions, "T1_S", 0.01)
    monkeypatch.setattr(transactions, "T2_S", 0.04)
    monkeypatch.setattr(transactions, "TIMEOUT_S", 0.4)
    async with desk() as line:
        await called(line)
        next(iter(line.line.exchange.held.values())).ended.set()
        await until(lambda: not line.line.exchange.held)
        await until(lambda: len(line.line.transport.client) == 0)
        byes = [bytes(each) for each in line.sent() if isinstance(each, SipRequest) and each.method == "BYE"]

    assert len(byes) > 4
    assert len(set(byes)) == 1


@pytest.mark.parametrize(("status", "outcome"), [(200, "answered"), (486, "busy")])
async def test_of_a_call_of_ours_nothing_is_left_when_it_is_over(status: int, outcome: str) -> None:
    """One that is picked up is held until the telephone hangs up; one that is refused is not."""
    async with desk(accounts=parse_accounts("sip:viva:secret@127.0.0.1:5080")) as line:
        exchange = line.line.exchange
        placing = asyncio.create_task(line.line.place_call("anna"))
        await until(lambda: bool(exchange.held))
        (invite,) = (each for each in line.sent() if each.cseq and each.cseq.method == "INVITE")
        answer = SipResponse(status_code=status, reason_phrase="Any")
        for name in ("Via", "From", "Call-ID", "CSeq"):
            answer.headers.set_single(name, invite.headers.get(name)[0])
        answer.headers.set_single("To", "<sip:anna@127.0.0.1>;tag=t9")
        if status == 200:
            answer.headers.set_single("Content-Type", "application/sdp")
            answer.body = OFFER.encode()
        line.put(bytes(answer))
        placed = await placing
        held = [(each.leg.is_outgoing, each.call is not None) for each in exchange.held.values()]
        exchange.end(invite.call_id or "", "the telephone has hung up")
        await until(lambda: not exchange.held)

        assert placed.outcome == outcome
        assert held == ([(True, True)] if status == 200 else [])
        assert exchange.ports.in_use == 0


async def test_a_refusal_of_ours_is_confirmed_and_a_late_answer_ended() -> None:
    """An INVITE that is refused gets its ACK; one that is answered after its CANCEL gets ACK and BYE."""
    async with desk() as line:
        agent = line.line.agent
        for status in (486, 200):
            call = agent.uac.send_invite("sip:viva@x", "sip:anna@x", ("127.0.0.1", 5080))
            if status == 200:
                call.cancel(agent.uac)
            (invite, *_) = line.sent()
            answer = SipResponse(status_code=status, reason_phrase="Any")
            for name in ("Via", "From", "Call-ID", "CSeq"):
                answer.headers.set_single(name, invite.headers.get(name)[0])
            answer.headers.set_single("To", "<sip:anna@x>;tag=t9")
            methods = [each.method for each in line.put(bytes(answer)) if isinstance(each, SipRequest)]
            assert methods == (["ACK"] if status == 486 else ["ACK", "BYE"])


@pytest.mark.parametrize(
    ("kind", "text", "digit"),
    [
        ("application/dtmf-relay", "Signal=1\r\nDuration=100", "1"),
        ("application/dtmf-relay; charset=utf-8", "signal = *\n", "*"),
        ("application/dtmf", " 9", "9"),
        ("application/dtmf-relay", "Signal=16", "1"),
        ("application/dtmf-relay", "Duration=100", None),
        ("application/sdp", "Signal=1", None),
    ],
)
def test_the_key_in_an_info_is_found(kind: str, text: str, digit: str | None) -> None:
    """In both customary forms, and in nothing else."""
    assert info_digit(kind, text) == digit


def mutated(data: bytes, rng: random.Random) -> bytes:
    """A datagram with a few bytes, lines or pieces changed."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(changed) + 1)
        match rng.randrange(5):
            case 0:
                changed[at : at + 1] = rng.randbytes(1)
            case 1:
                del changed[at : at + rng.randint(1, 40)]
            case 2:
                changed[at:at] = rng.choice([b"\r\n", b";", b"=", b"-1", b"99999999999", b'"', b"\xff\x00", b"<", b","])
            case 3:
                changed[at:at] = changed[at : at + rng.randint(1, 60)]
            case 4:
                lines = bytes(changed).split(b"\r\n")
                rng.shuffle(lines)
                changed = bytearray(b"\r\n".join(lines))
    return bytes(changed)


def test_no_datagram_breaks_the_parser() -> None:
    """Whatever comes is a message or nothing."""
    rng = random.Random(5)
    for _ in range(500):
        parse_datagram(rng.randbytes(rng.randint(0, 400)))
        parse_datagram(mutated(request("INVITE", body=OFFER), rng))
    assert isinstance(SipMessage.parse(request("INVITE", body=OFFER)), SipRequest)
