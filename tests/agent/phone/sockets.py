"""A line without a network: what it sends is noted, what it gets is put in by the test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiosipua.message import SipMessage, SipRequest, SipResponse

from agent.phone.line.caller import Caller
from agent.phone.line.line import Line
from agent.phone.line.silent_room import SilentRoom
from agent.settings import Settings
from tests.agent.phone.lines import line_options, running_line

PHONE = ("127.0.0.1", 5070)


class NotedTransport(asyncio.DatagramTransport):
    """Sends nothing, and remembers it."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[tuple[bytes, tuple[str, int]]] = []

    def sendto(self, data: Any, addr: Any = None) -> None:
        self.sent.append((bytes(data), addr))

    def close(self) -> None:
        pass


class QuietRoom(SilentRoom):
    """A room that can be entered, and where an interviewer is; notes keys and sound."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.heard = bytearray()
        self.state = "outside"
        self.has_interviewer = True

    async def join(self) -> None:
        self.state = "inside"

    async def leave(self) -> None:
        self.state = "closed"

    def put(self, pcm: bytes) -> None:
        self.heard += pcm

    def press(self, digit: str) -> None:
        self.keys.append(digit)


class Desk:
    """A line, and the test in the place of all telephones."""

    def __init__(self, line: Line, noted: NotedTransport, rooms: list[QuietRoom]) -> None:
        self.line = line
        self.rooms = rooms
        self._noted = noted
        self._seen = 0

    def put(self, data: bytes, source: tuple[str, int] = PHONE) -> list[SipRequest | SipResponse]:
        """Let a datagram arrive; what is sent at once."""
        self.line.transport._dispatch(data, source)
        return self.sent()

    def sent(self) -> list[SipRequest | SipResponse]:
        """What was sent since it was asked last."""
        new = self._noted.sent[self._seen :]
        self._seen = len(self._noted.sent)
        return [SipMessage.parse(data) for data, _ in new]

    async def answered(self, status: int) -> SipResponse:
        """The next answer with a status."""
        while True:
            for message in self.sent():
                if isinstance(message, SipResponse) and message.status_code == status:
                    return message
            await asyncio.sleep(0.01)


@asynccontextmanager
async def desk(**options: Any) -> AsyncIterator[Desk]:
    """A line that nobody but the test reaches."""
    rooms: list[QuietRoom] = []

    def make_room(_caller: Caller, _rate_hz: int) -> QuietRoom:
        rooms.append(QuietRoom())
        return rooms[-1]

    async with running_line(Settings(), line_options(**options), make_room) as line:
        real = line.transport._udp_transport
        noted = NotedTransport()
        line.transport._udp_transport = noted
        try:
            yield Desk(line, noted, rooms)
        finally:
            line.transport._udp_transport = real
