"""Parts of the line that decide by themselves: keys, frames, buffer, source lock, settings, watch, codecs, outcomes."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from agent.phone.line.buffer import LONGEST_MS, SHORTEST_MS, SoundBuffer, mixed
from agent.phone.line.codecs import codec_named
from agent.phone.line.frames import FrameCutter
from agent.phone.line.keys import BothWays, KeyReceiver
from agent.phone.line.outcomes import outcome_of
from agent.phone.line.rates import InviteRate
from agent.phone.line.registrar import LONGEST_PAUSE_S, pause_before
from agent.phone.line.setting_values import (
    CODEC_NAMES,
    parse_accounts,
    parse_codecs,
    parse_networks,
    parse_ports,
    parse_users,
    without_passwords,
)
from agent.phone.line.sound_offer import own_offer, read_answer
from agent.phone.line.source_lock import SourceLock
from agent.phone.line.watch import CallInterviewer, CallWatch, Facts, HangUp, Join, Limits, Say
from tests.agent.phone.messages import OFFER

LOUD = (np.sin(np.arange(160)) * 9000).astype(np.int16).tobytes()


def event(code: int, duration: int, *, end: bool = False) -> bytes:
    """A telephone event's payload."""
    return bytes([code, 0x80 if end else 0]) + duration.to_bytes(2, "big")


def test_a_key_counts_once_whichever_of_its_packets_are_lost() -> None:
    """The first packet that arrives presses it; repetitions, order and long presses do not press it again."""
    keys = KeyReceiver()
    packets = [
        (event(5, 160), 1000),
        (event(5, 320), 1000),
        (event(5, 480, end=True), 1000),
        (event(5, 480, end=True), 1000),
    ]
    packets += [(event(11, 800, end=True), 9000), (event(5, 320), 1000)]
    packets += [
        (event(0, 65000), 20000),
        (event(0, 400), 85000),
        (event(0, 160), 99000),
        (b"\x01", 1),
        (event(16, 1), 2),
    ]
    assert [digit for packet in packets if (digit := keys.take(*packet))] == ["5", "#", "0", "0"]


def test_who_tells_of_a_key_in_both_ways_presses_it_once() -> None:
    """Two presses in a row in one way are two."""
    ways = BothWays()
    told = [("1", "RTP", 0.0), ("1", "INFO", 0.1), ("1", "RTP", 0.3), ("1", "RTP", 0.6), ("1", "INFO", 2.0)]
    assert [ways.is_new(*each) for each in told] == [True, False, True, True, True]  # type: ignore[arg-type]


@given(some.lists(some.integers(1, 480), min_size=1, max_size=40), some.integers(0, 2**32 - 1))
def test_frames_are_what_was_sent_whatever_the_packets(sizes: list[int], start: int) -> None:
    """Packets of any length, over the end of the clock: the frames are the same bytes at their timestamps."""
    sound = random.Random(1).randbytes(sum(sizes))
    cutter, at, frames = FrameCutter(), 0, []
    for size in sizes:
        frames += cutter.cut((start + at) & 0xFFFFFFFF, sound[at : at + size])
        at += size
    assert b"".join(frame for _, frame in frames) == sound[: len(frames) * 160]
    assert [timestamp for timestamp, _ in frames] == [(start + 160 * n) & 0xFFFFFFFF for n in range(len(frames))]
    assert len(sound) - len(frames) * 160 < 160


@given(some.lists(some.sampled_from(["put", "take"]), max_size=200))
def test_the_buffer_stays_within_its_limits(steps: list[str]) -> None:
    """Never more than 200 ms, never fewer than 60 allowed, and no frame comes out twice or out of order."""
    buffer, number, out = SoundBuffer(), 0, []
    for step in steps:
        if step == "put":
            number += 1
            buffer.put(number.to_bytes(2, "little") * 80 + LOUD[:160])
        elif frame := buffer.take():
            out.append(int.from_bytes(frame[:2], "little"))
        assert SHORTEST_MS <= buffer.limit_ms <= LONGEST_MS
        assert buffer.length_ms <= buffer.limit_ms
    assert out == sorted(set(out))


