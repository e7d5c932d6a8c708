"""`viva phone setup`: livekit-server is told how livekit-sip takes calls, once and for all."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
import yaml
from livekit.api import LiveKitAPI
from livekit.api.sip_service import SipService
from livekit.protocol.sip import (
    SIP_MEDIA_ENCRYPT_REQUIRE,
    CreateSIPDispatchRuleRequest,
    CreateSIPInboundTrunkRequest,
    ListSIPDispatchRuleRequest,
    ListSIPDispatchRuleResponse,
    ListSIPInboundTrunkRequest,
    ListSIPInboundTrunkResponse,
    SIPDispatchRuleInfo,
    SIPInboundTrunkInfo,
    SIPMediaConfig,
)
from typer.testing import CliRunner

from agent.cli.app import app
from agent.phone.livekit_sip import SipSetupError, TrunkWish, brought_up_to_date, set_up
from agent.processes import livekit_server
from agent.settings import Settings
from install.telephones import REDIS, find_program
from tests.agent.livekit_server import running_livekit

WISH = TrunkWish(numbers=["+49301234"], addresses=["192.0.2.0/24"], user="viva", password="secret", srtp="require")


class KeptSip(SipService):
    """livekit-server's part of it, in memory: gives ids, adds an empty `media`, and counts what is written."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        super().__init__(session, "http://127.0.0.1:1", "key", "secret" * 8)
        self.trunks: dict[str, SIPInboundTrunkInfo] = {}
        self.rules: dict[str, SIPDispatchRuleInfo] = {}
        self.writes = 0

    async def list_inbound_trunk(self, list: ListSIPInboundTrunkRequest) -> ListSIPInboundTrunkResponse:  # noqa: A002 - its name there
        return ListSIPInboundTrunkResponse(items=self.trunks.values())

    async def list_dispatch_rule(self, list: ListSIPDispatchRuleRequest) -> ListSIPDispatchRuleResponse:  # noqa: A002 - as above
        return ListSIPDispatchRuleResponse(items=self.rules.values())

    async def create_inbound_trunk(self, create: CreateSIPInboundTrunkRequest) -> SIPInboundTrunkInfo:
        return await self.update_inbound_trunk(f"ST_{len(self.trunks)}", create.trunk)

    async def create_dispatch_rule(self, create: CreateSIPDispatchRuleRequest) -> SIPDispatchRuleInfo:
        return await self.update_dispatch_rule(f"SDR_{len(self.rules)}", create.dispatch_rule)

    async def update_inbound_trunk(self, trunk_id: str, trunk: SIPInboundTrunkInfo) -> SIPInboundTrunkInfo:
        self.writes += 1
        kept = self.trunks[trunk_id] = SIPInboundTrunkInfo(sip_trunk_id=trunk_id)
        kept.MergeFrom(trunk)
        return kept

    async def update_dispatch_rule(self, rule_id: str, rule: SIPDispatchRuleInfo) -> SIPDispatchRuleInfo:
        self.writes += 1
        kept = self.rules[rule_id] = SIPDispatchRuleInfo(sip_dispatch_rule_id=rule_id, media=SIPMediaConfig())
        kept.MergeFrom(rule)
        return kept


@pytest.fixture
async def session() -> aiohttp.ClientSession:
    """A session that is never used."""
    return aiohttp.ClientSession()


async def test_setting_up_again_adds_nothing(session: aiohttp.ClientSession) -> None:
    """What is there is brought up to date, and left alone when it is."""
    async with session:
        sip = KeptSip(session)
        first = await brought_up_to_date(sip, WISH)
        assert (first.trunk, first.rule) == ("made", "made")
        again = await brought_up_to_date(sip, WISH)
        assert (again.trunk, again.rule, sip.writes) == ("unchanged", "unchanged", 2)
        other = await brought_up_to_date(sip, replace(WISH, numbers=["+49305678"], srtp="off"))
        assert (other.trunk, other.rule) == ("changed", "unchanged")
        assert (other.trunk_id, other.rule_id) == (first.trunk_id, first.rule_id)
        assert [list(each.numbers) for each in sip.trunks.values()] == [["+49305678"]]


