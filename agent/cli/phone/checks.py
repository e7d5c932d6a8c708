"""Checks of the phone line, for `viva doctor`: what keeps telephones from reaching it, and who can."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from agent.cli.check_result import CheckResult
from agent.phone.line.setting_values import parse_networks, parse_ports, parse_users
from agent.processes.ports import is_free
from agent.settings import Settings

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
    if ipaddress.IPv4Address(told).is_loopback:
        found = f"sip:viva@{settings.phone_address}, which telephones on this machine reach"
        return CheckResult(check="phone: address", status="ok", found=found)
    found = f"sip:viva@{settings.phone_address}"
    if told != host:
        found += f"; a router has to pass on UDP {settings.phone_port} and {settings.phone_rtp_ports} to {host}"
    return CheckResult(check="phone: address", status="ok", found=found)


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
