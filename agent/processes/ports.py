"""Ports: which are taken and by whom, and free ones for a second Viva on the same machine."""

from __future__ import annotations

import random
import socket
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from agent.settings import ENV_PREFIX, PORT_FIELDS, Settings

_UDP_FIELDS = ("livekit_udp_port", "phone_port")
_WANTED_BY = {"metrics_port": "metrics", "phone_port": "phone"}
"""Ports that are used only where another setting is on."""
_FREE_RANGE = range(15000, 30000)
"""Below the ports that the system hands out for outgoing connections, which could be taken a moment later."""


@dataclass(frozen=True, slots=True)
class TakenPort:
    """A port that a setting names and another program has."""

    setting: str
    port: int
    owner: str
    """The program and its pid, as far as this user may see it; empty otherwise."""

    def __str__(self) -> str:
        by = f" by {self.owner}" if self.owner else " by another program"
        return (
            f"port {self.port} ({self.setting}) is taken{by}: stop that program, or choose another port with "
            f"{ENV_PREFIX}{self.setting.upper()}=… or {self.setting} = … in viva.toml"
        )


def used_ports(settings: Settings) -> list[str]:
    """The settings that name a port which something listens on."""
    return [name for name in PORT_FIELDS if name not in _WANTED_BY or getattr(settings, _WANTED_BY[name])]


def taken_ports(settings: Settings) -> list[TakenPort]:
    """The ports of the settings that nothing can listen on now."""
    return [
        TakenPort(setting=name, port=getattr(settings, name), owner=_owner(getattr(settings, name)))
        for name in used_ports(settings)
        if not is_free(_host_of(settings, name), getattr(settings, name), udp=name in _UDP_FIELDS)
    ]


def free_ports_settings(data_dir: Path, *, rng: random.Random | None = None, **overrides: Any) -> Settings:
    """Settings for a Viva of its own: free ports, its own data folder, and otherwise what is in force.

    Args:
        data_dir: Folder of its data.
        rng: Where ports are drawn from; without it they differ from run to run.
        overrides: Other settings by name.

    """
    draw = rng or random.Random()  # noqa: S311 (ports are no secrets)
    ports: list[int] = []
    with ExitStack() as held:
        while len(ports) < len(PORT_FIELDS):
            port = draw.choice(_FREE_RANGE)
            try:
                for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
                    held.enter_context(socket.socket(socket.AF_INET, kind)).bind(("127.0.0.1", port))
            except OSError:
                continue
            ports.append(port)
    chosen: dict[str, Any] = {"data_dir": data_dir, **dict(zip(PORT_FIELDS, ports, strict=True)), **overrides}
    return Settings(**chosen)


def _host_of(settings: Settings, name: str) -> str:
    return settings.phone_bind_host if name == "phone_port" else settings.host


def is_free(host: str, port: int, *, udp: bool) -> bool:
    """Whether a server could listen on a port now."""
    kind = socket.SOCK_DGRAM if udp else socket.SOCK_STREAM
    with socket.socket(socket.AF_INET, kind) as probe:
        if not udp:
            # As servers do: a connection that was closed a minute ago does not hold the port.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _owner(port: int) -> str:
    try:
        for connection in psutil.net_connections("inet"):
            if connection.laddr and connection.laddr.port == port and not connection.raddr and connection.pid:
                return f"{psutil.Process(connection.pid).name()} (pid {connection.pid})"
    except psutil.Error:
        return ""
    return ""
