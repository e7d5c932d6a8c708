"""Documentation against the code: what a page names exists, and each command that exists is named."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer import Typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from agent.cli.app import app as viva
from agent.cli.judge.commands import app as judging
from agent.cli.text_interview.commands import app as text_interview
from agent.rehearsal.commands import app as rehearsal
from agent.settings import ENV_PREFIX, Settings
from bench.phone.command import app as bench_phone
from bench.voice.command import app as bench_voice

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("assets/*/README.md")),
]
CODE = ("agent", "domain", "speech", "graph", "rag", "review", "training", "bench", "install", "assets", "tests")
NO_FOLDERS = ("data", ".cache", ".venv", "~", "/", "http", "application")
"""How things begin that have a slash and are none of the repository's: what a running Viva writes, addresses, types."""
OTHERS = frozenset("afplay aplay curl paplay PGPASSWORD max_connections job_id INTERVIEW QUESTION MODEL".split())
"""Names of other programs, and placeholders."""

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_PATH = re.compile(r"[\w.*-]+(/[\w.*-]+)*/?")
_NAME = re.compile(r"[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*(\(.*\))?")
_SETTINGS = re.compile(r"\bsettings? ((?:`\w+`(?:, and |, | and )?)+)")
_IN_SOURCE = re.compile(
    rf"(?<![\w/.-])(?:{'|'.join((*CODE, 'docs'))})/[\w/.-]+\.(?:py|md|yaml|svg|json|jsonl|onnx|npz)\b"
)

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def named(page: Path) -> list[str]:
    """What stands in back-ticks within the prose of a page."""
    return re.findall(r"`([^`\n]+)`", _FENCE.sub("", page.read_text(encoding="utf-8")))


def blocks(page: Path, *languages: str) -> list[str]:
    """The fenced blocks of these languages."""
    return [text for language, text in _FENCE.findall(page.read_text(encoding="utf-8")) if language in languages]


def command_lines(page: Path, program: str) -> Iterator[list[str]]:
    """Every call of a program that a page shows, in its prose or in a block, as words without the program's name."""
    lines = [*named(page), *(line for block in blocks(page, "", "bash") for line in block.splitlines())]
    for line in lines:
        words = shlex.split(line.replace("…", "").rpartition(" | ")[2], comments=True) if program in line else []
        words = words[1:] if words and "=" in words[0] else words
        if words[:1] == [program]:
            yield words[1:]


@cache
def known_names() -> frozenset[str]:
    """Every name and word of the code, of the pages' sources and of the project's configuration."""
    files = [path for room in CODE if room != "tests" for path in (ROOT / room).rglob("*.py")]
    files += (ROOT / "review/pages/src").rglob("*.ts")
    files += [ROOT / name for name in ("pyproject.toml", "Makefile", "livekit.yaml", "review/pages/openapi.json")]
    files += [*(ROOT / "agent/rehearsal/personas").glob("*.yaml"), *(ROOT / "rag/packs").glob("*.yaml")]
    words: set[str] = {part for path in files for part in (*path.relative_to(ROOT).with_suffix("").parts, path.name)}
    for path in files:
        text = path.read_text(encoding="utf-8")
        words.update(re.findall(r"\w+", text), re.findall(r"\w[\w-]*", text))
    return frozenset(words)


Command = TyperCommand | TyperGroup


def command_of(app: Typer) -> Command:
    """What a program of Typer's runs."""
    command = get_command(app)
    assert isinstance(command, Command)
    return command


@cache
def commands() -> Mapping[str, Command]:
    """All commands of `viva` by their words: `pack lint`, `judge batch`, `up`."""
    found: dict[str, Command] = {}
    apart = {"judge": judging, "interview": text_interview, "rehearse": rehearsal}
    waiting = [("", command_of(viva))]
    while waiting:
        name, command = waiting.pop()
        command = found[name] = command_of(apart[name]) if name in apart else command
        for word, inner in command.commands.items() if isinstance(command, TyperGroup) else ():
            assert isinstance(inner, Command)
            waiting.append((f"{name} {word}".strip(), inner))
    return found


def options(command: Command) -> set[str]:
    """The options of a command."""
    return {"--help", *(option for each in command.params for option in (*each.opts, *each.secondary_opts))}


@pages
def test_every_path_exists(page: Path) -> None:
    """A file or folder that a page names in back-ticks is there, from the root or beside the page."""
    paths = [name.rstrip("/") for name in named(page) if "/" in name or name.endswith(".py")]
    paths = [path for path in paths if _PATH.fullmatch(path) and not path.startswith(NO_FOLDERS)]
    assert [path for path in paths if not [*ROOT.glob(path), *page.parent.glob(path)]] == []


@pages
def test_every_link_leads_somewhere(page: Path) -> None:
    """A link to another page finds it, and the heading that it names."""
    for link in _LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in link:
            continue
        file, _, heading = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), link
        titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE) if heading else []
        assert not heading or heading in [re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles]


