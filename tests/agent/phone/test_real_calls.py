"""Calls with a real telephone (baresip) into rooms of a real livekit-server."""

from __future__ import annotations

import asyncio
import itertools
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import numpy as np
import pytest
from aiortp.packet import RtpPacket
from livekit import rtc
from livekit.api import LiveKitAPI
from livekit.protocol.room import ListParticipantsRequest, ListRoomsRequest

from agent.phone.hanging_up import tell_over
from agent.phone.line.caller import Caller
from agent.phone.line.options import LineOptions
from agent.phone.line.room import CallRoom
from agent.phone.line.sentences import Sentence
from agent.phone.line.watch import Limits
from agent.processes.ports import free_ports_settings
from agent.settings import Settings
from bench.phone.baresip import Baresip, baresip
from bench.phone.watched_line import watched_line
from bench.phone.wav import Sound, write_wav
from tests.agent.livekit_server import end_livekit, start_livekit
from tests.agent.phone import humming_line
from tests.agent.phone.interviewer import RATE_HZ, Conversation, Interviewers, interviewing
from tests.agent.phone.lines import HUMS, line_options, running_line, until
from tests.agent.phone.sounds import alikeness, murmur, seconds_of_sound

pytestmark = [pytest.mark.slow, pytest.mark.spoken, pytest.mark.timeout(240)]
"""Most take ten to twenty seconds; on a machine that does other things as well, sound is listened to again."""

ALIKE, UNLIKE = 0.8, 0.7
"""Correlations above and below these say that a sound is, or is not, the one that was said (G.711 keeps 0.97)."""
BUSY_ALIKE = 0.66
"""What is left of it for somebody who hears a gap; another's voice has 0.63."""
VOICE = murmur(8, RATE_HZ, seed=1)
CALLER = {rate: murmur(8, rate, seed=2) for rate in (8000, 16000)}


def telephone(folder: Path, codec: str, **more: object) -> object:
    """A telephone of a codec that says what callers say here; it hangs up where its file ends, after a minute."""
    rate = 16000 if codec.startswith("G722") else 8000
    folder.mkdir(parents=True, exist_ok=True)
    return baresip(folder, write_wav(folder / "says.wav", np.tile(CALLER[rate], 8), rate), codec=codec, **more)


async def dialled(phone: Baresip, port: int) -> None:
    """Let a telephone call the line."""
    await phone.command("dial", f"sip:viva@127.0.0.1:{port}")


@asynccontextmanager
async def a_call(livekit: Settings, folder: Path, options: LineOptions) -> AsyncIterator[tuple[Baresip, Interviewers]]:
    """A line with these options that a telephone has called, and the interviewers who come."""
    async with (
        running_line(livekit, options),
        interviewing(livekit, VOICE) as interviewers,
        telephone(folder / "phone", "PCMU/8000") as phone,
    ):
        await dialled(phone, options.bind[1])
        yield phone, interviewers