def test_the_buffer_grows_when_it_runs_dry_in_mid_word_and_shrinks_again() -> None:
    """Silence between two sounds is no reason to grow."""
    buffer = SoundBuffer()
    for _ in range(3):
        for _ in range(10):
            buffer.put(LOUD)
            buffer.take()
        while buffer.take():
            pass
    grown = buffer.limit_ms
    for _ in range(3000):
        buffer.put(LOUD)
        buffer.take()
    assert grown > SHORTEST_MS
    assert buffer.limit_ms == SHORTEST_MS
    before = buffer.dry
    buffer.put(bytes(320))
    while buffer.take():
        pass
    assert buffer.dry == before


def test_several_sounds_become_one_without_overflow() -> None:
    """What is too loud is cut, what has another length left out."""
    loud = np.full(4, 30000, np.int16).tobytes()
    assert np.frombuffer(mixed([loud, loud, b"\0\0"], 8), np.int16).tolist() == [32767] * 4
    assert mixed([], 8) == bytes(8)


def test_the_lock_follows_the_first_source_and_no_stranger() -> None:
    """Until the telephones agree on another place."""
    lock = SourceLock(("10.0.0.5", 4000), signalling_host="198.51.100.7")
    behind_router, stranger = ("198.51.100.7", 61000), ("203.0.113.9", 5000)
    assert lock.takes(behind_router)
    assert not lock.takes(stranger)
    assert not lock.takes(("198.51.100.7", 61002))
    assert lock.takes(("10.0.0.5", 4000))
    assert not lock.takes(behind_router)
    lock.announce(("10.0.0.6", 4000))
    assert lock.takes(stranger)
    assert lock.takes(("10.0.0.6", 4000))


@pytest.mark.parametrize("name", CODEC_NAMES)
def test_codecs_keep_a_sound_and_its_sign(name: str) -> None:
    """What is decoded goes up where what was encoded does; A-law codes are those of ITU-T G.711."""
    codec = codec_named(name)  # type: ignore[arg-type]
    tone = (np.sin(np.arange(4800) / 12) * 8000).astype(np.int16)
    heard = np.frombuffer(codec.decode(codec.encode(tone.tobytes())), np.int16)
    delay = 22 if name == "G722" else 0
    assert np.corrcoef(heard[delay:], tone[: len(heard) - delay])[0, 1] > 0.98
    if name == "PCMA":
        assert codec.encode(np.array([0, -1, 32767, -32768], np.int16).tobytes()) == bytes([0xD5, 0x55, 0xAA, 0x2A])


def test_settings_of_several_values_are_read() -> None:
    """Accounts, users, networks, ports and codecs; no password is shown."""
    text = "sip:100:se%40cret@pbx.example:5062, sip:2:b@10.0.0.1;login=two;server=10.0.0.9:5080"
    first, second = parse_accounts(text)
    assert (first.address, first.server, first.login, first.password) == (
        "sip:100@pbx.example", ("pbx.example", 5062), "100", "se@cret",
    )  # fmt: skip
    assert (second.server, second.login) == (("10.0.0.9", 5080), "two")
    assert "se@cret" not in repr(first)
    assert without_passwords(text).count("…") == 2
    assert "cret" not in without_passwords(text)
    assert without_passwords("anna:tea, bob:x") == "anna:…, bob:…"
    assert parse_users("anna:tea%2C, bob:x") == {"anna": "tea,", "bob": "x"}
    assert [str(each) for each in parse_networks("10.0.0.7, 192.168.1.9/24")] == ["10.0.0.7/32", "192.168.1.0/24"]
    assert list(parse_ports("21001-21006")) == [21002, 21004]
    assert parse_codecs("pcma, G722") == ("PCMA", "G722")


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (parse_accounts, "sip:100:geheim"),
        (parse_accounts, "sip:100:geheim@host;colour=red"),
        (parse_accounts, "sip:100:geheim@host:99999"),
        (parse_users, "anna"),
        (parse_networks, "my network"),
        (parse_ports, "21000"),
        (parse_ports, "21000-70000"),
        (parse_codecs, "opus"),
        (parse_codecs, ""),
    ],
)
def test_a_wrong_value_is_told_without_its_password(read: object, text: str) -> None:
    """The sentence says what is accepted."""
    with pytest.raises(ValueError, match=r".") as error:
        read(text)  # type: ignore[operator]
    assert "geheim" not in str(error.value)


