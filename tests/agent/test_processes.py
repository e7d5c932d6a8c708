"""Viva's processes: what is refused before they start, their configuration, and a real livekit-server.

The slow tests need the built livekit-server; `tests/agent/test_stack.py` starts everything.
"""

from __future__ import annotations

import errno
import io
import os
import random
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import httpx
import psutil
import pytest
import yaml
from rich.console import Console

from agent.processes import stack
from agent.processes.livekit_server import TEMPLATE, render_livekit_config, write_livekit_config
from agent.processes.ports import taken_ports
from agent.processes.stack import (
    StackError,
    find_livekit_server,
    free_ports_settings,
    is_running,
    print_json_line,
    print_line,
    run_up,
    running_stack,
)
from agent.processes.supervisor import Part
from agent.settings import PORT_FIELDS, Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with free ports and a data folder of their own."""
    return free_ports_settings(tmp_path / "data")


@pytest.fixture(params=["web_port", "livekit_udp_port"])
def taken(request: pytest.FixtureRequest, settings: Settings) -> Iterator[str]:
    """The name of a port setting whose port another program has."""
    name = str(request.param)
    kind = socket.SOCK_DGRAM if name == "livekit_udp_port" else socket.SOCK_STREAM
    with socket.socket(socket.AF_INET, kind) as other:
        other.bind((settings.host, getattr(settings, name)))
        if kind == socket.SOCK_STREAM:
            other.listen()
        yield name


async def test_a_taken_port_is_named_with_its_setting(taken: str, settings: Settings) -> None:
    """Nothing is started when a port is taken, and the sentence says by whom and which setting chooses another."""
    port = getattr(settings, taken)

    with pytest.raises(StackError) as caught:
        async with running_stack(settings):
            pass

    assert f"port {port} ({taken}) is taken by python" in str(caught.value)
    assert f"VIVA_{taken.upper()}=…" in str(caught.value)
    assert not settings.worker_ready_path.exists()


def test_a_port_that_was_closed_a_moment_ago_is_free(settings: Settings) -> None:
    """A server can be stopped and started again at once."""
    address = (settings.host, settings.web_port)
    with socket.create_server(address) as server, socket.create_connection(address) as client:
        server.accept()[0].close()
        client.recv(1)

    assert taken_ports(settings) == []


def test_free_ports_are_free_and_all_different(tmp_path: Path) -> None:
    """A second Viva gets ports that nothing listens on, below those for outgoing connections."""
    settings = free_ports_settings(tmp_path, rng=random.Random(7), whisper="tiny")

    ports = {getattr(settings, name) for name in PORT_FIELDS}
    assert len(ports) == len(PORT_FIELDS)
    assert taken_ports(settings) == []
    assert all(15_000 <= port < 30_000 for port in ports)
    assert settings.whisper == "tiny"


async def test_a_data_folder_holds_one_viva(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second Viva on the same data would answer the first one's candidates: it is refused."""
    monkeypatch.setattr(stack, "_parts", no_parts)

    assert not is_running(settings)
    async with running_stack(settings):
        assert is_running(settings)
        with pytest.raises(StackError, match="already runs on the data folder"):
            async with running_stack(settings):
                pass
    assert not is_running(settings)


async def test_a_data_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """The sentence names the folder and its setting."""
    (tmp_path / "file").touch()

    with pytest.raises(StackError, match=r"cannot be written \(Not a directory\): .* data_dir"):
        async with running_stack(free_ports_settings(tmp_path / "file" / "data")):
            pass


async def test_what_every_process_would_stumble_over_is_told_once(settings: Settings, tmp_path: Path) -> None:
    """A model or a pack that cannot be used is found before anything is started."""
    with pytest.raises(StackError, match="setting whisper is 'enormous'"):
        async with running_stack(settings.model_copy(update={"whisper": "enormous"})):
            pass

    with pytest.raises(StackError, match=r"setting fast_model is 'mistralai:small'.*langchain-mistralai"):
        async with running_stack(settings.model_copy(update={"fast_model": "mistralai:small"})):
            pass

    (tmp_path / "mine.yaml").write_text("")
    with pytest.raises(StackError, match=r"mine\.yaml was not loaded"):
        async with running_stack(settings.model_copy(update={"packs_dir": tmp_path})):
            pass


class Log(io.StringIO):
    """A log on a disk that can be full."""

    is_full = False

    def write(self, text: str) -> int:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(text)


@pytest.mark.parametrize("print_one", [print_line, print_json_line])
def test_lines_that_a_full_disk_refused_do_not_pile_up(print_one: Callable[[Console, str, str], None]) -> None:
    """They are lost, and neither kept in memory nor written again with each line that follows."""
    log = Log()
    console = Console(file=log)
    log.is_full = True
    for number in range(3):
        with pytest.raises(OSError, match="No space left"):
            print_one(console, "worker", f"line {number}")
    log.is_full = False

    print_one(console, "worker", "there is room again")

    assert log.getvalue().count("\n") == 1
    assert "there is room again" in log.getvalue()


