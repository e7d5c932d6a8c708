"""Stack of processes: livekit-server, the worker, the web, and the phone line if the settings want it, started in this
order and kept running.

`run_up` is what `viva up` does. `running_stack` gives rehearsals and tests the same processes on ports of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import shutil
import signal
import sys
import time
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
from rich.console import Console
from rich.text import Text

from agent.model_files.prepare import ModelError, ensure_models
from agent.observability.logs import json_line
from agent.packs import packs_in_force
from agent.processes.livekit_server import write_livekit_config
from agent.processes.ports import free_ports_settings, taken_ports
from agent.processes.supervisor import Part, Say, StackError, Supervisor, forgiving
from agent.settings import PROJECT_DIR, Settings, SettingsError
from rag.packs.pack import PackError

__all__ = ["Stack", "StackError", "find_livekit_server", "free_ports_settings", "is_running", "run_up", "running_stack"]

_COLOURS = {"viva": "bold", "livekit": "magenta", "worker": "cyan", "web": "green", "phone": "yellow"}
_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "PYTHONUNBUFFERED": "1"}
"""For our own processes: nothing asks a model hub, and lines are shown when they are written."""


@dataclass(frozen=True, slots=True)
class Stack:
    """All of Viva's processes, running."""

    settings: Settings
    supervisor: Supervisor

    def pid(self, name: str) -> int:
        """Process id of `livekit`, `worker`, `web` or `phone` at this moment; StackError while it is not running."""
        return self.supervisor.pid(name)

    def output(self, name: str) -> list[str]:
        """The last lines that `livekit`, `worker`, `web` or `phone` wrote."""
        return self.supervisor.output(name)

    async def wait_ready(self) -> None:
        """Wait until all are ready, for instance after one was killed; StackError when one was given up."""
        await self.supervisor.wait_ready()


@asynccontextmanager
async def running_stack(
    settings: Settings, *, say: Say = lambda _part, _line: None, only: Collection[str] = ()
) -> AsyncIterator[Stack]:
    """Start all processes, hand them over when a candidate can start, and stop them in any case.

    Args:
        settings: What they run with; see `free_ports_settings` for a second Viva on the same machine.
        say: Takes every line they write and every sentence of the supervisor.
        only: Names of the processes to start; empty: all of them.

    Raises:
        StackError: a port is taken, Viva already runs on this data folder, a model or a question pack cannot be used,
            a program is missing or does not start.

    """
    with _data_folder(settings):
        if taken := taken_ports(settings):
            raise StackError("Viva cannot start: " + "; ".join(map(str, taken)))
        _check_ingredients(settings)
        # A connection that was kept open would delay the server's end.
        closing = httpx.Limits(max_keepalive_connections=0)
        async with httpx.AsyncClient(timeout=2, trust_env=False, limits=closing) as http:
            wanted = [part for part in _parts(settings, http) if not only or part.name in only]
            supervisor = Supervisor(wanted, say=say)
            try:
                await supervisor.start()
                yield Stack(settings, supervisor)
            finally:
                await supervisor.stop()


def run_up(settings: Settings, console: Console) -> int:
    """Run Viva until Ctrl-C or SIGTERM; the exit code is 0 then, and 1 when it could not be kept running."""
    try:
        asyncio.run(_up(settings, console))
    except (StackError, SettingsError) as error:
        with contextlib.suppress(OSError):  # on a full disk the exit code alone says it
            if settings.log_format == "json":
                print_json_line(console, "viva", str(error))
            else:
                console.print(Text(str(error), style="bold red"))
        return 1
    return 0


async def _up(settings: Settings, console: Console) -> None:
    started = time.monotonic()
    say = forgiving(partial(print_json_line if settings.log_format == "json" else print_line, console))
    async with _stopped_by_signals(say) as hurried:
        line = " and the phone line" if settings.phone else ""
        say("viva", f"starting livekit-server, the worker, the web{line}; Ctrl-C stops all of them")
        async with running_stack(settings, say=say) as stack:
            hurried.append(stack.supervisor)
            took_s = time.monotonic() - started
            say("viva", f"ready after {took_s:.1f} s: open {settings.web_url} to start an interview")
            if settings.phone:
                say("viva", f"or call sip:viva@{settings.phone_address}")
            await stack.supervisor.wait_failed()


@asynccontextmanager
async def _stopped_by_signals(say: Say) -> AsyncIterator[list[Supervisor]]:
    """Let the first Ctrl-C or SIGTERM end the body in order, and the second at once."""
    body = asyncio.current_task()
    assert body is not None
    supervisors: list[Supervisor] = []
    stopping = asyncio.Event()

    def on_signal() -> None:
        if stopping.is_set():
            for supervisor in supervisors:
                supervisor.hurry()
            return
        stopping.set()
        body.cancel()
        say("viva", "stopping; once more to stop at once")

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, on_signal)
    try:
        yield supervisors
    except asyncio.CancelledError:
        if not stopping.is_set():
            raise
        body.uncancel()
        say("viva", "stopped")
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