@pages
def test_every_name_is_one_of_the_code(page: Path) -> None:
    """A class, function, setting, field, event or problem that a page names in back-ticks is in the code."""
    names = [name.partition("(")[0] for name in named(page) if _NAME.fullmatch(name)]
    names = [name for name in names if not name.startswith("viva_") and not (ROOT / name).exists()]
    known = known_names() | OTHERS
    assert [name for name in names if name not in known and not known.issuperset(name.split("."))] == []


@pages
def test_every_command_exists(page: Path) -> None:
    """A call of `viva` names a command that there is, and options that it has."""
    known = commands()
    for words in command_lines(page, "viva"):
        name = " ".join(words[:2]) if " ".join(words[:2]) in known else " ".join(words[:1])
        assert name in known, words
        command = known[name]
        assert not isinstance(command, TyperGroup) or len(words) < 2 or words[1].startswith("-"), words
        assert {word for word in words if word.startswith("--")} <= options(command), words


@pages
def test_every_option_exists(page: Path) -> None:
    """An option that stands by itself is one of a command's or of a benchmark's."""
    known = {option for command in commands().values() for option in options(command)}
    known |= options(command_of(bench_voice)) | options(command_of(bench_phone))
    assert {option for name in named(page) for option in re.findall(r"^--[\w-]+", name)} <= known


def test_every_command_is_in_the_readme() -> None:
    """The table of the README has a row for each command of `viva --help`."""
    rows = re.findall(r"^\| (`viva [^|]*) \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    listed = {words.split()[1].rstrip("`") for row in rows for words in re.findall(r"`viva [^`]*`", row)}
    assert listed == {name for name in commands() if name and " " not in name}


@pytest.mark.parametrize("name", ["", "rehearse", "interview", "judge batch", "pack lint", "voices check", "traces"])
def test_a_command_explains_itself(name: str) -> None:
    """Each kind of command has `--help`, those that are handed over to another program as well."""
    done = CliRunner().invoke(viva, [*name.split(), "--help"])
    assert done.exit_code == 0
    assert "Usage: viva" in done.output


@pytest.mark.parametrize(
    "call",
    [
        "config",
        "packs",
        "rehearse --help",
        *(pytest.param(call, marks=pytest.mark.slow) for call in ("graph", "voices list")),
    ],
)
def test_what_the_readme_tells_to_run_runs(call: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A command of the README that changes nothing and waits for nobody does its work as it stands there."""
    assert call.split() in list(command_lines(ROOT / "README.md", "viva"))
    monkeypatch.setenv("VIVA_DATA_DIR", str(tmp_path))
    done = CliRunner().invoke(viva, call.split())
    assert done.exit_code == 0, done.output
    assert done.output


def test_every_folder_is_in_the_readme() -> None:
    """The README says of each top-level folder what it is for."""
    passing = {"data", "build", "dist"}
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.endswith(".egg-info")}
    named_there = {name.rstrip("/") for name in named(ROOT / "README.md")}
    assert {name for name in folders - passing if not name.startswith((".", "_"))} <= named_there


@pages
def test_every_target_of_make_exists(page: Path) -> None:
    """What a page tells to run with `make` is in the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for words in command_lines(page, "make"):
        assert set(words[:1]) <= targets, words


@pages
def test_every_module_that_is_run_exists(page: Path) -> None:
    """What a page tells to run with `python -m` is there."""
    for module, first in re.findall(r"python3? -m ([\w.]+) ?(\w*)", page.read_text(encoding="utf-8")):
        assert find_spec(f"bench.{first}" if module == "bench" and first else module), module


@pages
def test_every_setting_exists(page: Path) -> None:
    """What a page calls a setting, gives a value in `viva.toml`, or names as a variable is a setting."""
    text = page.read_text(encoding="utf-8")
    values = [line for block in blocks(page, "toml") for line in block.splitlines()]
    values += [name for name in named(page) if re.fullmatch(r"[a-z_]+ = .*", name)]
    found = {line.partition(" = ")[0] for line in values if re.match(r"[a-z_]+ = ", line)}
    found |= {name for names in _SETTINGS.findall(text) for name in re.findall(r"`(\w+)`", names)}
    found |= {name.lower() for name in re.findall(rf"\b{ENV_PREFIX}([A-Z_]+)=", text)}
    assert found <= set(Settings.model_fields)


def test_every_file_that_the_code_names_exists() -> None:
    """A docstring, a comment or a message that names a file of the repository names one that is there."""
    files = [path for room in CODE for path in (ROOT / room).rglob("*.py") if "node_modules" not in path.parts]
    for path in (*files, ROOT / "Makefile", ROOT / "pyproject.toml", ROOT / "livekit.yaml"):
        for name in _IN_SOURCE.findall(path.read_text(encoding="utf-8")):
            assert (ROOT / name).exists(), f"{path.relative_to(ROOT)} names {name}"
