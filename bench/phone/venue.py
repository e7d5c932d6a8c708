"""Where it is measured: a Viva of its own with its line, and the relay between the line and the telephones."""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from agent.phone.line.setting_values import parse_ports
from agent.processes.stack import StackError, free_ports_settings, running_stack
from agent.rehearsal.client import VivaApi
from agent.settings import Settings
from bench.phone.relay import HOST, Network, Relay, relaying
from bench.voice.venue import AWAY_TIMEOUT_S, PACK, Venue
from rag import load_packs
from rag.packs.pack import Pack

LINE_PARTS = ("livekit", "phone")
"""What calls without an interview need."""
_RTP_PORTS = range(20_000, 28_000, 2)
_CALLS = 8
"""Pairs of RTP ports: more than are needed, because the line draws from them by chance."""
_WITHOUT_MODELS: dict[str, Any] = {"judge": "built-in", "complex_model": "", "fast_model": "", "metrics": False}


@dataclass(frozen=True, slots=True)
class PhoneVenue:
    """Running."""

    settings: Settings
    relay: Relay

    @property
    def address(self) -> str:
        """What telephones dial, through the relay."""
        return f"sip:viva@{HOST}:{self.settings.phone_port}"


def pack_of_key_points(count: int) -> Pack:
    """The first questions of the pack, each topic's in turn, without follow-ups.

    The model answer is what its key points say, so that an answer touches all that was asked in half of the time.
    """
    pack = load_packs()[PACK]
    by_topic: dict[str, list[Any]] = {}
    for question in pack.questions:
        by_topic.setdefault(question.topic, []).append(question)
    ranked = sorted((place, topic, each) for topic, group in by_topic.items() for place, each in enumerate(group))
    chosen = [
        question.model_copy(update={"follow_ups": [], "model_answer": " ".join(question.key_points)})
        for _, _, question in ranked[:count]
    ]
    used = {topic for _, topic, _ in ranked[:count]}
    topics = [topic for topic in pack.topics if topic.id in used]
    return pack.model_copy(update={"questions": chosen, "topics": topics})


def line_settings(folder: Path, **more: Any) -> Settings:
    """Settings of a Viva whose line speaks PCMU, and tells telephones the relay's address."""
    first = random.choice(_RTP_PORTS)
    ports = f"{first}-{first + 2 * _CALLS - 1}"
    return free_ports_settings(
        folder / "viva", phone=True, phone_codecs="PCMU", phone_advertised=HOST, phone_rtp_ports=ports,
        phone_invites_per_s=20, **{**_WITHOUT_MODELS, **more},
    )  # fmt: skip


@asynccontextmanager
async def open_line(folder: Path, network: Network) -> AsyncIterator[PhoneVenue]:
    """livekit-server and the line, without an interviewer.

    Raises:
        StackError: a program is missing or does not start.
        RelayError: the relay cannot listen.
    """
    settings = line_settings(folder)
    async with _relay_of(settings, network) as relay, _stack(settings, folder, only=LINE_PARTS):
        yield PhoneVenue(settings, relay)


@asynccontextmanager
async def open_viva(folder: Path, pack: Pack, network: Network) -> AsyncIterator[tuple[PhoneVenue, Venue]]:
    """All of Viva, to be called and to be entered.

    Args:
        folder: of this run.
        pack: the only one it asks from.
        network: between telephone and line; the browser's path is none of it.

    Raises:
        StackError: a program is missing or does not start.
        RelayError: the relay cannot listen.
    """
    packs = folder / "packs"
    packs.mkdir(parents=True, exist_ok=True)
    (packs / f"{pack.id}.yaml").write_text(yaml.safe_dump(pack.model_dump(mode="json"), sort_keys=False))
    settings = line_settings(folder, packs_dir=packs, interviews_at_once=8, away_timeout_s=AWAY_TIMEOUT_S)
    async with (
        _relay_of(settings, network) as relay,
        _stack(settings, folder),
        VivaApi(settings.web_url) as api,
    ):
        yield PhoneVenue(settings, relay), Venue(settings, api, {}, folder / "servers.log")


def _relay_of(settings: Settings, network: Network) -> AbstractAsyncContextManager[Relay]:
    return relaying(network, sip_port=settings.phone_port, rtp_ports=parse_ports(settings.phone_rtp_ports))


@asynccontextmanager
async def _stack(settings: Settings, folder: Path, only: tuple[str, ...] = ()) -> AsyncIterator[None]:
    folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 (before anything runs)
    log = folder / "servers.log"
    with log.open("w", encoding="utf-8", buffering=1) as out:

        def say(part: str, line: str) -> None:
            out.write(f"{time.time():.3f} {part} {line}\n")

        try:
            async with running_stack(settings, say=say, only=only):
                yield
        except StackError as error:
            raise StackError(f"{error} The lines are in {log}.") from None