def print_line(console: Console, part: str, line: str) -> None:
    """Print one line behind the name of the part that wrote it, in that part's colour."""
    with console.capture() as printed:
        console.print(Text(f"{part:>7} │ ", style=_COLOURS.get(part, "")) + Text.from_ansi(line), soft_wrap=True)
    _write(console, printed.get())


def print_json_line(console: Console, part: str, line: str) -> None:
    """Print one line as a JSON object; what is one already says itself which part it is of."""
    _write(console, json_line(part, line) + "\n")


def _write(console: Console, text: str) -> None:
    """Write past the console's own buffer, which keeps what a full disk refused and writes it again with each line."""
    console.file.write(text)
    console.file.flush()


def find_livekit_server() -> Path:
    """The installed livekit-server, else the one that the set-up built.

    Raises:
        StackError: there is neither.

    """
    built = PROJECT_DIR / ".tools" / "livekit-server"
    if found := shutil.which("livekit-server"):
        return Path(found)
    if built.is_file():
        return built
    raise StackError(
        f"There is no livekit-server on PATH and none in {built.parent}: run 'make run' again, which builds it, or "
        "install it from https://docs.livekit.io/home/self-hosting/local/"
    )


def _parts(settings: Settings, http: httpx.AsyncClient) -> list[Part]:
    config = write_livekit_config(settings)
    environment = {**settings.as_environment(), **_OFFLINE}
    viva = (sys.executable, "-m", "agent.cli")
    ready_mark = settings.worker_ready_path
    parts = [
        Part(
            name="livekit",
            command=(str(find_livekit_server()), "--config", str(config)),
            environment={"LIVEKIT_KEYS": f"{settings.livekit_key}: {settings.livekit_secret}"},
            is_ready=partial(_answers, http, settings.livekit_http_url),
            ready_timeout_s=20,
            grace_s=3,
            advice="Its lines above say why; 'viva doctor' checks its ports and its configuration, livekit.yaml.",
        ),
        Part(
            name="worker",
            command=(*viva, "worker"),
            environment=environment,
            is_ready=partial(_exists, ready_mark),
            ready_timeout_s=180,
            grace_s=20,
            advice="Its lines above say why; 'viva doctor' checks the models and the data folder.",
            before_start=partial(ready_mark.unlink, missing_ok=True),
            answers=partial(_answers, http, settings.worker_url, well=False),
        ),
        Part(
            name="web",
            command=(*viva, "web"),
            environment=environment,
            is_ready=partial(_answers, http, f"{settings.web_url}/api/health"),
            ready_timeout_s=60,
            grace_s=5,
            advice="Its lines above say why; 'viva doctor' checks the pages and the data folder.",
            answers=partial(_answers, http, f"{settings.web_url}/api/health", well=False),
        ),
    ]
    if settings.phone:
        parts.append(
            Part(
                name="phone",
                command=(*viva, "phone", "line"),
                environment=environment,
                is_ready=partial(_exists, settings.phone_ready_path),
                ready_timeout_s=60,
                grace_s=10,
                advice="Its lines above say why; 'viva doctor' checks its address and its ports.",
                before_start=partial(settings.phone_ready_path.unlink, missing_ok=True),
            )
        )
    return parts


def _check_ingredients(settings: Settings) -> None:
    """Find here, with one sentence, what every process would stumble over at each of its starts."""
    try:
        ensure_models(settings)
        packs_in_force(settings)
    except (ModelError, PackError) as error:
        raise StackError(str(error)) from None
    named = {"complex_model": settings.complex_model, "fast_model": settings.fast_model}
    if any(name and not name.startswith("ollama:") for name in named.values()):
        # Importing LangChain takes a second, and Ollama's part of it is installed.
        from agent.interviews.language_models import LanguageModelError, load_tier  # noqa: PLC0415

        try:
            for setting, name in named.items():
                if name:
                    load_tier(setting, name, settings)
        except LanguageModelError as error:
            raise StackError(str(error)) from None


async def _answers(http: httpx.AsyncClient, url: str, *, well: bool = True) -> bool:
    """Whether there is an answer; and where it has to be well, one that says so: a worker's is 503 without a server."""
    try:
        return (await http.get(url)).is_success or not well
    except httpx.TransportError:
        return False


async def _exists(path: Path) -> bool:
    return path.exists()  # noqa: ASYNC240 (a look at one local file is shorter than handing it to a thread)


def is_running(settings: Settings) -> bool:
    """Whether a Viva runs on the data folder of these settings now."""
    try:
        with (settings.run_dir / "lock").open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


@contextmanager
def _data_folder(settings: Settings) -> Iterator[None]:
    """Hold the data folder: two Vivas on one would answer each other's candidates."""
    try:
        settings.run_dir.mkdir(parents=True, exist_ok=True)
        lock = (settings.run_dir / "lock").open("w")
    except OSError as error:
        raise StackError(
            f"The data folder {settings.data_dir} cannot be written ({error.strerror}): make it writable, or set "
            "data_dir to another folder"
        ) from None
    with contextlib.closing(lock):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StackError(
                f"Viva already runs on the data folder {settings.data_dir}: stop it, or set data_dir to another folder"
            ) from None
        yield
