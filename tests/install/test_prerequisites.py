"""What has to be on a machine already: each has one clear sentence when it is missing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from install.prerequisites import check_disk, check_node, check_venv_module, go_toolchain, version_in
from install.running import SetupError
from tests.install.scripted import ScriptedRunner


@pytest.mark.parametrize(
    ("text", "version"),
    [("v20.20.2", (20, 20)), ("go1.26.8", (1, 26)), ("go1.26rc1", (1, 26)), ("unknown", (0, 0)), ("", (0, 0))],
)
def test_versions_are_found_in_what_programs_answer(text: str, version: tuple[int, int]) -> None:
    """Every program writes its version its own way."""
    assert version_in(text) == version


@pytest.mark.parametrize("answer", ["v20.19.0", "v24.1.0"])
def test_a_new_enough_node_passes(answer: str, tmp_path: Path) -> None:
    """Nothing is raised for a Node.js that can build the pages."""
    check_node(ScriptedRunner(tmp_path, {"node": answer, "npm": "10.8.2"}))


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({}, "there is no node on PATH"),
        ({"node": "v18.19.0", "npm": "9"}, "and node is v18.19.0"),
        ({"node": "v22.0.0"}, "there is no npm on PATH"),
    ],
)
def test_a_missing_or_old_node_is_told(answers: Mapping[str, str], said: str, tmp_path: Path) -> None:
    """The sentence names what is needed, what is there, and how to get it."""
    with pytest.raises(SetupError) as caught:
        check_node(ScriptedRunner(tmp_path, answers))

    assert "Node.js 20.19 or newer" in str(caught.value)
    assert said in str(caught.value)
    assert "https://nodejs.org" in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "toolchain"), [("go1.26.8", "local"), ("go1.27.0", "local"), ("go1.21.0", "go1.26.0")]
)
def test_a_go_that_can_build_the_server_passes(answer: str, toolchain: str, tmp_path: Path) -> None:
    """A newer Go builds it itself, and one since 1.21 fetches the version that can."""
    assert go_toolchain(ScriptedRunner(tmp_path, {"go env": answer}), "tea", "brew it") == toolchain


@pytest.mark.parametrize(("answers", "said"), [({}, "there is no go on PATH"), ({"go env": "go1.19"}, "go is go1.19")])
def test_a_missing_or_old_go_is_told(answers: Mapping[str, str], said: str, tmp_path: Path) -> None:
    """The sentence offers to install the program itself as well."""
    with pytest.raises(SetupError) as caught:
        go_toolchain(ScriptedRunner(tmp_path, answers), "tea", "brew it")

    assert said in str(caught.value)
    assert "no tea on PATH" in str(caught.value)
    assert "brew it or Go" in str(caught.value)


def test_a_python_without_venv_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian packages the module separately; the sentence names that package."""
    monkeypatch.setattr("install.prerequisites.importlib.util.find_spec", lambda _: None)

    with pytest.raises(SetupError, match=r"apt-get install python3\.\d+-venv"):
        check_venv_module()


def test_a_full_disk_is_told_before_anything_is_fetched(tmp_path: Path) -> None:
    """The sentence says how much is needed and how much is there."""
    check_disk(tmp_path, 0, "Nothing")

    with pytest.raises(SetupError, match=r"torch needs about 1e\+09 GB, and the disk of .* has \d+\.\d GB left"):
        check_disk(tmp_path, 1e9, "torch")
