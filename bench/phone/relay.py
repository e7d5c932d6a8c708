"""Relay between telephones and the line, which loses and delays packets as a bad network does, and notes all of them.

Telephones call it at an address of its own (127.0.0.2), which the line tells as its own (`phone_advertised`). SIP
passes as it is, sound is lost and delayed in both directions. Nobody has to be root for it.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

HOST = "127.0.0.2"
Address = tuple[str, int]


class RelayError(RuntimeError):
    """There can be no relay; the message says why."""


@dataclass(frozen=True, slots=True)
class Network:
    """How bad it is, in each direction."""

    loss: float = 0.0
    """Share of the packets that are lost, 0 to 1."""
    jitter_s: float = 0.0
    """Each packet is delayed by up to so much, all delays alike probable."""

    def delay_s(self, rng: random.Random) -> float | None:
        """How long the next packet is on its way; None for one that is lost."""
        lost, delay_s = rng.random() < self.loss, rng.uniform(0, self.jitter_s)
        return None if lost else delay_s


@dataclass(frozen=True, slots=True)
class Passed:
    """A packet of sound; times in seconds since the epoch."""

    port: int
    """The line's, which is one call's."""
    is_of_phone: bool
    """Whether the telephone sent it."""
    came_at: float
    left_at: float | None
    """When it was passed on; None if it was lost."""
    data: bytes


@dataclass(slots=True)
class Relay:
    """What passes, and how."""

    network: Network
    """May be changed at any time."""
    line_host: str
    rng: random.Random
    passed: list[Passed] = field(default_factory=list)
    """Of sound; RTCP and SIP are not noted."""
    _sound: frozenset[int] = frozenset()
    _ends: list[asyncio.DatagramTransport] = field(default_factory=list)
    _outer: dict[int, asyncio.DatagramTransport] = field(default_factory=dict)
    _inner: dict[tuple[int, Address], asyncio.Future[asyncio.DatagramTransport]] = field(default_factory=dict)

    async def open(self, sip_port: int, rtp_ports: range) -> None:
        """Listen at the line's ports. Raises `OSError` where one is taken."""
        for port in [sip_port, *rtp_ports, *(port + 1 for port in rtp_ports)]:
            self._outer[port] = await self._bind(port, lambda data, source, port=port: self._up(port, data, source))
        self._sound = frozenset(rtp_ports)

    def close(self) -> None:
        """Close all sockets."""
        for end in self._ends:
            end.close()

    def _up(self, port: int, data: bytes, source: Address) -> None:
        """From a telephone to the line."""
        key = port, source
        if key not in self._inner:
            opening = self._bind(0, lambda answer, _line: self._down(port, answer, source))
            self._inner[key] = asyncio.ensure_future(opening)
        inner = self._inner[key]
        self._pass(
            port, data, of_phone=True,
            send=lambda: inner.add_done_callback(lambda end: end.result().sendto(data, (self.line_host, port))),
        )  # fmt: skip

    def _down(self, port: int, data: bytes, telephone: Address) -> None:
        """From the line to a telephone."""
        self._pass(port, data, of_phone=False, send=lambda: self._outer[port].sendto(data, telephone))

    def _pass(self, port: int, data: bytes, *, of_phone: bool, send: Callable[[], object]) -> None:
        if port not in self._sound:
            send()
            return
        now, delay_s = time.time(), self.network.delay_s(self.rng)
        if delay_s is None:
            self.passed.append(Passed(port, of_phone, now, None, data))
            return

        def leave() -> None:
            self.passed.append(Passed(port, of_phone, now, time.time(), data))
            send()

        if delay_s:
            asyncio.get_running_loop().call_later(delay_s, leave)
        else:
            leave()

    async def _bind(self, port: int, received: Callable[[bytes, Address], None]) -> asyncio.DatagramTransport:
        loop = asyncio.get_running_loop()
        end, _ = await loop.create_datagram_endpoint(lambda: _End(received), local_addr=(HOST, port))
        self._ends.append(end)
        return end


class _End(asyncio.DatagramProtocol):
    def __init__(self, received: Callable[[bytes, Address], None]) -> None:
        self._received = received

    def datagram_received(self, data: bytes, addr: tuple[str | Any, int]) -> None:
        self._received(data, (str(addr[0]), int(addr[1])))

    def error_received(self, exc: Exception) -> None:
        """A telephone that has hung up."""


@asynccontextmanager
async def relaying(
    network: Network, *, sip_port: int, rtp_ports: range, line_host: str = "127.0.0.1", seed: int = 0
) -> AsyncIterator[Relay]:
    """A relay in front of a line.

    Args:
        network: what it is like.
        sip_port: the line's.
        rtp_ports: the line's, even ones.
        line_host: where the line listens.
        seed: of what is lost and how long each packet takes.

    Raises:
        RelayError: a port is taken at the relay's address.
    """
    relay = Relay(network, line_host, random.Random(seed))
    try:
        try:
            await relay.open(sip_port, rtp_ports)
        except OSError as error:
            raise RelayError(f"The relay cannot listen at {HOST} ({error.strerror}): run it again, on Linux") from None
        yield relay
    finally:
        relay.close()
