"""Junk from the network: nothing that arrives ends the line, or leaves anything behind."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from aiortp.packet import RtpPacket

from agent.phone.line.media import CallMedia, RtpPorts
from agent.phone.line.sound_offer import SoundAgreement
from tests.agent.phone.lines import until
from tests.agent.phone.messages import OFFER, request
from tests.agent.phone.sockets import desk
from tests.agent.phone.test_guard import called, mutated

DATAGRAMS = 20_000


def descriptors() -> int:
    """Open files and sockets of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.slow
async def test_20000_mutated_packets_change_nothing() -> None:
    """No exception escapes; afterwards calls, ports, descriptors and transactions are where they were."""
    rng = random.Random(11)
    escaped: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: escaped.append(context))
    async with desk(invites_per_s=1e9, calls_at_once=3) as line:
        await asyncio.sleep(0.1)
        before = descriptors()
        await called(line, call_id="kept")
        (kept,) = line.line.exchange.held.values()
        kinds = ("ACK", "BYE", "CANCEL", "OPTIONS", "INFO", "UPDATE", "REGISTER", "PRACK", "SUBSCRIBE")
        seeds = [request("INVITE", call_id=f"m{number}", branch=f"m{number}", body=OFFER) for number in range(50)]
        seeds += [request(kind, branch=f"o{kind}", body=OFFER) for kind in kinds]
        seeds.append(b"SIP/2.0 200 OK\r\n" + request("INVITE", body=OFFER).partition(b"\r\n")[2])
        assert kept.call is not None
        media = kept.call.media
        for number in range(DATAGRAMS):
            if number % 4:
                line.put(mutated(rng.choice(seeds), rng))
            else:
                packet = RtpPacket(
                    rng.choice((0, 8, 13, 96, 200)), 0, number & 0xFFFF, number * 160, 7, rng.randbytes(160)
                )
                data = mutated(packet.serialize(), rng)
                media._handle_rtp(data, ("127.0.0.1", 40000))
                media._handle_rtcp(data, ("127.0.0.1", 40001))
            if number % 100 == 0:
                await asyncio.sleep(0.001)
        still_there = line.line.exchange.held.get("kept") is kept
        for held in line.line.exchange.held.values():
            held.ended.set()
        await until(lambda: not line.line.exchange.held)
        await until(lambda: line.line.exchange.ports.in_use == 0)
        await asyncio.sleep(0.1)

        assert escaped == []
        assert line.line.transport.faults == 0
        assert line.line.transport.junk > 100
        assert still_there
        assert line.line.agent.active_calls == {}
        assert descriptors() == before
        assert len(line.line.transport.server) <= 4096


@pytest.fixture
async def media() -> CallMedia:
    """The sound of a call, PCMU with keys as payload type 96."""
    agreement = SoundAgreement("PCMU", 96, ("127.0.0.1", 40000), is_sending=True, is_listening=True)
    return await CallMedia.open(agreement, "127.0.0.1", "127.0.0.1", RtpPorts(range(28000, 28400, 2), random.Random(2)))


def packet(payload_type: int, number: int, payload: bytes) -> bytes:
    """An RTP packet of 20 ms."""
    return bytes(RtpPacket(payload_type, 0, number, number * 160, 9, payload).serialize())


async def test_a_strangers_packets_change_nothing(media: CallMedia) -> None:
    """The first source is held on to; the announced one wins over a quicker stranger; RTCP of others is junk."""
    keys: list[str] = []
    media.on_key = keys.append
    stranger, phone = ("127.0.0.9", 1234), ("127.0.0.1", 40000)
    try:
        media._handle_rtp(packet(0, 1, bytes(160)), stranger)
        media._handle_rtp(packet(0, 2, bytes(160)), phone)
        for number in range(3, 40):
            media._handle_rtp(packet(96, number, b"\x05\x80\x03\x20"), stranger)
        media._handle_rtcp(b"\x80\xc9\x00\x01" + bytes(4), stranger)
        assert (media._remote_addr, keys, media.junk) == (phone, [], 37)
        media.agree(SoundAgreement("PCMU", 96, ("127.0.0.3", 40004), is_sending=True, is_listening=True))
        media._handle_rtp(packet(0, 41, bytes(160)), ("127.0.0.3", 40004))
        assert media._remote_addr == ("127.0.0.3", 40004)
    finally:
        await media.close()


async def test_short_events_and_broken_packets_raise_nothing(media: CallMedia) -> None:
    """A key of too few bytes, no RTP at all, RTCP of any kind: counted or passed over."""
    try:
        for payload in (b"", b"\x01", b"\x01\x80\x00", b"\xff\xff\xff\xff"):
            media._handle_rtp(packet(96, 1, payload), ("127.0.0.1", 40000))
        for data in (b"", b"\x80", bytes(12), b"\xff" * 40, b"\x80\xc8" + bytes(3)):
            media._handle_rtp(data, ("127.0.0.1", 40000))
            media._handle_rtcp(data, ("127.0.0.1", 40000))
        assert media.tick_in() is None
    finally:
        await media.close()


async def test_packets_of_30_ms_are_played_without_a_gap(media: CallMedia) -> None:
    """What comes in pieces of 240 bytes goes out in frames of 20 ms, whole and in order."""
    try:
        sound = bytes(range(256)) * 15
        for number in range(12):
            piece = RtpPacket(0, 0, number, number * 240, 9, sound[number * 240 : (number + 1) * 240])
            media._handle_rtp(bytes(piece.serialize()), ("127.0.0.1", 40000))
        frames = [media.tick_in() for _ in range(18)]
        assert b"".join(frame or b"" for frame in frames) == media._codec.decode(sound[: 18 * 160])
    finally:
        await media.close()


async def test_timestamps_step_by_the_clock_of_rfc_3551() -> None:
    """G.722 has 16,000 samples a second and timestamps of 8000."""
    agreement = SoundAgreement("G722", None, ("127.0.0.1", 40000), is_sending=True, is_listening=True)
    ports = RtpPorts(range(28400, 28800, 2), random.Random(3))
    media = await CallMedia.open(agreement, "127.0.0.1", "127.0.0.1", ports)
    try:
        assert media._sender is not None
        before = media._sender.current_timestamp
        media.send(bytes(640))
        assert (media._sender.current_timestamp - before) & 0xFFFFFFFF == 160
    finally:
        await media.close()
    assert ports.in_use == 0
