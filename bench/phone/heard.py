"""Heard sound: what a telephone plays of the packets that reach it, and where there are gaps in it. Pure functions.

The telephone is one with a fixed buffer: a packet is played so long after the time at which the quickest of the call
would have brought it. For one that the network lost the one before it is played again, as telephones do; one that comes
too late is a gap here, because somebody has made it late.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from aiortp.packet import RtpPacket
from numpy.typing import NDArray

from agent.phone.line.codecs import PAYLOAD_TYPES, codec_named
from agent.phone.line.frames import later_by
from agent.rehearsal.hearing import FRAME_S, HeardFrames
from bench.phone.relay import Passed
from bench.phone.wav import Sound

RATE_HZ = 8_000
"""Of PCMU, which is measured."""
PACKET_S = 0.02
BUFFER_S = 0.06
"""As telephones have it; with 20 ms of jitter none is shorter."""
LOUD_EDGE = 800
"""Peak, of 32,767, beside a gap in mid-sound: a voice that ends by itself is quieter before it does."""
_EDGE_S = 0.005
_SILENT_PEAK = 16
"""Smallest steps of mu-law are 8: what nobody sent is 0 or one step from it."""
_GAP_S = 0.01
"""A silence that is shorter is of the voice's own waves."""
_LONGEST_GAP_S = 0.4
"""A silence that is longer is a pause."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One end of a call over time."""

    start_s: float
    """When its first sample was heard, seconds since the epoch."""
    pcm: Sound
    """At `RATE_HZ`; silence where packets were too late, or were never sent."""
    lost: tuple[float, ...]
    """When packets would have been played that the network had lost."""
    late: tuple[float, ...]
    """… and those that came too late to be played, or were never sent."""

    def frames(self) -> HeardFrames:
        """Its peaks in frames of 10 ms, as the browser's ear has them."""
        size = round(FRAME_S * RATE_HZ)
        peaks = np.abs(self.pcm[: len(self.pcm) // size * size].astype(np.int32)).reshape(-1, size).max(axis=1)
        # A frame is heard when its last sample was.
        times = self.start_s + FRAME_S * (1 + np.arange(len(peaks)))
        return HeardFrames(times, peaks)

    def between(self, start_s: float, end_s: float) -> Sound:
        """Samples between two times (seconds since the epoch)."""
        first, last = (max(0, round((at - self.start_s) * RATE_HZ)) for at in (start_s, end_s))
        return self.pcm[first:last]


@dataclass(frozen=True, slots=True)
class _Packet:
    at_s: float
    is_lost: bool
    place: int
    """Timestamp, in samples after the first."""
    payload: bytes


def said(packets: Sequence[Passed]) -> Heard:
    """What the telephone said, at the time at which it was said: a packet leaves when it is full.

    Raises:
        ValueError: it said nothing.
    """
    sent = _packets([(each, each.came_at) for each in packets if each.is_of_phone])
    return _played(sent, buffer_s=-PACKET_S, takes_all=True)


def heard(packets: Sequence[Passed], buffer_s: float = BUFFER_S) -> Heard:
    """What the telephone heard.

    Raises:
        ValueError: it heard nothing.
    """
    came = [(each, each.came_at if each.left_at is None else each.left_at) for each in packets if not each.is_of_phone]
    return _played(_packets(came), buffer_s=buffer_s, takes_all=False)


def _packets(passed: Sequence[tuple[Passed, float]]) -> list[_Packet]:
    found: list[_Packet] = []
    first: int | None = None
    for each, at_s in passed:
        packet = RtpPacket.parse(each.data)
        if packet.payload_type != PAYLOAD_TYPES["PCMU"]:
            continue
        first = packet.timestamp if first is None else first
        place = later_by(packet.timestamp, first)
        found.append(_Packet(at_s, each.left_at is None and not each.is_of_phone, place, packet.payload))
    if not found:
        raise ValueError("there is no packet of sound")
    return found


def _played(packets: Sequence[_Packet], *, buffer_s: float, takes_all: bool) -> Heard:
    codec = codec_named("PCMU")
    earliest = min(each.place for each in packets)
    base_s = min(each.at_s - each.place / RATE_HZ for each in packets if takes_all or not each.is_lost) + buffer_s
    last = max(each.place + len(each.payload) for each in packets)
    pcm = np.zeros(last - earliest, np.int16)
    size = round(PACKET_S * RATE_HZ)
    missing = dict.fromkeys(range(earliest, last, size), "late")
    for each in packets:
        if each.is_lost and not takes_all:
            missing[each.place] = "lost"
        elif takes_all or each.at_s <= base_s + each.place / RATE_HZ:
            sound = np.frombuffer(codec.decode(each.payload), np.int16)
            pcm[each.place - earliest : each.place - earliest + len(sound)] = sound
            missing.pop(each.place, None)
    for place in sorted(at for at, why in missing.items() if why == "lost" and at > earliest):
        pcm[place - earliest : place - earliest + size] = pcm[place - earliest - size : place - earliest]
    times = {place: base_s + place / RATE_HZ for place in sorted(missing)}
    return Heard(
        base_s + earliest / RATE_HZ,
        pcm,
        lost=tuple(at for place, at in times.items() if missing[place] == "lost"),
        late=tuple(at for place, at in times.items() if missing[place] == "late"),
    )


def sudden_silences(pcm: Sound, rate_hz: int = RATE_HZ) -> list[tuple[float, float]]:
    """Gaps in mid-sound: silence that begins and ends as no voice does, from one sample to the next.

    Args:
        pcm: what was heard.
        rate_hz: of it.

    Returns:
        Beginning and length of each, in seconds.
    """
    edge = max(1, round(_EDGE_S * rate_hz))
    peaks = np.abs(pcm.astype(np.int32))
    found = []
    for first, last in _runs(peaks <= _SILENT_PEAK):
        length_s = (last - first) / rate_hz
        before, after = peaks[max(0, first - edge) : first], peaks[last : last + edge]
        is_sudden = min(before.max(initial=0), after.max(initial=0)) > LOUD_EDGE
        if is_sudden and _GAP_S <= length_s <= _LONGEST_GAP_S:
            found.append((first / rate_hz, length_s))
    return found


def quiet_stretches(pcm: Sound, *, under: int, rate_hz: int = RATE_HZ) -> list[tuple[float, float]]:
    """Where a sound that never pauses was not heard.

    Args:
        pcm: what was heard.
        under: the peak of 10 ms that is too quiet to be it.
        rate_hz: of it.

    Returns:
        Beginning and length of each, in seconds.
    """
    size = round(FRAME_S * rate_hz)
    peaks = np.abs(pcm[: len(pcm) // size * size].astype(np.int32)).reshape(-1, size).max(axis=1)
    return [(first * FRAME_S, (last - first) * FRAME_S) for first, last in _runs(peaks < under)]


def _runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where a mask is true: first place, and the one after the last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(first), int(last)) for first, last in zip(edges[::2], edges[1::2], strict=True)]
