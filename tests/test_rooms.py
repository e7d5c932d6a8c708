"""The rules between rooms: who may import whom, and what must not be loaded before it is needed."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Literal, get_args, get_origin

import pytest

import domain.vocabulary

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("domain", "agent", "speech", "graph", "rag", "review", "training")
MAY_IMPORT = {
    "domain": set(),
    "agent": {"domain", "speech", "graph", "rag", "review"},
    "speech": {"domain"},
    "graph": {"domain", "rag"},
    "rag": {"domain"},
    "review": {"domain", "rag"},
    "training": {"domain", "speech", "graph", "rag", "review", "agent"},
}
MAY_USE_LIVEKIT = {"agent", "speech", "training"}
HEAVY = {"torch", "sentence_transformers", "transformers", "onnx"}


def modules(room: str) -> list[Path]:
    """The Python files of a room."""
    return [path for path in sorted((ROOT / room).rglob("*.py")) if "node_modules" not in path.parts]


def imported(nodes: Iterator[ast.AST] | list[ast.stmt]) -> set[str]:
    """The packages that statements import, by the first part of their name."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def at_import(tree: ast.Module) -> Iterator[ast.AST]:
    """Everything that runs when the module is imported: all but the bodies of functions."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_only_the_rooms_they_may(room: str) -> None:
    """Dependencies between rooms run in one direction, inside functions as well."""
    for path in modules(room):
        found = imported(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        forbidden = found.intersection(ROOMS) - MAY_IMPORT[room] - {room}
        assert not forbidden, f"{path.relative_to(ROOT)} imports {sorted(forbidden)}"


@pytest.mark.parametrize("room", sorted(set(ROOMS) - MAY_USE_LIVEKIT))
def test_only_agent_and_speech_know_livekit(room: str) -> None:
    """The graph, the bank and the record can be used and tested without a room."""
    for path in modules(room):
        assert "livekit" not in imported(ast.walk(ast.parse(path.read_text(encoding="utf-8")))), path


@pytest.mark.parametrize("room", [*ROOMS, "tests", "bench"])
def test_nothing_loads_torch_by_being_imported(room: str) -> None:
    """Only who trains has torch, and it takes seconds: the function that needs it imports it."""
    for path in modules(room):
        found = imported(at_import(ast.parse(path.read_text(encoding="utf-8"))))
        assert not found & HEAVY, f"{path.relative_to(ROOT)} imports {sorted(found & HEAVY)} at its top"


@pytest.mark.slow
def test_an_interview_never_loads_torch(tmp_path: Path) -> None:
    """What an interview by voice needs are ready without anything that only training installs."""
    script = (
        "import sys, agent.worker.server, agent.http.text.opening\n"
        "from agent.interviews.resources import load_voice_resources\n"
        "from agent.settings import load_settings\nload_voice_resources(load_settings())\n"
        f"print([name for name in {sorted(HEAVY)} if name in sys.modules])"
    )
    environment = {**os.environ, "VIVA_DATA_DIR": str(tmp_path)}

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT, env=environment
    )

    assert done.stdout.strip() == "[]"


def test_the_set_up_needs_nothing_installed() -> None:
    """The set-up runs before there is any package."""
    for path in modules("install"):
        found = imported(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        foreign = found - sys.stdlib_module_names - {"install", "__future__"}
        assert not foreign, f"{path.relative_to(ROOT)} imports {sorted(foreign)}"


def test_the_command_line_loads_nothing_heavy() -> None:
    """`viva --help` answers before LiveKit, torch or the models could be loaded."""
    heavy = ("livekit", "torch", "sentence_transformers", "faster_whisper", "piper", "chromadb", "langgraph", "numpy")
    script = f"import sys, agent.cli.app; print([name for name in {heavy} if name in sys.modules])"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)

    assert done.stdout.strip() == "[]"


def test_no_room_speaks_of_open_work() -> None:
    """What is not done yet is not noted in the code."""
    marks = ("TO" + "DO", "FIX" + "ME", "raise NotImplemented" + "Error")
    for room in (*ROOMS, "install", "tests", "bench"):
        for path in modules(room):
            text = path.read_text(encoding="utf-8")
            assert not [mark for mark in marks if mark in text], path


def product_modules() -> dict[str, Path]:
    """Every module of the product and of the benchmarks by its dotted name."""
    paths = [path.relative_to(ROOT) for room in (*ROOMS, "bench", "install") for path in modules(room)]
    return {".".join(path.with_suffix("").parts).removesuffix(".__init__"): ROOT / path for path in paths}


def modules_imported(path: Path, known: Container[str]) -> set[str]:
    """Which of the known modules a file imports: anywhere, inside functions and for the type checker as well."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {each if each in known else node.module for each in inner}
    return {each for each in found if each in known}


def first_circle(imports: Mapping[str, set[str]]) -> list[str]:
    """Modules of which each imports the next and the last the first; nothing when there are none."""
    done: set[str] = set()
    for start in imports:
        way: list[str] = []
        waiting: list[tuple[int, str]] = [(0, start)]
        while waiting:
            depth, module = waiting.pop()
            done.update(way[depth:])
            del way[depth:]
            if module in way:
                return way[way.index(module) :]
            if module not in done:
                way.append(module)
                waiting += [(depth + 1, each) for each in sorted(imports[module])]
        done.update(way)
    return []


def test_a_circle_is_found() -> None:
    """A circle of any length is named, and a module that two others import is none."""
    assert first_circle({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": set()}) == []
    assert first_circle({"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"b"}}) == ["b", "c", "d"]


def test_nothing_runs_back_up() -> None:
    """No module imports one that needs it: what lies below can be read, tested and changed without what is above."""
    known = product_modules()
    imports = {name: modules_imported(path, known) - {name} for name, path in known.items()}
    assert " -> ".join(first_circle(imports)) == ""


def test_the_settings_need_nothing_of_what_they_set() -> None:
    """Everybody reads the settings, so they read nobody: only shared words, and how a secret or a list is read."""
    known = product_modules()
    parts = {name for name in known if name.startswith("agent.settings")}
    assert len(parts) > 1
    read = {each for name in parts for each in modules_imported(known[name], known)}
    assert read - parts <= {"domain.vocabulary", "agent.files", "agent.phone.line.setting_values"}


def test_each_closed_set_of_words_is_defined_once() -> None:
    """No room has its own copy of a set of words that `domain.vocabulary` defines."""
    shared = {
        frozenset(get_args(value)): name
        for name, value in vars(domain.vocabulary).items()
        if get_origin(value) is Literal and len(get_args(value)) > 1
    }
    of_another_meaning = {"graph.feedback.guardrails": "Grade"}  # how good an answer was, and not how a question fits
    for module, path in product_modules().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if module == "domain.vocabulary" or not isinstance(node, ast.Subscript):
                continue
            if isinstance(node.value, ast.Name) and node.value.id == "Literal" and isinstance(node.slice, ast.Tuple):
                words = frozenset(each.value for each in node.slice.elts if isinstance(each, ast.Constant))
                copied = shared.get(words, "")
                assert copied in ("", of_another_meaning.get(module)), f"{module}:{node.lineno} is a copy of {copied}"
