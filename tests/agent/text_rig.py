"""Interviews by text with everything around the graph scripted: what the tests of the API and its client share."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from agent.http.app import make_app
from agent.http.text.host_loading import HostLoader
from agent.interviews.context import make_setup
from agent.interviews.host import InterviewHost
from agent.settings import Settings
from domain.events import Event, InterviewCreated
from domain.progress import Setup
from domain.question import Question
from domain.verdict import Verdict
from graph import InterviewContext, build_graph, sqlite_checkpointer
from graph.judging import JudgePanel
from rag import Pack
from review import RecordStore
from tests.graph.fakes import PackQuestions, ScriptedDetector, ScriptedJudge, WordEmbedder, tea_pack

PACKS = Path(__file__).parent.parent / "graph" / "data"
API = "/api/v1/interview"
GOOD = "good answer about the oxidation of tea leaves"


class HeldJudge(ScriptedJudge):
    """Judges when the gate is open, and fails as often as it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.asked = asyncio.Event()
        """Somebody waits for a verdict."""
        self.failures: list[BaseException] = []

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        self.asked.set()
        await self.gate.wait()
        if self.failures:
            raise self.failures.pop()
        return await super().verdicts(question, words)


@dataclass
class TextRig:
    """A web process in a temporary folder."""

    data_dir: Path
    judge: HeldJudge = field(default_factory=HeldJudge)
    overrides: dict[str, Any] = field(default_factory=dict)
    on_load: Callable[[], Any] | None = None
    """Called while the models would be loaded; what it returns is awaited."""
    patience_s: float = 5.0
    packs: Mapping[str, Pack] = field(default_factory=lambda: {"tea": tea_pack()})
    """What the interviews are about; those of the folder `packs_dir` of the settings."""

    @property
    def settings(self) -> Settings:
        """Of this process."""
        return Settings(**{"data_dir": self.data_dir, "packs_dir": PACKS, **self.overrides})

    def app(self) -> FastAPI:
        """The application, as if it had just been started."""
        return make_app(self.settings, HostLoader(self.settings, self._load, patience_s=self.patience_s))

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[httpx.AsyncClient]:
        """A client of the application, from its start to its end."""
        app = self.app()
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=("127.0.0.1", 50000))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://viva") as client,
        ):
            yield client

    def events(self, session_id: str) -> list[Event]:
        """What the record has of a session."""
        store = RecordStore(self.settings.record_path)
        events = [stored.event for stored in store.events(session_id)]
        store.close()
        return events

    def append(self, session_id: str, event: Event) -> None:
        """Write into the record."""
        store = RecordStore(self.settings.record_path)
        store.append(session_id, event)
        store.close()

    async def _load(self, settings: Settings, opened: AsyncExitStack) -> InterviewHost:
        if self.on_load is not None:
            await self.on_load()
        checkpointer = await opened.enter_async_context(sqlite_checkpointer(settings.checkpoint_path))
        graph = build_graph(checkpointer, pause_for_review=settings.human_review != "off")

        async def context(pack: Pack, emit: Callable[[Event], None], clock: Callable[[], float]) -> InterviewContext:
            return InterviewContext(
                pack=pack,
                questions=PackQuestions(pack),
                embedder=WordEmbedder(),
                detector=ScriptedDetector(),
                judges=JudgePanel(self.judge),
                clock=clock,
                emit=emit,
                patience=settings.patience,
                slow_selector_s=settings.slow_selector_s,
            )

        def setup(session_id: str, created: InterviewCreated) -> Setup:
            return make_setup(session_id, created, settings)

        return InterviewHost(settings, graph, checkpointer, packs=self.packs, make_context=context, make_setup=setup)


@dataclass
class Session:
    """A candidate's side of one interview."""

    client: httpx.AsyncClient
    started: dict[str, Any]
    heard: list[Any] = field(default_factory=list)
    """Every body and event the candidate got."""

    @property
    def id(self) -> str:
        """The session's id."""
        return str(self.started["session_id"])

    @property
    def headers(self) -> dict[str, str]:
        """What lets the candidate in."""
        return {"Authorization": f"Bearer {self.started['token']}"}

    def through(self, client: httpx.AsyncClient) -> Session:
        """The same candidate, at a web process that was started again."""
        return Session(client, self.started, self.heard)

    async def post(self, path: str, **body: Any) -> httpx.Response:
        """Call something of this session's."""
        answer = await self.client.post(f"{API}{path}", json={"session_id": self.id, **body}, headers=self.headers)
        self.heard.append(answer.json() if "json" in answer.headers["content-type"] else answer.text)
        return answer

    async def say(self, response: str, **more: Any) -> dict[str, Any]:
        """Say something, and get what came of it."""
        answer = await self.post("/submit_response", response=response, **more)
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body

    async def stream(self, response: str, **more: Any) -> list[tuple[str, dict[str, Any]]]:
        """Say something, and get the events in order, without those that only keep the line open."""
        answer = await self.post("/submit_response/stream", response=response, **more)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].startswith("text/event-stream")
        events = parse_events(answer.text)
        self.heard[-1] = [data for _, data in events]
        return events

    async def resume(self) -> httpx.Response:
        """Ask what came of the last turn."""
        answer = await self.client.post(f"{API}/{self.id}/resume", headers=self.headers)
        self.heard.append(answer.json())
        return answer

    async def resume_when_free(self) -> httpx.Response:
        """The same, as soon as the answer is handled that is being handled."""
        async with asyncio.timeout(20):
            while (answer := await self.resume()).status_code == 409:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
        return answer

    async def get(self, path: str = "") -> httpx.Response:
        """Look at the session."""
        answer = await self.client.get(f"{API}/{self.id}{path}", headers=self.headers)
        self.heard.append(answer.json())
        return answer


async def begun(client: httpx.AsyncClient, **wanted: Any) -> Session:
    """An interview that has asked its first question."""
    answer = await client.post(f"{API}/start", json={"candidate_name": "Ada", **wanted})
    assert answer.status_code == 201, answer.text
    return Session(client, answer.json(), [answer.json()])


def parse_events(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The server-sent events of a finished stream."""
    blocks = [block.split("\n") for block in text.strip().split("\n\n")]
    fields = [dict(line.split(": ", 1) for line in block if not line.startswith(":")) for block in blocks]
    return [(each["event"], json.loads(each["data"])) for each in fields if each]


async def until(happened: Callable[[], bool]) -> None:
    """Wait for something that nobody tells."""
    async with asyncio.timeout(20):
        while not happened():  # noqa: ASYNC110 - see above
            await asyncio.sleep(0.01)
