"""Telephone: baresip without a screen, which plays a file and records what it hears. The tests call with it as well."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bench.phone.wav import Sound, read_wav
from install.telephones import PROGRAMS, find_program

MODULES = Path("/usr/lib/baresip/modules")


class NoTelephoneError(RuntimeError):
    """There is no baresip to call with."""

    def __init__(self) -> None:
        package = PROGRAMS["baresip"]
        super().__init__(f"There is no baresip to call with: install it, on Debian with 'apt-get install {package}'")


def free_port(kind: socket.SocketKind = socket.SOCK_DGRAM) -> int:
    """A port of this machine that is free at the moment."""
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def need_baresip() -> str:
    """Where baresip is. Raises `NoTelephoneError` where it is not installed."""
    program = find_program("baresip")
    if program is None:
        raise NoTelephoneError
    return program


class Baresip:
    """A telephone."""

    def __init__(self, folder: Path, process: Process, control: int, port: int) -> None:
        self._folder = folder
        self._process = process
        self._control = control
        self.port = port
        self.lines: list[str] = []
        self._reading = asyncio.create_task(self._read())
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self.events: list[dict[str, Any]] = []
        self._listening: asyncio.Task[None] | None = None

    async def command(self, command: str, params: str = "") -> None:
        """Give a command of baresip's menu."""
        if self._writer is None:
            await self._open()
        assert self._writer is not None
        message = json.dumps({"command": command, "params": params}).encode()
        self._writer.write(b"%d:%s," % (len(message), message))
        await self._writer.drain()

    async def event(self, kind: str) -> dict[str, Any]:
        """The first event of a kind, once it has come."""
        while True:
            for each in self.events:
                if each.get("type") == kind:
                    return each
            await asyncio.sleep(0.02)

    async def heard(self) -> tuple[Sound, int]:
        """What was heard; ends the telephone, which writes it then."""
        await self.close()
        (path,) = self._folder.glob("dump-*-dec.wav")
        return read_wav(path)

    async def registered(self) -> None:
        """Wait until it is registered at its exchange."""
        while not any("OK" in str(each.get("data")) for each in self.events):  # what it logs comes late
            await self.command("reginfo")
            await asyncio.sleep(0.1)

    def kill(self) -> None:
        """Pull the plug."""
        self._process.kill()

    async def close(self) -> None:
        """End the telephone."""
        if self._process.returncode is None:
            self._process.terminate()
            try:
                await asyncio.wait_for(self._process.wait(), 3)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
        for task in (self._reading, self._listening):
            if task is not None:
                task.cancel()
        if self._writer is not None:
            self._writer.close()

    async def _open(self) -> None:
        while self._writer is None:
            try:
                self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._control)
            except OSError:
                await asyncio.sleep(0.05)
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        assert self._reader is not None
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                length = int((await self._reader.readuntil(b":"))[:-1])
                message = json.loads((await self._reader.readexactly(length + 1))[:-1])
                self.events.append(message)

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.lines.append(line.decode(errors="replace").rstrip())


@asynccontextmanager
async def baresip(
    folder: Path, says: Path, *, codec: str = "PCMU", account: str = "", ptime: int = 20, address: str = ""
) -> AsyncIterator[Baresip]:
    """A telephone that says the sound of a WAV file.

    Args:
        folder: for its configuration, and what it hears.
        says: the file, at the rate of the codec.
        codec: what it speaks, as baresip calls it: `PCMU/8000`, `PCMA/8000`, `G722/16000`.
        account: more of its account, such as `;dtmfmode=info`.
        ptime: milliseconds of sound in a packet.
        address: its own, such as `sip:anna@127.0.0.1:5060` at an exchange; without it that of this machine.

    Raises:
        NoTelephoneError: baresip is not installed.
    """
    program = need_baresip()
    folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 (one local folder)
    port, control = free_port(), free_port(socket.SOCK_STREAM)
    modules = ("g711", "g722", "aufile", "sndfile", "uuid", "account", "menu", "ctrl_tcp")
    (folder / "config").write_text(
        f"module_path {MODULES}\n"
        + "".join(f"module {name}.so\n" for name in modules)
        + f"sip_listen 127.0.0.1:{port}\n"
        f"audio_source aufile,{says}\nsnd_path {folder}\n"
        f"ctrl_tcp_listen 127.0.0.1:{control}\nnet_interface 127.0.0.1\nrtp_timeout 0\njitter_buffer_delay 2-5\n"
        "audio_level no\nrtcp_mux no\ncall_local_timeout 120\ncall_max_calls 4\n"
    )
    (folder / "accounts").write_text(
        f"<{address or f'sip:caller@127.0.0.1:{port}'}>;audio_codecs={codec};ptime={ptime};mediaenc={account}\n"
    )
    (folder / "contacts").write_text("")
    process = await asyncio.create_subprocess_exec(
        program, "-f", str(folder), "-s", stdin=DEVNULL, stdout=PIPE, stderr=asyncio.subprocess.STDOUT, cwd=folder
    )
    telephone = Baresip(folder, process, control, port)
    try:
        await telephone.command("about")
        yield telephone
    finally:
        await telephone.close()
