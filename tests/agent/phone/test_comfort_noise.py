"""Comfort noise: a line on which nobody speaks does not sound dead, and a telephone that suppresses silence stays."""

from __future__ import annotations

import asyncio
import random
import socket

import numpy as np
import pytest
from aiortp.packet import RtpPacket

from agent.phone.line.comfort_noise import LEVEL_DBOV, ComfortNoise
from agent.phone.line.sentences import RATES_HZ
from agent.phone.line.watch import CallWatch, Facts, HangUp, Limits
from tests.agent.phone.lines import until
from tests.agent.phone.messages import OFFER, request
from tests.agent.phone.sockets import desk
from tests.agent.phone.test_guard import called

MU_LAW_QUIET = b"\xff" * 160


def level_dbov(sound: bytes) -> float:
    """Level of 16-bit samples against full scale."""
    return float(20 * np.log10(np.sqrt(np.mean(np.frombuffer(sound, np.int16).astype(float) ** 2)) / 32768))


@pytest.mark.parametrize("rate_hz", RATES_HZ)
def test_silence_has_the_level_of_a_quiet_line_without_a_click(rate_hz: int) -> None:
    """At either rate, over its own end too; no two samples that follow each other are far apart."""
    noise, silence = ComfortNoise(random.Random(1)), bytes(rate_hz // 50 * 2)
    heard = b"".join(noise.under(silence, rate_hz, frame) for frame in range(450))
    assert level_dbov(heard) == pytest.approx(LEVEL_DBOV, abs=0.5)
    samples = np.frombuffer(heard, np.int16).astype(int)
    assert np.abs(np.diff(samples)).max() < 8 * np.std(samples)


def test_a_voice_keeps_its_sound_and_never_turns_over() -> None:
    """The noise is far below it, and what is at the limit stays there."""
    loudest = np.tile(np.array([32767, -32768], np.int16), 80)
    heard = np.frombuffer(ComfortNoise(random.Random(1)).under(loudest.tobytes(), 8000, 3), np.int16)
    assert np.abs(heard.astype(int) - loudest).max() < 200


def test_a_telephone_that_suppresses_silence_may_send_nothing_for_long() -> None:
    """Minutes, while its user listens and thinks; then it is gone as well."""
    watch = CallWatch(0.0, Limits(silence_s=20))
    quiet = [Facts("inside", True, False, silent_s, suppresses_silence=True) for silent_s in (21.0, 179.0, 181.0)]
    assert [watch.step(each, 1.0) for each in quiet[:2]] == [[], []]
    (hang_up,) = watch.step(quiet[2], 1.0)
    assert isinstance(hang_up, HangUp)


@pytest.mark.parametrize("is_on", [True, False])
async def test_a_telephone_that_sends_comfort_noise_is_noticed_and_hears_some(is_on: bool) -> None:
    """After its packet of payload type 13 (RFC 3389) it may be silent; it hears noise unless that is switched off."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as telephone:
        telephone.bind(("127.0.0.1", 0))
        telephone.setblocking(False)
        offer = OFFER.replace("40000", str(telephone.getsockname()[1])).replace(" 0 8 9 96", " 0 13 96")
        async with desk(comfort_noise=is_on) as line:
            answer = await called(line, offer=offer)
            (held,) = line.line.exchange.held.values()
            call = held.call
            assert call is not None
            for number in range(10):
                sound = RtpPacket(0, 0, number, number * 160, 77, MU_LAW_QUIET)
                telephone.sendto(sound.serialize(), ("127.0.0.1", call.media.port))
            before = call._facts().suppresses_silence
            noise = RtpPacket(13, 0, 10, 1600, 77, b"\x40")
            telephone.sendto(noise.serialize(), ("127.0.0.1", call.media.port))
            await until(lambda: call._facts().suppresses_silence)
            heard = RtpPacket.parse(await asyncio.get_running_loop().sock_recv(telephone, 2048))
            line.put(request("BYE", branch="bye", cseq=2, to_tag=(answer.to_addr.tag if answer.to_addr else "") or ""))

    assert not before
    assert "13" not in answer.text.split("m=audio")[1].split("\r\n")[0].split()[3:]
    assert (set(heard.payload) - {0x7F, 0xFF} != set()) == is_on