def test_viva_ends_when_told_to_though_its_log_is_full(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first SIGTERM is enough: that nobody can be told of it is no reason to go on."""
    log, mark = Log(), tmp_path / "running"
    script = f"open({str(mark)!r}, 'w'); import time; time.sleep(600)"
    part = Part(
        name="web", command=(sys.executable, "-c", script), environment={}, is_ready=partial(stack._exists, mark),
        ready_timeout_s=60, grace_s=1, advice="",
    )  # fmt: skip
    monkeypatch.setattr(stack, "_parts", lambda *_: [part])

    def fill_and_stop() -> None:
        while "open http" not in log.getvalue():
            time.sleep(0.01)
        log.is_full = True
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=fill_and_stop, daemon=True).start()

    assert run_up(settings, Console(file=log)) == 0


def test_a_missing_livekit_server_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a server the sentence says how to get one."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(stack, "PROJECT_DIR", tmp_path)

    with pytest.raises(StackError, match=r"no livekit-server on PATH .* run 'make run'"):
        find_livekit_server()


def test_an_installed_livekit_server_is_used_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The one on PATH wins over the one that was built."""
    program = tmp_path / "livekit-server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert find_livekit_server() == program


def test_the_configuration_keeps_rooms_on_this_machine(settings: Settings) -> None:
    """With the default host nothing is bound or announced but loopback, and no stranger is asked for an address."""
    config = render_livekit_config(yaml.safe_load(TEMPLATE.read_text(encoding="utf-8")), settings)

    assert config["bind_addresses"] == ["127.0.0.1"]
    assert config["port"] == settings.livekit_port
    assert config["rtc"] == {
        "tcp_port": settings.livekit_tcp_port,
        "udp_port": settings.livekit_udp_port,
        "node_ip": "127.0.0.1",
        "use_external_ip": False,
        "enable_loopback_candidate": True,
        "interfaces": {"includes": ["lo"]},
        "stun_servers": [f"127.0.0.1:{settings.livekit_udp_port}"],
    }
    assert "keys" not in config


def test_the_configuration_of_another_address_leaves_loopback(tmp_path: Path) -> None:
    """On an address of the network, sound is not tied to the loopback interface; what the host added stays."""
    template = {"rtc": {"interfaces": {"includes": ["lo"]}, "port_range_start": 5}, "room": {"max_participants": 2}}

    config = render_livekit_config(template, Settings(host="192.168.7.20", log_level="debug"))

    assert config["rtc"]["node_ip"] == "192.168.7.20"
    assert "interfaces" not in config["rtc"]
    assert config["rtc"]["port_range_start"] == 5
    assert config["room"] == {"max_participants": 2}
    assert config["logging"] == {"level": "debug"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "is missing; restore it"),
        ("a: [", "is not YAML"),
        ("- a", "must be a mapping"),
        ("rtc: 5", "its key rtc"),
    ],
)
def test_a_broken_livekit_configuration_is_told(
    content: str | None, said: str, settings: Settings, tmp_path: Path
) -> None:
    """A livekit.yaml that cannot be used gives a sentence."""
    path = tmp_path / "livekit.yaml"
    if content is not None:
        path.write_text(content)

    with pytest.raises(StackError, match=said):
        write_livekit_config(settings, path)


def no_parts(_settings: Settings, _http: httpx.AsyncClient) -> list[Part]:
    """A Viva without stack."""
    return []


def only_livekit(settings: Settings, http: httpx.AsyncClient) -> list[Part]:
    """A Viva of livekit-server alone."""
    return REAL_PARTS(settings, http)[:1]


REAL_PARTS = stack._parts


@pytest.mark.slow
async def test_livekit_server_runs_on_loopback_with_the_ports_of_the_settings(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real server takes the rendered configuration, listens where it should, and knows the generated key."""
    monkeypatch.setattr(stack, "_parts", only_livekit)

    async with running_stack(settings) as running:
        listening = {
            (connection.laddr.ip, connection.laddr.port)
            for connection in psutil.Process(running.pid("livekit")).net_connections("inet")
            if not connection.raddr
        }
        async with httpx.AsyncClient(trust_env=False) as http:
            refused = await http.get(f"{settings.livekit_http_url}/rtc/validate?access_token=nonsense")

    assert (settings.host, settings.livekit_port) in listening
    assert (settings.host, settings.livekit_udp_port) in listening
    # livekit-server binds its TCP port for sound on every address, whatever it is told.
    assert {port for ip, port in listening if ip != settings.host} <= {settings.livekit_tcp_port}
    assert refused.status_code == 401