async def test_what_others_have_made_is_left_alone(session: aiohttp.ClientSession) -> None:
    """Only what is called `viva` is ours."""
    async with session:
        sip = KeptSip(session)
        sip.trunks["ST_x"] = SIPInboundTrunkInfo(sip_trunk_id="ST_x", name="theirs", numbers=["1"])
        sip.rules["SDR_x"] = SIPDispatchRuleInfo(sip_dispatch_rule_id="SDR_x", name="theirs")
        await brought_up_to_date(sip, WISH)
        assert {each.name for each in sip.trunks.values()} == {"theirs", "viva"}
        assert sip.trunks["ST_x"].numbers == ["1"]
        assert {each.name for each in sip.rules.values()} == {"theirs", "viva"}


async def test_each_call_gets_a_room_with_the_interviewer_and_nobody_sees_a_pin(session: aiohttp.ClientSession) -> None:
    """The rule has none, and its rooms are named after nobody who calls."""
    async with session:
        sip = KeptSip(session)
        made = await brought_up_to_date(sip, WISH)
        rule, trunk = sip.rules[made.rule_id], sip.trunks[made.trunk_id]
    callee = rule.rule.dispatch_rule_callee
    assert (callee.room_prefix, callee.randomize, callee.pin) == ("call-", True, "")
    assert list(rule.trunk_ids) == [made.trunk_id]
    (agent,) = rule.room_config.agents
    assert (agent.agent_name, json.loads(agent.metadata)) == ("viva-interviewer", {"phone": True})
    assert trunk.media.encryption == SIP_MEDIA_ENCRYPT_REQUIRE
    assert (trunk.auth_username, list(trunk.allowed_addresses)) == ("viva", ["192.0.2.0/24"])


async def test_a_trunk_that_takes_everybody_is_refused(tmp_path: Path) -> None:
    """Before anything is asked of the server."""
    with pytest.raises(SipSetupError, match="--number, --allow or --user"):
        await set_up(Settings(data_dir=tmp_path), TrunkWish())


async def test_a_server_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    """With what to do."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        settings = Settings(data_dir=tmp_path, livekit_port=taken.getsockname()[1])
        with pytest.raises(SipSetupError, match="viva up"):
            await set_up(settings, WISH)


@pytest.mark.slow
async def test_livekit_server_without_redis_knows_nothing_of_sip(livekit: Settings) -> None:
    """The real one says so, and the sentence says what to do."""
    with pytest.raises(SipSetupError, match="livekit\\.yaml"):
        await set_up(livekit, WISH)


@contextmanager
def livekit_with_redis(folder: Path) -> Iterator[Settings]:
    """livekit-server as it runs beside livekit-sip, with a Redis of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = find_program(REDIS)
    assert program is not None, "Redis is missing; `python3 -m install test` installs it"
    redis = subprocess.Popen(
        ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""],
        executable=program, cwd=folder, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    template = folder / "livekit.yaml"
    plain = yaml.safe_load(livekit_server.TEMPLATE.read_text(encoding="utf-8"))
    template.write_text(yaml.safe_dump({**plain, "redis": {"address": f"127.0.0.1:{port}"}}), encoding="utf-8")
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(livekit_server.write_livekit_config, "__defaults__", (template,))
            with running_livekit(folder) as settings:
                yield settings
    finally:
        redis.kill()
        redis.wait()


@pytest.mark.slow
async def test_livekit_server_takes_the_set_up(tmp_path: Path) -> None:
    """The real one, by the command as by the call, as often as it is run."""
    with livekit_with_redis(tmp_path) as settings:
        first = await set_up(settings, WISH)
        assert (first.trunk, first.rule) == ("made", "made")
        again = await set_up(settings, WISH)
        assert (again.trunk, again.rule) == ("unchanged", "unchanged")
        environment = {**os.environ, **settings.as_environment()}
        call = ["phone", "setup", "--number", "+1", "--user", "viva", "--json"]
        done = await asyncio.to_thread(CliRunner().invoke, app, call, input="other\n", env=environment)
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout) == {
            "trunk_id": first.trunk_id, "trunk": "changed", "rule_id": first.rule_id, "rule": "unchanged",
        }  # fmt: skip
        async with LiveKitAPI(settings.livekit_http_url, settings.livekit_key, settings.livekit_secret) as api:
            (trunk,) = (await api.sip.list_inbound_trunk(ListSIPInboundTrunkRequest())).items
            (rule,) = (await api.sip.list_dispatch_rule(ListSIPDispatchRuleRequest())).items
        assert (list(trunk.numbers), trunk.auth_password, list(trunk.allowed_addresses)) == (["+1"], "other", [])
        assert rule.rule.dispatch_rule_callee.randomize
