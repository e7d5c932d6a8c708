"""Servers: where they listen, and who may do what at them."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Literal

from pydantic import Field, field_validator

from agent.settings.part import Port, SettingsPart


class Servers(SettingsPart):
    """Addresses and ports, and the token of whoever hosts."""

    host: str = "127.0.0.1"
    """IPv4 address that all servers listen on and rooms are reached at; 127.0.0.1 is reached from this machine only."""
    web_port: Port = 8080
    """TCP port of the pages and the interview API."""
    livekit_port: Port = 7880
    """TCP port of livekit-server's HTTP and WebSocket."""
    livekit_tcp_port: Port = 7881
    """TCP port for sound where UDP cannot be used. livekit-server binds it on every address of the machine."""
    livekit_udp_port: Port = 7882
    """UDP port for sound."""
    worker_port: Port = 8081
    """TCP port of the interviewer's health page."""
    metrics_port: Port = 8082
    """TCP port of the interviewer's metrics."""
    host_token: Annotated[str, Field(pattern=r"^(\S{16,})?$")] = ""
    """Token of whoever hosts: deletes interviews, releases turns that wait for a person, sees scores before the end. 16
    characters or more; empty: only from this machine, and not through a reverse proxy."""
    web_mind: Literal["on-demand", "at-start"] = "on-demand"
    """When the web process loads what text interviews need: with the first of them, or at once."""

    @field_validator("host")
    @classmethod
    def _is_an_address(cls, host: str) -> str:
        try:
            wildcard = ipaddress.IPv4Address(host).is_unspecified
        except ValueError:
            raise ValueError("must be an IPv4 address such as 127.0.0.1, without a port") from None
        if wildcard:
            raise ValueError("must be one address of this machine, because browsers are told to send sound there")
        return host

    @property
    def livekit_ws_url(self) -> str:
        """Address that rooms are joined at."""
        return f"ws://{self.host}:{self.livekit_port}"

    @property
    def livekit_http_url(self) -> str:
        """Address of livekit-server's own API."""
        return f"http://{self.host}:{self.livekit_port}"

    @property
    def web_url(self) -> str:
        """Address of the start page, without a slash at its end."""
        return f"http://{self.host}:{self.web_port}"

    @property
    def worker_url(self) -> str:
        """Address of the interviewer's health page."""
        return f"http://{self.host}:{self.worker_port}"
