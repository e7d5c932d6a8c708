"""User agent: what the line answers to requests of SIP, as a stricter subclass of aiosipua's.

aiosipua takes a request of a dialog that it does not know for a new call, ignores `Require`, has the route set of a
called phone in the wrong order, and keeps calls that were refused; it does not know INFO. That is made right here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from aiosipua.dialog import Dialog, DialogState
from aiosipua.header_codec import stringify_uri
from aiosipua.headers import Address as SipAddress
from aiosipua.incoming_call import IncomingCall
from aiosipua.message import SipRequest, SipResponse
from aiosipua.outgoing_call import OutgoingCall
from aiosipua.sdp import SdpMessage
from aiosipua.uac import SipUAC
from aiosipua.uac_responses import _send_ack
from aiosipua.uas import SipUAS

from agent.phone.line.transactions import Address
from agent.phone.line.transport import GuardedTransport

SESSION_S = 1800
"""After so long without a word from the other end's telephone a call is over (RFC 4028)."""
_RELAY_DIGIT = re.compile(r"(?im)^[ \t]{0,8}signal[ \t]{0,8}=[ \t]{0,8}([0-9*#A-D])")
_PLAIN_DIGIT = re.compile(r"\s{0,8}([0-9*#A-D])")
_GONE = frozenset({408, 481})
_SUCCESS = range(200, 300)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a call is not taken, as SIP says it."""

    status: int
    reason: str
    headers: Mapping[str, str] = field(default_factory=dict)


def info_digit(content_type: str, text: str) -> str | None:
    """The key in the body of a SIP INFO, in both of its customary forms; None for a body that tells of none."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "application/dtmf-relay":
        found = _RELAY_DIGIT.search(text[:512])
    elif kind == "application/dtmf":
        found = _PLAIN_DIGIT.match(text[:16])
    else:
        return None
    return found[1].upper() if found else None


