"""The pure parts of the phone measurement: what the relay loses, what a telephone hears, and where gaps are."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from aiortp.packet import RtpPacket
from hypothesis import given
from hypothesis import strategies as st

from agent.phone.line.codecs import codec_named
from agent.rehearsal.hearing import HeardFrames
from bench.phone.heard import RATE_HZ, Heard, heard, quiet_stretches, said, sudden_silences
from bench.phone.interviews import heard_words, patience_s, without_signals
from bench.phone.loop import clicks, loop_delays
from bench.phone.relay import HOST, Network, Passed, relaying
from bench.phone.room_side import RATE_HZ as ROOM_HZ
from bench.phone.room_side import hum
from bench.phone.soak import is_flat
from bench.phone.wav import Sound
from domain.events import AnswerTaken, ListeningSignalled, PauseWeighed

_FRAME = 160
_T0 = 1_000.0


def tone(seconds: float) -> Sound:
    """A sound that never pauses."""
    at = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    return (8_000 * np.sin(2 * np.pi * 440 * at)).astype(np.int16)


def packets(sound: Sound, *, of_phone: bool = False, delays_s: Sequence[float | None] = ()) -> list[Passed]:
    """A sound in packets of 20 ms; each takes its delay, or is lost."""
    codec = codec_named("PCMU")
    made = []
    for number, first in enumerate(range(0, len(sound) - _FRAME + 1, _FRAME)):
        payload = codec.encode(sound[first : first + _FRAME].tobytes())
        data = RtpPacket(0, 0, number, (0xFFFFFF00 + first) & 0xFFFFFFFF, 7, payload).serialize()
        came_at = _T0 + number * 0.02
        delay_s = delays_s[number] if number < len(delays_s) else 0.0
        made.append(Passed(21_000, of_phone, came_at, None if delay_s is None else came_at + delay_s, data))
    return made


class _Noting(asyncio.DatagramProtocol):
    """Keeps what arrives."""

    def __init__(self) -> None:
        self.got: list[tuple[bytes, tuple[str, int]]] = []

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self.got.append((data, addr))

    async def has(self, count: int) -> None:
        """Wait until so many are there."""
        while len(self.got) < count:  # noqa: ASYNC110 (the network has no event)
            await asyncio.sleep(0.01)


def free_ports() -> tuple[int, int]:
    """A port for SIP and an even one for sound, free at both addresses, as is the one after it."""
    while True:
        sip, sound = random.randrange(20_000, 28_000, 2), random.randrange(20_000, 28_000, 2)
        try:
            for host in ("127.0.0.1", HOST):
                for port in (sip, sound, sound + 1):
                    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                        probe.bind((host, port))
        except OSError:
            continue
        if sip != sound:
            return sip, sound


def test_a_network_loses_and_delays_as_it_says_and_the_same_each_time() -> None:
    """Two of a hundred, up to 20 ms; a seed gives the same packets again."""
    network = Network(loss=0.02, jitter_s=0.02)
    rng, again = random.Random(5), random.Random(5)
    delays = [network.delay_s(rng) for _ in range(20_000)]
    there = [each for each in delays if each is not None]

    assert delays == [network.delay_s(again) for _ in range(20_000)]
    assert 0.017 < 1 - len(there) / len(delays) < 0.023
    assert 0 <= min(there) < 0.001
    assert 0.019 < max(there) <= 0.02


def test_what_is_lost_does_not_change_how_long_others_take() -> None:
    """So that two runs with other losses can be compared."""
    none, some = Network(0.0, 0.02), Network(0.5, 0.02)
    one, other = random.Random(1), random.Random(1)
    pairs = [(none.delay_s(one), some.delay_s(other)) for _ in range(50)]

    assert all(b in {None, a} for a, b in pairs)


def test_a_sound_is_heard_as_it_was_sent_where_nothing_is_lost() -> None:
    """Over a timestamp that begins again at 0, 60 ms after it arrived."""
    sound = tone(1.0)
    found = heard(packets(sound))

    assert found.start_s == pytest.approx(_T0 + 0.06)
    assert np.abs(found.pcm.astype(int) - sound.astype(int)).max() < 300
    assert (found.lost, found.late) == ((), ())


def test_lost_and_late_packets_are_told_apart() -> None:
    """For a lost one the one before it is heard; one that took longer than the buffer is a gap, 50 ms are none."""
    delays = [0.0] * 50
    delays[10], delays[20], delays[30] = None, 0.2, 0.05  # type: ignore[call-overload]
    found = heard(packets(tone(1.0), delays_s=delays))

    assert found.lost == (pytest.approx(_T0 + 0.06 + 0.2),)
    assert found.late == (pytest.approx(_T0 + 0.06 + 0.4),)
    assert quiet_stretches(found.pcm, under=1_000) == [(pytest.approx(0.4), pytest.approx(0.02))]


def test_what_a_telephone_said_was_said_before_its_packet_left() -> None:
    """Also what the network lost on the way."""
    found = said(packets(tone(0.2), of_phone=True, delays_s=[None, 0.02]))

    assert found.start_s == pytest.approx(_T0 - 0.02)
    assert len(found.pcm) == 10 * _FRAME
    assert not found.lost


def test_who_hears_nothing_is_told_so() -> None:
    """A call without a packet has no sound."""
    with pytest.raises(ValueError, match="no packet"):
        heard(packets(tone(0.2), of_phone=True))


@given(st.integers(200, 7_000), st.integers(80, 3_000))
def test_a_hole_in_a_sound_is_a_gap_wherever_it_is(first: int, length: int) -> None:
    """Of 10 to 375 ms; its place and length are found."""
    sound = np.where(np.abs(tone(1.5)) < 1_500, np.int16(1_500), tone(1.5))
    sound[first : first + length] = 0

    ((at_s, length_s),) = sudden_silences(sound)

    assert at_s == pytest.approx(first / RATE_HZ)
    assert length_s == pytest.approx(length / RATE_HZ)


@given(st.integers(420, 2_000))
def test_a_voice_that_falls_silent_by_itself_leaves_no_gap(fade: int) -> None:
    """A pause is no gap: before it a voice becomes quiet, and after it loud, in 50 ms at the quickest."""
    sound = tone(1.5).astype(float)
    sound[4_000 - fade : 4_000] *= np.linspace(1, 0, fade)
    sound[4_000:5_000] = 0
    sound[5_000 : 5_000 + fade] *= np.linspace(0, 1, fade)

    assert sudden_silences(sound.astype(np.int16)) == []


def test_the_hum_never_pauses() -> None:
    """Else every gap between two of its waves would be taken for one of the line's."""
    assert quiet_stretches(hum()[::6], under=4_000) == []
    assert quiet_stretches(np.tile(hum(), 2)[ROOM_HZ * 9 :: 6], under=4_000) == []


