"""Loop and four calls at once: how long a sound takes from the telephone to the room and back, and gaps under load."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.phone.baresip import Baresip, baresip
from bench.phone.caller import loud_at
from bench.phone.heard import RATE_HZ, heard, quiet_stretches
from bench.phone.relay import Network, Passed
from bench.phone.room_side import hum, standing_in
from bench.phone.venue import PhoneVenue
from bench.phone.wav import Sound, write_wav
from bench.voice.caller import NoReplyError

AT_ONCE = 4
CLICKS = 30
_CLICK_S, _EVERY_S = 0.06, 1.0
_CLICK_HZ = 1_000
_SILENT_S = 0.3
"""Before a click that is a new one."""
_SETTLES_S = 4.0
"""After the last call was taken: by then buffers are as long as they have to be."""
_PATIENCE_S = 30.0
_LOUD = 1_500
"""Peak of 10 ms of the hum: it has 13,000 at its loudest, and never under 4,000."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """What one telephone did not hear of a sound that never pauses."""

    gaps: tuple[tuple[float, float], ...]
    """Beginning and length of each, in seconds."""
    late: int
    """Packets that came too late for its buffer, or were never sent."""
    seconds: float
    """How long was listened."""


def clicks(count: int = CLICKS) -> Sound:
    """Short tones with silence between them."""
    at = np.arange(round(_EVERY_S * RATE_HZ)) / RATE_HZ
    click = np.where(at < _CLICK_S, 0.6 * np.sin(2 * np.pi * _CLICK_HZ * at), 0.0)
    return np.tile((click * 32_767).astype(np.int16), count)


def loop_delays(packets: Sequence[Passed]) -> list[float]:
    """Seconds from each sound that a telephone sent to its echo, both as they pass the relay."""
    sent = _beginnings([(each.came_at, each) for each in packets if each.is_of_phone])
    came = _beginnings([(each.left_at, each) for each in packets if not each.is_of_phone and each.left_at is not None])
    delays = []
    for at_s in sent:
        back = next((each for each in came if each > at_s), None)
        if back is not None and back - at_s < _EVERY_S:
            delays.append(back - at_s)
    return delays


def _beginnings(packets: Sequence[tuple[float, Passed]]) -> list[float]:
    """When packets came that are loud after a silence."""
    found: list[float] = []
    last = float("-inf")
    for at_s, packet in sorted(packets, key=lambda pair: pair[0]):
        if loud_at(packet) is None:
            continue
        if at_s - last > _SILENT_S:
            found.append(at_s)
        last = at_s
    return found


async def measure_loop(venue: PhoneVenue, folder: Path, network: Network) -> list[float]:
    """One call to somebody who says everything back.

    Raises:
        NoReplyError: no call came about.
    """
    venue.relay.network = network
    async with standing_in(venue.settings, None) as side, AsyncExitStack() as stack:
        await _call(stack, venue, folder, clicks(CLICKS + 10))
        await _until_entered(1, lambda: side.entered)
        await asyncio.sleep(_SETTLES_S)
        venue.relay.passed.clear()
        await asyncio.sleep(CLICKS * _EVERY_S)
        return loop_delays(venue.relay.passed)


async def measure_four(venue: PhoneVenue, folder: Path, seconds: float) -> list[Gaps]:
    """Four calls at once over a good network, in each of which both ends say a sound that never pauses.

    Raises:
        NoReplyError: not all came about.
    """
    venue.relay.network = Network()
    says = np.tile(hum()[::6], round(seconds / 10) + 6)
    async with standing_in(venue.settings, hum()) as side, AsyncExitStack() as stack:
        for number in range(AT_ONCE):
            await _call(stack, venue, folder / str(number), says)
        await _until_entered(AT_ONCE, lambda: side.entered)
        await asyncio.sleep(_SETTLES_S)
        venue.relay.passed.clear()
        await asyncio.sleep(seconds)
        passed = list(venue.relay.passed)
    ports = sorted({each.port for each in passed})
    return [_gaps([each for each in passed if each.port == port]) for port in ports]


def _gaps(packets: Sequence[Passed]) -> Gaps:
    sound = heard(packets)
    return Gaps(tuple(quiet_stretches(sound.pcm, under=_LOUD)), len(sound.late), len(sound.pcm) / RATE_HZ)


async def _call(stack: AsyncExitStack, venue: PhoneVenue, folder: Path, says: Sound) -> Baresip:
    folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 (before anything is measured)
    path = write_wav(folder / "says.wav", says, RATE_HZ)
    phone = await stack.enter_async_context(baresip(folder / "phone", path, codec="PCMU/8000"))
    await phone.command("dial", venue.address)
    try:
        await asyncio.wait_for(phone.event("CALL_ESTABLISHED"), _PATIENCE_S)
    except TimeoutError:
        raise NoReplyError("the line did not take a call") from None
    return phone


async def _until_entered(wanted: int, entered: Callable[[], int]) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while entered() < wanted:
        if time.monotonic() > deadline:
            raise NoReplyError("the stand-in did not come into the room of a call")
        await asyncio.sleep(0.1)
