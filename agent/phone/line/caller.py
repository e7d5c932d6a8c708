"""Caller: who calls, as a participant like those that livekit-sip makes, so that the worker need not know by which line
somebody calls.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import timedelta

from livekit.api import AccessToken, VideoGrants

from agent.phone.call import ADDRESS, CODEC, NUMBER
from agent.settings import Settings
from agent.worker.tokens import CALL_PREFIX

_IDENTITY_PREFIX = "sip_"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, as the room is told."""

    call_id: str
    """Call-ID of SIP."""
    number: str
    """What the caller's telephone says it is. Nobody vouches for it."""
    dialled: str
    codec: str
    address: str = ""
    """That the call came from, by which wrong PINs are counted; empty of a call of our own."""
    booking: str | None = None
    """Of a call that was booked: its id, which the interviewer gets."""
    room: str = field(default_factory=lambda: CALL_PREFIX + secrets.token_hex(8))
    """A name of its own: a room that is closing would throw out whoever comes."""
    identity: str = field(default_factory=lambda: _IDENTITY_PREFIX + secrets.token_hex(8))
    """Two participants of the same identity would wait for ever."""

    def attributes(self) -> dict[str, str]:
        """As livekit-sip sets them, and the codec."""
        return {
            "sip.callID": "SCL_" + self.identity.removeprefix(_IDENTITY_PREFIX)[:12],
            "sip.callIDFull": self.call_id,
            NUMBER: self.number,
            "sip.trunkPhoneNumber": self.dialled,
            "sip.callStatus": "active",
            CODEC: self.codec,
            ADDRESS: self.address,
        }

    def token(self, settings: Settings) -> str:
        """Lets the call into its room."""
        grants = VideoGrants(
            room_join=True, room=self.room, can_publish=True, can_subscribe=True, can_update_own_metadata=True
        )
        return (
            AccessToken(settings.livekit_key, settings.livekit_secret)
            .with_identity(self.identity)
            .with_name("Phone")
            .with_kind("sip")
            .with_ttl(timedelta(hours=4))
            .with_grants(grants)
            .with_attributes(self.attributes())
            .to_jwt()
        )
