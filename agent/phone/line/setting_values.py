"""Setting values: accounts, passwords, networks, ports and codecs, as settings list them in a line of text.

Passwords come out of `repr` nowhere, and faults name an account by its place in the list, never by its text: what is
wrong may be in the password.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from typing import Literal, get_args
from urllib.parse import unquote

CodecName = Literal["PCMU", "PCMA", "G722"]
CODEC_NAMES: tuple[CodecName, ...] = get_args(CodecName)
"""What can be spoken."""

DEFAULT_PORT = 5060
"""UDP port of SIP (RFC 3261, section 19.1.2)."""

_HOST = r"(?P<{0}>[A-Za-z0-9](?:[A-Za-z0-9.-]{{0,252}}))(?::(?P<{0}_port>\d{{1,5}}))?"
_ACCOUNT = re.compile(
    r"sip:(?P<user>[^:@;,\s]{1,128}):(?P<password>[^:@;,\s]{1,256})@"
    + _HOST.format("host")
    + r"(?P<options>(?:;[a-z]{1,16}=[^;,\s]{1,256}){0,4})"
)
_SERVER = re.compile(_HOST.format("host"))
_USER = re.compile(r"(?P<name>[^:@;,\s]{1,128}):(?P<password>[^:@;,\s]{1,256})")
_OPTIONS = ("login", "server")


@dataclass(frozen=True, slots=True)
class Account:
    """An extension of a PBX, at which the line can be called and by which it can call."""

    user: str
    """Number or name of the extension."""
    domain: str
    """Host of its address; also where it is registered, unless `server` says another."""
    server: tuple[str, int]
    """Host and UDP port that requests are sent to."""
    login: str
    """Name that goes with the password; mostly the same as `user`."""
    password: str = field(repr=False)

    @property
    def address(self) -> str:
        """Address of the extension, `sip:user@domain`."""
        return f"sip:{self.user}@{self.domain}"


def parse_accounts(text: str) -> tuple[Account, ...]:
    """Accounts as the setting `phone_accounts` lists them, between commas.

    Args:
        text: `sip:USER:PASSWORD@HOST[:PORT]` each, with `;login=NAME` or `;server=HOST[:PORT]` behind it where these
            differ. What would be mistaken for a sign of this notation is percent-encoded, such as %40 for @.

    Raises:
        ValueError: which one cannot be read.
    """
    return tuple(_account(part, place) for place, part in enumerate(_listed(text), start=1))


def parse_users(text: str) -> dict[str, str]:
    """Passwords by name as the setting `phone_users` lists them: `NAME:PASSWORD` between commas, percent-encoded.

    Raises:
        ValueError: which one cannot be read.
    """
    users: dict[str, str] = {}
    for place, part in enumerate(_listed(text), start=1):
        found = _USER.fullmatch(part)
        if not found:
            raise ValueError(f"entry {place} of the list must be like name:password; %3A stands for a colon in either")
        users[unquote(found["name"])] = unquote(found["password"])
    return users


def parse_networks(text: str) -> tuple[ipaddress.IPv4Network, ...]:
    """Networks as the setting `phone_allowed` lists them, such as `192.168.1.0/24, 10.0.0.7`.

    Raises:
        ValueError: which one is no IPv4 address or network.
    """
    networks = []
    for part in _listed(text):
        try:
            networks.append(ipaddress.IPv4Network(part, strict=False))
        except ValueError:
            raise ValueError(f"{part} is no IPv4 address such as 10.0.0.7 or network such as 192.168.1.0/24") from None
    return tuple(networks)


def parse_ports(text: str) -> range:
    """The even ports of a range such as `21000-21199`; the odd one above each is for RTCP.

    Raises:
        ValueError: it is no range of at least two ports.
    """
    found = re.fullmatch(r"(\d{1,5})\s{0,3}-\s{0,3}(\d{1,5})", text.strip())
    first, last = (int(found[1]), int(found[2])) if found else (0, 0)
    first += first % 2
    if not 1024 <= first < last <= 65535:  # noqa: PLR2004 (ports under 1024 are for root; 65535 is the last)
        raise ValueError("must be like 21000-21199: two ports from 1024 to 65535")
    return range(first, last, 2)


def parse_codecs(text: str) -> tuple[CodecName, ...]:
    """Codecs as the setting `phone_codecs` lists them, the most wanted first.

    Raises:
        ValueError: one is unknown, or there is none.
    """
    wanted = [part for part in text.upper().replace(",", " ").split() if part]
    known: dict[str, CodecName] = {name: name for name in CODEC_NAMES}
    if not wanted or (set(wanted) - set(known)):
        raise ValueError(f"must be some of {', '.join(CODEC_NAMES)}, the most wanted first")
    return tuple(known[name] for name in dict.fromkeys(wanted))


def without_passwords(text: str) -> str:
    """The text of `phone_accounts` or `phone_users` with each password as a sign."""
    return re.sub(r"((?:^|,)\s*(?:sip:)?[^:@,\s]{0,128}):[^@,\s]*(?=@|,|$)", r"\1:…", text)


def _listed(text: str) -> list[str]:
    return [part for part in re.split(r"[,\s]+", text) if part]


def _account(part: str, place: int) -> Account:
    found = _ACCOUNT.fullmatch(part)
    if not found:
        raise ValueError(
            f"account {place} of the list must be like sip:user:password@host or sip:user:password@host:5060; "
            "%40 stands for an @ in the password"
        )
    options = dict(option.split("=", 1) for option in found["options"].split(";") if option)
    if unknown := set(options) - set(_OPTIONS):
        raise ValueError(f"account {place} of the list has {', '.join(sorted(unknown))}; known are login and server")
    host = _SERVER.fullmatch(options.get("server", f"{found['host']}:{found['host_port'] or DEFAULT_PORT}"))
    if not host or not 0 < int(host["host_port"] or DEFAULT_PORT) <= 65535:  # noqa: PLR2004 (the last port)
        raise ValueError(f"account {place} of the list has a server that is no host with a port")
    user = unquote(found["user"])
    return Account(
        user=user,
        domain=found["host"],
        server=(host["host"], int(host["host_port"] or DEFAULT_PORT)),
        login=unquote(options.get("login", user)),
        password=unquote(found["password"]),
    )
