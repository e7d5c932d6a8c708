"""Transport: one UDP socket of SIP, which lets through what is SIP and answers in transactions.

aiosipua parses and builds messages; this guards it. Junk ends here (scanners, keep-alives, what breaks a parser),
repetitions are answered from memory (`agent/phone/line/transactions.py`), requests of ours are repeated, and answers go
back where their request came from, with the headers that proxies need.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable
from typing import Any

from aiosipua.message import SipMessage, SipRequest, SipResponse
from aiosipua.transport import UdpSipTransport, _stamp_via_received

from agent.phone.line.transactions import Address, ClientTransactions, ServerTransactions, transaction_key

_log = logging.getLogger(__name__)

METHODS = ("INVITE", "ACK", "CANCEL", "BYE", "OPTIONS", "INFO", "UPDATE")
"""What the line can do; everything else is told so by 405."""
ALLOW = ", ".join(METHODS)
_SHORTEST, _LONGEST = 16, 16384
"""Bytes of a datagram that is looked at."""
_START = re.compile(rb"(?:[A-Z]{1,32} \S{1,1024} SIP/2\.0|SIP/2\.0 [1-6]\d\d [^\r\n]{0,256})\r?\n")
_TRYING = 100
_TIMEOUT = 408
_TOLD_FAULTS = 20
"""So many faults of ours are logged with their cause; whoever provokes them fills no disk."""


def parse_datagram(data: bytes) -> SipRequest | SipResponse | None:
    """The message in a datagram; None for whatever the rest of the line should not have to deal with."""
    if not _SHORTEST <= len(data) <= _LONGEST or not _START.match(data):
        return None
    try:
        message = SipMessage.parse(data)
        # These are parsed lazily, and would raise wherever they are read first.
        parts = (message.via, message.from_addr, message.to_addr, message.cseq, message.contact, message.call_id)
    except Exception as error:  # noqa: BLE001 (a parser of somebody else's, on bytes of anybody: it may raise anything)
        _log.debug("a datagram cannot be read: %s", type(error).__name__)  # its words are of whoever sent it
        return None
    cseq = message.cseq
    if not all(parts[:4]) or not message.call_id or cseq is None:
        return None
    if isinstance(message, SipRequest) and cseq.method != message.method:
        return None
    return message


class _Datagrams(asyncio.DatagramProtocol):
    """Hands over what arrives. The library's own protocol asserts a class that Python 3.11's transports have not."""

    def __init__(self, received: Callable[[bytes, Address], None]) -> None:
        self._received = received

    def datagram_received(self, data: bytes, addr: tuple[str | Any, int]) -> None:
        self._received(data, (str(addr[0]), int(addr[1])))

    def error_received(self, exc: Exception) -> None:
        """Whom we sent to is not there; the transactions notice that nobody answers."""


class GuardedTransport(UdpSipTransport):
    """UDP socket of the line."""

    def __init__(self, address: Address, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(local_addr=address)
        self.junk = 0
        """Datagrams that were no SIP."""
        self.faults = 0
        """Messages on which something here raised."""
        self.on_answer: Callable[[SipRequest, SipResponse], None] = lambda _request, _response: None
        """Told of every final answer to a request of ours; a request nobody answers gets a 408 of our own."""
        self.admits: Callable[[SipRequest, Address], bool] = lambda _request, _address: True
        """Asked about each new request; one that is not admitted was never here, and is asked about again."""
        self.server = ServerTransactions(self._write, clock)
        self.client = ClientTransactions(self._write, self._unanswered)

    async def start(self) -> None:
        """Bind the socket. Raises `OSError` if the port is taken or the address is not of this machine."""
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_datagram_endpoint(
            lambda: _Datagrams(self._dispatch), local_addr=self.local_addr
        )
        self._udp_transport = transport

    async def stop(self) -> None:
        """Close the socket and stop all timers."""
        self.server.close()
        self.client.close()
        await super().stop()

    def _dispatch(self, data: bytes, addr: Address) -> None:
        message = parse_datagram(data)
        if message is None:
            self.junk += 1
            return
        try:
            self._take(message, addr)
        except Exception as error:  # noqa: BLE001 (the edge to the network: nobody's message may end the line)
            self.faults += 1
            if self.faults <= _TOLD_FAULTS:
                _log.warning("a message from %s could not be handled: %r", addr[0], error, exc_info=True)

    def _take(self, message: SipRequest | SipResponse, addr: Address) -> None:
        key = transaction_key(message)
        if isinstance(message, SipResponse):
            request = self.client.answered(key, message)
            if request is None:
                return
            if message.status_code >= 200:  # noqa: PLR2004 (final answers begin there)
                self.on_answer(request, message)
        elif message.method == "ACK":
            self.server.acknowledged(key)
        else:
            if not self.server.is_new(key, message, addr):
                return
            if not self.admits(message, addr):
                self.server.forget(key)
                return
            _stamp_via_received(message, addr)
        if self.on_message is not None:
            self.on_message(message, addr)

    def send_reply(self, response: SipResponse) -> None:
        """Answer a request; one that is not there any more is not answered."""
        key = transaction_key(response)
        request = self.server.request_of(key)
        if request is None:
            return
        if response.status_code > _TRYING:
            if not response.headers.get("record-route"):
                for route in request.headers.get("record-route"):
                    response.headers.append("Record-Route", route)
            response.headers.set_single("Allow", ALLOW)
        self.server.answer(key, response)

    def send(self, message: SipRequest | SipResponse, addr: Address) -> None:
        """Send a request, and again until it is answered; an answer goes where its request came from."""
        if isinstance(message, SipResponse):
            self.send_reply(message)
            return
        if message.method in {"INVITE", "BYE", "UPDATE"}:
            message.headers.set_single("Allow", ALLOW)
        if message.method == "INVITE":
            # aiosipua promises to acknowledge provisional answers (RFC 3262), by a way that proxies do not let through.
            message.headers.set_single("Supported", "timer")
        self._write(bytes(message), addr)
        if message.method != "ACK":
            self.client.begin(transaction_key(message), message, addr)

    def _write(self, data: bytes, addr: Address) -> None:
        if self._udp_transport is not None:
            self._udp_transport.sendto(data, addr)

    def _unanswered(self, request: SipRequest) -> None:
        response = SipResponse(status_code=_TIMEOUT, reason_phrase="Request Timeout")
        for name in ("Via", "From", "To", "Call-ID", "CSeq"):
            for value in request.headers.get(name):
                response.headers.append(name, value)
        self.on_answer(request, response)
        if self.on_message is not None:
            self.on_message(response, ("", 0))
