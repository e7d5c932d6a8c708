"""Configuration of livekit-server: `livekit.yaml` of the project with the address and ports of the settings."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Any

import yaml

from agent.processes.supervisor import StackError
from agent.settings import PROJECT_DIR, Settings

TEMPLATE = PROJECT_DIR / "livekit.yaml"

_LEVELS = {"debug": "debug", "info": "warn", "warning": "warn", "error": "error"}
"""At its own info level livekit-server writes several lines for each packet route; that is our debug."""


def render_livekit_config(template: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """The template with address, ports and log level set; everything else in it stays."""
    rtc = {
        **template.get("rtc", {}),
        # livekit-server binds this one on every address, whatever it is told, and needs it: where the UDP port is bound
        # to loopback, no client of LiveKit gets into a room by UDP (measured: 0 means "wait_pc_connection timed out").
        "tcp_port": settings.livekit_tcp_port,
        "udp_port": settings.livekit_udp_port,
        "node_ip": settings.host,
        "stun_servers": [f"{settings.host}:{settings.livekit_udp_port}"],
    }
    if not ipaddress.IPv4Address(settings.host).is_loopback:
        # The template keeps sound on the loopback interface, which other machines cannot reach.
        rtc.pop("interfaces", None)
    return {
        **template,
        "port": settings.livekit_port,
        "bind_addresses": [settings.host],
        "rtc": rtc,
        "logging": {**template.get("logging", {}), "level": _LEVELS[settings.log_level]},
    }


def write_livekit_config(settings: Settings, template: Path = TEMPLATE) -> Path:
    """Render the configuration into the run folder and return its path.

    Raises:
        StackError: the template is missing or not a YAML mapping, or the run folder cannot be written.

    """
    try:
        content = yaml.safe_load(template.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StackError(f"{template} is missing; restore it with: git checkout livekit.yaml") from None
    except yaml.YAMLError as error:
        raise StackError(f"{template} is not YAML: {error}") from None
    if not isinstance(content, dict) or not isinstance(content.get("rtc", {}), dict):
        raise StackError(f"{template} must be a mapping of keys to values, and so must its key rtc")
    path = settings.run_dir / "livekit.yaml"
    rendered = yaml.safe_dump(render_livekit_config(content, settings), sort_keys=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rendered, encoding="utf-8")
    except OSError as error:
        raise StackError(f"{path} cannot be written ({error.strerror}): free some space, or set data_dir") from None
    return path