def test_the_loop_is_timed_from_click_to_echo() -> None:
    """Each click with its own echo, rounded to packets; one that does not come back counts for nothing."""
    up = packets(clicks(4), of_phone=True)
    echo = clicks(4)
    echo[RATE_HZ * 2 : RATE_HZ * 3] = 0
    back = [Passed(each.port, False, each.came_at + 0.2, each.came_at + 0.2, each.data) for each in packets(echo)]

    assert loop_delays([*up, *back]) == [pytest.approx(0.2)] * 3


def test_the_words_of_an_answer_are_those_that_were_taken_until_the_next() -> None:
    """Of one that was gone on with, the whole."""

    def taken(text: str, ended_at: float, *, continues: bool = False) -> AnswerTaken:
        return AnswerTaken(
            at=ended_at + 1, turn=1, question_id="q", text=text, words=[], speech_ended_at=ended_at, continues=continues
        )

    events = [taken("before", 5.0), taken("one", 12.0), taken("one two", 14.0, continues=True), taken("next", 25.0)]

    assert heard_words(events, 10.0, 20.0) == "one two"


def test_a_listening_signal_is_no_reply() -> None:
    """The candidate in the browser does not count it as one either."""
    frames = HeardFrames.of([1.0, 2.0, 3.0, 9.0], [5_000] * 4)

    left = without_signals(frames, [ListeningSignalled(at=2.0, sound="mm")])

    assert list(left.peaks) == [5_000, 0, 0, 5_000]


def test_what_was_heard_has_the_time_of_each_frame() -> None:
    """A frame is heard when its last sample was."""
    frames = Heard(_T0, tone(0.05), (), ()).frames()

    assert list(frames.times) == pytest.approx([_T0 + 0.01 * number for number in range(1, 6)])


@pytest.mark.parametrize(
    ("values", "flat"), [([1, 5, 5], True), ([100, 140, 144], True), ([100, 140, 146], False), ([0, 0, 3], False)]
)
def test_what_grows_by_more_than_three_percent_is_not_flat(values: list[float], flat: bool) -> None:
    """From the middle of the calls to their end."""
    assert is_flat(values) == flat


async def test_what_passes_the_relay_arrives_both_ways_and_is_noted() -> None:
    """SIP and sound to the line and back, as from one telephone; only sound is noted."""
    loop = asyncio.get_running_loop()
    line, telephone = _Noting(), _Noting()
    ports = free_ports()
    ends = [await loop.create_datagram_endpoint(lambda: line, local_addr=("127.0.0.1", port)) for port in ports]
    end, _ = await loop.create_datagram_endpoint(lambda: telephone, local_addr=("127.0.0.1", 0))
    try:
        async with relaying(Network(), sip_port=ports[0], rtp_ports=range(ports[1], ports[1] + 2, 2)) as relay:
            end.sendto(b"INVITE", (HOST, ports[0]))
            end.sendto(b"sound", (HOST, ports[1]))
            await line.has(2)
            for data, source in line.got:
                ends[data == b"sound"][0].sendto(b"back " + data, source)
            await telephone.has(2)
            noted = [(each.port, each.is_of_phone, each.data) for each in relay.passed]
    finally:
        for each in (*(sender for sender, _ in ends), end):
            each.close()

    assert sorted(data for data, _ in line.got) == [b"INVITE", b"sound"]
    assert sorted(telephone.got) == [(b"back INVITE", (HOST, ports[0])), (b"back sound", (HOST, ports[1]))]
    assert noted == [(ports[1], True, b"sound"), (ports[1], False, b"back sound")]


def test_what_the_interviewer_waited_for_more_is_what_it_weighed_last() -> None:
    """After the answer, not in one of its pauses; a judgement that came later than the wait that it allows counts."""

    def weighed(at: float, silent_s: float, wait_s: float) -> PauseWeighed:
        return PauseWeighed(
            at=at, ending="complete", by_sound=None, chance_of_more=0.5, silent_s=silent_s, wait_s=wait_s
        )

    in_a_pause, first, last = weighed(8.0, 0.3, 3.0), weighed(10.3, 0.3, 1.5), weighed(10.9, 0.9, 0.4)
    assert patience_s([in_a_pause, first], 10.0, 14.0) == 1.5
    assert patience_s([in_a_pause, first, last], 10.0, 14.0) == 0.9
    assert patience_s([in_a_pause], 10.0, 14.0) is None