class UserAgent(SipUAS):
    """Takes calls, and keeps the dialogs of those that are made."""

    transport: GuardedTransport
    uac: SipUAC

    def __init__(self, transport: GuardedTransport, advertised: Address, user_agent: str) -> None:
        super().__init__(
            transport,
            user_agent=user_agent,
            uac=SipUAC(transport, advertised_addr=advertised),
            advertised_addr=advertised,
            session_expires=SESSION_S,
        )
        for method in ("PRACK", "REFER", "NOTIFY"):
            self._handlers.pop(method)
        self._handlers["INFO"] = self._handle_info
        self.on_invite = self._ring
        self.on_update = self._updated
        transport.on_answer = self._answered
        self.screen: Callable[[SipRequest, Address], Refusal | None] = lambda _request, _address: None
        """Asked about each new call before anything is kept of it."""
        self.on_call: Callable[[IncomingCall], None] = lambda call: call.reject(480)
        self.on_offer: Callable[[str, str], SdpMessage | None] = lambda _call_id, _text: None
        """Gets the id of a call and the new offer in it; gives the answer, or None for one that cannot be accepted."""
        self.on_key: Callable[[str, str], None] = lambda _call_id, _digit: None
        self.on_lost: Callable[[str], None] = lambda _call_id: None
        """Told that the other end does not know a call any more."""
        self.on_reinvite = self._reinvited

    def forget(self, call: IncomingCall) -> None:
        """Keep nothing of a call that was refused or is over; aiosipua waits for an ACK that may never come."""
        self._calls.pop(call.call_id, None)
        call._stop_retransmissions()  # noqa: SLF001 (there is no public way)
        self._remove_invite_transaction(call.invite)

    def refuse(self, call: IncomingCall, status: int) -> None:
        """Refuse a call and forget it."""
        if call.dialog.state == DialogState.EARLY:
            call.reject(status)
        self.forget(call)

    def _handle_invite(self, request: SipRequest, addr: Address) -> None:
        call_id = request.call_id or ""
        known = self._calls.get(call_id)
        made = self.uac.get_call(call_id)
        dialog = known.dialog if known else made.dialog if made else None
        if dialog is None:
            to = request.to_addr
            if to is not None and to.tag:
                self._send_error(request, 481, "Call/Transaction Does Not Exist")
            elif refusal := self.screen(request, addr):
                self._send_error(request, refusal.status, refusal.reason, extra_headers=dict(refusal.headers))
            else:
                super()._handle_invite(request, addr)
        elif dialog.state != DialogState.CONFIRMED:
            # The same call by another way, or a second call under its name (RFC 3261, section 8.2.2.2).
            self._send_error(request, 482, "Loop Detected")
        else:
            super()._handle_invite(request, addr)
            self._follow(dialog, request.contact)

    def _ring(self, call: IncomingCall) -> None:
        # aiosipua reverses it; it is the caller's end that has it reversed (RFC 3261, section 12.1.1).
        call.dialog.route_set = list(call.invite.headers.get("record-route"))
        self.on_call(call)

    def _reinvited(self, call: IncomingCall) -> None:
        if not call.invite.body:
            call.accept(call.sdp_answer)  # an empty one asks for our offer, which is what holds now
            return
        answer = self.on_offer(call.call_id, call.invite.text)
        if answer is None:
            # The call goes on as it was: not `reject`, which ends its dialog.
            self._send_error(call.invite, 488, "Not Acceptable Here")
        else:
            call.accept(answer)

    def _updated(self, call: IncomingCall, request: SipRequest) -> SdpMessage | None:
        return self.on_offer(call.call_id, request.text) if request.body else None

    def _handle_info(self, request: SipRequest, _addr: Address) -> None:
        _, dialog = self._find_dialog(request.call_id or "")
        if dialog is None:
            self._send_error(request, 481, "Call/Transaction Does Not Exist")
            return
        if not self._validate_in_dialog(dialog, request):
            return
        self.transport.send_reply(dialog.create_response(request, 200, "OK"))
        if digit := info_digit(request.content_type or "", request.text):
            self.on_key(dialog.call_id, digit)

    def _on_message(self, msg: SipRequest | SipResponse, addr: Address) -> None:
        if isinstance(msg, SipResponse) and msg.status_code in _SUCCESS:
            self._complete_dialog(msg)
        super()._on_message(msg, addr)

    def _complete_dialog(self, response: SipResponse) -> None:
        """What aiosipua leaves out of the dialog of a call that we made: where the other end is, and by which way."""
        cseq, made = response.cseq, self.uac.get_call(response.call_id or "")
        if made is None or cseq is None or cseq.method != "INVITE":
            return
        if made.dialog.state == DialogState.EARLY:
            to = response.to_addr
            made.dialog.remote_tag = (to.tag if to else None) or made.dialog.remote_tag
            made.dialog.route_set = list(reversed(response.headers.get("record-route")))
        self._follow(made.dialog, response.contact)

    @staticmethod
    def _follow(dialog: Dialog, contact: list[SipAddress]) -> None:
        if contact:
            dialog.remote_target = stringify_uri(contact[0].uri)

    def _answered(self, request: SipRequest, response: SipResponse) -> None:
        call_id = request.call_id or ""
        is_unknown = self.uac.get_call(call_id) is None
        if request.method == "INVITE" and response.status_code in _SUCCESS and is_unknown:
            self._decline_late_answer(request, response)
        elif request.method == "UPDATE" and response.status_code in _GONE:
            self.on_lost(call_id)

    def _decline_late_answer(self, request: SipRequest, response: SipResponse) -> None:
        """Somebody picked up while our CANCEL was on its way: the call has to be taken and ended."""
        sender, to, cseq = request.from_addr, response.to_addr, request.cseq
        if sender is None or to is None or cseq is None:
            return
        dialog = Dialog(
            call_id=request.call_id or "",
            local_tag=sender.tag or "", remote_tag=to.tag or "",
            local_uri=stringify_uri(sender.uri), remote_uri=stringify_uri(to.uri), remote_target=request.uri,
            route_set=list(reversed(response.headers.get("record-route"))),
            local_cseq=cseq.seq, state=DialogState.CONFIRMED,
        )  # fmt: skip
        self._follow(dialog, response.contact)
        sent_to = self.transport.client.sent_to(request)
        if sent_to is not None:
            _send_ack(self.uac, OutgoingCall(dialog=dialog, invite=request, remote_addr=sent_to), response)
            self.uac.send_bye(dialog, sent_to)