async def is_hearing(talk: Conversation, said: Sound, rate: int) -> float:
    """How much of two seconds in a room is what was said: the best of a few, since on a busy machine sound has gaps."""
    best = 0.0
    for _ in range(6):
        before = len(talk.sound)
        await until(lambda before=before: len(talk.heard) // 2 >= before + 2 * RATE_HZ)  # type: ignore[misc]
        # In a thread: the line and the telephones live in this process, and would wait.
        found = await asyncio.to_thread(alikeness, talk.sound[before:], said, RATE_HZ, rate)
        best = max(best, found)
        if best > ALIKE:
            break
    return best


async def attribute(talk: Conversation, name: str, value: str) -> None:
    """Wait until the caller has an attribute."""
    who = talk.caller
    assert who is not None
    await until(lambda: who.attributes.get(name, "") == value)


@asynccontextmanager
async def flooding(port: int) -> AsyncIterator[None]:
    """A stranger who sends sound and keys to a port."""

    async def flood() -> None:
        noise = np.random.default_rng(3)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            for number in itertools.count():
                for payload_type, payload in ((0, noise.bytes(160)), (101, b"\x07\x80\x03\x20")):
                    packet = RtpPacket(payload_type, 0, number & 0xFFFF, number * 160, 77, payload)
                    stranger.sendto(packet.serialize(), ("127.0.0.1", port))
                await asyncio.sleep(0.01)

    task = asyncio.create_task(flood())
    try:
        yield
    finally:
        task.cancel()


async def people_in_rooms(settings: Settings) -> set[str]:
    """Participants in all rooms, ghosts included, by their sids."""
    async with LiveKitAPI(settings.livekit_http_url, settings.livekit_key, settings.livekit_secret) as livekit:
        rooms = (await livekit.room.list_rooms(ListRoomsRequest())).rooms
        found = [await livekit.room.list_participants(ListParticipantsRequest(room=room.name)) for room in rooms]
    return {participant.sid for each in found for participant in each.participants}


async def assert_sentence(phone: Baresip, sentence: Sentence) -> None:
    """A telephone has heard a sentence of the line."""
    heard, rate = await phone.heard()
    assert seconds_of_sound(heard, rate) > 1
    found = {name: alikeness(HUMS[name], heard, 8000, rate) for name in HUMS}
    assert found[sentence] > ALIKE, found


async def test_four_calls_at_once_and_a_fifth_is_told_that_all_lines_are_busy(
    livekit: Settings, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Each codec, 20 and 30 ms a packet, keys by RFC 4733 and by INFO: all arrives, in both directions."""
    phones = [
        ("PCMU/8000", 8000, {}),
        ("PCMA/8000", 8000, {}),
        ("G722/16000", 16000, {}),
        ("PCMU/8000", 8000, {"ptime": 30, "account": ";dtmfmode=info"}),
    ]
    settings = livekit.model_copy(update={"phone_invites_per_s": 50.0})
    async with AsyncExitStack() as stack:
        watching = watched_line(settings, tmp_path / "line.log", module=humming_line.MODULE)
        line = await stack.enter_async_context(watching)
        interviewers = await stack.enter_async_context(interviewing(livekit, VOICE))
        talks = []
        telephones = []
        for place, (codec, _, more) in enumerate(phones):
            phone = await stack.enter_async_context(telephone(tmp_path / str(place), codec, **more))
            await dialled(phone, settings.phone_port)
            telephones.append(phone)
            talks.append((await interviewers.first(place + 1))[place])
        fifth = await stack.enter_async_context(telephone(tmp_path / "fifth", "PCMU/8000"))
        await dialled(fifth, settings.phone_port)

        hearing = [is_hearing(talk, CALLER[rate], rate) for talk, (_, rate, _) in zip(talks, phones, strict=True)]
        alike = await asyncio.gather(*hearing)
        for phone, talk in zip(telephones, talks, strict=True):
            for count, key in enumerate("1#5", start=1):
                await phone.command("sndcode", key)
                await until(lambda keys=talk.keys, count=count: len(keys) >= count)  # type: ignore[misc]
        await fifth.event("CALL_CLOSED")
        await assert_sentence(fifth, "busy")
        codecs = [talk.caller.attributes["viva.codec"] for talk in talks if talk.caller]
        for talk in talks:
            await talk.leave(is_over=True)
        await asyncio.gather(*(phone.event("CALL_CLOSED") for phone in telephones))
        sounds = [await phone.heard() for phone in telephones]
        heard = [alikeness(sound, VOICE, rate, RATE_HZ) for sound, rate in sounds]
        record_property("figure", f"four calls at once: alike in the room {alike}, at the telephones {heard}")

        assert min(alike) > ALIKE, alike
        # On a busy machine frames come late to some of the four, who hear a gap then.
        assert sorted(heard)[1] > ALIKE, heard
        assert min(heard) > BUSY_ALIKE, heard
        assert [talk.keys for talk in talks] == [["1", "#", "5"]] * 4
        assert codecs == ["PCMU", "PCMA", "G722", "PCMU"]
        # The room is left after the telephone has heard the end.
        while (held := await line.holds()).calls:  # noqa: ASYNC110 - it is another process
            await asyncio.sleep(0.05)
        assert held.rtp_ports == 0


async def test_hold_a_stranger_and_a_caller_who_is_gone(livekit: Settings, tmp_path: Path) -> None:
    """On hold nothing of the caller is passed on; what a stranger sends changes nothing; who sends nothing has gone."""
    options = line_options(livekit, limits=Limits(silence_s=2))
    async with (
        running_line(livekit, options) as line,
        interviewing(livekit, VOICE) as interviewers,
        telephone(tmp_path / "phone", "PCMU/8000") as phone,
    ):
        await dialled(phone, options.bind[1])
        (talk,) = await interviewers.first()
        assert await is_hearing(talk, CALLER[8000], 8000) > ALIKE

        await phone.command("hold")
        await attribute(talk, "viva.hold", "1")
        before = len(talk.sound)
        await asyncio.sleep(2.5)  # longer than a caller may be silent who is not on hold
        held = talk.sound[before + RATE_HZ // 2 :]
        await phone.command("resume")
        await attribute(talk, "viva.hold", "")
        assert seconds_of_sound(held, RATE_HZ) < 0.1

        (call,) = line.exchange.held.values()
        assert call.call is not None
        media = call.call.media
        async with flooding(media.port):
            own = media._remote_addr
            await until(lambda: media.junk >= 50)
            assert await is_hearing(talk, CALLER[8000], 8000) > ALIKE

            assert own == media._remote_addr
            assert not talk.keys

        phone.kill()  # in mid-word, without a BYE
        await talk.caller_left.wait()
        await until(lambda: not line.exchange.held)
        assert line.exchange.ports.in_use == 0


async def test_who_gives_up_while_it_rings_leaves_nothing_behind(livekit: Settings, tmp_path: Path) -> None:
    """A CANCEL before the call is picked up ends it, wherever it is on its way into the room."""
    options = line_options(livekit)
    before = await people_in_rooms(livekit)  # whom a test that failed has left behind
    async with (
        running_line(livekit, options) as line,
        interviewing(livekit, VOICE, most=0),
        telephone(tmp_path / "phone", "PCMU/8000") as phone,
    ):
        for pause_s in (0.0, 0.1, 0.25):
            phone.events.clear()
            await dialled(phone, options.bind[1])
            await phone.event("CALL_RINGING")
            await asyncio.sleep(pause_s)
            await phone.command("hangup")
            await phone.event("CALL_CLOSED")
            await until(lambda: not line.exchange.held)
        assert line.exchange.ports.in_use == 0
        assert not line.agent.active_calls
        assert not await people_in_rooms(livekit) - before


async def test_a_caller_for_whom_nobody_comes_is_told_so(livekit: Settings, tmp_path: Path) -> None:
    """Without an interviewer there is a sentence after three seconds, and one more before the call is ended."""
    options = line_options(livekit, limits=Limits(interviewer_s=6))
    async with running_line(livekit, options), telephone(tmp_path / "phone", "PCMA/8000") as phone:
        await dialled(phone, options.bind[1])
        await phone.event("CALL_CLOSED")
        heard, rate = await phone.heard()

    assert alikeness(HUMS["connecting"], heard, 8000, rate) > ALIKE
    assert alikeness(HUMS["no_interviewer"], heard, 8000, rate) > ALIKE
    assert alikeness(HUMS["call_again"], heard, 8000, rate) < UNLIKE


async def test_keys_typed_before_anybody_has_come_are_not_lost(livekit: Settings, tmp_path: Path) -> None:
    """Who calls often types the PIN at once; each key reaches the interviewer, in order, when there is one."""
    options = line_options(livekit)
    rooms: list[str] = []

    def room_of(caller: Caller, rate_hz: int) -> CallRoom:
        rooms.append(caller.room)
        return CallRoom(livekit, caller, rate_hz)

    async with (
        running_line(livekit, options, room_of),
        interviewing(livekit, VOICE, most=0) as interviewers,
        telephone(tmp_path / "phone", "PCMU/8000") as phone,
    ):
        await dialled(phone, options.bind[1])
        await phone.event("CALL_ESTABLISHED")
        for key in "448211#":
            await phone.command("sndcode", key)
            await asyncio.sleep(0.25)
        talk = await interviewers.enter(rooms[0])
        await until(lambda: len(talk.keys) >= len("448211#"))
        await phone.command("sndcode", "5")
        await until(lambda: "5" in talk.keys)
        await talk.leave(is_over=True)
        await phone.event("CALL_CLOSED")

    assert "".join(talk.keys) == "448211#5"


async def test_an_interviewer_that_dies_is_called_again(livekit: Settings, tmp_path: Path) -> None:
    """The caller is told, hears the next interviewer, and is called again only where nobody comes any more."""
    options = line_options(livekit, limits=Limits(again_s=5))
    async with a_call(livekit, tmp_path, options) as (phone, interviewers):
        (talk,) = await interviewers.first()
        room = talk.room.name
        await asyncio.sleep(1)
        await talk.leave(is_over=False)
        await asyncio.sleep(2)
        second = interviewers.conversations[room] = await interviewers.enter(room)
        await until(lambda: second.caller is not None)
        again = await is_hearing(second, CALLER[8000], 8000)
        await second.leave(is_over=False)
        await phone.event("CALL_CLOSED")
        heard, rate = await phone.heard()

    assert again > ALIKE
    assert alikeness(HUMS["interviewer_gone"], heard, 8000, rate) > ALIKE
    assert alikeness(HUMS["call_again"], heard, 8000, rate) > ALIKE


async def test_the_line_leaves_by_itself_and_silences_the_room(
    livekit: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LiveKit's library would keep what belongs to a room that is left, or closed, while somebody publishes in it."""
    monkeypatch.setattr("agent.phone.line.departure._SILENT_S", 60.0)  # a busy machine is given its time
    options = line_options(livekit)
    async with a_call(livekit, tmp_path, options) as (phone, interviewers):
        (talk,) = await interviewers.first()
        left: list[object] = []
        talk.room.on("participant_disconnected", lambda who: left.append(who.disconnect_reason))
        await tell_over(talk.room)
        await until(lambda: bool(left))
        keys = livekit.livekit_key, livekit.livekit_secret
        async with LiveKitAPI(livekit.livekit_http_url, *keys) as api:
            still_there = await api.room.list_participants(ListParticipantsRequest(room=talk.room.name))
        await phone.event("CALL_CLOSED")

    assert left == [rtc.DisconnectReason.CLIENT_INITIATED]
    assert [len(each.tracks) for each in still_there.participants] == [0]


async def test_a_call_survives_a_livekit_server_that_is_killed(tmp_path: Path) -> None:
    """The caller hears a sentence, and the interview when the server is there again."""
    livekit = free_ports_settings(tmp_path / "data")
    server = start_livekit(livekit)
    try:
        options = line_options(livekit)
        async with a_call(livekit, tmp_path, options) as (phone, interviewers):
            await interviewers.first()
            await asyncio.sleep(1)
            end_livekit(server)
            await asyncio.sleep(4)
            server = start_livekit(livekit)
            interviewers.look_anew()
            (talk,) = await interviewers.first()
            again = await is_hearing(talk, CALLER[8000], 8000)
            await talk.leave(is_over=True)
            await phone.event("CALL_CLOSED")
            heard, rate = await phone.heard()
    finally:
        end_livekit(server)

    assert again > ALIKE
    assert alikeness(HUMS["server_gone"], heard, 8000, rate) > ALIKE
