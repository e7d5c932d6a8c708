"""Phone: the telephone line, who may call, and how their interviews are held."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from typing import Annotated, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from agent.phone.line.setting_values import (
    parse_accounts,
    parse_codecs,
    parse_networks,
    parse_ports,
    parse_users,
)
from agent.settings.part import Port, Seconds, SettingsPart

_LISTS: dict[str, Callable[[str], object]] = {
    "phone_rtp_ports": parse_ports,
    "phone_codecs": parse_codecs,
    "phone_allowed": parse_networks,
    "phone_users": parse_users,
    "phone_accounts": parse_accounts,
}
"""Who reads the settings that hold several values."""


class Phone(SettingsPart):
    """Calls and callers."""

    phone_practice_minutes: Annotated[int, Field(ge=0, le=60)] = 0
    """Minutes of the practice interview that whoever calls without a PIN may have; 0: without a PIN there is none."""
    phone_call_again_s: Seconds = 900
    """Seconds for which an interview waits when its call was lost: who calls again by then goes on where it was."""
    phone_number: Annotated[str, Field(max_length=80)] = ""
    """Number or address at which callers reach Viva, as the start page tells it."""
    phone_pin_digits: Annotated[int, Field(ge=4, le=12)] = 6
    """Digits of a new PIN; take 8 or more where strangers can call."""
    phone: bool = False
    """A telephone line of Viva's own is there to be called (SIP over UDP)."""
    phone_host: str = ""
    """IPv4 address that telephones reach the line at; 0.0.0.0 for all of this machine's; empty: the setting host."""
    phone_port: Port = 5060
    """UDP port of SIP."""
    phone_rtp_ports: str = "21000-21199"
    """UDP ports for sound on the phone, two for each call."""
    phone_advertised: str = ""
    """IPv4 address that telephones are told to send to, where a router is between; empty: phone_host."""
    phone_codecs: str = "G722, PCMA, PCMU"
    """What is spoken on the phone, the most wanted first; G722 carries twice the band of the other two."""
    phone_comfort_noise: bool = True
    """Put a very low noise under what is heard on the phone: the line does not sound dead then while nobody speaks."""
    phone_allowed: str = ""
    """Addresses and networks that may call, such as 192.168.1.0/24, between commas; empty: all that reach the port. A
    PBX of phone_accounts always may."""
    phone_users: Annotated[str, Field(repr=False)] = ""
    """Names and passwords of those who may call, as name:password between commas; empty: no password is asked for."""
    phone_accounts: Annotated[str, Field(repr=False)] = ""
    """Extensions of a PBX to register as, sip:user:password@host:port between commas; where they differ, with
    ;login=NAME or ;server=HOST:PORT behind."""
    phone_calls_at_once: Annotated[int, Field(ge=1, le=64)] = 4
    """Calls at once; who calls then is told that all lines are busy."""
    phone_invites_per_s: Annotated[float, Field(gt=0, le=100)] = 2
    """New calls a second that are looked at from one address; from all together, five times as many."""
    phone_interviewer_timeout_s: Seconds = 20
    """Seconds after which a caller who has got no interviewer is asked to call later."""
    phone_silence_timeout_s: Seconds = 20
    """Seconds without any sound packet after which a caller has gone."""

    @field_validator("phone_host", "phone_advertised")
    @classmethod
    def _is_an_address_or_none(cls, host: str, info: ValidationInfo) -> str:
        try:
            wildcard = bool(host) and ipaddress.IPv4Address(host).is_unspecified
        except ValueError:
            raise ValueError("must be an IPv4 address such as 192.168.1.20, without a port, or empty") from None
        if wildcard and info.field_name == "phone_advertised":
            raise ValueError("must be one address that telephones can send to")
        return host

    @field_validator("phone_rtp_ports", "phone_codecs", "phone_allowed", "phone_users", "phone_accounts")
    @classmethod
    def _is_readable(cls, text: str, info: ValidationInfo) -> str:
        _LISTS[str(info.field_name)](text)
        return text

    @model_validator(mode="after")
    def _line_can_be_reached(self) -> Self:
        if self.phone_host == "0.0.0.0" and not self.phone_advertised:  # noqa: S104 (what somebody has written)
            raise ValueError("with phone_host 0.0.0.0, phone_advertised must say which address telephones send to")
        return self
