"""Offer and answer: what two telephones agree on about sound, in SDP (RFC 3264). Pure functions.

Only what the line can do is agreed on: plain RTP with PCMU, PCMA or G.722, at an IPv4 address, 20 ms a packet.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass

from aiosipua.sdp import MediaDescription, SdpMessage, SdpNegotiationError, build_sdp, negotiate_sdp, parse_sdp

from agent.phone.line.codecs import PAYLOAD_TYPES
from agent.phone.line.setting_values import CodecName
from agent.phone.line.transactions import Address

_KEYS = "telephone-event"
_KEYS_TYPE = 101
"""Payload type of keys that we offer; where others offer, theirs is taken."""
_PLAIN = frozenset({"RTP/AVP", "RTP/AVPF"})
_CLOCK_HZ = 8000
_LARGEST_PORT = 65535
_LARGEST_TYPE = 127


class OfferError(ValueError):
    """Sound that the line cannot agree on; the message says why."""


@dataclass(frozen=True, slots=True)
class SoundAgreement:
    """What was agreed on."""

    codec: CodecName
    keys_type: int | None
    """Payload type of keys (RFC 4733); None if the other end sends none."""
    remote: Address
    """Where the other end says it receives; 0.0.0.0 when on hold."""
    is_sending: bool
    """Whether the other end sends what its user says. Music on hold is no such thing."""
    is_listening: bool
    """Whether the other end wants to hear us."""

    @property
    def is_on_hold(self) -> bool:
        """Whether the other end has put us on hold: nothing that comes now is meant for us."""
        return not self.is_sending and not self.is_listening


def read_offer(text: str, codecs: Sequence[CodecName]) -> SoundAgreement:
    """What can be agreed on about an offer or an answer.

    Args:
        text: the SDP.
        codecs: what may be spoken, the most wanted first.

    Raises:
        OfferError: nothing.
    """
    try:
        offer = parse_sdp(text)
        remote = offer.rtp_address
    except (ValueError, IndexError, TypeError) as error:
        raise OfferError(f"it is no SDP ({error})") from None
    audio = offer.audio
    if audio is None or remote is None or not 0 < audio.port <= _LARGEST_PORT:
        raise OfferError("it offers no sound")
    if audio.proto.upper() not in _PLAIN:
        raise OfferError(f"it wants {audio.proto[:32]}, and this line speaks plain RTP only")
    try:
        address = ipaddress.IPv4Address(remote[0])
    except ValueError:
        raise OfferError("its sound is at no IPv4 address") from None
    codec = _codec(audio, codecs)
    nowhere, way = address.is_unspecified, audio.direction if audio.direction != "sendrecv" else _session_way(offer)
    # Who sends and does not listen has put us on hold, and may send music (RFC 3264, section 8.4).
    return SoundAgreement(
        codec=codec,
        keys_type=_keys_type(audio),
        remote=(str(address), remote[1]),
        is_sending=way == "sendrecv" and not nowhere,
        is_listening=way in {"sendrecv", "recvonly"} and not nowhere,
    )


def read_answer(text: str, codecs: Sequence[CodecName]) -> SoundAgreement:
    """What the other end made of our offer: of several codecs it speaks the first that it names.

    Raises:
        OfferError: nothing that can be spoken.
    """
    try:
        audio = parse_sdp(text).audio
    except (ValueError, IndexError, TypeError) as error:
        raise OfferError(f"it is no SDP ({error})") from None
    named = [codec.payload_type for codec in audio.codecs] if audio is not None else []
    ours = {PAYLOAD_TYPES[codec]: codec for codec in codecs}
    return read_offer(text, [ours[number] for number in named if number in ours] or list(codecs))


def answer_to(text: str, agreement: SoundAgreement, host: str, port: int, version: int) -> SdpMessage:
    """The answer to an offer that was read before.

    Args:
        text: the offer.
        agreement: what `read_offer` made of it.
        host: IPv4 address that sound is to be sent to.
        port: … and its UDP port.
        version: rises with each answer of a call.

    Raises:
        OfferError: the offer cannot be answered.
    """
    try:
        answer, _ = negotiate_sdp(
            parse_sdp(text), host, port,
            supported_codecs=[PAYLOAD_TYPES[agreement.codec]],
            dtmf_payload_type=agreement.keys_type or 0,
            session_id=str(port),
        )  # fmt: skip
    except (SdpNegotiationError, ValueError, IndexError) as error:
        raise OfferError(str(error)) from None
    for media in answer.media:
        if media.port:
            media.attributes["ptime"] = ["20"]
    answer.origin.session_version = str(version)
    return answer


def own_offer(codecs: Sequence[CodecName], host: str, port: int, version: int) -> SdpMessage:
    """What we offer when we call, the most wanted codec first."""
    offer = build_sdp(
        host, port, PAYLOAD_TYPES[codecs[0]], codecs[0], dtmf_payload_type=_KEYS_TYPE, session_id=str(port)
    )
    audio = offer.media[0]
    audio.formats = [*(str(PAYLOAD_TYPES[codec]) for codec in codecs), str(_KEYS_TYPE)]
    audio.attributes["rtpmap"] = [
        *(f"{PAYLOAD_TYPES[codec]} {codec}/{_CLOCK_HZ}" for codec in codecs),
        f"{_KEYS_TYPE} {_KEYS}/{_CLOCK_HZ}",
    ]
    offer.origin.session_version = str(version)
    return offer


def _codec(audio: MediaDescription, codecs: Sequence[CodecName]) -> CodecName:
    offered = {codec.payload_type for codec in audio.codecs}
    for codec in codecs:
        if PAYLOAD_TYPES[codec] in offered:
            return codec
    raise OfferError(f"it offers none of {', '.join(codecs)}")


def _keys_type(audio: MediaDescription) -> int | None:
    return next(
        (
            codec.payload_type
            for codec in audio.codecs
            if codec.encoding_name.lower() == _KEYS and codec.clock_rate == _CLOCK_HZ
            and codec.payload_type <= _LARGEST_TYPE
        ),
        None,
    )  # fmt: skip


def _session_way(offer: SdpMessage) -> str:
    """The direction of the whole session, which holds where the sound itself has none (RFC 8866, section 6.7)."""
    return next((way for way in ("sendonly", "recvonly", "inactive") if way in offer.attributes), "sendrecv")