def test_calls_that_come_too_fast_are_held_back_by_address() -> None:
    """One address cannot use up what the others have."""
    rate = InviteRate(2, 0.0)
    assert [rate.allows("a", 0.0) for _ in range(4)] == [True, True, False, False]
    assert rate.allows("b", 0.0)
    assert rate.allows("a", 0.6)


def test_pauses_before_registering_again_grow_and_end() -> None:
    """A wrong password is tried seldom; everything else within a minute."""
    rng = random.Random(1)
    pauses = [pause_before(tries, 408, rng) for tries in range(1, 12)]
    assert 1 < pauses[0] <= 2
    assert max(pauses) <= LONGEST_PAUSE_S
    assert pauses[-1] > 40
    assert pause_before(1, 401, rng) == 300


@pytest.mark.parametrize("status", [401, 404, 408, 480, 484, 486, 488, 500, 503, 600, 603, 606, 699])
def test_every_refusal_has_a_sentence(status: int) -> None:
    """And its code."""
    placed = outcome_of(status)
    assert placed.sentence.endswith(".")
    assert (placed.status, placed.outcome == "answered") == (status, False)


def test_of_several_codecs_in_an_answer_the_first_is_spoken() -> None:
    """It is the other end's choice among those that we offered."""
    offer = own_offer(("G722", "PCMA"), "10.0.0.1", 4000, 1)
    assert offer.media[0].formats == ["9", "8", "101"]
    assert read_answer(OFFER, ("G722", "PCMA")).codec == "PCMA"


def facts(room: str = "inside", *, there: bool = False, over: bool = False, silent: float = 0.0) -> Facts:
    """Facts of a call."""
    return Facts(room, there, over, silent)  # type: ignore[arg-type]


def story(watch: CallWatch, *steps: tuple[float, Facts]) -> list[object]:
    """What is done, in order, each thing with its name."""
    return [action for now, each in steps for action in watch.step(each, now)]


def test_a_caller_for_whom_nobody_comes_is_never_left_in_silence() -> None:
    """Something is tried at once and again, said after three seconds, and ended with a sentence."""
    done = story(CallWatch(0.0, Limits()), *((second, facts()) for second in range(22)))
    assert done[0] == CallInterviewer()
    assert Say("connecting") in done
    assert done[-1] == HangUp("no interviewer came", "no_interviewer")


def test_a_lost_server_is_joined_again_and_a_blink_is_not_told() -> None:
    """Reconnecting is LiveKit's; the room is joined anew only where that has failed."""
    watch = CallWatch(0.0, Limits())
    assert story(watch, (0, facts(there=True)), (1, facts("away")), (2, facts("away")), (2.2, facts(there=True))) == []
    done = story(watch, (10, facts("away")), (12, facts("away")), (13, facts("outside")), (15, facts(there=True)))
    assert done == [Say("server_gone"), Join()]
    assert isinstance(story(watch, (20, facts("away")), (51, facts("away")))[-1], HangUp)


@pytest.mark.parametrize("end", [facts(over=True), facts("closed"), facts(there=True, silent=21)])
def test_a_call_that_is_over_is_ended_without_a_word(end: Facts) -> None:
    """Whether the interviewer has ended it, the room was closed, or the telephone is gone."""
    (hang_up,) = CallWatch(0.0, Limits()).step(end, 1.0)
    assert isinstance(hang_up, HangUp)
    assert hang_up.sentence is None
