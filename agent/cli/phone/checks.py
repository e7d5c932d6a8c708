"""Checks of the phone line, for `viva doctor`: what keeps telephones from reaching it, and who can."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from agent.cli.check_result import CheckResult
from agent.phone.database import PhoneStoreError
from agent.phone.line.setting_values import parse_accounts, parse_networks, parse_ports, parse_users
from agent.phone.line.status_socket import LineNotRunningError, ask_status
from agent.phone.pins import open_pins
from agent.processes.ports import is_free
from agent.settings import Settings, SettingsError

PACKAGES = {"aiosipua": "0.7.1", "aiortp": "0.8.0", "G722": "1.2.8"}
"""What the line is made of. Another version may have other faults than those that it makes up for."""
_SPARE_CALLS = 2
"""Those who are told that all lines are busy have ports as well."""


def examine_phone(settings: Settings, *, is_running: bool) -> Iterator[CheckResult]:
    """Look at everything that the line needs; with the line off, that is all there is to say.

    Args:
        settings: those in force.
        is_running: whether Viva has the ports now.
    """
    if not settings.phone:
        yield CheckResult(check="phone line", status="ok", found="off: the setting phone is not on")
        return
    yield _packages()
    address = _address(settings)
    yield address
    if address.status != "problem":  # else no port of it is free
        yield _sound_ports(settings, is_running=is_running)
    yield _callers(settings)
    yield _pins(settings)
    if settings.phone_accounts:
        yield from _accounts(settings, is_running=is_running)


def _packages() -> CheckResult:
    wrong = []
    for name, wanted in PACKAGES.items():
        try:
            there = version(name)
        except PackageNotFoundError:
            there = "missing"
        if there != wanted:
            wrong.append(f"{name} is {there} and not {wanted}")
    if wrong:
        return CheckResult(
            check="phone: packages",
            status="problem",
            found="; ".join(wrong),
            advice="Run 'make run', which installs what is locked.",
        )
    return CheckResult(
        check="phone: packages", status="ok", found=", ".join(f"{name} {each}" for name, each in PACKAGES.items())
    )


def _address(settings: Settings) -> CheckResult:
    host = settings.phone_bind_host
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind((host, 0))
    except OSError as error:
        advice = "Set phone_host to an address of this machine."
        return CheckResult(
            check="phone: address",
            status="problem",
            found=f"{host} cannot be listened at ({error.strerror})",
            advice=advice,
        )
    told = settings.phone_told_host
    if unreachable := _unreachable(host, told):
        found, advice = unreachable
        return CheckResult(check="phone: address", status="problem", found=found, advice=advice)
    if ipaddress.IPv4Address(told).is_loopback:
        found = f"sip:viva@{settings.phone_address}, which telephones on this machine reach"
        return CheckResult(check="phone: address", status="ok", found=found)
    found = f"sip:viva@{settings.phone_address}"
    if told != host:
        found += f"; a router has to pass on UDP {settings.phone_port} and {settings.phone_rtp_ports} to {host}"
    return CheckResult(check="phone: address", status="ok", found=found)


def _unreachable(host: str, told: str) -> tuple[str, str] | None:
    """What is wrong with where telephones are told to send to, and what to do; None where they may reach it.

    A router's outer address cannot be tried from behind it.

    Args:
        host: where the line listens.
        told: where telephones are told to send to.
    """
    listens, sends = ipaddress.IPv4Address(host), ipaddress.IPv4Address(told)
    if listens.is_loopback and not sends.is_loopback:
        found = f"telephones are told to send to {told}, and the line listens at {host}, which is this machine only"
        return found, "Set phone_host to this machine's address in its network."
    if sends.is_loopback and not listens.is_loopback:
        found = f"telephones are told to send to {told}, which to each of them is itself"
        return found, "Set phone_advertised to an address that they reach, or remove it."
    if sends.is_multicast or sends.is_link_local or sends.is_reserved:
        return f"no telephone reaches {told}", "Set phone_advertised to an address that they reach, or remove it."
    return None


def _sound_ports(settings: Settings, *, is_running: bool) -> CheckResult:
    ports = parse_ports(settings.phone_rtp_ports)
    needed = settings.phone_calls_at_once + _SPARE_CALLS
    part, text = "phone: sound", settings.phone_rtp_ports
    if len(ports) < needed:
        found = f"{text} is enough for {len(ports)} calls, and phone_calls_at_once wants {settings.phone_calls_at_once}"
        return CheckResult(
            check=part,
            status="problem",
            found=found,
            advice=f"Set phone_rtp_ports to a range of {2 * needed} ports or more.",
        )
    own = {"phone_port": settings.phone_port, "livekit_udp_port": settings.livekit_udp_port}
    for name, port in own.items():
        if ports.start <= port <= ports.stop:
            return CheckResult(
                check=part,
                status="problem",
                found=f"{name} lies in {text}",
                advice="Set phone_rtp_ports to another range.",
            )
    if is_running:
        return CheckResult(check=part, status="ok", found=f"{text}: Viva is running")
    taken = [
        port
        for port in (*ports, *(port + 1 for port in ports))
        if not is_free(settings.phone_bind_host, port, udp=True)
    ]
    if len(taken) > len(ports) - needed:
        advice = "Stop what has them, or set phone_rtp_ports to another range."
        return CheckResult(
            check=part, status="problem", found=f"{len(taken)} of the UDP ports {text} are taken", advice=advice
        )
    return CheckResult(check=part, status="ok", found=f"UDP {text}, enough for {len(ports)} calls")


def _callers(settings: Settings) -> CheckResult:
    networks, users = parse_networks(settings.phone_allowed), parse_users(settings.phone_users)
    host = ipaddress.IPv4Address(settings.phone_bind_host)
    if networks or users:
        who = f"from {', '.join(map(str, networks))}" if networks else "from anywhere"
        word = f", with a password ({len(users)} users)" if users else ""
        return CheckResult(check="phone: callers", status="ok", found=who + word)
    if host.is_loopback:
        return CheckResult(check="phone: callers", status="ok", found="telephones on this machine, without a password")
    found = f"anybody who reaches {host} can call, without a password"
    return CheckResult(
        check="phone: callers",
        status="warning",
        found=found,
        advice="Set phone_allowed or phone_users; scanners find such a port in hours.",
    )


def _pins(settings: Settings) -> CheckResult:
    """Read the PINs, if there is a file of them."""
    part, now = "phone: PINs", time.time()
    if not settings.phone_path.exists():
        return CheckResult(check=part, status="ok", found="there are none yet: 'viva pin new' makes one")
    try:
        states = [each.state(now) for each in open_pins(settings).grants(now)]
    except (PhoneStoreError, SettingsError) as error:
        return CheckResult(check=part, status="problem", found="they cannot be used", advice=str(error))
    counting = sum(state in {"early", "valid"} for state in states)
    return CheckResult(check=part, status="ok", found=f"{counting} count, of {len(states)} that are kept")


def _accounts(settings: Settings, *, is_running: bool) -> Iterator[CheckResult]:
    """Ask the running line where it is registered; what a line that is off could reach is not tried."""
    part, listens = "phone: account", ipaddress.IPv4Address(settings.phone_bind_host)
    for account in parse_accounts(settings.phone_accounts):
        if listens.is_loopback and _is_elsewhere(account.server[0]):
            found = f"{account.address} is at {account.server[0]}, and the line listens on this machine only"
            advice = "Set phone_host to this machine's address in the PBX's network."
            yield CheckResult(check=part, status="problem", found=found, advice=advice)
            return
    if not is_running:
        yield CheckResult(check=part, status="ok", found="whether a PBX takes them is seen when Viva runs")
        return
    try:
        registrations = asyncio.run(ask_status(settings)).registrations
    except LineNotRunningError as error:
        yield CheckResult(check=part, status="problem", found="Viva runs without the line", advice=f"{error}.")
        return
    for each in registrations:
        if each.state == "failed":
            found = f"{each.address} is not registered"
            yield CheckResult(check=part, status="warning", found=found, advice=_sentence(each.detail))
        else:
            yield CheckResult(check=part, status="ok", found=f"{each.address}: {each.state}")


def _is_elsewhere(host: str) -> bool:
    """Whether a PBX is on another machine; of one whose name is not known the line says so itself."""
    try:
        return not ipaddress.IPv4Address(socket.gethostbyname(host)).is_loopback
    except OSError:
        return False


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
