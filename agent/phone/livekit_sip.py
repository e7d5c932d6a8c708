"""livekit-sip's set-up: the inbound trunk by which it takes calls, and the rule that sends each into a room with Viva.

Both are kept by livekit-server, under the name `viva`; setting them up again brings them up to date and adds nothing.

The rule has no PIN: livekit-sip would write what callers type into its log. Rooms are named after the number that was
called, not after the caller, since names of rooms are in logs and in the record; each call has a fresh one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import aiohttp
from livekit.api import LiveKitAPI, ServerError
from livekit.api.sip_service import SipService
from livekit.protocol.agent_dispatch import RoomAgentDispatch
from livekit.protocol.room import RoomConfiguration
from livekit.protocol.sip import (
    SIP_MEDIA_ENCRYPT_ALLOW,
    SIP_MEDIA_ENCRYPT_DISABLE,
    SIP_MEDIA_ENCRYPT_REQUIRE,
    CreateSIPDispatchRuleRequest,
    CreateSIPInboundTrunkRequest,
    ListSIPDispatchRuleRequest,
    ListSIPInboundTrunkRequest,
    SIPDispatchRule,
    SIPDispatchRuleCallee,
    SIPDispatchRuleInfo,
    SIPInboundTrunkInfo,
    SIPMediaConfig,
)

from agent.settings import Settings
from agent.worker.tokens import AGENT_NAME, CALL_METADATA, CALL_PREFIX

NAME = "viva"
"""Of the trunk and of the rule."""

Srtp = Literal["off", "allow", "require"]
_ENCRYPTION = {
    "off": SIP_MEDIA_ENCRYPT_DISABLE,
    "allow": SIP_MEDIA_ENCRYPT_ALLOW,
    "require": SIP_MEDIA_ENCRYPT_REQUIRE,
}
_SERVERS_OWN = ("sip_trunk_id", "sip_dispatch_rule_id", "created_at", "updated_at")

Done = Literal["made", "changed", "unchanged"]
_Info = TypeVar("_Info", SIPInboundTrunkInfo, SIPDispatchRuleInfo)


class SipSetupError(RuntimeError):
    """The set-up failed; the sentence says why and what to do."""


@dataclass(frozen=True, slots=True)
class TrunkWish:
    """Whose calls are taken. At least one of numbers, addresses and user has to be given."""

    numbers: Sequence[str] = ()
    """Numbers that are called, as the provider sends them; empty: all."""
    addresses: Sequence[str] = ()
    """Addresses and networks that calls may come from; empty: all."""
    user: str = ""
    password: str = ""
    srtp: Srtp = "allow"


@dataclass(frozen=True, slots=True)
class SipSetup:
    """What was set up."""

    trunk_id: str
    trunk: Done
    rule_id: str
    rule: Done


async def set_up(settings: Settings, wish: TrunkWish) -> SipSetup:
    """Make trunk and rule, or bring them up to date.

    Raises:
        SipSetupError: livekit-server does not answer, has no Redis, or refuses it.
    """
    if not (wish.numbers or wish.addresses or wish.user):
        raise SipSetupError(
            "Whose calls are to be taken? Give --number, --allow or --user, or anybody who finds the port could call."
        )
    try:
        async with LiveKitAPI(settings.livekit_http_url, settings.livekit_key, settings.livekit_secret) as livekit:
            return await brought_up_to_date(livekit.sip, wish)
    except aiohttp.ClientError:
        raise SipSetupError(
            f"livekit-server does not answer at {settings.livekit_http_url}. Start Viva first ('viva up')."
        ) from None
    except ServerError as error:
        raise SipSetupError(_sentence(error)) from error


async def brought_up_to_date(sip: SipService, wish: TrunkWish) -> SipSetup:
    """Trunk and rule as they are to be, made where there are none.

    Raises:
        ServerError: livekit-server refuses it.
    """
    trunk_id, trunk = await _trunk(sip, wanted_trunk(wish))
    rule_id, rule = await _rule(sip, wanted_rule(trunk_id))
    return SipSetup(trunk_id, trunk, rule_id, rule)


def wanted_trunk(wish: TrunkWish) -> SIPInboundTrunkInfo:
    """The trunk as it is to be."""
    return SIPInboundTrunkInfo(
        name=NAME,
        numbers=wish.numbers,
        allowed_addresses=wish.addresses,
        auth_username=wish.user,
        auth_password=wish.password,
        media=SIPMediaConfig(encryption=_ENCRYPTION[wish.srtp]),
    )


def wanted_rule(trunk_id: str) -> SIPDispatchRuleInfo:
    """The rule as it is to be, for the calls of a trunk."""
    callee = SIPDispatchRuleCallee(room_prefix=CALL_PREFIX, randomize=True)
    agent = RoomAgentDispatch(agent_name=AGENT_NAME, metadata=CALL_METADATA)
    return SIPDispatchRuleInfo(
        name=NAME,
        trunk_ids=[trunk_id],
        rule=SIPDispatchRule(dispatch_rule_callee=callee),
        room_config=RoomConfiguration(agents=[agent]),
    )


async def _trunk(sip: SipService, wanted: SIPInboundTrunkInfo) -> tuple[str, Done]:
    there = await sip.list_inbound_trunk(ListSIPInboundTrunkRequest())
    before = next((each for each in there.items if each.name == NAME), None)
    if before is None:
        made = await sip.create_inbound_trunk(CreateSIPInboundTrunkRequest(trunk=wanted))
        return made.sip_trunk_id, "made"
    if _as_wished(before) == _as_wished(wanted):
        return before.sip_trunk_id, "unchanged"
    await sip.update_inbound_trunk(before.sip_trunk_id, wanted)
    return before.sip_trunk_id, "changed"


async def _rule(sip: SipService, wanted: SIPDispatchRuleInfo) -> tuple[str, Done]:
    there = await sip.list_dispatch_rule(ListSIPDispatchRuleRequest())
    before = next((each for each in there.items if each.name == NAME), None)
    if before is None:
        made = await sip.create_dispatch_rule(CreateSIPDispatchRuleRequest(dispatch_rule=wanted))
        return made.sip_dispatch_rule_id, "made"
    if _as_wished(before) == _as_wished(wanted):
        return before.sip_dispatch_rule_id, "unchanged"
    await sip.update_dispatch_rule(before.sip_dispatch_rule_id, wanted)
    return before.sip_dispatch_rule_id, "changed"


def _as_wished(info: _Info) -> _Info:
    """What of it somebody has wished: without what the server adds."""
    plain = type(info)()
    plain.CopyFrom(info)
    for name in _SERVERS_OWN:
        if name in plain.DESCRIPTOR.fields_by_name:
            plain.ClearField(name)
    if plain.media == SIPMediaConfig():
        plain.ClearField("media")
    return plain


def _sentence(error: ServerError) -> str:
    if "redis required" in error.message:
        return (
            "livekit-server knows nothing of SIP, because it has no Redis: add it to livekit.yaml (docs/phone.md) and "
            "start Viva again."
        )
    return f"livekit-server refused it: {error.message}."
