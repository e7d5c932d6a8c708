"""Transactions of SIP over UDP (RFC 3261, section 17), which aiosipua leaves to others: whoever asks again gets the
same answer again, and what we ask is asked again until it is answered.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from aiosipua.message import SipMessage, SipRequest, SipResponse

Address = tuple[str, int]
Send = Callable[[bytes, Address], None]

T1_S, T2_S = 0.5, 4.0
"""First and longest pause between two sendings (RFC 3261, section 17.1.1.1)."""
TIMEOUT_S = 64 * T1_S
"""When it is given up: timers B, F and H."""
_MOST = 4096
"""Transactions that are remembered: the oldest is forgotten first, so that scanners fill no memory."""
_PROVISIONAL_UNTIL, _SUCCESS_FROM, _SUCCESS_UNTIL = 200, 200, 300


def transaction_key(message: SipMessage) -> Hashable:
    """What a message and its repetitions have in common (RFC 3261, section 17.2.3); an ACK has that of its INVITE.

    Raises:
        ValueError: it lacks a `Via` or a `CSeq`.
    """
    vias, cseq = message.via, message.cseq
    if not vias or cseq is None:
        raise ValueError("neither Via nor CSeq may be missing")
    method = "INVITE" if cseq.method == "ACK" else cseq.method
    branch = vias[0].branch or ""
    if branch.startswith("z9hG4bK"):
        return branch, vias[0].host.lower(), vias[0].port, method
    # As before RFC 3261: the branch says nothing.
    return branch, vias[0].host.lower(), message.call_id, cseq.seq, message.headers.get_first("from"), method


class Resending:
    """Sends a message again and again: each pause twice as long as the one before, up to `T2_S`."""

    def __init__(self, send: Callable[[], None], given_up: Callable[[], None], *, capped: bool = True) -> None:
        self._send = send
        self._given_up = given_up
        self._longest = T2_S if capped else TIMEOUT_S
        self._pause, self._waited = T1_S, 0.0
        self._timer: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(T1_S, self._again)

    def _again(self) -> None:
        self._waited += self._pause
        if self._waited >= TIMEOUT_S:
            self._timer = None
            self._given_up()
            return
        self._send()
        self._pause = min(2 * self._pause, self._longest, TIMEOUT_S - self._waited)
        self._timer = asyncio.get_running_loop().call_later(self._pause, self._again)

    def wait_long(self) -> None:
        """Somebody is at work on it: ask again at the longest pause only."""
        self._pause = T2_S

    def stop(self) -> None:
        """Do not send it any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


@dataclass(slots=True)
class _Served:
    """A request that came in, and what it was answered."""

    request: SipRequest
    source: Address
    began: float
    answer: bytes | None = None
    was_provisional: bool = False
    resending: Resending | None = None


class ServerTransactions:
    """Requests that came in. Bounded in number and time."""

    def __init__(self, send: Send, clock: Callable[[], float]) -> None:
        self._send = send
        self._clock = clock
        self._served: OrderedDict[Hashable, _Served] = OrderedDict()

    def __len__(self) -> int:
        return len(self._served)

    def is_new(self, key: Hashable, request: SipRequest, source: Address) -> bool:
        """Take a request; one that was there before is answered as before, and is not new."""
        self._forget_old()
        known = self._served.get(key)
        if known is None:
            self._served[key] = _Served(request, source, self._clock())
            return True
        if known.answer is not None:
            self._send(known.answer, self._way_back(known))
        return False

    def acknowledged(self, key: Hashable) -> None:
        """An ACK came: whatever refused the INVITE has arrived."""
        known = self._served.get(key)
        if known is not None and known.resending is not None:
            known.resending.stop()
            known.resending = None

    def request_of(self, key: Hashable) -> SipRequest | None:
        """The request that an answer is for."""
        known = self._served.get(key)
        return known.request if known else None

    def forget(self, key: Hashable) -> None:
        """Act as if a request had never come: its repetition is looked at anew."""
        self._drop(key)

    def answer(self, key: Hashable, response: SipResponse) -> bool:
        """Send an answer where the request came from; False if there is no such request."""
        known = self._served.get(key)
        if known is None:
            return False
        known.answer = bytes(response)
        self._send(known.answer, self._way_back(known))
        status = response.status_code
        if status < _PROVISIONAL_UNTIL:
            known.was_provisional = True
        elif status >= _SUCCESS_UNTIL and known.was_provisional and known.request.method == "INVITE":
            # Whoever got a provisional answer does not ask again: a refusal is repeated until its ACK (timer G).
            answer, back = known.answer, self._way_back(known)
            known.resending = Resending(lambda: self._send(answer, back), lambda: None)
        return True

    def close(self) -> None:
        """Stop every timer."""
        for key in list(self._served):
            self._drop(key)

    @staticmethod
    def _way_back(known: _Served) -> Address:
        """Where answers go: the address a request came from, whatever its `Via` claims (RFC 3581)."""
        via = known.request.via[0]
        return known.source if "rport" in via.params else (known.source[0], via.port or 5060)

    def _forget_old(self) -> None:
        while self._served:
            key, oldest = next(iter(self._served.items()))
            if len(self._served) < _MOST and self._clock() - oldest.began < 2 * TIMEOUT_S:
                return
            self._drop(key)

    def _drop(self, key: Hashable) -> None:
        known = self._served.pop(key, None)
        if known is not None and known.resending is not None:
            known.resending.stop()


