"""Messages of SIP for tests, as telephones send them."""

from __future__ import annotations

OFFER = (
    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
    "m=audio 40000 RTP/AVP 0 8 9 96\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:8 PCMA/8000\r\na=rtpmap:9 G722/8000\r\n"
    "a=rtpmap:96 telephone-event/8000\r\na=fmtp:96 0-15\r\na=ptime:30\r\na=sendrecv\r\n"
)


def request(
    method: str,
    *,
    call_id: str = "c1",
    branch: str = "b1",
    cseq: int = 1,
    to_tag: str = "",
    headers: tuple[str, ...] = (),
    body: str = "",
    kind: str = "application/sdp",
) -> bytes:
    """A request from 127.0.0.1:5070."""
    tag = f";tag={to_tag}" if to_tag else ""
    lines = [
        f"{method} sip:viva@127.0.0.1 SIP/2.0",
        f"Via: SIP/2.0/UDP 127.0.0.1:5070;branch=z9hG4bK{branch};rport",
        "Max-Forwards: 70",
        "From: <sip:anna@127.0.0.1>;tag=f1",
        f"To: <sip:viva@127.0.0.1>{tag}",
        f"Call-ID: {call_id}",
        f"CSeq: {cseq} {method}",
        "Contact: <sip:anna@127.0.0.1:5070>",
        *headers,
        *([f"Content-Type: {kind}"] if body else []),
        f"Content-Length: {len(body)}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()
