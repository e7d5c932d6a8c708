"""Examples of docs/api.md, run in their order as they stand there: what the page shows is what comes back."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import yaml
from typer.testing import CliRunner

from agent.cli.app import app as viva
from agent.cli.text_interview.script import Script
from agent.http.problems import KINDS
from agent.http.text.schemas import StartRequest
from rag.packs.pack import load_packs
from tests.agent.text_rig import TextRig
from tests.web_server import served

PAGE = (Path(__file__).parents[3] / "docs" / "api.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")}
HELD, STREAMED, BROKEN, REPORTED, REVIEWED = (
    "An interview with curl", "As it happens", "When something breaks", "The report", "Turns that wait for a person",
)  # fmt: skip

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"(GET|POST|PUT|DELETE) (/api/[\w/{}]+)")


def curl() -> argparse.ArgumentParser:
    """The options of curl that the page uses."""
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("-s", "-N", action="store_true")
    parser.add_argument("-X", dest="method")
    parser.add_argument("-H", dest="headers", action="append", default=[])
    parser.add_argument("-d", dest="body")
    return parser


@dataclass(frozen=True)
class Example:
    """A call of the page."""

    command: str
    shown: str
    """What the page shows as its answer; empty where it shows nothing."""

    def sent(self, known: dict[str, str]) -> httpx.Request:
        """The request that curl would send."""
        words = shlex.split(self.command)[1:]
        for name, value in known.items():
            words = [word.replace(f"${name}", value) for word in words]
        given = curl().parse_args(words)
        return httpx.Request(
            given.method or ("POST" if given.body else "GET"),
            f"http://viva{urlsplit(given.url).path}",
            headers=[tuple(header.split(": ", 1)) for header in given.headers],
            content=given.body,
        )


def examples(section: str) -> list[Example]:
    """The calls of a section, each with the block after it that shows an answer."""
    found: list[Example] = []
    for language, text in _BLOCK.findall(SECTIONS[section]):
        commands = re.findall(r"^curl .*$", text.replace("\\\n", " "), re.MULTILINE)
        if not commands and (language == "json" or text.startswith("event: ")):
            found[-1] = Example(found[-1].command, text)
        found += [Example(command, "") for command in commands]
    return found


def keys(value: Any) -> set[str]:
    """Every key of a JSON value, at any depth."""
    if isinstance(value, dict):
        return set(value) | {key for each in value.values() for key in keys(each)}
    return {key for each in value for key in keys(each)} if isinstance(value, list) else set()


def missing(shown: Any, real: Any) -> list[str]:
    """Fields that are shown and are not there; what is null this time has none."""
    if isinstance(shown, dict) and isinstance(real, dict):
        there = [field for each in shown.keys() & real.keys() for field in missing(shown[each], real[each])]
        return [*(shown.keys() - real.keys()), *there]
    return []


def told(stream: str) -> list[tuple[str, Any]]:
    """The events of a stream: names, and data."""
    return re.findall(r"^event: (\w+)\ndata: (.*)\nid: [\d.]+$", stream.replace("\r\n", "\n"), re.MULTILINE)


def assert_as_shown(answer: httpx.Response, shown: str) -> None:
    """The answer has every field that is shown; of a stream, each of its events has."""
    if not shown.startswith("event: "):
        assert missing(json.loads(shown or "{}"), answer.json()) == []
        return
    events = {name: keys(json.loads(data)) for name, data in told(answer.text)}
    for name, data in told(shown):
        assert set(re.findall(r'"(\w+)":', data)) <= events[name], name


@pytest.fixture
def rig(tmp_path: Path) -> TextRig:
    """A web process with the packs that come with Viva, and a scripted judge."""
    return TextRig(tmp_path, overrides={"packs_dir": None}, packs=load_packs())


async def run(client: httpx.AsyncClient, section: str, known: dict[str, str]) -> list[httpx.Response]:
    """Run the calls of a section; the session and token of an interview that begins are known from then on."""
    answers = []
    for example in examples(section):
        answer = await client.send(example.sent(known))
        assert answer.is_success, f"{example.command}: {answer.text}"
        assert_as_shown(answer, example.shown)
        if "token" in (body := answer.json() if "json" in answer.headers["content-type"] else {}):
            known.update(SESSION=body["session_id"], TOKEN=body["token"])
        answers.append(answer)
    return answers


async def test_an_interview_goes_as_the_page_shows(rig: TextRig) -> None:
    """Begun, answered, followed as a stream and resumed, with the fields that are shown; and over, with its problem."""
    known: dict[str, str] = {}
    async with rig.serving() as client:
        for section in (HELD, STREAMED, BROKEN):
            assert await run(client, section, known)
        ended, report = await run(client, REPORTED, known)
        refused = await client.send(examples(HELD)[-1].sent(known))
    assert set(re.findall(r"`([a-z_]+)(?:: null)?`", SECTIONS["The report"])) <= keys(ended.json())
    assert report.json() == ended.json()["final_report"]
    ((_, problem),) = _BLOCK.findall(SECTIONS["Problems"])
    shown = json.loads(problem)
    assert refused.headers["content-type"] == "application/problem+json"
    assert {**shown, "detail": "", "request_id": ""} == {**refused.json(), "detail": "", "request_id": ""}


async def test_a_turn_is_released_as_the_page_shows(rig: TextRig) -> None:
    """The host finds the turn that waits and lets it go; then `resume` has the next question."""
    rig.overrides["human_review"] = "all"
    known: dict[str, str] = {}
    async with rig.serving() as client:
        assert (await run(client, HELD, known))[-1].json()["waits_for_review"]
        waiting, _ = await run(client, REVIEWED, known)
        assert [turn["session_id"] for turn in waiting.json()] == [known["SESSION"]]
        (resumed,) = await run(client, BROKEN, known)
    assert resumed.json()["next_question"]


async def test_every_call_and_problem_of_the_page_exists(rig: TextRig) -> None:
    """Each call is served and each call of `/api/v1` is named; all problems stand beside their status."""
    async with rig.serving() as client:
        paths = (await client.get("/openapi.json")).json()["paths"]
    served_calls = {(method.upper(), path) for path, calls in paths.items() for method in calls}
    statuses: dict[str, int] = {}
    for status, row in re.findall(r"^\| ([\d, ]+) \| (.*) \|$", SECTIONS["Problems"], re.MULTILINE):
        # With two statuses in a row, what belongs to the second stands after a semicolon.
        for one, names in zip(status.split(", "), row.split("; "), strict=False):
            statuses |= dict.fromkeys(re.findall(r"`([a-z0-9]+(?:-[a-z0-9]+)+)`", names), int(one))
    assert statuses == {name: kind.status for name, kind in KINDS.items()}
    named = set(_CALL.findall(PAGE))
    by_shape = {(method, re.sub(r"\{\w+\}", "{}", path)) for method, path in served_calls}
    assert {(method, re.sub(r"\{\w+\}", "{}", path)) for method, path in named} <= by_shape
    of_v1 = {call for call in served_calls if call[1].startswith("/api/v1/") and "/problems/" not in call[1]}
    assert of_v1 <= named


def test_every_field_of_a_start_is_named() -> None:
    """The table of what can be wished has every field that is taken, and no other."""
    rows = re.findall(r"^\| (`.*`) \| ", SECTIONS[HELD], re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", " ".join(rows))) == set(StartRequest.model_fields)


def test_the_script_of_the_page_holds_an_interview(
    rig: TextRig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The script and the call with it, as they stand there, hold an interview and write it down."""
    blocks = [text for language, text in _BLOCK.findall(SECTIONS["`viva interview --text`"]) if language == "yaml"]
    script = Script.model_validate(yaml.safe_load(blocks[0]))
    asked = {turn.question for turn in script.turns if turn.question}
    assert asked <= {question.id for question in rig.packs["backend"].questions}
    (call,) = re.findall(r"^viva interview (.*--script.*)$", SECTIONS["`viva interview --text`"], re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "turns.yaml").write_text(blocks[0], encoding="utf-8")

    with served(rig.app()) as address:
        done = CliRunner().invoke(viva, ["interview", *shlex.split(call), "--url", address])

    assert done.exit_code == 0, done.output
    written = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert written["turns"]