@dataclass(slots=True)
class _Asked:
    """A request that we sent."""

    request: SipRequest
    to: Address
    resending: Resending
    over: bool = False


class ClientTransactions:
    """Requests that we sent."""

    def __init__(self, send: Send, unanswered: Callable[[SipRequest], None]) -> None:
        self._send = send
        self._unanswered = unanswered
        self._asked: OrderedDict[Hashable, _Asked] = OrderedDict()

    def __len__(self) -> int:
        return sum(not each.over for each in self._asked.values())

    def begin(self, key: Hashable, request: SipRequest, to: Address) -> None:
        """Repeat a request, which was sent just now, until it is answered or given up."""
        data = bytes(request)
        resending = Resending(
            lambda: self._send(data, to), lambda: self._give_up(key), capped=request.method != "INVITE"
        )
        self._asked[key] = _Asked(request, to, resending)
        while len(self._asked) > _MOST:
            self._asked.popitem(last=False)[1].resending.stop()

    def answered(self, key: Hashable, response: SipResponse) -> SipRequest | None:
        """Take an answer: the request that it is for, or None for one that nobody asked for."""
        asked = self._asked.get(key)
        if asked is None:
            return None
        status, is_invite = response.status_code, asked.request.method == "INVITE"
        if status < _PROVISIONAL_UNTIL:
            asked.resending.stop() if is_invite else asked.resending.wait_long()
            return asked.request
        asked.resending.stop()
        if is_invite and status >= _SUCCESS_UNTIL:
            self._send(bytes(refusal_ack(asked.request, response)), asked.to)
        if not asked.over:
            asked.over = True
            asyncio.get_running_loop().call_later(TIMEOUT_S, self._asked.pop, key, None)
        return asked.request

    def sent_to(self, request: SipRequest) -> Address | None:
        """Where a request was sent."""
        asked = self._asked.get(transaction_key(request))
        return asked.to if asked else None

    def close(self) -> None:
        """Stop every timer."""
        for asked in self._asked.values():
            asked.resending.stop()
        self._asked.clear()

    def _give_up(self, key: Hashable) -> None:
        asked = self._asked.pop(key, None)
        if asked is not None:
            self._unanswered(asked.request)


def refusal_ack(invite: SipRequest, response: SipResponse) -> SipRequest:
    """The ACK to an answer that is no success; it belongs to the INVITE's own transaction (RFC 3261, 17.1.1.3)."""
    ack = SipRequest(method="ACK", uri=invite.uri)
    ack.headers.append("Via", invite.headers.get("via")[0])
    for name in ("From", "Call-ID"):
        ack.headers.set_single(name, invite.headers.get(name)[0])
    ack.headers.set_single("To", response.headers.get_first("to") or invite.headers.get("to")[0])
    cseq = invite.cseq
    ack.headers.set_single("CSeq", f"{cseq.seq if cseq else 1} ACK")
    ack.headers.set_single("Max-Forwards", "70")
    for route in invite.headers.get("route"):
        ack.headers.append("Route", route)
    return ack
