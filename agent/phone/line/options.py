"""Options of the line: what the settings that begin with `phone` come to."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field

from agent.phone.line.setting_values import (
    Account,
    CodecName,
    parse_accounts,
    parse_codecs,
    parse_networks,
    parse_ports,
    parse_users,
)
from agent.phone.line.transactions import Address
from agent.phone.line.watch import Limits
from agent.settings import Settings


@dataclass(frozen=True, slots=True)
class LineOptions:
    """How the line is run."""

    bind: Address
    """IPv4 address and UDP port of SIP; RTP is at the same address."""
    advertised: Address
    """Where telephones are told to send to."""
    ports: range
    """Even ports of RTP."""
    codecs: tuple[CodecName, ...]
    """Most wanted first."""
    networks: tuple[ipaddress.IPv4Network, ...]
    """Who may call; empty: anybody who can reach the port."""
    users: Mapping[str, str] = field(repr=False)
    """Passwords of those who may call, by name; empty: none is asked for."""
    accounts: tuple[Account, ...]
    comfort_noise: bool
    """Put a very low noise under what telephones get to hear."""
    calls_at_once: int
    invites_per_s: float
    limits: Limits

    @classmethod
    def of(cls, settings: Settings) -> LineOptions:
        """What these settings come to; they were checked when they were read."""
        return cls(
            bind=(settings.phone_bind_host, settings.phone_port),
            advertised=(settings.phone_told_host, settings.phone_port),
            ports=parse_ports(settings.phone_rtp_ports),
            codecs=parse_codecs(settings.phone_codecs),
            networks=parse_networks(settings.phone_allowed),
            users=parse_users(settings.phone_users),
            accounts=parse_accounts(settings.phone_accounts),
            comfort_noise=settings.phone_comfort_noise,
            calls_at_once=settings.phone_calls_at_once,
            invites_per_s=settings.phone_invites_per_s,
            limits=Limits(
                interviewer_s=settings.phone_interviewer_timeout_s, silence_s=settings.phone_silence_timeout_s
            ),
        )
