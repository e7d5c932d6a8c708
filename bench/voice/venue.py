"""Where candidates are interviewed: a real livekit-server, Viva's worker and web, and beside them the default's worker.

Both sides are there all the time, so that their conversations can take turns in one run.
"""

from __future__ import annotations

import itertools
import secrets
import shutil
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, TextIO

import psutil
from livekit.api import AccessToken, VideoGrants
from livekit.protocol.agent_dispatch import RoomAgentDispatch
from livekit.protocol.room import RoomConfiguration

from agent.processes.stack import free_ports_settings, running_stack
from agent.processes.supervisor import Part, Say, StackError, Supervisor
from agent.rehearsal.client import VivaApi, WantedInterview
from agent.settings import Settings
from agent.worker.tokens import CANDIDATE
from bench.voice.default_cascade import AGENT_NAME, PACK
from bench.voice.figures import Side

MINUTES = 60
"""Long enough for no conversation to be ended by the clock."""
AWAY_TIMEOUT_S = 1.0
"""A candidate who has left does not come back: the interview ends, so that it costs the next one nothing."""


@dataclass(frozen=True, slots=True)
class Admission:
    """What a candidate needs to enter a room."""

    url: str
    token: str
    interview_id: str


@dataclass(slots=True)
class Venue:
    """Both sides, running."""

    settings: Settings
    api: VivaApi
    pids: dict[Side, int]
    log: Path
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    async def admit(self, side: Side) -> Admission:
        """A room of its own on this side, with an interviewer on the way to it.

        Raises:
            VivaApiError: Viva refuses.
        """
        if side == "default":
            name = f"default-{next(self._numbers)}-{secrets.token_hex(4)}"
            return Admission(self.settings.livekit_ws_url, _token(self.settings, name), name)
        created = await self.api.create(
            WantedInterview(name="Robin", pack=PACK, minutes=MINUTES, feedback="interviewer")
        )
        return Admission(created.livekit_url, created.token, created.interview_id)

    def process(self, side: Side) -> psutil.Process:
        """The worker of this side."""
        return psutil.Process(self.pids[side])


@asynccontextmanager
async def open_venue(folder: Path, **overrides: Any) -> AsyncIterator[Venue]:
    """Start everything on free ports, with data in a folder, and stop it in any case.

    Args:
        folder: of this run.
        overrides: settings of both sides by name.

    Raises:
        StackError: a program is missing or does not start.
    """
    shared: dict[str, Any] = {"away_timeout_s": AWAY_TIMEOUT_S, "metrics": False, **overrides}
    own = free_ports_settings(folder / "viva", **shared)
    folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 (before anything runs)
    log = folder / "servers.log"
    with log.open("w", encoding="utf-8", buffering=1) as out:
        async with AsyncExitStack() as opened:
            try:
                stack = await opened.enter_async_context(running_stack(own, say=_writer(out)))
                default_pid = await opened.enter_async_context(_default(own, folder, shared, out))
            except StackError as error:
                raise StackError(f"{error} The lines are in {log}.") from None
            api = await opened.enter_async_context(VivaApi(own.web_url))
            yield Venue(own, api, {"Viva": stack.pid("worker"), "default": default_pid}, log)


@asynccontextmanager
async def _default(own: Settings, folder: Path, shared: dict[str, Any], out: TextIO) -> AsyncIterator[int]:
    free = free_ports_settings(folder / "default", **shared)
    of_server = {name: getattr(own, name) for name in ("livekit_port", "livekit_tcp_port", "livekit_udp_port")}
    settings = free.model_copy(update=of_server)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    # The same server is entered with the same secret.
    shutil.copyfile(own.data_dir / "livekit.secret", settings.data_dir / "livekit.secret")

    async def is_ready() -> bool:
        return settings.worker_ready_path.exists()

    part = Part(
        name="default",
        command=(sys.executable, "-m", "bench.voice.default_cascade"),
        environment={**settings.as_environment(), "HF_HUB_OFFLINE": "1", "PYTHONUNBUFFERED": "1"},
        is_ready=is_ready,
        ready_timeout_s=180,
        grace_s=20,
        advice="Its lines say why.",
    )
    supervisor = Supervisor([part], say=_writer(out))
    try:
        await supervisor.start()
        yield supervisor.pid("default")
    finally:
        await supervisor.stop()


def _writer(out: TextIO) -> Say:
    def say(part: str, line: str) -> None:
        out.write(f"{time.time():.3f} {part} {line}\n")

    return say


def _token(settings: Settings, name: str) -> str:
    room = f"room-{name}"
    return (
        AccessToken(settings.livekit_key, settings.livekit_secret)
        .with_identity(CANDIDATE)
        .with_ttl(timedelta(hours=4))
        .with_grants(VideoGrants(room_join=True, room=room, can_publish=True, can_subscribe=True))
        .with_room_config(RoomConfiguration(agents=[RoomAgentDispatch(agent_name=AGENT_NAME, metadata=name)]))
        .to_jwt()
    )
